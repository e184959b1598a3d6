//! Templates of Vue, as statements: each element of a component, and each expression of the others.

use std::{collections::BTreeSet, ops::Range};

use rustc_hash::FxHashSet;

use super::{
    code::{CodeToken, code_tokens, is_attribute_name, is_closed, is_name, is_reserved, separated, trimmed},
    markup::{Attribute, Piece, Tag, begins_tag, end_of, piece_at},
    names::{camel_case, listener, pascal_case},
    vue_options::{OPTIONS, Options},
    writer::Writer,
};
use crate::syntax::tokens::TokenKind;

/// A part of an attribute that is no property of an element of JSX.
enum Written {
    Property,
    /// An expression, or the code of a listener.
    Statement(Range<usize>, bool),
}

/// What the name of an attribute stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    /// A plain attribute.
    None,
    /// `:name`, `v-bind:name`
    Bind,
    /// `@name`, `v-on:name`
    On,
    /// `v-model`, `v-model:name`
    Model,
    /// Any other name that begins with `v-`.
    Other,
}

/// The name of the prop that an attribute passes: `user-id` passes `userId`. ARIA and data attributes keep their names.
fn property_name(attribute: &str) -> String {
    if ["aria-", "data-"].iter().any(|prefix| attribute.starts_with(prefix)) {
        return attribute.to_owned();
    }
    camel_case(attribute)
}

/// The directive that a name stands for, and its argument without modifiers.
fn directive(name: &str) -> (Directive, &str) {
    let (kind, argument) = if let Some(argument) = name.strip_prefix(':') {
        (Directive::Bind, argument)
    } else if let Some(argument) = name.strip_prefix('@') {
        (Directive::On, argument)
    } else if let Some(directive) = name.strip_prefix("v-") {
        let (directive, argument) = directive.split_once(':').unwrap_or((directive, ""));
        match directive.split('.').next() {
            Some("bind") => (Directive::Bind, argument),
            Some("on") => (Directive::On, argument),
            Some("model") => (Directive::Model, argument),
            _ => (Directive::Other, argument),
        }
    } else {
        (Directive::None, name)
    };
    (kind, argument.split('.').next().unwrap_or_default())
}

/// The reader of a template. Each element and expression becomes a statement; an element that binds names becomes a
/// block.
pub(super) struct Template<'t> {
    pub(super) text: &'t str,
    pub(super) writer: Writer<'t>,
    /// The words of the scripts, among which are the names of imported components.
    pub(super) words: FxHashSet<&'t str>,
    pub(super) options: Option<Options>,
    pub(super) has_elements: bool,
    /// The open elements, each with what closes the blocks that it opened.
    pub(super) open: Vec<(&'t str, String)>,
}

impl<'t> Template<'t> {
    pub(super) fn read(&mut self, body: Range<usize>) {
        self.declare_names(body.clone());
        let bytes = self.text.as_bytes();
        let mut at = body.start;
        while let Some(next) = memchr::memchr2(b'<', b'{', &bytes[at..body.end]) {
            at += next;
            if bytes[at] == b'{' {
                if !self.text[at..].starts_with("{{") {
                    at += 1;
                    continue;
                }
                let end = end_of(self.text, at, "}}");
                if end < body.end || self.text[..end].ends_with("}}") {
                    self.value(at + 2..end - 2);
                }
                at = end.min(body.end);
            } else if begins_tag(self.text, at) {
                match piece_at(self.text, at, false) {
                    Piece::Other(end) => at = end.min(body.end),
                    Piece::Tag(tag) => {
                        at = tag.end.min(body.end);
                        self.tag(&tag);
                    }
                }
            } else {
                let Piece::Other(end) = piece_at(self.text, at, false) else { break };
                at = end.min(body.end);
            }
        }
        while let Some((_, closing)) = self.open.pop() {
            self.writer.glue(&closing);
        }
    }

