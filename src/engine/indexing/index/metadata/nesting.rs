//! Bounds the nesting of a YAML text before it is parsed: the parser's work grows with the square of the depth.

/// The largest depth of nested lists and maps. Real files have a handful.
const MAX_DEPTH: usize = 200;

/// The line, from 1, on which lists or maps in brackets, or lists and keys that begin on one line, are nested deeper
/// than [`MAX_DEPTH`]. Brackets count only where a value can begin, since annotations contain brackets too.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (number, line) in text.lines().enumerate() {
        let mut dashes = 0;
        let mut starts_value = true;
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'[' | b'{' if starts_value => depth += 1,
                b'-' | b'?' if starts_value && matches!(bytes.get(at), None | Some(b' ' | b'\t')) => dashes += 1,
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    starts_value = false;
                }
                quote @ (b'"' | b'\'') if starts_value => {
                    at += closing_quote(&bytes[at..], quote);
                    starts_value = false;
                }
                b',' => starts_value = depth > 0,
                b':' => starts_value = matches!(bytes.get(at), None | Some(b' ' | b'\t')) || depth > 0,
                b' ' | b'\t' => {}
                _ => starts_value = false,
            }
            if depth + dashes > MAX_DEPTH {
                return Some(number + 1);
            }
        }
    }
    None
}

/// The number of bytes up to and with the closing quote, or to the end of the line.
fn closing_quote(bytes: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => return at,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::too_deep;

    #[test]
    fn deep_nesting_is_found_and_brackets_in_texts_are_not_counted() {
        assert_eq!(too_deep(&"[".repeat(100_000)), Some(1));
        assert_eq!(too_deep(&format!("a: 1\nb: {}", "{x: ".repeat(300))), Some(2));
        assert_eq!(too_deep(&"- ".repeat(300)), Some(1));
        assert_eq!(too_deep(&"[\n".repeat(300)), Some(201));
        for text in ["list[", "a[[", "\"[, [\"", "'[, ['", "[]", "{a: [1], b: {}}"] {
            assert_eq!(too_deep(&format!("a: {text}\n").repeat(300)), None, "{text}");
        }
    }
}
