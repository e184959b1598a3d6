//! The installed packages that a program uses, and the files of an index that belong to them.

use std::borrow::Cow;

use serde::Serialize;

use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_environment::python::normalized;
use apidisc_facts::source::{INSTALLED, NODE_MODULES, NOT_INSTALLED};

/// A package that a program uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dependency {
    /// The name of the distribution, such as `PyYAML`, or of the npm package, such as `react`, also where another
    /// package declares its types; of a Python package that is not installed, the module that is imported.
    pub package: String,
    /// The version; `None` if it is not known.
    pub version: Option<String>,
    /// The language of its code, which is also its ecosystem: that of `pypi`, or of `npm`.
    pub language: Language,
    /// True if the program uses a package of this name of the other ecosystem, too.
    #[serde(skip)]
    pub shares_name: bool,
    /// Whether the package can be read.
    pub state: DependencyState,
    /// The modules of the package that the program imports or reaches, by the first part of their names; of an npm
    /// package its name, and that of the package which declares its types. Sorted.
    pub modules: Vec<String>,
    /// The number of files of the program that import a module of the package. 0 for a package that the program only
    /// reaches through others.
    pub imported_by: u32,
    /// The number of calls of definitions of the package.
    pub calls: u32,
    /// The number of definitions of the package that are called or read.
    pub definitions: u32,
    /// The number of parameters of these definitions that calls pass by position or name.
    pub parameters: u32,
    /// The number of its functions, classes, names and parameters that the program uses and that are deprecated; `None`
    /// if they were not counted, or if its code is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<u32>,
    /// True if its declarations name a module that is not there: what a build generates.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_incomplete: bool,
}

/// Whether a package can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DependencyState {
    /// It is installed as source or stubs.
    Installed,
    /// Only machine code is installed.
    Compiled,
    /// The environment says that it is installed, but has none of its modules.
    Incomplete,
    /// It is in an archive of Yarn's Plug'n'Play, which is not read.
    Archived,
    /// The environment does not hold it, or there is no environment.
    #[default]
    NotInstalled,
}

/// The beginning of the name of a module of an npm package, if the program has or uses another module of that name.
pub const NPM: &str = "npm:";

/// The name of a definition as code imports it: without [`NPM`].
pub fn imported_name(name: &str) -> &str {
    name.strip_prefix(NPM).unwrap_or(name)
}

impl Dependency {
    /// True for an installed package of which nothing is known, since a build has not generated its declarations yet.
    pub fn is_not_generated(&self) -> bool {
        self.is_incomplete && self.definitions == 0
    }
}

impl DependencyState {
    /// Why no file of the package can be read; `None` for one whose source or machine code is installed.
    pub fn absence(self) -> Option<&'static str> {
        match self {
            Self::Installed | Self::Compiled => None,
            Self::Incomplete => Some("files missing"),
            Self::Archived => Some("in an archive"),
            Self::NotInstalled => Some("not installed"),
        }
    }
}

/// The greatest number of packages that an error names.
const MAX_NAMED: usize = 8;

/// Why the use of a package cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackageError {
    /// The program uses no package of the name; it uses these.
    #[error("the code uses no package {name}; it uses {used}")]
    Unknown {
        /// The name as it was given, printable.
        name: String,
        /// The names of the most used packages.
        used: String,
    },
    /// Several packages of the program have the name.
    #[error("the code uses several packages {name}: {labels}")]
    Several {
        /// The name as it was given, printable.
        name: String,
        /// The labels of the packages.
        labels: String,
    },
    /// No environment that was found holds the package of this name.
    #[error("{0} is not installed in an environment that was found")]
    NotInstalled(String),
    /// The package has no such module.
    #[error("{package} has no module {module}")]
    NoModule {
        /// The name of the package, printable.
        package: String,
        /// The name as it was given, printable.
        module: String,
    },
    /// The environment names the package of this name, but has no module of it.
    #[error("{0} is only half installed: its files are missing; install it again")]
    Incomplete(String),
    /// The package of this name is in an archive.
    #[error("{0} is in an archive of Yarn's Plug'n'Play, which is not read")]
    Archived(String),
    /// Only machine code of the package of this name is installed.
    #[error("{0} is installed as machine code only, which cannot be read")]
    Compiled(String),
}

