//! The constants, fields and properties that calls call, and what the calls pass to those whose signature is not known.
//!
//! `export const useStore = create()(…)`, where `create` is outside the sources, holds a function whose signature is
//! not known. It is described as a function, like a class with an unknown constructor. `export const Row = memo(Inner)`
//! holds the function `Inner`, whose signature it has.

use super::resolve::ResolvedCall;
use crate::linked::{DefinitionRow, LinkedDefinition, LinkedParameter};
use crate::typescript::{
    callees::{CalledValues, ValueCalls},
    rows::DefinitionRows,
    source_file::SourceFile,
};
use apidisc_facts::{
    program::{DefinitionKind, Modifiers},
    syntax::typescript::facts::CallExprKind,
};

/// The called values of a program.
pub(in crate::typescript) fn called_values(files: &[SourceFile], resolved: &[Vec<ResolvedCall>]) -> CalledValues {
    let mut values = CalledValues::default();
    for (file, resolved) in files.iter().zip(resolved) {
        for (site, resolved) in file.facts.calls.iter().zip(resolved) {
            let Some(value) = resolved.value else { continue };
            let is_new = site.kind == CallExprKind::New;
            let calls = values.entry(value).or_insert_with(|| ValueCalls { is_new, ..ValueCalls::default() });
            calls.is_new &= is_new;
            calls.is_component |= site.kind == CallExprKind::Jsx;
            calls.held = resolved.candidates.first().copied();
            for (at, argument) in site.arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread) {
                if argument.keys.is_some() && !calls.objects.contains(&(at as u16)) {
                    calls.objects.push(at as u16);
                }
            }
        }
    }
    values
}

/// Describes the called constants that hold a definition as that definition: with its signature and overloads, since
/// calls are bound to them. The signatures of all definitions must be complete.
pub(in crate::typescript) fn describe_holding_constants(
    called: &CalledValues,
    rows: &DefinitionRows,
    definitions: &mut [LinkedDefinition],
) {
    for (value, calls) in called {
        let held = calls.held.and_then(|held| rows.of_def.get(&held));
        let (Some(constant), Some(held)) = (rows.of_value(*value), held) else { continue };
        if constant == *held {
            continue;
        }
        let description = &definitions[constant.index()];
        let is_function = description.kind == DefinitionKind::Function && description.modifiers.is_constant;
        let held_description = &definitions[held.index()];
        let has_result = held_description.signature.as_ref().is_some_and(|signature| signature.result.is_some());
        let is_other = || has_result || !has_parameters_of(description, held_description);
        if description.kind == DefinitionKind::Constant || is_function && is_other() {
            describe_as(constant, *held, calls.is_new, definitions);
        }
    }
}

/// Whether two definitions have the same parameters in the same positions, so that arguments that are bound to the
/// parameters of one are bound to those of the other.
pub(super) fn has_parameters_of(definition: &LinkedDefinition, other: &LinkedDefinition) -> bool {
    let (own, others) = (parameters(definition), parameters(other));
    own.iter().map(|p| (&p.name, p.within)).eq(others.iter().map(|p| (&p.name, p.within)))
}

fn parameters(definition: &LinkedDefinition) -> &[LinkedParameter] {
    definition.signature.as_ref().map_or(&[], |signature| &signature.parameters)
}

fn describe_as(constant: DefinitionRow, held: DefinitionRow, is_new: bool, definitions: &mut [LinkedDefinition]) {
    let held = &definitions[held.index()];
    let (signature, overloads) = (held.signature.clone(), held.overloads.clone());
    let (type_names, type_imports) = (held.type_names.clone(), held.type_imports.clone());
    let constant = &mut definitions[constant.index()];
    constant.kind = DefinitionKind::Function;
    constant.modifiers = Modifiers { is_constant: true, is_new, ..Modifiers::default() };
    (constant.signature, constant.overloads) = (signature, overloads);
    (constant.annotation, constant.value) = (None, None);
    (constant.type_names, constant.type_imports) = (type_names, type_imports);
}
