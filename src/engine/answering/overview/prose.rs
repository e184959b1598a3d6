//! The paragraphs of a document as plain text: without headings, badges, tables, lists, code and marks.

use apidisc_facts::documents::{Format, FrontMatter, MarkdownLine, markdown_lines};

/// The greatest length of a link or tag, in bytes. Without it, a text of brackets that nothing closes would be searched
/// to its end at each bracket.
const LONGEST_MARK: usize = 2_000;
/// The least number of letters of a paragraph that says something.
const MIN_LETTERS: usize = 30;

/// The paragraphs of prose at the beginning of a document, at most `most`, all below one heading.
pub(super) fn paragraphs(text: &str, format: Format, most: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut is_hidden = false;
    // A block of HTML reaches to the next empty line (CommonMark, section 4.6).
    let mut is_html = false;
    // The text of that block, whose tags may span lines.
    let mut html = String::new();
    let close = |open: &mut String, found: &mut Vec<String>| {
        let paragraph = std::mem::take(open);
        let letters = paragraph.chars().filter(|c| c.is_alphabetic()).count();
        if letters >= MIN_LETTERS && paragraph.contains(' ') {
            found.push(paragraph);
        }
    };
    let is_markdown = format == Format::Markdown;
    let settings = if is_markdown { FrontMatter::of(text).map_or(0, |settings| settings.lines) } else { 0 };
    let lines = markdown_lines(text).skip(settings).map(|line| match line {
        MarkdownLine::Text(line) => line,
        _ if is_markdown => "",
        MarkdownLine::Code(line) | MarkdownLine::Opening(line) => line,
        MarkdownLine::Closing => "",
    });
    for line in lines {
        if found.len() == most {
            break;
        }
        let trimmed = line.trim();
        if is_hidden {
            is_hidden = !trimmed.contains("-->");
            continue;
        }
        is_hidden = trimmed.starts_with("<!--") && !trimmed.contains("-->");
        is_html = !trimmed.is_empty() && (is_html || is_markdown && trimmed.starts_with('<'));
        if is_html {
            html.push_str(trimmed);
            html.push(' ');
        } else if !html.is_empty() {
            open.extend(sentence_of_html(&std::mem::take(&mut html)));
        }
        let is_literal = !is_markdown && line.starts_with([' ', '\t']);
        if trimmed.is_empty() || is_hidden || is_html || is_literal || is_structure(trimmed) {
            // The line above is a title.
            if is_underline(trimmed) {
                open.clear();
            }
            close(&mut open, &mut found);
            // A summary ends with the next heading.
            if !found.is_empty() && is_heading(trimmed) {
                break;
            }
            continue;
        }
        let text = plain(if is_markdown { trimmed.trim_start_matches(['>', ' ']) } else { trimmed });
        // The kind of a note of GitHub, such as `[!NOTE]`, is no text.
        let text = if text.starts_with("[!") && text.ends_with(']') { String::new() } else { text };
        if !text.is_empty() {
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(&text);
        }
    }
    if found.len() < most {
        close(&mut open, &mut found);
    }
    // A paragraph that only introduces a list says nothing without the list.
    if found.len() > 1 && found.last().is_some_and(|last| last.ends_with(':')) {
        found.pop();
    }
    found
}

/// The text of a block of HTML that says what the document is about: a sentence in a paragraph, such as a centred
/// `<p>` below a logo. Lists of links and badges are none.
fn sentence_of_html(block: &str) -> Option<String> {
    let is_paragraph =
        ["<p", "<i>", "<em>", "<b>", "<strong>", "<div", "<center>"].iter().any(|tag| block.starts_with(tag));
    let text = plain(block);
    (is_paragraph && text.ends_with(['.', '!', '?']) && !text.contains(['•', '·', '|'])).then_some(text)
}

/// True for a heading of Markdown, and for the line below a heading of reStructuredText.
fn is_heading(line: &str) -> bool {
    line.starts_with('#') || line.len() >= 3 && line.chars().all(|c| matches!(c, '=' | '-' | '~' | '^' | '*'))
}

/// True for the line below the title of a document of reStructuredText or Markdown.
fn is_underline(line: &str) -> bool {
    line.len() >= 3 && ["=", "-", "~", "^"].iter().any(|sign| line.trim_matches(|c| sign.contains(c)).is_empty())
}

/// True for a line that is no running text: a heading, rule, list, table, directive, tag.
fn is_structure(line: &str) -> bool {
    let is_item = ["- ", "* ", "+ ", ".. ", "| ", ": "].iter().any(|mark| line.starts_with(mark));
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    let is_rule = line.len() >= 3 && line.chars().all(|c| c.is_ascii_punctuation());
    is_item || is_numbered || is_rule || line.starts_with(['#', '|', '<'])
}

/// A line without images, links, tags and marks of emphasis.
pub(super) fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', '!', '<', '`', '*', '_']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (piece, length) = mark(rest, text.ends_with(char::is_alphanumeric));
        text.push_str(&piece);
        rest = &rest[length..];
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a reader sees of the Markdown construct at the beginning of `rest` (a link, a tag, a mark of emphasis), and the
/// length of the construct in bytes.
fn mark(rest: &str, follows_word: bool) -> (String, usize) {
    let first = rest.chars().next().map_or(1, char::len_utf8);
    let as_it_is = || (rest[..first].to_owned(), first);
    if rest.starts_with("![") {
        return link(rest, 1).map_or_else(as_it_is, |(_, length)| (String::new(), length));
    }
    match rest.as_bytes().first() {
        // The text of a link may hold an image, as that of a badge does.
        Some(b'[') => link(rest, 0).map_or_else(as_it_is, |(text, length)| {
            let is_badge = text.starts_with("![");
            (if is_badge { String::new() } else { text.replace(['`', '*'], "") }, length)
        }),
        Some(b'<') if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
            let Some(end) = rest.bytes().take(LONGEST_MARK).position(|byte| byte == b'>') else { return as_it_is() };
            let inner = &rest[1..end];
            let is_address = inner.contains("://") && !inner.contains(char::is_whitespace);
            (if is_address { inner.to_owned() } else { String::new() }, end + 1)
        }
        Some(b'`') => (String::new(), first),
        Some(b'*') => (String::new(), first),
        Some(b'_') if !follows_word && rest.len() > 1 && !rest[1..].starts_with(' ') => {
            // An underscore within a name stays.
            let closes = rest[1..]
                .find('_')
                .is_some_and(|end| !rest[1..][end + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '_'));
            if closes { (String::new(), first) } else { as_it_is() }
        }
        _ => as_it_is(),
    }
}

/// The text of the link at byte `at`, `[text](target)` or `[text][label]`, and the byte behind the link.
fn link(rest: &str, at: usize) -> Option<(&str, usize)> {
    let end = closing(rest, at, b'[', b']')?;
    let text = &rest[at + 1..end];
    match rest.as_bytes().get(end + 1) {
        Some(b'(') => closing(rest, end + 1, b'(', b')').map(|close| (text, close + 1)),
        Some(b'[') => closing(rest, end + 1, b'[', b']').map(|close| (text, close + 1)),
        _ => None,
    }
}

/// The byte of the bracket that closes the one at byte `at`.
fn closing(text: &str, at: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in text.bytes().enumerate().skip(at).take(LONGEST_MARK) {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(offset);
            }
        }
    }
    None
}
