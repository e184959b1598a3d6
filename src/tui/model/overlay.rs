//! What lies over the panes and takes the keys.

use tui_input::Input;

use super::{DocumentOverlay, Finder, Origins, Picker};

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// A text to read.
    Document(DocumentOverlay),
    /// A list to choose from.
    Picker(Picker),
    /// Finding anything by its name.
    Find(Box<Finder>),
    /// Which calls count, and how often.
    Origins(Origins),
    /// A path to write the stub to.
    Write(WritePrompt),
    /// A name to save a profile under.
    Save(SavePrompt),
}

/// A name that is being typed.
#[derive(Debug)]
pub struct SavePrompt {
    /// The name.
    pub input: Input,
    /// How far it is.
    pub state: Saving,
}

/// How far the saving of a profile is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saving {
    /// The name is being typed.
    Typing,
    /// It cannot be saved so, and why.
    Refused(String),
    /// In that file there is one already: the next Enter replaces it.
    Exists(String),
    /// It is in that file.
    Done(String),
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
