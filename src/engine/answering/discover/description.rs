//! The text that describes a result.

use apidisc_base::{shorten, unprintable::escaped_line};

/// The greatest length of a description, in characters.
const MAX_DESCRIPTION: usize = 200;

/// A text as a description: printable, on one line, and short.
pub(super) fn described(text: &str) -> String {
    shorten::to_chars(&escaped_line(text.trim()), MAX_DESCRIPTION, "...")
}

/// The first line of the text of a document that has words beside markup: not an anchor, a badge, an image or a comment
/// alone, nor the first line of a note (`:::tip`, `!!! note`).
pub(super) fn first_words(text: &str) -> String {
    let text = without_tags(text);
    let is_markup = |line: &&str| {
        let line = line.trim_start();
        let marks = ["![", "[![", "[](", ":::", "!!! ", "??? "];
        marks.iter().any(|mark| line.starts_with(mark)) || !line.contains(char::is_alphanumeric)
    };
    text.lines().find(|line| !is_markup(line)).unwrap_or_default().to_owned()
}

/// A text without the tags and comments of HTML. A `<` in code and behind a name (`Promise<T>`) begins no tag.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        kept.push_str(before);
        let begins_with_letter = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic());
        let end = if kept.ends_with('`') || begins_with_letter && kept.ends_with(char::is_alphanumeric) {
            None
        } else if tag.starts_with("<!--") {
            // A comment without an end extends to the end of the text.
            Some(tag.find("-->").map_or(tag.len(), |end| end + 3))
        } else {
            let is_tag = begins_with_letter || tag[1..].starts_with(['/', '!']);
            tag.find('>').filter(|_| is_tag).map(|end| end + 1)
        };
        let end = end.unwrap_or_else(|| {
            kept.push('<');
            1
        });
        rest = &tag[end..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::first_words;

    #[test]
    fn a_line_of_markup_alone_describes_nothing() {
        for markup in [
            "<a id=\"hooks\"></a>",
            "<p align=\"center\">\n  <img\n    src=\"a.png\">\n</p>",
            "[![CI](https://a/b.svg)](https://a)",
            "![logo](a.png)",
            "<!-- a comment\nof two lines -->",
            ":::tip",
            "!!! note \"Hint\"",
            "---\n***",
        ] {
            assert_eq!(first_words(&format!("\n{markup}\n\nSays it.\nMore.")), "Says it.", "{markup}");
        }
    }

    #[test]
    fn words_beside_markup_describe() {
        for (text, words) in [
            ("<b>Bold</b> words", "Bold words"),
            ("Gives a Promise<string> or `<div>` if a < b.", "Gives a Promise<string> or `<div>` if a < b."),
            ("1 <2", "1 <2"),
            ("<", ""),
            ("<!-- open\ntext", ""),
            ("<x y", "<x y"),
        ] {
            assert_eq!(first_words(text), words);
        }
    }
}
