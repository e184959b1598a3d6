//! Several sources that are indexed together. In paths of the index, each source is a folder that has the name of the
//! source.

use std::{ffi::OsStr, path::PathBuf, sync::Arc};

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::{
    PathFilter, Source, SourceMeta, WalkError, WalkedSource,
    walk::{Wanted, walk_for},
};
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    environment::WrittenEnvironment,
};

/// Sources that are linked together, in the order in which they define modules: of two sources with the same module,
/// the first one defines it.
#[derive(Clone, Debug)]
pub struct LinkedSources {
    all: Arc<[NamedSource]>,
    examples: Arc<[ExampleSource]>,
    packages: Arc<PackageFiles>,
}

/// Files of installed packages, by their paths in the index: the folder that is read, and the position in the path at
/// which the path from that folder begins.
type PackageFiles = FxHashMap<CompactString, (Source, usize)>;

/// One of several sources.
#[derive(Clone, Debug)]
pub struct NamedSource {
    /// The name: one part of a path, different for each source.
    pub name: CompactString,
    /// The source. It is not itself [`Source::Linked`].
    pub source: Source,
    /// The files of the source that are indexed.
    pub paths: PathFilter,
    /// The requested branch, tag or commit.
    pub branch: Option<String>,
    /// Which environment holds the packages that it imports, if the list of sources says so.
    pub environment: Option<WrittenEnvironment>,
}

/// A source whose calls are examples of packages. It is not indexed with the others, and counts for nothing.
#[derive(Clone, Debug)]
pub struct ExampleSource {
    /// The source: usually a clone of the packages' repository.
    pub source: NamedSource,
    /// The names of the packages.
    pub packages: Vec<CompactString>,
}

impl NamedSource {
    /// All files of a source, as they are.
    pub fn new(name: impl Into<CompactString>, source: Source) -> Self {
        Self { name: name.into(), source, paths: PathFilter::default(), branch: None, environment: None }
    }
}

impl LinkedSources {
    /// Links sources, which have different names.
    pub fn new(all: Vec<NamedSource>) -> Self {
        Self { all: all.into(), examples: Arc::default(), packages: Arc::default() }
    }

    /// The same sources, with these sources of examples.
    #[must_use]
    pub fn with_examples(self, examples: Vec<ExampleSource>) -> Self {
        Self { examples: examples.into(), ..self }
    }

    /// The sources of examples.
    pub fn examples(&self) -> &[ExampleSource] {
        &self.examples
    }

    /// The sources of an index of a program and its packages: `program`, and `files` of packages. Each file has its
    /// path in the index, and its path on this machine.
    pub fn with_packages(program: Source, files: impl IntoIterator<Item = (CompactString, PathBuf)>) -> Self {
        let located = files.into_iter().filter_map(|(path, mut place)| {
            // Both paths end in the same names.
            let mut start = path.len();
            for part in path.rsplit('/') {
                if place.file_name().and_then(OsStr::to_str) != Some(part) {
                    break;
                }
                start -= part.len() + usize::from(start < path.len());
                place.pop();
            }
            (start < path.len()).then(|| (path, (Source::Folder(place), start)))
        });
        let packages = Arc::new(located.collect());
        let all = match program {
            Source::Linked(linked) => linked.all,
            program => [NamedSource::new("", program)].into(),
        };
        Self { all, examples: Arc::default(), packages }
    }

    /// The sources, in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &NamedSource> {
        self.all.iter()
    }

    /// The folder of a source in paths of the index; empty for an only source.
    pub(super) fn folder(&self, named: &NamedSource) -> CompactString {
        if self.all.len() == 1 { CompactString::default() } else { named.name.clone() }
    }

    /// The source that a path of the index belongs to, and the path in that source; of two revisions the one that has
    /// the file.
    pub(super) fn locate<'p>(&self, path: &'p str) -> Option<(&Source, &'p str)> {
        if let Some((folder, start)) = self.packages.get(path) {
            return Some((folder, &path[*start..]));
        }
        if let [only] = &*self.all {
            return only.source.locate(path);
        }
        let (folder, inner) = path.split_once('/')?;
        self.all.iter().find(|named| named.name == folder)?.source.locate(inner)
    }

    /// The files of all sources. A source that cannot be walked is a diagnostic, unless it is the only one.
    pub fn walk(&self, wanted: Wanted, diagnostics: &mut Vec<Diagnostic>) -> Result<WalkedSource, WalkError> {
        let mut all = WalkedSource { wanted, ..WalkedSource::default() };
        for named in &*self.all {
            let folder = self.folder(named);
            let in_folder = |path: &str| in_folder(&folder, path);
            let mut problems = Vec::new();
            let walked = match walk_for(wanted, &named.source, &mut problems) {
                Ok(walked) => walked,
                Err(error) if folder.is_empty() => return Err(error),
                Err(error) => {
                    problems.push(Diagnostic {
                        path: CompactString::default(),
                        problem: Problem::Source,
                        message: error.to_string(),
                    });
                    WalkedSource::default()
                }
            };
            let has_files = !walked.found.is_empty();
            let WalkedSource { mut found, mut project, folders, .. } = walked;
            found.retain(|file| named.paths.contains(&file.path));
            if has_files && found.is_empty() && wanted == Wanted::Code {
                problems.push(Diagnostic {
                    path: CompactString::default(),
                    problem: Problem::Source,
                    message: "its include_paths and exclude_paths leave no file; name others".to_owned(),
                });
            }
            for file in found.iter_mut().chain(&mut project) {
                file.path = in_folder(&file.path);
            }
            for problem in &mut problems {
                problem.path = in_folder(&problem.path);
            }
            all.found.append(&mut found);
            all.project.append(&mut project);
            all.folders.extend(folders);
            diagnostics.append(&mut problems);
        }
        Ok(all)
    }

    /// The descriptions of the sources in the index.
    pub(super) fn metas(&self) -> Vec<SourceMeta> {
        let meta = |named: &NamedSource| SourceMeta {
            name: self.folder(named),
            branch: named.branch.clone(),
            ..named.source.meta()
        };
        self.all.iter().map(meta).collect()
    }
}

/// A path in a folder of the index; the folder itself for an empty path.
fn in_folder(folder: &str, path: &str) -> CompactString {
    match (folder, path) {
        ("", path) => path.into(),
        (folder, "") => folder.into(),
        (folder, path) => format_compact!("{folder}/{path}"),
    }
}
