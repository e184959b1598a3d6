//! The imports that bind the names of a quoted source: without them, a reader of a function does not know what its
//! names mean.

use rustc_hash::FxHashSet;

use super::Context;
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_indexing::snippet::{CodeText, ExampleImport, name_length};

/// The greatest number of names.
const MAX_NAMES: usize = 16;

/// The line with the imports, outside of some lines of a file, that bind names in these lines. `None` if there are
/// none. The last line is included.
pub(super) fn source_names(context: &Context<'_>, path: &str, (first, last): (u32, u32)) -> Option<String> {
    let language = Language::of_path(path)?;
    let text = (context.read)(path).filter(|text| text.lines.is_none())?;
    let count = last.saturating_sub(first) as usize + 1;
    let quoted: Vec<&str> = text.source.lines().skip(first.max(1) as usize - 1).take(count).collect();
    let names: FxHashSet<String> = quoted.iter().flat_map(|line| free_names(line)).map(str::to_owned).collect();
    let code = CodeText::new(path, text, language, false);
    let is_meant =
        |(line, import): &(u32, ExampleImport)| !(first..=last).contains(line) && names.contains(import.local.as_str());
    let imports: Vec<ExampleImport> =
        code.imports().into_iter().filter(is_meant).map(|(_, import)| import).take(MAX_NAMES).collect();
    let lines = ExampleImport::lines(&imports, language).join("; ");
    (!lines.is_empty()).then(|| format!("Names: {}\n", escaped_line(&lines)))
}

/// The names in a line of code that are no attributes. A line of comment has none.
fn free_names(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    if line.trim_start().starts_with(['#', '/', '*']) {
        return names;
    }
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let length = name_length(&line[at..]);
        if length == 0 {
            at += c.len_utf8();
            continue;
        }
        let is_attribute = line[..at].ends_with('.') && !line[..at].ends_with("..");
        if !is_attribute {
            names.push(&line[at..at + length]);
        }
        at += length;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::free_names;

    #[test]
    fn attributes_and_comments_have_no_free_names() {
        assert_eq!(free_names("    return json.dumps(value, ...crud)"), ["return", "json", "value", "crud"]);
        assert_eq!(free_names("# json"), [""; 0]);
        assert_eq!(free_names("é.x"), ["é"]);
    }
}
