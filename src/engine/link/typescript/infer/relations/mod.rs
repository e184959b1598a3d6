//! How two types relate: assignability, and inference of type arguments by unification.

mod assignable;
mod mapped_inference;
mod object_inference;
mod unify;
mod weak_types;

pub(super) use object_inference::{MemberInference, ObjectMember};
