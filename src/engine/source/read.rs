//! Reads one file into source text.

use std::{borrow::Cow, io::Read, path::Path};

use super::{Found, Source, notebook};
use crate::engine::diagnostic::{Diagnostic, Problem};

/// Larger files are data or generated, and cost more than they tell.
pub(crate) const MAX_SIZE: u64 = 2 * 1024 * 1024;
/// A line longer than this is no code that people wrote.
const MAX_LINE: usize = 200_000;

/// Source text, and where its lines stand in the file.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) source: String,
    /// For a notebook, the line of the file that each line of `source` stands in.
    pub(crate) lines: Option<Vec<u32>>,
}

/// The text of a file; `None` where it cannot be used, with the reason among `diagnostics`.
pub(crate) fn read(source: &Source, found: &Found, diagnostics: &mut Vec<Diagnostic>) -> Option<Text> {
    let mut note = |problem, message: String| {
        diagnostics.push(Diagnostic { path: found.path.clone(), problem, message });
    };
    let is_notebook = found.path.ends_with(".ipynb");
    // Pictures in a notebook's outputs are no code: it may be larger.
    let limit = if is_notebook { 16 * MAX_SIZE } else { MAX_SIZE };
    if found.size > limit {
        note(Problem::TooLarge, format!("{} MB: files above {} MB are not read", found.size >> 20, limit >> 20));
        return None;
    }
    let bytes: Cow<[u8]> = match source {
        Source::Memory { files, .. } => {
            let (_, bytes) = files.iter().find(|(path, _)| *path == *found.path)?;
            Cow::Borrowed(&**bytes)
        }
        Source::Folder(root) => {
            let path = if root.is_file() { root.clone() } else { root.join(&found.path) };
            match read_bounded(&path, limit) {
                Ok(bytes) => Cow::Owned(bytes),
                Err(error) => {
                    note(Problem::Unreadable, error.to_string());
                    return None;
                }
            }
        }
    };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let text = match std::str::from_utf8(bytes) {
        Err(_) if declares_latin(bytes) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            note(Problem::Encoding, "not UTF-8: read with replacement characters".into());
            String::from_utf8_lossy(bytes)
        }
    };
    if is_notebook {
        return match notebook::code(&text) {
            Ok(text) => Some(text),
            Err(message) => {
                note(Problem::Malformed, message);
                None
            }
        };
    }
    if text.lines().any(|line| line.len() > MAX_LINE) {
        note(Problem::TooLarge, "one line of more than 200,000 bytes: not read".into());
        return None;
    }
    Some(Text { source: text.into_owned(), lines: None })
}

/// True where one of the first two lines says `coding: latin-1` or names a relative of it, in the form that Python
/// reads (PEP 263).
fn declares_latin(bytes: &[u8]) -> bool {
    const LATIN: &[&str] =
        &["latin-1", "latin1", "l1", "iso-8859-1", "iso8859-1", "iso-8859-15", "iso8859-15", "cp1252", "windows-1252"];
    bytes.split(|&c| c == b'\n').take(2).any(|line| {
        let line = String::from_utf8_lossy(line);
        let comment = line.trim_start_matches([' ', '\t', '\x0c']).strip_prefix('#');
        let declared = comment.and_then(|text| text.split_once("coding")?.1.strip_prefix([':', '=']));
        declared.is_some_and(|text| {
            let text = text.trim_start_matches([' ', '\t']);
            let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).unwrap_or(text.len());
            LATIN.contains(&text[..end].to_ascii_lowercase().replace('_', "-").as_str())
        })
    })
}

/// Reads at most `limit` bytes: a file may grow, or be a device that never ends.
fn read_bounded(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Found, Source, read};

    fn text(bytes: &'static [u8]) -> (String, usize) {
        let files = vec![("x.py".to_owned(), Cow::Borrowed(bytes))];
        let source = Source::Memory { name: "x".to_owned(), files };
        let found = Found { path: "x.py".into(), size: bytes.len() as u64 };
        let mut diagnostics = Vec::new();
        let text = read(&source, &found, &mut diagnostics).expect("a text");
        (text.source, diagnostics.len())
    }

    #[test]
    fn a_declared_latin_encoding_is_obeyed() {
        let kept = "# -*- coding: Latin_1 -*-\ndef caf\u{e9}(): ...\n".to_owned();
        assert_eq!(text(b"# -*- coding: Latin_1 -*-\ndef caf\xe9(): ...\n"), (kept, 0));
        assert_eq!(text(b"#!/x\n# vim: fileencoding=cp1252 :\n\xe9").0, "#!/x\n# vim: fileencoding=cp1252 :\n\u{e9}");
        // A declaration that the bytes belie.
        assert_eq!(text("# coding: latin-1\n# \u{e9}".as_bytes()).0, "# coding: latin-1\n# \u{e9}");
        for replaced in [&b"# \xe9"[..], b"\n\n# coding: latin-1\n\xe9", b"coding: latin-1\n\xe9"] {
            let (text, problems) = text(replaced);
            assert!(text.contains('\u{fffd}') && problems == 1, "{text}");
        }
    }
}
