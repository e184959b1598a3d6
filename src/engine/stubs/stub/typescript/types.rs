//! The grammar of types. Types come from untrusted sources, so each type is parsed and printed again. This guarantees
//! that the printed text is exactly one type, on one line, and that all its names resolve in the stub.
//!
//! Types and parts of types that cannot be kept become `any`: names that do not resolve, `typeof x` unless `x` is a
//! class, enum, function or constant of a module, `import("m").T`, and `T["x"]` if `T` may be declared without `x`. The
//! grammar is TypeScript's, without forms that are rare in signatures.

pub(super) use super::type_printer::{PrintedType, TypePrinter, TypeScope, TypeShape};
use super::{
    generics::TypeParameter,
    identifiers::is_name,
    lexer::{TypeToken, tokens},
    type_printer::Checkpoint,
};

/// Parses and prints the type in `text`. `None` if the text is no type of this grammar, or is too long or too deeply
/// nested.
pub(super) fn type_text(text: &str, scope: TypeScope<'_>) -> Option<PrintedType> {
    let mut printer = TypePrinter::new(text, scope)?;
    printer.parse_type()?;
    printer.finish()
}

/// Parses and prints a return type. `parameters` are the parameters that a type predicate may name, with their types.
pub(super) fn print_return_type(
    text: &str,
    scope: TypeScope<'_>,
    parameters: &[(String, String)],
) -> Option<PrintedType> {
    let mut printer = TypePrinter::new(text, scope)?;
    printer.parse_return_type(parameters)?;
    printer.finish()
}

/// Parses and prints the type arguments of a heritage clause, such as those of `Base<A, B>`. `None` if there are none.
pub(super) fn printed_arguments(clause: &str, scope: TypeScope<'_>) -> Option<Vec<PrintedType>> {
    let arguments = clause[clause.find('<')?..].trim();
    let (mut printed, mut start) = (Vec::new(), 1);
    let mut depth = 0_usize;
    for (at, c) in arguments.char_indices() {
        let is_arrow = arguments[..at].ends_with('=');
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if !is_arrow => depth = depth.checked_sub(1)?,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 || c == ',' && depth == 1 {
            printed.push(type_text(arguments[start..at].trim(), scope)?);
            start = at + 1;
        }
        if depth == 0 {
            return Some(printed);
        }
    }
    None
}

impl TypePrinter<'_> {
    /// Any type.
    pub(super) fn parse_type(&mut self) -> Option<()> {
        self.nested(|p| {
            if p.is_at_function() {
                return p.parse_function();
            }
            p.parse_union()?;
            if p.is_at_word("extends") { p.parse_conditional() } else { Some(()) }
        })
    }

    /// `A extends B ? C : D`, after `A`.
    pub(super) fn parse_conditional(&mut self) -> Option<()> {
        self.position += 1;
        self.output.push_str(" extends ");
        let inferred = self.inferred.len();
        self.extends_depth += 1;
        let clause = self.nested(|p| if p.is_at_function() { p.parse_function() } else { p.parse_union() });
        self.extends_depth -= 1;
        clause?;
        self.expect("?", " ? ")?;
        let enclosing = self.type_parameters.len();
        let declared = self.inferred.split_off(inferred);
        self.type_parameters.extend(declared);
        self.parse_type()?;
        self.type_parameters.truncate(enclosing);
        self.expect(":", " : ")?;
        self.parse_type()?;
        self.shape = TypeShape::Other;
        Some(())
    }

    /// True if the text that was printed since `start` is valid after `...`.
    pub(super) fn is_array(&self, start: Checkpoint) -> bool {
        can_be_spread(&self.output[start.output..], self.shape)
    }

    /// A union type of intersection types.
    pub(super) fn parse_union(&mut self) -> Option<()> {
        self.parse_operands("|", |p| p.parse_operands("&", Self::parse_operator))
    }

    /// Operands with a punctuator between them, and an optional one before the first.
    pub(super) fn parse_operands(&mut self, punctuator: &str, operand: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.accept(punctuator);
        operand(self)?;
        while self.accept(punctuator) {
            self.output.extend([" ", punctuator, " "]);
            operand(self)?;
            self.shape = TypeShape::Other;
        }
        Some(())
    }

    /// `keyof T`, `readonly T[]`, `unique symbol`, `infer T`
    pub(super) fn parse_operator(&mut self) -> Option<()> {
        let is_operator = matches!(
            self.peek(1),
            Some(TypeToken::Word(_) | TypeToken::String(_) | TypeToken::Punctuator("(" | "[" | "{"))
        );
        match self.peek(0) {
            Some(TypeToken::Word("keyof")) if is_operator => {
                self.position += 1;
                self.output.push_str("keyof ");
                self.nested(Self::parse_operator)?;
                self.shape = TypeShape::Other;
                Some(())
            }
            Some(TypeToken::Word("readonly")) if is_operator => {
                self.position += 1;
                let start = self.checkpoint();
                self.output.push_str("readonly ");
                self.nested(Self::parse_operator)?;
                let is_literal = self.output.ends_with(']') && self.shape == TypeShape::Array;
                if !is_literal {
                    self.roll_back(start, "any");
                }
                Some(())
            }
            Some(TypeToken::Word("unique")) if self.peek(1) == Some(TypeToken::Word("symbol")) => {
                self.position += 2;
                self.output.push_str("symbol");
                self.shape = TypeShape::Other;
                Some(())
            }
            Some(TypeToken::Word("infer")) if is_operator => {
                self.position += 1;
                let name = self.next_word().filter(|name| is_name(name) && self.extends_depth > 0)?;
                if self.is_at_word("extends") {
                    return None;
                }
                self.output.extend(["infer ", name]);
                self.inferred.push(TypeParameter { is_unconstrained: true, ..TypeParameter::new(name) });
                self.shape = TypeShape::Other;
                Some(())
            }
            _ => self.parse_postfix(),
        }
    }

    /// `T[]`, `T[K]`
    pub(super) fn parse_postfix(&mut self) -> Option<()> {
        let start = self.checkpoint();
        self.parse_primary()?;
        while self.accept("[") {
            if self.accept("]") {
                self.output.push_str("[]");
                self.shape = TypeShape::Array;
                continue;
            }
            let (base, name) = (self.shape, self.output[start.output..].to_owned());
            self.output.push('[');
            let key = self.checkpoint();
            self.nested(Self::parse_type)?;
            let has_key = self.has_key(&name, base, &self.output[key.output..]);
            self.expect("]", "]")?;
            if has_key {
                self.shape = TypeShape::Other;
            } else {
                self.roll_back(start, "any");
            }
        }
        Some(())
    }

    /// A type without operators around it.
    pub(super) fn parse_primary(&mut self) -> Option<()> {
        self.shape = TypeShape::Other;
        let token = self.peek(0)?;
        self.position += 1;
        match token {
            TypeToken::Word(word) => self.parse_word(word),
            TypeToken::String(text) | TypeToken::Number(text) => {
                self.output.push_str(text);
                Some(())
            }
            TypeToken::Template(inside) => self.parse_template(inside),
            TypeToken::Punctuator("-") => {
                let Some(TypeToken::Number(number)) = self.peek(0) else { return None };
                self.position += 1;
                self.output.extend(["-", number]);
                Some(())
            }
            TypeToken::Punctuator("(") => {
                self.output.push('(');
                self.nested(Self::parse_type)?;
                self.expect(")", ")")?;
                // `readonly` is not valid before a parenthesised array type.
                self.shape = if self.shape == TypeShape::Array { TypeShape::Other } else { self.shape };
                Some(())
            }
            TypeToken::Punctuator("[") => self.parse_enclosed(Self::parse_tuple),
            TypeToken::Punctuator("{") => {
                self.enclosing_braces += 1;
                self.parse_enclosed(Self::parse_object_type)?;
                self.enclosing_braces -= 1;
                Some(())
            }
            TypeToken::Punctuator(_) => None,
        }
    }

    /// The inside of brackets or braces.
    pub(super) fn parse_enclosed(&mut self, inner: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.enclosing_constructs += 1;
        self.nested(inner)?;
        self.enclosing_constructs -= 1;
        Some(())
    }
}

