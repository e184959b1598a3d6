//! The facts of one file: a compact form of everything that linking needs.
//!
//! Names are interned per file, and expressions are in one table. Flow analysis is already done: a read lists the
//! bindings that reach it ([`ReachingBindings`]), so that linking never walks statements.

mod binding;
mod definition;
mod expr;
mod mention;
mod reaching;

use arcstr::ArcStr;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use binding::{Binding, BindingKind, Extraction, NarrowingTest, UnpackStep};
pub use definition::{Class, Def, DefBody, Field, Forward, Function, Param, TypeAlias};
pub use expr::{
    Arg, AttributeAddition, AttributeAssign, AttributeRead, BinaryOperator, CallExpr, ClassAssign, Expr, ExprList,
    OpenDict, UnaryOperator,
};

pub use mention::{Holder, Mention, MentionPlace, PassedAs};
pub use reaching::{BindingLists, ReachingBindings};

pub use crate::syntax::names::NameId;
use crate::{
    program::CallForm,
    syntax::texts::{self, KeptText, TextPiece},
};
use apidisc_base::{
    diagnostic::{LineRange, Problem},
    ids::id,
};

id! {
    /// A row of [`FileFacts::scopes`].
    pub struct ScopeId;
    /// A row of [`FileFacts::definitions`].
    pub struct DefId;
    /// A row of [`FileFacts::bindings`].
    pub struct BindingId;
    /// A row of [`FileFacts::exprs`].
    pub struct ExprId;
    /// A row of [`FileFacts::calls`].
    pub struct CallExprId;
    /// A row of [`FileFacts::literals`].
    pub struct LiteralId;
    /// A row of [`FileFacts::unpackings`].
    pub struct UnpackingId;
}

/// The facts of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileFacts {
    /// Interned names.
    pub names: Vec<CompactString>,
    /// Scopes. The first scope is that of the module.
    pub scopes: Vec<LexicalScope>,
    /// Functions, lambdas and classes. Outer ones precede inner ones.
    pub definitions: Vec<Def>,
    /// Bindings in flow order: the order in which lowering adds them as it follows the control flow.
    pub bindings: Vec<Binding>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Storage of [`ExprList`]s.
    pub lists: Vec<ExprId>,
    /// Storage of [`ReachingBindings`].
    pub reaching: BindingLists,
    /// Calls in the order of evaluation.
    pub calls: Vec<CallExpr>,
    /// The texts of arguments that are short literals or the names of constants or enum members, each once.
    pub literals: Vec<ArcStr>,
    /// The steps from unpacked or matched values to their bound parts, outermost first. For `c` in `a, (b, *c) = v`,
    /// they are item 1 and the rest.
    pub unpackings: Vec<Box<[UnpackStep]>>,
    /// Bindings sorted by scope, then by name, then in flow order. Narrowings are left out.
    pub scope_bindings: Vec<BindingId>,
    /// The names of `scope_bindings`, in the same order. A binary search for a name reads only this table.
    pub scope_binding_names: Vec<NameId>,
    /// Reads of attributes in the order of evaluation. Annotations are left out.
    pub reads: Vec<AttributeRead>,
    /// Names that may name definitions outside of calls, in the order of evaluation.
    pub mentions: Vec<Mention>,
    /// Assignments of methods to attributes of their receiver: `self.x = …`.
    pub attribute_assigns: Vec<AttributeAssign>,
    /// Additions of methods to attributes of their receiver: `self.x += [v]`.
    pub attribute_additions: Vec<AttributeAddition>,
    /// Assignments of the module to attributes of its classes: `C.x = …`.
    pub class_assigns: Vec<ClassAssign>,
    /// `X: T = v` and `X = v` at module level.
    pub constants: Vec<Field>,
    /// The names that the module gives to types, sorted by name; of a name with several types, the first one.
    pub type_aliases: Vec<TypeAlias>,
    /// The bounds of type parameters in brackets (PEP 695), sorted by parameter. Constraints are written as a union.
    pub bounds: Vec<(BindingId, ArcStr)>,
    /// The names of the module that several bindings reach at its end, if one of them is an import and another one
    /// defines a function or class: `try: from m import f`, `except ImportError: def f`. Sorted by name.
    pub alternatives: Vec<(NameId, ReachingBindings)>,
    /// The names in `__all__`, if it is built from string literals.
    pub all: Option<Vec<NameId>>,
    /// The star imports among the statements of the module, outside of blocks, in source order, each with the first
    /// expression after it.
    pub star_imports: Vec<(BindingId, ExprId)>,
    /// True if `__all__` also has names that are not string literals: `__all__ += other.__all__`.
    pub is_all_open: bool,
    /// The texts of strings that may be paths, URLs or names in a request, in the order of expressions.
    pub texts: Vec<KeptText<ExprId>>,
    /// The dict displays with `**x`, in the order of expressions.
    pub open_dicts: Vec<OpenDict>,
    /// The calls with which functions pass on their `*args` and `**kwargs`, sorted by function.
    pub forwards: Vec<Forward>,
    /// The keys that functions take out of the dict of their `**kwargs`, or set in it, sorted by function: only of
    /// functions that pass the dict on.
    pub taken_keywords: Vec<(DefId, NameId)>,
    /// Problems of the file. Each kind is listed once, with its first line.
    pub problems: Vec<(Problem, LineRange)>,
}

