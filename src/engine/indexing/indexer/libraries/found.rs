//! What was found of the packages of a program, in a form that outlives the process.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Libraries, LibrarySettings, package_file::StampedFile};
use apidisc_environment::listing::looks::{Look, Looks};

/// What was found of the packages of a program, with all that it depends on besides the program.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) struct FoundPackages {
    settings: LibrarySettings,
    /// What was looked at to find the packages and their files.
    looks: Looks,
    /// The files that were read.
    files: Vec<StampedFile>,
    pub(in super::super) libraries: Libraries,
}

impl FoundPackages {
    pub(super) fn new(settings: LibrarySettings, looks: Looks, files: Vec<StampedFile>, libraries: Libraries) -> Self {
        Self { settings, looks, files, libraries }
    }

    /// True if these settings would find the same packages for the same program: every look at the disk would have the
    /// same answer, and every file of a package has the same content.
    pub(in super::super) fn are_current(&self, settings: &LibrarySettings) -> bool {
        let looks: Vec<Look<'_>> = self.looks.iter().collect();
        self.settings == *settings
            && looks.par_iter().all(Look::is_current)
            && self.files.par_iter().all(StampedFile::is_current)
    }
}
