//! The facts of one file: a compact form of everything that linking asks for.
//!
//! Names are interned a file, expressions live in one table, and flow is already solved: a name that is
//! read says which of the file's bindings may reach it ([`Reach`]), so that linking never walks statements.

use compact_str::CompactString;
use smallvec::SmallVec;

use crate::engine::{diagnostic::Problem, ids::id, index::ParameterKind, usage::ArgumentKind, usage::Form};

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
#[derive(Clone, Debug, Default)]
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
    /// Lists of bindings that [`Reach`] refers to.
    pub reaches: Vec<BindingId>,
    /// Call sites, in the order of their evaluation.
    pub calls: Vec<Site>,
    /// Binding ids of each scope, sorted by scope and name, in flow order within.
    pub symbols: Vec<BindingId>,
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
#[derive(Clone, Debug)]
pub struct Scope {
    /// What opens it.
    pub kind: ScopeKind,
    /// The scope around it; none for the module.
    pub parent: Option<ScopeId>,
    /// Its function or class.
    pub def: Option<DefId>,
    /// Its part of [`FileFacts::symbols`].
    pub symbols: std::ops::Range<u32>,
}

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The file.
    Module,
    /// A class body: its names are not seen from functions inside.
    Class,
    /// A function or lambda.
    Function,
}

/// A function, lambda or class.
#[derive(Clone, Debug)]
pub struct Def {
    /// Its name; empty for a lambda.
    pub name: NameId,
    /// The line of its name, from 1.
    pub line: u32,
    /// The last line of its body, from 1.
    pub end_line: u32,
    /// The scope that its body opens.
    pub scope: ScopeId,
    /// The scope that it is defined in.
    pub outer: ScopeId,
    /// Decorators in source order: the expression, and its text without `@`.
    pub decorators: Vec<(ExprId, CompactString)>,
    /// The first paragraph of its docstring on one line.
    pub summary: Option<CompactString>,
    /// The rest of it.
    pub body: DefBody,
}

/// What only functions or only classes have.
#[derive(Clone, Debug)]
pub enum DefBody {
    /// `def`, `async def`, `lambda`.
    Function(Function),
    /// `class`.
    Class(Class),
}

/// The rest of a function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Parameters in order, the receiver included.
    pub parameters: Vec<Param>,
    /// The annotation of what it returns.
    pub returns: Option<(ExprId, CompactString)>,
    /// Values of its `return` statements.
    pub return_values: Vec<ExprId>,
    /// Values of its `yield` expressions; `yield from x` is kept as `Expr::Starred(x)`.
    pub yields: Vec<ExprId>,
    /// Written with `async`.
    pub is_async: bool,
    /// It has a `yield`.
    pub is_generator: bool,
    /// The end of the body is reached: it may return `None`.
    pub falls_through: bool,
    /// It only raises, or is `...`: an abstract or declared body whose returns say nothing.
    pub is_declared: bool,
    /// A lambda.
    pub is_lambda: bool,
}

/// One parameter as written.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name without stars.
    pub name: NameId,
    /// How it can be passed.
    pub kind: ParameterKind,
    /// Its annotation and the text of it.
    pub annotation: Option<(ExprId, CompactString)>,
    /// Its default and the text of it.
    pub default: Option<(ExprId, CompactString)>,
}

/// The rest of a class.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Bases in order, starred ones left out, with their text.
    pub bases: Vec<(ExprId, CompactString)>,
    /// `metaclass=…` and other keywords.
    pub keywords: Vec<(NameId, ExprId)>,
    /// What its body declares: fields, attributes.
    pub fields: Vec<Field>,
}

/// `x: T = v` or `x = v` directly in a class body or module.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: NameId,
    /// Its line, from 1.
    pub line: u32,
    /// Its annotation and the text of it.
    pub annotation: Option<(ExprId, CompactString)>,
    /// Its value and the text of it.
    pub value: Option<(ExprId, CompactString)>,
}

/// What gives a name a value.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The scope it binds in.
    pub scope: ScopeId,
    /// The name; for a narrowed chain such as `self.x` an interned `self.x`.
    pub name: NameId,
    /// Its line, from 1.
    pub line: u32,
    /// What it is bound to.
    pub kind: BindingKind,
    /// In an `except` clause: it stands in where something else failed.
    pub is_fallback: bool,
}

