//! What lies over the panes and takes the keys.

use tui_input::Input;

use super::{Finder, Origins, Picker, Reading};

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// A text to read.
    Page(Reading),
    /// A list to choose from.
    Picker(Picker),
    /// Finding anything by its name.
    Find(Box<Finder>),
    /// Which calls count, and how often.
    Origins(Origins),
    /// A path to write the stub to.
    Write(WritePrompt),
}

/// A path that is being typed.
#[derive(Debug)]
pub struct WritePrompt {
    /// The path.
    pub input: Input,
    /// The path to begin with, as long as nobody types another.
    pub suggestion: String,
    /// The command that prints the same bytes.
    pub command: String,
    /// Something is there already: the next Enter replaces it.
    pub confirm: bool,
}
