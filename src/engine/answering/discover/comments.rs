//! The comments that describe a definition without documentation: the lines of comment that end directly above it, and
//! for a value of Python the string that stands directly below (PEP 258, attribute docstrings).

use apidisc_base::language::Language;
use apidisc_facts::{
    program::DefinitionKind::{Attribute, Constant},
    source::SourceLines,
};
use apidisc_indexing::index::Definition;

/// The greatest number of lines of a comment.
const MAX_LINES: usize = 12;

/// The text of the comments that describe a definition; empty if there are none.
pub(super) fn comment(lines: &SourceLines, definition: &Definition) -> String {
    let at = lines.of_file_line(definition.place.line, 0);
    if at >= lines.line_count() {
        return String::new();
    }
    let mark = match definition.language {
        Language::Python => "#",
        Language::TypeScript => "//",
    };
    let is_between = |line: &&str| line.starts_with('@');
    let above = (0..at).rev().map(|at| lines.line(at).trim()).take(MAX_LINES).skip_while(is_between);
    let mut comment: Vec<&str> = above.map_while(|line| without_mark(line, mark)).collect();
    comment.reverse();
    let is_value = matches!(definition.kind, Attribute | Constant);
    if definition.language == Language::Python && is_value {
        let end = lines.of_file_line(definition.place.end_line.max(definition.place.line), 0) + 1;
        let below: Vec<&str> = (end..lines.line_count().min(end + MAX_LINES)).map(|at| lines.line(at).trim()).collect();
        comment.extend(string(&below));
    }
    comment.join("\n")
}

/// The text of a line of comment, which begins with `mark`; `None` for a line of code.
fn without_mark<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    let text = line.strip_prefix(mark)?;
    Some(text.trim_start_matches([':', '/', '#', '!']).trim())
}

/// The lines of the string with which some lines begin.
fn string<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let Some(first) = lines.first() else { return Vec::new() };
    let Some((quotes, rest)) = ["\"\"\"", "'''"].into_iter().find_map(|q| Some((q, first.strip_prefix(q)?))) else {
        return Vec::new();
    };
    let mut text = Vec::new();
    for line in std::iter::once(rest).chain(lines[1..].iter().copied()) {
        if let Some((last, _)) = line.split_once(quotes) {
            text.push(last);
            return text;
        }
        text.push(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::comment;
    use crate::answers::SymbolTable;
    use apidisc_base::control::Control;
    use apidisc_facts::source::{Source, SourceLines, reread};
    use apidisc_indexing::indexer;

    #[test]
    fn a_definition_is_described_by_the_comment_above_or_the_string_below() {
        let text = "#: The greatest number\n#: of attempts.\nMAX = 3\n\nPLAIN = 4\n\"\"\"Sent when\na user is gone.\n\"\"\"\nOTHER = 5\n\n# Paints.\n\
                    @cached\ndef paint(): ...\n";
        let files = [("m.py".to_owned(), text.as_bytes().to_vec().into())].into();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = Arc::new(indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index"));
        let symbols = SymbolTable::new(Arc::clone(&index));
        let lines = SourceLines::new(reread(&source, "m.py").expect("a file"));
        let comment = |name: &str| comment(&lines, index.definition(symbols.find(name).expect("a symbol")));
        assert_eq!(comment("m.MAX"), "The greatest number\nof attempts.");
        assert_eq!(comment("m.PLAIN"), "Sent when\na user is gone.\n");
        assert_eq!(comment("m.OTHER"), "");
        assert_eq!(comment("m.paint"), "Paints.");
    }
}
