//! `--export`: the stub that the explorer shows, or the overview, without a screen.

use std::{
    io::{self, IsTerminal as _, Write},
    path::PathBuf,
    sync::Arc,
    thread,
};

use super::{ExportedPackage, Input, RequestSource, note, output};
use crate::{cache::Cache, clipboard::Clipboard};
use apidisc::{
    answers::{Context, GetRepoOverview, MAX_ANSWER_TOKENS, SymbolTable, get_repo_overview},
    delivery::{Format, StubRequest},
    first_call::FirstCalls,
    index::Index,
    source::{Source, reread},
    strategy::Strategy,
    tokens::Tokenizer,
};

/// What the title of a stub counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TitleCount {
    /// Calls and reads.
    #[default]
    Calls,
    /// All uses.
    Uses,
}

/// Prints a stub, or the overview of its module.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportStub {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The scope, strategy and format of the stub.
    pub request: RequestSource,
    /// The installed package whose use is shown; `None` for the code itself.
    pub package: Option<ExportedPackage>,
    /// Print the overview of the repository, module or package in place of its stub.
    pub is_overview: bool,
    /// What the title counts.
    pub count: TitleCount,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Copy the same bytes to the clipboard too.
    pub copy: bool,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl ExportStub {
    /// Indexes, prints and copies the stub, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut request = self.request.resolve(&self.input)?;
        let encoding = request.encoding;
        // Loading a tokenizer takes 0.1 to 0.2 s, so it runs in parallel with indexing.
        thread::spawn(move || Tokenizer::load(encoding));
        let package = self.package.clone().or_else(|| ExportedPackage::of_profile(&request));
        let (index, source) = match &package {
            None => self.input.load_with_source(self.cache.as_ref())?,
            Some(package) => {
                let cache = self.cache.as_ref();
                let loaded = self.input.load_with_packages(cache, &package.environment, self.verbose)?;
                let source = loaded.1.clone();
                (package.narrow(&mut request, loaded, cache)?, source)
            }
        };
        if self.input.is_empty(&index) {
            anyhow::bail!(super::input::NOTHING_FOUND);
        }
        let index = if self.count == TitleCount::Uses { index.with_counted_uses() } else { index };
        let with_place = |error| self.request.with_place(&self.input, error);
        let index = request.weighted(&Arc::new(index)).map_err(|error| with_place(error.into()))?;
        if self.is_overview {
            self.print_overview(&request, Arc::clone(&index), source.as_ref())?;
            return self.input.report(&index, self.verbose);
        }
        let mut delivery = request.deliver(&index).map_err(with_place)?;
        if let Ok((_, Some(choice))) = index.scope_meant(request.module.as_deref(), request.symbol.as_deref()) {
            note(&choice.to_string());
        }
        let read = |path: &str| source.as_ref().and_then(|source| reread(source, path));
        let mut first_calls = FirstCalls::new(&index, &read);
        delivery.add_first_calls(&index, request.format, |id| first_calls.of(id));
        self.write(&delivery.text, delivery.tokens)?;
        self.input.report(&index, self.verbose)
    }

    /// Prints the text that `get_repo_overview` answers with, or its data as JSON.
    fn print_overview(&self, cut: &StubRequest, index: Arc<Index>, source: Option<&Source>) -> anyhow::Result<()> {
        let max_tokens = match cut.strategy {
            Strategy::TokenBudget { max_tokens } => i64::try_from(max_tokens).unwrap_or(i64::MAX),
            _ => MAX_ANSWER_TOKENS,
        };
        let table = SymbolTable::new(index);
        let read = |path: &str| source.and_then(|source| reread(source, path));
        let context = Context { encoding: cut.encoding, ..Context::new(&table, &read) };
        let wanted = GetRepoOverview { module: cut.module.clone(), max_tokens: max_tokens.min(MAX_ANSWER_TOKENS) };
        let answer = get_repo_overview(&context, &wanted)?;
        match cut.format {
            Format::Json => self.write(&(serde_json::to_string_pretty(&answer.data)? + "\n"), answer.tokens),
            _ => self.write(&answer.text, answer.tokens),
        }
    }

    /// Writes a text, and copies it if that is wanted.
    fn write(&self, text: &str, tokens: usize) -> anyhow::Result<()> {
        output::write(self.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        if self.copy {
            copy(text, tokens)?;
        }
        Ok(())
    }
}

/// Copies a delivered text to the clipboard.
pub(super) fn copy(text: &str, tokens: usize) -> anyhow::Result<()> {
    let way = Clipboard::default().copy(text, &mut StderrTerminal)?;
    note(&format!("copied {tokens} tokens through {way}"));
    Ok(())
}

/// Standard error if that is a terminal: an escape sequence must not end up in a log.
struct StderrTerminal;

impl Write for StderrTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stderr = io::stderr();
        if !stderr.is_terminal() {
            return Err(io::Error::other("no clipboard and no terminal to ask for one; write to a file with -o"));
        }
        stderr.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
