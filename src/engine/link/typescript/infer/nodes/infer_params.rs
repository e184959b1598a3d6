//! The type parameters that a type node declares with `infer`, and those that it mentions.

use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalTypeParam},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{MemberKind, NameId, TypeId, TypeNode};

/// The greatest nesting depth of type nodes that are searched.
const MAX_DEPTH: u32 = 16;

impl Linker<'_> {
    /// The type parameters that `infer` declares in a type node.
    pub(super) fn infer_type_params(&self, file: FileIndex, ty: TypeId) -> SmallVec<[GlobalTypeParam; 4]> {
        let mut all = SmallVec::new();
        self.add_infer_type_params(file, ty, &mut all, 0);
        all
    }

    /// Adds the type parameters that `infer` declares in a type node to `all`.
    fn add_infer_type_params(&self, file: FileIndex, ty: TypeId, all: &mut SmallVec<[GlobalTypeParam; 4]>, depth: u32) {
        let Some(_level) = nesting::descend() else { return };
        if depth > MAX_DEPTH {
            return;
        }
        if let TypeNode::Infer(param) = self.program.facts(file).ty(ty) {
            all.push(self.program.global_param(file, *param));
        }
        self.for_each_part(file, ty, &mut |part| self.add_infer_type_params(file, part, all, depth + 1));
    }

    /// Whether the value of a mapped type mentions the key, so that it differs from key to key.
    pub(in super::super) fn mentions_key(&self, file: FileIndex, mapped: TypeId) -> bool {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, value: Some(value), .. } = *facts.ty(mapped) else { return false };
        self.mentions(file, value, facts.type_params[key.index()].name, 0)
    }

    fn mentions(&self, file: FileIndex, ty: TypeId, param: NameId, depth: u32) -> bool {
        let Some(_level) = nesting::descend() else { return true };
        let node = self.program.facts(file).ty(ty);
        let mut is_mentioned = matches!(node, TypeNode::Ref { path, .. } if path[..] == [param]);
        let mut each = |part| {
            is_mentioned = is_mentioned || depth < MAX_DEPTH && self.mentions(file, part, param, depth + 1);
        };
        match *node {
            TypeNode::Conditional { check, extends, positive, negative, .. } => {
                [check, extends, positive, negative].into_iter().for_each(each);
            }
            _ => self.for_each_part(file, ty, &mut each),
        }
        is_mentioned
    }

    /// Calls `each` for the types that a type node directly consists of. A conditional type declares names of its own,
    /// so that its parts are left out.
    fn for_each_part(&self, file: FileIndex, ty: TypeId, each: &mut dyn FnMut(TypeId)) {
        let facts = self.program.facts(file);
        match facts.ty(ty) {
            TypeNode::Ref { args, .. } | TypeNode::Import { args, .. } => {
                facts.type_list(*args).iter().for_each(|ty| each(*ty));
            }
            TypeNode::Array(inner) | TypeNode::Operator(inner) | TypeNode::KeyOf(inner) => each(*inner),
            TypeNode::Tuple(elements) => elements.iter().for_each(|element| each(element.ty)),
            TypeNode::Union(list) | TypeNode::Intersection(list) | TypeNode::Template(list) => {
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
