//! The immutable index that every face (explorer, command line, server) reads.
//!
//! **Architecture invariant.** An index never changes once built. It is shared as `Arc<Index>`, and a new one replaces
//! it. All its tables are ordered by path, line and name, so the same sources give the same index on every machine and
//! with any number of threads.

mod call_evidence;
mod choice;
pub(crate) mod counts;
mod definition;
mod enums;
mod exceptions;
pub(crate) mod inherited;
pub(crate) mod instances;
mod lookup;
pub mod metadata;
pub(crate) mod names;
mod nearest;
mod other_uses;
mod package_examples;
mod packages;
mod packed;
pub(crate) mod public_api;
mod recount;
mod scope;
pub(crate) mod source_usages;
mod typical;
pub(crate) mod usage_on_class;

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

pub use call_evidence::{CallEvidence, CallFilter};
pub use choice::Choice;
pub use definition::Definition;
use inherited::InheritedMembers;
pub use nearest::nearest;
pub use other_uses::{UseCounts, UsedAs, use_counts_in_words};
use package_examples::PackageExamples;
pub use package_examples::{ExampleCall, PackageExample};
pub use recount::RecountError;
pub use scope::{LookupError, Scope};
use source_usages::SourceUsages;
pub use typical::{Teaching, lists_changes};

use crate::{
    packages::Dependency,
    usage::{Ledger, Usage, Weights},
};
use apidisc_base::{
    diagnostic::{Diagnostic, LimitCounts, Problem},
    language::Language,
};
use apidisc_facts::{
    program::{CallId, CallSite, Calls, DefinitionId, FileId, HttpUses, ModuleId, OtherUses, ReadId, ReadSite},
    source::{Contents, Origin, SourceMeta},
};

/// The definitions of one or more sources, and how their calls and reads use them.
///
/// The engine builds indexes; the fields are public for reading only. Ids are positions in these tables and are valid
/// in one index and its recounts only. In an index that was read from `api_metadata.yaml`, files are in the order of
/// the entries, and so are definitions whose places the file does not give.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The sources, in the order in which they were given.
    pub sources: Vec<SourceMeta>,
    /// All parsed files of a known language, ordered by path. A path may repeat: the examples in the documentation of a
    /// file are a file of their own, and so is the code of each language in a document.
    pub files: Vec<File>,
    /// All modules and packages, ordered by FQN. FQNs are unique, and a package comes before the modules below it.
    pub modules: Vec<Module>,
    /// All definitions, ordered by path and line. FQNs may repeat: an `if` may define a name on both branches.
    pub definitions: Vec<Definition>,
    /// All call sites, those of each file together and in the order of the files, ordered by line and column. Empty if
    /// the index was read from a file. Recounted indexes share the table.
    pub calls: Arc<Calls>,
    /// All reads of attributes and properties of the sources on receivers of known type, in the order of the call
    /// sites. Empty if the index was read from a file. Recounted indexes share the table.
    pub reads: Arc<[ReadSite]>,
    /// All uses that are neither calls nor reads: what is passed, held, raised and so on. Empty if the index was read
    /// from a file. Recounted indexes share the table.
    pub other_uses: Arc<OtherUses>,
    /// The calls of HTTP APIs and the routes of servers. Empty if the index was read from a file. Recounted indexes
    /// share the tables.
    pub http: Arc<HttpUses>,
    /// The number of resolved calls, and the numbers of unresolved calls by reason.
    pub ledger: Ledger,
    /// The problems of single files, sorted and without duplicates.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the index was made from. Empty for a partial snapshot, and for an index that was read from a file
    /// without `contents`.
    pub contents: Arc<Contents>,
    /// False for a partial snapshot that was taken while files were still being parsed.
    pub complete: bool,
    /// In an index of the packages that a program uses, these packages by the number of calls; else `None`. See
    /// [`Self::into_index_of_packages`].
    pub packages: Option<Arc<[Dependency]>>,
    /// In an index of packages: examples of their definitions from other sources.
    pub(crate) examples: Arc<PackageExamples>,
    /// True if the titles of stubs say the other uses: see [`Self::with_counted_uses`].
    pub counts_other_uses: bool,
    /// The weights of the origins and sources, by which the calls in every [`Usage`] are multiplied.
    pub weights: Weights,
    /// The module for each FQN in `modules`, and for each name by which a package is imported.
    pub module_names: FxHashMap<CompactString, ModuleId>,
    /// The keys of `module_names` by which packages are imported. Such a name may equal the FQN of its module.
    pub import_names: FxHashSet<CompactString>,
    /// The usages in each source; `None` for an index with call sites, from which they can be counted, for an index of
    /// one source, and for an index that was read from a file that does not name the source of each use.
    pub(crate) source_usages: Option<Arc<SourceUsages>>,
    /// The calls of methods on receivers of unknown type. Empty if the index was read from a file.
    pub(crate) unknown_receiver_calls: Arc<counts::UnknownReceiverCalls>,
    /// The members that public classes inherit from bases that are not public.
    pub inherited: Box<InheritedMembers>,
    /// The usages of members of public bases on the classes that inherit them, if this index was read from a file with
    /// these usages. In an index with call sites they are counted from the sites.
    pub(crate) usages_on_classes: Option<Arc<usage_on_class::UsagesOnClasses>>,
    /// The typical call of a member of a public base on a class that inherits it, by the class and the declaration,
    /// where the typical call of the declaration is made on another class.
    pub(crate) typical_calls_on_classes: Arc<usage_on_class::TypicalCallsOnClasses>,
    /// The sizes of the index that was written to the file, if this index was read from a file.
    pub written_sizes: Option<IndexSizes>,
    /// The threshold of uses that the file was written with, if this index was read from a file. See
    /// [`MetadataOptions`](metadata::MetadataOptions).
    pub written_threshold: Option<u32>,
    /// The limits that the index which was written to the file exceeded, if this index was read from a file.
    pub written_limits: Option<LimitCounts>,
}

