//! String literals, and the calls inside f-strings (PEP 498).

use tree_sitter::TreeCursor;

use super::{
    facts::{Expr, ExprId},
    grammar::NodeKind,
    lower::Lowering,
};

impl Lowering<'_> {
    pub(super) fn lower_string(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        if node.named_child_count() > 2 || self.kind(node) == NodeKind::ConcatenatedString {
            self.children(cursor, |this, cursor, kind| match kind {
                NodeKind::Interpolation | NodeKind::String => {
                    this.lower_interpolations(cursor);
                }
                _ => {}
            });
        }
        let text = self.text(node);
        if text.as_bytes().first().is_some_and(|c| matches!(c, b'b' | b'B')) {
            return self.add_expr(Expr::Bytes);
        }
        let inner = text.trim_matches(|c| c == '"' || c == '\'');
        if self.in_annotation {
            return self.parse_forward_reference(inner);
        }
        let plain = inner.len() <= 80
            && !inner.is_empty()
            && inner
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'[' | b']' | b',' | b' ' | b'|'));
        let kept = plain.then(|| self.intern(inner));
        self.add_expr(Expr::Str(kept))
    }

    fn lower_interpolations(&mut self, cursor: &mut TreeCursor) {
        let node = cursor.node();
        self.descend(node, |this| {
            this.children(cursor, |this, cursor, kind| match kind {
                NodeKind::Interpolation | NodeKind::String => this.lower_interpolations(cursor),
                NodeKind::Token | NodeKind::StringContent | NodeKind::Comment => {}
                NodeKind::Other => this.lower_interpolations(cursor),
                _ => {
                    this.lower_expr(cursor);
                }
            });
        });
    }
}
