//! The content hashes of a source's files, read without parsing. They tell whether an index of the source is stale.

use rayon::prelude::*;

use super::BuildError;
use apidisc_facts::source::{self, Contents, Source};

/// Walks a source and hashes the files that a build would read.
///
/// # Errors
/// [`BuildError`] if the source cannot be opened.
pub fn contents(source: &Source) -> Result<Contents, BuildError> {
    let walked = source::walk(source, &mut Vec::new())?;
    let files = walked.found.into_par_iter().chain(walked.project);
    Ok(Contents::new(files.map(|file| (file.path.clone(), source::content(source, &file).short())).collect()))
}
