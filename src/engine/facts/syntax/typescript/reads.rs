//! Reads of properties.

use tree_sitter::Node;

use super::{
    facts::{Expr, ExprId, PropertyRead, ReadPlace, VariableId},
    lower::{Lowering, index_u16},
};
use crate::syntax::tree::position_of;

impl Lowering<'_> {
    /// Adds the read of the property at the token `name`.
    pub(super) fn add_read(&mut self, name: Node, place: ReadPlace) {
        let (line, col) = position_of(Some(name));
        self.facts.reads.push(PropertyRead { line, col, reader: self.frame.caller, place });
    }

    /// Adds the read of the property at the token `name` of a pattern that has just been lowered. `step` is the
    /// position of the property in the paths of the pattern's names, of which `first` would be the first one.
    pub(super) fn add_pattern_read(&mut self, name: Node, first: usize, step: usize) {
        let declared = self.facts.variables.len();
        if let Some(step) = index_u16(step)
            && declared > first
        {
            // The last variable belongs to the pattern, because the defaults before a name are lowered before the name.
            self.add_read(name, ReadPlace::Pattern(VariableId::new(declared - 1), step));
        }
    }

    /// Drops the read of the expression that has just been lowered: it is the target of an assignment or of `delete`.
    pub(super) fn drop_read(&mut self, target: ExprId) {
        let mut target = target;
        while let Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) | Expr::Satisfies(inner, _) =
            self.facts.expr(target)
        {
            target = inner;
        }
        if self.facts.reads.last().is_some_and(|read| read.place == ReadPlace::Access(target)) {
            self.facts.reads.pop();
        }
    }
}
