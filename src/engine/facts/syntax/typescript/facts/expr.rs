//! Expressions, call expressions and type guards.

use arcstr::ArcStr;
use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::{CallExprId, DefId, ExprId, GuardId, NameId, SymbolId, TypeId};
use crate::program::CallSyntax;
use apidisc_base::ids::row_range;

/// An expression, as far as it matters for the resolution of calls. Parentheses are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// Any other expression.
    Unknown,
    /// `undefined`, `void x`
    Undefined,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, or an arithmetic expression.
    Number,
    /// A comparison, `!x`, `in`, `instanceof`, `delete x`
    Test,
    /// A bigint.
    BigInt,
    /// A string, with its text if it is short. Also `typeof x` and templates, without a text.
    String(Option<NameId>),
    /// A regular expression.
    RegExp,
    /// `a + b`, which is a number or a string.
    Plus(ExprId, ExprId),
    /// `x`
    Name {
        /// The name.
        name: NameId,
        /// The symbol in this file; `None` for a global name of the platform or of another file.
        symbol: Option<SymbolId>,
    },
    /// `this`, with the definition that it belongs to: the class in a field initialiser or static block, else
    /// the innermost enclosing function that is not an arrow function.
    This(Option<DefId>),
    /// `super`, with the enclosing class.
    Super(Option<DefId>),
    /// `object.name`, `object?.name`, `object["name"]`
    Property {
        /// The receiver.
        object: ExprId,
        /// The property.
        name: NameId,
        /// `?.`
        optional: bool,
    },
    /// `object[index]`
    Index {
        /// The receiver.
        object: ExprId,
        /// The index.
        index: ExprId,
    },
    /// `object[0]`: the item at a literal position.
    Item {
        /// The receiver.
        object: ExprId,
        /// The position, from 0.
        at: u16,
    },
    /// A call, `new`, tagged template or JSX element of a component.
    Call(CallExprId),
    /// An intrinsic JSX element, such as `<div>`, or a fragment.
    Element,
    /// `[a, ...b]`
    Array(ExprList),
    /// `{ … }`
    Object(DefId),
    /// A function expression or arrow function.
    Function(DefId),
    /// A class expression.
    Class(DefId),
    /// `await x`
    Await(ExprId),
    /// The result of `yield* x`.
    Delegated(ExprId),
    /// `c ? a : b`
    Either(ExprId, ExprId),
    /// `a || b`
    Or(ExprId, ExprId),
    /// `a && b`
    And(ExprId, ExprId),
    /// `a ?? b`
    Nullish(ExprId, ExprId),
    /// `x as T`, `<T>x`
    As(ExprId, TypeId),
    /// `x as const`
    AsConst(ExprId),
    /// `x satisfies T`
    Satisfies(ExprId, TypeId),
    /// `x!`
    NonNull(ExprId),
    /// `...x`; in [`super::Function::yields`], `yield* x`.
    Spread(ExprId),
    /// `f<T>` without a call. The type arguments are the elements of a tuple type.
    Instantiated(ExprId, TypeId),
    /// The read of a reference for which a type guard holds.
    Narrowed(ExprId, GuardId),
    /// `import("m")`: a promise of the module.
    Import(NameId),
    /// `require("m")`
    Require(NameId),
    /// The namespace of the module `m`: `__importStar(require("m"))`.
    Namespace(NameId),
}

row_range! {
    /// A range of rows of [`super::FileFacts::lists`].
    pub struct ExprList;
}

/// One call expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallExpr {
    /// The callee; the component of a JSX element; [`Expr::Super`] for `super(…)`.
    pub callee: ExprId,
    /// The [`Expr::Call`] of the call.
    pub expr: ExprId,
    /// The kind of call.
    pub kind: CallExprKind,
    /// The line of the last name token of the callee, from 1. Parentheses, `as`, `!`, subscripts and type arguments
    /// around the callee are ignored; the tokens `this` and `super` count as names. A callee without a name token has
    /// the line of the opening parenthesis of the arguments, or of the template; 0 if there are no arguments either.
    pub line: u32,
    /// The column of the same token, from 0, in bytes.
    pub col: u32,
    /// How the call is written.
    pub syntax: CallSyntax,
    /// The innermost enclosing function that has a body and a name (or is a constructor). Functions around a decorator
    /// do not count.
    pub caller: Option<DefId>,
    /// Type arguments.
    pub type_args: ThinVec<TypeId>,
    /// Arguments in source order. A JSX element has one argument, an object literal of its attributes. A tagged
    /// template has one argument for its strings, which the index omits, and one for each `${…}`.
    pub arguments: Box<[Arg]>,
}

