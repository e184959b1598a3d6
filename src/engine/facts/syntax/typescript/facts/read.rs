//! Reads of properties.

use serde::{Deserialize, Serialize};

use super::{DefId, ExprId, VariableId};

/// A read of a property by its name: `x.a`, and also `x.a += 1`, which reads the old value. `x.a = 1` and `delete x.a`
/// are no reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyRead {
    /// The line of the property's name token, from 1.
    pub line: u32,
    /// The column of the same token, from 0, in bytes.
    pub col: u32,
    /// The innermost enclosing function, as [`super::CallExpr::caller`].
    pub reader: Option<DefId>,
    /// The place of the read in the facts.
    pub place: ReadPlace,
}

/// The place of a read in the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadPlace {
    /// `x.a`, `x?.a`, `x["a"]`: the [`super::Expr::Property`].
    Access(ExprId),
    /// `a` in `const { a: b } = x`: a name that the pattern declares, and the index of the
    /// [`super::PatternStep::Property`] in its path.
    Pattern(VariableId, u16),
}
