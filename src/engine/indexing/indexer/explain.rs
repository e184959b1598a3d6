//! Explains how single calls of a source were resolved.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    build_state::BuildState,
    build_steps::{link, parse_files, read_project_files, threads},
    builder::{BuildError, Progress},
    facts_store::FactsStore,
    kept_index::KeptIndex,
    libraries::{Libraries, LibrarySettings},
};
use crate::packages::imported_name;
use apidisc_base::{control::Control, language::Language};
use apidisc_facts::{
    program::UnresolvedReason,
    source::{self, NOT_INSTALLED, Roots, Source, WalkedSource},
};
use apidisc_link::{
    explanation::{AskedCalls, CallExplanation},
    linked::{LinkedDefinition, LinkedProgram},
};

/// What [`explain`] found at a place.
#[derive(Debug)]
pub struct ExplainedCalls {
    /// True if the sources have a file of the asked path.
    pub is_file: bool,
    /// The calls at the place, by column. Empty if none begins there.
    pub calls: Vec<ExplainedCall>,
    /// What was found of packages.
    pub libraries: Libraries,
}

/// The explanation of a call.
#[derive(Debug)]
pub struct ExplainedCall {
    /// How it is resolved.
    pub explanation: CallExplanation,
    /// The language of its file.
    pub language: Language,
    /// True if it calls something outside of the sources that was not read.
    pub is_outside: bool,
    /// The full name of what it calls, if that is in a package which cannot be read.
    pub absent: Option<CompactString>,
}

/// Reads, parses and links a source on all cores, with the packages that `libraries` finds, and explains how the asked
/// calls are resolved. Files whose facts are in `store` are not parsed. All files are linked, since the arguments of
/// their calls say what parameters are. `Ok(None)` if the observer cancelled.
///
/// # Errors
/// [`BuildError`] if the source cannot be opened.
pub fn explain(
    source: &Source,
    asked: &AskedCalls,
    libraries: Option<LibrarySettings>,
    store: Option<&Arc<dyn FactsStore>>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Result<Option<ExplainedCalls>, BuildError> {
    let mut diagnostics = Vec::new();
    let WalkedSource { found, project, .. } = source::walk(source, &mut diagnostics)?;
    let is_file = found.iter().any(|file| file.path == asked.path);
    if !is_file {
        return Ok(Some(ExplainedCalls { is_file, calls: Vec::new(), libraries: Libraries::default() }));
    }
    let pool = threads()?;
    let project = read_project_files(source, &project, &found, &mut Vec::new(), &mut diagnostics);
    let mut state = BuildState::new(source.metas(), project, diagnostics);
    state.roots = Roots::of(source);
    state.look_for(libraries, store.cloned(), &found);
    let kept = store.and_then(|store| store.index());
    let known = kept.as_deref().and_then(KeptIndex::new).map(KeptIndex::into_known_files).unwrap_or_default();
    let (old, store) = (FxHashMap::default(), store.map(|store| &**store));
    if parse_files(source, found, (old, &known), store, &pool, &mut state, observe).is_none() {
        return Ok(None);
    }
    let linked = link(&mut state, Vec::new(), &pool, Some(asked), observe);
    let libraries = state.found_packages.take().map(|found| found.libraries).unwrap_or_default();
    Ok(linked.map(|(linked, _)| ExplainedCalls { is_file, calls: explained(linked, &asked.path), libraries }))
}

/// The explanations of a program, which are of calls of the file with this path, and where those calls lead.
fn explained(linked: LinkedProgram, path: &str) -> Vec<ExplainedCall> {
    let LinkedProgram { files, definitions, explanations, .. } = linked;
    let of_path = || files.iter().filter(|file| file.path == path);
    let calls = explanations.into_iter().filter_map(|explanation| {
        let place = (explanation.line, explanation.col);
        let found =
            of_path().find_map(|file| Some((file, file.calls.iter().find(|call| (call.line, call.col) == place)?)));
        let (file, call) = found?;
        let called = call.candidates.first().map(|row| &definitions[row.index()]);
        let is_absent = |definition: &&LinkedDefinition| files[definition.file].path.starts_with(NOT_INSTALLED);
        let absent = called.filter(is_absent).map(|definition| imported_name(&definition.fqn).into());
        let is_outside = absent.is_some() || (called.is_none() && call.why == UnresolvedReason::External);
        Some(ExplainedCall { explanation, language: file.language, is_outside, absent })
    });
    calls.collect()
}
