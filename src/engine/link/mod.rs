//! Facts to a program: modules, names, classes, types, calls, binding. A folder a language.

pub(crate) mod linked;
mod memo;
mod merge;
pub(crate) mod python;
pub(crate) mod typescript;

pub(crate) use merge::merge;
