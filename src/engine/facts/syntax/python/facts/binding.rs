//! Bindings of names, and the bindings that reach a read.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::{BindingId, DefId, ExprId, NameId, ReachingBindings, ScopeId, UnpackingId};

/// A binding: a construct that gives a name a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Binding {
    /// The scope of the name.
    pub scope: ScopeId,
    /// The name. For a narrowed access path such as `self.x`, the interned text of the path.
    pub name: NameId,
    /// The line of the name, from 1; 0 for a narrowing by a condition.
    pub line: u32,
    /// The construct that binds the name.
    pub kind: BindingKind,
    /// True in an `except` clause and in unreachable code. Linking prefers another definition or import of the name,
    /// such as the import in the `try` block.
    pub is_fallback: bool,
}

/// The construct that binds a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum BindingKind {
    /// `import a.b.c` binds `a`; `import a.b as c` binds the module itself.
    Import {
        /// The dotted name.
        module: NameId,
        /// True if the bound value is the module `module`, false if it is the first package of its dotted name.
        whole: bool,
    },
    /// `from m import name`.
    ImportFrom {
        /// The dotted name; empty for `from . import x`.
        module: NameId,
        /// The number of leading dots (PEP 328).
        level: u32,
        /// The imported name.
        name: NameId,
    },
    /// `from m import *`. The bound name is `*`.
    ImportStar {
        /// The dotted name.
        module: NameId,
        /// The number of leading dots (PEP 328).
        level: u32,
    },
    /// A function or class.
    Def(DefId),
    /// A parameter: its function, and its position.
    Parameter(DefId, u32),
    /// `x = v`, `x: T`, `x: T = v`.
    Assign {
        /// The value.
        value: Option<ExprId>,
        /// The annotation.
        annotation: Option<ExprId>,
        /// The steps from an unpacked or matched value to the bound part; `None` for the value itself.
        unpack: Option<UnpackingId>,
        /// How the assigned value is taken out of `value`, before unpacking.
        extraction: Extraction,
    },
    /// `x += v`, an augmented assignment.
    Augmented {
        /// The bindings that reach `x`.
        before: ReachingBindings,
        /// The operand.
        value: ExprId,
    },
    /// The narrowing of a name by a test, on one branch.
    Narrow {
        /// The read of the name in the test.
        before: ExprId,
        /// The test.
        test: NarrowingTest,
        /// True on the branch that is taken if the test is true.
        positive: bool,
    },
    /// `global x`, `nonlocal x`.
    OuterScope {
        /// True for `global`, false for `nonlocal` (PEP 3104).
        global: bool,
    },
    /// `type X[T] = …` (PEP 695).
    TypeAlias {
        /// The type that the alias stands for.
        value: ExprId,
        /// The bindings of its type parameters.
        parameters: ThinVec<BindingId>,
    },
    /// A type parameter of a function, class or alias (PEP 695).
    TypeParameter {
        /// Its bound, or the tuple of its constraints.
        bound: Option<ExprId>,
        /// Its default (PEP 696).
        default: Option<ExprId>,
        /// True for `*Ts`, which stands for any number of types (PEP 646).
        is_variadic: bool,
    },
    /// `del x`, or any other binding of an unknown value.
    Unknown,
}

impl BindingKind {
    /// The binding of `x = value`.
    pub(crate) fn assign(value: ExprId) -> Self {
        Self::Assign { value: Some(value), annotation: None, unpack: None, extraction: Extraction::Value }
    }
}

/// How a bound value is taken out of an expression's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extraction {
    /// The value itself.
    Value,
    /// An item: `for x in v`.
    Iteration,
    /// An item: `async for x in v`.
    AsyncIteration,
    /// The result of `__enter__`: `with v as x`.
    Enter,
    /// The awaited result of `__aenter__`: `async with v as x`.
    AsyncEnter,
    /// An instance of the class: `except v as x`.
    Exception,
    /// A group of instances of the class: `except* v as x` (PEP 654).
    ExceptionGroup,
}

/// A step from a value to a part of it: an item of an unpacked value, or a part that a pattern of `match` matches
/// (PEP 634).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnpackStep {
    /// The item at this position from the left, from 0.
    Item(u16),
    /// The item at this position from the right, from 0: a target after a starred one (PEP 3132).
    ItemFromEnd(u16),
    /// The list of items that a starred target takes (PEP 3132): all but those of the targets before and after it.
    Rest {
        /// The number of targets before it.
        before: u16,
        /// The number of targets after it.
        after: u16,
    },
    /// The value itself, if a sequence pattern can match it.
    Sequence {
        /// The number of patterns in the sequence pattern, without a starred one.
        len: u16,
        /// True if the sequence pattern has a starred pattern.
        is_open: bool,
    },
    /// The value itself as an instance of a class: `C()`.
    Instance(ExprId),
    /// The attribute with this name: `C(name=p)`.
    Attribute(NameId),
    /// The attribute that the positional pattern at this position of `C(p, q)` matches: an item of `__match_args__`.
    MatchArgument(u16),
    /// The value of a key: `{key: p}`.
    Key(ExprId),
    /// `rest` in the mapping pattern `{key: p, **rest}`: a dict of the items whose keys the pattern does not name.
    OtherKeys,
}

impl UnpackStep {
    /// The step to the target at a position, of several targets of which the one at the position `star` is starred.
    pub(crate) fn to_target(position: u16, targets: u16, star: Option<u16>) -> Self {
        match star {
            Some(star) if position == star => Self::Rest { before: star, after: targets.saturating_sub(star + 1) },
            Some(star) if position > star => Self::ItemFromEnd(targets.saturating_sub(position + 1)),
            _ => Self::Item(position),
        }
    }
}

/// A test of one name or access path that narrows its type.
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
    /// A call with `x` as its first argument. It narrows `x` if the function returns `TypeGuard` or `TypeIs` (PEP 647,
    /// PEP 742).
    Guard(ExprId),
}

// A file has about one binding per three lines, and all files of a program are in memory at once.
const _: () = assert!(size_of::<Binding>() == 32);