    /// Declares what an expression of a template with options can name: their methods, and no name of the script.
    fn declare_names(&mut self, body: Range<usize>) {
        let Some(options) = self.options.take() else { return };
        let names = self.text[body].split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$'));
        let used: BTreeSet<&str> = names.filter(|name| self.words.contains(*name)).collect();
        let (methods, others): (Vec<&str>, Vec<&str>) =
            used.into_iter().partition(|name| options.methods.iter().any(|method| method == name));
        if options.is_plain && !methods.is_empty() {
            self.writer.glue(&format!("const {{ {} }} = {OPTIONS}.methods;", methods.join(", ")));
        }
        let is_hidden = |name: &&str| !is_reserved(name) && !name.starts_with(char::is_uppercase);
        if !options.has_setup {
            let hidden: Vec<&str> = others.into_iter().filter(is_hidden).collect();
            self.declare_unknown(&hidden);
        }
        if !options.is_plain {
            self.declare_unknown(&methods);
        }
    }

    fn declare_unknown(&mut self, names: &[&str]) {
        if !names.is_empty() {
            self.writer.glue(&format!("let {};", names.join(", ")));
        }
    }

    fn tag(&mut self, tag: &Tag) {
        let name = &self.text[tag.name.clone()];
        if tag.is_closing {
            // A closing tag closes what was left open in its element. One without an element is none.
            if let Some(at) = self.open.iter().rposition(|(open, _)| *open == name) {
                for (_, closing) in self.open.drain(at..).rev().collect::<Vec<_>>() {
                    self.writer.glue(&closing);
                }
            }
            return;
        }
        let mut closing = String::new();
        let find = |names: &[&str]| {
            tag.attributes.iter().find(|attribute| names.contains(&&self.text[attribute.name.clone()]))
        };
        let value = |attribute: Option<&Attribute>| attribute.and_then(|attribute| attribute.value.clone());
        let is_code = |value: &Range<usize>| is_closed(&self.text[value.clone()]);
        if let Some(list) = value(find(&["v-for"])).filter(is_code)
            && self.begin_loop(list)
        {
            closing.push('}');
        }
        if let Some(condition) = value(find(&["v-if", "v-else-if"])).filter(is_code) {
            self.writer.glue("if (");
            self.writer.source(condition);
            self.writer.glue(") {");
            closing.push('}');
        }
        self.element(tag, name);
        let slot = tag.attributes.iter().find(|attribute| {
            let name = &self.text[attribute.name.clone()];
            name.starts_with('#') || name.starts_with("v-slot") || name == "slot-scope" || name == "scope"
        });
        if let Some(pattern) = value(slot).filter(is_code) {
            self.writer.glue("((");
            self.writer.source(pattern);
            self.writer.glue(") => {");
            closing.insert_str(0, "});");
        }
        if tag.is_self_closed || tag.is_void(self.text) {
            self.writer.glue(&closing);
        } else {
            self.open.push((name, closing));
        }
    }

    /// Begins the block of `item in list`, `(item, index) of list`; false if the value has another form.
    fn begin_loop(&mut self, value: Range<usize>) -> bool {
        let is_word = |token: &CodeToken| {
            token.kind == TokenKind::Word && token.depth == 0 && matches!(&self.text[token.range.clone()], "in" | "of")
        };
        let Some(word) = code_tokens(self.text, value.clone()).find(is_word) else { return false };
        let mut names = trimmed(self.text, value.start..word.range.start);
        let list = trimmed(self.text, word.range.end..value.end);
        let written = &self.text[names.clone()];
        if written.starts_with('(') && written.ends_with(')') {
            names = names.start + 1..names.end - 1;
        }
        let mut names = separated(self.text, names).into_iter();
        let Some(item) = names.next().filter(|_| !list.is_empty()) else { return false };
        self.writer.glue("for (const");
        self.writer.source(item);
        self.writer.glue("of (");
        self.writer.source(list);
        self.writer.glue(")) {");
        for name in names.filter(|name| is_name(&self.text[name.clone()])) {
            self.writer.glue(&format!("let {};", &self.text[name]));
        }
        true
    }

    /// Writes an element of a component, or the expressions of any other.
    fn element(&mut self, tag: &Tag, name: &'t str) {
        let component = self.component(name);
        if let Some(component) = &component {
            self.writer.code(&format!("<{component}"), tag.start);
        }
        let mut kept = Vec::new();
        for attribute in &tag.attributes {
            match self.attribute(attribute, component.is_some()) {
                Written::Property => {}
                Written::Statement(value, is_handler) => kept.push((value, is_handler)),
            }
        }
        if component.is_some() {
            self.writer.glue("/>;");
        }
        for (value, is_handler) in kept {
            if is_handler {
                self.writer.glue("(");
                self.handler(value);
                self.writer.glue(");");
            } else {
                self.value(value);
            }
        }
    }

