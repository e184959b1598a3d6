//! Recognizes files that are not code in spite of their names: films, translation tables and other data.

use memchr::{memchr, memchr_iter};

/// The number of bytes at the beginning of a file that are examined.
pub(super) const HEAD_BYTES: usize = 1024;
/// The distance of the packets of an MPEG transport stream (ISO/IEC 13818-1), whose files end in `.ts`.
const PACKET_BYTES: usize = 188;
/// The byte with which each packet begins.
const SYNC_BYTE: u8 = 0x47;

/// Why a file is not code, by its first bytes.
pub(super) fn not_code(bytes: &[u8]) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins_with = |start: &[u8]| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
    if head.iter().step_by(PACKET_BYTES).all(|&byte| byte == SYNC_BYTE)
        && head.len() > 3 * PACKET_BYTES
        && head.iter().any(|&byte| is_binary(byte))
    {
        Some("an MPEG transport stream: not read")
    } else if has_zeros_of_data(head) {
        Some("binary data: not read")
    } else if begins_with(b"<?xml") || begins_with(b"<!doctype") {
        // The translation tables of Qt are XML in files that end in `.ts`.
        Some("XML or HTML: not read")
    } else {
        None
    }
}

/// Whether zero bytes show that a file is data. A single one behind the first line may stand in a string of code.
fn has_zeros_of_data(head: &[u8]) -> bool {
    let mut zeros = memchr_iter(0, head);
    match zeros.next() {
        Some(first) => zeros.next().is_some() || memchr(b'\n', &head[..first]).is_none(),
        None => false,
    }
}

/// True for a byte that no text in an encoding based on ASCII contains: a control character other than white space,
/// backspace and escape.
fn is_binary(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | 0x08 | 0x1b)
}

#[cfg(test)]
mod tests {
    use super::not_code;

    #[test]
    fn translation_tables_films_and_binary_data_are_not_code() {
        let qt = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\">";
        for text in [qt, "\u{feff}<?xml?>", "\n\n<!DOCTYPE TS><TS>", "<!doctype html>"] {
            assert_eq!(not_code(text.as_bytes()), Some("XML or HTML: not read"), "{text}");
        }
        let mut film = b"\x47\x40\x11\x10".to_vec();
        film.resize(188, 0xff);
        assert_eq!(not_code(&film.repeat(10)), Some("an MPEG transport stream: not read"));
        for data in [&b"\x7fELF\x02\x01\x01\x00"[..], b"a = '\0'\n", b"a\nb = '\0'\nc = '\0'"] {
            assert_eq!(not_code(data), Some("binary data: not read"));
        }
    }

    #[test]
    fn code_is_code() {
        let late = [&b"x = 1\n".repeat(200)[..], b"s = '\0'"].concat();
        assert_eq!(not_code(&late), None);
        assert_eq!(not_code(b"a = 1\ns = '\0'\n"), None);
        let text = format!("{}\n", "G".repeat(2000));
        for code in ["", "<T>(x: T) => x", "<TS>foo;", "<div/>;", "# <?xml", "G", &text, "x = '\u{1b}[1m'"] {
            assert_eq!(not_code(code.as_bytes()), None, "{code}");
        }
    }
}
