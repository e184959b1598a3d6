//! The files of an index on this machine.

use std::{
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::bail;

use crate::{tui::options::Content, writing};
use apidisc::{
    index::Index,
    program::FileId,
    source::{self, LinkedSources, NamedSource, Source, SourceMeta},
};

/// The files of the index of the code, and of the index of the packages that the code uses.
#[derive(Clone)]
pub(super) struct SourceFiles {
    code: CodeFiles,
    packages: Arc<Mutex<Option<Source>>>,
}

/// The location of the files of the code.
#[derive(Clone)]
enum CodeFiles {
    /// In the source that was indexed. It changes when sources are fetched.
    Source(Arc<Mutex<Source>>),
    /// Below the folder that the index names, if that folder is on this machine.
    Recorded,
}

impl SourceFiles {
    pub(super) fn of(content: &Content) -> Self {
        let code = match content {
            Content::Source(source, _) => CodeFiles::Source(Arc::new(Mutex::new(source.clone()))),
            Content::Fetching(fetching, _) => CodeFiles::Source(Arc::new(Mutex::new(fetching.meanwhile.clone()))),
            Content::Index(_) => CodeFiles::Recorded,
        };
        Self { code, packages: Arc::default() }
    }

    /// Sets the source of the index of packages.
    pub(super) fn set_packages(&self, source: Source) {
        *self.packages.lock().unwrap_or_else(PoisonError::into_inner) = Some(source);
    }

    /// The source from which the files of an index are read.
    pub(super) fn source(&self, index: &Index) -> Option<Source> {
        if index.is_of_packages() {
            return self.packages.lock().unwrap_or_else(PoisonError::into_inner).clone();
        }
        match &self.code {
            CodeFiles::Source(source) => Some(lock(source).clone()),
            CodeFiles::Recorded => recorded(&index.sources),
        }
    }

    /// The folder in which the command line looks for profiles of the same source.
    pub(super) fn profiles(&self) -> PathBuf {
        match &self.code {
            CodeFiles::Source(source) => match &*lock(source) {
                Source::Folder(folder) => folder.clone(),
                _ => PathBuf::from("."),
            },
            CodeFiles::Recorded => PathBuf::from("."),
        }
    }

    /// Replaces the source.
    pub(super) fn replace(&self, new: Source) {
        if let CodeFiles::Source(source) = &self.code {
            *lock(source) = new;
        }
    }

    /// The absolute path of a file, which is inside the source; a file in memory is written to a temporary folder.
    pub(super) fn path(
        &self,
        index: &Index,
        file: FileId,
        temporary: &mut Option<tempfile::TempDir>,
    ) -> anyhow::Result<PathBuf> {
        let path = index.file(file).path.as_str();
        let Some(whole) = self.source(index) else { bail!("the index does not say where {path} is") };
        path_in(&whole, path, temporary)
    }

    /// The absolute path of a file of API documents, which are in the file or folder `named`, or else in the source.
    pub(super) fn document_path(
        &self,
        named: Option<&Path>,
        index: &Index,
        path: &str,
        temporary: &mut Option<tempfile::TempDir>,
    ) -> anyhow::Result<PathBuf> {
        let whole = match named {
            // Paths begin at the folder of a file that is named.
            Some(named) if named.is_file() => {
                let folder = named.parent().filter(|folder| !folder.as_os_str().is_empty());
                Some(Source::Folder(folder.unwrap_or(Path::new(".")).to_owned()))
            }
            Some(named) => Some(Source::Folder(named.to_owned())),
            None => self.source(index),
        };
        let Some(whole) = whole else { bail!("the index does not say where {path} is") };
        path_in(&whole, path, temporary)
    }
}

/// The absolute path of a file, which is inside the source; a file in memory is written to a temporary folder.
fn path_in(whole: &Source, path: &str, temporary: &mut Option<tempfile::TempDir>) -> anyhow::Result<PathBuf> {
    let Some((source, path)) = whole.locate(path) else { bail!("{path} is in no source") };
    match source {
        Source::Missing { url, why } => bail!("{url}: {why}"),
        Source::Linked(_) | Source::Revised(_) => bail!("{path} is in several sources"),
        Source::Folder(folder) if folder.is_file() => Ok(folder.canonicalize()?),
        Source::Folder(folder) => path_inside(folder, path),
        Source::Memory { .. } | Source::Commit(_) => {
            let content = match source {
                Source::Memory { files, .. } => files.iter().find(|(name, _)| *name == path).map(|(_, c)| c.to_vec()),
                _ => source::reread(source, path).map(|text| text.source.into_bytes()),
            };
            let Some(content) = content else { bail!("{path} is not there") };
            let folder = match temporary {
                Some(folder) => folder,
                None => temporary.insert(tempfile::Builder::new().prefix("apidisc-").tempdir()?),
            };
            write(&folder.path().join(path), &content)?;
            path_inside(folder.path(), path)
        }
    }
}

fn lock(source: &Mutex<Source>) -> MutexGuard<'_, Source> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sources that an index names, as folders on this machine.
fn recorded(sources: &[SourceMeta]) -> Option<Source> {
    let folder = |source: &SourceMeta| Source::Folder(PathBuf::from(&source.url));
    if let [only] = sources {
        return Some(folder(only));
    }
    let named = |source: &SourceMeta| NamedSource::new(source.name.clone(), folder(source));
    (!sources.is_empty()).then(|| Source::Linked(LinkedSources::new(sources.iter().map(named).collect())))
}

/// The absolute path of a file below a folder. The index may come from an untrusted writer, so neither `..` nor a
/// symbolic link may lead out of the folder.
fn path_inside(folder: &Path, path: &str) -> anyhow::Result<PathBuf> {
    let is_relative = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let joined = folder.join(path);
    let (Ok(folder), Ok(target)) = (folder.canonicalize(), joined.canonicalize()) else {
        bail!("{} is not there", joined.display());
    };
    if !is_relative || !target.starts_with(&folder) || !target.is_file() {
        bail!("{path} is no file of the source, so it is not opened");
    }
    Ok(target)
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<PathBuf> {
    if let Some(parent) = path.parent() {
        writing::create_folder(parent)?;
    }
    writing::replace(path, |out| out.write_all(content))?;
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn no_path_of_an_index_leads_out_of_its_folder() {
        use std::{fs, os::unix::fs::symlink};
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("pkg")).expect("a folder");
        fs::write(outer.path().join("secret.py"), "").expect("a file");
        for name in ["a.py", "pkg/b.py", "-c:!x.py", "+!x.py", "a\nb.py"] {
            fs::write(root.join(name), "").expect("a file");
            let found = path_inside(&root, name).expect("a file of the source");
            assert!(found.is_absolute() && found.ends_with(name), "{}", found.display());
        }
        symlink(outer.path(), root.join("out")).expect("a link");
        symlink(outer.path().join("secret.py"), root.join("link.py")).expect("a link");
        symlink(root.join("a.py"), root.join("inner.py")).expect("a link");
        assert!(path_inside(&root, "inner.py").is_ok_and(|found| found.ends_with("a.py")));
        let absolute = outer.path().join("secret.py").display().to_string();
        let inside = root.join("a.py").display().to_string();
        for name in
            ["../secret.py", "pkg/../../secret.py", "out/secret.py", "link.py", &absolute, &inside, "pkg", "", "no"]
        {
            assert!(path_inside(&root, name).is_err(), "{name}");
        }
    }
}
