//! Template literal types and tuple types.

use super::{
    lexer::TypeToken,
    type_printer::{TypePrinter, TypeScope, TypeShape},
};

impl TypePrinter<'_> {
    /// A template literal type; `inside` is its text between the backquotes.
    pub(super) fn parse_template(&mut self, inside: &str) -> Option<()> {
        let start = self.checkpoint();
        let (mut rest, mut is_lossy) = (inside, false);
        self.output.push('`');
        while let Some((text, braces)) = rest.split_once("${") {
            let end = closing_brace(braces)?;
            let scope = TypeScope { type_parameters: &self.type_parameters, ..self.scope };
            let mut printer = TypePrinter::new(&braces[..end], scope)?;
            printer.nesting = self.nesting + 1;
            printer.parse_type()?;
            let printed = printer.finish()?;
            is_lossy |= printed.is_lossy;
            self.output.extend([text, "${", printed.text.as_str(), "}"]);
            self.references.extend(printed.references);
            rest = &braces[end + 1..];
        }
        self.output.extend([rest, "`"]);
        if is_lossy {
            self.roll_back(start, "string");
        }
        Some(())
    }

    /// A tuple type such as `[A, b: B, C?, ...D[]]`, after its opening bracket.
    pub(super) fn parse_tuple(&mut self) -> Option<()> {
        self.output.push('[');
        let mut is_first = true;
        let mut has_optional = false;
        while !self.accept("]") {
            if !std::mem::take(&mut is_first) {
                self.output.push_str(", ");
            }
            let is_rest = self.accept("...");
            self.output.push_str(if is_rest { "..." } else { "" });
            let label = match (self.peek(0), self.peek(1), self.peek(2)) {
                (Some(TypeToken::Word(label)), Some(TypeToken::Punctuator(":")), _) => Some((label, false)),
                (Some(TypeToken::Word(label)), Some(TypeToken::Punctuator("?")), Some(TypeToken::Punctuator(":"))) => {
                    Some((label, true))
                }
                _ => None,
            };
            let mut is_optional = false;
            if let Some((_, mark)) = label {
                self.position += 2 + usize::from(mark);
                is_optional = mark;
            }
            let start = self.checkpoint();
            self.nested(Self::parse_type)?;
            if is_rest && !self.is_array(start) {
                self.roll_back(start, "any[]");
            }
            if label.is_none() && self.accept("?") {
                is_optional = true;
            }
            self.output.push_str(if is_optional { "?" } else { "" });
            if is_rest && is_optional || has_optional && !is_optional && !is_rest {
                return None;
            }
            has_optional |= is_optional;
            if !self.accept(",") && !self.is_at("]") {
                return None;
            }
        }
        self.output.push(']');
        self.shape = TypeShape::Array;
        Some(())
    }
}

/// The byte offset in `text` of the `}` that closes the `{` directly before `text`.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    None
}
