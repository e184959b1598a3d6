//! Builds an [`Index`](crate::index::Index) from a source: read, parse, link, count.

mod assemble;
mod batch;
mod build_state;
mod build_steps;
mod builder;
mod compressed;
mod contents;
mod examples;
mod explain;
mod facts_store;
mod interner;
mod kept_index;
mod libraries;
mod other_uses;
mod parse;
mod parsed_file;
mod quoted;
mod repeated_modules;
mod test_helpers;
mod typical_calls;

pub use apidisc_link::explanation::{AskedCalls, CallExplanation, ExplainedStep};
pub use builder::{BuildError, BuildOutcome, Builder, Progress, build};
pub use contents::contents;
pub use examples::examples;
pub use explain::{ExplainedCalls, explain};
pub use facts_store::{FactsBytes, FactsKey, FactsStore, facts_version};
pub use libraries::{
    CalledNames, Environments, ExportState, ImportedNames, Libraries, LibrarySettings, Members, NameState,
    NodeLibraries, OtherVersion, ProgramFolder, PythonLibraries, SourceEnvironment,
};
pub use quoted::{QuotedFacts, quoted_facts};
