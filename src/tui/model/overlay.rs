//! What lies over the panes and takes the keys.

use tui_input::Input;

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// The table of commands; the first visible line.
    Help(usize),
    /// What was counted and what was not; the first visible line.
    Ledger(usize),
    /// A path to write the stub to.
    Write(WritePrompt),
}

/// A path that is being typed.
#[derive(Debug)]
pub struct WritePrompt {
    /// The path.
    pub input: Input,
    /// The command that prints the same bytes.
    pub command: String,
    /// Something is there already: the next Enter replaces it.
    pub confirm: bool,
}
