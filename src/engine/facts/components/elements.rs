//! Templates that write elements as JSX does, with expressions in braces that contain elements: Astro and MDX.
//!
//! Elements of components are written as they are, all others as fragments. The reader keeps a stack of what is open,
//! so that a text that is nested deeply, or closed wrongly, gives a program whose elements are closed.

use std::ops::Range;

use super::{
    code::{code_tokens, is_attribute_name, is_closed, is_name, trimmed},
    markup::{Attribute, Piece, Tag, begins_tag, end_of, end_of_raw, piece_at},
    writer::Writer,
};
use crate::syntax::tokens::TokenKind;

/// The greatest number of open elements and expressions. What is nested deeper is written beside them.
const MAX_OPEN: usize = 100;

/// The greatest length of a code span of Markdown in bytes.
const MAX_SPAN: usize = 1000;

/// The notation of the text between the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    Html,
    /// A code span between backticks is text.
    Markdown,
}

/// What is open.
#[derive(Debug)]
enum Open {
    /// An element; true for that of a component.
    Element(String, bool),
    /// An expression, with the number of its open brackets.
    Code(usize),
}

/// The reader of a template.
pub(super) struct Elements<'t> {
    text: &'t str,
    writer: Writer<'t>,
    notation: Text,
    open: Vec<Open>,
    /// The code of `<script>`.
    scripts: Vec<Range<usize>>,
}

impl<'t> Elements<'t> {
    pub(super) fn new(text: &'t str, writer: Writer<'t>, notation: Text) -> Self {
        Self { text, writer, notation, open: Vec::new(), scripts: Vec::new() }
    }

    /// Closes what is open.
    pub(super) fn finish(mut self) -> (Writer<'t>, Vec<Range<usize>>) {
        while let Some(open) = self.open.pop() {
            self.close(open);
        }
        (self.writer, self.scripts)
    }

    /// Reads a part of the text.
    pub(super) fn read(&mut self, part: Range<usize>) {
        let mut at = part.start;
        while at < part.end {
            at = match self.open.last() {
                Some(Open::Code(_)) => self.code(at, part.end),
                _ => self.markup(at, part.end),
            };
        }
    }

    fn close(&mut self, open: Open) {
        match open {
            Open::Element(name, true) => self.writer.glue(&format!("</{name}>")),
            Open::Element(_, false) => self.writer.glue("</>"),
            Open::Code(brackets) => self.writer.glue(&format!("{}}}", ")".repeat(brackets))),
        }
    }

    /// Reads markup from `at` on, up to the next tag or expression, and returns where to go on.
    fn markup(&mut self, at: usize, end: usize) -> usize {
        let text = self.text;
        let Some(next) = text[at..end].find(['<', '{', '`']).map(|next| at + next) else {
            self.literal(at..end);
            return end;
        };
        self.literal(at..next);
        match text.as_bytes()[next] {
            b'`' if self.notation == Text::Markdown => {
                let marks = text[next..].bytes().take_while(|byte| *byte == b'`').count();
                let after = next + marks;
                let near = text.floor_char_boundary((after + MAX_SPAN).min(end));
                text[after..near].find(&text[next..after]).map_or(after, |close| after + close + marks)
            }
            b'{' if !is_braced(text, next, end) => end,
            b'{' if self.open.len() < MAX_OPEN => {
                self.writer.glue("{");
                self.open.push(Open::Code(0));
                next + 1
            }
            b'<' => self.tag_or_text(next).min(end),
            _ => next + 1,
        }
    }

    /// Text of an element counts as a child.
    fn literal(&mut self, part: Range<usize>) {
        if matches!(self.open.last(), Some(Open::Element(_, true))) && !self.text[part].trim().is_empty() {
            self.writer.glue("text");
        }
    }

    fn tag_or_text(&mut self, at: usize) -> usize {
        let text = self.text;
        match piece_at(text, at, true) {
            Piece::Other(end) => end,
            Piece::Tag(tag) => {
                let name = &text[tag.name.clone()];
                if !tag.is_closing && !tag.is_self_closed && matches!(name, "script" | "style") {
                    let end = end_of_raw(text, tag.end, name);
                    if name == "script" && tag.value(text, "type").is_none_or(|kind| kind == "module") {
                        self.scripts.push(tag.end..end);
                    }
                    return end_of(text, end, ">");
                }
                self.tag(&tag, name);
                tag.end
            }
        }
    }

