//! Whether the packages that were read have the names that a program writes.

use compact_str::CompactString;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::reader::{Importer, PackageReader, Place};
use apidisc_base::nesting;
use apidisc_link::typescript::needs::{ExportedName, exported_name};

/// The greatest number of modules in which one name is looked for.
const MAX_MODULES: usize = 400;

/// Whether a package has a name that the program writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportState {
    /// The file at this path of the index declares the name, on this line (from 1).
    Declared(CompactString, u32),
    /// A module exports the name, and where it is declared is not known.
    Bound,
    /// Neither the module nor a module of which it exports everything has the name; or the module is gone.
    Unbound,
}

/// The modules in which a name was looked for: paths in the index, and the names after the module.
type Seen = FxHashSet<(CompactString, Vec<CompactString>)>;

impl PackageReader<'_> {
    /// Whether the module that `specifier` names in a file of the program has the names of `path`, each after the one
    /// before. `None` if the files that were read do not show it.
    pub(super) fn export_state(&mut self, importer: &Importer, specifier: &str, path: &[&str]) -> Option<ExportState> {
        let path: Vec<CompactString> = path.iter().map(|name| CompactString::from(*name)).collect();
        self.look_up(importer, specifier, &path, &mut Seen::default())
    }

    fn look_up(
        &mut self,
        importer: &Importer,
        specifier: &str,
        path: &[CompactString],
        seen: &mut Seen,
    ) -> Option<ExportState> {
        let _level = nesting::descend()?;
        let Some((file, package, _)) = self.resolve(importer, specifier) else {
            let Place::Own(folder) = &importer.place else { return None };
            return self.packages.lacks(folder, specifier).then_some(ExportState::Unbound);
        };
        if path.is_empty() {
            return Some(ExportState::Bound);
        }
        if seen.len() > MAX_MODULES || !seen.insert((file.clone(), path.to_vec())) {
            // A module that exports everything of itself has no further names by that.
            return (seen.len() <= MAX_MODULES).then_some(ExportState::Unbound);
        }
        let Some((facts, place)) = self.loaded_file(&file) else {
            return self.is_futile(&file).then_some(ExportState::Unbound);
        };
        let names: Vec<&str> = path.iter().map(CompactString::as_str).collect();
        let found = exported_name(facts, specifier, &names);
        let from = Importer { path: file.clone(), place };
        match found {
            ExportedName::Declared(line) => Some(ExportState::Declared(file, line)),
            ExportedName::Elsewhere(module, names) => {
                let is_all = names.is_empty();
                let found = self.look_up(&from, &module, &names, seen);
                // The names after an import may be members of a value; the import itself is an export.
                if is_all || path.len() == 1 { found.filter(is_there).or(Some(ExportState::Bound)) } else { found }
            }
            ExportedName::Starred(modules) => {
                let mut is_known = true;
                for module in modules {
                    match self.look_up(&from, &module, path, seen) {
                        Some(ExportState::Unbound) => {}
                        None => is_known = false,
                        found => return found,
                    }
                }
                is_known.then_some(ExportState::Unbound)
            }
            ExportedName::Absent => Some(ExportState::Unbound),
            ExportedName::NoDefault => package.is_ecmascript(&file).then_some(ExportState::Unbound),
            ExportedName::Member | ExportedName::Unknown => None,
        }
    }
}

fn is_there(state: &ExportState) -> bool {
    *state != ExportState::Unbound
}
