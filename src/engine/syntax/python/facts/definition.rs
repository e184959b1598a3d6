//! Functions and classes as facts.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::{ExprId, NameId, ScopeId};
use crate::program::ParameterKind;

/// A function, lambda or class.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DefBody {
    /// `def`, `async def`, `lambda`.
    Function(Function),
    /// `class`.
    Class(Class),
}

/// The rest of a function.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Class {
    /// Bases in order, starred ones left out, with their text.
    pub bases: Vec<(ExprId, CompactString)>,
    /// `metaclass=…` and other keywords.
    pub keywords: Vec<(NameId, ExprId)>,
    /// What its body declares: fields, attributes.
    pub fields: Vec<Field>,
}

/// `x: T = v` or `x = v` directly in a class body or module.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
