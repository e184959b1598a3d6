//! The members that assignments add to functions and classes, while they are collected: see [`super::prototypes`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    facts::{Class, DefId, Expr, ExprId, FileFacts, Member, MemberKind, NameId},
    lower::Lowering,
};
use crate::syntax::MAX_MEMBERS;

/// The greatest number of definitions around one another that are visited.
const MAX_NESTING: usize = 64;

/// The greatest number of values of one property that are kept.
const MAX_VALUES: usize = 8;

/// The members of the functions and classes of a file that assignments add.
#[derive(Debug, Default)]
pub(super) struct AddedMembers {
    pub(super) of: FxHashMap<DefId, Added>,
    /// The functions that are members, each with the function or class that has it, and whether it is static.
    pub(super) holders: FxHashMap<DefId, (DefId, bool)>,
    /// The functions that are assigned to properties of variables: `app.use = function () {}`.
    pub(super) of_variables: FxHashSet<DefId>,
}

/// What assignments add to one function or class.
#[derive(Debug, Default)]
pub(super) struct Added {
    pub(super) class: Class,
    pub(super) has_prototype: bool,
    /// The position of the first member of each name, and the number of its values; `None` for the members that the
    /// class declares itself. The names of static members are marked.
    named: FxHashMap<(NameId, bool), Option<(usize, usize)>>,
}

impl AddedMembers {
    /// What is added to a function or class.
    pub(super) fn to(&mut self, facts: &FileFacts, owner: DefId) -> &mut Added {
        self.of.entry(owner).or_insert_with(|| {
            let declared = facts.def(owner).members().iter();
            let named = declared.filter_map(|member| Some(((member.name?, member.is_static), None)));
            Added { named: named.collect(), ..Added::default() }
        })
    }
}

impl Lowering<'_> {
    /// Adds a member to a function or class. A property that is assigned several times has one of the values; a value
    /// that is nothing does not count.
    pub(super) fn add_member(&mut self, added: &mut AddedMembers, owner: DefId, member: Member) {
        let key = member.name.map(|name| (name, member.is_static));
        let to = added.to(&self.facts, owner);
        let known = key.and_then(|key| to.named.get(&key).copied());
        if known == Some(None) || to.class.members.len() >= MAX_MEMBERS {
            return;
        }
        self.hold(added, owner, &member);
        let to = added.to(&self.facts, owner);
        let Some(Some((at, count))) = known else {
            if let Some(key) = key {
                to.named.insert(key, Some((to.class.members.len(), 1)));
            }
            to.class.members.push(member);
            return;
        };
        match (&mut to.class.members[at].kind, &member.kind) {
            (
                MemberKind::Property { value: Some((first, _)), .. },
                &MemberKind::Property { value: Some((second, _)), .. },
            ) if count < MAX_VALUES => {
                let is_nothing = |value: ExprId| matches!(self.facts.expr(value), Expr::Null | Expr::Undefined);
                if is_nothing(*first) {
                    *first = second;
                } else if !is_nothing(second) {
                    self.facts.exprs.push(Expr::Either(*first, second));
                    *first = ExprId::new(self.facts.exprs.len() - 1);
                }
                if let Some(key) = key {
                    to.named.insert(key, Some((at, count + 1)));
                }
            }
            // A getter and a setter are two members of one name.
            (MemberKind::Function(_), MemberKind::Function(_)) => to.class.members.push(member),
            _ => {}
        }
    }

    /// Moves the function of a member into the function or class that has the member, with the name of the member.
    fn hold(&mut self, added: &mut AddedMembers, owner: DefId, member: &Member) {
        let function = match member.kind {
            MemberKind::Function(def) => Some(def),
            MemberKind::Property { value: Some((value, _)), .. } => match self.facts.expr(value) {
                Expr::Function(def) => Some(def),
                _ => None,
            },
            _ => None,
        };
        if let Some(def) = function.filter(|def| !self.is_within(owner, *def)) {
            let row = &mut self.facts.definitions[def.index()];
            row.outer = Some(owner);
            row.name = member.name.or(row.name);
            added.holders.insert(def, (owner, member.is_static));
        }
    }

    /// Whether `def` is `outer` or inside it.
    fn is_within(&self, def: DefId, outer: DefId) -> bool {
        let around = std::iter::successors(Some(def), |def| self.facts.def(*def).outer);
        around.take(MAX_NESTING).any(|def| def == outer)
    }
}
