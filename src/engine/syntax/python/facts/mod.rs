//! The facts of one file: a compact form of everything that linking asks for.
//!
//! Names are interned a file, expressions live in one table, and flow is already solved: a name that is
//! read says which of the file's bindings may reach it ([`ReachingBindings`]), so that linking never walks statements.

mod binding;
mod definition;
mod expr;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use binding::{Binding, BindingKind, Extraction, NarrowingTest, ReachingBindings, UnpackStep};
pub use definition::{Class, Def, DefBody, Field, Function, Param};
pub use expr::{Arg, AttributeAssign, Expr, ExprList, Site};

use crate::{diagnostic::Problem, ids::id};

id! {
    /// A row of [`FileFacts::names`].
    pub struct NameId;
    /// A row of [`FileFacts::scopes`].
    pub struct ScopeId;
    /// A row of [`FileFacts::definitions`].
    pub struct DefId;
    /// A row of [`FileFacts::bindings`].
    pub struct BindingId;
    /// A row of [`FileFacts::exprs`].
    pub struct ExprId;
    /// A row of [`FileFacts::calls`].
    pub struct SiteId;
}

/// Everything that one file says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileFacts {
    /// Interned names.
    pub names: Vec<CompactString>,
    /// Scopes; the first is the module's.
    pub scopes: Vec<Scope>,
    /// Functions, lambdas and classes, outer before inner.
    pub definitions: Vec<Def>,
    /// Everything that gives a name a value, in flow order.
    pub bindings: Vec<Binding>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Lists of expressions that [`Expr`] refers to.
    pub lists: Vec<ExprId>,
    /// Lists of bindings that [`ReachingBindings`] refers to.
    pub reaches: Vec<BindingId>,
    /// Call sites, in the order of their evaluation.
    pub calls: Vec<Site>,
    /// Binding ids of each scope, sorted by scope and name, in flow order within.
    pub scope_bindings: Vec<BindingId>,
    /// The name of each of them, side by side: names are looked up millions of times.
    pub scope_binding_names: Vec<NameId>,
    /// `self.x = …` and the like: what methods assign to attributes of their receiver.
    pub attribute_assigns: Vec<AttributeAssign>,
    /// `X: T = v` and `X = v` at module level.
    pub constants: Vec<Field>,
    /// What `__all__` lists, where it is written plainly.
    pub all: Option<Vec<NameId>>,
    /// Problems found, with the line of the first one of a kind.
    pub problems: Vec<(Problem, u32)>,
}

/// A region in which names are bound.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scope {
    /// What opens it.
    pub kind: ScopeKind,
    /// The scope around it; none for the module.
    pub parent: Option<ScopeId>,
    /// Its function or class.
    pub def: Option<DefId>,
    /// Its part of [`FileFacts::symbols`].
    pub bindings: std::ops::Range<u32>,
}

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The file.
    Module,
    /// A class body: its names are not seen from functions inside.
    Class,
    /// A function or lambda.
    Function,
}

impl FileFacts {
    /// Gives back the room that the tables have grown into: they are kept as long as their file is followed.
    pub(crate) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.definitions.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.exprs.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.reaches.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.scope_bindings.shrink_to_fit();
        self.scope_binding_names.shrink_to_fit();
        self.attribute_assigns.shrink_to_fit();
        self.constants.shrink_to_fit();
        for definition in &mut self.definitions {
            match &mut definition.body {
                DefBody::Function(function) => {
                    function.parameters.shrink_to_fit();
                    function.return_values.shrink_to_fit();
                }
                DefBody::Class(class) => class.fields.shrink_to_fit(),
            }
        }
    }

    /// The text of a name.
    #[inline]
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The expression of that id.
    #[inline]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The expressions of a list.
    #[inline]
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.range()]
    }

    /// The bindings of a reach.
    #[inline]
    pub fn reach(&self, reach: ReachingBindings) -> &[BindingId] {
        &self.reaches[reach.range()]
    }

    /// `name` of `value.name`.
    pub fn attribute_name(&self, expr: ExprId) -> Option<&str> {
        match self.expr(expr) {
            Expr::Attribute { name, .. } => Some(self.name(name)),
            _ => None,
        }
    }

    /// The definition of that id.
    #[inline]
    pub fn def(&self, id: DefId) -> &Def {
        &self.definitions[id.index()]
    }

    /// Keeps a list of bindings.
    pub(crate) fn add_reach(&mut self, bindings: &[BindingId]) -> ReachingBindings {
        let start = self.reaches.len();
        self.reaches.extend_from_slice(bindings);
        ReachingBindings::new(start, bindings.len())
    }

    /// Adds what a loop's end brings back to a name read in it, unless a binding of the same round, from
    /// `first_binding` on, already hides what came before.
    pub(crate) fn extend_read(&mut self, expr: ExprId, first_binding: usize, back: &[ReachingBindings]) {
        let (Expr::Name { reach, .. } | Expr::Attribute { reach, .. }) = self.expr(expr) else { return };
        let now = self.reach(reach);
        if !now.is_empty() && now.iter().all(|b| b.index() >= first_binding) {
            return;
        }
        let mut all: SmallVec<[BindingId; 8]> = now.iter().copied().collect();
        if now.is_empty() && matches!(self.expr(expr), Expr::Attribute { .. }) {
            return;
        }
        for &reach in back {
            // A name of another scope that was only narrowed here keeps being looked up there.
            let narrowed = |b: &BindingId| matches!(self.bindings[b.index()].kind, BindingKind::Narrow { .. });
            if now.is_empty() && self.reach(reach).iter().any(narrowed) {
                return;
            }
            all.extend_from_slice(self.reach(reach));
        }
        all.sort_unstable();
        all.dedup();
        all.truncate(64);
        let extended = self.add_reach(&all);
        if let Expr::Name { reach, .. } | Expr::Attribute { reach, .. } = &mut self.exprs[expr.index()] {
            *reach = extended;
        }
    }

    /// Every binding of a name in a scope, in flow order.
    pub fn bindings_of(&self, scope: ScopeId, name: NameId) -> &[BindingId] {
        let range = &self.scopes[scope.index()].bindings;
        let names = &self.scope_binding_names[range.start as usize..range.end as usize];
        let first = names.partition_point(|&other| other < name);
        let len = names[first..].iter().take_while(|&&other| other == name).count();
        let start = range.start as usize + first;
        &self.scope_bindings[start..start + len]
    }

    /// Every binding of a scope, sorted by name.
    pub fn bindings_in(&self, scope: ScopeId) -> &[BindingId] {
        let range = self.scopes[scope.index()].bindings.clone();
        &self.scope_bindings[range.start as usize..range.end as usize]
    }
}
