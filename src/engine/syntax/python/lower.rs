//! The state of lowering one file, and the helpers that every part of it uses.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{
        Binding, BindingId, BindingKind, DefId, Expr, ExprId, ExprList, FileFacts, NameId, Scope, ScopeId, ScopeKind,
    },
    flow::FlowState,
    kinds::{Grammar, NodeKind},
};
use crate::diagnostic::Problem;

/// Nesting beyond this is not read. The grammar nests about three nodes a bracket.
pub(super) const MAX_DEPTH: u32 = 600;

/// One file on its way to facts.
pub(super) struct Lowering<'s> {
    pub(super) source: &'s str,
    pub(super) grammar: &'static Grammar,
    pub(super) facts: FileFacts,
    pub(super) flow: FlowState,
    pub(super) depth: u32,
    /// Strings are forward references here.
    pub(super) in_annotation: bool,
    interned: FxHashMap<CompactString, NameId>,
}

impl<'s> Lowering<'s> {
    pub(super) fn new(source: &'s str, grammar: &'static Grammar) -> Self {
        let module = ScopeId::new(0);
        let scope = Scope { kind: ScopeKind::Module, parent: None, def: None, bindings: 0..0 };
        // Constant expressions stand at fixed places: most literals cost no row.
        let exprs = vec![
            Expr::Unknown,
            Expr::None,
            Expr::Bool,
            Expr::Int,
            Expr::Float,
            Expr::Str(None),
            Expr::Bytes,
            Expr::Ellipsis,
            Expr::Slice,
        ];
        Self {
            source,
            grammar,
            facts: FileFacts { scopes: vec![scope], exprs, ..FileFacts::default() },
            flow: FlowState::new(module, None, None),
            depth: 0,
            in_annotation: false,
            interned: FxHashMap::default(),
        }
    }

    /// Lowers the whole tree.
    pub(super) fn module(mut self, tree: &tree_sitter::Tree) -> FileFacts {
        let root = tree.root_node();
        if root.has_error() {
            let line = first_error(root).map_or(1, |n| n.start_position().row as u32 + 1);
            self.facts.problems.push((Problem::Syntax, line));
        }
        let mut cursor = root.walk();
        self.lower_block(&mut cursor);
        self.lift_globals();
        self.sort_bindings();
        self.facts
    }

    /// What a function assigns to a name that it declares `global` is the module's.
    fn lift_globals(&mut self) {
        let bindings = &mut self.facts.bindings;
        let globals: FxHashSet<(ScopeId, NameId)> = bindings
            .iter()
            .filter(|b| matches!(b.kind, BindingKind::OuterScope { global: true }))
            .map(|b| (b.scope, b.name))
            .collect();
        if globals.is_empty() {
            return;
        }
        for binding in bindings {
            let gives = matches!(
                binding.kind,
                BindingKind::Assign { .. } | BindingKind::Import { .. } | BindingKind::ImportFrom { .. }
            );
            if gives && globals.contains(&(binding.scope, binding.name)) {
                binding.scope = ScopeId::new(0);
            }
        }
    }

    /// Orders bindings by scope and name, so that looking one up is a search in a slice.
    fn sort_bindings(&mut self) {
        let facts = &mut self.facts;
        let mut bindings: Vec<BindingId> = (0..facts.bindings.len())
            .map(BindingId::new)
            .filter(|b| !matches!(facts.bindings[b.index()].kind, BindingKind::Narrow { .. }))
            .collect();
        bindings.sort_unstable_by_key(|&b| {
            let binding = &facts.bindings[b.index()];
            (binding.scope, binding.name, b)
        });
        let mut start = 0;
        for (i, scope) in facts.scopes.iter_mut().enumerate() {
            let len = bindings[start..].partition_point(|b| facts.bindings[b.index()].scope == ScopeId::new(i));
            scope.bindings = start as u32..(start + len) as u32;
            start += len;
        }
        facts.scope_binding_names = bindings.iter().map(|b| facts.bindings[b.index()].name).collect();
        facts.scope_bindings = bindings;
    }

    #[inline]
    pub(super) fn kind(&self, node: Node) -> NodeKind {
        self.grammar.kind(node.kind_id())
    }

    #[inline]
    pub(super) fn text(&self, node: Node) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    pub(super) fn intern(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.interned.get(text) {
            return id;
        }
        let id = NameId::new(self.facts.names.len());
        let name = CompactString::new(text);
        self.facts.names.push(name.clone());
        self.interned.insert(name, id);
        id
    }

