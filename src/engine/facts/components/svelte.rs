//! Components of Svelte: the scripts, and the markup between them.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{
    Program, ScriptLanguage,
    code::{CodeToken, code_tokens, end_of_braces, is_attribute_name, is_closed, is_name, separated, trimmed, words},
    markup::{Attribute, Piece, Tag, end_of, end_of_raw, piece_at},
    props::{PropType, Props},
    writer::Writer,
};
use crate::syntax::tokens::TokenKind;

/// The program of a component. Without `has_elements` it has no JSX.
pub(super) fn program(text: &str, has_elements: bool) -> Option<Program> {
    let scripts = scripts(text);
    let language = ScriptLanguage::of_tag(scripts.iter().find_map(|(tag, _)| tag.value(text, "lang")))?;
    let is_module = |tag: &Tag| {
        tag.attribute(text, "module").is_some() || tag.value(text, "context").is_some_and(|context| context == "module")
    };
    let mut writer = Writer::new(text);
    let mut props = Props::default();
    for (tag, body) in scripts.iter().filter(|(tag, _)| is_module(tag)) {
        props.at = tag.start;
        writer.source(body.clone());
    }
    for (tag, body) in scripts.iter().filter(|(tag, _)| !is_module(tag)) {
        props.at = tag.start;
        props.type_params = tag.attribute(text, "generics").and_then(|attribute| attribute.value.clone());
        write_instance(&mut writer, body.clone(), &mut props);
    }
    let words: FxHashSet<&str> = scripts.iter().flat_map(|(_, body)| words(text, body.clone())).collect();
    props.write_head(&mut writer);
    let mut markup = Markup { text, writer, words, has_elements, open: Vec::new() };
    markup.read();
    let mut writer = markup.writer;
    writer.code("}", text.len());
    Some(Program::new(writer, language))
}

/// The scripts of the file, each with its code.
pub(super) fn scripts(text: &str) -> Vec<(Tag, Range<usize>)> {
    let mut scripts = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        match piece_at(text, at + next, true) {
            Piece::Other(end) => at = end,
            Piece::Tag(tag) => {
                at = tag.end;
                if is_raw(text, &tag) {
                    at = end_of_raw(text, at, &text[tag.name.clone()]);
                    if &text[tag.name.clone()] == "script" {
                        scripts.push((at, tag));
                    }
                }
            }
        }
    }
    scripts.into_iter().map(|(end, tag)| (tag.end..end, tag)).map(|(body, tag)| (tag, body)).collect()
}

/// True for a tag whose content is no markup.
fn is_raw(text: &str, tag: &Tag) -> bool {
    !tag.is_closing && !tag.is_self_closed && matches!(&text[tag.name.clone()], "script" | "style")
}

/// Writes the script that runs for each component, and finds its props. What it exports belongs to the component, not
/// to the module.
fn write_instance(writer: &mut Writer<'_>, body: Range<usize>, props: &mut Props) {
    let text = writer.source;
    let tokens: Vec<CodeToken> = code_tokens(text, body.clone()).collect();
    let code = |at: usize| tokens.get(at).map_or("", |token| &text[token.range.clone()]);
    let mut written = body.start;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.depth == 0) {
        if code(at) == "export" && matches!(code(at + 1), "let" | "const" | "function" | "class" | "async") {
            writer.source(written..token.range.start);
            written = token.range.end;
            if code(at + 1) == "let" {
                add_exported(text, &tokens, at + 2, props);
            }
        } else if code(at) == "$props" && code(at + 1) == "(" {
            add_declared(text, &tokens[..at], props);
        }
    }
    writer.source(written..body.end);
}

