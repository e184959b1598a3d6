//! The overloads that call sites take.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::resolve::{CallResolver, ResolvedCall};
use crate::typescript::{
    callees::Callees,
    program::{FileIndex, GlobalDef},
    rows::{DeclaredRows, DefinitionRows},
};
use apidisc_facts::syntax::typescript::facts::CallExprId;

impl CallResolver<'_, '_> {
    /// The overloads that call sites take, by file and call site. A call with several candidates counts for none.
    pub(in crate::typescript) fn taken_overloads(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        rows: &DefinitionRows,
        declared: &DeclaredRows,
    ) -> Vec<FxHashMap<usize, u16>> {
        let mut taken: Vec<FxHashMap<usize, u16>> = vec![FxHashMap::default(); resolved.len()];
        let mut listed: FxHashMap<GlobalDef, SmallVec<[GlobalDef; 2]>> = FxHashMap::default();
        for (file, resolved) in resolved.iter().enumerate() {
            for (site, resolved) in resolved.iter().enumerate() {
                let (overloads, is_declared) = match (&resolved.candidates[..], resolved.value) {
                    (&[callee], _) => {
                        let is_declared = rows.of_def.get(&callee).is_some_and(|row| declared.is_declaration(*row));
                        let overloads =
                            listed.entry(callee).or_insert_with(|| Callees::of(self.linker).listed_overloads(callee));
                        (overloads.clone(), is_declared)
                    }
                    ([], Some(value)) => (Callees::of(self.linker).value_signatures(value), false),
                    _ => continue,
                };
                let (file, id) = (FileIndex::new(file), CallExprId::new(site));
                let overload = match Callees::of(self.linker).taken_overload(file, id, &overloads) {
                    None if is_declared => Callees::of(self.linker).accepting_overload(file, id, &overloads),
                    overload => overload,
                };
                if let Some(overload) = overload {
                    taken[file.index()].insert(site, overload);
                }
            }
        }
        taken
    }
}
