//! Reads one file of a source as text.

use std::{borrow::Cow, io, path::Path};

use super::{
    Contents, FileEntry, Source,
    decode::decode,
    not_code::{HEAD_BYTES, not_code},
    notebook,
    path_text::with_raw_bytes,
    secrets::{AllowedFiles, holds_secret, is_secret_name},
    walk::FileRole,
};
use crate::documents;
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    files::{FileError, RegularFile, Root},
    hash::ContentHash,
    language::Language,
};

/// The source text of a file. For a notebook, this is the text of its code cells.
#[derive(Debug, Default)]
pub struct SourceText {
    /// The text.
    pub source: String,
    /// For a notebook, the line of the file (from 1) that contains each line of `source`.
    pub lines: Option<Vec<u32>>,
}

/// A file of a source as it was read.
#[derive(Debug)]
pub struct ReadFile {
    /// The hash of all bytes of the file; for a file that is left unread because of its size or path, the hash of its
    /// size.
    pub content: ContentHash,
    /// The [`stamp`] of the file.
    pub stamp: ContentHash,
    /// The text; `None` if the file cannot be used.
    pub text: Option<SourceText>,
}

/// The text of an indexed file as it is now; `None` if it cannot be read, and for a file that holds secrets by its
/// [name](is_secret_name), which an index of untrusted origin may contain, or by its [text](holds_secret).
pub fn reread(source: &Source, path: &str) -> Option<SourceText> {
    reread_allowing(source, path, &AllowedFiles::default())
}

/// [`reread`], also for the files of secrets that are allowed.
pub fn reread_allowing(source: &Source, path: &str, allowed: &AllowedFiles) -> Option<SourceText> {
    if is_secret_name(path) && !allowed.contains(path) {
        return None;
    }
    let text = reread_file(source, path)?.text?;
    (allowed.contains(path) || !holds_secret(path, &text.source)).then_some(text)
}

/// The text of an indexed file whose content still has the [short](ContentHash::short) hash `content`; `None` for any
/// other content, and if the file cannot be read.
pub fn reread_unchanged(source: &Source, path: &str, content: u64) -> Option<SourceText> {
    let file = reread_file(source, path).filter(|_| !is_secret_name(path))?;
    file.text.filter(|_| file.content.short() == content)
}

/// The text of an indexed file as it is now, and whether its content is still that of `contents`.
pub fn reread_as(source: &Source, path: &str, contents: &Contents) -> (Option<SourceText>, bool) {
    let Some(file) = reread_file(source, path).filter(|_| !is_secret_name(path)) else { return (None, false) };
    (file.text, contents.of_file(path) == Some(file.content.short()))
}

/// An indexed file as it is now.
fn reread_file(source: &Source, path: &str) -> Option<ReadFile> {
    // The path may come from an index file of untrusted origin. A path that leads out of the root is never opened.
    let inner = source.locate(path)?.1;
    let language = FileRole::of(inner).map_or(Some(Language::default()), FileRole::language);
    Some(read(source, &FileEntry { path: path.into(), size: 0, language }, &mut Vec::new()))
}

/// Reads a file. If it cannot be used, the reason is added to `diagnostics`.
pub fn read(source: &Source, entry: &FileEntry, diagnostics: &mut Vec<Diagnostic>) -> ReadFile {
    let before = diagnostics.len();
    let Some(bytes) = bytes(source, entry, diagnostics) else {
        let stamp = stamp_of_unread(source, entry, &diagnostics[before..]);
        return ReadFile { content: content_of_unread(entry), stamp, text: None };
    };
    let content = ContentHash::of(&bytes);
    let stamp = object_stamp(source, entry).unwrap_or(content);
    ReadFile { content, stamp, text: text(&bytes, entry, diagnostics) }
}

/// The content hash that [`read`] would return for a file. The text is not decoded.
pub fn content(source: &Source, entry: &FileEntry) -> ContentHash {
    match bytes(source, entry, &mut Vec::new()) {
        Some(bytes) => ContentHash::of(&bytes),
        None => content_of_unread(entry),
    }
}

/// The stamp of a file: a hash that is equal only if [`read`] returns the same text and diagnostics for a file of the
/// same path and size. The stamp of a file of a commit is made from the id of its object, without reading the file.
pub fn stamp(source: &Source, entry: &FileEntry) -> ContentHash {
    object_stamp(source, entry).unwrap_or_else(|| {
        let mut diagnostics = Vec::new();
        match bytes(source, entry, &mut diagnostics) {
            Some(bytes) => ContentHash::of(&bytes),
            None => stamp_of_unread(source, entry, &diagnostics),
        }
    })
}

/// The stamp of a file of a commit, which is made without reading the file; `None` for other files.
pub fn object_stamp(source: &Source, entry: &FileEntry) -> Option<ContentHash> {
    let (Source::Commit(commit), path) = source.locate(&entry.path)? else { return None };
    Some(ContentHash::of_parts(&[b"object", commit.object(path)?.as_bytes()]))
}

