//! The signatures of functions and classes, the overload that a call takes, and the types of parameters and results.

mod applicability;
mod bound_functions;
mod callables;
mod calls;
mod generators;
mod overload_tables;
mod overloads;
mod parameters;
mod passed_values;
mod rest_parameters;
mod results;

pub(in crate::typescript) use callables::CallableSignature;
pub(super) use calls::InferenceStop;
pub(super) use overload_tables::OverloadTable;
pub(in crate::typescript) use passed_values::PassedType;
