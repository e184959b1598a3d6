//! Functions and classes.

use arcstr::ArcStr;
use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::{BindingId, CallExprId, DefId, ExprId, NameId, ScopeId};
use crate::{documentation::Documentation, program::ParameterKind};

/// A function, lambda or class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Def {
    /// The name; empty for a lambda.
    pub name: NameId,
    /// The line of its name, from 1.
    pub line: u32,
    /// The last line of its body, from 1.
    pub end_line: u32,
    /// The scope that its body opens.
    pub scope: ScopeId,
    /// The scope that contains the definition.
    pub outer: ScopeId,
    /// The bindings of its type parameters (PEP 695).
    pub type_parameters: ThinVec<BindingId>,
    /// Decorators in source order: the expression, and its text without `@`.
    pub decorators: ThinVec<(ExprId, ArcStr)>,
    /// The first paragraph of its docstring on one line.
    pub summary: Option<ArcStr>,
    /// The rest of the documentation, without the summary. That of a class includes the documentation of its
    /// constructor.
    pub documentation: Option<Box<Documentation>>,
    /// The parts that only functions or only classes have.
    pub body: DefBody,
}

/// The parts that only functions or only classes have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DefBody {
    /// `def`, `async def`, `lambda`.
    Function(Function),
    /// `class`.
    Class(Class),
}

/// The parts that only functions have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Function {
    /// Parameters in order, the receiver included.
    pub parameters: ThinVec<Param>,
    /// The return annotation, with its source text.
    pub returns: Option<(ExprId, ArcStr)>,
    /// Values of `return` statements that can be reached; the value of a lambda.
    pub return_values: ThinVec<ExprId>,
    /// Values of `yield` expressions. `yield from x` (PEP 380) is kept as `Expr::Starred(x)`.
    pub yields: ThinVec<ExprId>,
    /// True for `async def`.
    pub is_async: bool,
    /// True if the body contains `yield`.
    pub is_generator: bool,
    /// True if the end of the body can be reached, so that the function may return `None`.
    pub falls_through: bool,
    /// True if the body contains only `...`, strings and `raise` statements; the return type cannot be inferred then.
    pub is_declared: bool,
    /// True for a lambda.
    pub is_lambda: bool,
}

/// A parameter as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Param {
    /// The name without stars.
    pub name: NameId,
    /// How it can be passed.
    pub kind: ParameterKind,
    /// The annotation, with the source text.
    pub annotation: Option<(ExprId, ArcStr)>,
    /// The default, with the source text.
    pub default: Option<(ExprId, ArcStr)>,
}

/// A call with which a function passes on the arguments that its `*args` and `**kwargs` receive: `g(*args, **kwargs)`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Forward {
    /// The function that receives the arguments. The call may be in a function inside it.
    pub function: DefId,
    /// The call.
    pub call: CallExprId,
    /// True if the call passes `*args` on.
    pub positional: bool,
    /// True if the call passes `**kwargs` on.
    pub keywords: bool,
}

/// The parts that only classes have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Class {
    /// Bases in source order, each with its text. Starred bases (`*bases`) are left out.
    pub bases: ThinVec<(ExprId, ArcStr)>,
    /// Keyword arguments of the class, such as `metaclass=…` (PEP 3115).
    pub keywords: ThinVec<(NameId, ExprId)>,
    /// The attributes that the class body declares or assigns.
    pub fields: ThinVec<Field>,
}

// The definitions of all files of a program are in memory at once.
const _: () = assert!(size_of::<Def>() <= 104 && size_of::<Param>() == 40);

/// `x: T`, `x: T = v` or `x = v` directly in a class body or module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    /// The name.
    pub name: NameId,
    /// The line, from 1.
    pub line: u32,
    /// The annotation, with the source text.
    pub annotation: Option<(ExprId, ArcStr)>,
    /// The value, with the source text.
    pub value: Option<(ExprId, ArcStr)>,
}

/// A name that a module gives to a type: `Mode = Literal["a", "b"]`, `Mode: TypeAlias = …` (PEP 613), `type Mode = …`
/// (PEP 695).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeAlias {
    /// The name.
    pub name: NameId,
    /// The type, with the source text on one line.
    pub text: ArcStr,
    /// The names of its type parameters (PEP 695). Those of an assignment are type variables in the text.
    pub parameters: ThinVec<NameId>,
}

impl Function {
    /// The type of the result of a function with `yield` (PEP 255, PEP 525); `None` for any other function.
    pub fn generator_type(&self) -> Option<&'static str> {
        self.is_generator.then_some(if self.is_async { "AsyncGenerator" } else { "Generator" })
    }
}

impl Def {
    /// The parts of a function; `None` for a class.
    pub fn function(&self) -> Option<&Function> {
        match &self.body {
            DefBody::Function(function) => Some(function),
            DefBody::Class(_) => None,
        }
    }

    /// The parts of a class; `None` for a function.
    pub fn class(&self) -> Option<&Class> {
        match &self.body {
            DefBody::Class(class) => Some(class),
            DefBody::Function(_) => None,
        }
    }
}
