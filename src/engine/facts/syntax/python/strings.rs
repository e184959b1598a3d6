//! String literals, and the calls inside f-strings (PEP 498).

use tree_sitter::TreeCursor;

use super::{
    facts::{Expr, ExprId, MentionPlace},
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::{
    texts::{KeptText, TextPieces},
    tree::position_of,
};

impl Lowering<'_> {
    pub(super) fn lower_string(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        let text = self.text(node);
        let prefix = &text[..text.find(['"', '\'']).unwrap_or_default()];
        let is_bytes = prefix.contains(['b', 'B']);
        let is_raw = prefix.contains(['r', 'R']);
        let quoted = if is_raw { text.trim_start_matches(['r', 'R']) } else { text };
        let inner = quoted.trim_matches(['"', '\'']);
        // A plain text has no braces, so the string contains no interpolation.
        if !self.in_annotation && !is_bytes && is_plain(inner) {
            let kept = self.intern(inner);
            if self.mention_place == Some(MentionPlace::Listed) {
                let expr = self.read_name(kept);
                self.note_mention(expr, Some(node));
            }
            return self.add_expr(Expr::Str(Some(kept)));
        }
        let mut pieces = if is_raw { TextPieces::raw() } else { TextPieces::new() };
        if node.named_child_count() > 2 || self.kind(node) == NodeKind::ConcatenatedString {
            self.children(cursor, |this, cursor, kind| match kind {
                NodeKind::Interpolation => {
                    let first = this.lower_interpolations(cursor);
                    pieces.add_value(first.unwrap_or_else(|| this.unknown()));
                }
                NodeKind::String => {
                    this.lower_interpolations(cursor);
                    pieces.reject();
                }
                NodeKind::StringContent => pieces.add_text(this.text(cursor.node())),
                _ => {}
            });
        }
        if is_bytes {
            return self.add_expr(Expr::Bytes);
        }
        if self.in_annotation {
            self.quoted_at = position_of(Some(node));
            return self.parse_forward_reference(inner);
        }
        match pieces.kept() {
            Some(pieces) => {
                // The string gets a row of its own, because all strings without a kept text share one row.
                let expr = ExprId::new(self.facts.exprs.len());
                self.facts.exprs.push(Expr::Str(None));
                self.facts.texts.push(KeptText { expr, pieces });
                expr
            }
            None => self.add_expr(Expr::Str(None)),
        }
    }

    /// Lowers the expressions of an f-string. Returns the first one.
    fn lower_interpolations(&mut self, cursor: &mut TreeCursor) -> Option<ExprId> {
        let node = cursor.node();
        let mut first = None;
        self.descend(node, |this| {
            this.children(cursor, |this, cursor, kind| {
                let lowered = match kind {
                    NodeKind::Interpolation | NodeKind::String | NodeKind::Other => this.lower_interpolations(cursor),
                    NodeKind::Token | NodeKind::StringContent | NodeKind::Comment => None,
                    // The text has the value, not the name: a name here is no mention.
                    _ => Some(this.at_place(None, |this| this.lower_expr(cursor))),
                };
                first = first.or(lowered);
            });
        });
        first
    }
}

/// True for a short text that may be a name, a type or a key.
fn is_plain(text: &str) -> bool {
    let is_kept = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'[' | b']' | b',' | b' ' | b'|');
    (1..=80).contains(&text.len()) && text.bytes().all(is_kept)
}
