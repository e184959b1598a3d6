//! Expressions, call sites, and what tests tell of them.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::{DefId, ExprId, GuardId, NameId, CallExprId, SymbolId, TypeId};
use crate::{ids::row_range, program::CallForm};

/// An expression, as far as it can decide what is called. Parentheses leave no trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// Anything else.
    Unknown,
    /// `undefined`, `void x`
    Undefined,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number; arithmetic.
    Number,
    /// A comparison, `!x`, `in`, `instanceof`, `delete x`
    Test,
    /// A bigint.
    BigInt,
    /// A string; its text where it is short. Also `typeof x` and templates, without a text.
    String(Option<NameId>),
    /// A regular expression.
    RegExp,
    /// `a + b`, which is a number or a string.
    Plus(ExprId, ExprId),
    /// `x`
    Name {
        /// The name.
        name: NameId,
        /// What it means in this file; none for a global of the platform or another file.
        symbol: Option<SymbolId>,
    },
    /// `this`; with the function or class (for a field's initialiser) whose `this` it is. Arrow functions have none
    /// of their own.
    This(Option<DefId>),
    /// `super`; with the class that it stands in.
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
    /// A call, `new`, tagged template or JSX element with a component; also one without a name token.
    Call(CallExprId),
    /// A JSX element of the platform, such as `<div>`, or a fragment.
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
    /// `...x`, and `yield* x` among yields.
    Spread(ExprId),
    /// `f<T>` without a call: its type arguments are kept as a tuple type.
    Instantiated(ExprId, TypeId),
    /// `x` where a test has told something of it.
    Narrowed(ExprId, GuardId),
    /// `import("m")`: a promise of the module.
    Import(NameId),
    /// `require("m")`
    Require(NameId),
}

row_range! {
    /// A part of [`super::FileFacts::lists`].
    pub struct ExprList;
}

/// One call expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallExpr {
    /// What is called; of a JSX element its component, of `super(…)` [`Expr::Super`].
    pub callee: ExprId,
    /// The expression that the call is.
    pub expr: ExprId,
    /// What it is.
    pub kind: CallExprKind,
    /// The line of the callee's last name token, from 1; 0 where it has none: then it is no call site of the index,
    /// and only kept for the type of its result. Parentheses, `as`, `!`, subscripts and type arguments around the
    /// callee are looked through; the tokens `this` and `super` count as names.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// How the callee is written.
    pub form: CallForm,
    /// The innermost function around it that has a body and a name (or is a constructor); decorators do not stand in
    /// what they decorate.
    pub caller: Option<DefId>,
    /// Type arguments.
    pub type_args: Vec<TypeId>,
    /// Arguments in source order. A JSX element has one: an object literal of its attributes. A tagged template has
    /// one for the strings, without a row in the index, and one for each `${…}`.
    pub arguments: Box<[Arg]>,
}

/// What a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallExprKind {
    /// `f(x)`, `f?.(x)`, `super(x)`
    Call,
    /// `new C(x)`
    New,
    /// `f` followed by a template.
    Template,
    /// `<C x={1} />`
    Jsx,
    /// `@f(x)`: a call whose result is applied to what follows.
    Decorator,
}

/// One argument as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arg {
    /// The value; of `...x` what is spread.
    pub value: ExprId,
    /// `...x`
    pub is_spread: bool,
    /// Of an object literal, its properties in order, duplicates included.
    pub keys: Option<Vec<PassedProperty>>,
    /// The literal's text where it is a short one: a string in its quotes, number, `true`, `false`, `null`,
    /// `undefined`.
    pub literal: Option<CompactString>,
}

/// One property of an object literal that is an argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PassedProperty {
    /// Its name; `...` for a spread, `[]` for a computed one.
    pub name: NameId,
    /// The text of its value where that is a short literal.
    pub literal: Option<CompactString>,
}

/// What a place expects of the expression that stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExpressionContext {
    /// Nothing is known.
    None,
    /// The n-th argument of a call.
    Argument(CallExprId, u16),
    /// The value of the n-th member of an object literal.
    Property(DefId, u16),
    /// An element of an array literal.
    Element(ExprId, u16),
    /// What an annotation, `as` or `satisfies` says.
    Typed(TypeId),
    /// What a function returns.
    Return(DefId),
    /// The default of a parameter.
    Default(DefId, u16),
    /// What is assigned to an expression.
    Assigned(ExprId),
    /// What is expected of the expression around it: a branch of a conditional, an operand of `||`, `await`.
    Same(ExprId),
}

/// What is known of a value on one side of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// What was tested.
    pub test: NarrowingTest,
    /// The side on which it holds.
    pub positive: bool,
}

/// What a condition tests about one name or chain.
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
    /// `x === literal`
    Equals(ExprId),
    /// `x.name === literal`, `switch (x.name) { case literal: }`
    Discriminant(NameId, ExprId),
    /// `x.name` is truthy.
    HasTruthy(NameId),
    /// `"name" in x`
    In(NameId),
    /// `f(x)`: true where `f` says `x is T`. Which argument of which call it is, or [`NarrowingTest::RECEIVER`] for `x.f()`.
    /// Also `assert…(x)` as a statement.
    Predicate(CallExprId, u16),
}

impl NarrowingTest {
    /// In place of an argument: what a method is called on.
    pub const RECEIVER: u16 = u16::MAX;
}
