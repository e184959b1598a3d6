//! Pages of MDX: their imports and exports, and the elements and expressions between the text.

use std::ops::Range;

use super::{
    Program, ScriptLanguage,
    elements::{Elements, Text},
    writer::Writer,
};
use crate::documents::{MarkdownLine, markdown_lines};

/// The program of a page; `None` if it imports nothing, so that no element of it names a component.
pub(super) fn program(text: &str) -> Option<Program> {
    let mut writer = Writer::new(text);
    let mut markup: Vec<Range<usize>> = Vec::new();
    let (mut at, mut is_module, mut is_imported, mut is_new) = (0, false, false, true);
    let mut lines = text.split_inclusive('\n');
    for line in markdown_lines(text) {
        let Some(whole) = lines.next() else { break };
        let range = at..at + whole.len();
        at = range.end;
        let is_blank = whole.trim().is_empty();
        let begins = is_new && (whole.starts_with("import ") || whole.starts_with("export "));
        is_module = (is_module || begins) && !is_blank;
        is_imported |= is_module && whole.starts_with("import ");
        is_new = is_blank || is_module && whole.trim_end().ends_with([';', '"', '\'']);
        if is_module {
            writer.source(range);
        } else if matches!(line, MarkdownLine::Text(_)) {
            match markup.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => markup.push(range),
            }
        }
    }
    if !is_imported {
        return None;
    }
    writer.glue("function page$() { return <>");
    let mut elements = Elements::new(text, writer, Text::Markdown);
    for part in markup {
        elements.read(part);
    }
    let (mut writer, _) = elements.finish();
    writer.glue("</>; }");
    Some(Program::new(writer, ScriptLanguage::JavaScript))
}
