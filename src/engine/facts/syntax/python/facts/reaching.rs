//! The bindings that reach a read.

use serde::{Deserialize, Serialize};

use super::BindingId;

/// The reaching definitions of a read: the bindings of its scope that may have given the name its value. A list of
/// [`FileFacts::reaching`](super::FileFacts::reaching).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReachingBindings(u32);

impl ReachingBindings {
    /// No binding of the scope reaches the read: the name is looked up in the enclosing scopes.
    pub const NONE: Self = Self(0);

    /// True if no binding of the scope reaches the read.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }
}

/// Lists of bindings in one table, so that an expression refers to its list with 4 bytes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BindingLists {
    /// Before the bindings of each list stands its length, as the id of the row with that index. A list is denoted by
    /// the position of its first binding.
    rows: Vec<BindingId>,
}

impl BindingLists {
    /// Stores a list.
    pub(crate) fn add(&mut self, bindings: &[BindingId]) -> ReachingBindings {
        if bindings.is_empty() {
            return ReachingBindings::NONE;
        }
        self.rows.push(BindingId::new(bindings.len()));
        let first = self.rows.len() as u32;
        self.rows.extend_from_slice(bindings);
        ReachingBindings(first)
    }

    /// The bindings of a list.
    #[inline]
    pub fn get(&self, list: ReachingBindings) -> &[BindingId] {
        let first = list.0 as usize;
        if first == 0 { &[] } else { &self.rows[first..first + self.rows[first - 1].index()] }
    }

    /// Frees the unused capacity.
    pub(super) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
    }
}
