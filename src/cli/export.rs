//! `--export`: the stub that the explorer shows, without a screen.

use std::{
    io::{self, IsTerminal as _, Write},
    path::PathBuf,
    sync::Arc,
    thread,
};

use super::{Input, note, output};
use crate::{
    clipboard::Clipboard,
    engine::{
        strategy::Strategy,
        stub::{self, Format},
        tokens::{Encoding, Tokenizer},
    },
};

/// What part of an index is looked at, and how it is cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// A module or package, in full, by an alias or by a unique suffix.
    pub module: Option<String>,
    /// A definition, likewise.
    pub symbol: Option<String>,
    /// What stays.
    pub strategy: Strategy,
    /// What counts tokens.
    pub encoding: Encoding,
}

/// What is put around the stub, and where it goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Around the stub.
    pub format: Format,
    /// The file to write; standard output where there is none.
    pub output: Option<PathBuf>,
    /// Copy the same bytes to the clipboard too.
    pub copy: bool,
}

/// Prints a stub.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// What is indexed.
    pub input: Input,
    /// Which part of it, cut how.
    pub selection: Selection,
    /// In which form, to where.
    pub envelope: Envelope,
    /// Name every file that could not be read in full.
    pub verbose: bool,
}

impl Export {
    /// Does it.
    pub fn run(&self) -> anyhow::Result<()> {
        let Selection { module, symbol, strategy, encoding } = self.selection.clone();
        // Loading a tokenizer takes a tenth of a second or two: it happens beside the indexing.
        thread::spawn(move || Tokenizer::load(encoding));
        let index = Arc::new(self.input.load()?);
        if index.files.is_empty() && matches!(self.input, Input::Folder(_)) {
            anyhow::bail!(super::input::NOTHING_FOUND);
        }
        let scope = index.scope(module.as_deref(), symbol.as_deref())?;
        let delivery = stub::deliver(&index, scope, &strategy, &Tokenizer::load(encoding), self.envelope.format)?;
        output::write(self.envelope.output.as_deref(), |out| out.write_all(delivery.text.as_bytes()))?;
        if self.envelope.copy {
            let way = Clipboard::default().copy(&delivery.text, &mut Terminal)?;
            note(&format!("copied {} tokens through {way}", delivery.tokens));
        }
        self.input.report(&index, self.verbose);
        Ok(())
    }
}

/// Standard error where that is a terminal: an escape sequence has no place in a log.
struct Terminal;

impl Write for Terminal {
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
