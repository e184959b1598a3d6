//! The text of a file in any of the encodings that source code has.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// The text of a file.
pub(super) struct Decoded<'t> {
    pub(super) text: Cow<'t, str>,
    /// True if the bytes of ASCII characters stand for themselves: always but in UTF-16.
    pub(super) has_ascii_bytes: bool,
    /// The name of the encoding, if some bytes are not of it and have been replaced.
    pub(super) replaced: Option<&'static str>,
}

/// Decodes a file: by its byte order mark, else as UTF-8, else, if it is Python, in the encoding that it declares. The
/// mark is left out.
pub(super) fn decode(bytes: &[u8], is_python: bool) -> Decoded<'_> {
    let (marked, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let bytes = &bytes[mark..];
    if marked == UTF_8
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Decoded { text: Cow::Borrowed(text), has_ascii_bytes: true, replaced: None };
    }
    let declared = if is_python && mark == 0 { declared_encoding(bytes) } else { None };
    let encoding = declared.unwrap_or(marked);
    let (text, has_replaced) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, has_ascii_bytes: encoding.is_ascii_compatible(), replaced: has_replaced.then(|| encoding.name()) }
}

/// The encoding that one of the first two lines declares (PEP 263), if it is known.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    bytes.split(|&c| c == b'\n').take(2).find_map(|line| {
        let line = String::from_utf8_lossy(line);
        let comment = line.trim_start_matches([' ', '\t', '\x0c']).strip_prefix('#')?;
        let declared = comment.split_once("coding")?.1.strip_prefix([':', '='])?.trim_start_matches([' ', '\t']);
        let end = declared.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).unwrap_or(declared.len());
        // Python also takes underscores for hyphens, and has names of its own.
        let name = declared[..end].to_ascii_lowercase().replace('_', "-");
        let label = match name.as_str() {
            "latin-1" => "latin1",
            "cp932" => "shift_jis",
            "cp936" => "gbk",
            "cp949" => "euc-kr",
            "cp950" => "big5",
            "mac-roman" => "macintosh",
            name => name,
        };
        Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    /// The text of a Python file with these bytes, and whether some were replaced.
    fn text(bytes: &[u8]) -> (String, bool) {
        let decoded = decode(bytes, true);
        (decoded.text.into_owned(), decoded.replaced.is_some())
    }

    #[test]
    fn a_declared_encoding_is_obeyed() {
        let kept = "# -*- coding: Latin_1 -*-\ndef caf\u{e9}(): ...\n".to_owned();
        assert_eq!(text(b"# -*- coding: Latin_1 -*-\ndef caf\xe9(): ...\n"), (kept, false));
        assert_eq!(text(b"#!/x\n# vim: fileencoding=cp1252 :\n\xe9").0, "#!/x\n# vim: fileencoding=cp1252 :\n\u{e9}");
        assert_eq!(text(b"# coding: gbk\n\xd6\xd0"), ("# coding: gbk\n\u{4e2d}".to_owned(), false));
        assert_eq!(text(b"# coding: koi8-r\n\xc1"), ("# coding: koi8-r\n\u{430}".to_owned(), false));
        // The bytes are UTF-8 in spite of the declaration.
        assert_eq!(text("# coding: latin-1\n# \u{e9}".as_bytes()).0, "# coding: latin-1\n# \u{e9}");
        for replaced in
            [&b"# \xe9"[..], b"\n\n# coding: latin-1\n\xe9", b"coding: latin-1\n\xe9", b"# coding: no\n\xe9"]
        {
            let (text, is_replaced) = text(replaced);
            assert!(text.contains('\u{fffd}') && is_replaced, "{text}");
        }
        assert!(decode(b"# coding: latin-1\n\xe9", false).replaced.is_some());
    }

    #[test]
    fn a_mark_decides_the_encoding() {
        assert_eq!(text(b"\xff\xfef\0(\0)\0"), ("f()".to_owned(), false));
        assert_eq!(text(b"\xfe\xff\0f\0(\0)"), ("f()".to_owned(), false));
        assert_eq!(text(b"\xef\xbb\xbff()"), ("f()".to_owned(), false));
        // The first character is half of another, and the last one is cut.
        assert_eq!(text(b"\xff\xfe\0\xd8f\0("), ("\u{fffd}f\u{fffd}".to_owned(), true));
    }
}
