//! Tags of HTML as components write them, read without a tree. Everything is read once from left to right.

use std::ops::Range;

use super::code::end_of_braces;

/// A tag.
#[derive(Debug)]
pub(super) struct Tag {
    /// The byte of the `<`.
    pub(super) start: usize,
    pub(super) name: Range<usize>,
    pub(super) attributes: Vec<Attribute>,
    /// `</name>`
    pub(super) is_closing: bool,
    /// `<name />`
    pub(super) is_self_closed: bool,
    /// The byte behind the `>`.
    pub(super) end: usize,
}

/// An attribute of a tag.
#[derive(Debug)]
pub(super) struct Attribute {
    /// The name; empty for `{…}` without a name.
    pub(super) name: Range<usize>,
    /// The value without its quotes or braces.
    pub(super) value: Option<Range<usize>>,
    /// The attribute as it is written.
    pub(super) written: Range<usize>,
    /// The value is an expression in braces.
    pub(super) is_braced: bool,
}

impl Tag {
    /// The attribute with this name.
    pub(super) fn attribute(&self, text: &str, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| &text[attribute.name.clone()] == name)
    }

    /// The value of the attribute with this name.
    pub(super) fn value<'t>(&self, text: &'t str, name: &str) -> Option<&'t str> {
        self.attribute(text, name).and_then(|attribute| attribute.value.clone()).map(|value| &text[value])
    }

    /// True for an element of HTML that has no content and no closing tag.
    pub(super) fn is_void(&self, text: &str) -> bool {
        matches!(
            &text[self.name.clone()],
            "area"
                | "base"
                | "br"
                | "col"
                | "embed"
                | "hr"
                | "img"
                | "input"
                | "link"
                | "meta"
                | "source"
                | "track"
                | "wbr"
        )
    }
}

/// A piece of markup.
#[derive(Debug)]
pub(super) enum Piece {
    Tag(Tag),
    /// Text, or a comment, up to this byte.
    Other(usize),
}

/// True if a tag begins at `at`.
pub(super) fn begins_tag(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let name = if bytes.get(at + 1) == Some(&b'/') { at + 2 } else { at + 1 };
    bytes.get(at) == Some(&b'<') && bytes.get(name).is_some_and(u8::is_ascii_alphabetic)
}

/// What begins at the `<` at `at`: a tag, a comment, or text. A tag or comment that is not closed reaches to the end.
pub(super) fn piece_at(text: &str, at: usize, has_braces: bool) -> Piece {
    if text[at..].starts_with("<!--") {
        return Piece::Other(end_of(text, at, "-->"));
    }
    if begins_tag(text, at) {
        return tag_at(text, at, has_braces).map_or(Piece::Other(text.len()), Piece::Tag);
    }
    Piece::Other(at + 1)
}

/// The byte behind the next `mark`, or the end of the text.
pub(super) fn end_of(text: &str, at: usize, mark: &str) -> usize {
    memchr::memmem::find(&text.as_bytes()[at..], mark.as_bytes()).map_or(text.len(), |found| at + found + mark.len())
}

/// Where the element `name`, whose content is no markup, is closed.
pub(super) fn end_of_raw(text: &str, at: usize, name: &str) -> usize {
    let mark = format!("</{name}");
    memchr::memmem::find(&text.as_bytes()[at..], mark.as_bytes()).map_or(text.len(), |found| at + found)
}

