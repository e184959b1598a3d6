//! Characters that must not be printed as they are: they have no shape of their own, or change how the text around them
//! is displayed. This is the one table of them; stubs, envelopes, messages and the screen share it.

use std::{borrow::Cow, fmt::Write as _};

use serde::Serialize;

/// True for control characters, line and paragraph separators, bidirectional controls, and characters that are
/// displayed as nothing (`Default_Ignorable_Code_Point` of Unicode: joiners, variation selectors, fillers, tags).
pub fn is_unprintable(c: char) -> bool {
    match c {
        '\0'..='\u{ff}' => c.is_control() || c == '\u{ad}',
        _ => matches!(c,
            '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'),
    }
}

/// The text on one line: line breaks and tabs are spaces, other unprintable characters are visible, as in `\u{200b}`.
pub fn escaped_line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if is_unprintable(c) => line.extend(c.escape_unicode()),
            c => line.push(c),
        }
    }
    Cow::Owned(line)
}

/// The text with escapes in place of unprintable characters. Line breaks and tabs stay.
pub fn escaped_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) && c != '\n' && c != '\t' {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Serialized JSON with all unprintable characters escaped. Outside of strings JSON has none but line breaks; inside of
/// strings these are escaped already. So the data is unchanged.
pub fn escaped_json(json: String) -> String {
    // Most JSON is ASCII, in which only these bytes are printable. All bytes are looked at, several at a time.
    let is_plain = json.bytes().fold(true, |is_plain, byte| is_plain & matches!(byte, b' '..=b'~' | b'\n'));
    if is_plain || !json.contains(|c| is_unprintable(c) && c != '\n') {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    let mut units = [0; 2];
    for c in json.chars() {
        if is_unprintable(c) && c != '\n' {
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Appends a text to JSON as a string: the string that [`escaped_json`] makes of the serialized text.
pub fn push_json_string(json: &mut String, text: &str) {
    json.push('"');
    // Names and paths are mostly of these bytes alone. All bytes are looked at, several at a time.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'!' | b'#'..=b'[' | b']'..=b'~');
    if text.bytes().fold(true, |are_plain, byte| are_plain & is_plain(byte)) {
        json.push_str(text);
    } else {
        push_escaped(json, text);
    }
    json.push('"');
}

/// Appends a text to a string of JSON, with escapes for what JSON does not allow in strings and what is unprintable.
fn push_escaped(json: &mut String, text: &str) {
    let mut units = [0; 2];
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\u{8}' => json.push_str("\\b"),
            '\t' => json.push_str("\\t"),
            '\n' => json.push_str("\\n"),
            '\u{c}' => json.push_str("\\f"),
            '\r' => json.push_str("\\r"),
            c if is_unprintable(c) => {
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(json, "\\u{unit:04x}");
                }
            }
            c => json.push(c),
        }
    }
}

/// A basic string of TOML, which is also a valid key, with all unprintable characters escaped.
pub fn toml_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if is_unprintable(c) => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A word of a POSIX shell, quoted if necessary. Unprintable characters are escaped.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    if !text.contains(is_unprintable) {
        return Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")));
    }
    // Only quotes with a dollar have escapes. They escape bytes, by three octal digits.
    let mut word = "$'".to_owned();
    let mut bytes = [0; 4];
    for c in text.chars() {
        match c {
            '\'' | '\\' => word.extend(['\\', c]),
            c if is_unprintable(c) => {
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(word, "\\{byte:03o}");
                }
            }
            c => word.push(c),
        }
    }
    word.push('\'');
    Cow::Owned(word)
}

/// The value as YAML, with all unprintable characters escaped.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_escaped_yaml(value: &impl Serialize) -> Result<String, serde_yaml::Error> {
    let plain = serde_yaml::to_string(value)?;
    if !plain.contains(|c| is_unprintable(c) && c != '\n') {
        return Ok(plain);
    }
    // YAML has escapes only in double quotes. A control character forces these, so it marks what is to be escaped.
    let mut value = serde_yaml::to_value(value)?;
    mark(&mut value);
    let marked = serde_yaml::to_string(&value)?;
    let mut parts = marked.split(MARK);
    let mut escaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once(';').unwrap_or(("", part));
        let _ = write!(escaped, "\\U{digits:0>8}{rest}");
    }
    Ok(escaped)
}

