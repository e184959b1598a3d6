//! Call sites: the definitions that each call may call, and the parameters that receive its arguments.
//!
//! | file | content |
//! | --- | --- |
//! | `wrapped_functions` | the names of functions that a wrapper returns to a constant |
//! | `resolve` | the candidates of each call, by the inferred type of its callee |
//! | `parameter_values` | the parameters of JavaScript functions to the types of what calls pass |
//! | `passed_functions` | calls of parameters to the functions that callers pass |
//! | `taken_overloads`, `object_parameters` | the overloads that calls take, and the parameters that they pass object literals to |
//! | `bind`, `linked_calls` | arguments to parameters, and candidates to rows |
//! | `made_values` | arguments that are made in the call, as texts |
//! | `passed_keys` | the keys of the objects that calls pass through constants, lists and spreads |
//! | `receiver_values` | a call → the earlier call whose result or variable it is made on |
//! | `called_constants` | the constants, fields and properties that calls call |
//! | `reached` | what calls reach of installed packages |
//! | `result_uses` | calls to the members that the code around them takes of their results |
//! | `omitted`, `passed_properties`, `unknown_signatures` | what the arguments of all calls tell about signatures |

mod bind;
mod called_constants;
mod linked_calls;
mod made_values;
mod object_parameters;
mod omitted;
mod parameter_values;
mod passed_functions;
mod passed_keys;
mod passed_properties;
mod reached;
mod receiver_values;
mod resolve;
mod result_uses;
mod taken_overloads;
mod unknown_signatures;
mod wrapped_functions;

pub(super) use called_constants::{called_values, describe_holding_constants};
pub(super) use linked_calls::{CallLinker, call_order};
pub(super) use object_parameters::ObjectParameters;
pub(super) use omitted::mark_omitted_parameters;
pub(super) use passed_properties::name_passed_properties;
pub(super) use reached::reached_definitions;
pub(super) use resolve::{CallResolver, ResolvedCall, redirect_calls};
pub(super) use result_uses::{ResultUses, name_taken_members, result_uses};
pub(super) use unknown_signatures::name_passed_arguments;
pub(super) use wrapped_functions::name_wrapped_functions;
