//! What gives names their values, and which of it reaches a read.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{DefId, ExprId, NameId, ScopeId};
use crate::ids::part;

/// What gives a name a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Binding {
    /// The scope it binds in.
    pub scope: ScopeId,
    /// The name; for a narrowed chain such as `self.x` an interned `self.x`.
    pub name: NameId,
    /// Its line, from 1.
    pub line: u32,
    /// What it is bound to.
    pub kind: BindingKind,
    /// In an `except` clause, or on a branch that is not taken: it stands in where something else fails.
    pub is_fallback: bool,
}

/// What a name is bound to.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
        unpack: SmallVec<[UnpackStep; 1]>,
        /// What is taken out of the value first.
        extraction: Extraction,
    },
    /// `x += v`: its former values, and the operand.
    Augmented {
        /// What reached it.
        before: ReachingBindings,
        /// The operand.
        value: ExprId,
    },
    /// What a test tells about a name on one branch.
    Narrow {
        /// The expression whose type is narrowed, as it was read in the test.
        before: ExprId,
        /// What was tested.
        test: NarrowingTest,
        /// The branch on which the test holds.
        positive: bool,
    },
    /// `global x`, `nonlocal x`.
    OuterScope {
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
        Self::Assign { value: Some(value), annotation: None, unpack: SmallVec::new(), extraction: Extraction::Value }
    }
}

/// What is taken out of a value before it is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extraction {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnpackStep {
    /// The n-th from the left.
    Item(u16),
    /// What a star takes.
    Rest,
}

/// What a condition tests about one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NarrowingTest {
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

part! {
    /// Which bindings may have given a name its value where it is read: a part of [`super::FileFacts::reaches`]. Where it
    /// is empty, nothing does in this scope.
    pub struct ReachingBindings;
}

impl ReachingBindings {
    /// None in this scope so far: the name is looked up in the scopes around.
    pub const NONE: Self = Self { start: 0, len: 0 };
}
