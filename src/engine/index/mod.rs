//! The immutable snapshot that every face reads.
//!
//! **Architecture invariant.** An index never changes once built; a new one replaces it, shared as
//! `Arc<Index>`. Everything in it is ordered by path, line and name, so that the same sources give the
//! same index on every machine and with any number of threads.

mod call_evidence;
pub(crate) mod counts;
mod definition;
mod home;
mod lookup;
pub mod metadata;
pub(crate) mod names;
mod nearest;
mod recount;
mod scope;

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

pub use call_evidence::{CallEvidence, CallFilter};
pub use definition::Definition;
pub use recount::NoCallSites;
pub use scope::{LookupError, Scope};

use crate::{
    diagnostic::Diagnostic,
    language::Language,
    program::{CallId, CallSite, Calls, DefinitionId, FileId, ModuleId},
    source::{Origin, SourceMeta},
    usage::{Ledger, Usage, Weights},
};

/// What one or more sources define and how they use it.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Where the code came from.
    pub sources: Vec<SourceMeta>,
    /// Every file that was walked and is of a known language, by path.
    pub files: Vec<File>,
    /// Every module, by FQN; a package comes before what is below it.
    pub modules: Vec<Module>,
    /// Every definition, in the order of path and line.
    pub definitions: Vec<Definition>,
    /// Every call site, by path, line and column. An index that counts them otherwise shares them.
    pub calls: Arc<Calls>,
    /// Over the whole index, how many calls are resolved and why the others are not.
    pub ledger: Ledger,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
    /// False for a snapshot taken while files were still being read.
    pub complete: bool,
    /// How often the calls of each origin are counted.
    pub weights: Weights,
    /// FQN to its module; also the names that packages are imported by.
    pub module_names: FxHashMap<CompactString, ModuleId>,
}

/// One source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// From the source's root, `/` between parts.
    pub path: CompactString,
    /// What its calls stand for.
    pub origin: Origin,
    /// Its language.
    pub language: Language,
    /// Its module.
    pub module: ModuleId,
}

/// A module or a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, such as `google.adk.agents` or `packages/http/src/client`.
    pub fqn: CompactString,
    /// The package that holds it.
    pub parent: Option<ModuleId>,
    /// Modules directly below it, by name.
    pub children: Vec<ModuleId>,
    /// The file that is its body, or the `index` file of a folder; none for a namespace package.
    pub file: Option<FileId>,
    /// True when it can hold further modules.
    pub is_package: bool,
    /// Definitions at its top level, in source order; methods and nested functions are not among them.
    pub definitions: Vec<DefinitionId>,
    /// Public names that it offers and their definitions, its own and re-exported ones, by name.
    pub exports: Vec<(CompactString, DefinitionId)>,
    /// Calls of the definitions below it: its own, its modules', methods included.
    pub total_calls: u32,
}

impl Index {
    /// The definition of that id.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }

    /// The module of that id.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    /// The file of that id.
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.index()]
    }

    /// The call site of that id.
    pub fn call(&self, id: CallId) -> &CallSite {
        self.calls.site(id)
    }

    /// The usage of a definition.
    pub fn usage(&self, id: DefinitionId) -> &Usage {
        &self.definition(id).usage
    }

    /// Every definition with its id.
    pub fn definitions_with_ids(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions.iter().enumerate().map(|(i, d)| (DefinitionId::new(i), d))
    }

    /// Modules without a parent, by FQN.
    pub fn root_modules(&self) -> impl Iterator<Item = ModuleId> {
        self.modules.iter().enumerate().filter(|(_, m)| m.parent.is_none()).map(|(i, _)| ModuleId::new(i))
    }
}
