//! Overlays: they lie over the panes and take the keys.

use super::{Finder, Origins, Picker, TextField, TextOverlay};

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// A text to read.
    Text(TextOverlay),
    /// A list to choose from: commands, themes, or stubs to compare with.
    Picker(Picker),
    /// The finder.
    Find(Box<Finder>),
    /// The weights of origins and sources.
    Origins(Origins),
    /// The prompt for a path to write the stub to.
    Write(WritePrompt),
    /// The prompt for the name of a profile.
    Save(SavePrompt),
}

/// The prompt for the name of a profile.
#[derive(Debug)]
pub struct SavePrompt {
    /// The name as it is typed.
    pub input: TextField,
    /// The state of the prompt.
    pub state: Saving,
}

/// The state of the prompt for a profile's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saving {
    /// The name is being typed.
    Typing,
    /// The profile was not saved, for this reason.
    Refused(String),
    /// This file exists; the next Enter replaces it.
    Exists(String),
    /// The profile was saved in this file.
    Done(String),
}

/// The prompt for a path to write the stub to.
#[derive(Debug)]
pub struct WritePrompt {
    /// The path as it is typed.
    pub input: TextField,
    /// The suggested path, which follows the scope until the user types another.
    pub suggestion: String,
    /// The command line that prints the bytes of the stub.
    pub command: String,
    /// True if the file exists; the next Enter replaces it.
    pub is_confirming: bool,
}
