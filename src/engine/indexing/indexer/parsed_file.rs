//! The facts of a file of any language. This module selects the parser and the linker of each language.

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{
    facts_store::{FactsKey, FactsStore},
    libraries::{self, LibrarySettings, PackageReading},
    quoted, repeated_modules, test_helpers,
};
use apidisc_base::{
    control::StepCounter,
    diagnostic::{Diagnostic, LineRange, Problem},
    language::{Framework, Language, is_auxiliary, is_declaration_file},
    sort::SharedSort as _,
};
use apidisc_facts::{
    components,
    documents::{Format, Place},
    source::{FileEntry, Origin, Roots, SourceText},
    syntax::{
        Watch, python,
        typescript::{self, Dialect},
    },
};
use apidisc_link::{
    explanation::AskedCalls,
    linked::{Content, LinkedProgram},
    project_file::ProjectFile,
    python::{ImportRoot, LinkFile},
    typescript::SourceFile,
};

/// The facts of one file: the facts of its code, and the facts of the code that it quotes.
#[derive(Debug)]
pub(super) struct ParsedFile {
    path: CompactString,
    key: FactsKey,
    units: Vec<Unit>,
}

/// The facts of the code of one language in a file. The serialized form leaves out everything that depends on the path
/// of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Unit {
    Python(Box<LinkFile>),
    TypeScript(Box<SourceFile>),
}

impl Unit {
    /// The facts of Python code.
    pub(super) fn into_python(self) -> Option<LinkFile> {
        match self {
            Self::Python(file) => Some(*file),
            Self::TypeScript(_) => None,
        }
    }

    /// The facts of TypeScript code.
    pub(super) fn into_typescript(self) -> Option<SourceFile> {
        match self {
            Self::Python(_) => None,
            Self::TypeScript(file) => Some(*file),
        }
    }

    fn path(&self) -> &CompactString {
        match self {
            Self::Python(file) => &file.path,
            Self::TypeScript(file) => &file.path,
        }
    }

    fn is_auxiliary(&self) -> bool {
        match self {
            Self::Python(file) => file.is_auxiliary,
            Self::TypeScript(file) => file.is_auxiliary,
        }
    }

    /// Sets the path of the file, and whether its code is auxiliary. Quoted code is never auxiliary.
    fn place(&mut self, path: &CompactString, is_auxiliary: bool) {
        match self {
            Self::Python(file) => {
                file.path.clone_from(path);
                file.is_auxiliary = is_auxiliary && !file.content.is_quoted();
            }
            Self::TypeScript(file) => {
                file.path.clone_from(path);
                if let Some(component) = file.facts.component {
                    file.facts.names[component.index()] = Framework::component_name(path).into();
                }
                file.is_auxiliary = is_auxiliary && !file.content.is_quoted();
            }
        }
    }

    /// The number of call sites.
    pub(super) fn call_count(&self) -> usize {
        match self {
            Self::Python(file) => file.facts.calls.len(),
            Self::TypeScript(file) => file.facts.calls.len(),
        }
    }

    /// True if the code contains a call, a read of an attribute or an import.
    pub(super) fn uses_code(&self) -> bool {
        let has_references = match self {
            Self::Python(file) => !file.facts.reads.is_empty() || file.facts.has_imports(),
            Self::TypeScript(file) => !file.facts.reads.is_empty() || !file.facts.imports.is_empty(),
        };
        has_references || self.call_count() > 0
    }

    /// Problems of the text, each with its lines.
    pub(super) fn problems(&self) -> &[(Problem, LineRange)] {
        match self {
            Self::Python(file) => &file.facts.problems,
            Self::TypeScript(file) => &file.facts.problems,
        }
    }

    /// Replaces the problems of the text.
    pub(super) fn set_problems(&mut self, problems: Vec<(Problem, LineRange)>) {
        match self {
            Self::Python(file) => file.facts.problems = problems,
            Self::TypeScript(file) => file.facts.problems = problems,
        }
    }
}

impl ParsedFile {
    /// A file with the units of its facts, in the source at `path`.
    pub(super) fn new(path: CompactString, key: FactsKey, is_auxiliary: bool, mut units: Vec<Unit>) -> Self {
        for unit in &mut units {
            unit.place(&path, is_auxiliary);
        }
        Self { path, key, units }
    }

