//! Names that code writes for another reason than to call them or to read a property.

use serde::{Deserialize, Serialize};

use super::{CallExprId, DefId, ExprId, NameId, TypeId};
use crate::syntax::mentions;

/// A name that may name a definition, and stands where that is a use of its own: in an argument, in an array, in an
/// annotation. Callees are no mentions, except of `throw new C()`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Mention {
    /// The name.
    pub name: MentionedName,
    /// The line of the last name token, from 1.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// The innermost definition around the mention; for a decorator, around the decorated definition.
    pub user: Option<DefId>,
    /// Where the name stands.
    pub place: MentionPlace,
}

/// The name of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionedName {
    /// A name or property, perhaps with type guards.
    Value(ExprId),
    /// A [`TypeNode::Ref`](super::TypeNode::Ref).
    Type(TypeId),
    /// A name of the scope of the file, which the file exports: `export { x }`.
    Local(NameId),
    /// A name that a module exports, by the specifier of the module: `export { x } from "m"`.
    From(NameId, NameId),
}

/// Where a mentioned name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionPlace {
    /// An argument of a call.
    Passed {
        /// The argument.
        passed: PassedAs,
        /// The attribute of a JSX element, whose attributes are the only argument.
        attribute: Option<NameId>,
    },
    /// An attribute of an intrinsic JSX element, which calls no function: `<button onClick={x} />`.
    Attribute {
        /// The name of the element.
        element: NameId,
        /// The name of the attribute.
        attribute: NameId,
    },
    /// The value of a name, or an item of an array or object.
    Held {
        /// What holds it.
        holder: Holder,
        /// The name of the property in the object.
        key: Option<NameId>,
    },
    /// `extends X`, `implements X`.
    Base,
    /// An annotation. The mentions of one annotation have the same number.
    Annotates(u32),
    /// `throw x`, `throw new X()`.
    Raised,
    /// `v instanceof x`, `v === x`, `key in x`, `case x:`.
    Compared,
    /// `export { x }`, `export { x } from "m"`, `module.exports = { x }`.
    Exported,
    /// `@x`: the decorated definition; `None` for a field or parameter.
    Decorates(Option<DefId>),
    /// `return x`, `yield x`, `() => x`.
    Returned,
}

/// An argument of a call.
pub type PassedAs = mentions::PassedAs<CallExprId>;

/// What holds a value.
pub type Holder = mentions::Holder<CallExprId>;
