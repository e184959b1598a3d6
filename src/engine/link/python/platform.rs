//! The declaration files of the platform: stubs of the standard library and of some packages (PEP 484).
//!
//! They declare what returns values of the sources, or passes such values to callbacks. Everything else is external
//! and needs no declaration.

use std::sync::OnceLock;

use rayon::prelude::*;

use apidisc_facts::syntax::python::{self, facts::FileFacts};

/// A declaration file of a library.
#[derive(Debug)]
pub(super) struct DeclarationFile {
    /// The dotted name of its module.
    pub(super) module: &'static str,
    pub(super) facts: FileFacts,
}

/// A stub of the platform, which is read when a program first names its module.
struct Stub {
    /// The dotted name of the module.
    module: &'static str,
    text: &'static str,
    file: OnceLock<DeclarationFile>,
}

/// The stubs of some modules, in files with the names of the modules.
macro_rules! stubs {
    ($($module:literal),* $(,)?) => {
        [$(Stub::new($module, include_str!(concat!("platform/", $module, ".pyi")))),*]
    };
}

static STUBS: [Stub; 29] = stubs![
    "_pytest.python_api",
    "_pytest.raises",
    "anyio",
    "anyio.to_thread",
    "argparse",
    "asyncio",
    "attr",
    "attrs",
    "builtins",
    "collections.abc",
    "concurrent.futures",
    "contextlib",
    "contextvars",
    "copy",
    "dataclasses",
    "flask",
    "flask.app",
    "functools",
    "heapq",
    "itertools",
    "pydantic",
    "pytest",
    "queue",
    "random",
    "requests",
    "requests.sessions",
    "trio",
    "typing",
    "weakref",
];

/// The functions of `builtins`, whose stub is in two files because they are read in parallel.
static BUILTIN_FUNCTIONS: Stub = Stub::new("builtins", include_str!("platform/builtins.functions.pyi"));

/// The modules whose classes appear in programs that do not name the modules.
const ALWAYS: &[&str] = &["builtins", "collections.abc", "contextlib"];

impl Stub {
    const fn new(module: &'static str, text: &'static str) -> Self {
        Self { module, text, file: OnceLock::new() }
    }

    fn file(&'static self) -> &'static DeclarationFile {
        self.file.get_or_init(|| DeclarationFile { module: self.module, facts: python::read(self.text) })
    }

    /// True if a program with these names may use the module: `from concurrent import futures` names the parts of its
    /// dotted name.
    fn is_named(&self, is_name: impl Fn(&str) -> bool) -> bool {
        ALWAYS.contains(&self.module) || is_name(self.module) || self.module.split('.').all(is_name)
    }
}

/// The stubs of the platform that a program does not use so far.
pub(super) struct Platform {
    unused: Vec<&'static Stub>,
}

impl Platform {
    pub(super) fn new() -> Self {
        Self { unused: STUBS.iter().chain([&BUILTIN_FUNCTIONS]).collect() }
    }

    /// Takes the declaration files of the modules that a program with these names uses, in a fixed order.
    pub(super) fn take_named(&mut self, is_name: impl Fn(&str) -> bool) -> Vec<&'static DeclarationFile> {
        let (named, unused): (Vec<&Stub>, _) = self.unused.iter().partition(|stub| stub.is_named(&is_name));
        self.unused = unused;
        named.into_par_iter().map(Stub::file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stub_of_the_folder_is_read_and_valid() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/python/platform");
        let entries = std::fs::read_dir(folder).expect("the folder of the stubs");
        let files = Platform::new().take_named(|_| true);
        assert_eq!(files.len(), entries.count());
        for file in files {
            assert!(file.facts.problems.is_empty(), "{}: {:?}", file.module, file.facts.problems);
        }
    }

    #[test]
    fn only_the_modules_that_a_program_names_are_read() {
        let modules = |names: &[&str]| -> Vec<&str> {
            let files = Platform::new().take_named(|name| names.contains(&name));
            files.iter().map(|file| file.module).collect()
        };
        assert_eq!(modules(&["numpy"]), ["builtins", "collections.abc", "contextlib", "builtins"]);
        let with_futures = ["builtins", "collections.abc", "concurrent.futures", "contextlib", "builtins"];
        assert_eq!(modules(&["concurrent.futures"]), with_futures);
        assert_eq!(modules(&["concurrent", "futures"]), with_futures);
    }
}