    /// Parses a text; `watch` may stop the parser. `inner` is the path from the root of the file's own source. A
    /// document that quotes no code has no units.
    pub(super) fn parse(
        found: &FileEntry,
        inner: &str,
        key: FactsKey,
        text: SourceText,
        watch: &mut Watch<'_>,
    ) -> Self {
        let path = &found.path;
        let Some(language) = found.language else {
            let mut units = quoted::parse_document(path, &text.source, watch);
            units.extend(quoted::parse_elements(path, &text.source, watch));
            return Self::new(path.clone(), key, false, units);
        };
        let is_auxiliary = is_auxiliary(inner, &text.source);
        let is_notebook = text.lines.is_some();
        let code = match language {
            Language::Python => {
                let facts = python::read_watched(&text.source, watch);
                let place = |line| Place { line, column: 0 };
                let places = text.lines.map(|lines| lines.into_iter().map(place).collect());
                Unit::Python(Box::new(LinkFile { places, ..LinkFile::new(Content::Code, facts) }))
            }
            Language::TypeScript => {
                let is_declaration = is_declaration_file(path);
                let facts = match Framework::of_path(path) {
                    Some(framework) => components::read(framework, &text.source, watch).unwrap_or_default(),
                    None => typescript::read_watched(&text.source, Dialect::of_path(path), is_declaration, watch),
                };
                Unit::TypeScript(Box::new(SourceFile::new(Content::Code, facts)))
            }
        };
        let mut units = vec![code];
        if !is_notebook && Framework::of_path(path).is_none() {
            units.extend(quoted::parse_examples(language, &text.source, watch));
        }
        Self::new(path.clone(), key, is_auxiliary, units)
    }

    /// The key of the facts.
    pub(super) fn key(&self) -> FactsKey {
        self.key
    }

    /// The facts.
    pub(super) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// True if the code of the file is auxiliary, see [`is_auxiliary`].
    pub(super) fn is_auxiliary(&self) -> bool {
        self.units.iter().any(Unit::is_auxiliary)
    }

    /// The path from the source's root.
    pub(super) fn path(&self) -> &CompactString {
        &self.path
    }

    /// The number of call sites.
    pub(super) fn call_count(&self) -> usize {
        self.units.iter().map(Unit::call_count).sum()
    }

    /// Problems of the text, each with its lines.
    pub(super) fn problems(&self) -> Vec<(Problem, LineRange)> {
        self.units.iter().flat_map(Unit::problems).copied().collect()
    }
}

/// The origin of the calls in a file. It depends on the path in the file's own source, never on the name of that
/// source.
fn origin(roots: &Roots, path: &str, content: Content, language: Language) -> Origin {
    let (_, inner) = roots.split(path);
    match content {
        Content::Code => language.origin(inner),
        Content::Examples | Content::Document => Format::origin(inner, language),
    }
}

/// The Python packages of the sources, from which the names of modules are derived.
#[derive(Debug, Default)]
pub(super) struct PythonPackages {
    /// The folders that are packages, because they contain an `__init__.py`, as paths of the index.
    pub(super) folders: FxHashSet<CompactString>,
}

impl PythonPackages {
    /// Sets the name of a file's module.
    fn name_module(&self, roots: &Roots, file: &mut LinkFile) {
        let (folder, _) = roots.split(&file.path);
        let enclosing = &roots.get(roots.position(&file.path)).enclosing;
        file.root = ImportRoot { folder: folder.len() as u32, enclosing: enclosing.clone() };
        let contains = |inner: &str| match folder {
            "" => self.folders.contains(inner),
            _ => self.folders.contains(format_compact!("{folder}{inner}").as_str()),
        };
        let is_package = |inner: &str| match inner.strip_prefix(enclosing.as_str()) {
            Some(below) if !enclosing.is_empty() => below.is_empty() || contains(&below[1..]),
            _ => contains(inner),
        };
        let module = Language::Python.module_of_file(&file.import_path()[folder.len()..], is_package);
        file.module = module.into();
        // A document is a module of its own, also beside a module of the same name; the dot of its extension must not
        // divide the name of the module.
        if file.content == Content::Document {
            file.module.push('_');
            file.module.push_str(file.path.rsplit_once('.').map_or("", |(_, ending)| ending));
        }
    }
}

