//! Type parameters: those of a definition, and those of a function type.
//!
//! The constraint of a type parameter of a class, interface or alias is kept only if every use in a stub certainly
//! satisfies it: an interface that is shown without some of its properties may lack a member that the constraint
//! requires.

use compact_str::CompactString;

use super::{
    identifiers::is_name,
    lexer::TypeToken,
    types::{PrintedType, TypePrinter, TypeScope, TypeShape},
};

/// The number of type arguments that a type takes, and the constraints on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeArgumentRules {
    pub(super) min: u8,
    pub(super) max: u8,
    /// True if some type parameter has a constraint.
    pub(super) has_constraint: bool,
    /// True if some type parameter requires members of another type parameter, as `K extends keyof T` does.
    pub(super) requires_members: bool,
}

/// A type parameter in scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypeParameter {
    pub(super) name: CompactString,
    /// True if its constraint is left out or incomplete.
    pub(super) is_unconstrained: bool,
    /// True if its constraint is an array.
    pub(super) is_array: bool,
    /// The type whose keys are its constraint: `T` of `K extends keyof T`.
    pub(super) keys_of: Option<CompactString>,
    /// The type that is written in its place: the argument that a derived type passes to its base.
    pub(super) argument: Option<PrintedType>,
}

impl TypeParameter {
    /// A type parameter with only its name known.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into(), is_unconstrained: false, is_array: false, keys_of: None, argument: None }
    }
}

/// The owner of a list of type parameters, and how much of the list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListKind {
    Function,
    /// Of a class, interface or alias.
    Type,
    /// Of a class or interface, in a stub with short forms: without constraints, and each default is `any`. A call
    /// seldom states type arguments.
    ShortType,
}

/// A list of type parameters as printed, with its angle brackets. Empty if there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct TypeParameterList {
    pub(super) printed: PrintedType,
    pub(super) parameters: Vec<TypeParameter>,
    pub(super) argument_rules: TypeArgumentRules,
}

impl TypeParameterList {
    /// Parses and prints type parameters. The result is empty if the text cannot be parsed.
    pub(super) fn new(text: Option<&str>, scope: TypeScope<'_>, kind: ListKind) -> Self {
        text.and_then(|text| Self::parse(text, scope, kind)).unwrap_or_default()
    }

    fn parse(text: &str, scope: TypeScope<'_>, kind: ListKind) -> Option<Self> {
        let text = text.trim();
        let wrapped;
        let text = if text.starts_with('<') {
            text
        } else {
            wrapped = format!("<{text}>");
            &wrapped
        };
        let enclosing = scope.type_parameters.len();
        let mut printer = TypePrinter::new(text, scope)?;
        let argument_rules = printer.parse_type_parameters(kind)?;
        if !printer.is_at_end() {
            return None;
        }
        let type_parameters = printer.type_parameters.split_off(enclosing);
        let printed = PrintedType { text: printer.output, references: printer.references, ..PrintedType::default() };
        Some(Self { printed, parameters: type_parameters, argument_rules })
    }
}

