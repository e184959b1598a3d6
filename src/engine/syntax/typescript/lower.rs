//! The state of lowering one file, and the helpers that every part of it uses.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    Dialect,
    facts::{
        Context, Decl, Def, DefBody, DefId, Expr, ExprId, ExprList, FileFacts, NameId, Scope, ScopeId, ScopeKind,
        Symbol, SymbolId, TypeId, TypeList, TypeNode,
    },
    finish::Pending,
    frame::{Doc, Exporting, Frame, Holder, Words},
    kinds::{Grammar, Kind, Named, Token},
    known::Known,
    text,
};
use crate::diagnostic::Problem;

/// Nesting beyond this is not read. A bracket is one or two levels; none takes more than about 3 KB of the stack
/// without optimisation.
const MAX_DEPTH: u32 = 400;

/// Errors that are looked at to tell whether they are known.
const MAX_KNOWN: usize = 100;

/// One file on its way to facts.
pub(super) struct Lowering<'s> {
    pub(super) source: &'s str,
    pub(super) grammar: &'static Grammar,
    pub(super) dialect: Dialect,
    pub(super) facts: FileFacts,
    pub(super) frame: Frame,
    pub(super) known: Known,
    pub(super) depth: u32,
    /// The JSDoc that stands before what is read next.
    pub(super) doc: Option<Doc>,
    /// What is read next is exported.
    pub(super) exporting: Exporting,
    /// The property signature whose type is being read: the outermost definitions in it go by its name.
    pub(super) signature: Option<NameId>,
    /// The class or interface that `this` is of as a type.
    pub(super) this_type: Option<DefId>,
    /// Where `infer` declares what it names.
    pub(super) infer_scope: ScopeId,
    /// What can be told when the whole file is read.
    pub(super) pending: Pending,
    pub(super) symbols: FxHashMap<(ScopeId, NameId), SymbolId>,
    interned: FxHashMap<CompactString, NameId>,
}

impl<'s> Lowering<'s> {
    pub(super) fn new(source: &'s str, grammar: &'static Grammar, dialect: Dialect, is_declaration: bool) -> Self {
        let file = ScopeId::new(0);
        let scope = Scope { kind: ScopeKind::File, parent: None, def: None, symbols: Vec::new() };
        let mut lowering = Self {
            source,
            grammar,
            dialect,
            facts: FileFacts {
                scopes: vec![scope],
                // Constant expressions and types stand at fixed places: most literals cost no row.
                exprs: FIXED_EXPRS.to_vec(),
                types: vec![TypeNode::Unknown, TypeNode::Template],
                is_declaration,
                ..FileFacts::default()
            },
            frame: Frame::new(file, is_declaration),
            known: Known::default(),
            depth: 0,
            doc: None,
            exporting: Exporting::No,
            signature: None,
            this_type: None,
            infer_scope: file,
            pending: Pending::default(),
            symbols: FxHashMap::default(),
            interned: FxHashMap::default(),
        };
        for word in Words::ALL {
            lowering.intern(word);
        }
        lowering
    }

    /// Lowers the whole tree.
    pub(super) fn file(mut self, tree: &tree_sitter::Tree) -> FileFacts {
        let root = tree.root_node();
        if root.has_error()
            && let Some(error) = first_error(root)
        {
            self.facts.problems.push((Problem::Syntax, line_of(error)));
        }
        let mut cursor = root.walk();
        self.statements(&mut cursor);
        self.finish()
    }

    #[inline]
    pub(super) fn kind(&self, node: Node) -> Kind {
        self.grammar.kind(node.kind_id())
    }

    #[inline]
    pub(super) fn is(&self, node: Node, named: Named) -> bool {
        self.kind(node) == Kind::Node(named)
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

    /// The text of a node as a name.
    pub(super) fn name_of(&mut self, node: Node) -> NameId {
        let text = self.text(node);
        self.intern(text)
    }

    /// Calls `f` at each child; `f` leaves the cursor where it found it.
    #[inline]
    pub(super) fn children<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, Kind),
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

