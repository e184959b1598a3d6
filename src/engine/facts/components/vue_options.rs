//! The options of a component of Vue: `export default { props, methods, … }`.

use std::ops::Range;

use super::{
    code::{CodeToken, Key, code_tokens, is_name, keys, trimmed},
    props::{Props, add_events, add_runtime_props},
};
use crate::syntax::tokens::TokenKind;

/// The name of the constant that holds the options. The word `default` replaces it.
pub(super) const OPTIONS: &str = "options$";

/// The default export of a script.
#[derive(Debug)]
pub(super) struct Options {
    /// The words `export default`.
    pub(super) export: Range<usize>,
    /// The object is the exported value itself, not the argument of a call.
    pub(super) is_plain: bool,
    pub(super) props: Props,
    /// The names of the methods.
    pub(super) methods: Vec<String>,
    /// `setup` is a method, so that the template can name what it returns.
    pub(super) has_setup: bool,
}

/// The options that a script of Vue exports; `None` if it exports none, or anything else.
pub(super) fn options(text: &str, script: Range<usize>) -> Option<Options> {
    let tokens: Vec<CodeToken> = code_tokens(text, script).collect();
    let code = |at: usize| tokens.get(at).map_or("", |token: &CodeToken| &text[token.range.clone()]);
    let at = (0..tokens.len()).find(|at| {
        tokens[*at].depth == 0
            && tokens[*at].kind == TokenKind::Word
            && code(*at) == "export"
            && code(*at + 1) == "default"
    })?;
    let is_plain = code(at + 2) == "{";
    let open = if is_plain {
        at + 2
    } else {
        // `defineComponent({`, `Vue.extend({`
        let names = tokens[at + 2..].iter().take_while(|token| {
            token.kind == TokenKind::Word && &text[token.range.clone()] != "class" || &text[token.range.clone()] == "."
        });
        let open = at + 2 + names.count();
        if open == at + 2 || code(open) != "(" || code(open + 1) != "{" {
            return None;
        }
        open + 1
    };
    let depth = tokens[open].depth;
    let is_closing = |token: &&CodeToken| token.kind == TokenKind::Close && token.depth == depth;
    let end = tokens[open..].iter().find(is_closing)?.range.end;
    let start = tokens[open].range.start;
    let mut found = Options {
        export: tokens[at].range.start..tokens[at + 1].range.end,
        is_plain,
        props: Props { at: tokens[at].range.start, ..Props::default() },
        methods: Vec::new(),
        has_setup: false,
    };
    for Key { name, rest } in keys(text, start..end) {
        let key = &text[name.clone()];
        let ends = text[rest.clone()].trim_end().trim_end_matches(',').len();
        let declared = text[rest.start..rest.start + ends].trim_start();
        let value = declared.strip_prefix(':').map(|value| rest.start + ends - value.len()..rest.start + ends);
        match (key, value) {
            ("props", Some(value)) => add_runtime_props(&mut found.props, text, value),
            ("emits", Some(value)) => add_events(&mut found.props, text, value),
            ("methods", Some(value)) => {
                let value = trimmed(text, value);
                if text[value.clone()].starts_with('{') {
                    let names = keys(text, value).into_iter().map(|key| text[key.name].to_owned());
                    found.methods.extend(names.filter(|name| is_name(name)));
                }
            }
            ("setup", None) => found.has_setup = true,
            _ => {}
        }
    }
    Some(found)
}