    /// Calls `f` at each child; `f` leaves the cursor where it found it.
    #[inline]
    pub(super) fn children<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind),
    ) {
        if cursor.goto_first_child() {
            loop {
                let kind = self.kind(cursor.node());
                f(self, cursor, kind);
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
            cursor.goto_parent();
        }
    }

    /// Calls `f` at the children that have a field, with its id.
    #[inline]
    pub(super) fn fields<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind, u16),
    ) {
        self.children(cursor, |this, cursor, kind| {
            if let Some(field) = cursor.field_id()
                && kind != NodeKind::Comment
            {
                f(this, cursor, kind, field.get());
            }
        });
    }

    /// Calls `f` at the children with that field.
    pub(super) fn field<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        field: u16,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind),
    ) {
        self.children(cursor, |this, cursor, kind| {
            if cursor.field_id().is_some_and(|id| id.get() == field) && kind != NodeKind::Comment {
                f(this, cursor, kind);
            }
        });
    }

    pub(super) fn add_expr(&mut self, expr: Expr) -> ExprId {
        let fixed = match expr {
            Expr::Unknown => 0,
            Expr::None => 1,
            Expr::Bool => 2,
            Expr::Int => 3,
            Expr::Float => 4,
            Expr::Str(None) => 5,
            Expr::Bytes => 6,
            Expr::Ellipsis => 7,
            Expr::Slice => 8,
            _ => {
                self.facts.exprs.push(expr);
                self.facts.exprs.len() - 1
            }
        };
        ExprId::new(fixed)
    }

    pub(super) fn unknown(&mut self) -> ExprId {
        self.add_expr(Expr::Unknown)
    }

    pub(super) fn add_list(&mut self, items: &[ExprId]) -> ExprList {
        let start = self.facts.lists.len();
        self.facts.lists.extend_from_slice(items);
        ExprList::new(start, items.len())
    }

    pub(super) fn add_scope(&mut self, kind: ScopeKind, def: Option<DefId>) -> ScopeId {
        let parent = Some(self.flow.scope);
        self.facts.scopes.push(Scope { kind, parent, def, bindings: 0..0 });
        ScopeId::new(self.facts.scopes.len() - 1)
    }

    /// Binds `name` in the scope at hand.
    pub(super) fn bind(&mut self, name: NameId, line: u32, kind: BindingKind) -> BindingId {
        let scope = self.flow.scope;
        let id = BindingId::new(self.facts.bindings.len());
        let is_fallback = self.flow.in_except || !self.flow.reachable;
        self.facts.bindings.push(Binding { scope, name, line, kind, is_fallback });
        self.flow.forget_paths(name);
        self.set_only_reaching(name, id);
        id
    }

    /// Binds what `key` stands for: a name, or a chain, which is no symbol of the scope.
    pub(super) fn bind_path(&mut self, path: AccessPath, line: u32, kind: BindingKind) -> BindingId {
        let id = BindingId::new(self.facts.bindings.len());
        let FlowState { scope, in_except, reachable, .. } = self.flow;
        let is_fallback = in_except || !reachable;
        self.facts.bindings.push(Binding { scope, name: path.name, line, kind, is_fallback });
        let reach = self.facts.add_reach(&[id]);
        if path.root == path.name {
            self.flow.set(path.name, reach);
        } else {
            self.flow.forget_paths(path.name);
            self.flow.set_path(path.root, path.name, reach);
        }
        id
    }

    /// Makes `binding` the only one that reaches `name`.
    pub(super) fn set_only_reaching(&mut self, name: NameId, binding: BindingId) {
        let reach = self.facts.add_reach(&[binding]);
        self.flow.set(name, reach);
    }

    /// A name, or a chain of names such as `self.x.y`, as one key; none for any other expression.
    pub(super) fn access_path(&mut self, expr: ExprId) -> Option<AccessPath> {
        let mut parts: SmallVec<[NameId; 4]> = SmallVec::new();
        let mut at = expr;
        let root = loop {
            match self.facts.expr(at) {
                Expr::Name { name, .. } => break name,
                Expr::Attribute { value, name, .. } if parts.len() < 4 => {
                    parts.push(name);
                    at = value;
                }
                _ => return None,
            }
        };
        if parts.is_empty() {
            return Some(AccessPath { root, name: root });
        }
        let mut text = CompactString::new(self.facts.name(root));
        for &part in parts.iter().rev() {
            text.push('.');
            text.push_str(self.facts.name(part));
        }
        Some(AccessPath { root, name: self.intern(&text) })
    }

    pub(super) fn problem(&mut self, problem: Problem, line: u32) {
        if !self.facts.problems.iter().any(|(p, _)| *p == problem) {
            self.facts.problems.push((problem, line));
        }
    }

    /// Runs `f` one level deeper; where that is too deep, notes it and returns `None`.
    #[inline]
    pub(super) fn descend<T>(&mut self, node: Node, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.problem(Problem::TooDeep, line_of(node));
            return None;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        Some(result)
    }
}

/// What flow knows a value by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AccessPath {
    /// The name that a chain begins with.
    pub(super) root: NameId,
    /// The whole chain; the name itself where there is no chain.
    pub(super) name: NameId,
}

/// The line of a node's start, from 1.
#[inline]
pub(super) fn line_of(node: Node) -> u32 {
    node.start_position().row as u32 + 1
}

/// The field of the cursor's node; 0 where it has none.
pub(super) fn cursor_field(cursor: &TreeCursor) -> u16 {
    cursor.field_id().map_or(0, std::num::NonZero::get)
}

/// The first error or missing node, found without recursion.
fn first_error(root: Node) -> Option<Node> {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}
