//! Reads the API documents of a source, and the files that they refer to.

use std::{borrow::Cow, collections::BTreeSet, path::Path};

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    files::{ApiFile, ApiFileId, ApiFiles},
    found_reference::references,
    parse::{self, Parsed},
    target,
};
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    hash::ContentHash,
    sort::SharedSort as _,
};
use apidisc_facts::source::{Source, WalkError, bytes_within, is_secret_name, walk_data};

/// The size in bytes above which a file is not read: 64 MB.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// The size in bytes of all files together, above which no further file is read: 256 MB.
const MAX_TOTAL_BYTES: usize = 256 << 20;
/// The greatest number of files.
const MAX_FILES: usize = 50_000;
/// The number of files that are read at a time.
const BATCH: usize = 256;

/// Reads the API documents of a source. A file that cannot be used is a diagnostic. Files that are no API documents are
/// skipped, unless the source is a single file.
///
/// # Errors
/// If the source cannot be walked.
pub(super) fn load(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Result<ApiFiles, WalkError> {
    let entries = walk_data(source, diagnostics)?;
    let mut loading = Loading { sources: single_sources(source), ..Loading::default() };
    let mut wanted: BTreeSet<CompactString> = BTreeSet::new();
    let scanned: Vec<CompactString> = entries.into_iter().map(|entry| entry.path).collect();
    loading.read(&scanned, false, &mut wanted, diagnostics);
    wanted.retain(|path| !loading.is_known(path));
    while !wanted.is_empty() {
        let paths: Vec<CompactString> = std::mem::take(&mut wanted).into_iter().collect();
        loading.read(&paths, true, &mut wanted, diagnostics);
        wanted.retain(|path| !loading.is_known(path));
    }
    Ok(loading.finish())
}

/// A hash of the data files of a source, and of the files of the known documents. The hash changes when one of these
/// files changes.
///
/// # Errors
/// If the source cannot be walked.
pub(super) fn content_hash(source: &Source, known: &ApiFiles) -> Result<ContentHash, WalkError> {
    let entries = walk_data(source, &mut Vec::new())?;
    let mut paths: BTreeSet<CompactString> = entries.into_iter().map(|entry| entry.path).collect();
    paths.extend(known.iter().map(|(_, file)| file.path.clone()));
    let loading = Loading { sources: single_sources(source), ..Loading::default() };
    let paths: Vec<CompactString> = paths.into_iter().collect();
    let hash = |path: &CompactString| {
        let read = loading.locate(path).map(|(part, inner)| bytes_within(&part.source, inner, MAX_FILE_BYTES));
        let content = read.and_then(Result::ok).map_or_else(|| ContentHash::of(&[]), |bytes| ContentHash::of(&bytes));
        ContentHash::of_parts(&[path.as_bytes(), content.bytes()])
    };
    let hashes: Vec<ContentHash> = paths.par_iter().map(hash).collect();
    Ok(ContentHash::of_parts(&hashes.iter().map(|hash| &hash.bytes()[..]).collect::<Vec<_>>()))
}

/// A source that does not consist of several sources.
struct SingleSource<'s> {
    /// The folder of the source in paths of the index.
    folder: CompactString,
    /// The source; for a single file, the folder of the file.
    source: Cow<'s, Source>,
    /// The name of the file, if the source is a single file.
    named: Option<CompactString>,
}

fn single_sources(source: &Source) -> Vec<SingleSource<'_>> {
    let part = |(folder, source): (CompactString, &'_ Source)| match source {
        Source::Folder(path) if path.is_file() => {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = path.file_name().map(|name| CompactString::from(name.to_string_lossy()));
            (folder, Some(Source::Folder(parent.to_owned())), name)
        }
        _ => (folder, None, None),
    };
    source
        .parts()
        .map(|(folder, own)| {
            let (folder, parent, named) = part((folder, own));
            SingleSource { folder, source: parent.map_or(Cow::Borrowed(own), Cow::Owned), named }
        })
        .collect()
}

/// The state of loading.
#[derive(Default)]
struct Loading<'s> {
    sources: Vec<SingleSource<'s>>,
    accepted: Vec<ApiFile>,
    /// The paths of the accepted files.
    paths: FxHashSet<CompactString>,
    /// The bytes of the accepted files.
    bytes: usize,
    /// By path, the reason for which a file that a reference names was not read.
    unread: FxHashMap<CompactString, String>,
}

/// A file that was read, or the reason for which it was not.
enum ReadOutcome {
    /// The file belongs to no API document.
    Skipped,
    Problem(Problem, String),
    File {
        file: ApiFile,
        wanted: Vec<CompactString>,
        problems: Vec<String>,
    },
}