    fn tag(&mut self, tag: &Tag, name: &str) {
        if tag.is_closing {
            let is_open = |open: &Open| matches!(open, Open::Element(open, _) if open == name);
            // An element ends in the expression that it begins in.
            let is_code = |open: &Open| matches!(open, Open::Code(_));
            let first = self.open.iter().rposition(is_code).map_or(0, |at| at + 1);
            if let Some(at) = self.open[first..].iter().rposition(is_open) {
                while self.open.len() > first + at {
                    if let Some(open) = self.open.pop() {
                        self.close(open);
                    }
                }
            }
            return;
        }
        let is_component = (name.starts_with(char::is_uppercase) || name.contains('.')) && name.split('.').all(is_name);
        let is_closed = tag.is_self_closed || tag.is_void(self.text) || self.open.len() >= MAX_OPEN;
        if is_component {
            self.writer.code(&format!("<{name}"), tag.start);
        } else {
            self.writer.glue("<>");
        }
        for attribute in &tag.attributes {
            self.attribute(attribute, is_component);
        }
        match (is_component, is_closed) {
            (true, true) => self.writer.glue("/>"),
            (true, false) => self.writer.glue(">"),
            (false, true) => self.writer.glue("</>"),
            (false, false) => {}
        }
        if !is_closed {
            self.open.push(Open::Element(name.to_owned(), is_component));
        }
    }

    fn attribute(&mut self, attribute: &Attribute, of_component: bool) {
        let text = self.text;
        let name = &text[attribute.name.clone()];
        let value = attribute.value.clone().map(|value| trimmed(text, value));
        let braced = value.clone().filter(|value| attribute.is_braced && is_closed(&text[value.clone()]));
        if !of_component {
            if let Some(value) = braced.filter(|value| !text[value.clone()].starts_with("...")) {
                self.writer.glue("{(");
                self.writer.source(value);
                self.writer.glue(")}");
            }
            return;
        }
        match (name, braced) {
            ("", Some(value)) if text[value.clone()].starts_with("...") => {
                self.writer.glue("{");
                self.writer.source(value);
                self.writer.glue("}");
            }
            ("", Some(value)) if is_name(&text[value.clone()]) => {
                self.writer.code(&format!("{}={{", &text[value.clone()]), value.start);
                self.writer.source(value);
                self.writer.glue("}");
            }
            (name, _) if !is_attribute_name(name) => {}
            (name, Some(value)) => {
                self.writer.code(&format!("{name}={{"), attribute.name.start);
                self.writer.source(value);
                self.writer.glue("}");
            }
            // A template: name=`a ${b}`
            (name, None) if text[attribute.written.clone()].ends_with('`') => {
                let Some(value) = value else { return };
                let quoted = value.start - 1..value.end + 1;
                if is_closed(text.get(quoted.clone()).unwrap_or_default()) {
                    self.writer.code(&format!("{name}={{"), attribute.name.start);
                    self.writer.source(quoted);
                    self.writer.glue("}");
                }
            }
            (_, None) if !attribute.is_braced => self.writer.source(attribute.written.clone()),
            _ => {}
        }
    }

    /// Reads code from `at` on, up to the next element or the end of the expression, and returns where to go on.
    fn code(&mut self, at: usize, end: usize) -> usize {
        let text = self.text;
        let Some(Open::Code(brackets)) = self.open.last_mut() else { return end };
        let (mut templates, mut last) = (0_usize, None::<Range<usize>>);
        for token in code_tokens(text, at..end) {
            let code = &text[token.range.clone()];
            match token.kind {
                TokenKind::Open if code.starts_with(['`', '}']) => templates += 1,
                TokenKind::Close if code.ends_with('`') => templates = templates.saturating_sub(1),
                TokenKind::Open => *brackets += 1,
                TokenKind::Close if *brackets == 0 => {
                    self.writer.source(at..token.range.start);
                    self.writer.glue("}");
                    self.open.pop();
                    return token.range.end;
                }
                TokenKind::Close => *brackets -= 1,
                _ if code == "<" && templates == 0 => {
                    let before = last.as_ref().map_or("", |last| &text[last.clone()]);
                    let is_operand = before.is_empty()
                        || before == "return"
                        || before.ends_with(['(', ',', '=', '?', ':', '&', '|', '{', '[', '>', ';']);
                    let is_tag = begins_tag(text, token.range.start) || text[token.range.end..].starts_with('>');
                    if is_operand && is_tag {
                        self.writer.source(at..token.range.start);
                        return self.element_in_code(token.range.start);
                    }
                }
                _ => {}
            }
            last = Some(token.range);
        }
        self.writer.source(at..end);
        end
    }

    fn element_in_code(&mut self, at: usize) -> usize {
        if self.text[at..].starts_with("<>") {
            self.writer.glue("<>");
            self.open.push(Open::Element(String::new(), false));
            return at + 2;
        }
        self.tag_or_text(at)
    }
}

/// True if the brace at `at` is closed before `end`. Text and elements may stand between.
fn is_braced(text: &str, at: usize, end: usize) -> bool {
    memchr::memchr(b'}', &text.as_bytes()[at..end]).is_some()
}
