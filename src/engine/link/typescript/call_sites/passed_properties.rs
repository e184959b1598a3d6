//! The properties that calls pass to an object parameter whose type is known in part: `Own & Outside`, or an interface
//! with a base outside of the sources. Those that no known part declares become properties of the parameter.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::resolve::ResolvedCall;
use crate::linked::{LinkedDefinition, LinkedParameter, LinkedSignature};
use crate::typescript::{
    callees::MAX_PROPERTIES,
    infer::Linker,
    program::GlobalDef,
    rows::DefinitionRows,
    source_file::SourceFile,
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::{ParameterKind, PropertyArgument},
    syntax::typescript::facts::{Arg, CallExpr, FileFacts},
};

/// The greatest number of bases and constituents between a type and a part that is not known.
const MAX_DEPTH: u32 = 6;

/// Adds the passed properties to the signatures of functions.
pub(in crate::typescript) fn name_passed_properties(
    linker: &mut Linker<'_>,
    files: &[SourceFile],
    resolved: &[Vec<ResolvedCall>],
    rows: &DefinitionRows,
    definitions: &mut [LinkedDefinition],
) {
    let mut open: FxHashMap<(GlobalDef, usize), bool> = FxHashMap::default();
    for (file, resolved) in files.iter().zip(resolved) {
        for (site, resolved) in file.facts.calls.iter().zip(resolved) {
            if site.arguments.iter().all(|argument| argument.keys.is_none()) {
                continue;
            }
            let &[candidate] = &resolved.candidates[..] else { continue };
            let Some(&row) = rows.of_def.get(&candidate) else { continue };
            let definition = &mut definitions[row.index()];
            let Some(signature) = definition.signature.as_mut().filter(|_| definition.overloads.is_empty()) else {
                continue;
            };
            for (at, parameter, names) in undeclared(&file.facts, site, resolved.bound, signature) {
                let is_open = open.entry((candidate, at)).or_insert_with(|| {
                    linker.budget.begin_query();
                    let has_parameter = linker.program.function(candidate).is_some_and(|f| f.params.len() > at);
                    has_parameter && {
                        let ty = linker.parameter_type(candidate, at as u16);
                        is_known_in_part(linker, ty, 0)
                    }
                });
                let room = MAX_PROPERTIES.saturating_sub(signature.parameters.len());
                let names = names.into_iter().filter(|_| *is_open).take(room);
                let property = |name| LinkedParameter::undeclared(name, ParameterKind::Property, Some(parameter));
                signature.parameters.extend(names.map(property));
            }
        }
    }
}

/// The properties of a call that no parameter has: the place of the argument, the position of its parameter, and the
/// names. A parameter without any known property is left out, since nothing is known of its type.
fn undeclared(
    facts: &FileFacts,
    site: &CallExpr,
    bound: usize,
    signature: &LinkedSignature,
) -> Vec<(usize, u16, Vec<CompactString>)> {
    let parameters = &signature.parameters;
    let declared: Vec<u16> =
        (0..parameters.len()).filter(|&at| parameters[at].within.is_none()).map(|at| at as u16).collect();
    let arguments = site.arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread);
    let of_argument = |(at, argument): (usize, &Arg)| {
        let keys = argument.keys.as_ref()?;
        let &parameter = declared.get(at + bound)?;
        let properties = || parameters.iter().filter(|property| property.within == Some(parameter));
        if properties().next().is_none() || parameters[usize::from(parameter)].is_variadic() {
            return None;
        }
        let names = keys.iter().map(|key| CompactString::new(facts.name(key.name)));
        let is_new = |name: &CompactString| {
            !PropertyArgument::is_hidden(name) && properties().all(|property| property.name != *name)
        };
        let names: Vec<CompactString> = names.filter(is_new).collect();
        (!names.is_empty()).then_some((at + bound, parameter, names))
    };
    arguments.filter_map(of_argument).collect()
}

/// True for an object type of which a constituent or a base is not known.
fn is_known_in_part(linker: &mut Linker<'_>, ty: InternedType, depth: u32) -> bool {
    let Some(_level) = nesting::descend() else { return false };
    if depth > MAX_DEPTH {
        return false;
    }
    match linker.types.kind(ty).clone() {
        TypeKind::Any | TypeKind::External | TypeKind::Unknown => true,
        TypeKind::Intersection(parts) => parts.into_iter().any(|part| is_known_in_part(linker, part, depth + 1)),
        TypeKind::Reference(symbol, _) => linker.program.definitions(symbol).into_iter().any(|def| {
            let is_class = linker.program.def(def).class().is_some();
            let bases = if is_class { InternedTypes::new() } else { linker.base_types(def) };
            bases.into_iter().any(|base| is_known_in_part(linker, base, depth + 1))
        }),
        _ => false,
    }
}