/// What a name is bound to.
#[derive(Clone, Debug)]
pub enum BindingKind {
    /// `import a.b.c` binds `a`; `import a.b as c` binds the module itself.
    Import {
        /// The dotted name.
        module: NameId,
        /// True where the whole dotted name is bound.
        whole: bool,
    },
    /// `from m import name`.
    ImportFrom {
        /// The dotted name; empty for `from . import x`.
        module: NameId,
        /// Leading dots.
        level: u32,
        /// What is imported.
        name: NameId,
    },
    /// `from m import *`; its name is `*`.
    ImportStar {
        /// The dotted name.
        module: NameId,
        /// Leading dots.
        level: u32,
    },
    /// A function or class.
    Def(DefId),
    /// A parameter: which one of which function.
    Parameter(DefId, u32),
    /// `x = v`, `x: T`, `x: T = v`.
    Assign {
        /// The value.
        value: Option<ExprId>,
        /// The annotation.
        annotation: Option<ExprId>,
        /// The place in an unpacked value, outermost first: `a, (b, *c) = v`.
        path: SmallVec<[UnpackStep; 1]>,
        /// What is taken out of the value first.
        via: Via,
    },
    /// `x += v`: its former values, and the operand.
    Augmented {
        /// What reached it.
        before: Reach,
        /// The operand.
        value: ExprId,
    },
    /// What a test tells about a name on one branch.
    Narrow {
        /// The expression whose type is narrowed, as it was read in the test.
        before: ExprId,
        /// What was tested.
        test: Test,
        /// The branch on which the test holds.
        positive: bool,
    },
    /// `global x`, `nonlocal x`.
    Outer {
        /// `global` rather than `nonlocal`.
        global: bool,
    },
    /// `type X = …`.
    TypeAlias(ExprId),
    /// `del x`, a match capture, or anything else whose value is not known.
    Unknown,
}

impl BindingKind {
    /// `x = value`
    pub(crate) fn assign(value: ExprId) -> Self {
        Self::Assign { value: Some(value), annotation: None, path: SmallVec::new(), via: Via::Value }
    }
}

/// What is taken out of a value before it is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The value itself.
    Value,
    /// An element: `for x in v`.
    Iteration,
    /// `async for x in v`.
    AsyncIteration,
    /// What it yields: `with v as x`.
    Enter,
    /// `async with v as x`.
    AsyncEnter,
    /// An instance: `except v as x`.
    Exception,
}

/// One step into an unpacked value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnpackStep {
    /// The n-th from the left.
    Item(u16),
    /// What a star takes.
    Rest,
}

/// What a condition tests about one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `isinstance(x, c)`, `case c():`.
    Instance(ExprId),
    /// `issubclass(x, c)`.
    Subclass(ExprId),
    /// `x is None`, `x == None`.
    IsNone,
    /// `x` as a condition.
    Truthy,
    /// `callable(x)`.
    Callable,
    /// `type(x) is c`.
    ExactType(ExprId),
}

/// Which bindings may have given a name its value where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    start: u32,
    len: u32,
}

impl Reach {
    /// None in this scope so far: the name is looked up in the scopes around.
    pub const NONE: Self = Self { start: 0, len: 0 };

    /// A part of [`FileFacts::reaches`].
    pub(crate) fn new(start: usize, len: usize) -> Self {
        Self { start: start as u32, len: len as u32 }
    }