/// Adds the prop `export let name: T = value`, whose name is the token `at`.
fn add_exported(text: &str, tokens: &[CodeToken], at: usize, props: &mut Props) {
    let Some(name) = tokens.get(at).filter(|token| token.kind == TokenKind::Word) else { return };
    let code = |at: usize| tokens.get(at).map_or("", |token| &text[token.range.clone()]);
    let line = |at: usize| {
        let next = tokens.get(at + 1).map_or(text.len(), |token| token.range.start);
        tokens.get(at).is_some_and(|token| text[token.range.end..next].contains('\n'))
    };
    let mut ty = PropType::Known("any");
    let mut end = at + 1;
    if code(end) == ":" {
        let is_end = |at: &usize| {
            tokens.get(*at).is_none_or(|token| token.depth == 0 && (matches!(code(*at), "=" | ";") || line(*at)))
                && !(code(*at) == "=" && code(at + 1) == ">")
        };
        let last = (end + 1..=tokens.len()).find(is_end).unwrap_or(tokens.len());
        let last_end = match code(last) {
            "=" | ";" | "" => tokens.get(last).map_or(text.len(), |token| token.range.start),
            _ => tokens[last].range.end,
        };
        let written = trimmed(text, tokens[end].range.end..last_end.min(tokens[tokens.len() - 1].range.end));
        if is_closed(&text[written.clone()]) {
            ty = PropType::Written(written);
        }
        end = last;
    }
    props.push(text[name.range.clone()].to_owned(), name.range.start, code(end) == "=", ty);
}

/// Adds the props that `let { a, b = 1 }: T = $props()` names. `before` are the tokens before `$props`.
fn add_declared(text: &str, before: &[CodeToken], props: &mut Props) {
    let Some((equals, before)) = before.split_last() else { return };
    if &text[equals.range.clone()] != "=" {
        return;
    }
    let is_declaration =
        |token: &CodeToken| token.depth == 0 && matches!(&text[token.range.clone()], "let" | "const" | "var");
    let Some(start) = before.iter().rposition(is_declaration) else { return };
    let declared = &before[start + 1..];
    let colon = declared.iter().position(|token| token.depth == 0 && token.kind == TokenKind::Colon);
    if let Some(first) = declared.first() {
        props.at = first.range.start;
    }
    if let Some(colon) = colon {
        props.written = Some(trimmed(text, declared[colon].range.end..equals.range.start));
    } else if let (Some(first), Some(last)) = (declared.first(), declared.last())
        && &text[first.range.clone()] == "{"
    {
        props.add_pattern(text, first.range.start..last.range.end);
    }
}

/// The reader of the markup. Each element and expression becomes a statement; a block of Svelte becomes a block.
struct Markup<'t> {
    text: &'t str,
    writer: Writer<'t>,
    /// The words of the scripts, among which are the names of imported components.
    words: FxHashSet<&'t str>,
    has_elements: bool,
    /// The open blocks and elements, each with what closes it.
    open: Vec<(&'t str, &'static str)>,
}

impl<'t> Markup<'t> {
    fn read(&mut self) {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let mut at = 0;
        while let Some(next) = memchr::memchr2(b'<', b'{', &bytes[at..]) {
            at += next;
            if bytes[at] == b'{' {
                let Some(end) = end_of_braces(text, at) else { break };
                self.braces(at + 1..end - 1);
                at = end;
                continue;
            }
            match piece_at(text, at, true) {
                Piece::Other(end) => at = end,
                Piece::Tag(tag) if is_raw(text, &tag) => {
                    at = end_of(text, end_of_raw(text, tag.end, &text[tag.name.clone()]), ">");
                }
                Piece::Tag(tag) => {
                    at = tag.end;
                    self.tag(&tag);
                }
            }
        }
        while let Some((_, closing)) = self.open.pop() {
            self.writer.glue(closing);
        }
    }

    /// Closes the innermost block or element of this name, and what is open in it.
    fn close(&mut self, name: &str) {
        if let Some(at) = self.open.iter().rposition(|(open, _)| *open == name) {
            while self.open.len() > at {
                let (_, closing) = self.open.pop().unwrap_or_default();
                self.writer.glue(closing);
            }
        }
    }

