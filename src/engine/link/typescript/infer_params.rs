//! The type parameters that `infer` declares in a type node.

use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::{FileIndex, GlobalTypeParam},
};
use crate::syntax::typescript::facts::{MemberKind, TypeId, TypeNode};

impl Linker<'_> {
    /// The type parameters that `infer` declares in a type node.
    pub(super) fn infer_type_params(&self, file: FileIndex, ty: TypeId) -> SmallVec<[GlobalTypeParam; 4]> {
        let mut all = SmallVec::new();
        self.add_infer_type_params(file, ty, &mut all, 0);
        all
    }

    /// Adds the type parameters that `infer` declares in a type node to `all`.
    pub(super) fn add_infer_type_params(
        &self,
        file: FileIndex,
        ty: TypeId,
        all: &mut SmallVec<[GlobalTypeParam; 4]>,
        depth: u32,
    ) {
        if depth > 16 {
            return;
        }
        let facts = self.program.facts(file);
        let mut each = |ty: TypeId| self.add_infer_type_params(file, ty, all, depth + 1);
        match facts.ty(ty) {
            TypeNode::Infer(param) => all.push(self.program.global_param(file, *param)),
            TypeNode::Ref { args, .. } | TypeNode::Import { args, .. } => {
                facts.type_list(*args).iter().for_each(|ty| each(*ty));
            }
            TypeNode::Array(inner) | TypeNode::Operator(inner) | TypeNode::KeyOf(inner) => each(*inner),
            TypeNode::Tuple(elements) => elements.iter().for_each(|element| each(element.ty)),
            TypeNode::Union(list) | TypeNode::Intersection(list) => {
                facts.type_list(*list).iter().for_each(|ty| each(*ty));
            }
            TypeNode::Indexed(a, b) => {
                each(*a);
                each(*b);
            }
            TypeNode::Function(def) => {
                if let Some(function) = facts.def(*def).function() {
                    function.params.iter().filter_map(|p| p.annotation.as_ref()).for_each(|(ty, _)| each(*ty));
                    function.returns.iter().for_each(|(ty, _)| each(*ty));
                }
            }
            TypeNode::Literal(def) => {
                for member in facts.def(*def).members() {
                    match &member.kind {
                        MemberKind::Property { annotation: Some((ty, _)), .. } => each(*ty),
                        MemberKind::Index { value, .. } => each(*value),
                        MemberKind::Function(function) => {
                            if let Some(function) = facts.def(*function).function() {
                                let params = function.params.iter().filter_map(|p| p.annotation.as_ref());
                                params.for_each(|(ty, _)| each(*ty));
                                function.returns.iter().for_each(|(ty, _)| each(*ty));
                            }
                        }
                        _ => {}
                    }
                }
            }
            TypeNode::Predicate { ty: Some(ty), .. } => each(*ty),
            _ => {}
        }
    }
}
