//! The facts of a file of any language. This module selects the parser and the linker of each language.

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::{
    control::StepCounter,
    diagnostic::Problem,
    language::{Language, is_auxiliary, is_declaration_file},
    link::{
        self,
        linked::LinkedProgram,
        python::LinkFile,
        typescript::{ProjectFile, SourceFile},
    },
    source::{FileEntry, SourceText},
    syntax::{Watch, python, typescript},
};

/// The facts of one file, with its path and origin.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ParsedFile {
    Python(Box<LinkFile>),
    TypeScript(Box<SourceFile>),
}

impl ParsedFile {
    /// Parses a text; `watch` may stop the parser.
    pub(super) fn parse(found: &FileEntry, text: SourceText, watch: &mut Watch<'_>) -> Self {
        let path = found.path.clone();
        let origin = found.language.origin(&path);
        let is_auxiliary = is_auxiliary(&path, &text.source);
        match found.language {
            Language::Python => {
                let facts = python::read_watched(&text.source, watch);
                Self::Python(Box::new(LinkFile {
                    module: CompactString::default(),
                    enclosing_package: CompactString::default(),
                    origin,
                    is_auxiliary,
                    path,
                    lines: text.lines,
                    facts,
                }))
            }
            Language::TypeScript => {
                let dialect = match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
                    "tsx" => typescript::Dialect::Tsx,
                    "ts" | "mts" | "cts" => typescript::Dialect::TypeScript,
                    _ => typescript::Dialect::JavaScript,
                };
                let facts = typescript::read_watched(&text.source, dialect, is_declaration_file(&path), watch);
                Self::TypeScript(Box::new(SourceFile { path, origin, is_auxiliary, facts }))
            }
        }
    }

    /// The path from the source's root.
    pub(super) fn path(&self) -> &CompactString {
        match self {
            Self::Python(file) => &file.path,
            Self::TypeScript(file) => &file.path,
        }
    }

    /// The number of call sites.
    pub(super) fn call_count(&self) -> usize {
        match self {
            Self::Python(file) => file.facts.calls.len(),
            Self::TypeScript(file) => file.facts.calls.len(),
        }
    }

    /// Problems of the text, each with its line.
    pub(super) fn problems(&self) -> &[(Problem, u32)] {
        match self {
            Self::Python(file) => &file.facts.problems,
            Self::TypeScript(file) => &file.facts.problems,
        }
    }
}

/// The Python packages of a source, which give modules their names.
#[derive(Debug, Default)]
pub(super) struct PythonPackages {
    /// The folders that are packages, because they contain an `__init__.py`, as paths from the source's root.
    pub(super) folders: FxHashSet<CompactString>,
    /// See [`crate::source::enclosing_package`].
    pub(super) enclosing: CompactString,
}

impl PythonPackages {
    /// Sets the name of a file's module.
    fn name_module(&self, file: &mut LinkFile) {
        file.enclosing_package.clone_from(&self.enclosing);
        let is_package = |folder: &str| match folder.strip_prefix(self.enclosing.as_str()) {
            Some(below) if !self.enclosing.is_empty() => below.is_empty() || self.folders.contains(&below[1..]),
            _ => self.folders.contains(folder),
        };
        let module = Language::Python.module_of_file(&file.import_path(), is_package);
        file.module = module.into();
    }
}

/// The facts of many files, by language.
#[derive(Default)]
pub(super) struct ParsedFiles {
    python: Vec<LinkFile>,
    typescript: Vec<SourceFile>,
}

impl ParsedFiles {
    /// Adds a file.
    pub(super) fn push(&mut self, file: ParsedFile) {
        match file {
            ParsedFile::Python(file) => self.python.push(*file),
            ParsedFile::TypeScript(file) => self.typescript.push(*file),
        }
    }

    /// Links the files of each language and joins the programs. `packages` and `project` configure how modules are
    /// named and found. The result is incomplete if `steps` was cancelled.
    pub(super) fn link(
        &mut self,
        packages: &PythonPackages,
        project: &[ProjectFile],
        steps: StepCounter,
    ) -> LinkedProgram {
        self.python.iter_mut().for_each(|file| packages.name_module(file));
        self.python.sort_by(|a, b| a.path.cmp(&b.path));
        self.typescript.sort_by(|a, b| a.path.cmp(&b.path));
        let of_typescript = steps.clone();
        let (python, typescript) = rayon::join(
            || link::python::link(&self.python, steps),
            || link::typescript::link(&self.typescript, project, of_typescript),
        );
        link::merge(vec![python, typescript])
    }

    /// Removes the files for whose path `keeps` returns false, and returns them.
    pub(super) fn split_off(&mut self, keeps: impl Fn(&CompactString) -> bool) -> Self {
        Self {
            python: self.python.extract_if(.., |file| !keeps(&file.path)).collect(),
            typescript: self.typescript.extract_if(.., |file| !keeps(&file.path)).collect(),
        }
    }

    /// All files, in parallel.
    pub(super) fn into_par_iter(self) -> impl ParallelIterator<Item = ParsedFile> {
        let python = self.python.into_par_iter().map(Box::new).map(ParsedFile::Python);
        python.chain(self.typescript.into_par_iter().map(Box::new).map(ParsedFile::TypeScript))
    }
}
