//! Names that code writes for another reason than to call them or to read an attribute.

use serde::{Deserialize, Serialize};

use super::{CallExprId, DefId, ExprId, NameId};
use crate::syntax::mentions;

/// A name or attribute that may name a definition, and stands where that is a use of its own: in an argument, in a
/// list, after `raise`. Callees are no mentions, except of `raise f()`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Mention {
    /// The name: an [`Expr::Name`](super::Expr::Name) or [`Expr::Attribute`](super::Expr::Attribute).
    pub expr: ExprId,
    /// The line of the last name token, from 1.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// The innermost function with a name, or class, around the mention; for a mention in the head of a definition,
    /// that definition.
    pub user: Option<DefId>,
    /// Where the name stands.
    pub place: MentionPlace,
}

/// Where a mentioned name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionPlace {
    /// An argument of a call, by its position among [`CallExpr::arguments`](super::CallExpr::arguments).
    Passed(PassedAs),
    /// The value of a name, or an item of a list, tuple, set or dict.
    Held {
        /// What holds it.
        holder: Holder,
        /// The key in the dict or subscript, if it is a string or number.
        key: Option<NameId>,
    },
    /// A base or the metaclass of a class.
    Base,
    /// An annotation. The mentions of one annotation have the same number.
    Annotates(u32),
    /// `raise x`, `raise x()`.
    Raised,
    /// `except x`.
    Caught,
    /// `isinstance(v, x)`, `v is x`, `v == x`, `v in (x, y)`, `case x():`, `case m.x:`.
    Compared,
    /// An import at the level of the module.
    Imported {
        /// True for `import x as x`, which offers the name to other modules (PEP 484).
        is_offered: bool,
    },
    /// An item of `__all__`.
    Listed,
    /// `@x`: the decorated definition; `None` if that is not lowered.
    Decorates(Option<DefId>),
    /// `return x`, `yield x`, `lambda: x`.
    Returned,
}

impl MentionPlace {
    /// True if the name stands for a type: a subscript then has type arguments.
    pub(crate) fn is_type(&self) -> bool {
        matches!(self, Self::Base | Self::Annotates(_))
    }
}

/// An argument of a call.
pub type PassedAs = mentions::PassedAs<CallExprId>;

/// What holds a value.
pub type Holder = mentions::Holder<CallExprId>;
