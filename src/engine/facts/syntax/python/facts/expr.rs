//! Expressions and call sites.

use arcstr::ArcStr;
use serde::{Deserialize, Serialize};

use super::{BindingId, CallExprId, DefId, ExprId, LiteralId, NameId, ReachingBindings, ScopeId};
use crate::program::{ArgumentKind, CallSyntax};
use apidisc_base::ids::row_range;

/// An expression, in as much detail as the resolution of calls needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// Any other expression.
    Unknown,
    /// `None`
    None,
    /// `True`, `False`, `not x`, `a in b`, `a is b`, `a < b < c`
    Bool,
    /// An integer.
    Int,
    /// A float.
    Float,
    /// A string. Its text is kept if it may be a name or an annotation.
    Str(Option<NameId>),
    /// `b"…"`
    Bytes,
    /// `...`
    Ellipsis,
    /// `x`
    Name {
        /// The name.
        name: NameId,
        /// The scope that contains the read.
        scope: ScopeId,
        /// The bindings that reach the read.
        reaching: ReachingBindings,
    },
    /// `value.name`
    Attribute {
        /// The receiver.
        value: ExprId,
        /// The attribute.
        name: NameId,
        /// The bindings that reach the access path, if it was assigned or narrowed before in this scope.
        reaching: ReachingBindings,
    },
    /// A call. Calls without a name token are included.
    Call(CallExprId),
    /// `value[index]`
    Subscript {
        /// The value.
        value: ExprId,
        /// The index. Several indices form a tuple.
        index: ExprId,
        /// The bindings that reach the item, if it was assigned before in this scope; else those that may have replaced
        /// any item of the value.
        reaching: ReachingBindings,
    },
    /// An integer as an index.
    Position(i16),
    /// `a:b` with bounds that are not constant, or with a step.
    Slice,
    /// `a:b` with the bounds that are written, which are integers.
    Range(Option<i16>, Option<i16>),
    /// `(a, b)`
    Tuple(ExprList),
    /// `[a, b]`
    List(ExprList),
    /// `{a, b}`
    Set(ExprList),
    /// `{k: v}`: keys and values in alternation; `**x` is in [`FileFacts::open_dicts`](super::FileFacts::open_dicts).
    Dict(ExprList),
    /// `[x for …]`
    ListComprehension(ExprId),
    /// `{x for …}`
    SetComprehension(ExprId),
    /// `(x for …)`
    Generator(ExprId),
    /// `{k: v for …}`
    DictComprehension(ExprId, ExprId),
    /// `a + b`, `a | b`, `a < b`
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `-a`, `+a`, `~a`
    Unary(UnaryOperator, ExprId),
    /// `a or b`, `a and b`
    Boolean {
        /// True for `or`, false for `and`.
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
    /// `*x`; also `yield from x` in the yields of a function.
    Starred(ExprId),
    /// The value of `yield x`: what the caller of the generator function sends.
    Sent(DefId),
    /// The value of `yield from x`: what the generator `x` returns (PEP 380).
    Delegated(ExprId),
    /// `lambda …: …`
    Lambda(DefId),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `@`
    MatrixMultiply,
    /// `/`
    Divide,
    /// `//`
    FloorDivide,
    /// `%`
    Modulo,
    /// `**`
    Power,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`, which also makes a union of types (PEP 604).
    Or,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl BinaryOperator {
    /// The operator with this text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        Some(match text {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "@" => Self::MatrixMultiply,
            "/" => Self::Divide,
            "//" => Self::FloorDivide,
            "%" => Self::Modulo,
            "**" => Self::Power,
            "<<" => Self::ShiftLeft,
            ">>" => Self::ShiftRight,
            "&" => Self::And,
            "^" => Self::Xor,
            "|" => Self::Or,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            _ => return None,
        })
    }

    /// The methods of the left and of the right operand that implement the operator.
    pub fn methods(self) -> (&'static str, &'static str) {
        match self {
            Self::Add => ("__add__", "__radd__"),
            Self::Subtract => ("__sub__", "__rsub__"),
            Self::Multiply => ("__mul__", "__rmul__"),
            Self::MatrixMultiply => ("__matmul__", "__rmatmul__"),
            Self::Divide => ("__truediv__", "__rtruediv__"),
            Self::FloorDivide => ("__floordiv__", "__rfloordiv__"),
            Self::Modulo => ("__mod__", "__rmod__"),
            Self::Power => ("__pow__", "__rpow__"),
            Self::ShiftLeft => ("__lshift__", "__rlshift__"),
            Self::ShiftRight => ("__rshift__", "__rrshift__"),
            Self::And => ("__and__", "__rand__"),
            Self::Xor => ("__xor__", "__rxor__"),
            Self::Or => ("__or__", "__ror__"),
            Self::Less => ("__lt__", "__gt__"),
            Self::LessOrEqual => ("__le__", "__ge__"),
            Self::Greater => ("__gt__", "__lt__"),
            Self::GreaterOrEqual => ("__ge__", "__le__"),
            Self::Equal => ("__eq__", "__eq__"),
            Self::NotEqual => ("__ne__", "__ne__"),
        }
    }

    /// True for a comparison. Its result is a `bool`, unless the method of an operand returns another type.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual | Self::Equal | Self::NotEqual
        )
    }
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `~`
    Invert,
}

impl UnaryOperator {
    /// The operator with this text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        Some(match text {
            "-" => Self::Negate,
            "+" => Self::Plus,
            "~" => Self::Invert,
            _ => return None,
        })
    }

    /// The method of the operand that implements the operator.
    pub fn method(self) -> &'static str {
        match self {
            Self::Negate => "__neg__",
            Self::Plus => "__pos__",
            Self::Invert => "__invert__",
        }
    }
}

row_range! {
    /// A part of [`FileFacts::lists`](super::FileFacts::lists).
    pub struct ExprList;
}

/// A dict display with `**x`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OpenDict {
    /// The display: always an [`Expr::Dict`].
    pub dict: ExprId,
    /// The values `x` of `**x`, in source order.
    pub spreads: ExprList,
}

/// A call expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallExpr {
    /// The called expression.
    pub callee: ExprId,
    /// The line of the callee's last name token, from 1; of the opening parenthesis if the callee has no name token.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// How the call is written.
    pub syntax: CallSyntax,
    /// The innermost function with a name around the call.
    pub caller: Option<DefId>,
    /// The scope that contains the call.
    pub scope: ScopeId,
    /// Arguments in source order.
    pub arguments: Box<[Arg]>,
}

/// An argument as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arg {
    /// Positional, keyword, spread, or decorated. The value of the last is unknown: the decorated definition is no
    /// expression, and [`Def::decorators`](super::Def::decorators) tells to which definition the decorator belongs.
    pub kind: ArgumentKind,
    /// The keyword of a keyword argument.
    pub keyword: Option<NameId>,
    /// The value.
    pub value: ExprId,
    /// The text of a short literal, or the name of a constant or enum member.
    pub literal: Option<LiteralId>,
}

// Expressions and arguments are the largest tables, and all files of a program are in memory at once.
const _: () = assert!(size_of::<Expr>() == 16 && size_of::<Arg>() == 16);

/// A read `value.name` that is not the callee of a call. Callees are in [`CallExpr::callee`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AttributeRead {
    /// The read: always an [`Expr::Attribute`].
    pub expr: ExprId,
    /// The line of the attribute's name, from 1.
    pub line: u32,
    /// The column of the attribute's name, from 0, in bytes.
    pub col: u32,
    /// The innermost function with a name around the read.
    pub reader: Option<DefId>,
}

/// An assignment `C.name = value` at module level, to an attribute of a class `C` of the file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ClassAssign {
    /// The class.
    pub class: DefId,
    /// The attribute.
    pub name: NameId,
    /// The binding of the access path.
    pub binding: BindingId,
}

/// An assignment `receiver.name += [value]` in a method, whose operand is a list, tuple or set display.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AttributeAddition {
    /// The method.
    pub method: DefId,
    /// The attribute.
    pub name: NameId,
    /// The binding of the access path: always a [`BindingKind::Augmented`](super::BindingKind::Augmented).
    pub binding: BindingId,
}

/// An assignment `receiver.name = value` in a method.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttributeAssign {
    /// The method.
    pub method: DefId,
    /// The attribute.
    pub name: NameId,
    /// The line, from 1.
    pub line: u32,
    /// The binding of the access path: always a [`BindingKind::Assign`](super::BindingKind::Assign).
    pub binding: BindingId,
    /// The source text of the annotation.
    pub annotation: Option<ArcStr>,
}
