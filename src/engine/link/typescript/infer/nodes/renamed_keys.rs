//! The keys of mapped types that rename them: `{ [K in keyof T as N]: … }` has a property for each name in `N`.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::memo::MemoSlot;
use crate::typescript::{
    infer::{Linker, members::FoundProperty},
    program::{FileIndex, InternedName},
    types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{TypeId, TypeNode};

/// The names of the properties of a mapped type in order, each with the key that it comes from.
pub(in super::super) type RenamedKeys = IndexMap<InternedName, InternedType, FxBuildHasher>;

impl Linker<'_> {
    /// A property of a mapped type.
    pub(in super::super) fn mapped_property(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        name: InternedName,
    ) -> Option<FoundProperty> {
        let literal = self.key_type(name);
        if !matches!(self.program.facts(file).ty(id), TypeNode::Mapped { renamed: Some(_), .. }) {
            return self.property_of_key(file, id, substitution, literal);
        }
        // Most types that rename keys leave keys out, and keep the names of all others.
        let renamed = self.renamed_key(file, id, substitution, literal)?;
        if (!renamed.is_known() || self.is_deferred(renamed) || self.types.constituents(renamed).contains(&literal))
            && let Some(found) = self.property_of_key(file, id, substitution, literal)
        {
            return Some(found);
        }
        let key = if let Some(keys) = self.renamed_keys(file, id, substitution) {
            keys.get(&name).copied()?
        } else {
            let pattern = self.renamed_key(file, id, substitution, InternedType::STRING)?;
            self.is_assignable(literal, pattern).then_some(InternedType::STRING)?
        };
        self.property_of_key(file, id, substitution, key)
    }

    /// The names of a mapped type that renames its keys; `None` if not all keys are known. The names of all keys are
    /// found at once, since each name may come from any key.
    pub(super) fn renamed_keys(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
    ) -> Option<Arc<RenamedKeys>> {
        MemoSlot::get_or_compute(
            self,
            |linker| linker.renamed_keys.slot((file, id, substitution)),
            |_| None,
            |linker| linker.find_renamed_keys(file, id, substitution).map(Arc::new),
        )
    }

    fn find_renamed_keys(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> Option<RenamedKeys> {
        let mut all = RenamedKeys::default();
        let Some(keys) = self.keys_before_renaming(file, id, substitution, 0) else {
            return self.find_names_of_objects(file, id, substitution);
        };
        for key in keys {
            let literal = self.key_type(key);
            let renamed = self.renamed_key(file, id, substitution, literal)?;
            if !renamed.is_known() || self.is_deferred(renamed) {
                all.entry(key).or_insert(literal);
                continue;
            }
            for name in self.types.constituents(renamed) {
                if let TypeKind::StringLiteral(name) | TypeKind::UniqueSymbol(name) = *self.types.kind(name) {
                    all.entry(name).or_insert(literal);
                }
            }
        }
        Some(all)
    }

    /// The names of a mapped type whose keys are object types: `{ [E in Events as E["kind"]]: … }`. A name that several
    /// objects have comes from the union of these. `None` if not all names are known.
    fn find_names_of_objects(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
    ) -> Option<RenamedKeys> {
        let keys = self.mapped_keys(file, id, substitution)?;
        let mut all = RenamedKeys::default();
        for object in self.types.constituents(keys) {
            if !matches!(
                self.types.kind(object),
                TypeKind::Reference(..) | TypeKind::Anonymous(..) | TypeKind::Intersection(_)
            ) {
                return None;
            }
            let renamed = self.renamed_key(file, id, substitution, object)?;
            for name in self.types.constituents(renamed) {
                let (TypeKind::StringLiteral(name) | TypeKind::UniqueSymbol(name)) = *self.types.kind(name) else {
                    return None;
                };
                let before = all.get(&name).copied();
                let objects = self.types.union(before.into_iter().chain([object]).collect::<InternedTypes>());
                all.insert(name, objects);
            }
        }
        Some(all)
    }

    /// The type after `as` in a mapped type for the key `key`.
    fn renamed_key(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        key: InternedType,
    ) -> Option<InternedType> {
        let TypeNode::Mapped { renamed, .. } = *self.program.facts(file).ty(id) else { return None };
        let generic = self.type_from_node(file, renamed?);
        let inner = self.substitution_of_key(file, id, substitution, key)?;
        Some(self.substitute(generic, inner))
    }

    /// The substitution of a mapped type with its key bound to `key`.
    pub(super) fn substitution_of_key(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        key: InternedType,
    ) -> Option<Substitution> {
        let TypeNode::Mapped { key: param, .. } = *self.program.facts(file).ty(id) else { return None };
        let mut bindings = TypeBindings::from_slice(self.types.bindings(substitution));
        bindings.push((TypeVariable::Parameter(self.program.global_param(file, param)), key));
        Some(self.types.intern_substitution(bindings))
    }

    /// The type after `in` in a mapped type.
    fn mapped_keys(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> Option<InternedType> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, .. } = *facts.ty(id) else { return None };
        let generic = self.type_from_node(file, facts.type_params[key.index()].constraint?);
        Some(self.substitute(generic, substitution))
    }

    /// The keys that a mapped type maps, without regard to how it renames them; `None` if not all are known.
    pub(super) fn keys_before_renaming(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        depth: u32,
    ) -> Option<Vec<InternedName>> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, .. } = *facts.ty(id) else { return None };
        let constraint = facts.type_params[key.index()].constraint?;
        if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
            let generic = self.type_from_node(file, of);
            let of = self.substitute(generic, substitution);
            return self.property_names(of, depth + 1);
        }
        let keys = self.mapped_keys(file, id, substitution)?;
        if keys == InternedType::NEVER {
            return Some(Vec::new());
        }
        let name = |key: &InternedType| match *self.types.kind(*key) {
            TypeKind::StringLiteral(name) | TypeKind::NumberLiteral(name) | TypeKind::UniqueSymbol(name) => Some(name),
            _ => None,
        };
        self.types.constituents(keys).iter().map(name).collect()
    }
}
