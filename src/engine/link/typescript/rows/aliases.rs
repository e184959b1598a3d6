//! The aliases of definitions: the further names under which files and packages export them.

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::DefinitionRows;
use crate::linked::DefinitionRow;
use crate::typescript::{
    infer::{FileExports, ResolvedName},
    program::{InternedName, ProgramFacts},
};

impl DefinitionRows {
    /// The aliases of definitions, by row. An alias comes from a barrel file that re-exports the definition, or from a
    /// package whose entry point exports it.
    pub(in crate::typescript) fn aliases(
        &self,
        program: &ProgramFacts<'_>,
        exports: &[FileExports],
        modules: &[CompactString],
        fqns: &[CompactString],
        entries: &[(CompactString, usize)],
    ) -> FxHashMap<DefinitionRow, Vec<CompactString>> {
        let mut aliases: FxHashMap<DefinitionRow, Vec<CompactString>> = FxHashMap::default();
        let packages = entries.iter().map(|(name, file)| (name, *file));
        let modules_with_files: Vec<(&CompactString, usize)> =
            modules.iter().enumerate().map(|(file, module)| (module, file)).chain(packages).collect();
        for (module, file) in modules_with_files {
            let Some(exports) = exports.get(file) else { continue };
            for &(name, resolved) in exports {
                let text = program.names.text(name).to_owned();
                if let Some(row) = self.of_name(program, resolved) {
                    let alias = format_compact!("{module}#{text}");
                    if alias != fqns[row.index()] {
                        aliases.entry(row).or_default().push(alias);
                    }
                }
            }
        }
        let mut entries_of: FxHashMap<usize, Vec<&CompactString>> = FxHashMap::default();
        for (name, file) in entries {
            entries_of.entry(*file).or_default().push(name);
        }
        for (at, inner) in namespace_reexports(exports, modules.len()) {
            let of_packages = entries_of.get(&at.0).into_iter().flatten().copied();
            let names: Vec<&CompactString> = std::iter::once(&modules[at.0]).chain(of_packages).collect();
            for &(name, resolved) in &exports[inner] {
                let Some(row) = self.of_name(program, resolved) else { continue };
                for module in &names {
                    let (outer, name) = (program.names.text(at.1), program.names.text(name));
                    aliases.entry(row).or_default().push(format_compact!("{module}#{outer}.{name}"));
                }
            }
        }
        for names in aliases.values_mut() {
            names.sort_unstable();
            names.dedup();
        }
        aliases
    }
}

/// The namespace re-exports (`export * as z from "./z"`): for each, the exporting file with the exported name, and the
/// file whose namespace is exported.
fn namespace_reexports(exports: &[FileExports], files: usize) -> Vec<((usize, InternedName), usize)> {
    let mut all = Vec::new();
    for (file, names) in exports.iter().enumerate() {
        for &(name, resolved) in names {
            if let ResolvedName::File(inner) = resolved
                && inner.index() < files
            {
                all.push(((file, name), inner.index()));
            }
        }
    }
    all
}
