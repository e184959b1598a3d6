//! The arguments that calls pass to constructors and functions which are not known: a base class outside of the
//! sources, a mixin or the result of a call may declare them. Each argument becomes a parameter, and each property of
//! an object literal becomes a property of that parameter, so that they are counted and shown.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::resolve::ResolvedCall;
use crate::linked::{DefinitionRow, LinkedDefinition, LinkedParameter, LinkedSignature};
use crate::typescript::{rows::DefinitionRows, source_file::SourceFile};
use apidisc_facts::{
    program::{DefinitionKind, ParameterKind, PropertyArgument, most_passed, unknown_parameter},
    syntax::typescript::facts::{CallExpr, FileFacts},
};

/// The greatest number of arguments of one callee that become parameters.
const MAX_ARGUMENTS: usize = 8;

/// The arguments that calls of one callee pass: for each position, the properties of object literals there, each
/// with the number of calls that pass it.
type PassedArguments = Vec<FxHashMap<CompactString, u32>>;

/// Gives each class whose constructor is not known, and each called value whose function is not known, a signature with
/// the arguments that its calls pass. A class that no call passes an argument to stays without a signature.
pub(in crate::typescript) fn name_passed_arguments(
    files: &[SourceFile],
    resolved: &[Vec<ResolvedCall>],
    rows: &DefinitionRows,
    definitions: &mut [LinkedDefinition],
) {
    let mut passed: FxHashMap<DefinitionRow, PassedArguments> = FxHashMap::default();
    for (file, resolved) in files.iter().zip(resolved) {
        for (site, resolved) in file.facts.calls.iter().zip(resolved) {
            let row = match (&resolved.candidates[..], resolved.value) {
                (&[candidate], _) => rows.of_def.get(&candidate).copied(),
                ([], Some(value)) => rows.of_value(value),
                // A call with several candidates counts for none of them.
                _ => None,
            };
            let Some(row) = row else { continue };
            let callee = &definitions[row.index()];
            let is_class = callee.kind == DefinitionKind::Class && !site.arguments.is_empty();
            let is_unknown = callee.signature.is_none() && (is_class || callee.modifiers.is_constant);
            if is_unknown && site.line > 0 {
                add(passed.entry(row).or_default(), &file.facts, site);
            }
        }
    }
    for (row, passed) in passed {
        let callee = &mut definitions[row.index()];
        if callee.kind != DefinitionKind::Class || !passed.is_empty() {
            callee.signature = Some(Box::new(signature(passed)));
        }
    }
}

/// Adds the arguments of a call. The positions of a spread and of the arguments after it are not known.
fn add(passed: &mut PassedArguments, facts: &FileFacts, site: &CallExpr) {
    let arguments = site.arguments.iter().take_while(|argument| !argument.is_spread).take(MAX_ARGUMENTS);
    for (at, argument) in arguments.enumerate() {
        if passed.len() == at {
            passed.push(FxHashMap::default());
        }
        for key in argument.keys.iter().flatten() {
            let name = CompactString::new(facts.name(key.name));
            if !PropertyArgument::is_hidden(&name) {
                *passed[at].entry(name).or_default() += 1;
            }
        }
    }
}

fn signature(passed: PassedArguments) -> LinkedSignature {
    let mut parameters = Vec::new();
    for (at, properties) in passed.into_iter().enumerate() {
        let object = parameters.len() as u16;
        parameters.push(LinkedParameter::undeclared(unknown_parameter(at), ParameterKind::PositionalOnly, None));
        let properties = most_passed(properties).into_iter();
        parameters
            .extend(properties.map(|name| LinkedParameter::undeclared(name, ParameterKind::Property, Some(object))));
    }
    LinkedSignature { parameters, is_incomplete: true, ..LinkedSignature::default() }
}
