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
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        note(Problem::Encoding, "not UTF-8: read with replacement characters".into());
    }
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

/// Reads at most `limit` bytes: a file may grow, or be a device that never ends.
fn read_bounded(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
