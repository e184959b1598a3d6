//! The element types of iterables, and the value types of index signatures.

use crate::typescript::{
    infer::Linker,
    program::GlobalDef,
    types::{InternedType, InternedTypes, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{Keyword, MemberKind, TypeNode};

impl Linker<'_> {
    /// The type of the elements that iterating over a value yields.
    pub(in super::super) fn element_type(&mut self, ty: InternedType) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args)
                if Some(symbol) == self.well_known.array || Some(symbol) == self.well_known.readonly_array =>
            {
                args.first().copied().unwrap_or(InternedType::ANY)
            }
            TypeKind::Tuple(items, _) => self.types.union(items),
            TypeKind::VariadicTuple(items) => self.variadic_element_type(&items),
            TypeKind::String | TypeKind::StringLiteral(_) | TypeKind::Template(_) => InternedType::STRING,
            TypeKind::Union(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.element_type(*constituent)).collect();
                self.types.union(all)
            }
            TypeKind::External => InternedType::EXTERNAL,
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => match self.constraint(ty) {
                Some(constraint) => self.element_type(constraint),
                None => InternedType::ANY,
            },
            TypeKind::Intersection(constituents) => {
                let all: InternedTypes = constituents
                    .iter()
                    .map(|constituent| self.element_type(*constituent))
                    .filter(|t| t.is_known())
                    .collect();
                if all.is_empty() { InternedType::ANY } else { self.intersect(&all) }
            }
            TypeKind::Mapped(file, id, substitution) => self.mapped_element(file, id, substitution),
            _ => {
                let Some(iterable) = self.well_known.iterable else { return InternedType::ANY };
                let args = self.type_arguments_as(ty, iterable, 0);
                args.and_then(|args| args.first().copied()).unwrap_or_else(|| self.index_signature_type(ty))
            }
        }
    }

    /// The type of an element access whose key is not known: that of the index signature, or of any element.
    pub(in super::super) fn index_signature_type(&mut self, ty: InternedType) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) => {
                if Some(symbol) == self.well_known.array || Some(symbol) == self.well_known.readonly_array {
                    return args.first().copied().unwrap_or(InternedType::ANY);
                }
                for def in self.program.definitions(symbol) {
                    if let Some(value) = self.declared_index_type(def) {
                        return self.instantiate(value, def, &args, ty);
                    }
                }
                // A class that extends an array.
                let array = self.well_known.readonly_array;
                let args = array.and_then(|array| self.type_arguments_as(ty, array, 0));
                args.and_then(|args| args.first().copied()).unwrap_or(InternedType::ANY)
            }
            TypeKind::Anonymous(def, substitution) => match self.declared_index_type(def) {
                Some(value) => self.substitute(value, substitution),
                None => self.any_property_type(def, substitution),
            },
            TypeKind::Mapped(file, id, substitution) => self.mapped_element(file, id, substitution),
            TypeKind::Tuple(items, _) => self.types.union(items),
            TypeKind::VariadicTuple(items) => self.variadic_element_type(&items),
            TypeKind::External => InternedType::EXTERNAL,
            TypeKind::Intersection(constituents) => constituents
                .iter()
                .map(|constituent| self.index_signature_type(*constituent))
                .find(|ty| ty.is_known())
                .unwrap_or(InternedType::ANY),
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => match self.constraint(ty) {
                Some(constraint) => self.index_signature_type(constraint),
                None => InternedType::ANY,
            },
            _ => InternedType::ANY,
        }
    }

    /// The union of all property types of an object literal such as `{ a: f, b: g }`; `any` if it has more than 32.
    fn any_property_type(&mut self, def: GlobalDef, substitution: Substitution) -> InternedType {
        let count = self.program.members(def).len();
        if count > 32 {
            return InternedType::ANY;
        }
        let mut all = InternedTypes::new();
        for at in 0..count {
            let generic = self.member_type(def, at as u16);
            all.push(self.substitute(generic, substitution));
        }
        if all.is_empty() { InternedType::ANY } else { self.types.union(all) }
    }

    /// Whether a type is declared with an index signature: `{ [key: string]: T }`, `Record<string, T>`.
    pub(in super::super) fn has_index_signature(&mut self, ty: InternedType) -> bool {
        match *self.types.kind(ty) {
            TypeKind::Reference(symbol, _) => {
                self.program.definitions(symbol).into_iter().any(|def| self.declared_index_type(def).is_some())
            }
            TypeKind::Anonymous(def, _) => self.declared_index_type(def).is_some(),
            TypeKind::Mapped(file, id, substitution) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, .. } = *facts.ty(id) else { return false };
                let Some(constraint) = facts.type_params[key.index()].constraint else { return false };
                let generic = self.type_from_node(file, constraint);
                let is_declared = matches!(facts.ty(constraint), TypeNode::Keyword(Keyword::String))
                    || matches!(self.types.kind(generic), TypeKind::TypeParameter(_));
                is_declared && self.substitute(generic, substitution) == InternedType::STRING
            }
            _ => false,
        }
    }

    /// Whether a type declares no property by name, but an index signature: `Record<string, Function>`.
    pub(in super::super) fn has_index_signature_alone(&mut self, ty: InternedType) -> bool {
        let ty = match self.types.kind(ty) {
            TypeKind::TypeParameter(_) => self.constraint(ty).unwrap_or(ty),
            _ => ty,
        };
        self.has_index_signature(ty) && self.property_names(ty, 0).is_none_or(|names| names.is_empty())
    }

    /// The value type of the index signature that a declaration itself has.
    pub(in super::super) fn declared_index_type(&mut self, def: GlobalDef) -> Option<InternedType> {
        let file = self.program.file_of(def);
        let value = self.program.members(def).iter().find_map(|member| match member.kind {
            MemberKind::Index { value, .. } => Some(value),
            _ => None,
        })?;
        Some(self.type_from_node(file, value))
    }
}
