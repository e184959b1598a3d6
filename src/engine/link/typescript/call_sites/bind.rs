//! Binds the arguments of a call to parameters by position, and the properties of object literals to the properties of
//! their parameters.

use arcstr::ArcStr;

use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{
    program::{Argument, ArgumentKind, BoundParameter, ParameterKind, PropertyArgument},
    syntax::typescript::facts::{Arg, FileFacts, PassedProperty},
};

/// Binds each argument of a call to a parameter of `signature`. The first `bound` parameters have got their arguments
/// before the call.
pub(in crate::typescript) fn bind(
    facts: &FileFacts,
    arguments: &[Arg],
    signature: Option<&LinkedSignature>,
    bound: usize,
) -> Box<[Argument]> {
    let parameters = signature.map_or(&[][..], |s| &s.parameters);
    let positional: Vec<u16> = (0..parameters.len())
        .filter(|at| parameters[*at].kind != ParameterKind::Property)
        .map(|at| at as u16)
        .collect();
    let rest = positional.iter().position(|at| parameters[*at as usize].kind == ParameterKind::VarPositional);
    let mut is_spread = false;
    arguments
        .iter()
        .enumerate()
        .map(|(at, argument)| {
            is_spread |= argument.is_spread;
            let at = at + bound;
            let parameter = match rest {
                Some(rest) if at >= rest => positional.get(rest),
                _ => positional.get(at),
            };
            // The number of values that a spread passes is not known, so neither the spread nor the arguments after it
            // are bound.
            let parameter = parameter.copied().filter(|_| !is_spread);
            Argument {
                forwarded: None,
                bound: parameter.map_or(BoundParameter::Unknown, BoundParameter::Parameter),
                kind: if argument.is_spread { ArgumentKind::Star } else { ArgumentKind::Positional },
                value: argument.literal.as_deref().map(ArcStr::from),
                keys: argument.keys.as_ref().map(|keys| {
                    let key = |key: &PassedProperty| {
                        let name = facts.name(key.name);
                        let bound = parameter.and_then(|parameter| {
                            let is_named = |p: &&LinkedParameter| {
                                p.within == Some(parameter) && p.kind == ParameterKind::Property && p.name == name
                            };
                            let at = parameters.iter().position(|p| is_named(&p));
                            at.map(|at| at as u16)
                        });
                        PropertyArgument { name: name.into(), bound, value: key.literal.as_deref().map(ArcStr::from) }
                    };
                    keys.iter().map(key).collect()
                }),
            }
        })
        .collect()
}

/// Arguments that are bound to the parameters of an overload, bound to those of the signature that stands for all
/// overloads: the parameter or property with the same name, else the parameter at the same place.
pub(in crate::typescript) fn with_parameters_of(
    arguments: Box<[Argument]>,
    overload: &LinkedSignature,
    signature: &LinkedSignature,
) -> Box<[Argument]> {
    let positions = positions_in(overload, signature);
    let moved = |bound: u16| positions.get(usize::from(bound)).copied().flatten();
    let moved_argument = |mut argument: Argument| {
        if let BoundParameter::Parameter(position) = argument.bound {
            argument.bound = moved(position).map_or(BoundParameter::Unknown, BoundParameter::Parameter);
        }
        for property in argument.keys.iter_mut().flatten() {
            property.bound = property.bound.and_then(moved);
        }
        argument
    };
    arguments.into_iter().map(moved_argument).collect()
}

/// For each parameter of an overload, its position in the signature that stands for all overloads.
fn positions_in(overload: &LinkedSignature, signature: &LinkedSignature) -> Vec<Option<u16>> {
    let places = |signature: &LinkedSignature| -> Vec<usize> {
        let parameters = signature.parameters.iter().enumerate();
        parameters.filter(|(_, parameter)| parameter.within.is_none()).map(|(position, _)| position).collect()
    };
    let by_place = places(signature);
    let mut place = 0;
    let mut positions: Vec<Option<u16>> = Vec::with_capacity(overload.parameters.len());
    for parameter in &overload.parameters {
        let within = parameter.within.map(|object| positions.get(usize::from(object)).copied().flatten());
        let is_it = |other: &LinkedParameter| {
            other.name == parameter.name && within.map_or(other.within.is_none(), |object| object == other.within)
        };
        let by_name = signature.parameters.iter().position(is_it).filter(|_| within != Some(None));
        let position = by_name.or_else(|| by_place.get(place).copied().filter(|_| within.is_none()));
        place += usize::from(within.is_none());
        positions.push(position.map(|position| position as u16));
    }
    positions
}