/// The kind of a call expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallExprKind {
    /// `f(x)`, `f?.(x)`, `super(x)`
    Call,
    /// `new C(x)`
    New,
    /// A tagged template: `f` followed by a template string.
    Template,
    /// `<C x={1} />`
    Jsx,
    /// `@f(x)`: the result is applied to the decorated definition.
    Decorator,
    /// `@f`: the only argument, whose value is unknown, is the decorated definition.
    BareDecorator,
}

/// One argument as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arg {
    /// The value; for `...x` the expression `x`.
    pub value: ExprId,
    /// `...x`
    pub is_spread: bool,
    /// For an object literal, its properties in order, with duplicates.
    pub keys: Option<ThinVec<PassedProperty>>,
    /// The text of a short literal: a string with its quotes, a number, `true`, `false`, `null` or `undefined`; or
    /// the name of a constant or enum member.
    pub literal: Option<ArcStr>,
}

/// A property of an object literal that is passed as an argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PassedProperty {
    /// The name; `...` for a spread, `[]` for a computed name.
    pub name: NameId,
    /// The text of the value, if it is a short literal, a constant or an enum member.
    pub literal: Option<ArcStr>,
}

/// The position of an expression, as far as it gives the expression a contextual type (TypeScript handbook, "Contextual
/// Typing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExpressionContext {
    /// A position without a contextual type.
    None,
    /// The n-th argument of a call.
    Argument(CallExprId, u16),
    /// The value of the n-th member of an object literal.
    Property(DefId, u16),
    /// The n-th element of an array literal.
    Element(ExprId, u16),
    /// The type of an annotation, `as` or `satisfies`.
    Typed(TypeId),
    /// A returned value of a function.
    Return(DefId),
    /// The default of a parameter.
    Default(DefId, u16),
    /// The value that is assigned to the given expression.
    Assigned(ExprId),
    /// The callee of a call: a function expression that is called at once.
    Callee(CallExprId),
    /// The expression has the contextual type of the given enclosing expression. Examples are the branches of a
    /// conditional expression and the operands of `||` and `await`.
    Same(ExprId),
}

/// A type guard: a test with its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The test.
    pub test: NarrowingTest,
    /// True if the test succeeded.
    pub positive: bool,
}

/// A test of a reference that narrows its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NarrowingTest {
    /// `x`
    Truthy,
    /// `x == null`, `x === undefined`
    Nullish,
    /// `typeof x === "…"`
    Typeof(NameId),
    /// `x instanceof C`
    Instanceof(ExprId),
    /// `x === c`, where `c` is a literal, or a name or property that may be constant.
    Equals(ExprId),
    /// `x.name === c`, `switch (x.name) { case c: }`, where `c` is as in [`NarrowingTest::Equals`].
    Discriminant(NameId, ExprId),
    /// `x.name` is truthy.
    HasTruthy(NameId),
    /// `"name" in x`
    In(NameId),
    /// `x = v`: the value that was assigned last on every path to the read.
    Assigned(ExprId),
    /// A call `f(x)` whose callee may have a type predicate, `x is T` or `asserts x is T`. The number is the position
    /// of the argument `x`, or [`NarrowingTest::RECEIVER`] for `x.f()`.
    Predicate(CallExprId, u16),
    /// Both guards hold.
    Both(GuardId, GuardId),
    /// At least one of the guards holds.
    Either(GuardId, GuardId),
}

impl NarrowingTest {
    /// The position that stands for the receiver of a method call.
    pub const RECEIVER: u16 = u16::MAX;
}
