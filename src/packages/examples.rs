//! Examples of installed packages from clones of their repositories.

use crate::cache::{self, Cache};
use apidisc::{
    control::Control,
    index::{ExampleCall, Index},
    indexer::{self, BuildError, Builder, Progress},
    packages::Dependency,
    source::{LinkedSources, Source},
    unprintable::escaped_line,
};

/// Adds the examples that the list of `source` names to an index with these packages. Returns what a person should
/// know: which examples could not be read, and why. `None` if the observer cancelled.
pub fn add(
    index: &mut Index,
    source: &Source,
    packages: &[Dependency],
    cache: Option<&Cache>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Option<Vec<String>> {
    let mut notes = Vec::new();
    for of_source in source.examples() {
        let name = escaped_line(&of_source.source.name);
        let mut note = |why: String| notes.push(format!("examples of {name}: {why}"));
        let mut wanted = Vec::new();
        for package in &of_source.packages {
            match Dependency::find(packages, package) {
                Ok(found) => wanted.push(found),
                Err(why) => note(why.to_string()),
            }
        }
        if wanted.is_empty() {
            continue;
        }
        if let Source::Missing { url, why } = &of_source.source.source {
            note(format!("{}: {}", escaped_line(url), escaped_line(why)));
            continue;
        }
        let only = Source::Linked(LinkedSources::new(vec![of_source.source.clone()]));
        match calls_of(&only, cache, observe) {
            Ok(Some(calls)) => index.add_examples(&of_source.source.name, &wanted, &calls),
            Ok(None) => return None,
            Err(why) => note(why.to_string()),
        }
    }
    Some(notes)
}

/// Indexes a clone, or takes its index from the cache, and reads its example calls. `Ok(None)` if the observer
/// cancelled.
fn calls_of(
    clone: &Source,
    cache: Option<&Cache>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Result<Option<Vec<ExampleCall>>, BuildError> {
    let kept = cache.and_then(|cache| cache.open(clone));
    let mut builder = Builder::new(clone.clone());
    let Some(index) = cache::build(&mut builder, kept, observe)? else { return Ok(None) };
    indexer::examples(&index, clone, builder.contents()).map(Some)
}
