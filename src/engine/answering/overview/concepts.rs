//! The concepts of a scope: the definitions that uses cluster around, with what makes each, what takes it, and how
//! many classes extend it.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use crate::types::{TypeRole, TypeTable};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind},
    source::Origin,
};
use apidisc_indexing::index::Index;

/// The greatest number of concepts.
const MAX_CONCEPTS: usize = 10;
/// The greatest number of makers, and of takers, of a concept.
const MAX_RELATED: usize = 3;

/// A definition that uses cluster around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The definition.
    pub id: DefinitionId,
    /// Its uses, those of its members included.
    pub uses: u32,
    /// The definitions that make the concept, most used first. Those in tests, examples and documents are left out,
    /// unless the concept itself stands in one of them.
    pub made_by: Vec<DefinitionId>,
    /// The definitions that take the concept as an argument, most used first, without those in tests, examples
    /// and documents, as in `made_by`.
    pub passed_to: Vec<DefinitionId>,
    /// The number of its subclasses and implementations, those in tests, examples and documents left out.
    pub subclasses: usize,
}

/// The most used of `members`.
pub(super) fn concepts(index: &Index, members: &[DefinitionId], types: &TypeTable) -> Vec<Concept> {
    let mut used: Vec<(u32, DefinitionId)> = members.iter().map(|&id| (index.uses_within(id), id)).collect();
    used.retain(|(uses, _)| *uses > 0);
    used.shared_sort_by_key(|&(uses, id)| (Reverse(uses), id));
    let mut names = FxHashSet::default();
    // A name that a stub file and a module both define, or a type and a function of the same name, is one concept.
    used.retain(|(_, id)| names.insert((&index.definition(*id).alias, is_type(index.definition(*id).kind))));
    used.truncate(MAX_CONCEPTS);
    used.into_iter().map(|(uses, id)| concept(index, types, id, uses)).collect()
}

fn concept(index: &Index, types: &TypeTable, id: DefinitionId, uses: u32) -> Concept {
    // The fixtures and helpers of tests make what the tests need.
    let is_of_library = is_library(index, id);
    let is_shown = |other: &DefinitionId| {
        let definition = index.definition(*other);
        (is_library(index, *other) || !is_of_library)
            && definition.is_public
            && definition.parent != Some(id)
            && index.describes(definition)
    };
    let related = |role| {
        let mut names = FxHashSet::default();
        let shown = types.of(role, id).iter().copied().filter(is_shown);
        shown.filter(|other| names.insert(&index.definition(*other).alias)).take(MAX_RELATED).collect()
    };
    let of_type = is_type(index.definition(id).kind);
    Concept {
        id,
        uses,
        made_by: if of_type { related(TypeRole::Makes) } else { Vec::new() },
        passed_to: if of_type { related(TypeRole::Takes) } else { Vec::new() },
        subclasses: types.of(TypeRole::Is, id).iter().filter(|other| is_library(index, **other)).count(),
    }
}

/// True for a definition outside of tests, examples and documents.
fn is_library(index: &Index, id: DefinitionId) -> bool {
    let file = index.files.get(index.definition(id).place.file.index());
    file.is_none_or(|file| file.origin == Origin::Src)
}

fn is_type(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::TypeAlias)
}
