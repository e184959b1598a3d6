//! The forms of the arguments that TypeScript code passes: what a literal shows of its type.

use apidisc_facts::{
    program::Argument,
    syntax::typescript::{
        self, Dialect,
        facts::{Expr, ExprId, FileFacts},
    },
};
use rustc_hash::FxHashMap;

use crate::type_text;

/// The form of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A string, with its text if it is short.
    String(Option<String>),
    Number,
    Bool,
    Null,
    Undefined,
    RegExp,
    /// `[a, b]`
    Array,
    /// `(a) => b`, `function () {}`
    Function,
    /// `{ a: 1 }`
    Object,
    /// Any other expression.
    Other,
}

/// Whether a type that is written without the name of a declaration takes a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It takes the form, or does not.
    Known(bool),
    /// The form alone does not decide.
    Unknown,
    /// The type is a name.
    Named,
}

impl Form {
    /// Whether a type that stands for itself takes the form: a keyword, a literal, an array.
    pub(crate) fn taken_by(&self, text: &str) -> Taken {
        let is = Taken::Known;
        let is_primitive = matches!(self, Self::String(_) | Self::Number | Self::Bool);
        let is_nothing = matches!(self, Self::Null | Self::Undefined);
        if is_nothing {
            // Without strict checks, every type takes them.
            return Taken::Unknown;
        }
        match text {
            "any" | "unknown" => return is(true),
            "string" => return is(matches!(self, Self::String(_))),
            "number" => return is(*self == Self::Number),
            "boolean" => return is(*self == Self::Bool),
            "bigint" | "symbol" | "never" | "null" | "undefined" | "void" | "this" => {
                return if text == "this" { Taken::Unknown } else { is(false) };
            }
            "object" => return is(!is_primitive),
            "true" | "false" => return if *self == Self::Bool { Taken::Unknown } else { is(false) },
            "Function" => return is(*self == Self::Function),
            "RegExp" => return if *self == Self::Object { Taken::Unknown } else { is(*self == Self::RegExp) },
            "{}" | "Object" => return is(true),
            _ => {}
        }
        if let Some(literal) = type_text::quoted(text) {
            return match self {
                Self::String(Some(value)) => is(value == literal),
                Self::String(None) => Taken::Unknown,
                _ => is(false),
            };
        }
        if text.starts_with('`') {
            return if matches!(self, Self::String(_)) { Taken::Unknown } else { is(false) };
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return if *self == Self::Number { Taken::Unknown } else { is(false) };
        }
        let is_list = text.ends_with("[]") || text.starts_with('[') || text.starts_with("readonly ");
        let is_named_list = ["Array<", "ReadonlyArray<"].iter().any(|name| text.starts_with(name));
        if is_list || is_named_list {
            return if *self == Self::Array { Taken::Unknown } else { is(false) };
        }
        if text.starts_with('{') {
            return Taken::Unknown;
        }
        Taken::Named
    }
}

/// The forms of the arguments of the calls of one file, by line and column of the call.
pub(crate) struct Forms(FxHashMap<(u32, u32), Vec<Form>>);

impl Forms {
    /// The calls of a file of code.
    pub(crate) fn of_file(path: &str, text: &str) -> Self {
        let facts = typescript::read(text, Dialect::of_path(path), false);
        let calls = facts.calls.iter().map(|call| {
            let forms = call.arguments.iter().map(|argument| form(&facts, argument.value));
            ((call.line, call.col), forms.collect())
        });
        Self(calls.collect())
    }

    /// The forms of the arguments of a call. All are `Other` if the file has no such call, or one with another number
    /// of arguments.
    pub(crate) fn of_call(&self, place: (u32, u32), arguments: &[Argument]) -> Vec<Form> {
        let known = self.0.get(&place).filter(|forms| forms.len() == arguments.len());
        known.cloned().unwrap_or_else(|| vec![Form::Other; arguments.len()])
    }
}

fn form(facts: &FileFacts, value: ExprId) -> Form {
    match facts.expr(facts.without_guards(value)) {
        Expr::String(text) => Form::String(text.map(|text| facts.name(text).to_owned())),
        Expr::Number => Form::Number,
        Expr::Bool(_) | Expr::Test => Form::Bool,
        Expr::Null => Form::Null,
        Expr::Undefined => Form::Undefined,
        Expr::RegExp => Form::RegExp,
        Expr::Array(_) => Form::Array,
        Expr::Function(_) => Form::Function,
        Expr::Object(_) => Form::Object,
        _ => Form::Other,
    }
}
