//! Converts signatures to arguments by key, and back. Every parameter of a signature has a key of its own. Where the
//! parameter's name cannot be derived from the key, the file holds the name too.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use indexmap::IndexMap;

use super::{
    document::{MetadataArgument, MetadataArguments, MetadataEntry, MetadataOverload, MetadataParameter},
    results::MetadataResult,
    vocabulary::MetadataParameterKind,
};
use crate::usage::{ParameterUsage, Usage};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionKind, Parameter, Signature};

/// The key of each parameter: its name, or for a property the key of its object and its name. If an earlier parameter
/// has the same key, a number is added, as in `x (2)`.
pub(crate) fn keys(signature: &Signature) -> Vec<CompactString> {
    let mut keys: IndexMap<CompactString, ()> = IndexMap::new();
    for (position, parameter) in signature.parameters.iter().enumerate() {
        let object = parameter.object.map(usize::from).filter(|&object| object < position);
        let object = object.and_then(|object| keys.get_index(object)).map(|(key, ())| key.as_str());
        let plain = plain_key(&parameter.name, object);
        let mut unique = plain.clone();
        let mut number = 2;
        while keys.contains_key(&unique) {
            unique = format_compact!("{plain} ({number})");
            number += 1;
        }
        keys.insert(unique, ());
    }
    keys.into_keys().collect()
}

/// The key of a parameter called `name`, before a number is added; `object` is the key of its object.
fn plain_key(name: &str, object: Option<&str>) -> CompactString {
    match object {
        None => name.into(),
        Some("{}") => format_compact!("{{{name}}}"),
        Some(object) => format_compact!("{object}.{name}"),
    }
}

/// The name of a parameter whose key has no number; `object` is the key of its object.
fn name_in_key<'k>(key: &'k str, object: Option<&str>) -> &'k str {
    let name = match object {
        None => None,
        Some("{}") => key.strip_prefix('{').and_then(|key| key.strip_suffix('}')),
        Some(object) => key.strip_prefix(object).and_then(|key| key.strip_prefix('.')),
    };
    name.unwrap_or(key)
}

/// Converts a text for the file.
pub(super) fn text(text: Option<&ArcStr>) -> Option<CompactString> {
    text.map(CompactString::new)
}

/// The parameter at `position`, without counts.
fn parameter(signature: &Signature, keys: &[CompactString], position: usize) -> MetadataParameter {
    let parameter = &signature.parameters[position];
    let object = parameter.object.map(usize::from).filter(|&object| object < position);
    let within = object.and_then(|object| keys.get(object)).cloned();
    let key_has_name = name_in_key(&keys[position], within.as_deref()) == parameter.name;
    MetadataParameter {
        required: parameter.required,
        kind: Some(parameter.kind.into()),
        annotation: text(parameter.annotation.as_ref()),
        default: text(parameter.default.as_ref()),
        within,
        name: (!key_has_name).then(|| CompactString::new(&parameter.name)),
    }
}

/// The arguments of a signature with their counts. `keys` are the keys of its parameters.
pub(super) fn arguments(signature: &Signature, keys: &[CompactString], usage: &Usage) -> MetadataArguments {
    let argument = |(position, key): (usize, &CompactString)| {
        let parameter = parameter(signature, keys, position);
        let MetadataParameter { required, kind, annotation, default, within, name } = parameter;
        let row = usage.parameters.get(position).cloned().unwrap_or_default();
        let ParameterUsage { count, unknown, positional, values } = row;
        let freq = usage.frequency(position).map(|share| (share * 1e4).round() / 1e4);
        let argument = MetadataArgument {
            required,
            freq,
            count: Some(count),
            unknown,
            positional,
            kind,
            annotation,
            default,
            values: values.into_iter().collect(),
            within,
            name,
        };
        (key.clone(), argument)
    };
    keys.iter().enumerate().map(argument).collect()
}