/// The number of files, modules and definitions of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSizes {
    /// The number of paths in [`Index::files`].
    pub files: u32,
    /// The length of [`Index::modules`].
    pub modules: u32,
    /// The length of [`Index::definitions`].
    pub definitions: u32,
}

/// One source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path relative to the root of the source, with `/` as separator. If there are several sources, the name of
    /// the source comes first, as a folder.
    pub path: CompactString,
    /// The source that the file belongs to, as a position in [`Index::sources`].
    pub source: u32,
    /// The part of the repository that the calls of this file belong to.
    pub origin: Origin,
    /// True for a file that users do not import from, such as a script or generated code. A definition in such a file
    /// belongs to the public API only if a file of the library re-exports it; see [`Scope::Repository`].
    pub is_auxiliary: bool,
    /// True for vendored and generated code, scripts and settings of tools, and for the modules of old versions.
    /// [`Self::is_auxiliary`] is true for them, too. An index that was read from a file does not know it: false.
    pub is_apart: bool,
    /// True for a file of a TypeScript package that users cannot import, since the `exports` of the package leave it
    /// out. [`Scope::Repository`] says which of its definitions belong to the public API all the same.
    pub is_internal: bool,
    /// The file's language.
    pub language: Language,
    /// The module that the file defines.
    pub module: ModuleId,
}

impl File {
    /// True for a document, such as a page of Markdown: it quotes code, and defines no module that can be imported.
    pub fn is_document(&self) -> bool {
        Language::of_path(&self.path).is_none()
    }

    /// True for a module that users import from: no test, example, document, script or generated file.
    pub fn is_library(&self) -> bool {
        self.origin == Origin::Src && !self.is_auxiliary && !self.is_document()
    }
}

/// A module or a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The module's name, such as `google.adk.agents` or `packages/http/src/client`.
    pub fqn: CompactString,
    /// The package that contains the module; `None` at the top.
    pub parent: Option<ModuleId>,
    /// The modules directly below, by name.
    pub children: Vec<ModuleId>,
    /// The file with the module's code, or the `index` file of a folder; `None` for a namespace package (PEP 420).
    pub file: Option<FileId>,
    /// True if the module can contain further modules.
    pub is_package: bool,
    /// The top-level definitions in source order, without methods and nested functions.
    pub definitions: Vec<DefinitionId>,
    /// The names that the module exports, with their definitions, sorted. Re-exported names are among them. If the
    /// module has a file, each name occurs once.
    pub exports: Vec<(CompactString, DefinitionId)>,
    /// The number of calls of all definitions in the module and in the modules below it, methods included.
    pub total_calls: u32,
    /// The number of reads of all attributes and properties in the module and in the modules below it.
    pub total_reads: u32,
}