/// The stamp of a file that could not be read, or is not to be read, as `diagnostics` say.
fn stamp_of_unread(source: &Source, entry: &FileEntry, diagnostics: &[Diagnostic]) -> ContentHash {
    // An object that cannot be read now may be readable after it has been fetched again.
    let is_readable = diagnostics.iter().all(|diagnostic| diagnostic.problem != Problem::Unreadable);
    let object = object_stamp(source, entry).filter(|_| is_readable);
    object.unwrap_or_else(|| {
        let messages = diagnostics.iter().map(|diagnostic| diagnostic.message.as_bytes());
        let parts: Vec<&[u8]> = [b"not read".as_slice()].into_iter().chain(messages).collect();
        ContentHash::of_parts(&parts)
    })
}

fn content_of_unread(entry: &FileEntry) -> ContentHash {
    ContentHash::of_parts(&[b"not read", &entry.size.to_le_bytes()])
}

/// The bytes of a file. If it is not read, returns `None` and adds the reason to `diagnostics`.
fn bytes<'s>(source: &'s Source, entry: &FileEntry, diagnostics: &mut Vec<Diagnostic>) -> Option<Cow<'s, [u8]>> {
    let (source, path) = source.locate(&entry.path)?;
    let mut report = |problem, message: String| {
        diagnostics.push(Diagnostic { path: entry.path.clone(), problem, message });
    };
    let limit = entry.language.map_or(documents::MAX_BYTES, |language| language.max_bytes(path));
    if entry.size > limit {
        if let Some(why) = not_code(&head(source, path)) {
            report(Problem::NotCode, why.into());
            return None;
        }
        let tenths = (entry.size * 10) >> 20;
        let size = format!("{}.{} MB", tenths / 10, tenths % 10);
        report(Problem::TooLarge, format!("{size}: files above {} MB are not read", limit >> 20));
        return None;
    }
    if let Some((problem, message)) = entry.language.and_then(|language| language.refuse_path(path)) {
        report(problem, message.into());
        return None;
    }
    match bytes_within(source, path, limit) {
        Ok(bytes) => Some(bytes),
        Err((problem, message)) => {
            report(problem, message);
            None
        }
    }
}

/// The bytes of a file of a source that does not consist of several, at most `limit`; or the problem, with its message.
pub fn bytes_within<'s>(source: &'s Source, path: &str, limit: u64) -> Result<Cow<'s, [u8]>, (Problem, String)> {
    match source {
        Source::Memory { files, .. } => {
            let file = files.iter().find(|(name, _)| name == path);
            let (_, bytes) = file.ok_or((Problem::Unreadable, "there is no such file".to_owned()))?;
            Ok(Cow::Borrowed(&**bytes))
        }
        Source::Commit(commit) => commit.read(path, limit).map(Cow::Owned).map_err(|why| (Problem::Unreadable, why)),
        Source::Missing { why, .. } => Err((Problem::Unreadable, why.clone())),
        Source::Linked(_) | Source::Revised(_) => Err((Problem::Unreadable, "it belongs to no source".to_owned())),
        Source::Folder(root) => read_bounded(root, path, limit).map(Cow::Owned).map_err(|error| {
            let is_large = matches!(error, FileError::TooLarge { .. });
            (if is_large { Problem::TooLarge } else { Problem::Unreadable }, error.to_string())
        }),
    }
}

/// The text of a file with these bytes. If it cannot be used, returns `None` and adds the reason to `diagnostics`.
fn text(bytes: &[u8], entry: &FileEntry, diagnostics: &mut Vec<Diagnostic>) -> Option<SourceText> {
    let mut report = |problem, message: String| {
        diagnostics.push(Diagnostic { path: entry.path.clone(), problem, message });
    };
    let is_python = entry.language == Some(Language::Python) && !entry.path.ends_with(".ipynb");
    let decoded = decode(bytes, is_python);
    // Each character of most code in UTF-16 has a zero byte.
    if let Some(why) = not_code(if decoded.has_ascii_bytes { bytes } else { decoded.text.as_bytes() }) {
        report(Problem::NotCode, why.into());
        return None;
    }
    if let Some(encoding) = decoded.replaced {
        report(Problem::Encoding, format!("not {encoding}: read with replacement characters"));
    }
    let text = without_zeros(decoded.text);
    if entry.path.ends_with(".ipynb") {
        return match notebook::python_code(&text) {
            Ok(text) => Some(text),
            Err(message) => {
                report(Problem::Malformed, message);
                None
            }
        };
    }
    if let Some((problem, message)) = entry.language.and_then(|language| language.refuse_text(&entry.path, &text)) {
        report(problem, message.into());
        return None;
    }
    Some(SourceText { source: text.into_owned(), lines: None })
}

/// The text with blanks for zero characters: a parser may take one for the end of the text.
fn without_zeros(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr(0, text.as_bytes()).is_some() { Cow::Owned(text.replace('\0', " ")) } else { text }
}

