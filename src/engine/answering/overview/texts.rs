//! The texts that an overview quotes: the README, the documentation of a module, the list of changes.

use super::{ReadSource, prose};
use apidisc_base::{language::Language, shorten, unprintable::escaped_line};
use apidisc_facts::documents::{Format, MarkdownLine, markdown_lines};
use apidisc_indexing::index::{Index, Scope, lists_changes};

/// The greatest number of paragraphs of a summary.
const MAX_PARAGRAPHS: usize = 2;
/// The greatest number of characters of a paragraph.
const MAX_PARAGRAPH: usize = 400;
/// The greatest number of lines of the newest changes.
const MAX_CHANGES: usize = 6;
/// The greatest number of characters of a line of changes.
const MAX_CHANGE: usize = 160;
/// The greatest part of a document that is read, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// A text that the sources contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// The file.
    pub path: String,
    /// Its lines or paragraphs, printable and without marks.
    pub lines: Vec<String>,
}

/// The path of the README of a scope: that of the repository, or that in the folder of a package.
pub(super) fn readme(index: &Index, scope: Scope) -> Option<String> {
    let folder = match scope {
        Scope::Repository => String::new(),
        Scope::Module(id) => {
            let module = index.module(id);
            let file = module.file.filter(|_| module.is_package)?;
            index.file(file).path.rsplit_once('/')?.0.to_owned() + "/"
        }
        Scope::Definition(_) => return None,
    };
    let sources = index.sources.iter().map(|source| format!("{folder}{}/", source.name));
    let folders: Vec<String> = std::iter::once(folder.clone()).chain(sources.filter(|_| folder.is_empty())).collect();
    let is_readme = |path: &str| {
        folders.iter().any(|folder| {
            let name = path.strip_prefix(folder.as_str()).filter(|name| !name.contains('/'));
            name.is_some_and(|name| name.to_ascii_lowercase().starts_with("readme"))
        })
    };
    let readmes = index.contents.files().iter().map(|(path, _)| path.as_str());
    // `README.md` comes before translations such as `README.de.md`.
    let readmes = readmes.filter(|path| is_readme(path) && Format::of_document(path).is_some());
    readmes.min_by_key(|path| (path.len(), *path)).map(str::to_owned)
}

/// The first paragraphs of the documentation of the module, or of the README.
pub(super) fn summary(index: &Index, scope: Scope, readme: Option<&str>, read: &ReadSource<'_>) -> Option<Quotation> {
    let of_module = match scope {
        Scope::Module(id) => index.module(id).file.and_then(|file| {
            let file = index.file(file);
            let text = module_documentation(&read(&file.path)?.source, file.language)?;
            quotation(&file.path, prose::paragraphs(beginning(&text), Format::Markdown, MAX_PARAGRAPHS))
        }),
        _ => None,
    };
    of_module.or_else(|| {
        let path = readme?;
        let text = read(path)?.source;
        let format = Format::of_document(path)?;
        quotation(path, prose::paragraphs(beginning(&text), format, MAX_PARAGRAPHS))
    })
}

fn quotation(path: &str, paragraphs: Vec<String>) -> Option<Quotation> {
    let line = |text: String| escaped_line(&shorten::to_words(&text, MAX_PARAGRAPH, "…")).into_owned();
    let lines: Vec<String> = paragraphs.into_iter().map(line).collect();
    (!lines.is_empty()).then(|| Quotation { path: path.to_owned(), lines })
}

/// The newest entry of the list of changes: its heading, and its first lines.
pub(super) fn changes(index: &Index, read: &ReadSource<'_>) -> Option<Quotation> {
    let lists = index.contents.files().iter().map(|(path, _)| path.as_str());
    let lists = lists.filter(|path| lists_changes(path) && !is_guide(path) && Format::of_document(path).is_some());
    let path = lists.min_by_key(|path| (path.matches('/').count(), path.len(), *path))?;
    let text = read(path)?.source;
    let lines = newest_entry(beginning(&text));
    (lines.len() > 1).then(|| Quotation { path: path.to_owned(), lines })
}

