//! Explains how single calls of a source were resolved.

use rustc_hash::FxHashMap;

use super::{
    build_state::BuildState,
    build_steps::{link, parse_files, read_project_files, threads},
    builder::{BuildError, Progress},
    kept_index::KnownFiles,
    libraries::LibrarySettings,
};
use apidisc_base::control::Control;
use apidisc_facts::source::{self, Roots, Source, WalkedSource};
use apidisc_link::explanation::{AskedCalls, CallExplanation};

/// What [`explain`] found at a place.
#[derive(Debug)]
pub struct ExplainedCalls {
    /// True if the sources have a file of the asked path.
    pub is_file: bool,
    /// The calls at the place, by column. Empty if none begins there.
    pub calls: Vec<CallExplanation>,
}

/// Reads, parses and links a source on all cores, with the packages that `libraries` finds, and explains how the asked
/// calls are resolved. `Ok(None)` if the observer cancelled.
///
/// # Errors
/// [`BuildError`] if the source cannot be opened.
pub fn explain(
    source: &Source,
    asked: &AskedCalls,
    libraries: Option<LibrarySettings>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Result<Option<ExplainedCalls>, BuildError> {
    let mut diagnostics = Vec::new();
    let WalkedSource { found, project, .. } = source::walk(source, &mut diagnostics)?;
    let is_file = found.iter().any(|file| file.path == asked.path);
    if !is_file {
        return Ok(Some(ExplainedCalls { is_file, calls: Vec::new() }));
    }
    let pool = threads()?;
    let project = read_project_files(source, &project, &found, &mut Vec::new(), &mut diagnostics);
    let mut state = BuildState::new(source.metas(), project, diagnostics);
    state.roots = Roots::of(source);
    state.look_for(libraries, None);
    let known = KnownFiles::default();
    if parse_files(source, found, (FxHashMap::default(), &known), None, &pool, &mut state, observe).is_none() {
        return Ok(None);
    }
    let linked = link(&mut state, Vec::new(), &pool, Some(asked), observe);
    Ok(linked.map(|(linked, _)| ExplainedCalls { is_file, calls: linked.explanations }))
}
