//! Selects the definitions that the file contains, and the place of each in the file.

use std::cmp::Reverse;

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use crate::index::{Definition, Index};
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};
use apidisc_facts::program::DefinitionId;

/// The place of a definition in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetadataPlace {
    /// The definition is left out.
    Absent,
    /// The definition has an entry at the top level, under its FQN.
    Entry,
    /// The definition is among the `members` of its parent.
    Member,
    /// The definition is in the `also` list of the entry of another definition with the same FQN.
    Also,
}

/// The definitions in the file.
pub(super) struct MetadataSelection<'a> {
    index: &'a Index,
    places: Vec<MetadataPlace>,
    /// The primary definition of each FQN; see [`primary_definitions`].
    primary: FxHashMap<&'a str, DefinitionId>,
    /// All definitions of each FQN that several definitions have, in the order of the index.
    repeated: FxHashMap<&'a ArcStr, Vec<DefinitionId>>,
}

impl<'a> MetadataSelection<'a> {
    /// Selects all definitions if `threshold` is 0, else the definitions with at least `threshold` uses and the
    /// definitions that their stubs depend on: the classes around and above them, their public members, the types that
    /// they name, and the definitions with the same FQN.
    pub(super) fn new(index: &'a Index, threshold: u32) -> Self {
        let primary = primary_definitions(index);
        let has_uses = |d: &Definition| d.kind.is_callable() || d.kind.is_readable();
        let is_selected = |d: &Definition| threshold == 0 || has_uses(d) && d.usage.uses() >= threshold;
        let mut is_written = vec![false; index.definitions.len()];
        let selected = index.definitions_with_ids().filter(|(_, d)| is_selected(d)).map(|(id, _)| id);
        let inherited = index.inherited_with_ids().filter(|(_, d)| is_selected(d)).filter_map(|(_, d)| d.parent);
        let mut worklist: Vec<DefinitionId> = selected.chain(inherited).collect();
        let repeated = definitions_with_repeated_fqn(index, &primary);
        while let Some(id) = worklist.pop() {
            if std::mem::replace(&mut is_written[id.index()], true) {
                continue;
            }
            let definition = index.definition(id);
            worklist.extend(definition.parent);
            worklist.extend(&definition.ancestors);
            worklist.extend(index.inherited_members(id).map(|member| index.declaration(member)));
            worklist.extend(definition.type_names.iter().filter_map(|(_, id)| *id));
            worklist.extend(definition.members.iter().copied().filter(|&member| index.definition(member).is_public));
            worklist.extend(repeated.get(&definition.fqn).into_iter().flatten());
        }
        let place = |(id, definition): (DefinitionId, &Definition)| {
            let is_called = definition.kind.is_callable() && definition.usage.total_calls >= threshold;
            match definition.parent {
                _ if !is_written[id.index()] => MetadataPlace::Absent,
                None if primary[definition.fqn.as_str()] == id => MetadataPlace::Entry,
                None => MetadataPlace::Also,
                Some(_) if is_called && can_have_entry(index, &primary, id) => MetadataPlace::Entry,
                Some(_) => MetadataPlace::Member,
            }
        };
        let places = index.definitions_with_ids().map(place).collect();
        Self { index, places, primary, repeated }
    }

    /// The place of a definition.
    pub(super) fn place(&self, id: DefinitionId) -> MetadataPlace {
        self.places[id.index()]
    }

    /// The text by which an entry refers to a definition: the FQN; with a number, as in `a.B (2)`, if the FQN alone
    /// refers to another definition.
    pub(super) fn reference(&self, id: DefinitionId) -> CompactString {
        let fqn = &self.index.definition(id).fqn;
        match self.repeated.get(fqn).and_then(|ids| ids.iter().position(|&other| other == id)) {
            Some(at) if self.primary[fqn.as_str()] != id => format_compact!("{fqn} ({})", at + 1),
            _ => CompactString::new(fqn),
        }
    }

    /// The definitions in the file, in the order of the index.
    pub(super) fn written(&self) -> impl Iterator<Item = DefinitionId> {
        let ids = (0..self.places.len()).map(DefinitionId::new);
        ids.filter(|id| self.places[id.index()] != MetadataPlace::Absent)
    }

    /// The definitions with entries: most used first, ties by FQN.
    pub(super) fn entries(&self) -> Vec<DefinitionId> {
        let mut entries: Vec<DefinitionId> =
            self.written().filter(|&id| self.place(id) == MetadataPlace::Entry).collect();
        entries.shared_sort_by_key(|&id| (Reverse(self.index.usage(id).uses()), &self.index.definition(id).fqn));
        entries
    }

    /// For each FQN, the definitions in the `also` list of its entry.
    pub(super) fn further_definitions(&self) -> FxHashMap<&'a str, Vec<DefinitionId>> {
        let mut further: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
        for id in self.written().filter(|&id| self.place(id) == MetadataPlace::Also) {
            further.entry(self.index.definition(id).fqn.as_str()).or_default().push(id);
        }
        further
    }
}

/// The primary definition of each FQN: one at module level if there is one, the most used one of these, the first of
/// these.
fn primary_definitions(index: &Index) -> FxHashMap<&str, DefinitionId> {
    let mut primary: FxHashMap<&str, DefinitionId> = FxHashMap::default();
    let rank = |id: DefinitionId| (index.definition(id).parent.is_some(), Reverse(index.usage(id).uses()), id);
    for (id, definition) in index.definitions_with_ids() {
        let best = primary.entry(&definition.fqn).or_insert(id);
        if rank(id) < rank(*best) {
            *best = id;
        }
    }
    primary
}

/// The definitions of each FQN that several definitions have.
fn definitions_with_repeated_fqn<'a>(
    index: &'a Index,
    primary: &FxHashMap<&str, DefinitionId>,
) -> FxHashMap<&'a ArcStr, Vec<DefinitionId>> {
    let mut repeated: FxHashMap<&ArcStr, Vec<DefinitionId>> = FxHashMap::default();
    for (id, definition) in index.definitions_with_ids() {
        let first = primary[definition.fqn.as_str()];
        if first != id {
            repeated.entry(&definition.fqn).or_insert_with(|| vec![first]).push(id);
        }
    }
    for ids in repeated.values_mut() {
        ids.sort();
    }
    repeated
}

/// True if the FQNs of a definition and of its containers are enough to find its parent.
fn can_have_entry(index: &Index, primary: &FxHashMap<&str, DefinitionId>, mut id: DefinitionId) -> bool {
    loop {
        let definition = index.definition(id);
        if primary[definition.fqn.as_str()] != id {
            return false;
        }
        let Some(parent) = definition.parent else { return true };
        let container = QualifiedName::new(&definition.fqn, definition.language).container_and_name().0;
        if container != index.definition(parent).fqn || container == index.module(definition.module).fqn {
            return false;
        }
        id = parent;
    }
}
