//! Template strings.

use tree_sitter::TreeCursor;

use super::{
    facts::{Expr, ExprId},
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::texts::{KeptText, TextPieces};

impl Lowering<'_> {
    /// Lowers a template string without a tag, and keeps its text if it may be a path.
    pub(super) fn template_string(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        let source = self.source;
        let mut pieces = TextPieces::new();
        // Behind the opening quote.
        let mut at = node.start_byte() + 1;
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::TemplateSubstitution {
                let range = cursor.node().byte_range();
                let value = this.first_named_child(cursor, |this, cursor, _| this.expr(cursor));
                pieces.add_text(source.get(at..range.start).unwrap_or_default());
                pieces.add_value(value.unwrap_or_else(|| this.add_expr(Expr::Unknown)));
                at = range.end;
            }
        });
        pieces.add_text(source.get(at..node.end_byte().saturating_sub(1)).unwrap_or_default());
        let Some(pieces) = pieces.kept() else { return self.add_expr(Expr::String(None)) };
        // A row of its own, because strings without a text share one.
        let expr = ExprId::new(self.facts.exprs.len());
        self.facts.exprs.push(Expr::String(None));
        self.facts.texts.push(KeptText { expr, pieces });
        expr
    }

    /// Lowers the `${…}` of a tagged template.
    pub(super) fn template_substitutions(&mut self, cursor: &mut TreeCursor) -> Vec<ExprId> {
        let mut values = Vec::new();
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::TemplateSubstitution
                && let Some(value) = this.first_named_child(cursor, |this, cursor, _| this.expr(cursor))
            {
                values.push(value);
            }
        });
        values
    }
}
