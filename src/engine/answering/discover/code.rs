//! The code of functions. What a function does is written in its code, and much code has no documentation.

use rustc_hash::FxHashSet;

use apidisc_facts::{program::DefinitionKind, source::SourceLines};
use apidisc_indexing::index::Definition;

/// The greatest number of lines of a function that are read.
const MAX_LINES: usize = 80;

/// The lines of a function or method below the line of its name, without those of its docstring. Other definitions have
/// no code.
pub(super) fn code<'l>(
    lines: &'l SourceLines,
    definition: &Definition,
    docstring: Option<&str>,
) -> impl Iterator<Item = &'l str> {
    let has_code = definition.signature.is_some() && definition.kind != DefinitionKind::Class;
    let first = lines.of_file_line(definition.place.line, 0) + 1;
    let length = definition.place.end_line.saturating_sub(definition.place.line) as usize;
    let length = if has_code { length.min(MAX_LINES) } else { 0 };
    let documented: FxHashSet<String> =
        docstring.into_iter().flat_map(str::lines).map(|line| line.trim().to_owned()).collect();
    let lines = (first..first + length).take_while(|at| *at < lines.line_count()).map(|at| lines.line(at));
    lines.filter(move |line| !documented.contains(without_quotes(line)))
}

/// A line without the quotes of a docstring that begins or ends in it.
fn without_quotes(line: &str) -> &str {
    let line = line.trim();
    let quotes = ["\"\"\"", "'''"];
    let begun = line.trim_start_matches(['r', 'R', 'u', 'U']);
    let text = quotes.iter().find_map(|quotes| begun.strip_prefix(quotes)).unwrap_or(line);
    quotes.iter().find_map(|quotes| text.strip_suffix(quotes)).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::code;
    use crate::{answers::SymbolTable, discover::docstring::docstring};
    use apidisc_base::control::Control;
    use apidisc_facts::source::{Source, SourceLines, reread};
    use apidisc_indexing::indexer;

    #[test]
    fn a_function_has_its_lines_without_the_docstring() {
        let text = "class Mailbox:\n    def send(self, to):\n        \"\"\"Sends it.\n\n        At once.\n        \"\"\"\n        \
                    link = self.link()\n        return link\n\nKEPT = 3\n";
        let files = [("m.py".to_owned(), text.as_bytes().to_vec().into())].into();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = Arc::new(indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index"));
        let symbols = SymbolTable::new(Arc::clone(&index));
        let lines = SourceLines::new(reread(&source, "m.py").expect("a file"));
        let code = |name: &str| {
            let definition = index.definition(symbols.find(name).expect("a symbol"));
            let docstring = docstring(&lines, definition);
            let code: Vec<&str> = code(&lines, definition, docstring.as_deref()).map(str::trim).collect();
            code.join("|")
        };
        assert_eq!(code("m.Mailbox.send"), "link = self.link()|return link");
        assert_eq!(code("m.Mailbox"), "");
    }
}