impl Loading<'_> {
    /// Reads files in their order, and adds the paths of the files to which they refer to `wanted`. Files that are
    /// neither API documents nor the targets of references are skipped.
    fn read(
        &mut self,
        paths: &[CompactString],
        is_referred_to: bool,
        wanted: &mut BTreeSet<CompactString>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for batch in paths.chunks(BATCH) {
            let read: Vec<ReadOutcome> = batch.par_iter().map(|path| self.read_one(path, is_referred_to)).collect();
            for (path, read) in batch.iter().zip(read) {
                let problem = match read {
                    ReadOutcome::Skipped => continue,
                    ReadOutcome::Problem(problem, message) => (problem, message),
                    ReadOutcome::File { file, .. } if self.bytes + file.bytes > MAX_TOTAL_BYTES => {
                        let limit = MAX_TOTAL_BYTES >> 20;
                        (Problem::TooLarge, format!("API documents above {limit} MB in all are not read"))
                    }
                    ReadOutcome::File { .. } if self.accepted.len() == MAX_FILES => {
                        (Problem::TooComplex, format!("more than {MAX_FILES} files of API documents are not read"))
                    }
                    ReadOutcome::File { file, wanted: of_file, problems } => {
                        self.bytes += file.bytes;
                        self.accepted.push(file);
                        self.paths.insert(path.clone());
                        wanted.extend(of_file);
                        let problem = Problem::Malformed;
                        let said = problems.into_iter();
                        diagnostics.extend(said.map(|message| Diagnostic { path: path.clone(), problem, message }));
                        continue;
                    }
                };
                if is_referred_to {
                    self.unread.insert(path.clone(), problem.1);
                } else {
                    diagnostics.push(Diagnostic { path: path.clone(), problem: problem.0, message: problem.1 });
                }
            }
        }
    }

    fn read_one(&self, path: &CompactString, is_referred_to: bool) -> ReadOutcome {
        let Some((part, inner)) = self.locate(path) else { return ReadOutcome::Skipped };
        let is_named = part.named.as_deref() == Some(inner);
        if is_secret_name(inner) && !is_named {
            return ReadOutcome::Problem(Problem::Unreadable, "files of this name hold secrets".to_owned());
        }
        let bytes = match bytes_within(&part.source, inner, MAX_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err((problem, message)) => return ReadOutcome::Problem(problem, message),
        };
        let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        // Most files are UTF-8, which is checked several times faster than it is replaced.
        let text = std::str::from_utf8(content).map_or_else(|_| String::from_utf8_lossy(content), Cow::Borrowed);
        if !is_named && !is_referred_to && !parse::may_be_document(&text) {
            return ReadOutcome::Skipped;
        }
        let Parsed { value, version, duplicates, anchors } = match parse::parse(path, &text) {
            Ok(parsed) => parsed,
            Err(message) => return ReadOutcome::Problem(Problem::Malformed, message),
        };
        let version = match version {
            Ok(version) => Some(version),
            Err(_) if is_referred_to => None,
            Err(why) if is_named || why.is_unsupported() => {
                return ReadOutcome::Problem(Problem::Malformed, why.to_string());
            }
            Err(_) => return ReadOutcome::Skipped,
        };
        let mut wanted = Vec::new();
        references(&value, &mut |reference| {
            let file = reference.text.split('#').next().unwrap_or_default();
            let is_file = !file.is_empty() && !target::is_url(file) && reference.may_name_a_file();
            wanted
                .extend(target::joined(&part.folder, path, file).filter(|path| is_file && self.locate(path).is_some()));
        });
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|wanted| wanted != path && !self.is_known(wanted));
        let mut problems: Vec<String> = parse::duplicate_problems(&duplicates);
        if matches!(text, Cow::Owned(_)) {
            problems.push("not UTF-8: read with replacement characters".to_owned());
        }
        let file = ApiFile { path: path.clone(), value, version, bytes: bytes.len(), anchors };
        ReadOutcome::File { file, wanted, problems }
    }

    /// True for a file that was read or could not be read.
    fn is_known(&self, path: &CompactString) -> bool {
        self.paths.contains(path) || self.unread.contains_key(path)
    }

    /// The source to which a path belongs, and the path in this source.
    fn locate<'p>(&self, path: &'p str) -> Option<(&SingleSource<'_>, &'p str)> {
        let inner = |part: &SingleSource<'_>| match &*part.folder {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        };
        let found = self.sources.iter().filter_map(|part| Some((part, inner(part)?)));
        found.max_by_key(|(part, _)| part.folder.len())
    }

    fn finish(mut self) -> ApiFiles {
        self.accepted.shared_sort_by(|a, b| a.path.cmp(&b.path));
        self.accepted.dedup_by(|a, b| a.path == b.path);
        let by_path = self.accepted.iter().enumerate().map(|(at, file)| (file.path.clone(), ApiFileId::new(at)));
        ApiFiles {
            by_path: by_path.collect(),
            files: self.accepted,
            roots: self.sources.into_iter().map(|part| format_compact!("{}", part.folder)).collect(),
            unread: self.unread,
        }
    }
}