    /// Calls `f` at the children that are parts of the tree: neither tokens nor comments.
    #[inline]
    pub(super) fn nodes<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, Named),
    ) {
        self.children(cursor, |this, cursor, kind| {
            if let Kind::Node(named) = kind {
                f(this, cursor, named);
            }
        });
    }

    /// Calls `f` at the children that are parts of the tree, with their field, or 0.
    #[inline]
    pub(super) fn fields<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, Named, u16),
    ) {
        self.nodes(cursor, |this, cursor, named| {
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            f(this, cursor, named, field);
        });
    }

    /// Calls `f` at the children with that field.
    pub(super) fn field<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        field: u16,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, Named),
    ) {
        self.fields(cursor, |this, cursor, named, id| {
            if id == field {
                f(this, cursor, named);
            }
        });
    }

    /// Calls `f` at the first child that is a part of the tree.
    pub(super) fn first<'t, T>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        f: impl FnOnce(&mut Self, &mut TreeCursor<'t>, Named) -> T,
    ) -> Option<T> {
        let mut f = Some(f);
        let mut result = None;
        self.nodes(cursor, |this, cursor, named| {
            if let Some(f) = f.take() {
                result = Some(f(this, cursor, named));
            }
        });
        result
    }

    /// Calls `f` at each child, having noted the JSDoc before it.
    pub(super) fn documented<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, Kind),
    ) {
        self.doc = None;
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Comment => {
                let node = cursor.node();
                if this.source.as_bytes()[node.start_byte()..].starts_with(b"/**") {
                    this.doc = Some((node.start_byte() as u32, node.end_byte() as u32));
                }
            }
            Kind::Token(Token::Comma | Token::Other) => f(this, cursor, kind),
            Kind::Node(Named::Decorator) => {
                let doc = this.doc;
                f(this, cursor, kind);
                this.doc = doc;
            }
            _ => {
                f(this, cursor, kind);
                this.doc = None;
            }
        });
    }

    /// True where a child is that token.
    pub(super) fn has_token(&self, node: Node, token: Token) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| self.kind(child) == Kind::Token(token))
    }

    pub(super) fn summary(&self, doc: Option<Doc>) -> Option<CompactString> {
        let (start, end) = doc?;
        text::summary(self.source.get(start as usize..end as usize)?)
    }

    pub(super) fn add(&mut self, expr: Expr) -> ExprId {
        if let Some(at) = FIXED_EXPRS.iter().position(|&fixed| fixed == expr) {
            return ExprId::new(at);
        }
        self.facts.exprs.push(expr);
        ExprId::new(self.facts.exprs.len() - 1)
    }

    pub(super) fn add_list(&mut self, items: &[ExprId]) -> ExprList {
        let start = self.facts.lists.len();
        self.facts.lists.extend_from_slice(items);
        ExprList::new(start, items.len())
    }

    pub(super) fn add_type(&mut self, ty: TypeNode) -> TypeId {
        let fixed = match ty {
            TypeNode::Unknown => 0,
            TypeNode::Template => 1,
            _ => {
                self.facts.types.push(ty);
                self.facts.types.len() - 1
            }
        };
        TypeId::new(fixed)
    }

    pub(super) fn add_types(&mut self, items: &[TypeId]) -> TypeList {
        let start = self.facts.type_lists.len();
        self.facts.type_lists.extend_from_slice(items);
        TypeList::new(start, items.len())
    }

    /// Adds a definition that begins at `node`, in the scope and definition at hand.
    pub(super) fn add_def(&mut self, node: Node, holder: Holder, body: DefBody) -> DefId {
        let id = DefId::new(self.facts.definitions.len());
        let summary = self.summary(holder.doc);
        self.facts.definitions.push(Def {
            name: holder.name,
            line: line_of(node),
            end_line: node.end_position().row as u32 + 1,
            outer: self.frame.def,
            scope: self.frame.scope,
            expr: None,
            decorators: Vec::new(),
            summary,
            is_ambient: self.frame.is_ambient,
            body,
        });
        id
    }

    pub(super) fn add_scope(&mut self, kind: ScopeKind) -> ScopeId {
        let (parent, def) = (Some(self.frame.scope), self.frame.def);
        self.facts.scopes.push(Scope { kind, parent, def, symbols: Vec::new() });
        ScopeId::new(self.facts.scopes.len() - 1)
    }

    /// Runs `f` in a new scope.
    pub(super) fn scoped<T>(&mut self, kind: ScopeKind, f: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.add_scope(kind);
        let outer = std::mem::replace(&mut self.frame.scope, scope);
        let result = f(self);
        self.frame.scope = outer;
        result
    }

    /// Runs `f` in a definition.
    pub(super) fn within<T>(&mut self, def: DefId, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.frame.def.replace(def);
        let result = f(self);
        self.frame.def = outer;
        result
    }

    /// Declares a name.
    pub(super) fn declare(&mut self, scope: ScopeId, name: NameId, decl: Decl) -> SymbolId {
        let symbols = &mut self.facts.symbols;
        let id = *self.symbols.entry((scope, name)).or_insert_with(|| {
            symbols.push(Symbol { name, scope, decls: SmallVec::new(), is_exported: false });
            SymbolId::new(symbols.len() - 1)
        });
        symbols[id.index()].decls.push(decl);
        id
    }

    /// Notes what is expected of an expression, where that can decide something inside it.
    pub(super) fn expect(&mut self, expr: ExprId, context: Context) {
        if matches!(
            self.facts.expr(expr),
            Expr::Function(_)
                | Expr::Object(_)
                | Expr::Array(_)
                | Expr::Either(..)
                | Expr::Or(..)
                | Expr::And(..)
                | Expr::Nullish(..)
                | Expr::Await(_)
                | Expr::NonNull(_)
                | Expr::AsConst(_)
                | Expr::Satisfies(..)
        ) {
            self.facts.contexts.push((expr, context));
        }
    }

    pub(super) fn problem(&mut self, problem: Problem, line: u32) {
        if !self.facts.problems.iter().any(|(p, _)| *p == problem) {
            self.facts.problems.push((problem, line));
        }
    }

    /// Runs `f` one level deeper; where that is too deep, notes it and returns `None`.
    #[inline]
    pub(super) fn deeper<T>(&mut self, node: Node, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
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

/// Expressions that stand at the same place in every file.
const FIXED_EXPRS: [Expr; 9] = [
    Expr::Unknown,
    Expr::Undefined,
    Expr::Null,
    Expr::Number,
    Expr::Test,
    Expr::BigInt,
    Expr::String(None),
    Expr::RegExp,
    Expr::Element,
];

/// The line of a node's start, from 1.
#[inline]
pub(super) fn line_of(node: Node) -> u32 {
    node.start_position().row as u32 + 1
}

/// The n-th of something, where that fits.
pub(super) fn nth(index: usize) -> Option<u16> {
    u16::try_from(index).ok()
}

/// Syntax that the grammar does not know, and that is read all the same: `out T`, `export type * from`.
fn is_known(error: Node) -> bool {
    error.parent().is_some_and(|parent| {
        matches!(parent.kind(), "type_parameter" | "type_parameters")
            || parent.kind() == "export_statement" && parent.child_by_field_name("source").is_some()
    })
}

/// The first error or missing node, found without recursion.
fn first_error(root: Node) -> Option<Node> {
    let mut cursor = root.walk();
    let mut looked_at = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            looked_at += 1;
            if looked_at > MAX_KNOWN || !is_known(node) {
                return Some(node);
            }
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
