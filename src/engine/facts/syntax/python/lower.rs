//! The state of lowering one file from its syntax tree to facts, and helpers to walk the tree.

use arcstr::ArcStr;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, TreeCursor};

use super::{
    captures::CapturedRead,
    facts::{
        BindingId, BindingKind, DefId, Expr, ExprId, ExprList, FileFacts, LexicalScope, LiteralId, MentionPlace,
        NameId, ScopeId, ScopeKind,
    },
    flow::FlowState,
    grammar::{Grammar, NodeKind},
    type_comments::may_have_type_comments,
};
use crate::syntax::{
    self,
    kept_texts::KeptTexts,
    names::NameInterner,
    tree::{self, for_each_child, line_of},
};
use apidisc_base::diagnostic::Problem;

/// The maximum nesting of nodes; deeper nodes are skipped. The grammar nests about three nodes per bracket.
pub(super) const MAX_DEPTH: u32 = 600;

/// The lowering of one file.
pub(super) struct Lowering<'s> {
    pub(super) source: &'s str,
    pub(super) grammar: &'static Grammar,
    pub(super) facts: FileFacts,
    /// The flow state of the innermost function, class body or module.
    pub(super) flow: FlowState,
    /// The flow states of the functions, class bodies and module around it, outermost first.
    pub(super) outer_flows: Vec<FlowState>,
    pub(super) captured_reads: Vec<CapturedRead>,
    pub(super) depth: u32,
    /// True inside annotations, where string literals are forward references.
    pub(super) in_annotation: bool,
    /// Where the expression that is lowered stands, if a name there is a mention.
    pub(super) mention_place: Option<MentionPlace>,
    /// The place of the string whose text is parsed as a forward reference.
    pub(super) quoted_at: (u32, u32),
    /// The number of annotations so far.
    pub(super) annotations: u32,
    /// True if the file may contain type comments.
    pub(super) has_type_comments: bool,
    /// True on a branch that runs although type checkers skip it: `if not TYPE_CHECKING`.
    pub(super) in_run_time_branch: bool,
    /// The names of the module whose values are conditions with a known truth value.
    pub(super) static_names: FxHashMap<NameId, bool>,
    /// The bindings in code that is never reached.
    pub(super) unreachable_bindings: FxHashSet<BindingId>,
    /// The bindings of items, as in `d["k"] = v`, that stand on a branch.
    pub(super) conditional_items: FxHashSet<BindingId>,
    interner: NameInterner,
    /// The source texts that the facts have so far, without literals.
    texts: KeptTexts,
    literals: FxHashMap<ArcStr, LiteralId>,
}

