//! The binary: parse, run, exit code.

use std::process::ExitCode;

use apidisc::cli::{self, Invocation};

fn main() -> ExitCode {
    let outcome = match cli::parse() {
        Invocation::Explore { .. } => Err(anyhow::anyhow!("the explorer is not part of this build; use --export")),
        Invocation::Export(command) => command.run(),
        Invocation::Index(command) => command.run(),
        Invocation::Calls(command) => command.run(),
    };
    cli::exit_code(outcome)
}
