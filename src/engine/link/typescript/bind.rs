//! Arguments to parameters, by position, and the properties of object literals to those of their parameters.

use arcstr::ArcStr;

use crate::{
    link::linked::{LinkedParameter, LinkedSignature},
    program::{Argument, ArgumentKind, BoundParameter, ParameterKind, PropertyArgument},
    syntax::typescript::facts::{Arg, FileFacts},
};

/// Where each argument of a call lands.
pub(super) fn bind(facts: &FileFacts, arguments: &[Arg], signature: Option<&LinkedSignature>) -> Box<[Argument]> {
    let parameters = signature.map_or(&[][..], |s| &s.parameters);
    let places: Vec<u16> = (0..parameters.len())
        .filter(|at| parameters[*at].kind != ParameterKind::Property)
        .map(|at| at as u16)
        .collect();
    let rest = places.iter().position(|at| parameters[*at as usize].kind == ParameterKind::VarPositional);
    let mut is_spread = false;
    arguments
        .iter()
        .enumerate()
        .map(|(at, argument)| {
            is_spread |= argument.is_spread;
            let place = match rest {
                Some(rest) if at >= rest => places.get(rest),
                _ => places.get(at),
            };
            // After a spread no place is known.
            let place = place.copied().filter(|_| !is_spread);
            Argument {
                bound: place.map_or(BoundParameter::Unknown, BoundParameter::Parameter),
                kind: if argument.is_spread { ArgumentKind::Star } else { ArgumentKind::Positional },
                value: argument.literal.as_deref().map(ArcStr::from),
                keys: argument.keys.as_ref().map(|keys| {
                    let key = |key: &crate::syntax::typescript::facts::PassedProperty| {
                        let name = facts.name(key.name);
                        let bound = place.and_then(|place| {
                            let is_named = |p: &&LinkedParameter| {
                                p.within == Some(place) && p.kind == ParameterKind::Property && p.name == name
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
