//! Intersections of types.

use crate::typescript::{
    infer::Linker,
    types::{InternedType, InternedTypes, TypeKind},
};

/// The greatest length of a union over which an intersection is distributed.
const MAX_DISTRIBUTED: usize = 16;

/// The greatest number of intersections that the distribution over unions makes. An intersection with more becomes
/// `any`.
const MAX_INTERSECTIONS: usize = 4096;

impl Linker<'_> {
    /// The intersection of types. Unlike in TypeScript, `any` is ignored if there is another constituent, since the
    /// members of the other constituent are still certain.
    pub(in super::super) fn intersect(&mut self, constituents: &[InternedType]) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        if constituents.contains(&InternedType::ANY) {
            let known: InternedTypes = constituents.iter().copied().filter(|ty| *ty != InternedType::ANY).collect();
            return if known.is_empty() { InternedType::ANY } else { self.types.intersection(known) };
        }
        if let Some(keys) = self.intersection_of_keys(constituents) {
            return keys;
        }
        // Intersection distributes over union: `(A | B) & C` is `(A & C) | (B & C)`.
        if let Some(at) = constituents.iter().position(|ty| matches!(self.types.kind(*ty), TypeKind::Union(_))) {
            let union = self.types.constituents(constituents[at]);
            if union.len() <= MAX_DISTRIBUTED {
                if self.is_distribution_too_large(constituents) {
                    return InternedType::ANY;
                }
                let mut all = InternedTypes::new();
                for constituent in union {
                    let mut one: InternedTypes = constituents.iter().copied().collect();
                    one[at] = constituent;
                    all.push(self.intersect(&one));
                }
                return self.types.union(all);
            }
        }
        self.types.intersection(constituents.iter().copied())
    }

    /// Whether distributing an intersection over its unions makes too many intersections.
    fn is_distribution_too_large(&self, constituents: &[InternedType]) -> bool {
        let lengths = constituents.iter().map(|ty| match self.types.kind(*ty) {
            TypeKind::Union(union) if union.len() <= MAX_DISTRIBUTED => union.len(),
            _ => 1,
        });
        lengths.fold(1, usize::saturating_mul) > MAX_INTERSECTIONS
    }

    /// The intersection of types of which some are keys, that is, literals of strings and numbers or unions of those:
    /// the keys that all of these have, and of these the strings if `string` is among the types. `None` if the types
    /// are not at least two of which one is made of keys and another one of keys or `string`.
    fn intersection_of_keys(&mut self, types: &[InternedType]) -> Option<InternedType> {
        let is_key = |linker: &Self, ty: InternedType| {
            let kind = linker.types.kind(ty);
            matches!(kind, TypeKind::StringLiteral(_) | TypeKind::NumberLiteral(_) | TypeKind::UniqueSymbol(_))
        };
        let is_keys = |linker: &Self, ty: InternedType| match linker.types.kind(ty) {
            TypeKind::Union(constituents) => constituents.iter().all(|ty| is_key(linker, *ty)),
            _ => is_key(linker, ty),
        };
        let has_string = types.contains(&InternedType::STRING);
        let (keys, others): (Vec<_>, Vec<_>) = types.iter().copied().partition(|ty| is_keys(self, *ty));
        let (first, rest) = keys.split_first()?;
        if rest.is_empty() && !has_string {
            return None;
        }
        let mut common = self.types.constituents(*first);
        for keys in rest {
            let allowed = self.types.constituents(*keys);
            common.retain(|key| allowed.contains(key));
        }
        common.retain(|key| !has_string || matches!(self.types.kind(*key), TypeKind::StringLiteral(_)));
        let common = self.types.union(common);
        let others = others.into_iter().filter(|ty| *ty != InternedType::STRING);
        let all: InternedTypes = std::iter::once(common).chain(others).collect();
        Some(if all.len() == 1 { common } else { self.intersect(&all) })
    }
}
