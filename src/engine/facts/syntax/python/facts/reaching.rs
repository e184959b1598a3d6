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

/// The mark of a list of one binding.
const ONE: u32 = 1 << 31;

/// Lists of bindings in one table, so that an expression refers to its list with 4 bytes. Most lists have one binding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BindingLists {
    /// Before the bindings of each list stands its length, as the id of the row with that index. A list is denoted by
    /// the position of its first binding.
    rows: Vec<BindingId>,
    /// The binding at each index, of which lists of one binding are a part.
    ones: Vec<BindingId>,
}

impl BindingLists {
    /// Stores a list.
    pub(crate) fn add(&mut self, bindings: &[BindingId]) -> ReachingBindings {
        match *bindings {
            [] => ReachingBindings::NONE,
            [binding] if binding.index() < ONE as usize => {
                self.ones.extend((self.ones.len()..=binding.index()).map(BindingId::new));
                ReachingBindings(ONE | binding.index() as u32)
            }
            _ => {
                self.rows.push(BindingId::new(bindings.len()));
                let first = self.rows.len() as u32;
                self.rows.extend_from_slice(bindings);
                ReachingBindings(first)
            }
        }
    }

    /// The bindings of a list.
    #[inline]
    pub fn get(&self, list: ReachingBindings) -> &[BindingId] {
        let first = (list.0 & !ONE) as usize;
        match list {
            ReachingBindings::NONE => &[],
            _ if list.0 >= ONE => &self.ones[first..=first],
            _ => &self.rows[first..first + self.rows[first - 1].index()],
        }
    }

    /// Frees the unused capacity.
    pub(super) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.ones.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_what_was_stored() {
        let ids = |range: std::ops::Range<usize>| range.map(BindingId::new).collect::<Vec<_>>();
        let stored = [ids(0..0), ids(7..8), ids(0..3), ids(2..3), ids(5..70), ids(7..8)];
        let mut lists = BindingLists::default();
        let found = stored.each_ref().map(|list| lists.add(list));
        for (list, reaching) in stored.iter().zip(found) {
            assert_eq!(lists.get(reaching), list);
            assert_eq!(reaching.is_empty(), list.is_empty());
        }
        // A list of one binding is stored once.
        assert_eq!(found[1], found[5]);
    }
}
