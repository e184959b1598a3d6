//! `--screenshot`: what the explorer would show, as a picture.

use std::path::PathBuf;

use super::{Explore, output};

/// Draws the explorer's screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Screenshot {
    /// What the explorer opens with.
    pub explore: Explore,
    /// The file to write; `-` is standard output.
    pub output: PathBuf,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The keys that are pressed, in words.
    pub keys: String,
}

impl Screenshot {
    /// Writes the picture, whole or not at all.
    pub fn write(&self, svg: &str) -> anyhow::Result<()> {
        output::write(Some(&self.output), |out| out.write_all(svg.as_bytes()))
    }
}