    fn braces(&mut self, inner: Range<usize>) {
        let text = self.text;
        let code = trimmed(text, inner);
        let written = &text[code.clone()];
        let mark = written.chars().next().filter(|mark| matches!(mark, '#' | ':' | '/' | '@'));
        let word_end = written.find(char::is_whitespace).unwrap_or(written.len());
        let rest = trimmed(text, code.start + word_end..code.end);
        match (mark, written[..word_end].get(1..).unwrap_or_default()) {
            (Some('#'), block) => self.begin(block, rest),
            (Some(':'), "then" | "catch") => {
                self.writer.glue("} {");
                if is_name(&text[rest.clone()]) {
                    self.writer.glue(&format!("let {};", &text[rest]));
                }
            }
            (Some(':'), _) if !self.open.is_empty() => {
                let condition =
                    text[rest.clone()].strip_prefix("if").map(|condition| rest.end - condition.len()..rest.end);
                self.writer.glue("} {");
                if let Some(condition) = condition {
                    self.value(condition);
                }
            }
            (Some('/'), block) if !written.starts_with("/*") && !written.starts_with("//") => {
                self.close(&format!("#{block}"));
            }
            (Some('@'), "const") if is_closed(&text[rest.clone()]) => {
                self.writer.glue("const");
                self.writer.source(rest);
                self.writer.glue(";");
            }
            (Some('@'), "debug") => {}
            (Some('@'), _) => self.value(rest),
            _ => self.value(code),
        }
    }

    /// Begins a block `{#name rest}`.
    fn begin(&mut self, name: &'t str, rest: Range<usize>) {
        let text = self.text;
        let (block, closing) = match name {
            "each" => ("#each", self.begin_each(rest)),
            "if" if is_closed(&text[rest.clone()]) => {
                self.writer.glue("if (");
                self.writer.source(rest);
                self.writer.glue(") {");
                ("#if", "}")
            }
            "snippet" if is_closed(&text[rest.clone()]) => {
                self.writer.glue("function");
                self.writer.source(rest);
                self.writer.glue("{");
                ("#snippet", "}")
            }
            "await" => {
                let word = words_at_top(text, rest.clone(), &["then", "catch"]);
                let value = word.clone().map_or(rest.clone(), |word| rest.start..word.start);
                self.value(value.clone());
                self.writer.glue("{");
                let name = word.map(|word| trimmed(text, word.end..rest.end));
                if let Some(name) = name.filter(|name| is_name(&text[name.clone()])) {
                    let value = text[value].trim();
                    let value = if is_name(value) { format!(" = await {value}") } else { String::new() };
                    self.writer.glue(&format!("let {}{value};", &text[name]));
                }
                ("#await", "}")
            }
            _ => {
                self.value(rest);
                self.writer.glue("{");
                (if name == "key" { "#key" } else { "#if" }, "}")
            }
        };
        self.open.push((block, closing));
    }

