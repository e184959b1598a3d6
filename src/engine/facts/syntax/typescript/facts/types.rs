//! Types in annotations, as they are written.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{DefId, ExprId, NameId, ScopeId, SymbolId, TypeId, TypeParamId};
use apidisc_base::ids::row_range;

/// A type. Parentheses are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeNode {
    /// A type that no other variant describes.
    Unknown,
    /// `string`, `any`, `void`, `null`, …
    Keyword(Keyword),
    /// `"x"`
    String(NameId),
    /// `1`, `-1`, `1n`: its text.
    Number(NameId),
    /// `true`, `false`
    Bool(bool),
    /// `` `get${K}` ``: its parts in source order. A text between `${…}` is a [`TypeNode::String`].
    Template(TypeList),
    /// `A`, `A.B<T>`
    Ref {
        /// The symbol of this file that the first name of `path` denotes; `None` for a global name.
        symbol: Option<SymbolId>,
        /// The names, outermost first.
        path: SmallVec<[NameId; 1]>,
        /// Its type arguments.
        args: TypeList,
        /// The scope in which the reference occurs.
        scope: ScopeId,
    },
    /// `this`, with the enclosing class or interface.
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
    /// `readonly T` for a tuple or another type that is not an array: the operator does not affect the resolution of
    /// calls.
    Operator(TypeId),
    /// `T[K]`
    Indexed(TypeId, TypeId),
    /// `C extends E ? A : B`
    Conditional {
        /// The checked type.
        check: TypeId,
        /// The type after `extends`, in which `infer T` is a [`TypeNode::Infer`].
        extends: TypeId,
        /// The type if the check succeeds.
        positive: TypeId,
        /// The type if the check fails.
        negative: TypeId,
        /// The scope of the type parameters that `infer` declares in it.
        scope: ScopeId,
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
        /// The scope of `K`.
        scope: ScopeId,
    },
    /// `x is T`, `asserts x is T`, `asserts x`; `this is T` has no parameter.
    Predicate {
        /// The parameter `x`; `None` for `this`.
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
        /// The names after `import("m")`, outermost first.
        path: SmallVec<[NameId; 1]>,
        /// Its type arguments.
        args: TypeList,
        /// Written with `typeof`: the names denote a value, not a type.
        is_value: bool,
    },
}

/// An element of a tuple type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TupleElement {
    /// Its label.
    pub label: Option<NameId>,
    /// Its type; for `...T` the type `T`.
    pub ty: TypeId,
    /// `T?`
    pub is_optional: bool,
    /// `...T`
    pub is_rest: bool,
}

/// The change that a mapped type makes to the optionality (`?`) of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptionalityModifier {
    /// No modifier.
    Kept,
    /// `?` or `+?`
    Added,
    /// `-?`
    Removed,
}

/// A type that is a keyword.
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
    /// A range of rows of [`super::FileFacts::type_lists`].
    pub struct TypeList;
}