/// A scope: a region of code in which names are bound.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LexicalScope {
    /// The construct that opens the scope.
    pub kind: ScopeKind,
    /// The enclosing scope; `None` for the module.
    pub parent: Option<ScopeId>,
    /// The function or class that opens the scope.
    pub def: Option<DefId>,
    /// The scope's part of [`FileFacts::scope_bindings`].
    pub bindings: std::ops::Range<u32>,
}

/// The construct that opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The module.
    Module,
    /// A class body. Its names are not visible in the scopes of its functions.
    Class,
    /// A function, lambda or comprehension.
    Function,
}

impl FileFacts {
    /// Frees the unused capacity of the tables.
    pub(crate) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.definitions.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.exprs.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.reaching.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.literals.shrink_to_fit();
        self.unpackings.shrink_to_fit();
        self.reads.shrink_to_fit();
        self.mentions.shrink_to_fit();
        self.scope_bindings.shrink_to_fit();
        self.scope_binding_names.shrink_to_fit();
        self.attribute_assigns.shrink_to_fit();
        self.attribute_additions.shrink_to_fit();
        self.class_assigns.shrink_to_fit();
        self.constants.shrink_to_fit();
        self.type_aliases.shrink_to_fit();
        self.bounds.shrink_to_fit();
        self.texts.shrink_to_fit();
        self.open_dicts.shrink_to_fit();
        self.star_imports.shrink_to_fit();
        self.forwards.shrink_to_fit();
        self.taken_keywords.shrink_to_fit();
        for definition in &mut self.definitions {
            definition.decorators.shrink_to_fit();
            match &mut definition.body {
                DefBody::Function(function) => {
                    function.parameters.shrink_to_fit();
                    function.return_values.shrink_to_fit();
                    function.yields.shrink_to_fit();
                }
                DefBody::Class(class) => {
                    class.bases.shrink_to_fit();
                    class.keywords.shrink_to_fit();
                    class.fields.shrink_to_fit();
                }
            }
        }
    }

    /// The text of a name.
    #[inline]
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The expression with an id.
    #[inline]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The expressions of a list.
    #[inline]
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.range()]
    }

    /// The values `x` of `**x` in a dict display. `None` if it has none.
    pub fn spreads_of(&self, dict: ExprId) -> Option<&[ExprId]> {
        let at = self.open_dicts.binary_search_by_key(&dict, |open| open.dict).ok()?;
        Some(self.list(self.open_dicts[at].spreads))
    }

    /// The calls with which a function passes on its `*args` and `**kwargs`.
    pub fn forwards_of(&self, function: DefId) -> &[Forward] {
        let start = self.forwards.partition_point(|forward| forward.function < function);
        let len = self.forwards[start..].partition_point(|forward| forward.function == function);
        &self.forwards[start..start + len]
    }

    /// True if a function that passes on its `**kwargs` takes a key out of that dict, or sets it there.
    pub fn takes_keyword(&self, function: DefId, key: &str) -> bool {
        let start = self.taken_keywords.partition_point(|(other, _)| *other < function);
        let taken = self.taken_keywords[start..].iter().take_while(|(other, _)| *other == function);
        taken.into_iter().any(|(_, name)| self.name(*name) == key)
    }

    /// The pieces of a string, if its text is kept in [`Self::texts`].
    pub fn kept_text(&self, expr: ExprId) -> Option<&[TextPiece<ExprId>]> {
        texts::pieces_of(&self.texts, expr)
    }

    /// The bindings that reach a read.
    #[inline]
    pub fn reaching(&self, reaching: ReachingBindings) -> &[BindingId] {
        self.reaching.get(reaching)
    }

    /// The type that the module gives a name to.
    pub fn type_alias(&self, name: NameId) -> Option<&TypeAlias> {
        let at = self.type_aliases.binary_search_by_key(&name, |alias| alias.name);
        at.ok().map(|at| &self.type_aliases[at])
    }

    /// The text of the bound of a type parameter in brackets.
    pub fn bound_of(&self, parameter: BindingId) -> Option<&str> {
        let at = self.bounds.binary_search_by_key(&parameter, |(other, _)| *other);
        at.ok().map(|at| self.bounds[at].1.as_str())
    }

    /// The bindings that reach a name of the module at its end; see [`Self::alternatives`].
    pub fn alternatives_of(&self, name: NameId) -> &[BindingId] {
        let at = self.alternatives.binary_search_by_key(&name, |&(name, _)| name);
        at.map_or(&[], |at| self.reaching(self.alternatives[at].1))
    }

    /// The text of an argument that is a short literal, or the name of a constant or enum member.
    pub fn literal(&self, argument: &Arg) -> Option<&ArcStr> {
        argument.literal.map(|literal| &self.literals[literal.index()])
    }

    /// The steps from an unpacked or matched value to a bound part, outermost first; none for the value itself.
    pub fn steps(&self, unpacking: Option<UnpackingId>) -> &[UnpackStep] {
        unpacking.map_or(&[], |unpacking| &self.unpackings[unpacking.index()])
    }

    /// The only binding that gives a name its value; `None` for a name with several bindings and for any other
    /// expression. Narrowing tests do not count as bindings.
    pub fn only_binding(&self, mut expr: ExprId) -> Option<&BindingKind> {
        loop {
            let Expr::Name { reaching, .. } = self.expr(expr) else { return None };
            let [binding] = self.reaching(reaching) else { return None };
            match &self.bindings[binding.index()].kind {
                BindingKind::Narrow { before, .. } => expr = *before,
                kind => return Some(kind),
            }
        }
    }

    /// The attribute name of `value.name`; `None` for any other expression.
    pub fn attribute_name(&self, expr: ExprId) -> Option<&str> {
        match self.expr(expr) {
            Expr::Attribute { name, .. } => Some(self.name(name)),
            _ => None,
        }
    }

    /// The syntactic form of a callee or of a read.
    pub fn form(&self, expr: ExprId) -> CallForm {
        let is_receiver = |name: NameId| matches!(self.name(name), "self" | "cls");
        match self.expr(expr) {
            Expr::Name { .. } => CallForm::Name,
            Expr::Subscript { .. } => CallForm::Subscript,
            Expr::Attribute { value, .. } => match self.expr(value) {
                Expr::Name { name, .. } if is_receiver(name) => CallForm::SelfAttribute,
                Expr::Name { .. } => CallForm::Attribute,
                Expr::Attribute { .. } => CallForm::Chain,
                Expr::Call(site) if self.is_named(self.calls[site.index()].callee, "super") => CallForm::SuperAttribute,
                Expr::Call(_) => CallForm::CallAttribute,
                _ => CallForm::OtherAttribute,
            },
            _ => CallForm::OtherAttribute,
        }
    }

    /// True if the expression is a bare name or an attribute access whose name is `text`: for `text` = `"b"`, both `b`
    /// and `a.b`.
    pub fn is_named(&self, expr: ExprId, text: &str) -> bool {
        match self.expr(expr) {
            Expr::Name { name, .. } | Expr::Attribute { name, .. } => self.name(name) == text,
            _ => false,
        }
    }

    /// True if the file imports a module or a name.
    pub fn has_imports(&self) -> bool {
        self.bindings.iter().any(|binding| {
            matches!(
                binding.kind,
                BindingKind::Import { .. } | BindingKind::ImportFrom { .. } | BindingKind::ImportStar { .. }
            )
        })
    }

    /// The definition with an id.
    #[inline]
    pub fn def(&self, id: DefId) -> &Def {
        &self.definitions[id.index()]
    }

    /// Stores a list of bindings.
    pub(crate) fn add_reaching(&mut self, bindings: &[BindingId]) -> ReachingBindings {
        self.reaching.add(bindings)
    }

    /// Adds bindings of the previous iteration of a loop to a read in the loop. `back` are the bindings that reach the
    /// end of the body or a `continue`. The bindings of the loop begin at the index `first_binding`. If all bindings
    /// that reach the read are bindings of the loop, nothing is added: the name is always bound earlier in the same
    /// iteration.
    pub(crate) fn extend_read(&mut self, expr: ExprId, first_binding: usize, back: &[ReachingBindings]) {
        let (Expr::Name { reaching, .. } | Expr::Attribute { reaching, .. } | Expr::Subscript { reaching, .. }) =
            self.expr(expr)
        else {
            return;
        };
        let now = self.reaching(reaching);
        if !now.is_empty() && now.iter().all(|b| b.index() >= first_binding) {
            return;
        }
        let mut all: SmallVec<[BindingId; 8]> = now.iter().copied().collect();
        if now.is_empty() && matches!(self.expr(expr), Expr::Attribute { .. } | Expr::Subscript { .. }) {
            return;
        }
        for &reaching in back {
            // The name is bound in another scope and only narrowed in this one, so it is looked up in the other scope.
            let narrowed = |b: &BindingId| matches!(self.bindings[b.index()].kind, BindingKind::Narrow { .. });
            if now.is_empty() && self.reaching(reaching).iter().any(narrowed) {
                return;
            }
            all.extend_from_slice(self.reaching(reaching));
        }
        all.sort_unstable();
        all.dedup();
        all.truncate(64);
        let extended = self.add_reaching(&all);
        if let Expr::Name { reaching, .. } | Expr::Attribute { reaching, .. } | Expr::Subscript { reaching, .. } =
            &mut self.exprs[expr.index()]
        {
            *reaching = extended;
        }
    }

    /// The string or integer that a name is bound to: the value of the only binding that reaches the read. Any other
    /// expression is returned unchanged.
    pub(crate) fn constant_of(&self, expr: ExprId) -> ExprId {
        let Expr::Name { reaching, .. } = self.expr(expr) else { return expr };
        let &[binding] = self.reaching(reaching) else { return expr };
        self.literal_of(binding).unwrap_or(expr)
    }

    /// The string or integer that a binding assigns.
    pub fn literal_of(&self, binding: BindingId) -> Option<ExprId> {
        match &self.bindings[binding.index()].kind {
            BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. }
                if unpack.is_none() && matches!(self.expr(*value), Expr::Str(_) | Expr::Position(_)) =>
            {
                Some(*value)
            }
            _ => None,
        }
    }

    /// The bindings of a name in a scope, in flow order.
    pub fn bindings_of(&self, scope: ScopeId, name: NameId) -> &[BindingId] {
        let range = &self.scopes[scope.index()].bindings;
        let names = &self.scope_binding_names[range.start as usize..range.end as usize];
        let first = names.partition_point(|&other| other < name);
        let len = names[first..].partition_point(|&other| other == name);
        let start = range.start as usize + first;
        &self.scope_bindings[start..start + len]
    }

    /// The scopes in which a name that is read in `scope` is looked up and that bind it, innermost first, each with the
    /// bindings. The names of a class body are visible only in the body itself.
    pub fn scopes_binding(&self, scope: ScopeId, name: NameId) -> impl Iterator<Item = (ScopeId, &[BindingId])> + '_ {
        std::iter::successors(Some(scope), |scope| self.scopes[scope.index()].parent)
            .filter(move |&at| at == scope || self.scopes[at.index()].kind != ScopeKind::Class)
            .map(move |at| (at, self.bindings_of(at, name)))
            .filter(|(_, bindings)| !bindings.is_empty())
    }

    /// The bindings of a scope, sorted by name.
    pub fn bindings_in(&self, scope: ScopeId) -> &[BindingId] {
        let range = self.scopes[scope.index()].bindings.clone();
        &self.scope_bindings[range.start as usize..range.end as usize]
    }
}