    /// Begins the block of `list as item, index (key)`, and returns what closes it.
    fn begin_each(&mut self, rest: Range<usize>) -> &'static str {
        let text = self.text;
        let Some(word) = words_at_top(text, rest.clone(), &["as"]).filter(|_| is_closed(&text[rest.clone()])) else {
            self.value(rest);
            self.writer.glue("{");
            return "}";
        };
        let mut names = trimmed(text, word.end..rest.end);
        let mut key = None;
        if text[names.clone()].ends_with(')') {
            let is_open = |token: &CodeToken| token.depth == 0 && text[token.range.clone()].starts_with('(');
            key = code_tokens(text, names.clone()).filter(is_open).last().map(|token| token.range.start..names.end);
            names.end = key.clone().map_or(names.end, |key| key.start);
        }
        let mut names = separated(text, names).into_iter();
        let Some(item) = names.next() else {
            self.writer.glue("{");
            return "}";
        };
        self.writer.glue("for (const");
        self.writer.source(item);
        self.writer.glue("of (");
        self.writer.source(rest.start..word.start);
        self.writer.glue(")) {");
        for name in names.filter(|name| is_name(&text[name.clone()])) {
            self.writer.glue(&format!("let {};", &text[name]));
        }
        if let Some(key) = key {
            self.value(key);
        }
        "}"
    }

    fn tag(&mut self, tag: &Tag) {
        let name = &self.text[tag.name.clone()];
        if tag.is_closing {
            return self.close(name);
        }
        let first = name.split('.').next().unwrap_or_default();
        let is_component = self.has_elements
            && (name.starts_with(char::is_uppercase) || name.contains('.'))
            && self.words.contains(first)
            && name.split('.').all(is_name);
        if is_component {
            self.writer.code(&format!("<{name}"), tag.start);
        }
        let mut kept = Vec::new();
        for attribute in &tag.attributes {
            if !is_component || !self.property(attribute) {
                kept.extend(self.expressions(attribute));
            }
        }
        if is_component {
            self.writer.glue("/>;");
        }
        for value in kept {
            self.value(value);
        }
        let binds = |attribute: &Attribute| self.text[attribute.name.clone()].strip_prefix("let:");
        let names: Vec<&str> = tag.attributes.iter().filter_map(binds).filter(|name| is_name(name)).collect();
        if !names.is_empty() {
            self.writer.glue(&format!("{{ let {};", names.join(", ")));
        }
        if !tag.is_self_closed && !tag.is_void(self.text) {
            self.open.push((name, if names.is_empty() { "" } else { "}" }));
        } else if !names.is_empty() {
            self.writer.glue("}");
        }
    }

    /// Writes an attribute of a component as a property of JSX; false if it is none.
    fn property(&mut self, attribute: &Attribute) -> bool {
        let text = self.text;
        let name = &text[attribute.name.clone()];
        let value = attribute.value.clone().map(|value| trimmed(text, value));
        if name.is_empty() {
            let Some(value) = value else { return true };
            let code = &text[value.clone()];
            if is_name(code) {
                self.writer.code(&format!("{code}={{"), value.start);
                self.writer.source(value);
                self.writer.glue("}");
            } else if code.starts_with("...") && is_closed(code) {
                self.writer.glue("{");
                self.writer.source(value);
                self.writer.glue("}");
            } else {
                return false;
            }
            return true;
        }
        let name = match name.split_once(':') {
            Some(("bind", name)) => name,
            Some((prefix, _)) if !prefix.starts_with("--") => return false,
            _ => name,
        };
        if !is_attribute_name(name) || name == "this" {
            return false;
        }
        match value {
            Some(value) if attribute.is_braced => {
                if !is_closed(&text[value.clone()]) {
                    return false;
                }
                self.writer.code(&format!("{name}={{"), attribute.name.start);
                self.writer.source(value);
                self.writer.glue("}");
            }
            Some(value) if text[value.clone()].contains('{') => {
                self.writer.code(&format!("{name}=\"\""), attribute.name.start);
                return false;
            }
            Some(_) => self.writer.source(attribute.written.clone()),
            None if text[attribute.name.clone()].starts_with("bind:") => {
                self.writer.code(&format!("{name}={{{name}}}"), attribute.name.start);
            }
            None => self.writer.code(name, attribute.name.start),
        }
        true
    }

    /// The expressions in an attribute that is no property of a component.
    fn expressions(&self, attribute: &Attribute) -> Vec<Range<usize>> {
        let text = self.text;
        let Some(value) = attribute.value.clone() else { return Vec::new() };
        if attribute.is_braced {
            let code = trimmed(text, value);
            let written = &text[code.clone()];
            let skipped = ["...", "@attach"].iter().find_map(|prefix| written.strip_prefix(prefix));
            let start = skipped.map_or(code.start, |rest| code.end - rest.len());
            return std::iter::once(start..code.end).collect();
        }
        let mut found = Vec::new();
        let mut at = value.start;
        while let Some(next) = memchr::memchr(b'{', &text.as_bytes()[at..value.end]) {
            let Some(end) = end_of_braces(&text[..value.end], at + next) else { break };
            found.push(at + next + 1..end - 1);
            at = end;
        }
        found
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

/// The last of these words that stands outside of brackets.
fn words_at_top(text: &str, part: Range<usize>, names: &[&str]) -> Option<Range<usize>> {
    let is_word = |token: &CodeToken| {
        token.kind == TokenKind::Word && token.depth == 0 && names.contains(&&text[token.range.clone()])
    };
    code_tokens(text, part).filter(is_word).last().map(|token| token.range)
}
