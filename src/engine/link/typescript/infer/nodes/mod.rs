//! Type nodes to types, and the types that compute types: substitution, and conditional, mapped and template types.

mod annotations;
mod conditional_types;
mod infer_params;
mod intersections;
mod mapped;
mod renamed_keys;
mod substitute;
mod template_literals;
mod tuples;

pub(super) use renamed_keys::RenamedKeys;
