//! The binary: parse, run, exit code.

mod allocator;

use std::{process::ExitCode, sync::Arc};

use apidisc::{
    cli::{self, Explore, Invocation},
    tui,
};

fn main() -> ExitCode {
    allocator::share();
    cli::exit_code(match cli::parse() {
        Invocation::Explore(command) => explore(command),
        Invocation::Export(command) => command.run(),
        Invocation::Index(command) => command.run(),
        Invocation::Calls(command) => command.run(),
    })
}

/// The two faces never call each other: this is where they meet.
fn explore(Explore { input, selection, theme }: Explore) -> anyhow::Result<()> {
    let content = match input.content()? {
        cli::Content::Source(source) => tui::Content::Source(source),
        cli::Content::Index(index) => tui::Content::Index(Arc::new(index)),
    };
    tui::run(tui::Options {
        content,
        title: input.title(),
        argument: input.argument(),
        strategy: selection.strategy,
        encoding: selection.encoding,
        theme,
        module: selection.module,
        symbol: selection.symbol,
    })
}