impl Dependency {
    /// The package called `name` among `packages`: by the name of the distribution as it is written or in any spelling
    /// (PEP 503), or by that of a module. The name may begin with the ecosystem: `npm:redis`.
    ///
    /// # Errors
    /// [`PackageError`] if there is none, if there are several, or if it cannot be read.
    pub fn find<'a>(packages: &'a [Self], name: &str) -> Result<&'a Self, PackageError> {
        let is_ecosystem = |word: &str| Language::ALL.into_iter().any(|language| ecosystem(language) == word);
        let (ecosystem, bare) = name.split_once(':').filter(|(word, _)| is_ecosystem(word)).unzip();
        let bare = bare.unwrap_or(name);
        let tests: [fn(&Self, &str) -> bool; 3] = [
            |package, name| package.package == name,
            |package, name| normalized(&package.package) == normalized(name),
            |package, name| package.modules.iter().any(|module| module == name),
        ];
        let of_ecosystem = |package: &&'a Self| ecosystem.is_none_or(|word| package.ecosystem() == word);
        let found_by = |test: fn(&Self, &str) -> bool| -> Vec<&'a Self> {
            packages.iter().filter(of_ecosystem).filter(|package| test(package, bare)).collect()
        };
        let found = tests.into_iter().map(found_by).find(|found| !found.is_empty()).unwrap_or_default();
        let [package] = found[..] else {
            let name = escaped_line(name).into_owned();
            let several = !found.is_empty();
            let labels: Vec<_> = if several { found } else { packages.iter().collect() };
            let labels: Vec<_> = labels.into_iter().map(Self::label).take(MAX_NAMED).collect();
            let labels = if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
            let labels = escaped_line(&labels).into_owned();
            return Err(if several {
                PackageError::Several { name, labels }
            } else {
                PackageError::Unknown { name, used: labels }
            });
        };
        let name = || escaped_line(&package.label()).into_owned();
        match package.state {
            // Its calls show what the program uses.
            _ if package.definitions > 0 => Ok(package),
            DependencyState::NotInstalled => Err(PackageError::NotInstalled(name())),
            DependencyState::Incomplete => Err(PackageError::Incomplete(name())),
            DependencyState::Archived => Err(PackageError::Archived(name())),
            DependencyState::Compiled => Err(PackageError::Compiled(name())),
            DependencyState::Installed => Ok(package),
        }
    }

    /// The name by which people tell the package from all others that the program uses, and by which [`Self::find`]
    /// finds it: with the ecosystem where the other one has a package of this name, as `pypi:redis` and `npm:redis`.
    pub fn label(&self) -> Cow<'_, str> {
        if self.shares_name {
            Cow::Owned(format!("{}:{}", self.ecosystem(), self.package))
        } else {
            Cow::Borrowed(&self.package)
        }
    }

    /// The ecosystem of the package, named as in package URLs: `pypi` or `npm`.
    pub fn ecosystem(&self) -> &'static str {
        ecosystem(self.language)
    }

    /// True for a module of the package.
    pub fn holds(&self, module: InstalledModule<'_>) -> bool {
        module.language() == self.language && self.modules.iter().any(|known| known == module.name())
    }
}

/// The ecosystem of the packages of a language, named as in package URLs.
const fn ecosystem(language: Language) -> &'static str {
    match language {
        Language::Python => "pypi",
        Language::TypeScript => "npm",
    }
}

/// The part of an installed package that a file of the index belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstalledModule<'a> {
    /// A Python module, by the first part of its name.
    Python(&'a str),
    /// An npm package, by the name of its folder.
    Node(&'a str),
}

impl<'a> InstalledModule<'a> {
    /// The module or package of a file; `None` for a file of the program.
    pub fn of_file(path: &'a str) -> Option<Self> {
        let (root, inner) = path.split_once('/')?;
        match root {
            INSTALLED => return inner.split(['/', '.']).next().map(Self::Python),
            NOT_INSTALLED if path.strip_suffix(".pyi").is_some() => return inner.split('/').next().map(Self::Python),
            NODE_MODULES | NOT_INSTALLED => {}
            _ => return None,
        }
        let scope = if inner.starts_with('@') { inner.find('/')? + 1 } else { 0 };
        let end = inner[scope..].find(['/', '@']).map_or(inner.len(), |at| scope + at);
        Some(Self::Node(&inner[..end]))
    }

    /// The language of the module.
    pub fn language(self) -> Language {
        match self {
            Self::Python(_) => Language::Python,
            Self::Node(_) => Language::TypeScript,
        }
    }

    /// The name of the module or package.
    pub fn name(self) -> &'a str {
        match self {
            Self::Python(name) | Self::Node(name) => name,
        }
    }
}
