//! The overview of a repository, a module or a package: what a reader should see first.
//!
//! It is made from counts and quoted text: the summary of the README or of the module's documentation, the first
//! example, what examples and documents call first, what runs by itself, the definitions that uses cluster around with
//! what makes and takes them, what is deprecated, and the newest entry of the list of changes.
//!
//! | file | content |
//! | --- | --- |
//! | `entry_points` | where programs begin: the first calls of examples, installed scripts, routes |
//! | `programs` | commands, files and scripts that start a program, pages of Next.js |
//! | `concepts` | the most used definitions: what makes each, what takes it, how many classes extend it |
//! | `example` | the first example |
//! | `texts` | the documents that an overview quotes: README, documentation of a module, changelog |
//! | `prose` | the paragraphs of a document without marks |

mod concepts;
mod entry_points;
mod example;
mod programs;
mod prose;
#[cfg(test)]
mod tests;
mod texts;

pub use concepts::Concept;
pub use entry_points::{EntryPoint, Start, route_name};
pub use example::Example;
pub use texts::Quotation;

use rustc_hash::FxHashSet;

use crate::types::TypeTable;
use apidisc_facts::{
    program::{DefinitionId, ModuleId},
    source::SourceText,
};
use apidisc_indexing::index::{Index, Scope};

/// Reads a file of the sources by its path in the index; `None` if the file cannot be read.
type ReadSource<'a> = dyn Fn(&str) -> Option<SourceText> + 'a;

/// The greatest number of deprecated definitions that are named.
const MAX_DEPRECATED: usize = 20;

/// The greatest number of definitions whose first calls are tried as the first example.
const MAX_TRIED: usize = 3;

/// What a reader of a repository, module or package should see first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The first paragraphs of the README, or of the module's documentation.
    pub summary: Option<Quotation>,
    /// The first example.
    pub example: Option<Example>,
    /// What a program starts from, best first.
    pub entry_points: Vec<EntryPoint>,
    /// The definitions that uses cluster around, most used first; at most ten.
    pub concepts: Vec<Concept>,
    /// The first deprecated public definitions, most used first.
    pub deprecated: Vec<DefinitionId>,
    /// The number of all deprecated public definitions.
    pub deprecated_count: usize,
    /// The newest entry of the list of changes; only for a repository.
    pub changes: Option<Quotation>,
}

/// The overview of a scope. `read` reads the files of the index.
pub fn overview(index: &Index, scope: Scope, types: &TypeTable, read: &ReadSource<'_>) -> Overview {
    let members = index.members(scope);
    let among: FxHashSet<DefinitionId> = members.iter().copied().collect();
    let concepts = concepts::concepts(index, &members, types);
    let entry_points = entry_points::entry_points(index, scope, &among, read);
    let readme = texts::readme(index, scope);
    let called_first = entry_points.first().filter(|entry| matches!(entry.start, Start::FirstCall { .. }));
    let first = called_first.and_then(|entry| entry.id).into_iter().chain(concepts.iter().map(|concept| concept.id));
    let first: Vec<DefinitionId> = first.take(MAX_TRIED).collect();
    let deprecated = deprecated(index, &members);
    Overview {
        summary: texts::summary(index, scope, readme.as_deref(), read),
        example: example::example(index, readme.as_deref(), &among, &first, read),
        entry_points,
        concepts,
        deprecated_count: deprecated.len(),
        deprecated: deprecated.into_iter().take(MAX_DEPRECATED).collect(),
        changes: if scope == Scope::Repository { texts::changes(index, read) } else { None },
    }
}

fn deprecated(index: &Index, members: &[DefinitionId]) -> Vec<DefinitionId> {
    let within = members.iter().flat_map(|id| std::iter::once(*id).chain(index.members_of(*id)));
    within.filter(|id| index.definition(*id).deprecation().is_some()).collect()
}

/// True if a module belongs to a scope.
pub(crate) fn is_below(index: &Index, scope: Scope, module: ModuleId) -> bool {
    match scope {
        Scope::Repository => true,
        Scope::Module(id) => {
            std::iter::successors(Some(module), |id| index.module(*id).parent).any(|other| other == id)
        }
        Scope::Definition(_) => false,
    }
}