/// True for the path of a migration guide. Such a file lists changes as a changelog does, and is none.
fn is_guide(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    ["migrat", "upgrad"].iter().any(|beginning| name.starts_with(beginning))
}

/// The heading of the first entry that has content, and its first lines.
fn newest_entry(text: &str) -> Vec<String> {
    let mut entry: Vec<String> = Vec::new();
    let mut last = "";
    // The number of lines before the last one, which is a heading if the next line underlines it.
    let mut before_last = 0;
    for line in markdown_lines(text) {
        let MarkdownLine::Text(line) = line else { continue };
        let trimmed = line.trim();
        let is_underline = trimmed.len() >= 3 && trimmed.chars().all(|c| matches!(c, '=' | '-' | '~' | '^'));
        let heading = if trimmed.starts_with('#') {
            Some(trimmed.trim_matches('#').trim())
        } else {
            is_underline.then_some(last).filter(|last| !last.is_empty())
        };
        if let Some(heading) = heading {
            if is_underline {
                entry.truncate(before_last);
            }
            let names_version =
                heading.contains(|c: char| c.is_ascii_digit()) || heading.to_ascii_lowercase().contains("unreleased");
            if entry.len() > 1 && names_version {
                break;
            }
            if names_version {
                entry = vec![escaped_line(&prose::plain(heading)).into_owned()];
            }
            before_last = entry.len();
        } else if !entry.is_empty() && !trimmed.is_empty() && !is_underline && !trimmed.starts_with(['|', '<', '!']) {
            before_last = entry.len();
            let text = prose::plain(trimmed.trim_start_matches(['-', '*', '+', ' ']));
            if !text.is_empty() {
                entry.push(escaped_line(&shorten::to_words(&text, MAX_CHANGE, "…")).into_owned());
            }
        }
        if entry.len() > MAX_CHANGES {
            break;
        }
        last = trimmed;
    }
    entry
}

/// The beginning of a text that is read.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// The text that documents a module: in Python the string at its beginning (PEP 257), in TypeScript a comment at the
/// beginning that documents no declaration.
fn module_documentation(text: &str, language: Language) -> Option<String> {
    match language {
        Language::Python => python_docstring(text),
        Language::TypeScript => typescript_comment(text),
    }
}

fn python_docstring(text: &str) -> Option<String> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with('#') {
        rest = rest.split_once('\n')?.1.trim_start();
    }
    let rest = rest.trim_start_matches(['r', 'R', 'u', 'U']);
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote))?;
    let inner = &rest[quote.len()..];
    inner.find(quote).map(|end| inner[..end].to_owned())
}

fn typescript_comment(text: &str) -> Option<String> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    if rest.starts_with("#!") {
        rest = rest.split_once('\n')?.1.trim_start();
    }
    let comment = rest.strip_prefix("/**")?;
    let end = comment.find("*/")?;
    let after = &comment[end + 2..];
    let inner = &comment[..end];
    let is_of_module =
        ["@module", "@packageDocumentation", "@fileoverview", "@file "].iter().any(|t| inner.contains(t));
    let lower = inner.to_ascii_lowercase();
    let is_apart = after.trim_start_matches([' ', '\r']).strip_prefix('\n').is_some_and(|rest| {
        rest.trim_start_matches([' ', '\r']).starts_with('\n') || rest.trim_start().starts_with("import ")
    });
    if !is_of_module && (!is_apart || lower.contains("licen") || lower.contains("copyright")) {
        return None;
    }
    let line = |line: &str| line.trim().trim_start_matches('*').trim().to_owned();
    let lines = inner.lines().map(line).filter(|line| !line.starts_with('@'));
    Some(lines.collect::<Vec<_>>().join("\n"))
}
