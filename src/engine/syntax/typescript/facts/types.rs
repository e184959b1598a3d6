//! Types as they are written.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{DefId, ExprId, NameId, ScopeId, SymbolId, TypeId, TypeParamId};
use crate::ids::row_range;

/// A type. Parentheses leave no trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeNode {
    /// Anything else.
    Unknown,
    /// `string`, `any`, `void`, `null`, …
    Keyword(Keyword),
    /// `"x"`
    String(NameId),
    /// `1`, `-1`, `1n`: its text.
    Number(NameId),
    /// `true`, `false`
    Bool(bool),
    /// A template literal type.
    Template,
    /// `A`, `A.B<T>`
    Ref {
        /// What the first name means in this file; none for a global.
        symbol: Option<SymbolId>,
        /// The names, outermost first.
        path: SmallVec<[NameId; 1]>,
        /// Its arguments.
        args: TypeList,
        /// Where it stands.
        scope: ScopeId,
    },
    /// `this`: of the class or interface that it stands in.
    This(Option<DefId>),
    /// `T[]`, `readonly T[]`
    Array(TypeId),
    /// `[A, B?, ...C[]]`
    Tuple(Vec<TupleElement>),
    /// `A | B`
    Union(TypeList),
    /// `A & B`
    Intersection(TypeList),
    /// `(x: A) => B`, `new (x: A) => B`: a [`super::DefBody::Function`].
    Function(DefId),
    /// `{ … }`: a [`super::DefBody::TypeLiteral`].
    Literal(DefId),
    /// `typeof x.y<T>`
    TypeOf(ExprId),
    /// `keyof T`
    KeyOf(TypeId),
    /// `readonly T`, `unique symbol` and other operators that change nothing here.
    Operator(TypeId),
    /// `T[K]`
    Indexed(TypeId, TypeId),
    /// `C extends E ? A : B`
    Conditional {
        /// What is tested.
        check: TypeId,
        /// What it is tested against; `infer T` in it is a [`TypeNode::Infer`].
        extends: TypeId,
        /// Where it holds.
        positive: TypeId,
        /// Where it does not.
        negative: TypeId,
    },
    /// `infer T`
    Infer(TypeParamId),
    /// `{ [K in C]: T }`, with `C` as the constraint of `K`.
    Mapped {
        /// `K`
        key: TypeParamId,
        /// `as N`
        renamed: Option<TypeId>,
        /// `T`
        value: Option<TypeId>,
        /// `?`, `-?`
        optional: OptionalityModifier,
    },
    /// `x is T`, `asserts x is T`, `asserts x`; `this is T` has no parameter.
    Predicate {
        /// The parameter.
        param: Option<NameId>,
        /// `T`
        ty: Option<TypeId>,
        /// `asserts`
        asserts: bool,
    },
    /// `import("m").A.B<T>`; `typeof import("m")` has no path.
    Import {
        /// The module.
        specifier: NameId,
        /// The names.
        path: SmallVec<[NameId; 1]>,
        /// Its arguments.
        args: TypeList,
        /// `typeof`: the value of that name.
        is_value: bool,
    },
}

/// An element of a tuple type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TupleElement {
    /// Its label.
    pub label: Option<NameId>,
    /// Its type; of `...T`, `T`.
    pub ty: TypeId,
    /// `T?`
    pub is_optional: bool,
    /// `...T`
    pub is_rest: bool,
}

/// What a mapped type does with `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptionalityModifier {
    /// Nothing.
    Kept,
    /// `?` or `+?`
    Added,
    /// `-?`
    Removed,
}

/// A type that is a word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is the word itself")]
pub enum Keyword {
    Any,
    Unknown,
    Never,
    Void,
    Undefined,
    Null,
    String,
    Number,
    Boolean,
    BigInt,
    Symbol,
    Object,
}

row_range! {
    /// A part of [`super::FileFacts::type_lists`].
    pub struct TypeList;
}