impl<'a> TypePrinter<'a> {
    /// `<T extends A = B, U>`. The parameters stay in scope.
    pub(super) fn parse_type_parameters(&mut self, kind: ListKind) -> Option<TypeArgumentRules> {
        let (of_type, is_short) = (kind != ListKind::Function, kind == ListKind::ShortType);
        self.expect("<", "<")?;
        let first = self.type_parameters.len();
        // The constraint of a type parameter may name later type parameters.
        for name in self.parameter_names() {
            if !is_name(name) || self.type_parameters[first..].iter().any(|parameter| parameter.name == name) {
                return None;
            }
            self.type_parameters.push(TypeParameter::new(name));
        }
        let mut argument_rules = TypeArgumentRules::default();
        for position in first..self.type_parameters.len() {
            while self.is_at_modifier() {
                self.advance();
            }
            let name = self.next_word()?;
            self.output.push_str(if position > first { ", " } else { "" });
            self.output.push_str(name);
            if self.accept_word("extends") {
                let (start, losses) = ((self.output.len(), self.references.len()), self.losses());
                self.output.push_str(" extends ");
                self.parse_type()?;
                let constraint = self.output[start.0 + " extends ".len()..].to_owned();
                let requires_keys = constraint.starts_with("keyof ");
                let is_whole = self.references.len() == start.1 && self.losses() == losses;
                let is_plain = is_whole && !is_short && is_plain(&constraint, self.shape);
                if of_type && !is_plain {
                    self.output.truncate(start.0);
                    self.references.truncate(start.1);
                }
                self.type_parameters[position].is_unconstrained = if of_type { !is_plain } else { !is_whole };
                let is_kept = is_plain || !of_type;
                self.type_parameters[position].is_array = is_kept && self.shape == TypeShape::Array;
                self.type_parameters[position].keys_of =
                    constraint.strip_prefix("keyof ").filter(|_| is_kept).map(Into::into);
                argument_rules.has_constraint |= is_plain;
                argument_rules.requires_members |= is_plain && requires_keys;
            }
            argument_rules.max = argument_rules.max.checked_add(1)?;
            if self.accept("=") {
                self.output.push_str(" = ");
                let start = (self.output.len(), self.references.len());
                self.parse_type()?;
                // If a type in the default is shown without some of its members, it might not satisfy the constraint.
                let is_uncertain =
                    self.type_parameters[position].is_unconstrained && !of_type && self.references.len() > start.1;
                if is_uncertain || is_short {
                    self.output.truncate(start.0);
                    self.references.truncate(start.1);
                    self.output.push_str("any");
                }
            } else if argument_rules.min + 1 == argument_rules.max {
                argument_rules.min = argument_rules.max;
            } else {
                return None;
            }
            let is_last = position + 1 == self.type_parameters.len();
            if !self.accept(",") && !is_last {
                return None;
            }
        }
        self.expect(">", ">")?;
        (argument_rules.max > 0).then_some(argument_rules)
    }

    /// True if `const`, `in` or `out` is next and the name of a type parameter follows.
    fn is_at_modifier(&self) -> bool {
        matches!(self.peek(0), Some(TypeToken::Word("const" | "in" | "out")))
            && matches!(self.peek(1), Some(TypeToken::Word(word)) if word != "extends")
    }

    /// The names between the current position and the `>` that ends the list.
    fn parameter_names(&self) -> Vec<&'a str> {
        let mut names = Vec::new();
        let (mut depth, mut is_at_start) = (0_usize, true);
        let mut ahead = 0;
        while let Some(token) = self.peek(ahead) {
            match token {
                TypeToken::Word("const" | "in" | "out")
                    if is_at_start
                        && matches!(self.peek(ahead + 1), Some(TypeToken::Word(word)) if word != "extends") => {}
                TypeToken::Word(name) if is_at_start => {
                    names.push(name);
                    is_at_start = false;
                }
                TypeToken::Punctuator(">") if depth == 0 => break,
                TypeToken::Punctuator("<" | "(" | "[" | "{") => depth += 1,
                TypeToken::Punctuator(">" | ")" | "]" | "}") => depth = depth.saturating_sub(1),
                TypeToken::Punctuator(",") if depth == 0 => is_at_start = true,
                _ => is_at_start = false,
            }
            ahead += 1;
        }
        names
    }
}

/// True for a constraint of built-in types and string literals, or the keys of one name: `string`, `"a" | "b"`,
/// `keyof T`, `unknown[]`. It names no object type whose members a stub may hide.
fn is_plain(text: &str, shape: TypeShape) -> bool {
    let is_keyword = |word: &str| {
        matches!(
            word,
            "any"
                | "unknown"
                | "string"
                | "number"
                | "boolean"
                | "bigint"
                | "symbol"
                | "object"
                | "null"
                | "undefined"
                | "true"
                | "false"
        )
    };
    match text.strip_prefix("keyof ") {
        Some(key) => is_keyword(key) || is_name(key) && shape == TypeShape::Other,
        None => text.split(" | ").all(|part| {
            let part = part.trim_start_matches("readonly ").trim_end_matches("[]");
            is_keyword(part) || part.len() > 1 && part.starts_with(['"', '\'']) && part.ends_with(['"', '\''])
        }),
    }
}