/// The linked files of each language. The facts of the files are no longer needed.
pub(super) struct LinkedLanguages {
    python: LinkedProgram,
    typescript: LinkedProgram,
    /// The modules that several files have.
    repeated: Vec<Diagnostic>,
    read: Option<PackageReading>,
}

impl LinkedLanguages {
    /// The program of all languages, with what calls show of packages that cannot be read, and what was read of the
    /// others.
    pub(super) fn join(mut self) -> (LinkedProgram, Option<PackageReading>) {
        if let Some(read) = &mut self.read {
            read.found.libraries.add_absent(&mut self.python, &mut self.typescript);
            repeated_modules::name_absent(&self.python, &mut self.typescript);
        }
        let mut linked = apidisc_link::merge(vec![self.python, self.typescript]);
        linked.diagnostics.extend(self.repeated);
        (linked, self.read)
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
        for unit in file.units {
            match unit {
                Unit::Python(file) => self.python.push(*file),
                Unit::TypeScript(file) => self.typescript.push(*file),
            }
        }
    }

    /// Links the files of each language. `roots`, `packages` and `project` configure how modules are named and found.
    /// With `libraries`, the installed packages that the files need are read and linked, too; facts that the store has
    /// are taken from there. The result is incomplete if `steps` was cancelled.
    pub(super) fn link(
        &mut self,
        roots: &Roots,
        packages: &PythonPackages,
        project: &[ProjectFile],
        steps: StepCounter,
        asked: Option<&AskedCalls>,
        libraries: Option<(&LibrarySettings, Option<&dyn FactsStore>)>,
    ) -> LinkedLanguages {
        for file in &mut self.python {
            file.origin = origin(roots, &file.path, file.content, Language::Python);
            packages.name_module(roots, file);
        }
        test_helpers::publish(roots, &packages.folders, &mut self.python);
        for file in &mut self.typescript {
            file.origin = origin(roots, &file.path, file.content, Language::TypeScript);
        }
        let mut read = libraries.map(|(settings, store)| {
            libraries::read(settings, store, project, roots, &mut self.python, &mut self.typescript)
        });
        let installed = read.as_mut().map(|read| std::mem::take(&mut read.modules)).unwrap_or_default();
        let repeated = repeated_modules::rename_python(roots, &mut self.python);
        repeated_modules::name_typescript(roots, &self.python, &mut self.typescript);
        self.python.shared_sort_by(|a, b| (&a.path, a.content).cmp(&(&b.path, b.content)));
        self.typescript.shared_sort_by(|a, b| (&a.path, a.content).cmp(&(&b.path, b.content)));
        // Documents may quote code of a language in which the sources have no code.
        let has_python = self.python.iter().any(|file| !file.content.is_quoted());
        let has_typescript = self.typescript.iter().any(|file| !file.content.is_quoted());
        let of_typescript = steps.clone();
        let (python, typescript) = rayon::join(
            || {
                let files = if has_python { &self.python } else { &[][..] };
                apidisc_link::python::link(files, project, roots, steps, asked)
            },
            || {
                let files = if has_typescript { &self.typescript } else { &[][..] };
                apidisc_link::typescript::link(files, project, roots, &installed, of_typescript, asked)
            },
        );
        LinkedLanguages { python, typescript, repeated, read }
    }

    /// Removes the files for whose path `keeps` returns false, and returns them.
    pub(super) fn split_off(&mut self, keeps: impl Fn(&CompactString) -> bool) -> Self {
        Self {
            python: self.python.extract_if(.., |file| !keeps(&file.path)).collect(),
            typescript: self.typescript.extract_if(.., |file| !keeps(&file.path)).collect(),
        }
    }

    /// All files that have a key in `keys`, in parallel.
    pub(super) fn into_par_iter(
        self,
        keys: &FxHashMap<CompactString, FactsKey>,
    ) -> impl ParallelIterator<Item = ParsedFile> {
        let python = self.python.into_iter().map(Box::new).map(Unit::Python);
        let units = python.chain(self.typescript.into_iter().map(Box::new).map(Unit::TypeScript));
        let mut files: FxHashMap<CompactString, ParsedFile> = FxHashMap::default();
        for unit in units {
            let path = unit.path().clone();
            let Some(&key) = keys.get(&path) else { continue };
            let file = files.entry(path.clone()).or_insert_with(|| ParsedFile { path, key, units: Vec::new() });
            file.units.push(unit);
        }
        files.into_par_iter().map(|(_, file)| file)
    }
}
