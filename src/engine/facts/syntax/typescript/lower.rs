//! The state of lowering one file, and the functions that add rows to its facts.

use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::Node;

use super::{
    Dialect,
    calls::DetachedOperator,
    comment_types::TypedTags,
    conditions::NarrowingCondition,
    context::{DocRange, ExportModifier, FunctionFrame, InferredName, WellKnownNames},
    facts::{
        Arg, Decl, Def, DefBody, DefId, Expr, ExprId, ExprList, ExpressionContext, FileFacts, LexicalScope,
        MentionPlace, NameId, ScopeId, ScopeKind, Symbol, SymbolId, TypeId, TypeList, TypeNode,
    },
    grammar::Grammar,
    name_resolution::DeferredWork,
    narrowing::NarrowingState,
    text,
};
use crate::syntax::kept_texts::KeptTexts;
use crate::{
    documentation::{self, Documentation},
    syntax::{
        self, MAX_MEMBERS,
        names::NameInterner,
        tree::{self, line_of},
    },
};
use apidisc_base::diagnostic::Problem;

/// The greatest nesting depth that is lowered. A bracket counts as one or two levels. One level takes at most about 3
/// KB of stack in a build without optimisation.
const MAX_DEPTH: u32 = 400;

/// The greatest depth to which parts of a text contain each other.
const MAX_NESTED_PARTS: usize = 100;

/// The greatest number of tolerated syntax errors. A file with more syntax errors is reported as a problem.
const MAX_TOLERATED: usize = 100;

/// The lowering of one file.
pub(super) struct Lowering<'s> {
    pub(super) source: &'s str,
    pub(super) grammar: &'static Grammar,
    pub(super) dialect: Dialect,
    pub(super) facts: FileFacts,
    /// The types in JSDoc comments, in JavaScript.
    pub(super) comment_types: TypedTags<'s>,
    pub(super) frame: FunctionFrame<'s>,
    pub(super) narrowing: NarrowingState,
    pub(super) depth: u32,
    /// The JSDoc comment before the next declaration or member.
    pub(super) doc: Option<DocRange>,
    /// The `export` modifier of the next declaration.
    pub(super) exporting: ExportModifier,
    /// The name of the member whose annotation is being lowered, if the outermost definitions in the annotation take
    /// that name. See [`Lowering::member_annotation`].
    pub(super) signature: Option<NameId>,
    /// The class or interface that the type `this` refers to.
    pub(super) this_type: Option<DefId>,
    /// The scope in which `infer` declares its type parameters: that of the innermost conditional type.
    pub(super) infer_scope: ScopeId,
    /// Where the expression or type that is lowered stands, if a name there is a mention.
    pub(super) mention_place: Option<MentionPlace>,
    /// The number of annotations so far.
    pub(super) annotations: u32,
    /// Work that is put off, most of it until the end of the file.
    pub(super) pending: DeferredWork,
    /// The operators before the calls that are being lowered, where the grammar parses them as a part of the callee.
    pub(super) detached: Vec<DetachedOperator>,
    /// The conditions that constants hold, by the name of the constant that was declared last, with its scope.
    pub(super) constant_conditions: FxHashMap<NameId, (ScopeId, NarrowingCondition)>,
    /// The symbols of all scopes.
    pub(super) symbols: FxHashMap<(ScopeId, NameId), SymbolId>,
    /// The source texts that the facts have so far.
    pub(super) texts: KeptTexts,
    interner: NameInterner,
}

impl<'s> Lowering<'s> {
    pub(super) fn new(source: &'s str, grammar: &'static Grammar, dialect: Dialect, is_declaration: bool) -> Self {
        let file = ScopeId::new(0);
        let scope = LexicalScope { kind: ScopeKind::File, parent: None, def: None, symbols: ThinVec::new() };
        let mut lowering = Self {
            source,
            grammar,
            dialect,
            facts: FileFacts {
                scopes: vec![scope],
                // Expressions and types without content share one row each at a fixed index.
                exprs: FIXED_EXPRS.to_vec(),
                types: vec![TypeNode::Unknown],
                is_declaration,
                ..FileFacts::default()
            },
            comment_types: TypedTags::default(),
            frame: FunctionFrame::new(file, is_declaration),
            narrowing: NarrowingState::default(),
            depth: 0,
            doc: None,
            exporting: ExportModifier::No,
            signature: None,
            this_type: None,
            infer_scope: file,
            mention_place: None,
            annotations: 0,
            pending: DeferredWork::default(),
            detached: Vec::new(),
            constant_conditions: FxHashMap::default(),
            symbols: FxHashMap::default(),
            texts: KeptTexts::default(),
            interner: NameInterner::default(),
        };
        for name in WellKnownNames::ALL {
            lowering.intern(name);
        }
        lowering
    }

