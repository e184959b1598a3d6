//! The positions of the members of a declaration with many, by what they hold and by name.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::held_values::alternatives;
use apidisc_facts::syntax::typescript::facts::{DefId, ExprId, FileFacts, Member, MemberKind, NameId};

/// A declaration with more members has a table.
const MANY_MEMBERS: usize = 16;

/// The positions of the members of a class, interface, type literal or object literal.
#[derive(Debug, Default)]
pub(in crate::typescript) struct MemberPositions {
    by_name: FxHashMap<Option<NameId>, SmallVec<[u32; 1]>>,
    of_functions: FxHashMap<DefId, u32>,
    of_values: FxHashMap<ExprId, u32>,
    annotated: FxHashMap<NameId, u32>,
}

impl MemberPositions {
    /// The table of a declaration; `None` if it has few members.
    pub(in crate::typescript) fn new(facts: &FileFacts, members: &[Member]) -> Option<Self> {
        if members.len() <= MANY_MEMBERS {
            return None;
        }
        let mut positions = Self::default();
        for (at, member) in (0_u32..).zip(members) {
            positions.by_name.entry(member.name).or_default().push(at);
            match (&member.kind, member.name) {
                (MemberKind::Function(function), _) => {
                    positions.of_functions.entry(*function).or_insert(at);
                }
                (MemberKind::Property { value: Some((value, _)), .. }, _) => {
                    for value in alternatives(facts, *value) {
                        positions.of_values.entry(value).or_insert(at);
                    }
                }
                (MemberKind::Property { annotation: Some(_), .. }, Some(name)) => {
                    positions.annotated.entry(name).or_insert(at);
                }
                _ => {}
            }
        }
        Some(positions)
    }

    /// The positions of the members of a name.
    pub(super) fn named(&self, name: Option<NameId>) -> &[u32] {
        self.by_name.get(&name).map_or(&[], |positions| positions)
    }

    /// The position of the member that is the definition `def`, or whose value is the expression `expr`, or which an
    /// annotation without a value types, if the definition is no expression.
    pub(super) fn holding(&self, def: DefId, expr: Option<ExprId>, name: Option<NameId>) -> Option<usize> {
        let of_value = match (expr, name) {
            (Some(expr), _) => self.of_values.get(&expr),
            (None, Some(name)) => self.annotated.get(&name),
            (None, None) => None,
        };
        self.of_functions.get(&def).into_iter().chain(of_value).min().map(|at| *at as usize)
    }
}
