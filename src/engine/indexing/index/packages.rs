//! An index of the installed packages that a program uses.

use super::{Definition, File, Index, Module, Scope, counts};
use crate::packages::{Dependency, DependencyState, InstalledModule, PackageError};
use apidisc_base::unprintable::escaped_line;
use apidisc_facts::{
    program::{FileId, ModuleId},
    source::{INSTALLED_ROOTS, NOT_INSTALLED},
};

impl Index {
    /// The module of a package that a file belongs to; `None` for a file of the program, which may lie in a folder of
    /// the same name.
    pub fn module_of_file(&self, file: FileId) -> Option<InstalledModule<'_>> {
        self.installed_module(self.file(file))
    }

    /// The files of the program.
    pub fn own_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| !self.is_installed(file))
    }

    /// The files of [`File::is_apart`].
    pub fn files_apart(&self) -> impl Iterator<Item = FileId> {
        let apart = |(at, file): (usize, &File)| file.is_apart.then(|| FileId::new(at));
        self.files.iter().enumerate().filter_map(apart)
    }

    /// True for the file of a package that cannot be read. Its definitions are what calls show of the package.
    pub fn is_absent_file(&self, file: FileId) -> bool {
        self.files.get(file.index()).is_some_and(|file| self.is_of_absent(file))
    }

    /// The file in which a definition stands; `None` for what calls show of a package that cannot be read, and in an
    /// index without files.
    pub fn source_of(&self, definition: &Definition) -> Option<&File> {
        self.file_of(definition).filter(|file| !self.is_of_absent(file))
    }

    /// Of what calls show of a package that cannot be read: why it has no source, in words.
    pub fn absence_in_words(&self, file: FileId) -> Option<String> {
        if !self.is_absent_file(file) {
            return None;
        }
        let module = self.file(file).module;
        let package = self.package_of(Scope::Module(module));
        let name = package.map_or_else(|| self.module(module).fqn.to_string(), |package| package.label().into_owned());
        let why = match package.map(|package| package.state) {
            Some(DependencyState::Incomplete) => "lacks files",
            Some(DependencyState::Archived) => "is in an archive",
            _ => "is not installed",
        };
        Some(format!("{name} {why}: its signatures are made from the calls of this code"))
    }

    fn is_of_absent(&self, file: &File) -> bool {
        let is_in_folder = file.path.strip_prefix(NOT_INSTALLED).is_some_and(|rest| rest.starts_with('/'));
        is_in_folder && self.is_installed(file)
    }

    fn installed_module<'i>(&self, file: &'i File) -> Option<InstalledModule<'i>> {
        let source = &self.sources.get(file.source as usize)?.name;
        INSTALLED_ROOTS.contains(&source.as_str()).then(|| InstalledModule::of_file(&file.path)).flatten()
    }

    fn is_installed(&self, file: &File) -> bool {
        self.installed_module(file).is_some()
    }

    /// Makes an index of the packages out of an index of a program and its packages: the definitions of the packages
    /// are the API, the program holds their calls. The definitions of the program stay, as callers, and are not public.
    /// Stubs leave out the optional parameters that no call passes.
    #[must_use]
    pub fn into_index_of_packages(mut self, packages: Vec<Dependency>) -> Self {
        self.packages = Some(packages.into());
        let is_installed: Vec<bool> = self.files.iter().map(|file| self.is_installed(file)).collect();
        let is_own = |definition: &Definition| !is_installed.get(definition.place.file.index()).is_some_and(|is| *is);
        let definitions = self.definitions.iter_mut().chain(self.inherited.definitions_mut());
        for definition in definitions.filter(|definition| is_own(definition)) {
            definition.is_public = false;
            if definition.usage.rank > 0 {
                definition.usage_mut().rank = 0;
            }
        }
        counts::rank_definitions(&mut self);
        self
    }

    /// True for an index of the packages that a program uses.
    pub fn is_of_packages(&self) -> bool {
        self.packages.is_some()
    }

    /// The outermost modules of a package: those whose names are imported. The one with the most used members comes
    /// first, then names without `_`.
    fn roots_of(&self, package: &Dependency) -> Vec<ModuleId> {
        let mut roots: Vec<ModuleId> = (0..self.modules.len()).map(ModuleId::new).collect();
        let is_of = |id: ModuleId| {
            let file = self.module(id).file;
            file.and_then(|file| self.module_of_file(file)).is_some_and(|module| package.holds(module))
        };
        roots.retain(|&id| is_of(id));
        for root in &mut roots {
            // A folder of several packages, such as `@nestjs`, belongs to none of them.
            let is_folder = |id: &ModuleId| {
                let name = &self.module(*id).fqn;
                name.starts_with('@') && !name.contains('/')
            };
            let above =
                std::iter::successors(Some(*root), |id| self.module(*id).parent).take_while(|id| !is_folder(id));
            *root = above.last().unwrap_or(*root);
        }
        roots.sort_unstable();
        roots.dedup();
        let uses = |id: ModuleId| -> u32 {
            let members = self.members(Scope::Module(id)).into_iter();
            members.map(|member| self.uses_within(member)).sum()
        };
        roots.sort_by_cached_key(|&id| {
            let name = &self.module(id).fqn;
            (std::cmp::Reverse(uses(id)), name.starts_with('_'), name.len())
        });
        roots
    }

    /// The module by which a package is shown: of its outermost modules the one with the most used members.
    pub fn main_module(&self, package: &Dependency) -> Option<ModuleId> {
        self.roots_of(package).first().copied()
    }

    /// The full name of the module of a package that `name` names: in full, or without the name of the package. Without
    /// a name, that of the main module.
    ///
    /// # Errors
    /// [`PackageError::NoModule`] if the package has no such module.
    pub fn module_of_package(&self, package: &Dependency, name: Option<&str>) -> Result<String, PackageError> {
        let no_module = |name: &str| PackageError::NoModule {
            package: escaped_line(&package.package).into_owned(),
            module: escaped_line(name).into_owned(),
        };
        let roots = self.roots_of(package);
        let main = *roots.first().ok_or_else(|| no_module(&package.package))?;
        let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(self.module(main).fqn.to_string()) };
        let names = roots.iter().map(|root| self.module(*root).fqn.as_str());
        let below = names.flat_map(|root| [format!("{root}.{name}"), format!("{root}/{name}")]);
        let is_of = |fqn: &String| {
            let id = self.modules.binary_search_by(|module| module.fqn.as_str().cmp(fqn)).map(ModuleId::new);
            let file = id.ok().and_then(|id| self.first_file(Scope::Module(id)));
            file.and_then(|file| self.installed_module(file)).is_some_and(|module| package.holds(module))
        };
        std::iter::once(name.to_owned()).chain(below).find(is_of).ok_or_else(|| no_module(name))
    }

    /// True for a module or definition of a package that cannot be read, of which the calls show all that is known.
    pub fn is_absent(&self, scope: Scope) -> bool {
        self.first_file(scope).is_some_and(|file| self.is_of_absent(file))
    }

    /// The file of a scope: of a module without a file, that of the first module below it.
    fn first_file(&self, scope: Scope) -> Option<&File> {
        match scope {
            Scope::Repository => None,
            Scope::Module(id) => {
                let below = std::iter::successors(Some(id), |id| self.module(*id).children.first().copied());
                below.map(|id| self.module(id)).find_map(|module| module.file).map(|file| self.file(file))
            }
            Scope::Definition(id) => self.file_of(self.definition(id)),
        }
    }

    /// False if a module belongs to an installed package of another language than a definition, which therefore has the
    /// name of the module by chance.
    pub fn may_hold(&self, module: ModuleId, definition: &Definition) -> bool {
        let file = self.first_file(Scope::Module(module)).filter(|file| self.is_installed(file));
        file.is_none_or(|file| file.language == definition.language)
    }

    /// The package that holds a module or a definition, in an index of packages.
    pub fn package_of(&self, scope: Scope) -> Option<&Dependency> {
        let module = self.installed_module(self.first_file(scope)?)?;
        if let Scope::Module(id) = scope {
            // A folder of several packages, such as `@nestjs`, belongs to none of them.
            let name = &self.module(id).fqn;
            if name.starts_with('@') && !name.contains('/') {
                return None;
            }
        }
        self.packages.as_ref()?.iter().find(|package| package.holds(module))
    }

    /// True for a definition that the index describes: in an index of packages one of a package, else any.
    pub fn describes(&self, definition: &Definition) -> bool {
        !self.is_of_packages() || self.file_of(definition).is_some_and(|file| self.is_installed(file))
    }

    /// For each module, whether the index describes it or a module below it: in an index of packages the modules of
    /// packages, else all.
    pub fn described_modules(&self) -> Vec<bool> {
        let is_installed = |module: &Module| module.file.is_some_and(|file| self.module_of_file(file).is_some());
        let mut described: Vec<bool> =
            self.modules.iter().map(|module| !self.is_of_packages() || is_installed(module)).collect();
        // A package comes before the modules below it.
        for (position, module) in self.modules.iter().enumerate().rev() {
            if let Some(parent) = module.parent.filter(|_| described[position]) {
                described[parent.index()] = true;
            }
        }
        described
    }
}

