//! Links the facts of all files of a language into one program: modules, names, classes, types, calls, binding of
//! arguments. There is one folder per language.

pub(crate) mod http;
mod limits;
pub(crate) mod linked;
mod memo;
mod merge;
pub(crate) mod python;
mod receiver_links;
pub(crate) mod typescript;

pub(crate) use merge::merge;
