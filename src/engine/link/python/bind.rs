//! Binding of arguments to parameters, by the rules of the language reference ("Calls"), with positional-only (PEP 570)
//! and keyword-only parameters (PEP 3102).

use super::signatures::CallableSignature;
use crate::{
    link::linked::LinkedSignature,
    program::{ArgumentKind, BoundParameter, ParameterKind},
    syntax::python::facts::{Arg, FileFacts},
};

/// How a call passes the receiver of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiverPassing {
    /// No argument is the receiver. The signature of a method leaves the receiver out.
    Implicit,
    /// `Class.method(self, …)`: the first argument is the receiver.
    Argument,
    /// A function that is defined outside the class, and that the class body assigns to a name: the first parameter of
    /// its signature is the receiver, which is no argument.
    FirstParameter,
}

/// The parameter that each argument of a call binds to.
pub(crate) fn bind(
    facts: &FileFacts,
    arguments: &[Arg],
    callable: &CallableSignature,
    passing: ReceiverPassing,
) -> Vec<BoundParameter> {
    let Some(signature) = &callable.signature else {
        return arguments.iter().map(|argument| bind_without_signature(facts, argument)).collect();
    };
    let positional: Vec<u16> = positional_parameters(signature).collect();
    let var_positional = first_of_kind(signature, ParameterKind::VarPositional);
    let receiver = signature.receiver.as_ref().filter(|_| passing == ReceiverPassing::Argument);
    let mut next = usize::from(passing == ReceiverPassing::FirstParameter);
    let mut after_star = false;
    let mut receiver_is_bound = receiver.is_none();
    arguments
        .iter()
        .map(|argument| match argument.kind {
            ArgumentKind::Star => {
                after_star = true;
                BoundParameter::Unknown
            }
            ArgumentKind::DoubleStar => BoundParameter::Unknown,
            ArgumentKind::Positional => {
                if let Some(name) = receiver.filter(|_| !receiver_is_bound && !after_star) {
                    receiver_is_bound = true;
                    return BoundParameter::Receiver(name.as_str().into());
                }
                let at = next;
                next += 1;
                // After `*x` the position is unknown, unless only `*args` is left.
                match positional.get(at) {
                    Some(&position) if !after_star => BoundParameter::Parameter(position),
                    None => var_positional.map_or(BoundParameter::Unknown, BoundParameter::Parameter),
                    Some(_) => BoundParameter::Unknown,
                }
            }
            ArgumentKind::Keyword => {
                let name = argument.keyword.map_or("", |k| facts.name(k));
                if let Some(receiver) = receiver.filter(|r| *r == name) {
                    receiver_is_bound = true;
                    return BoundParameter::Receiver(receiver.as_str().into());
                }
                bind_keyword(signature, callable, name)
            }
        })
        .collect()
}

fn bind_keyword(signature: &LinkedSignature, callable: &CallableSignature, name: &str) -> BoundParameter {
    let of_kind = |wanted: &str, kinds: &[ParameterKind]| {
        let mut parameters = signature.parameters.iter();
        parameters.position(|p| p.name == wanted && kinds.contains(&p.kind)).map(|position| position as u16)
    };
    let named = |wanted: &str| of_kind(wanted, &[ParameterKind::Standard, ParameterKind::KeywordOnly]);
    if let Some(position) = named(name).or_else(|| callable.keywords.get(name).copied()) {
        return BoundParameter::Parameter(position);
    }
    if callable.takes_camel_case
        && let Some(position) = named(&snake_case(name))
    {
        return BoundParameter::Parameter(position);
    }
    // The keywords that `**kwargs` receives are parameters of their own: see `keywords`.
    if let Some(position) = of_kind(name, &[ParameterKind::Property]) {
        return BoundParameter::Parameter(position);
    }
    if callable.takes_any_keyword || signature.is_incomplete {
        return BoundParameter::Named(name.into());
    }
    first_of_kind(signature, ParameterKind::VarKeyword).map_or(BoundParameter::Unknown, BoundParameter::Parameter)
}

/// Binds an argument of a callee without a known signature: a keyword argument is bound by its name alone.
pub(crate) fn bind_without_signature(facts: &FileFacts, argument: &Arg) -> BoundParameter {
    match argument.keyword {
        Some(keyword) => BoundParameter::Named(facts.name(keyword).into()),
        None => BoundParameter::Unknown,
    }
}

fn positional_parameters(signature: &LinkedSignature) -> impl Iterator<Item = u16> + '_ {
    signature
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, p)| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Standard))
        .map(|(position, _)| position as u16)
}

fn first_of_kind(signature: &LinkedSignature, kind: ParameterKind) -> Option<u16> {
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