    /// The name of the component that an element names, if a script has that name.
    fn component(&self, name: &str) -> Option<String> {
        if !self.has_elements {
            return None;
        }
        if !name.starts_with(char::is_uppercase) && !name.contains('-') {
            return None;
        }
        let component = pascal_case(name);
        let first = component.split('.').next().unwrap_or_default();
        (self.words.contains(first) && component.split('.').all(is_name)).then_some(component)
    }

    /// Writes an attribute of a component as a property of JSX; what is no property, or belongs to no component, is
    /// a statement.
    fn attribute(&mut self, attribute: &Attribute, of_component: bool) -> Written {
        let text = self.text;
        let name = &text[attribute.name.clone()];
        let value =
            attribute.value.clone().map(|value| trimmed(text, value)).filter(|value| is_closed(&text[value.clone()]));
        let nothing = Written::Property;
        if matches!(name, "v-for" | "v-if" | "v-else-if" | "v-else" | "v-slot" | "slot-scope" | "scope" | "v-pre")
            || name.starts_with('#')
            || name.starts_with("v-slot")
        {
            return nothing;
        }
        let (kind, argument) = directive(name);
        if kind == Directive::None {
            if of_component {
                self.plain_attribute(attribute);
            }
            return nothing;
        }
        let property = match kind {
            Directive::Bind => property_name(argument),
            Directive::On => listener(argument),
            Directive::Model if argument.is_empty() => "modelValue".to_owned(),
            Directive::Model => property_name(argument),
            Directive::Other | Directive::None => String::new(),
        };
        let is_property = of_component && is_attribute_name(&property);
        match (kind, value) {
            (Directive::Bind, Some(value)) if of_component && argument.is_empty() => {
                self.writer.glue("{...(");
                self.writer.source(value);
                self.writer.glue(")}");
                nothing
            }
            (Directive::Bind, None) if is_property && attribute.value.is_none() && is_name(&property) => {
                self.writer.code(&format!("{property}={{{property}}}"), attribute.name.start);
                nothing
            }
            (Directive::On, Some(value)) if is_property => {
                self.writer.code(&format!("{property}={{"), attribute.name.start);
                self.handler(value);
                self.writer.glue("}");
                nothing
            }
            (Directive::Bind | Directive::Model, Some(value)) if is_property => {
                self.writer.code(&format!("{property}={{"), attribute.name.start);
                self.writer.source(value);
                self.writer.glue("}");
                nothing
            }
            (_, Some(value)) => Written::Statement(value, kind == Directive::On),
            (_, None) => nothing,
        }
    }

    /// Writes an attribute whose value is a text.
    fn plain_attribute(&mut self, attribute: &Attribute) {
        let property = property_name(&self.text[attribute.name.clone()]);
        if !is_attribute_name(&property) {
            return;
        }
        let Some(value) = attribute.value.clone() else {
            return self.writer.code(&property, attribute.name.start);
        };
        let code = &self.text[value.clone()];
        let is_quoted = attribute.written.end > value.end && !code.contains(['&', '"', '\n', '\r']);
        let text = if is_quoted { code } else { "" };
        self.writer.code(&format!("{property}=\"{text}\""), attribute.name.start);
    }

    /// Writes the code of a listener: a function, the path of one, or statements.
    fn handler(&mut self, value: Range<usize>) {
        let code = &self.text[value.clone()];
        let is_path = code.split('.').all(is_name);
        let is_function = code.contains("=>") && !code.contains(';') || code.starts_with("function") || is_path;
        if is_function {
            self.writer.source(value);
        } else {
            self.writer.glue("($event) => {");
            self.writer.source(value);
            self.writer.glue("}");
        }
    }

    /// Writes an expression as a statement.
    fn value(&mut self, value: Range<usize>) {
        let value = trimmed(self.text, value);
        if is_closed(&self.text[value.clone()]) {
            self.writer.glue("(");
            self.writer.source(value);
            self.writer.glue(");");
        }
    }
}
