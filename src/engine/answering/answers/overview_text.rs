//! The text of an overview. The more rows fit, the more of each section is shown.

use std::fmt::Write as _;

use super::{ConceptRow, QuotedRow, RepoOverview};
use apidisc_base::unprintable::escaped_line;
use apidisc_indexing::usage::Uses;
use apidisc_stubs::stub::uses_in_words;

/// The number of rows at which every section but the longest lists is shown in full.
pub(super) const ALL: usize = 24;
/// The numbers of rows from which a part of the overview is shown: what helps most comes first.
const SUMMARY: usize = 1;
const STARTS: usize = 1;
const EXAMPLE: usize = 4;
const RELATIONS: usize = 5;
const DEPRECATED: usize = 6;
const CHANGES: usize = 8;
const SECOND_PARAGRAPH: usize = 9;
/// The number of rows from which symbols beside the concepts are listed.
const SYMBOLS: usize = 10;

/// The text with `rows` rows of the longest lists.
pub(super) fn text(overview: &RepoOverview, rows: usize) -> String {
    let mut text = head(overview);
    if let Some(summary) = overview.summary.as_ref().filter(|_| rows >= SUMMARY) {
        let paragraphs = if rows >= SECOND_PARAGRAPH { 2 } else { 1 };
        let _ = writeln!(text, "From {}:", place(summary));
        summary.lines.iter().take(paragraphs).for_each(|line| line_of(&mut text, line));
    }
    if let Some(example) = overview.example.as_ref().filter(|_| rows >= EXAMPLE) {
        let _ = writeln!(text, "First example, {}:", place(example));
        example.lines.iter().for_each(|line| line_of(&mut text, &format!("    {line}")));
    }
    let starts = overview.entry_points.len().min(rows.saturating_sub(STARTS));
    section(&mut text, "Starts from:", starts);
    for entry in &overview.entry_points[..starts] {
        line_of(&mut text, &format!("{}: {}", escaped_line(&entry.name), escaped_line(&entry.why)));
    }
    let concepts = overview.concepts.len().min(rows);
    section(&mut text, "Concepts, most used first:", concepts);
    overview.concepts[..concepts].iter().for_each(|row| line_of(&mut text, &concept(row, rows >= RELATIONS)));
    let modules = overview.top_modules.len().min(rows);
    section(&mut text, "Modules, most used first:", modules);
    for module in &overview.top_modules[..modules] {
        let uses = Uses { calls: module.calls, reads: module.reads };
        line_of(&mut text, &format!("{} {}", escaped_line(&module.fqn), uses_in_words(uses)));
    }
    let is_concept = |name: &str| overview.concepts.iter().any(|concept| concept.symbol.name == name);
    let symbols = overview.symbols.iter().filter(|symbol| !is_concept(&symbol.name));
    let symbols: Vec<String> = symbols.take(rows.saturating_sub(SYMBOLS)).map(super::SymbolHit::line).collect();
    section(&mut text, "Further symbols, most used first:", symbols.len());
    for line in &symbols {
        line_of(&mut text, line);
    }
    let deprecated = overview.deprecated.len().min((rows + 1).saturating_sub(DEPRECATED));
    section(&mut text, "Deprecated:", deprecated);
    for row in &overview.deprecated[..deprecated] {
        let message = if row.message.is_empty() { String::new() } else { format!(": {}", escaped_line(&row.message)) };
        line_of(&mut text, &format!("{}{message}", escaped_line(&row.name)));
    }
    if let Some(changes) = overview.changes.as_ref().filter(|_| rows >= CHANGES) {
        let _ = writeln!(text, "Newest changes, {}:", place(changes));
        changes.lines.iter().for_each(|line| line_of(&mut text, line));
    }
    text
}

fn head(overview: &RepoOverview) -> String {
    let urls = overview.sources.iter().filter(|source| !source.url.is_empty());
    let urls: Vec<_> = urls.map(|source| escaped_line(&source.url)).collect();
    let urls = urls.join(", ");
    let languages: Vec<String> =
        overview.languages.iter().map(|row| format!("{} {} files", row.files, row.language)).collect();
    let RepoOverview { files, modules, definitions, resolved_calls, internal_calls, external_calls, .. } = overview;
    if let Some(module) = &overview.module {
        let of = if urls.is_empty() { String::new() } else { format!(" of {urls}") };
        return format!("{}{of}\n", escaped_line(module));
    }
    format!(
        "{urls}: {files} files ({}), {modules} modules, {definitions} definitions\n\
         Calls: {resolved_calls} of {internal_calls} resolved, {external_calls} to other libraries\n",
        languages.join(", "),
    )
}

fn section(text: &mut String, heading: &str, rows: usize) {
    if rows > 0 {
        line_of(text, heading);
    }
}

fn line_of(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn place(quoted: &QuotedRow) -> String {
    quoted.place.as_deref().map_or_else(|| "made from its signature".to_owned(), |at| escaped_line(at).into_owned())
}

/// The line of a concept: the symbol, what makes it, what takes it, and how many classes extend it.
fn concept(row: &ConceptRow, has_relations: bool) -> String {
    let mut line = row.symbol.line();
    let own = Uses { calls: row.symbol.calls, reads: row.symbol.reads };
    if row.uses > own.total() {
        let _ = write!(line, " ({} uses with its members)", row.uses);
    }
    if has_relations {
        for (word, names) in [("made by", &row.made_by), ("passed to", &row.passed_to)] {
            if !names.is_empty() {
                let names: Vec<_> = names.iter().map(|name| escaped_line(name)).collect();
                let _ = write!(line, "; {word} {}", names.join(", "));
            }
        }
        if row.subclasses > 0 {
            let _ =
                write!(line, "; {} {}", row.subclasses, if row.subclasses == 1 { "subclass" } else { "subclasses" });
        }
    }
    line
}
