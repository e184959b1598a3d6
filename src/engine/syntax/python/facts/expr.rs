//! Expressions and call sites as facts.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::{BindingId, DefId, ExprId, NameId, ReachingBindings, ScopeId, SiteId};
use crate::{
    ids::part,
    program::{ArgumentKind, CallForm},
};

/// An expression, as far as it can decide what is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        reach: ReachingBindings,
    },
    /// `value.name`
    Attribute {
        /// The receiver.
        value: ExprId,
        /// The attribute.
        name: NameId,
        /// What reaches the whole chain, where it was assigned or narrowed before in this scope.
        reach: ReachingBindings,
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
    ListComprehension(ExprId),
    /// `{x for …}`
    SetComprehension(ExprId),
    /// `(x for …)`
    Generator(ExprId),
    /// `{k: v for …}`
    DictComprehension(ExprId, ExprId),
    /// `a + b`, `a | b`
    Binary {
        /// True for `|`.
        is_union: bool,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `a or b`, `a and b`
    Boolean {
        /// `or` rather than `and`.
        is_or: bool,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `a if c else b`
    Conditional(ExprId, ExprId),
    /// `await x`
    Await(ExprId),
    /// `*x`, and `yield from x` among yields.
    Starred(ExprId),
    /// `lambda …: …`
    Lambda(DefId),
}

part! {
    /// A part of [`FileFacts::lists`].
    pub struct ExprList;
}

/// One call expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Site {
    /// What is called.
    pub callee: ExprId,
    /// The line of the callee's last name token, from 1; 0 where it has none: then it is no call site of
    /// the index, and only kept for the type of its result.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// How the callee is written.
    pub form: CallForm,
    /// The innermost named function around it.
    pub caller: Option<DefId>,
    /// The scope it stands in.
    pub scope: ScopeId,
    /// Arguments in source order.
    pub arguments: Box<[Arg]>,
}

/// One argument as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