/// True for the text of a union type if one of its types is certainly not an object type with properties: a primitive
/// type, a literal, an array or a tuple.
pub(super) fn has_other_than_objects(text: &str) -> bool {
    let tokens = tokens(text).unwrap_or_default();
    let mut depth = 0_i32;
    let is_outer_sign = |token: &TypeToken<'_>| {
        match token {
            TypeToken::Punctuator("(" | "[" | "{" | "<") => depth += 1,
            TypeToken::Punctuator(")" | "]" | "}" | ">") => depth -= 1,
            _ => {}
        }
        depth == 0 && *token == TypeToken::Punctuator("|")
    };
    let is_other = |alternative: &[TypeToken<'_>]| {
        matches!(
            alternative,
            [TypeToken::Word("string" | "number" | "boolean" | "bigint" | "symbol" | "true" | "false")
                | TypeToken::String(_)
                | TypeToken::Number(_)
                | TypeToken::Template(_)]
                | [TypeToken::Punctuator("[") | TypeToken::Word("readonly"), .., TypeToken::Punctuator("]")]
                | [.., TypeToken::Punctuator("["), TypeToken::Punctuator("]")]
        )
    };
    tokens.split(is_outer_sign).any(is_other)
}

/// True for a type that is valid after `...`, as the type of a rest parameter.
pub(super) fn can_be_spread(text: &str, shape: TypeShape) -> bool {
    match shape {
        TypeShape::Array | TypeShape::Any | TypeShape::Definition | TypeShape::Outside => true,
        TypeShape::TypeParameter | TypeShape::Global | TypeShape::UnconstrainedParameter => false,
        TypeShape::Other => text.ends_with("[]") && !text.contains(['|', '&', '=', '?']),
    }
}

#[cfg(test)]
mod tests {
    use super::has_other_than_objects;

    #[test]
    fn a_union_with_primitive_types_literals_or_arrays_takes_other_than_objects() {
        for text in
            ["A | string", "| `${number} ms` | A", "{ a: number } | \"never\"", "A<B | C> | readonly [a: B]", "A | B[]"]
        {
            assert!(has_other_than_objects(text), "{text}");
        }
        for text in
            ["A", "A | B", "{ a: string | number }", "A<string | number> | B", "(a: string | number) => A", "A | null"]
        {
            assert!(!has_other_than_objects(text), "{text}");
        }
    }
}