#[cfg(test)]
mod tests {
    use apidisc_base::control::Control;
    use apidisc_facts::source::{INSTALLED, LinkedSources, NamedSource, Source};

    use super::Scope;

    #[test]
    fn the_definitions_of_the_program_are_callers_and_no_api() {
        let files = [
            ("app", "app.py", "from kit import go\ndef run():\n    go(1)\n    go(2)\n    run()\n"),
            (INSTALLED, "kit.py", "def go(a): ...\ndef stay(): ...\n"),
        ];
        let source = |(name, path, text): (&str, &str, &str)| {
            let files = vec![(path.to_owned(), text.as_bytes().to_vec().into())];
            NamedSource::new(name, Source::Memory { name: name.to_owned(), files })
        };
        let source = Source::Linked(LinkedSources::new(files.map(source).into()));
        let index = crate::indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
        let index = index.into_index_of_packages(Vec::new());
        let names = |scope| -> Vec<String> {
            index.members(scope).into_iter().map(|id| index.definition(id).name.to_string()).collect()
        };
        assert_eq!(names(Scope::Repository), ["go", "stay"]);
        let rank = |name: &str| index.definitions.iter().find(|d| d.name == name).map(|d| d.usage.rank);
        assert_eq!([rank("go"), rank("run"), rank("stay")], [Some(1), Some(0), Some(0)]);
    }
}
