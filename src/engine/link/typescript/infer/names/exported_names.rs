//! The names that a file exports, with their resolutions.

use rustc_hash::FxHashSet;

use super::{resolved_names::ResolvedName, stars::MAX_STARS};
use crate::limits::LinkLimit;
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, InternedName},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::syntax::typescript::facts::{ExportKind, Expr};

/// The greatest number of files through which `module.exports = require("./other")` is followed.
const MAX_ASSIGNED: u32 = 8;

/// The exports of a file: names with their resolutions, sorted by name.
pub(in crate::typescript) type FileExports = Vec<(InternedName, ResolvedName)>;

impl Linker<'_> {
    /// All exports of a file, with re-exports followed, sorted by name. A chain of `export *` is followed to a length
    /// of [`MAX_STARS`].
    pub(in crate::typescript) fn file_exports(&mut self, file: FileIndex) -> FileExports {
        let mut names = FxHashSet::default();
        self.collect_own_export_names(file, &mut names);
        let mut assigned = self.file_of_exports(file);
        for _ in 0..MAX_ASSIGNED {
            let Some(other) = assigned else { break };
            self.collect_own_export_names(other, &mut names);
            assigned = self.file_of_exports(other);
        }
        let is_barrel = !self.stars.targets(file).is_empty();
        let reach = if is_barrel { self.stars.reach(&self.program, file) } else { 1 };
        let mut seen = FxHashSet::from_iter([file]);
        let mut level = vec![file];
        let mut below = FxHashSet::default();
        for _ in 0..MAX_STARS {
            if seen.len() == reach {
                break;
            }
            let mut next = Vec::new();
            for file in level {
                if seen.len() == reach {
                    break;
                }
                next.extend(self.stars.targets(file).iter().copied().filter(|target| seen.insert(*target)));
            }
            for file in &next {
                self.collect_own_export_names(*file, &mut below);
            }
            level = next;
        }
        if is_barrel && (seen.len() < reach || self.stars.is_cut(&self.program, file)) {
            self.limits.note(file.index(), LinkLimit::Stars(MAX_STARS), 0);
        }
        below.remove(&self.well_known.default);
        names.extend(below);
        let mut names: Vec<InternedName> = names.into_iter().collect();
        names.shared_sort_by(|a, b| self.program.names.text(*a).cmp(self.program.names.text(*b)));
        names.into_iter().filter_map(|name| Some((name, self.resolve_export(file, name)?))).collect()
    }

    /// Adds the names that a file exports to `names`, without those of `export *`.
    fn collect_own_export_names(&self, file: FileIndex, names: &mut FxHashSet<InternedName>) {
        for export in &self.program.facts(file).exports {
            match export.kind {
                ExportKind::Star(_) => {}
                ExportKind::Assign(value) => {
                    let facts = self.program.facts(file);
                    match facts.expr(value) {
                        // `module.exports = { … }`: the properties are exports.
                        Expr::Object(def) => {
                            let members = facts.def(def).members().iter();
                            names.extend(members.filter_map(|m| m.name).map(|n| self.program.name(file, n)));
                        }
                        // `export = name`: the exports of a namespace of this name are exports.
                        Expr::Name { symbol: Some(symbol), .. } => {
                            let symbol = self.program.global_symbol(file, symbol);
                            names.extend(self.program.namespace_exports(symbol));
                        }
                        _ => {}
                    }
                    names.insert(self.well_known.default);
                }
                _ => {
                    let name = self.program.name(file, export.name);
                    if name != self.well_known.empty {
                        names.insert(name);
                    }
                }
            }
        }
    }
}
