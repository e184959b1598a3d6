//! `--screenshot`: the explorer's screen as a picture.

use std::path::PathBuf;

use super::{Explore, output};

/// Draws the explorer's screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Screenshot {
    /// The options of the explorer.
    pub explore: Explore,
    /// The file to write; `-` is standard output.
    pub output: PathBuf,
    /// The columns and rows of the window.
    pub size: (u16, u16),
    /// The keys to press, in the syntax of [`crate::tui::input::keys`]. Several sequences make a moving picture.
    pub keys: Vec<String>,
}

impl Screenshot {
    /// Writes the picture; a file is replaced atomically.
    pub fn write(&self, svg: &str) -> anyhow::Result<()> {
        output::write(Some(&self.output), |out| out.write_all(svg.as_bytes()))
    }
}
