//! The languages that are indexed, and everything about them that is neither grammar nor type system: the endings of
//! their files, the folders that hold generated code, size limits, the origins of files, and the form of fully
//! qualified names.
//!
//! Parsing is in `syntax`, linking in `link` and rendering in `stub`, each with one folder per language. The other
//! modules of the engine call methods of [`Language`]. They match on its variants only to select a parser and a linker
//! (`indexer::parsed_file`), to judge names (`index::names`), and to read and write the language in metadata files
//! (`index::metadata`). `CONTRIBUTING.md` lists the files that a further language needs.

mod auxiliary;
mod framework;
mod name;
mod origin;
mod python;
pub mod typescript;

pub use auxiliary::{is_auxiliary, is_auxiliary_path};
pub use framework::Framework;
pub use name::QualifiedName;
pub use origin::Origin;

use crate::diagnostic::Problem;

/// A source language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Language {
    /// `.py`, `.pyi` and the code cells of `.ipynb`.
    #[default]
    Python,
    /// TypeScript and JavaScript, and the scripts and templates of components.
    TypeScript,
}

/// Returns the module that a file defines. The second argument returns true for folders that are packages.
type ModuleOfFile = fn(path: &str, is_package: &dyn Fn(&str) -> bool) -> String;

/// The properties of one language that other modules need.
struct LanguageSpec {
    name: &'static str,
    fence: &'static str,
    stub_ending: &'static str,
    /// Endings of source files, without the dot; the first is the usual one.
    endings: &'static [&'static str],
    /// Endings of files that declare definitions whose code is elsewhere, with the dot.
    declaration_endings: &'static [&'static str],
    /// Separates a module from the definitions in it.
    definition_separator: char,
    /// Separates the parts of a module's name.
    module_separator: char,
    /// Folders that hold the output of build tools: only files that git tracks are read there.
    output_folders: &'static [&'static str],
    /// True for files that compilers of the language also write, such as `.js` and `.d.ts` beside `.ts`.
    may_be_compiled: fn(path: &str) -> bool,
    /// True for the name of a file that configures how modules are found, such as `package.json`.
    is_project_file: fn(file_name: &str) -> bool,
    module_of_file: ModuleOfFile,
    /// The module or package that contains a module.
    parent_module: fn(module: &str) -> Option<&str>,
    /// The folder that is a package because it contains this file: `pkg` for `pkg/__init__.py`.
    package_folder: fn(path: &str) -> Option<&str>,
    /// True for a file such as `index.ts`, whose exports can also be imported from its folder.
    is_index_file: fn(path: &str) -> bool,
    /// The origin of a file's calls, by the names of its folders and the file name.
    origin: fn(path: &str) -> Origin,
    /// The size of the largest file that is read, in bytes.
    max_bytes: fn(path: &str) -> u64,
    /// Why a file is not read, by its path.
    refuse_path: fn(path: &str) -> Option<Refusal>,
    /// Why a file is not parsed, by its text.
    refuse_text: fn(path: &str, text: &str) -> Option<Refusal>,
}

/// Why a file is left out of an index.
pub(crate) type Refusal = (Problem, &'static str);

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::Python, Self::TypeScript];

    fn spec(self) -> &'static LanguageSpec {
        match self {
            Self::Python => &python::SPEC,
            Self::TypeScript => &typescript::SPEC,
        }
    }

    /// The language of a file, by its ending.
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = file_name(path).rsplit_once('.')?;
        Self::ALL.into_iter().find(|language| language.spec().endings.contains(&ending))
    }

    /// The language of a project file, such as TypeScript for `package.json`.
    pub fn of_project_file(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| (language.spec().is_project_file)(file_name(path)))
    }

    /// The language of a fully qualified name, guessed from its separators, for index files that do not name it.
    pub fn of_qualified_name(name: &str) -> Self {
        if name.contains(['/', '#']) { Self::TypeScript } else { Self::Python }
    }

    /// The name of the language.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The word after the fence of a Markdown code block.
    pub fn fence(self) -> &'static str {
        self.spec().fence
    }

    /// The usual ending of source files, without the dot.
    pub fn extension(self) -> &'static str {
        self.spec().endings[0]
    }

    /// The ending of stub files, without the dot.
    pub fn stub_extension(self) -> &'static str {
        self.spec().stub_ending
    }

    /// Folders that hold the output of build tools, in which only files that git tracks are read.
    pub fn output_folders(self) -> &'static [&'static str] {
        self.spec().output_folders
    }

    /// True for a file that a compiler of the language may have written beside its source.
    pub fn may_be_compiled(self, path: &str) -> bool {
        (self.spec().may_be_compiled)(path)
    }

    /// The name of the module that a file defines. `is_package` returns true for a folder that is a package.
    pub fn module_of_file(self, path: &str, is_package: impl Fn(&str) -> bool) -> String {
        (self.spec().module_of_file)(path, &is_package)
    }

    /// The module or package that contains a module; `None` at the top.
    pub fn parent_module(self, module: &str) -> Option<&str> {
        (self.spec().parent_module)(module)
    }

    /// The folder that is a package because it contains this file: `pkg` for `pkg/__init__.py`.
    pub fn package_folder(self, path: &str) -> Option<&str> {
        (self.spec().package_folder)(path)
    }

    /// True for a file such as `index.ts`, whose exports can also be imported from its folder.
    pub fn is_index_file(self, path: &str) -> bool {
        (self.spec().is_index_file)(path)
    }

    /// The origin of a file's calls, by the names of its folders and the file name.
    pub fn origin(self, path: &str) -> Origin {
        (self.spec().origin)(path)
    }

    /// The size in bytes above which a file is not read.
    pub fn max_bytes(self, path: &str) -> u64 {
        (self.spec().max_bytes)(path)
    }

    /// Why a file with this path is not read.
    pub fn refuse_path(self, path: &str) -> Option<Refusal> {
        (self.spec().refuse_path)(path)
    }

    /// Why a file with this text is not parsed.
    pub fn refuse_text(self, path: &str, text: &str) -> Option<Refusal> {
        (self.spec().refuse_text)(path, text)
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// True for a file that declares definitions whose code is elsewhere: `.pyi`, `.d.ts`.
pub fn is_declaration_file(path: &str) -> bool {
    let endings = Language::ALL.iter().flat_map(|language| language.spec().declaration_endings);
    endings.into_iter().any(|ending| path.ends_with(ending))
}

crate::packed::packed_enums! {
    Language { Python, TypeScript }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_follows_from_the_ending_of_the_file() {
        for path in ["a.py", "pkg/a.pyi", "intro.ipynb"] {
            assert_eq!(Language::of_path(path), Some(Language::Python), "{path}");
        }
        for path in ["a.ts", "src/a.test.tsx", "a.d.mts", "a.cjs"] {
            assert_eq!(Language::of_path(path), Some(Language::TypeScript), "{path}");
        }
        for path in ["py", "a.py/b", "x.d/py", "README.md", "a.rs", ""] {
            assert_eq!(Language::of_path(path), None, "{path}");
        }
    }

    #[test]
    fn project_files_belong_to_a_language() {
        for path in ["package.json", "web/tsconfig.build.json", "jsconfig.json"] {
            assert_eq!(Language::of_project_file(path), Some(Language::TypeScript), "{path}");
        }
        for path in ["pyproject.toml", "kit/setup.cfg", "setup.py"] {
            assert_eq!(Language::of_project_file(path), Some(Language::Python), "{path}");
        }
        assert_eq!(Language::of_project_file("data.json"), None);
    }
}