impl<'s> Lowering<'s> {
    pub(super) fn new(source: &'s str, grammar: &'static Grammar) -> Self {
        let module = ScopeId::new(0);
        let scope = LexicalScope { kind: ScopeKind::Module, parent: None, def: None, bindings: 0..0 };
        // An expression without parts has a fixed id, so that all its occurrences share one row.
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
            flow: FlowState::new(module, None, None, 0),
            outer_flows: Vec::new(),
            captured_reads: Vec::new(),
            depth: 0,
            in_annotation: false,
            mention_place: None,
            quoted_at: (0, 0),
            annotations: 0,
            has_type_comments: may_have_type_comments(source),
            in_run_time_branch: false,
            static_names: FxHashMap::default(),
            unreachable_bindings: FxHashSet::default(),
            conditional_items: FxHashSet::default(),
            interner: NameInterner::default(),
            texts: KeptTexts::default(),
            literals: FxHashMap::default(),
        }
    }

    /// Lowers the trees of a whole file, in source order.
    pub(super) fn lower_module(mut self, trees: impl IntoIterator<Item = tree_sitter::Tree>) -> FileFacts {
        let mut errors = Vec::new();
        for tree in trees {
            let root = tree.root_node();
            tree::add_error_lines(root, |_, _| true, &mut errors);
            // About one node in eight is an expression with a row of its own, and one node in thirty introduces a new
            // name.
            let nodes = root.descendant_count();
            self.facts.exprs.reserve(nodes / 8);
            self.interner.reserve(nodes / 32);
            self.flow.reachable = true;
            self.lower_block(&mut root.walk());
        }
        self.facts.problems.extend(errors.into_iter().map(|lines| (Problem::Syntax, lines)));
        self.facts.alternatives = self.flow.alternatives(&self.facts);
        self.sort_type_aliases();
        self.lift_globals();
        self.sort_bindings();
        self.resolve_captured_reads();
        self.record_forwards();
        self.prune_mentions();
        self.facts
    }

    /// If a function declares a name `global`, moves the function's bindings of that name to the module scope.
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
            let binds_value = matches!(
                binding.kind,
                BindingKind::Def(_)
                    | BindingKind::Assign { .. }
                    | BindingKind::Augmented { .. }
                    | BindingKind::Import { .. }
                    | BindingKind::ImportFrom { .. }
            );
            if binds_value && globals.contains(&(binding.scope, binding.name)) {
                binding.scope = ScopeId::new(0);
            }
        }
    }

    /// Sorts bindings by scope and name, for binary search. Of a name that reachable code binds, the bindings in
    /// unreachable code are left out.
    fn sort_bindings(&mut self) {
        let names = self.unreachable_names();
        let unreachable = &self.unreachable_bindings;
        let facts = &mut self.facts;
        let mut bindings: Vec<BindingId> = (0..facts.bindings.len())
            .map(BindingId::new)
            .filter(|b| {
                let binding = &facts.bindings[b.index()];
                let is_left_out = unreachable.contains(b) && !names.contains(&(binding.scope, binding.name));
                !is_left_out && !matches!(binding.kind, BindingKind::Narrow { .. })
            })
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

    /// The names that only unreachable code binds, with their scopes.
    fn unreachable_names(&self) -> FxHashSet<(ScopeId, NameId)> {
        let key = |b: &BindingId| (self.facts.bindings[b.index()].scope, self.facts.bindings[b.index()].name);
        let mut names: FxHashSet<_> = self.unreachable_bindings.iter().map(key).collect();
        if !names.is_empty() {
            for (i, binding) in self.facts.bindings.iter().enumerate() {
                if !self.unreachable_bindings.contains(&BindingId::new(i)) {
                    names.remove(&(binding.scope, binding.name));
                }
            }
        }
        names
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
        self.interner.intern(&mut self.facts.names, text)
    }

    /// A source text that the facts keep. Equal texts of a file share their memory.
    pub(super) fn kept_text(&mut self, text: &str) -> ArcStr {
        self.texts.keep(text)
    }

    /// The id of the text of a literal.
    pub(super) fn kept_literal(&mut self, text: &str) -> LiteralId {
        if let Some(&known) = self.literals.get(text) {
            return known;
        }
        let id = LiteralId::new(self.facts.literals.len());
        let text = ArcStr::from(text);
        self.facts.literals.push(text.clone());
        self.literals.insert(text, id);
        id
    }

    /// The name with a text, if the file has it.
    pub(super) fn known_name(&self, text: &str) -> Option<NameId> {
        self.interner.find(text)
    }

    /// Calls `f` for each child. `f` must leave the cursor at the child.
    #[inline]
    pub(super) fn children<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind),
    ) {
        for_each_child(cursor, |cursor| {
            let kind = self.kind(cursor.node());
            f(self, cursor, kind);
        });
    }

    /// Calls `f` for each child that has a field, with the field id.
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

    /// Calls `f` for each child with the field `field`.
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
        ExprList::append(&mut self.facts.lists, items)
    }

    pub(super) fn add_scope(&mut self, kind: ScopeKind, def: Option<DefId>) -> ScopeId {
        let parent = Some(self.flow.scope);
        self.facts.scopes.push(LexicalScope { kind, parent, def, bindings: 0..0 });
        ScopeId::new(self.facts.scopes.len() - 1)
    }

    /// Records a problem. Only the first problem of each kind is kept.
    pub(super) fn record_problem(&mut self, problem: Problem, line: u32) {
        syntax::record_problem(&mut self.facts.problems, problem, line);
    }

    /// Runs `f` one nesting level deeper. Returns `None` and records a problem if the nesting is too deep.
    #[inline]
    pub(super) fn descend<T>(&mut self, node: Node, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.record_problem(Problem::TooDeep, line_of(node));
            return None;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        Some(result)
    }
}
