//! Inference of type arguments from object literals with context-sensitive members.

use super::{
    infer::Linker,
    program::{FileIndex, GlobalTypeParam},
    types::{InternedType, TypeBindings, TypeKind},
};
use crate::syntax::typescript::facts::{Expr, ExprId, MemberKind};

/// The greatest nesting depth of object and array literals whose members are unified.
const MAX_DEPTH: u32 = 4;

/// The greatest number of elements of an array literal whose members are unified.
const MAX_ELEMENTS: usize = 8;

impl Linker<'_> {
    /// Unifies those members of an object literal that are not context-sensitive with the properties of `pattern`: in
    /// `f({ data: new A(), done: (value) => … })` the type of `data` gives `value` its type. The object literals of an
    /// array literal are used in the same way.
    pub(super) fn infer_from_members(
        &mut self,
        file: FileIndex,
        value: ExprId,
        pattern: InternedType,
        type_params: &[GlobalTypeParam],
        inferences: &mut TypeBindings,
        depth: u32,
    ) {
        let facts = self.program.facts(file);
        if depth > MAX_DEPTH || !self.types.is_generic(pattern) || !self.budget.step() {
            return;
        }
        if let Expr::Array(list) = facts.expr(value) {
            let pattern = self.element_type(pattern);
            for element in facts.list(list).iter().take(MAX_ELEMENTS) {
                self.infer_from_members(file, *element, pattern, type_params, inferences, depth + 1);
            }
        }
        let Expr::Object(object) = facts.expr(value) else { return };
        let object_type = self.expr_type(file, value);
        for member in facts.def(object).members() {
            let Some(name) = member.name.map(|name| self.program.name(file, name)) else { continue };
            let nested = match &member.kind {
                MemberKind::Property { value: Some((value, _)), .. } => Some(*value),
                MemberKind::Function(_) => None,
                _ => continue,
            };
            let Some(expected) = self.property_type(pattern, name) else { continue };
            if !self.is_member_context_sensitive(file, &member.kind, 0) {
                if self.types.is_generic(expected)
                    && let Some(actual) = self.property_type(object_type, name)
                {
                    self.unify(expected, actual, type_params, inferences);
                }
            } else if let Some(nested) = nested {
                self.infer_from_object(file, nested, expected, type_params, inferences);
                self.infer_from_members(file, nested, expected, type_params, inferences, depth + 1);
            }
        }
    }

    /// Infers an unconstrained type parameter as the type of a context-sensitive object literal: `M` of
    /// `{ methods: M & ThisType<D & M> }`. A constrained one stays open, since its constraint types the members.
    fn infer_from_object(
        &mut self,
        file: FileIndex,
        value: ExprId,
        expected: InternedType,
        type_params: &[GlobalTypeParam],
        inferences: &mut TypeBindings,
    ) {
        let is_object = matches!(self.program.facts(file).expr(value), Expr::Object(_));
        let TypeKind::Intersection(constituents) = self.types.kind(expected).clone() else { return };
        for constituent in constituents {
            if let TypeKind::TypeParameter(param) = *self.types.kind(constituent)
                && is_object
                && type_params.contains(&param)
                && self.program.type_param(param).1.constraint.is_none()
            {
                let actual = self.expr_type(file, value);
                self.unify(constituent, actual, type_params, inferences);
            }
        }
    }
}
