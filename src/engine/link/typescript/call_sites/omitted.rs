//! Optional parameters of JavaScript functions.
//!
//! JavaScript does not declare which parameters are optional: a call may leave out any argument, whose parameter is
//! then `undefined`. A parameter of a JavaScript function is therefore optional if a call in the sources leaves it out.

use rustc_hash::FxHashMap;

use crate::linked::{LinkedCall, LinkedDefinition, LinkedFile};
use crate::typescript::source_file::SourceFile;
use apidisc_facts::program::ArgumentKind;

/// Marks the parameters that calls leave out as not required, in definitions of JavaScript files.
pub(in crate::typescript) fn mark_omitted_parameters(
    definitions: &mut [LinkedDefinition],
    sources: &[SourceFile],
    files: &[LinkedFile],
) {
    // For each definition, the smallest number of arguments of a call.
    let mut fewest: FxHashMap<usize, usize> = FxHashMap::default();
    for call in files.iter().flat_map(|file| &file.calls) {
        if let (&[callee], Some(count)) = (&call.candidates[..], argument_count(call)) {
            fewest.entry(callee.index()).and_modify(|fewest| *fewest = count.min(*fewest)).or_insert(count);
        }
    }
    for (row, count) in fewest {
        let definition = &mut definitions[row];
        let is_javascript = sources[definition.file].is_javascript();
        let Some(signature) = definition.signature.as_mut().filter(|_| is_javascript) else { continue };
        let positional = signature.parameters.iter_mut().filter(|parameter| parameter.within.is_none());
        for parameter in positional.skip(count) {
            parameter.required = false;
        }
    }
}

/// The number of arguments of a call; `None` if an argument is spread, so that the number is unknown.
fn argument_count(call: &LinkedCall) -> Option<usize> {
    call.arguments.iter().all(|argument| argument.kind == ArgumentKind::Positional).then_some(call.arguments.len())
}