/// The tag that begins at `at`; `None` if it is not closed. With `has_braces`, a value may be an expression in braces.
fn tag_at(text: &str, at: usize, has_braces: bool) -> Option<Tag> {
    let bytes = text.as_bytes();
    let is_closing = bytes.get(at + 1) == Some(&b'/');
    let name = word(text, at + 1 + usize::from(is_closing));
    let mut tag = Tag { start: at, name, attributes: Vec::new(), is_closing, is_self_closed: false, end: at };
    let mut at = tag.name.end;
    loop {
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match *bytes.get(at)? {
            b'>' => {
                tag.end = at + 1;
                return Some(tag);
            }
            b'/' => {
                tag.is_self_closed = bytes.get(at + 1) == Some(&b'>');
                at += 1;
            }
            b'{' if has_braces => {
                let end = end_of_braces(text, at)?;
                let attribute =
                    Attribute { name: at..at, value: Some(at + 1..end - 1), written: at..end, is_braced: true };
                tag.attributes.push(attribute);
                at = end;
            }
            _ => {
                let attribute = attribute_at(text, at, has_braces)?;
                at = attribute.written.end;
                tag.attributes.push(attribute);
            }
        }
    }
}

/// The name that begins at `at`.
fn word(text: &str, at: usize) -> Range<usize> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"/>=\"'<{`".contains(byte);
    at..at + text.as_bytes()[at..].iter().take_while(|byte| !is_end(byte)).count()
}

fn attribute_at(text: &str, start: usize, has_braces: bool) -> Option<Attribute> {
    let bytes = text.as_bytes();
    // A name has one byte at the least, so that the reader comes forward. Vue has names such as `v-slot:[name]`.
    let mut name = word(text, start);
    name.end = name.end.max(start + 1);
    while !text.is_char_boundary(name.end) {
        name.end += 1;
    }
    let is_white = |byte: &&u8| byte.is_ascii_whitespace();
    let mut at = name.end + bytes[name.end..].iter().take_while(is_white).count();
    if bytes.get(at) != Some(&b'=') {
        return Some(Attribute { written: name.clone(), name, value: None, is_braced: false });
    }
    at += 1;
    at += bytes[at..].iter().take_while(is_white).count();
    let (value, end, is_braced) = match *bytes.get(at)? {
        quote @ (b'"' | b'\'' | b'`') => {
            let end = at + 1 + memchr::memchr(quote, &bytes[at + 1..])?;
            (at + 1..end, end + 1, false)
        }
        b'{' if has_braces => {
            let end = end_of_braces(text, at)?;
            (at + 1..end - 1, end, true)
        }
        _ => {
            let length = bytes[at..].iter().take_while(|byte| !byte.is_ascii_whitespace() && **byte != b'>').count();
            (at..at + length, at + length, false)
        }
    };
    Some(Attribute { written: start..end, name, value: Some(value), is_braced })
}

#[cfg(test)]
mod tests {
    use super::{Piece, piece_at};

    fn tag(text: &str) -> String {
        match piece_at(text, 0, true) {
            Piece::Other(end) => format!("other {end}"),
            Piece::Tag(tag) => {
                let attribute = |attribute: &super::Attribute| {
                    let value = attribute.value.clone().map_or("-", |value| &text[value]);
                    format!("[{} {value}]", &text[attribute.name.clone()])
                };
                let attributes: String = tag.attributes.iter().map(attribute).collect();
                format!("{}{attributes}{}", &text[tag.name.clone()], if tag.is_self_closed { "/" } else { "" })
            }
        }
    }

    #[test]
    fn a_tag_has_a_name_and_attributes() {
        assert_eq!(tag("<a b c = 'd>' :e=\"f > g\">"), "a[b -][c d>][:e f > g]");
        assert_eq!(tag("<A.B {...c} d={{ e: '}' }} {f} />"), "A.B[ ...c][d { e: '}' }][ f]/");
        assert_eq!(tag("</a>"), "a");
        assert_eq!(tag("<a b=c/d>"), "a[b c/d]");
    }

    #[test]
    fn what_is_not_closed_reaches_to_the_end() {
        for text in ["<a", "<a b='", "<a b={c", "<a {c", "<!-- <a>"] {
            assert_eq!(tag(text), format!("other {}", text.len()));
        }
        for text in ["< a>", "<1", "<", "<=b>"] {
            assert_eq!(tag(text), "other 1");
        }
    }
}