/// The mark before the digits of a character in the emitted YAML.
const MARK: &str = "\\x01";

/// Replaces each unprintable character in all strings by U+0001, its hexadecimal digits and `;`.
fn mark(value: &mut serde_yaml::Value) {
    use serde_yaml::Value;
    match value {
        Value::String(text) => mark_text(text),
        Value::Sequence(values) => values.iter_mut().for_each(mark),
        Value::Mapping(map) => {
            for (mut key, mut value) in std::mem::take(map) {
                mark(&mut key);
                mark(&mut value);
                map.insert(key, value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Tagged(_) => {}
    }
}

fn mark_text(text: &mut String) {
    // A backslash is marked too if the text itself would look like a mark.
    let looks_marked = text.contains(MARK);
    let is_marked = |c: char| is_unprintable(c) && c != '\n' || c == '\\' && looks_marked;
    if text.contains(is_marked) {
        let mut marked = String::with_capacity(text.len() + 16);
        for c in text.chars() {
            if is_marked(c) {
                let _ = write!(marked, "\u{1}{:x};", u32::from(c));
            } else {
                marked.push(c);
            }
        }
        *text = marked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{7f}\u{9b}\u{9d}\u{ad}\u{1}\u{1b}\u{61c}\u{115f}\u{200b}\u{202e}\u{2028}\u{2066}\u{3164}\u{fe0f}\u{feff}\
                        \u{e0041}\u{e0100}\\x01 \"é\" ✓\r\n\tz: #";

    fn assert_printable(text: &str) {
        assert!(!text.contains(|c| is_unprintable(c) && c != '\n'), "{text:?}");
    }

    #[test]
    fn json_is_printable_and_the_same_data() {
        let json = escaped_json(serde_json::to_string(TEXT).expect("JSON"));
        assert_printable(&json);
        assert_eq!(serde_json::from_str::<String>(&json).expect("the text"), TEXT);
    }

    #[test]
    fn a_string_of_json_is_that_of_the_serializer() {
        let every = ('\0'..'\u{300}').chain('\u{2000}'..'\u{2100}').chain('\u{e0000}'..'\u{e0010}').collect::<String>();
        for text in ["", "plain text", "a/b.py", "it's \"quoted\" \\", TEXT, &every] {
            let mut json = "1, ".to_owned();
            push_json_string(&mut json, text);
            assert_eq!(json, "1, ".to_owned() + &escaped_json(serde_json::to_string(text).expect("JSON")));
        }
    }

    #[test]
    fn a_string_of_toml_is_printable_and_the_same_text() {
        let text = format!("{TEXT}'\"\\ü");
        let document = format!("key = {}\n", toml_string(&text));
        assert_printable(&document);
        assert_eq!(document.parse::<toml::Table>().unwrap()["key"].as_str(), Some(text.as_str()));
    }

    #[test]
    fn a_word_of_a_shell_is_printable_and_quoted_if_necessary() {
        for (text, word) in [
            ("src/a.py", "src/a.py"),
            ("", "''"),
            ("it's", r"'it'\''s'"),
            ("$(x) `x`", "'$(x) `x`'"),
            ("a\u{1b}'b\\\u{9b}ü", r"$'a\033\'b\\\302\233ü'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
        assert_printable(&shell_word(TEXT));
    }

    #[test]
    fn yaml_is_printable_and_the_same_data() {
        let value = std::collections::BTreeMap::from([(TEXT, vec![TEXT, "plain"])]);
        let yaml = to_escaped_yaml(&value).expect("YAML");
        assert_printable(&yaml);
        let read: std::collections::BTreeMap<String, Vec<String>> = serde_yaml::from_str(&yaml).expect("the map");
        assert_eq!(read[TEXT], [TEXT, "plain"]);
    }

    #[test]
    fn a_line_shows_its_unprintable_characters() {
        assert_eq!(escaped_line("plain ✓"), "plain ✓");
        assert_eq!(escaped_line("a\u{1b}[31mb\nc\u{202e}"), "a\\u{1b}[31mb c\\u{202e}");
    }
}
