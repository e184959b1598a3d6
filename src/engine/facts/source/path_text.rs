//! Paths as text: every file of a source has a path that can be shown and written, and by which the file is found
//! again.
//!
//! A file name on Unix is any sequence of bytes. Bytes that are not UTF-8 are written as `\xNN`.

use std::path::{Path, PathBuf};

use compact_str::CompactString;

/// The path from `root` to `path`, with `/` between its parts and `\xNN` for each byte that is not UTF-8.
pub(super) fn relative(root: &Path, path: &Path) -> Option<CompactString> {
    let mut text = CompactString::default();
    for (i, part) in path.strip_prefix(root).ok()?.iter().enumerate() {
        if i > 0 {
            text.push('/');
        }
        for chunk in part.as_encoded_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            for byte in chunk.invalid() {
                text.push_str(&format!("\\x{byte:02x}"));
            }
        }
    }
    Some(text)
}

/// The inverse of [`relative`], for a path with bytes that are not UTF-8; `None` for any other path.
#[cfg(unix)]
pub(super) fn with_raw_bytes(text: &str) -> Option<PathBuf> {
    use std::{ffi::OsString, os::unix::ffi::OsStringExt as _};

    let mut pieces = text.split("\\x");
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    let mut has_raw_bytes = false;
    for piece in pieces {
        let byte = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|byte| !byte.is_ascii()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&piece.as_bytes()[2..]);
                has_raw_bytes = true;
            }
            None => bytes.extend([b"\\x", piece.as_bytes()].concat()),
        }
    }
    has_raw_bytes.then(|| PathBuf::from(OsString::from_vec(bytes)))
}

/// Elsewhere every path that the walk finds is text.
#[cfg(not(unix))]
pub(super) fn with_raw_bytes(_text: &str) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_path_is_found_again_by_its_text() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
        let raw: [&[u8]; 4] = [b"src/n\xff.py", b"\xe9t\xe9/a.py", "ä/\u{1f600}b.py".as_bytes(), b"a\\xzz\\x41\xfe"];
        let texts = ["src/n\\xff.py", "\\xe9t\\xe9/a.py", "ä/\u{1f600}b.py", "a\\xzz\\x41\\xfe"];
        for (raw, text) in raw.into_iter().zip(texts) {
            let path = Path::new(OsStr::from_bytes(raw));
            let root = Path::new("/root");
            assert_eq!(relative(root, &root.join(path)).as_deref(), Some(text));
            assert_eq!(with_raw_bytes(text).unwrap_or_else(|| PathBuf::from(text)), path);
        }
        assert_eq!(with_raw_bytes("a\\x41\\x.py"), None);
    }
}
