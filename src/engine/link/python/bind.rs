//! Binding of arguments to parameters, by the rules of the language reference ("Calls"), with positional-only (PEP 570)
//! and keyword-only parameters (PEP 3102).

use rustc_hash::FxHashMap;

use super::signatures::CallableSignature;
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter, ParameterKind},
    syntax::python::facts::{Arg, FileFacts},
};

/// For a call with more arguments, a table of the parameters by name is made.
const FEW_ARGUMENTS: usize = 16;

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
    let names = KeywordParameters::new(signature, arguments.len());
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
            ArgumentKind::Positional | ArgumentKind::Decorated => {
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
                bind_keyword(&names, callable, name)
            }
        })
        .collect()
}

/// The parameters of a signature that keyword arguments bind to.
struct KeywordParameters<'s> {
    signature: &'s LinkedSignature,
    /// The first parameter of each name, for a call with many arguments. The key tells whether it is a property.
    table: Option<FxHashMap<(&'s str, bool), u16>>,
}

impl<'s> KeywordParameters<'s> {
    fn new(signature: &'s LinkedSignature, arguments: usize) -> Self {
        let table = (arguments > FEW_ARGUMENTS).then(|| {
            let mut table = FxHashMap::default();
            for (position, parameter) in signature.parameters.iter().enumerate() {
                if let Some(is_property) = is_property(parameter.kind) {
                    table.entry((parameter.name.as_str(), is_property)).or_insert(position as u16);
                }
            }
            table
        });
        Self { signature, table }
    }

    /// The first parameter of a name. The keywords that `**kwargs` receives are properties: see `keywords`.
    fn find(&self, name: &str, property: bool) -> Option<u16> {
        if let Some(table) = &self.table {
            return table.get(&(name, property)).copied();
        }
        let is_found = |p: &LinkedParameter| p.name == name && is_property(p.kind) == Some(property);
        self.signature.parameters.iter().position(is_found).map(|position| position as u16)
    }
}

/// Whether a parameter that a keyword can bind to is a property of `**kwargs`; `None` for other parameters.
fn is_property(kind: ParameterKind) -> Option<bool> {
    match kind {
        ParameterKind::Standard | ParameterKind::KeywordOnly => Some(false),
        ParameterKind::Property => Some(true),
        _ => None,
    }
}

fn bind_keyword(names: &KeywordParameters, callable: &CallableSignature, name: &str) -> BoundParameter {
    let signature = names.signature;
    if let Some(position) = names.find(name, false).or_else(|| callable.keywords.get(name).copied()) {
        return BoundParameter::Parameter(position);
    }
    if callable.takes_camel_case
        && let Some(position) = names.find(&snake_case(name), false)
    {
        return BoundParameter::Parameter(position);
    }
    if let Some(position) = names.find(name, true) {
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
