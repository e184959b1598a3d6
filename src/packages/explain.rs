//! How single calls of a program are resolved, in words, for every face.

use super::settings;
use crate::cache::Cache;
use apidisc::{
    control::Control,
    dependencies::{CallOrigins, dependencies},
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::{self, AskedCalls, CallExplanation, Progress},
    source::Source,
};

/// The explanations of the calls at a place.
#[derive(Debug)]
pub struct Explained {
    /// True if the sources have a file of the asked path.
    pub is_file: bool,
    /// The calls at the place, by column, each with the result in words. Empty if none begins there.
    pub calls: Vec<(CallExplanation, String)>,
}

/// Links the sources with the packages that they use, and explains the asked calls. Files whose facts are in `cache`
/// are not parsed. `Ok(None)` if the observer cancelled.
///
/// # Errors
/// One line: the sources cannot be opened.
pub fn explain(
    source: &Source,
    asked: &AskedCalls,
    environment: &EnvironmentSetting,
    cache: Option<&Cache>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Result<Option<Explained>, String> {
    let settings = settings(source, environment);
    let open = |cache: &Cache| match &settings {
        Some(_) => cache.open_with_packages(source),
        None => cache.open(source),
    };
    let store = cache.and_then(open).map(|kept| kept.store());
    let explained = indexer::explain(source, asked, settings, store.as_ref(), observe);
    let Some(explained) = explained.map_err(|error| error.to_string())? else { return Ok(None) };
    let libraries = &explained.libraries;
    let packages = dependencies(&Index::default(), libraries);
    let origins = CallOrigins::new(&packages, libraries);
    let calls = explained.calls.into_iter().map(|call| {
        let place = (call.explanation.line, call.explanation.col);
        let origin = call.is_outside.then(|| origins.of_call(&asked.path, call.language, place)).flatten();
        let result = match origin {
            Some(origin) => origin.in_words(call.absent.as_deref()),
            None => call.explanation.result.clone(),
        };
        (call.explanation, result)
    });
    Ok(Some(Explained { is_file: explained.is_file, calls: calls.collect() }))
}
