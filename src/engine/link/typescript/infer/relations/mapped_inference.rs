//! Inference of the sources of homomorphic mapped types from arguments.

use super::unify::Inference;
use crate::typescript::{
    infer::Linker,
    types::{InternedType, InternedTypes, TypeBindings, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::TypeNode;

impl Linker<'_> {
    /// Infers the source of a homomorphic mapped type from an argument: for the parameter type
    /// `{ [K in keyof T]: Box<T[K]> }` and an argument of type `[Box<A>, Box<B>]`, the source `T` is `[A, B]`. `None`
    /// if the mapped type does not mention `T[K]`.
    pub(super) fn infer_mapped_type(
        &mut self,
        mapped: InternedType,
        actual: InternedType,
        inference: &mut Inference<'_>,
        depth: u32,
    ) -> Option<InternedType> {
        if let TypeKind::Tuple(items, has_rest) = self.types.kind(actual).clone() {
            let mut inferred = InternedTypes::new();
            for item in items {
                inferred.push(self.infer_mapped_element(mapped, item, inference, depth)?);
            }
            return Some(self.types.intern(TypeKind::Tuple(inferred, has_rest)));
        }
        let TypeKind::Mapped(file, id, _) = *self.types.kind(mapped) else { return None };
        if self.is_array(actual) {
            let item = self.element_type(actual);
            let item = self.infer_mapped_element(mapped, item, inference, depth)?;
            return Some(self.platform_type(self.well_known.array, &[item]));
        }
        let is_object = matches!(self.types.kind(actual), TypeKind::Anonymous(..) | TypeKind::Intersection(_));
        (is_object && self.mentions_key(file, id)).then(|| self.types.intern(TypeKind::ReverseMapped(actual, mapped)))
    }

    /// Infers `T[K]` of the mapped type `{ [K in keyof T]: Box<T[K]> }` from one of its elements or properties.
    fn infer_mapped_element(
        &mut self,
        mapped: InternedType,
        actual: InternedType,
        inference: &mut Inference<'_>,
        depth: u32,
    ) -> Option<InternedType> {
        let TypeKind::Mapped(file, id, substitution) = *self.types.kind(mapped) else { return None };
        let TypeNode::Mapped { key, value, .. } = *self.program.facts(file).ty(id) else { return None };
        let of = self.mapped_type_parameter(file, id)?;
        let of = self.types.intern(TypeKind::TypeParameter(of));
        let key = self.types.intern(TypeKind::TypeParameter(self.program.global_param(file, key)));
        let element = self.types.intern(TypeKind::IndexedAccess(of, key));
        let generic = self.type_from_node(file, value?);
        let pattern = self.substitute(generic, substitution);
        let outer = inference.element.replace((element, None));
        self.unify_at(pattern, actual, inference, depth);
        let found = std::mem::replace(&mut inference.element, outer);
        Some(found.and_then(|(_, found)| found).unwrap_or(InternedType::UNKNOWN))
    }

    /// The type of a property of a [`TypeKind::ReverseMapped`] whose property in the mapped type has the type `actual`.
    pub(in super::super) fn reverse_mapped_value(
        &mut self,
        mapped: InternedType,
        actual: InternedType,
    ) -> InternedType {
        let mut inference = Inference::new(&[], TypeBindings::new());
        self.infer_mapped_element(mapped, actual, &mut inference, 0).unwrap_or(InternedType::ANY)
    }
}