    /// Lowers the trees of a whole file, in source order.
    pub(super) fn lower_file(mut self, trees: impl IntoIterator<Item = tree_sitter::Tree>) -> FileFacts {
        let (mut errors, mut tolerated) = (Vec::new(), 0);
        for tree in trees {
            let root = tree.root_node();
            let is_error = |_: Node<'_>, parent: Option<Node<'_>>| {
                let is_tolerated = tolerated < MAX_TOLERATED && is_tolerated(parent);
                tolerated += usize::from(is_tolerated);
                !is_tolerated
            };
            tree::add_error_lines(root, is_error, &mut errors);
            self.statements(&mut root.walk());
        }
        self.facts.problems.extend(errors.into_iter().map(|lines| (Problem::Syntax, lines)));
        self.finish()
    }

    /// Lowers the trees of parts of a text, in source order. Each part contains the next one as a block contains an
    /// inner block, down to a depth of [`MAX_NESTED_PARTS`]; further parts are siblings at that depth.
    pub(super) fn lower_nested(mut self, trees: &[tree_sitter::Tree]) -> FileFacts {
        let file = self.frame.scope;
        let mut parent = file;
        for (depth, tree) in trees.iter().enumerate() {
            self.frame.scope = parent;
            self.in_new_scope(ScopeKind::Block, |this| {
                this.statements(&mut tree.root_node().walk());
                if depth + 1 < MAX_NESTED_PARTS {
                    parent = this.frame.scope;
                }
            });
        }
        self.frame.scope = file;
        self.finish()
    }

    fn finish(mut self) -> FileFacts {
        self.declare_documented_imports();
        self.declare_documented_aliases();
        self.cut_long_lists();
        self.resolve_names()
    }

    /// Cuts lists of members to a length of [`MAX_MEMBERS`].
    fn cut_long_lists(&mut self) {
        let mut cut = None;
        for definition in &mut self.facts.definitions {
            let is_cut = match &mut definition.body {
                DefBody::Class(class) => truncate(&mut class.members),
                DefBody::Interface(interface) => truncate(&mut interface.members),
                DefBody::Object(members) | DefBody::TypeLiteral(members) => truncate(members),
                DefBody::Enum(body) => truncate(&mut body.members),
                DefBody::Function(_) | DefBody::TypeAlias(_) | DefBody::Namespace => false,
            };
            if is_cut {
                cut.get_or_insert(definition.line);
            }
        }
        if let Some(line) = cut {
            self.record_problem(Problem::TooComplex, line);
        }
    }

    pub(super) fn intern(&mut self, text: &str) -> NameId {
        self.interner.intern(&mut self.facts.names, text)
    }

    /// Interns the text of a node.
    pub(super) fn name_of(&mut self, node: Node) -> NameId {
        let text = self.text(node);
        self.intern(text)
    }

    /// The first paragraph of a JSDoc comment.
    pub(super) fn summary(&self, doc: Option<DocRange>) -> Option<ArcStr> {
        let (start, end) = doc?;
        text::summary(self.source.get(start as usize..end as usize)?).map(|summary| ArcStr::from(summary.as_str()))
    }

    /// The documentation in a JSDoc comment beside its summary.
    pub(super) fn documentation(&self, doc: Option<DocRange>) -> Option<Box<Documentation>> {
        let (start, end) = doc?;
        documentation::parse_comment(self.source.get(start as usize..end as usize)?)
    }

    pub(super) fn add_expr(&mut self, expr: Expr) -> ExprId {
        let row = match expr {
            Expr::Unknown => 0,
            Expr::Undefined => 1,
            Expr::Null => 2,
            Expr::Number => 3,
            Expr::Test => 4,
            Expr::BigInt => 5,
            Expr::String(None) => 6,
            Expr::RegExp => 7,
            Expr::Element => 8,
            _ => {
                self.facts.exprs.push(expr);
                self.facts.exprs.len() - 1
            }
        };
        ExprId::new(row)
    }

    pub(super) fn add_list(&mut self, items: &[ExprId]) -> ExprList {
        ExprList::append(&mut self.facts.lists, items)
    }

    pub(super) fn add_type(&mut self, ty: TypeNode) -> TypeId {
        if ty == TypeNode::Unknown {
            return TypeId::new(0);
        }
        self.facts.types.push(ty);
        TypeId::new(self.facts.types.len() - 1)
    }