impl Module {
    /// A module without children, a file or definitions.
    pub(crate) fn new(fqn: CompactString, parent: Option<ModuleId>) -> Self {
        Self {
            fqn,
            parent,
            children: Vec::new(),
            file: None,
            is_package: false,
            definitions: Vec::new(),
            exports: Vec::new(),
            total_calls: 0,
            total_reads: 0,
        }
    }

    /// Calls and reads together.
    pub fn uses(&self) -> u32 {
        self.total_calls + self.total_reads
    }
}

impl Index {
    /// The definition with this id: one of [`Self::definitions`], or an inherited member of a class; see
    /// [`Self::inherited_members`].
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        match self.definitions.get(id.index()) {
            Some(definition) => definition,
            None => self.inherited.definition(id.index() - self.definitions.len()),
        }
    }

    /// The module with this id.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.index()]
    }

    /// The call site with this id.
    pub fn call(&self, id: CallId) -> &CallSite {
        self.calls.site(id)
    }

    /// The positions of the calls of a file in [`Self::calls`].
    pub fn calls_of_file(&self, file: FileId) -> std::ops::Range<usize> {
        let start = self.calls.partition_point(|call| call.file < file);
        start..start + self.calls[start..].partition_point(|call| call.file == file)
    }

    /// True for code that a document, docstring or comment quotes. The examples in a file of code are a second file
    /// with the same path, directly after the first.
    pub fn is_quoted_code(&self, id: FileId) -> bool {
        let file = self.file(id);
        let follows = id.index().checked_sub(1).is_some_and(|before| self.files[before].path == file.path);
        follows || file.is_document()
    }

    /// The read site with this id.
    pub fn read(&self, id: ReadId) -> &ReadSite {
        &self.reads[id.index()]
    }

    /// The usage of a definition.
    pub fn usage(&self, id: DefinitionId) -> &Usage {
        &self.definition(id).usage
    }

    /// All definitions with their ids.
    pub fn definitions_with_ids(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions.iter().enumerate().map(|(i, d)| (DefinitionId::new(i), d))
    }

    /// The sizes of the index of the sources. An index that was read from a file may hold fewer definitions.
    pub fn sizes(&self) -> IndexSizes {
        self.written_sizes.unwrap_or(IndexSizes {
            files: self.files.iter().map(|file| &file.path).collect::<FxHashSet<_>>().len() as u32,
            modules: self.modules.len() as u32,
            definitions: self.definitions.len() as u32,
        })
    }

    /// How many files, or parts of files, of the sources are not in the index because they exceed a limit.
    pub fn limits(&self) -> LimitCounts {
        self.written_limits.unwrap_or_else(|| LimitCounts::of(&self.diagnostics))
    }

    /// The sources of which nothing is in the index, each with the reason.
    pub fn missing_sources(&self) -> impl Iterator<Item = &Diagnostic> {
        let is_source = |path: &CompactString| self.sources.iter().any(|s| !s.name.is_empty() && s.name == *path);
        self.diagnostics.iter().filter(move |d| d.problem == Problem::Source && is_source(&d.path))
    }

    /// The modules without a parent, in the order of `modules`.
    pub fn root_modules(&self) -> impl Iterator<Item = ModuleId> {
        self.modules.iter().enumerate().filter(|(_, m)| m.parent.is_none()).map(|(i, _)| ModuleId::new(i))
    }
}

apidisc_base::packed::packed_structs! {
    File { path, source, origin, is_auxiliary, is_apart, is_internal, language, module }
    Module {
        fqn, parent, children, file, is_package, definitions, exports, total_calls, total_reads,
    }
}
