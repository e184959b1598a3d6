//! Calls of a package in a clone of its repository, which readers can learn from.

use std::sync::Arc;

use super::{
    build_steps::threads,
    builder::{BuildError, BuildOutcome, Builder, Progress},
    facts_store::FactsStore,
    typical_calls::quote_for_readers,
};
use crate::index::ExampleCall;
use apidisc_base::control::{Control, StepReports};
use apidisc_facts::source::Source;

/// Reads the example calls of a package: the best one of each definition. `Ok(None)` if the observer cancelled.
///
/// # Errors
/// [`BuildError`] if the source cannot be opened.
pub fn examples(
    source: &Source,
    store: Option<Arc<dyn FactsStore>>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Result<Option<Vec<ExampleCall>>, BuildError> {
    let mut builder = Builder::new(source.clone());
    builder.set_store(store);
    let BuildOutcome::Index { index, .. } = builder.build(observe)? else { return Ok(None) };
    let (steps, _reports) = StepReports::new();
    let quoted = threads()?.install(|| quote_for_readers(&index, source, builder.contents(), &steps));
    let example = |(id, call, text)| {
        let (definition, call) = (index.definition(id), index.call(call));
        ExampleCall {
            language: definition.language,
            fqn: definition.fqn.clone(),
            alias: definition.alias.clone(),
            call: text,
            place: format!("{}:{}", index.file(call.file).path, call.line),
        }
    };
    let mut examples: Vec<ExampleCall> = quoted.into_iter().map(example).collect();
    examples.sort_unstable_by(|a, b| (&a.fqn, &a.place, &a.call).cmp(&(&b.fqn, &b.place, &b.call)));
    Ok(Some(examples))
}
