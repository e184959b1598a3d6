//! Components of Astro: the code between the fences `---`, the template below it, and the scripts in the template.

use std::ops::Range;

use super::{
    Program, ScriptLanguage,
    code::{CodeToken, code_tokens},
    elements::{Elements, Text},
    props::Props,
    writer::Writer,
};

/// The program of a component.
pub(super) fn program(text: &str) -> Program {
    let mut writer = Writer::new(text);
    let frontmatter = frontmatter(text);
    let template =
        frontmatter.as_ref().map_or(0, |code| text[code.end..].find("---").map_or(text.len(), |at| code.end + at + 3));
    let mut props = Props::default();
    if let Some(code) = frontmatter {
        writer.source(code.clone());
        add_props(&mut props, text, code);
    }
    props.write_head(&mut writer);
    writer.glue("return <>");
    let mut elements = Elements::new(text, writer, Text::Html);
    elements.read(template..text.len());
    let (mut writer, scripts) = elements.finish();
    writer.glue("</>;");
    writer.code("}", text.len());
    for script in scripts {
        write_script(&mut writer, script);
    }
    Program::new(writer, ScriptLanguage::Tsx)
}

/// The code between the fences at the start of a file.
pub(super) fn frontmatter(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let body = text[start..].strip_prefix("---")?;
    let start = text.len() - body.len();
    let mut at = start;
    // The closing fence begins a line. A fence in a string of code is rare, but a comment may have a line of dashes.
    for line in body.split_inclusive('\n') {
        if at > start && line.trim_start().starts_with("---") && !line.trim_start().starts_with("----") {
            return Some(start..at + (line.len() - line.trim_start().len()));
        }
        at += line.len();
    }
    None
}

/// The props: the type `Props`, or what the code takes from `Astro.props`.
fn add_props(props: &mut Props, text: &str, script: Range<usize>) {
    let tokens: Vec<CodeToken> = code_tokens(text, script).collect();
    let code = |at: usize| tokens.get(at).map_or("", |token: &CodeToken| &text[token.range.clone()]);
    let declares = |at: &usize| matches!(code(*at), "interface" | "type") && code(*at + 1) == "Props";
    if let Some(at) = (0..tokens.len()).find(declares) {
        props.at = tokens[at].range.start;
        props.written = Some(tokens[at + 1].range.clone());
        return;
    }
    let reads = |at: &usize| code(*at) == "Astro" && code(*at + 1) == "." && code(*at + 2) == "props";
    let Some(at) = (2..tokens.len()).find(reads) else { return };
    let Some(open) = tokens[..at - 1].iter().rposition(|token| token.depth == 0 && &text[token.range.clone()] == "{")
    else {
        return;
    };
    if code(at - 1) == "=" && code(at - 2) == "}" {
        props.at = tokens[open].range.start;
        props.add_pattern(text, tokens[open].range.start..tokens[at - 2].range.end);
    }
}

/// Writes a script that the browser runs: its imports, and a block with the rest, whose names are its own.
fn write_script(writer: &mut Writer<'_>, body: Range<usize>) {
    let text = writer.source;
    let tokens: Vec<CodeToken> = code_tokens(text, body.clone()).collect();
    let code = |at: usize| tokens.get(at).map_or("", |token: &CodeToken| &text[token.range.clone()]);
    let mut rest: Vec<Range<usize>> = Vec::new();
    let mut from = body.start;
    let mut at = 0;
    while at < tokens.len() {
        let is_import = tokens[at].depth == 0 && code(at) == "import" && !matches!(code(at + 1), "(" | ".");
        if !is_import {
            at += 1;
            continue;
        }
        let is_string = |token: &CodeToken| token.depth == 0 && text[token.range.clone()].starts_with(['"', '\'']);
        let Some(length) = tokens[at..].iter().position(is_string) else { break };
        rest.push(from..tokens[at].range.start);
        from = tokens[at + length].range.end;
        writer.source(tokens[at].range.start..from);
        writer.glue(";");
        at += length + 1;
    }
    rest.push(from..body.end);
    writer.glue("{");
    for part in rest {
        writer.source(part);
    }
    writer.glue("}");
}
