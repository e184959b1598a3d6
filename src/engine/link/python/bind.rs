//! Arguments to parameters, by Python's own rules.

use super::signatures::CallableSignature;
use crate::{
    link::linked::LinkedSignature,
    program::{ArgumentKind, BoundParameter, ParameterKind},
    syntax::python::facts::{Arg, FileFacts},
};

/// Where each argument of a call lands. `explicit_receiver` is true for `Class.method(self, …)`.
pub(crate) fn bind(
    facts: &FileFacts,
    arguments: &[Arg],
    callable: &CallableSignature,
    explicit_receiver: bool,
) -> Vec<BoundParameter> {
    let Some(signature) = &callable.signature else {
        return arguments.iter().map(|argument| by_name(facts, argument)).collect();
    };
    let places: Vec<u16> = positions(signature).collect();
    let rest = position_of(signature, ParameterKind::VarPositional);
    let receiver = signature.receiver.as_ref().filter(|_| explicit_receiver);
    let mut next = 0;
    let mut starred = false;
    let mut receiver_given = receiver.is_none();
    arguments
        .iter()
        .map(|argument| match argument.kind {
            ArgumentKind::Star => {
                starred = true;
                BoundParameter::Unknown
            }
            ArgumentKind::DoubleStar => BoundParameter::Unknown,
            ArgumentKind::Positional => {
                if let Some(name) = receiver.filter(|_| !receiver_given && !starred) {
                    receiver_given = true;
                    return BoundParameter::Receiver(name.as_str().into());
                }
                let at = next;
                next += 1;
                // After `*x` a place is not known, unless only `*args` is left.
                match places.get(at) {
                    Some(&place) if !starred => BoundParameter::Parameter(place),
                    None => rest.map_or(BoundParameter::Unknown, BoundParameter::Parameter),
                    Some(_) => BoundParameter::Unknown,
                }
            }
            ArgumentKind::Keyword => {
                let name = argument.keyword.map_or("", |k| facts.name(k));
                if let Some(receiver) = receiver.filter(|r| *r == name) {
                    receiver_given = true;
                    return BoundParameter::Receiver(receiver.as_str().into());
                }
                keyword(signature, callable, name)
            }
        })
        .collect()
}

fn keyword(signature: &LinkedSignature, callable: &CallableSignature, name: &str) -> BoundParameter {
    let named = |wanted: &str| {
        signature
            .parameters
            .iter()
            .position(|p| p.name == wanted && matches!(p.kind, ParameterKind::Standard | ParameterKind::KeywordOnly))
            .map(|position| position as u16)
    };
    if let Some(place) = named(name).or_else(|| callable.keywords.get(name).copied()) {
        return BoundParameter::Parameter(place);
    }
    if callable.takes_camel_case
        && let Some(place) = named(&snake_case(name))
    {
        return BoundParameter::Parameter(place);
    }
    if callable.takes_any_keyword {
        return BoundParameter::Named(name.into());
    }
    position_of(signature, ParameterKind::VarKeyword).map_or(BoundParameter::Unknown, BoundParameter::Parameter)
}

/// What is known of an argument without a signature: its keyword.
pub(crate) fn by_name(facts: &FileFacts, argument: &Arg) -> BoundParameter {
    match argument.keyword {
        Some(keyword) => BoundParameter::Named(facts.name(keyword).into()),
        None => BoundParameter::Unknown,
    }
}

fn positions(signature: &LinkedSignature) -> impl Iterator<Item = u16> + '_ {
    signature
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, p)| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Standard))
        .map(|(position, _)| position as u16)
}

fn position_of(signature: &LinkedSignature, kind: ParameterKind) -> Option<u16> {
    signature.parameters.iter().position(|p| p.kind == kind).map(|position| position as u16)
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        before = c;
    }
    snake
}
