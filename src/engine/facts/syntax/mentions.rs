//! What mentions of names have in common in all languages: see the `Mention` of each language.

use serde::{Deserialize, Serialize};

use super::names::NameId;

/// The maximum length of the text that names a holder, in bytes. A longer one is not kept.
pub(crate) const MAX_HOLDER: usize = 60;

/// An argument of a call. `C` is the language's id of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedAs<C> {
    /// The call.
    pub call: C,
    /// The position among its arguments as written.
    pub argument: u16,
}

/// What holds a value. `C` is the language's id of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holder<C> {
    /// No name: the literal is returned or iterated over.
    None,
    /// The target of an assignment, as written.
    Name(NameId),
    /// A literal that is an argument of a call.
    Argument(PassedAs<C>),
}