    pub(super) fn add_type_list(&mut self, items: &[TypeId]) -> TypeList {
        TypeList::append(&mut self.facts.type_lists, items)
    }

    /// Adds a definition that begins at `node`, in the current scope and definition.
    pub(super) fn add_def(&mut self, node: Node, inferred: InferredName, body: DefBody) -> DefId {
        self.add_def_at(line_of(node), node.end_position().row as u32 + 1, inferred, body)
    }

    /// Adds a definition that takes the lines from `line` to `end_line`, in the current scope and definition.
    pub(super) fn add_def_at(&mut self, line: u32, end_line: u32, inferred: InferredName, body: DefBody) -> DefId {
        let id = DefId::new(self.facts.definitions.len());
        let summary = self.summary(inferred.doc);
        let documentation = self.documentation(inferred.doc);
        self.facts.definitions.push(Def {
            name: inferred.name,
            line,
            end_line,
            outer: self.frame.def,
            scope: self.frame.scope,
            expr: None,
            decorators: ThinVec::new(),
            summary,
            documentation,
            is_ambient: self.frame.is_ambient,
            body,
        });
        id
    }

    /// Adds a scope inside the current one.
    pub(super) fn add_scope(&mut self, kind: ScopeKind) -> ScopeId {
        let (parent, def) = (Some(self.frame.scope), self.frame.def);
        self.facts.scopes.push(LexicalScope { kind, parent, def, symbols: ThinVec::new() });
        ScopeId::new(self.facts.scopes.len() - 1)
    }

    /// Runs `f` in a new scope inside the current one.
    pub(super) fn in_new_scope<T>(&mut self, kind: ScopeKind, f: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.add_scope(kind);
        let outer = std::mem::replace(&mut self.frame.scope, scope);
        let result = f(self);
        self.frame.scope = outer;
        result
    }

    /// Runs `f` with `def` as the current definition.
    pub(super) fn in_definition<T>(&mut self, def: DefId, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.frame.def.replace(def);
        let result = f(self);
        self.frame.def = outer;
        result
    }

    /// Adds a declaration of a name to a scope.
    pub(super) fn declare(&mut self, scope: ScopeId, name: NameId, decl: Decl) -> SymbolId {
        let symbols = &mut self.facts.symbols;
        let id = *self.symbols.entry((scope, name)).or_insert_with(|| {
            symbols.push(Symbol { name, scope, decls: SmallVec::new(), is_exported: false });
            SymbolId::new(symbols.len() - 1)
        });
        symbols[id.index()].decls.push(decl);
        id
    }

    /// Records the context of an expression, if the contextual type can matter for the expression or a part of it.
    pub(super) fn record_context(&mut self, expr: ExprId, context: ExpressionContext) {
        let is_function = |argument: &Arg| matches!(self.facts.expr(argument.value), Expr::Function(_));
        let matters = match self.facts.expr(expr) {
            // The result of a call gives the types of the parameters of functions that are its arguments.
            Expr::Call(site) => self.facts.site(site).arguments.iter().any(is_function),
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
            | Expr::Satisfies(..) => true,
            _ => false,
        };
        if matters {
            self.facts.contexts.push((expr, context));
        }
    }

    /// Records a problem. Only the first problem of each kind is kept.
    pub(super) fn record_problem(&mut self, problem: Problem, line: u32) {
        syntax::record_problem(&mut self.facts.problems, problem, line);
    }

    /// Runs `f` one level deeper. Beyond the greatest depth, records a problem and returns `None`.
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

/// The expressions that have the same id in every file, in the order of the ids that [`Lowering::add_expr`] gives them.
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

/// Cuts a list to a length of [`MAX_MEMBERS`]. Returns true if it is longer.
fn truncate<T>(list: &mut ThinVec<T>) -> bool {
    let is_longer = list.len() > MAX_MEMBERS;
    list.truncate(MAX_MEMBERS);
    is_longer
}

/// The index of an element as stored in facts; `None` if it is beyond [`MAX_MEMBERS`]. The caller then leaves the
/// element out.
pub(super) fn index_u16(index: usize) -> Option<u16> {
    u16::try_from(index).ok().filter(|at| usize::from(*at) < MAX_MEMBERS)
}

/// True for a syntax error below `parent` in a construct that the grammar does not know, but that lowering reads from
/// the ERROR node: variance annotations (`out T`) and `export type * from`.
fn is_tolerated(parent: Option<Node>) -> bool {
    parent.is_some_and(|parent| {
        matches!(parent.kind(), "type_parameter" | "type_parameters")
            || parent.kind() == "export_statement" && parent.child_by_field_name("source").is_some()
    })
}
