//! The commands that print and exit: a file per command.
//!
//! Only the requested output goes to standard output. A failure is one line on standard error with the reason and a
//! remedy. Exit codes: 0 success, 1 failure, 2 wrong usage.

mod agent;
mod args;
mod ask;
mod breaks;
mod cache;
mod calls;
mod check;
mod check_index;
mod completions;
mod config;
mod deps;
mod discover;
mod docs;
mod doctor;
mod environment;
mod evaluate;
mod explain;
mod export;
mod export_operation;
mod facts;
mod index;
mod input;
mod interrupt;
mod json_row;
mod man;
mod model;
mod output;
mod package;
mod progress;
mod reads;
mod report;
mod request;
mod route;
mod screenshot;
mod serve;
mod server_config;
mod setup;
mod terminal_text;
mod uses;
mod version;

use std::process::ExitCode;

pub use agent::RunAgent;
pub use args::{Explore, Invocation, parse};
pub use ask::Ask;
pub use breaks::{BreaksFormat, Compared, PrintBreaks};
pub use cache::ShowCache;
pub use calls::PrintCalls;
pub use check::Check;
pub use check_index::CheckIndex;
pub use completions::Completions;
pub use config::ShowConfig;
pub use deps::PrintDependencies;
pub use discover::{DiscoverFormat, PrintDiscovered};
pub use docs::{DocsCommand, DocsFormat, PrintDocs};
pub use doctor::{Configured, Doctor};
pub use evaluate::{Evaluate, Measured};
pub use explain::{AskedPlace, ExplainCalls};
pub use export::{ExportStub, TitleCount};
pub use export_operation::ExportOperation;
pub use facts::WriteFacts;
pub use index::WriteIndex;
pub use input::{Input, InputContent, build};
pub use man::ManPage;
pub use model::ModelOptions;
pub use package::{AskedPackage, ExportedPackage};
pub use reads::PrintReads;
pub use report::WriteReport;
pub use request::{GivenOptions, RequestSource};
pub use route::PrintRoute;
pub use screenshot::Screenshot;
pub use serve::Serve;
pub use server_config::{Client, ServerConfig};
pub use setup::{Scope, Setup, SetupAction};
pub use uses::PrintUses;
pub use version::PrintVersion;

/// The prefix of every message.
const NAME: &str = "apidisc-tui";

/// The exit code of an outcome. A failure is printed on one line, even if a name in it contains line breaks.
pub fn exit_code(outcome: anyhow::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints one line on standard error. An error is ignored, since standard error may be closed.
pub fn note(message: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{}", terminal_text::line(&format!("{NAME}: {message}")));
}