/// The content of a file of a source, which is a folder or the file itself.
fn read_bounded(root: &Path, path: &str, limit: u64) -> Result<Vec<u8>, FileError> {
    open(root, path)?.read(limit)
}

/// The first bytes of a file; none if they cannot be read.
fn head(source: &Source, path: &str) -> Vec<u8> {
    match source {
        Source::Memory { files, .. } => {
            let file = files.iter().find(|(name, _)| name == path);
            file.map(|(_, bytes)| bytes[..bytes.len().min(HEAD_BYTES)].to_vec()).unwrap_or_default()
        }
        Source::Folder(root) => open(root, path).and_then(|file| file.read_head(HEAD_BYTES)).unwrap_or_default(),
        Source::Commit(_) | Source::Missing { .. } | Source::Linked(_) | Source::Revised(_) => Vec::new(),
    }
}

/// Opens a file of a source, which is a folder or the file itself.
fn open(root: &Path, path: &str) -> Result<RegularFile, FileError> {
    match Root::open(root) {
        Ok(root) => root.file(Path::new(path)).or_else(|error| match with_raw_bytes(path) {
            Some(raw) if error.is_not_found() => root.file(&raw),
            _ => Err(error),
        }),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => RegularFile::open(root),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{FileEntry, Language, Problem, Source, read, reread};

    /// The text of a Python file with these bytes, and the number of diagnostics.
    fn text(bytes: &'static [u8]) -> (String, usize) {
        let files = vec![("x.py".to_owned(), Cow::Borrowed(bytes))];
        let source = Source::Memory { name: "x".to_owned(), files };
        let entry = FileEntry { path: "x.py".into(), size: bytes.len() as u64, language: Some(Language::Python) };
        let mut diagnostics = Vec::new();
        let text = read(&source, &entry, &mut diagnostics).text.expect("a text");
        (text.source, diagnostics.len())
    }

    /// Between the walk and the reading a file or its folder may be replaced.
    #[test]
    #[cfg(unix)]
    fn a_link_that_replaces_a_file_after_the_walk_brings_no_outside_code() {
        use std::{fs, os::unix::fs::symlink};
        let (root, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        fs::write(outside.path().join("a.py"), "secret = 1").expect("a file");
        fs::create_dir(root.path().join("src")).expect("a folder");
        fs::write(root.path().join("src/a.py"), "").expect("a file");
        let source = Source::Folder(root.path().to_owned());
        let entry = FileEntry { path: "src/a.py".into(), size: 0, language: Some(Language::Python) };
        assert!(read(&source, &entry, &mut Vec::new()).text.is_some());
        fs::remove_file(root.path().join("src/a.py")).expect("removed");
        symlink(outside.path().join("a.py"), root.path().join("src/a.py")).expect("a link");
        assert!(read(&source, &entry, &mut Vec::new()).text.is_none() && reread(&source, "src/a.py").is_none());
        fs::remove_dir_all(root.path().join("src")).expect("removed");
        symlink(outside.path(), root.path().join("src")).expect("a link");
        let mut diagnostics = Vec::new();
        assert!(read(&source, &entry, &mut diagnostics).text.is_none() && reread(&source, "src/a.py").is_none());
        assert!(diagnostics[0].message.contains("links are not followed"), "{diagnostics:?}");
    }

    #[test]
    fn a_file_that_is_not_code_is_not_read_however_large_it_is() {
        for (size, bytes) in [(10, &b"<?xml version"[..]), (10 << 30, b"<?xml version"), (10, b"a\0b")] {
            let files = vec![("x.ts".to_owned(), Cow::Borrowed(bytes))];
            let source = Source::Memory { name: "x".to_owned(), files };
            let entry = FileEntry { path: "x.ts".into(), size, language: Some(Language::TypeScript) };
            let mut diagnostics = Vec::new();
            assert!(read(&source, &entry, &mut diagnostics).text.is_none());
            assert_eq!(diagnostics.iter().map(|d| d.problem).collect::<Vec<_>>(), [Problem::NotCode]);
        }
    }

    #[test]
    fn a_single_zero_is_read_as_a_blank() {
        assert_eq!(text(b"a = 1\ns = '\0'\nf()\n"), ("a = 1\ns = ' '\nf()\n".to_owned(), 0));
    }

    #[test]
    fn files_in_utf_16_are_read_if_they_begin_with_a_mark() {
        let code = "def caf\u{e9}(): ...\n";
        let little: Vec<u8> = "\u{feff}".chars().chain(code.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
        let big: Vec<u8> = "\u{feff}".chars().chain(code.chars()).flat_map(|c| (c as u16).to_be_bytes()).collect();
        for bytes in [little, big] {
            assert_eq!(text(Vec::leak(bytes)), (code.to_owned(), 0));
        }
        assert_eq!(text(b"\xef\xbb\xbff()"), ("f()".to_owned(), 0));
    }
}
