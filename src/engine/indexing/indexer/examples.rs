//! Calls of a package in a clone of its repository, which readers can learn from.

use super::{build_steps::threads, builder::BuildError, typical_calls::quote_for_readers};
use crate::index::{ExampleCall, Index};
use apidisc_base::control::StepReports;
use apidisc_facts::source::{Contents, Source};

/// The example calls of a package: the best one of each definition. `index` is the index of `source`, the clone, and
/// `contents` are the contents of the files that were indexed.
///
/// # Errors
/// [`BuildError`] if no threads can be started.
pub fn examples(index: &Index, source: &Source, contents: &Contents) -> Result<Vec<ExampleCall>, BuildError> {
    let (steps, _reports) = StepReports::new();
    let quoted = threads()?.install(|| quote_for_readers(index, source, contents, &steps));
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
    Ok(examples)
}
