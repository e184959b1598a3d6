//! Signatures and their arguments by name: every parameter has a key of its own, from which it is known again.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use indexmap::IndexMap;

use super::document::{Argument, ArgumentKind, Arguments, Entry, Form, Overload};
use crate::{
    program::{DefinitionKind, Parameter, ParameterKind, Signature},
    usage::{ParameterUsage, Usage},
};

/// The key of each parameter: its name, of a property with that of its object before it. A name that stands there
/// before gets a number.
pub(super) fn keys(signature: &Signature) -> Vec<CompactString> {
    let mut keys: IndexMap<CompactString, ()> = IndexMap::new();
    for (position, parameter) in signature.parameters.iter().enumerate() {
        let object = parameter.object.map(usize::from).filter(|&object| object < position);
        let object = object.and_then(|object| keys.get_index(object)).map(|(key, ())| key.as_str());
        let plain = key(&parameter.name, object);
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

/// The key of a name that stands there once.
fn key(name: &str, object: Option<&str>) -> CompactString {
    match object {
        None => name.into(),
        Some("{}") => format_compact!("{{{name}}}"),
        Some(object) => format_compact!("{object}.{name}"),
    }
}

/// The name of a parameter, where its key is that of a name that stands there once.
fn name<'k>(key: &'k str, object: Option<&str>) -> &'k str {
    let inner = match object {
        None => None,
        Some("{}") => key.strip_prefix('{').and_then(|key| key.strip_suffix('}')),
        Some(object) => key.strip_prefix(object).and_then(|key| key.strip_prefix('.')),
    };
    inner.unwrap_or(key)
}

/// A text as the file has it.
pub(super) fn text(text: Option<&ArcStr>) -> Option<CompactString> {
    text.map(CompactString::new)
}

/// What is written of a parameter whether or not calls of it are counted.
fn form(signature: &Signature, keys: &[CompactString], position: usize) -> Form {
    let parameter = &signature.parameters[position];
    let object = parameter.object.map(usize::from).filter(|&object| object < position);
    let within = object.and_then(|object| keys.get(object)).cloned();
    let is_told = name(&keys[position], within.as_deref()) == parameter.name;
    Form {
        required: parameter.required,
        kind: Some(match parameter.kind {
            ParameterKind::PositionalOnly => ArgumentKind::PositionalOnly,
            ParameterKind::Standard => ArgumentKind::Standard,
            ParameterKind::VarPositional => ArgumentKind::VarPositional,
            ParameterKind::KeywordOnly => ArgumentKind::KeywordOnly,
            ParameterKind::VarKeyword => ArgumentKind::VarKeyword,
            ParameterKind::Property => ArgumentKind::Property,
        }),
        annotation: text(parameter.annotation.as_ref()),
        default: text(parameter.default.as_ref()),
        within,
        name: (!is_told).then(|| CompactString::new(&parameter.name)),
    }
}

/// The arguments of a signature with their counts.
pub(super) fn arguments(signature: &Signature, keys: &[CompactString], usage: &Usage) -> Arguments {
    let argument = |(position, key): (usize, &CompactString)| {
        let Form { required, kind, annotation, default, within, name } = form(signature, keys, position);
        let row = usage.parameters.get(position).cloned().unwrap_or_default();
        let ParameterUsage { count, unknown, positional, values } = row;
        let freq = usage.frequency(position).map(|share| (share * 1e4).round() / 1e4);
        let (count, values) = (Some(count), values.into_iter().collect());
        let argument =
            Argument { required, freq, count, unknown, positional, kind, annotation, default, values, within, name };
        (key.clone(), argument)
    };
    keys.iter().enumerate().map(argument).collect()
}

/// An overload.
pub(super) fn overload(signature: &Signature) -> Overload {
    let keys = keys(signature);
    Overload {
        args: keys.iter().enumerate().map(|(at, key)| (key.clone(), form(signature, &keys, at))).collect(),
        returns: text(signature.returns.as_ref()),
        type_parameters: text(signature.type_parameters.as_ref()),
        receiver: text(signature.receiver.as_ref()),
        is_async: signature.is_async,
    }
}

/// The signature of an entry with these arguments.
pub(super) fn signature(entry: &Entry, arguments: &Arguments, kind: DefinitionKind) -> Result<Signature, String> {
    let is_bare = entry.kind.is_none();
    let rows: IndexMap<&CompactString, Form> = arguments
        .iter()
        .map(|(key, argument)| {
            let Argument { required, kind, annotation, default, within, name, .. } = argument.clone();
            (key, Form { required, kind, annotation, default, within, name })
        })
        .collect();
    Ok(Signature {
        parameters: parameters(&rows)?,
        returns: entry.returns.as_deref().map(ArcStr::from),
        is_async: entry.is_async,
        is_synthesized: entry.is_synthesized,
        receiver: entry
            .receiver
            .as_deref()
            .or((is_bare && kind == DefinitionKind::Method).then_some("self"))
            .map(ArcStr::from),
        type_parameters: entry.call_type_parameters.as_deref().map(ArcStr::from),
    })
}

/// The signature of an overload.
pub(super) fn overload_signature(overload: &Overload) -> Result<Signature, String> {
    let rows = overload.args.iter().map(|(key, argument)| (key, argument.clone())).collect();
    Ok(Signature {
        parameters: parameters(&rows)?,
        returns: overload.returns.as_deref().map(ArcStr::from),
        is_async: overload.is_async,
        is_synthesized: false,
        receiver: overload.receiver.as_deref().map(ArcStr::from),
        type_parameters: overload.type_parameters.as_deref().map(ArcStr::from),
    })
}

fn parameters(rows: &IndexMap<&CompactString, Form>) -> Result<Box<[Parameter]>, String> {
    let parameter = |(position, (key, row)): (usize, (&&CompactString, &Form))| {
        let object = row.within.as_ref().map(|object| {
            let place = rows.get_index_of(object).filter(|&place| place < position);
            place.and_then(|place| u16::try_from(place).ok()).ok_or_else(|| {
                let (key, object) = (key.escape_debug(), object.escape_debug());
                format!("has `{key}` within `{object}`, which is no argument before it")
            })
        });
        Ok(Parameter {
            name: row.name.as_deref().unwrap_or_else(|| name(key, row.within.as_deref())).into(),
            kind: match row.kind.unwrap_or_default() {
                ArgumentKind::PositionalOnly => ParameterKind::PositionalOnly,
                ArgumentKind::Standard => ParameterKind::Standard,
                ArgumentKind::VarPositional => ParameterKind::VarPositional,
                ArgumentKind::KeywordOnly => ParameterKind::KeywordOnly,
                ArgumentKind::VarKeyword => ParameterKind::VarKeyword,
                ArgumentKind::Property => ParameterKind::Property,
            },
            annotation: row.annotation.as_deref().map(ArcStr::from),
            default: row.default.as_deref().map(ArcStr::from),
            required: row.required,
            inherited_from: None,
            object: object.transpose()?,
        })
    };
    rows.iter().enumerate().map(parameter).collect()
}