/// Converts the signature of an overload for the file.
pub(super) fn overload(signature: &Signature) -> MetadataOverload {
    let keys = keys(signature);
    MetadataOverload {
        args: keys.iter().enumerate().map(|(at, key)| (key.clone(), parameter(signature, &keys, at))).collect(),
        returns: text(signature.returns.as_ref()),
        type_parameters: text(signature.type_parameters.as_ref()),
        receiver: text(signature.receiver.as_ref()),
        is_async: signature.is_async,
        deprecated: text(signature.deprecated.as_ref()),
        ..MetadataOverload::default()
    }
}

/// The signature of an entry with these arguments.
///
/// # Errors
/// If the object of a property is not an argument before it. The message continues "`FQN` …".
pub(super) fn signature(
    entry: &MetadataEntry,
    arguments: &MetadataArguments,
    kind: DefinitionKind,
    language: Language,
) -> Result<Signature, String> {
    // The order of the arguments in the bare form says nothing, so callers can rely on their names alone.
    let by_name = (entry.kind.is_none() && language == Language::Python).then_some(MetadataParameterKind::KeywordOnly);
    let rows: IndexMap<&CompactString, MetadataParameter> = arguments
        .iter()
        .map(|(key, argument)| {
            let MetadataArgument { required, kind, annotation, default, within, name, .. } = argument.clone();
            let kind = kind.or(by_name);
            (key, MetadataParameter { required, kind, annotation, default, within, name })
        })
        .collect();
    // The bare form does not record receivers; `self` stands for the receiver of a method.
    let is_bare_method = entry.kind.is_none() && kind == DefinitionKind::Method;
    Ok(Signature {
        parameters: parameters(&rows)?,
        returns: entry.returns.as_deref().map(ArcStr::from),
        inferred_returns: entry.inferred_returns.as_deref().map(ArcStr::from),
        result: entry.result.as_ref().map(MetadataResult::object),
        is_async: entry.is_async,
        is_synthesized: entry.is_synthesized,
        receiver: entry.receiver.as_deref().or(is_bare_method.then_some("self")).map(ArcStr::from),
        type_parameters: entry.call_type_parameters.as_deref().map(ArcStr::from),
        is_incomplete: entry.is_incomplete,
        passed_on: entry.passed_on.iter().map(|name| ArcStr::from(name.as_str())).collect(),
        deprecated: None,
    })
}

/// The signature of an overload.
///
/// # Errors
/// As for [`signature`].
pub(super) fn overload_signature(overload: &MetadataOverload) -> Result<Signature, String> {
    let rows = overload.args.iter().map(|(key, parameter)| (key, parameter.clone())).collect();
    Ok(Signature {
        parameters: parameters(&rows)?,
        returns: overload.returns.as_deref().map(ArcStr::from),
        inferred_returns: None,
        result: None,
        is_async: overload.is_async,
        is_synthesized: false,
        receiver: overload.receiver.as_deref().map(ArcStr::from),
        type_parameters: overload.type_parameters.as_deref().map(ArcStr::from),
        is_incomplete: false,
        passed_on: Box::default(),
        deprecated: overload.deprecated.as_deref().map(ArcStr::from),
    })
}

fn parameters(rows: &IndexMap<&CompactString, MetadataParameter>) -> Result<Box<[Parameter]>, String> {
    let parameter = |(position, (key, row)): (usize, (&&CompactString, &MetadataParameter))| {
        let object = row.within.as_ref().map(|object| {
            let object_position = rows.get_index_of(object).filter(|&at| at < position);
            object_position.and_then(|at| u16::try_from(at).ok()).ok_or_else(|| {
                let (key, object) = (key.escape_debug(), object.escape_debug());
                format!("has `{key}` within `{object}`, which is no argument before it")
            })
        });
        Ok(Parameter {
            name: row.name.as_deref().unwrap_or_else(|| name_in_key(key, row.within.as_deref())).into(),
            kind: row.kind.unwrap_or_default().into(),
            annotation: row.annotation.as_deref().map(ArcStr::from),
            meaning: None,
            default: row.default.as_deref().map(ArcStr::from),
            required: row.required,
            inherited_from: None,
            object: object.transpose()?,
        })
    };
    rows.iter().enumerate().map(parameter).collect()
}
