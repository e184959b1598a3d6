//! Items of list, tuple and dict literals by a constant index: `handlers["open"]`, `pair[0]`.

use super::{
    linker::Linker,
    names::MODULE,
    program::FileIndex,
    types::{Type, TypeId},
};
use crate::syntax::python::facts::{BindingKind, Expr, ExprId, ExprList, Extraction, ScopeId};

impl Linker<'_> {
    /// The type of `value[index]`, if `value` names a literal and no assignment of the scope changes the item. Unknown if a
    /// dict of functions or classes lacks the key: the value of another key is never the result.
    pub(super) fn literal_item(&mut self, file: FileIndex, value: ExprId, index: ExprId) -> Option<TypeId> {
        let facts = self.program.facts(file);
        match (facts.expr(self.named_literal(file, value)?), facts.expr(index)) {
            (Expr::List(list) | Expr::Tuple(list), Expr::Position(at)) => {
                let items = facts.list(list);
                let item = *items.get(position(at, items.len())?)?;
                let has_star = items.iter().any(|&item| matches!(facts.expr(item), Expr::Starred(_)));
                if has_star { None } else { self.known_item(file, item) }
            }
            (Expr::Dict(list), key @ (Expr::Str(Some(_)) | Expr::Position(_))) => {
                let pairs = facts.list(list).chunks_exact(2);
                match pairs.rev().find(|pair| facts.expr(pair[0]) == key) {
                    Some(pair) => self.known_item(file, pair[1]),
                    None => self.has_callable(file, list).then_some(TypeId::UNKNOWN),
                }
            }
            _ => None,
        }
    }

    /// The type of an item. There is none if the type is unknown, and for Python's `None`, which often stands for an item
    /// that is assigned later.
    fn known_item(&mut self, file: FileIndex, item: ExprId) -> Option<TypeId> {
        let ty = self.expr_type(file, item);
        (!ty.is_unknown() && ty != TypeId::NONE).then_some(ty)
    }

    /// True if a value of a dict literal is a function or class of the sources.
    fn has_callable(&mut self, file: FileIndex, list: ExprList) -> bool {
        let values: Vec<ExprId> = self.program.facts(file).list(list).iter().skip(1).step_by(2).copied().collect();
        values.into_iter().any(|value| {
            let ty = self.expr_type(file, value);
            matches!(self.types.get(ty), Type::Function(_) | Type::Class(..))
        })
    }

    /// The literal that a name stands for: its only binding that reaches the read, or its only binding in the module.
    fn named_literal(&self, file: FileIndex, value: ExprId) -> Option<ExprId> {
        let facts = self.program.facts(file);
        let Expr::Name { name, scope, reaching } = facts.expr(value) else { return None };
        let bindings = match facts.reaching(reaching) {
            [] if facts.bindings_of(scope, name).is_empty() => facts.bindings_of(ScopeId::new(MODULE), name),
            reaching => reaching,
        };
        let &[binding] = bindings else { return None };
        match &facts.bindings[binding.index()].kind {
            BindingKind::Assign { value: Some(literal), annotation: None, unpack, extraction: Extraction::Value }
                if unpack.is_empty() =>
            {
                Some(*literal)
            }
            _ => None,
        }
    }
}

/// The position of an index in a sequence; a negative index counts from the end.
pub(super) fn position(at: i16, len: usize) -> Option<usize> {
    if at < 0 { len.checked_sub(usize::from(at.unsigned_abs())) } else { Some(usize::from(at.unsigned_abs())) }
}
