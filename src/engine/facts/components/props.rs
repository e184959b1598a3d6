//! The props and events of a component, and the head of the function that stands for it.

use std::ops::Range;

use super::{
    code::{CodeToken, Key, code_tokens, is_name, keys, separated, trimmed, unquoted},
    names::listener,
    writer::Writer,
};
use crate::syntax::tokens::TokenKind;

/// The name of the function that stands for the component. The name of the file replaces it.
pub(super) const COMPONENT: &str = "component$";

/// The props of a component.
#[derive(Debug, Default)]
pub(super) struct Props {
    /// Where they are declared.
    pub(super) at: usize,
    /// The type of all props, as it is written.
    pub(super) written: Option<Range<usize>>,
    /// The props that are declared one by one.
    pub(super) members: Vec<Prop>,
    /// The type parameters of the component.
    pub(super) type_params: Option<Range<usize>>,
}

/// A prop.
#[derive(Debug)]
pub(super) struct Prop {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) is_optional: bool,
    pub(super) ty: PropType,
}

/// The type of a prop.
#[derive(Debug)]
pub(super) enum PropType {
    Known(&'static str),
    Written(Range<usize>),
}

impl Props {
    /// Writes the head of the function that stands for the component: `export default function Name(props: …) {`.
    pub(super) fn write_head(&self, writer: &mut Writer<'_>) {
        writer.code(&format!("export default function {COMPONENT}"), self.at);
        if let Some(params) = &self.type_params {
            writer.glue("<");
            writer.source(params.clone());
            writer.glue(">");
        }
        writer.glue("(");
        let has_props = self.written.is_some() || !self.members.is_empty();
        if has_props {
            writer.code("props:", self.at);
        }
        if let Some(written) = &self.written {
            writer.source(written.clone());
        }
        if !self.members.is_empty() {
            writer.code(if self.written.is_some() { "& {" } else { "{" }, self.at);
            for prop in &self.members {
                let quote = if is_name(&prop.name) { "" } else { "\"" };
                let mark = if prop.is_optional { "?" } else { "" };
                writer.code(&format!("{quote}{}{quote}{mark}:", prop.name), prop.at);
                match &prop.ty {
                    PropType::Known(ty) => writer.code(ty, prop.at),
                    PropType::Written(range) => writer.source(range.clone()),
                }
                writer.glue(";");
            }
            writer.glue("}");
        }
        writer.glue(") {");
    }

    pub(super) fn push(&mut self, name: String, at: usize, is_optional: bool, ty: PropType) {
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_$:.-".contains(c));
        if is_plain && self.members.iter().all(|prop| prop.name != name) {
            self.members.push(Prop { name, at, is_optional, ty });
        }
    }

    /// Adds the names of an object pattern; a name with a default is optional.
    pub(super) fn add_pattern(&mut self, text: &str, pattern: Range<usize>) {
        for key in keys(text, pattern) {
            let has_default = text[key.rest].contains('=');
            self.push(text[key.name.clone()].to_owned(), key.name.start, has_default, PropType::Known("any"));
        }
    }
}

/// A call of a function that the framework knows.
#[derive(Debug)]
struct MacroCall {
    at: usize,
    type_argument: Option<Range<usize>>,
    /// The arguments, with the brackets around them.
    arguments: Range<usize>,
}

/// The calls of `name` among the tokens of a script.
fn calls_of(text: &str, tokens: &[CodeToken], name: &str) -> Vec<MacroCall> {
    let code = |at: usize| tokens.get(at).map_or("", |token: &CodeToken| &text[token.range.clone()]);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Word || code(at) != name || at > 0 && code(at - 1) == "." {
            continue;
        }
        let mut next = at + 1;
        let mut type_argument = None;
        if code(next) == "<" {
            let Some(end) = end_of_type_arguments(text, tokens, next) else { continue };
            type_argument = Some(tokens[next].range.end..tokens[end].range.start);
            next = end + 1;
        }
        if code(next) != "(" {
            continue;
        }
        let depth = tokens[next].depth;
        let is_closing = |token: &&CodeToken| token.kind == TokenKind::Close && token.depth == depth;
        if let Some(close) = tokens[next..].iter().find(is_closing) {
            let arguments = tokens[next].range.start..close.range.end;
            found.push(MacroCall { at: token.range.start, type_argument, arguments });
        }
    }
    found
}

