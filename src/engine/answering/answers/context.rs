//! The inputs of every function: an index with its symbols, the sources, the tokenizer, and the symbols that the
//! session holds.

use super::{Held, SymbolTable};
use apidisc_facts::source::SourceText;
use apidisc_tokens::Encoding;

/// Reads a file of the sources by its path in the index; `None` if the file cannot be read. For sources on this machine
/// it is [`apidisc_facts::source::reread`], which never follows a path out of the source.
pub type ReadSource<'a> = dyn Fn(&str) -> Option<SourceText> + 'a;

/// The inputs of every function.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The symbols of the index, and the index.
    pub symbols: &'a SymbolTable,
    /// Reads the files of the index.
    pub read: &'a ReadSource<'a>,
    /// The encoding in which budgets and answers are counted.
    pub encoding: Encoding,
    /// The symbols that the session holds; `None` without a session.
    pub held: Option<&'a Held>,
}

impl<'a> Context<'a> {
    /// A context without a session, which counts in the default encoding.
    pub fn new(symbols: &'a SymbolTable, read: &'a ReadSource<'a>) -> Self {
        Self { symbols, read, encoding: Encoding::default(), held: None }
    }
}