    /// Nothing reaches.
    pub fn is_none(self) -> bool {
        self.len == 0
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A part of [`FileFacts::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExprList {
    start: u32,
    len: u32,
}

impl ExprList {
    pub(crate) fn new(start: usize, len: usize) -> Self {
        Self { start: start as u32, len: len as u32 }
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    /// How many.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// None.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// An expression, as far as it can decide what is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Anything else.
    Unknown,
    /// `None`
    None,
    /// `True`, `False`, comparisons, `not x`
    Bool,
    /// An integer.
    Int,
    /// A float.
    Float,
    /// A string; its text where it looks like a name or an annotation.
    Str(Option<NameId>),
    /// `b"…"`
    Bytes,
    /// `...`
    Ellipsis,
    /// `x`
    Name {
        /// The name.
        name: NameId,
        /// The scope it is read in.
        scope: ScopeId,
        /// What reaches it there.
        reach: Reach,
    },
    /// `value.name`
    Attribute {
        /// The receiver.
        value: ExprId,
        /// The attribute.
        name: NameId,
        /// What reaches the whole chain, where it was assigned or narrowed before in this scope.
        reach: Reach,
    },
    /// A call; also one without a name token.
    Call(SiteId),
    /// `value[index]`
    Subscript {
        /// The value.
        value: ExprId,
        /// The index; a tuple where there are several.
        index: ExprId,
    },
    /// `a:b`
    Slice,
    /// `(a, b)`
    Tuple(ExprList),
    /// `[a, b]`
    List(ExprList),
    /// `{a, b}`
    Set(ExprList),
    /// `{k: v}`: keys and values in turn; `**x` is left out.
    Dict(ExprList),
    /// `[x for …]`
    ListOf(ExprId),
    /// `{x for …}`
    SetOf(ExprId),
    /// `(x for …)`
    GeneratorOf(ExprId),
    /// `{k: v for …}`
    DictOf(ExprId, ExprId),
    /// `a + b`, `a | b`
    Binary {
        /// True for `|`.
        pipe: bool,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `a or b`, `a and b`
    Boolean {
        /// `or` rather than `and`.
        or: bool,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `a if c else b`
    Either(ExprId, ExprId),
    /// `await x`
    Await(ExprId),
    /// `*x`, and `yield from x` among yields.
    Starred(ExprId),
    /// `lambda …: …`
    Lambda(DefId),
}

/// One call expression.
#[derive(Clone, Debug)]
pub struct Site {
    /// What is called.
    pub callee: ExprId,
    /// The line of the callee's last name token, from 1; 0 where it has none: then it is no call site of
    /// the index, and only kept for the type of its result.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// How the callee is written.
    pub form: Form,
    /// The innermost named function around it.
    pub caller: Option<DefId>,
    /// The scope it stands in.
    pub scope: ScopeId,
    /// Arguments in source order.
    pub arguments: Vec<Arg>,
    /// No path leads here: after a `return`, under `if False`.
    pub unreachable: bool,
}

/// One argument as written.
#[derive(Clone, Debug)]
pub struct Arg {
    /// How it is written.
    pub kind: ArgumentKind,
    /// The keyword.
    pub keyword: Option<NameId>,
    /// The value.
    pub value: ExprId,
    /// The literal's text where it is a short one.
    pub literal: Option<CompactString>,
}

/// `receiver.name = value` in a method.
#[derive(Clone, Debug)]
pub struct AttributeAssign {
    /// The method.
    pub method: DefId,
    /// The attribute.
    pub name: NameId,
    /// Its line, from 1.
    pub line: u32,
    /// What is assigned: always a [`BindingKind::Assign`] of the chain.
    pub binding: BindingId,
}

impl FileFacts {
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
    pub fn reach(&self, reach: Reach) -> &[BindingId] {
        &self.reaches[reach.range()]
    }

    /// The definition of that id.
    #[inline]
    pub fn def(&self, id: DefId) -> &Def {
        &self.definitions[id.index()]
    }

    /// Keeps a list of bindings.
    pub(crate) fn add_reach(&mut self, bindings: &[BindingId]) -> Reach {
        let start = self.reaches.len();
        self.reaches.extend_from_slice(bindings);
        Reach::new(start, bindings.len())
    }

    /// Adds what a loop's end brings back to a name read in it, unless a binding of the same round, from
    /// `first_binding` on, already hides what came before.
    pub(crate) fn extend_read(&mut self, expr: ExprId, first_binding: usize, back: &[Reach]) {
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
        let range = self.scopes[scope.index()].symbols.clone();
        let symbols = &self.symbols[range.start as usize..range.end as usize];
        let start = symbols.partition_point(|b| self.bindings[b.index()].name < name);
        let len = symbols[start..].partition_point(|b| self.bindings[b.index()].name == name);
        &symbols[start..start + len]
    }

    /// Every binding of a scope, sorted by name.
    pub fn bindings_in(&self, scope: ScopeId) -> &[BindingId] {
        let range = self.scopes[scope.index()].symbols.clone();
        &self.symbols[range.start as usize..range.end as usize]
    }
}

impl Def {
    /// The function's part.
    pub fn function(&self) -> Option<&Function> {
        match &self.body {
            DefBody::Function(function) => Some(function),
            DefBody::Class(_) => None,
        }
    }

    /// The class's part.
    pub fn class(&self) -> Option<&Class> {
        match &self.body {
            DefBody::Class(class) => Some(class),
            DefBody::Function(_) => None,
        }
    }
}
