//! The table of interned substitutions.

use std::hash::BuildHasher;

use hashbrown::{HashTable, hash_table::Entry};
use rustc_hash::FxBuildHasher;

use super::{InternedType, Substitution, TypeVariable, variable_set::VariableSet};

/// A type variable with the type that replaces it.
pub(super) type TypeBinding = (TypeVariable, InternedType);

/// Substitutions, each once. The bindings of all of them are in one list.
#[derive(Debug)]
pub(super) struct SubstitutionTable {
    bindings: Vec<TypeBinding>,
    /// The index of a row is the handle of a substitution.
    rows: Vec<SubstitutionRow>,
    handles: HashTable<Substitution>,
}

#[derive(Clone, Copy, Debug)]
struct SubstitutionRow {
    /// The position of the first binding.
    start: u32,
    /// The number of bindings.
    len: u32,
    /// The variables that are bound.
    bound: VariableSet,
    /// The depth of the deepest type.
    depth: u8,
}

impl SubstitutionTable {
    /// A table with the empty substitution.
    pub(in crate::typescript) fn new() -> Self {
        let mut table = Self { bindings: Vec::new(), rows: Vec::new(), handles: HashTable::new() };
        table.intern(&[], |_| 0);
        table
    }

    /// Interns bindings, which are sorted by variable and bind each variable once. `depth` is the depth of a type.
    pub(in crate::typescript) fn intern(
        &mut self,
        bindings: &[TypeBinding],
        depth: impl Fn(InternedType) -> u8,
    ) -> Substitution {
        let hasher = FxBuildHasher;
        let (all, rows) = (&self.bindings, &self.rows);
        let known = |at: &Substitution| rows[at.index()].bindings(all);
        let entry =
            self.handles.entry(hasher.hash_one(bindings), |at| known(at) == bindings, |at| hasher.hash_one(known(at)));
        match entry {
            Entry::Occupied(at) => *at.get(),
            Entry::Vacant(vacant) => {
                let handle = Substitution::new(self.rows.len());
                vacant.insert(handle);
                self.rows.push(SubstitutionRow {
                    start: self.bindings.len() as u32,
                    len: bindings.len() as u32,
                    bound: bindings.iter().map(|(variable, _)| VariableSet::of(*variable)).collect(),
                    depth: bindings.iter().map(|(_, ty)| depth(*ty)).max().unwrap_or(0),
                });
                self.bindings.extend_from_slice(bindings);
                handle
            }
        }
    }

    /// The bindings of a substitution, sorted by variable.
    #[inline]
    pub(in crate::typescript) fn bindings(&self, substitution: Substitution) -> &[TypeBinding] {
        self.rows[substitution.index()].bindings(&self.bindings)
    }

    /// The variables that a substitution binds.
    #[inline]
    pub(in crate::typescript) fn bound(&self, substitution: Substitution) -> VariableSet {
        self.rows[substitution.index()].bound
    }

    /// The depth of the deepest type that a substitution binds.
    #[inline]
    pub(super) fn depth(&self, substitution: Substitution) -> u8 {
        self.rows[substitution.index()].depth
    }
}

impl SubstitutionRow {
    #[inline]
    fn bindings(self, all: &[TypeBinding]) -> &[TypeBinding] {
        &all[self.start as usize..][..self.len as usize]
    }
}
