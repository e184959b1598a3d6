//! The ambient modules of a program: `declare module "name"`.
//!
//! To the language every package of a repository is a program of its own. So where the files of several packages
//! declare a module, an import means the declaration of its own package.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{FileIndex, InternedName, name_interner::GlobalNameInterner};
use crate::typescript::modules::PatternTable;
use apidisc_base::{ids::id, sort::SharedSort as _};
use apidisc_facts::syntax::typescript::facts::AmbientModule;

id! {
    /// An ambient module of the program.
    pub(in crate::typescript) struct AmbientModuleId;
}

/// A block that declares an ambient module, with its file.
pub(in crate::typescript) type AmbientBlock<'f> = (FileIndex, &'f AmbientModule);

/// All ambient modules.
#[derive(Debug, Default)]
pub(in crate::typescript) struct AmbientModules<'f> {
    modules: Vec<DeclaredModule<'f>>,
    /// For each name: the module that all blocks declare.
    whole: FxHashMap<InternedName, AmbientModuleId>,
    /// For each name that several packages declare: the folder of each package with its module, the longest folder
    /// first.
    of_packages: FxHashMap<InternedName, Vec<(CompactString, AmbientModuleId)>>,
    /// The names with a star, such as `*.svg`.
    patterns: PatternTable<InternedName>,
}

/// A module that some blocks declare.
#[derive(Debug)]
struct DeclaredModule<'f> {
    name: InternedName,
    blocks: Vec<AmbientBlock<'f>>,
}

impl<'f> AmbientModules<'f> {
    /// Adds a block that declares the module `name`.
    pub(super) fn add(&mut self, name: InternedName, block: AmbientBlock<'f>) {
        let next = AmbientModuleId::new(self.modules.len());
        let id = *self.whole.entry(name).or_insert(next);
        if id == next {
            self.modules.push(DeclaredModule { name, blocks: Vec::new() });
        }
        self.modules[id.index()].blocks.push(block);
    }

    /// Collects the names with a star, after all blocks have been added.
    pub(super) fn find_patterns(&mut self, names: &GlobalNameInterner) {
        let mut patterns: Vec<InternedName> =
            self.whole.keys().copied().filter(|name| names.text(*name).contains('*')).collect();
        patterns.shared_sort_by_key(|name| name.index());
        self.patterns = patterns.into_iter().map(|name| (names.text(name).into(), name)).collect();
    }

    /// Separates the modules that several packages declare. `folder` returns the folder of a file's package; a file
    /// without one, such as the platform, declares its blocks for every package.
    pub(super) fn separate(&mut self, folder: impl Fn(FileIndex) -> Option<CompactString>) {
        for at in 0..self.modules.len() {
            let DeclaredModule { name, blocks } = &self.modules[at];
            if blocks.len() < 2 {
                continue;
            }
            let (name, blocks): (_, Vec<_>) = (*name, blocks.iter().map(|block| (folder(block.0), *block)).collect());
            let mut folders: Vec<&CompactString> = blocks.iter().filter_map(|(folder, _)| folder.as_ref()).collect();
            folders.shared_sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            folders.dedup();
            if folders.len() < 2 {
                continue;
            }
            for package in folders {
                let is_known = |folder: &Option<CompactString>| folder.as_ref().is_none_or(|folder| folder == package);
                let known = blocks.iter().filter(|(folder, _)| is_known(folder)).map(|(_, block)| *block).collect();
                let id = AmbientModuleId::new(self.modules.len());
                self.modules.push(DeclaredModule { name, blocks: known });
                self.of_packages.entry(name).or_default().push((package.clone(), id));
            }
        }
    }

    /// The ambient module that a module specifier names in the file at `path`: the one of that name, else the one whose
    /// pattern with a star has the longest text before the star (TypeScript handbook, "Wildcard module declarations").
    /// Of several packages the nearest around the file declares it.
    pub(in crate::typescript) fn find(
        &self,
        names: &GlobalNameInterner,
        specifier: InternedName,
        path: &str,
    ) -> Option<AmbientModuleId> {
        let matching = || self.patterns.matching(names.text(specifier)).next().map(|(_, name)| *name);
        let name = if self.whole.contains_key(&specifier) { specifier } else { matching()? };
        let packages = self.of_packages.get(&name).map_or(&[][..], Vec::as_slice);
        let is_around =
            |folder: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let nearest = packages.iter().find(|(folder, _)| is_around(folder)).map(|(_, id)| *id);
        nearest.or_else(|| self.whole.get(&name).copied())
    }

    /// The name of a module.
    pub(in crate::typescript) fn name(&self, module: AmbientModuleId) -> InternedName {
        self.modules[module.index()].name
    }

    /// The blocks that declare a module.
    pub(in crate::typescript) fn blocks(&self, module: AmbientModuleId) -> SmallVec<[AmbientBlock<'f>; 1]> {
        SmallVec::from_slice(&self.modules[module.index()].blocks)
    }

    /// The module of the same name that all packages together declare; `None` for that module itself.
    pub(in crate::typescript) fn of_all_packages(&self, module: AmbientModuleId) -> Option<AmbientModuleId> {
        self.whole.get(&self.name(module)).copied().filter(|whole| *whole != module)
    }

    /// The blocks of each module that one package declares in several blocks.
    pub(in crate::typescript) fn declared_together(&self) -> impl Iterator<Item = &[AmbientBlock<'f>]> {
        let is_separated = |(at, module): &(usize, &DeclaredModule<'f>)| {
            self.whole.get(&module.name).is_some_and(|whole| whole.index() == *at)
                && self.of_packages.contains_key(&module.name)
        };
        let modules = self.modules.iter().enumerate().filter(move |module| !is_separated(module));
        modules.map(|(_, module)| module.blocks.as_slice()).filter(|blocks| blocks.len() > 1)
    }
}
