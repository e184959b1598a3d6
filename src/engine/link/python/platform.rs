//! The declaration files of the platform: stubs of the standard library and of some packages (PEP 484).
//!
//! They declare what returns values of the sources, or passes such values to callbacks. Everything else is external
//! and needs no declaration.

use std::sync::OnceLock;

use rayon::prelude::*;

use crate::syntax::python::{self, facts::FileFacts};

/// A declaration file of a library.
#[derive(Debug)]
pub(super) struct DeclarationFile {
    /// The dotted name of its module.
    pub(super) module: &'static str,
    pub(super) facts: FileFacts,
}

/// The modules of the platform, each with the text of its stub.
macro_rules! modules {
    ($($module:literal),* $(,)?) => {
        &[$(($module, include_str!(concat!("platform/", $module, ".pyi")))),*]
    };
}

const MODULES: &[(&str, &str)] = modules![
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
    "pytest",
    "queue",
    "random",
    "requests",
    "requests.sessions",
    "trio",
    "typing",
    "weakref",
];

/// The facts of the platform. The stubs are read when the first program is linked.
pub(super) fn platform() -> &'static [DeclarationFile] {
    static FILES: OnceLock<Vec<DeclarationFile>> = OnceLock::new();
    FILES.get_or_init(|| {
        let read = |&(module, text): &(&'static str, &str)| DeclarationFile { module, facts: python::read(text) };
        MODULES.par_iter().map(read).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stub_of_the_folder_is_read_and_valid() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/link/python/platform");
        let entries = std::fs::read_dir(folder).expect("the folder of the stubs");
        let mut stubs: Vec<String> =
            entries.map(|entry| entry.expect("a stub").file_name().to_string_lossy().replace(".pyi", "")).collect();
        stubs.sort();
        let read: Vec<&str> = platform().iter().map(|file| file.module).collect();
        assert_eq!(read, stubs);
        for file in platform() {
            assert!(file.facts.problems.is_empty(), "{}: {:?}", file.module, file.facts.problems);
        }
    }
}