/// The position of the `>` that closes the `<` at `open`.
fn end_of_type_arguments(text: &str, tokens: &[CodeToken], open: usize) -> Option<usize> {
    let depth = tokens[open].depth;
    let mut angles = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.depth < depth {
            return None;
        }
        match &text[token.range.clone()] {
            "<" if token.depth == depth => angles += 1,
            ">" if token.depth == depth && !text[..token.range.start].ends_with('=') => {
                angles -= 1;
                if angles == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The type that Vue's constructors of props give: `String`, `{ type: Number, required: true }`; and whether the prop
/// is optional.
fn runtime_type(text: &str, value: Range<usize>) -> (PropType, bool) {
    let value = trimmed(text, value);
    let known = |code: &str| match code {
        "String" => "string",
        "Number" => "number",
        "Boolean" => "boolean",
        "Array" => "any[]",
        _ => "any",
    };
    if !text[value.clone()].starts_with('{') {
        return (PropType::Known(known(&text[value])), true);
    }
    let (mut ty, mut is_optional) = ("any", true);
    for key in keys(text, value) {
        let rest = text[key.rest].trim_start_matches([':', ' ', '\n', '\t']).trim_end_matches([',', ' ', '\n', '\t']);
        match &text[key.name] {
            "type" => ty = known(rest.trim()),
            "required" => is_optional = rest.trim() != "true",
            _ => {}
        }
    }
    (PropType::Known(ty), is_optional)
}

/// Adds the props that an object or array of Vue declares.
pub(super) fn add_runtime_props(props: &mut Props, text: &str, value: Range<usize>) {
    let value = trimmed(text, value);
    if text[value.clone()].starts_with('[') {
        for (name, at) in strings(text, value) {
            props.push(name, at, true, PropType::Known("any"));
        }
    } else if text[value.clone()].starts_with('{') {
        for Key { name, rest } in keys(text, value) {
            let ends = text[rest.clone()].trim_end().trim_end_matches(',').len();
            let rest = rest.start..rest.start + ends;
            let declared = text[rest.clone()].trim_start();
            let Some(written) = declared.strip_prefix(':') else { continue };
            let (ty, is_optional) = runtime_type(text, rest.end - written.len()..rest.end);
            props.push(text[name.clone()].to_owned(), name.start, is_optional, ty);
        }
    }
}

/// Adds the events of a component as its props of listeners: `change` is `onChange`.
pub(super) fn add_events(props: &mut Props, text: &str, value: Range<usize>) {
    let value = trimmed(text, value);
    let mut events: Vec<(String, usize)> = Vec::new();
    if text[value.clone()].starts_with('[') {
        events = strings(text, value);
    } else if text[value.clone()].starts_with('{') {
        let tokens: Vec<CodeToken> = code_tokens(text, value.clone()).collect();
        // `(e: "change", id: number): void`
        let is_signature = tokens.get(1).is_some_and(|token| &text[token.range.clone()] == "(");
        if is_signature {
            let named = tokens.windows(3).filter(|three| &text[three[0].range.clone()] == "(" && three[0].depth == 1);
            for three in named {
                let after = tokens.iter().skip_while(|token| token.range.start <= three[2].range.start);
                let in_first = after.take_while(|token| !matches!(token.kind, TokenKind::Comma | TokenKind::Close));
                let names = in_first.filter_map(|token| unquoted(text, token.range.clone()));
                events.extend(names.map(|name| (text[name.clone()].to_owned(), name.start)));
            }
        } else {
            events.extend(keys(text, value).into_iter().map(|key| (text[key.name.clone()].to_owned(), key.name.start)));
        }
    }
    for (event, at) in events {
        props.push(listener(&event), at, true, PropType::Known("any"));
    }
}

/// The strings of an array literal, with their places.
fn strings(text: &str, array: Range<usize>) -> Vec<(String, usize)> {
    let inner = array.start + 1..array.end.saturating_sub(1).max(array.start + 1);
    let string = |part: Range<usize>| {
        let name = unquoted(text, part)?;
        Some((text[name.clone()].to_owned(), name.start))
    };
    separated(text, inner).into_iter().filter_map(string).collect()
}

/// The props of a `<script setup>` of Vue.
pub(super) fn setup_props(text: &str, script: Range<usize>) -> Props {
    let tokens: Vec<CodeToken> = code_tokens(text, script.clone()).collect();
    let mut props = Props { at: script.start, ..Props::default() };
    if let Some(call) = calls_of(text, &tokens, "defineProps").pop() {
        props.at = call.at;
        match call.type_argument {
            Some(written) => props.written = Some(written),
            None => add_runtime_props(&mut props, text, call.arguments.start + 1..call.arguments.end - 1),
        }
    }
    for call in calls_of(text, &tokens, "defineModel") {
        let first = separated(text, call.arguments.start + 1..call.arguments.end - 1).into_iter().next();
        let name = first.map(|first| text[first].trim_matches(['"', '\''])).filter(|name| is_name(name));
        let ty = call.type_argument.map_or(PropType::Known("any"), PropType::Written);
        props.push(name.unwrap_or("modelValue").to_owned(), call.at, true, ty);
    }
    for call in calls_of(text, &tokens, "defineEmits") {
        let declared = call.type_argument.unwrap_or(call.arguments.start + 1..call.arguments.end - 1);
        add_events(&mut props, text, declared);
    }
    props
}
