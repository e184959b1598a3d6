//! Reads what a program needs of installed packages: `python` of an environment, `node` of `node_modules` folders.

mod absent;
mod environments;
mod found;
mod members;
mod node;
mod package_file;
mod python;

use std::path::PathBuf;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use apidisc_base::language::Language;
use apidisc_environment::{
    listing::looks,
    python::{EnvironmentSetting, Shell},
};
use apidisc_facts::source::Roots;
use apidisc_link::{
    linked::LinkedProgram,
    project_file::ProjectFile,
    python::LinkFile,
    typescript::{InstalledModules, SourceFile},
};

use super::facts_store::{FactsBytes, FactsKey, FactsStore};
pub use environments::{Environments, OtherVersion, SourceEnvironment};
pub(super) use found::FoundPackages;
pub use members::Members;
pub use node::{ExportState, NodeLibraries};
use package_file::ReadFiles;
pub use python::PythonLibraries;

/// The greatest size of all files of packages of a language that are read, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The file that describes an npm package.
const MANIFEST: &str = "package.json";
/// The greatest number of files of packages of a language that are read.
const MAX_FILES: usize = 4_000;

/// Where the packages of a program are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibrarySettings {
    /// The sources of the program, in the order in which they were given. The packages that these import are read.
    pub programs: Vec<ProgramFolder>,
    /// What the shell says of environments.
    pub shell: Shell,
    /// Folders whose packages take the place of installed ones: folders of Python modules with their metadata, and
    /// folders of npm packages, which hold a `package.json`.
    pub replaced: Vec<PathBuf>,
}

/// A source whose packages are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFolder {
    /// The folder of the source in paths of the index; empty for an only source.
    pub source: CompactString,
    /// The folder on this machine; `None` for a source that is not one.
    pub project: Option<PathBuf>,
    /// Which environment. A source without packages is not listed, so this is not [`EnvironmentSetting::None`].
    pub environment: EnvironmentSetting,
    /// The option or setting by which a person names the environment; a message about it begins with this.
    pub named_by: String,
}

impl LibrarySettings {
    /// The same settings with another environment for every source.
    #[must_use]
    pub fn with_environment(mut self, environment: &EnvironmentSetting) -> Self {
        for program in &mut self.programs {
            program.environment = environment.clone();
        }
        self
    }

    /// The position of the source whose packages a file imports, by its path in the index. `None` if the packages of
    /// its source are left out.
    pub(super) fn position(&self, path: &str) -> Option<usize> {
        let folder = path.split('/').next().unwrap_or_default();
        self.programs.iter().position(|program| program.source.is_empty() || program.source == folder)
    }
}

/// For each file, by its path in the index: the line (from 1) and the column (from 0, in bytes) of calls, each with the
/// import that the callee names.
pub type CalledNames = FxHashMap<CompactString, Vec<((u32, u32), CompactString)>>;

/// Whether a package has a name that the program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NameState {
    /// A module of the package binds the name, or is called so.
    Bound,
    /// The module has a function `__getattr__`, which may serve the name.
    Served,
    /// The module does not have the name.
    Unbound,
}

/// For each file of Python, by its path in the index: the names that its import statements import from packages,
/// `flask.Flask`, each with the line (from 1).
pub type ImportedNames = FxHashMap<CompactString, Vec<(u32, CompactString)>>;

/// What was found of the packages that a program imports.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Libraries {
    /// The packages of Python.
    pub python: PythonLibraries,
    /// The packages of TypeScript.
    pub node: NodeLibraries,
}

/// What was read of the packages of a program.
pub(super) struct PackageReading {
    pub(super) found: FoundPackages,
    /// The files that the import specifiers of TypeScript name.
    pub(super) modules: InstalledModules,
    /// The facts of the files as bytes, for the store; none without a store.
    pub(super) facts: Vec<(FactsKey, FactsBytes)>,
    /// True if the store did not have all of `facts`.
    pub(super) has_new_facts: bool,
}

/// Reads the files of packages that a program needs, and appends them to its files. The modules of the Python files
/// have their names. Facts that `store` has are taken from there.
pub(super) fn read(
    settings: &LibrarySettings,
    store: Option<&dyn FactsStore>,
    project: &[ProjectFile],
    roots: &Roots,
    python: &mut Vec<LinkFile>,
    typescript: &mut Vec<SourceFile>,
) -> PackageReading {
    let mut files = ReadFiles::default();
    let ((libraries, modules), looks) = looks::recorded(|| {
        let of_python = python::read(settings, store, &mut files, python);
        let (node, modules) = node::read(settings, store, &mut files, project, roots, typescript);
        (Libraries { python: of_python, node }, modules)
    });
    let ReadFiles { stamped, facts, has_new_facts } = files;
    let found = FoundPackages::new(settings.clone(), looks, stamped, libraries);
    PackageReading { found, modules, facts, has_new_facts }
}

impl Libraries {
    /// Adds the definitions of packages that cannot be read to the linked programs of the two languages. Modules that
    /// turn out to be those of the program itself, below an import root, count no longer as imported.
    pub(super) fn add_absent(&mut self, python: &mut LinkedProgram, typescript: &mut LinkedProgram) {
        let own: FxHashSet<&str> = python.packages.iter().filter_map(|(name, _)| name.split('.').next()).collect();
        self.python.imported.retain(|(module, _)| !own.contains(module.as_str()));
        let is_absent = |module: &str| self.python.is_absent(module.split('.').next().unwrap_or(module));
        absent::add(python, Language::Python, &self.python.called, &is_absent);
        let is_absent = |specifier: &str| self.node.is_absent(specifier);
        absent::add(typescript, Language::TypeScript, &self.node.called, &is_absent);
    }
}
