//! `--export`: the stub that the explorer shows, without a screen.

use std::{
    io::{self, IsTerminal as _, Write},
    path::PathBuf,
    sync::Arc,
    thread,
};

use super::{ExportedPackage, Input, RequestSource, note, output};
use crate::{cache::Cache, clipboard::Clipboard};
use apidisc::{first_call::FirstCalls, source::reread, tokens::Tokenizer};

/// Prints a stub.
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
        let with_place = |error| self.request.with_place(&self.input, error);
        let index = request.weighted(&Arc::new(index)).map_err(|error| with_place(error.into()))?;
        let mut delivery = request.deliver(&index).map_err(with_place)?;
        let read = |path: &str| source.as_ref().and_then(|source| reread(source, path));
        let mut first_calls = FirstCalls::new(&index, &read);
        delivery.add_first_calls(&index, request.format, |id| first_calls.of(id));
        output::write(self.output.as_deref(), |out| out.write_all(delivery.text.as_bytes()))?;
        if self.copy {
            copy(&delivery.text, delivery.tokens)?;
        }
        self.input.report(&index, self.verbose)
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
