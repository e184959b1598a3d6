//! The modules that `from … import` statements name. Linking asks for a module as often as code uses what is imported
//! from there, so each statement is resolved once, in advance and in parallel.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    modules::ModuleTree,
    program::{FileIndex, LinkFile, ModuleNodeId},
};
use apidisc_facts::syntax::python::facts::{BindingKind, NameId};

/// The modules of the sources that `from` imports name.
#[derive(Debug, Default)]
pub(super) struct ImportedModules {
    /// Per file, its modules by the number of leading dots and the name behind them.
    of_files: Vec<FxHashMap<(u32, NameId), ModuleNodeId>>,
}

impl ImportedModules {
    /// Resolves the imports of all files of the sources.
    pub(super) fn new(files: &[LinkFile], modules: &ModuleTree) -> Self {
        let of_file = |(file, source): (usize, &LinkFile)| {
            let file = FileIndex::new(file);
            let mut resolved = FxHashMap::default();
            for binding in &source.facts.bindings {
                if let BindingKind::ImportFrom { level, module, .. } | BindingKind::ImportStar { level, module } =
                    binding.kind
                {
                    let dotted = source.facts.name(module);
                    resolved.entry((level, module)).or_insert_with(|| modules.resolve(source, file, level, dotted));
                }
            }
            resolved.into_iter().filter_map(|(import, node)| Some((import, node?))).collect()
        };
        Self { of_files: files.par_iter().enumerate().map(of_file).collect() }
    }

    /// The module of the sources that an import of a file names; `None` for other modules, and for the declaration
    /// files of libraries, which import from libraries only.
    pub(super) fn get(&self, file: FileIndex, level: u32, module: NameId) -> Option<ModuleNodeId> {
        self.of_files.get(file.index())?.get(&(level, module)).copied()
    }
}
