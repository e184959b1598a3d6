//! Two versions of a package that are read whole, for what changed in the API beside what a program uses.

use std::path::{Path, PathBuf};

use super::{IndexedProgram, Upgrade};
use crate::cache::Cache;
use apidisc::{
    breaks::{ApiChange, RevisionFiles, api_changes},
    control::Control,
    indexer::Progress,
    packages::{Dependency, InstalledModule},
    source::{LinkedSources, NamedSource, Source, reread},
};

impl Upgrade {
    /// What the other version does to the API of the package, whether or not the program uses it. `Ok(None)` if the
    /// observer cancelled.
    ///
    /// # Errors
    /// One line that says why the package cannot be read whole.
    pub fn api_changes(
        &self,
        cache: Option<&Cache>,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<Vec<ApiChange>>, String> {
        // The files of an archive are removed, so that nothing of them is kept.
        let other_cache = if self.unpacked.is_some() { None } else { cache };
        let (old, new) = (package_of(&self.before, &self.package), package_of(&self.after, &self.package));
        let Some(before) = IndexedProgram::of_sources(old, cache, observe)? else { return Ok(None) };
        let Some(after) = IndexedProgram::of_sources(new, other_cache, observe)? else { return Ok(None) };
        let read = |path: &str| reread(&after.files, path).map(|text| text.source);
        let paths = after.index.files.iter().map(|file| file.path.to_string()).collect();
        let new = RevisionFiles { paths, read: &read };
        Ok(Some(before.with_edited(&after, "", new, api_changes)))
    }
}

/// The folders and files of a package that a program was indexed with, as sources.
fn package_of(program: &IndexedProgram, package: &Dependency) -> Source {
    let files = program.libraries.python.files.iter().chain(&program.libraries.node.files);
    let mut roots: Vec<(&str, PathBuf)> = Vec::new();
    for (path, real) in files {
        let Some(module) = InstalledModule::of_file(path).filter(|module| package.holds(*module)) else { continue };
        if !roots.iter().any(|(name, _)| *name == module.name())
            && let Some(root) = root_of(path, real, module.name())
        {
            roots.push((module.name(), root));
        }
    }
    match &roots[..] {
        [(_, root)] => Source::Folder(root.clone()),
        roots => {
            let named = |(name, root): &(&str, PathBuf)| NamedSource::new(*name, Source::Folder(root.clone()));
            Source::Linked(LinkedSources::new(roots.iter().map(named).collect()))
        }
    }
}

/// The folder of the module or package `name`, or its only file. `path` is that of a file of it in the index, and
/// `real` that on the disk.
fn root_of(path: &str, real: &Path, name: &str) -> Option<PathBuf> {
    let (_, inner) = path.split_once('/')?;
    let below = inner.strip_prefix(name)?.matches('/').count();
    real.ancestors().nth(below).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_the_folder_of_its_files() {
        let root = |path: &str, real: &str, name: &str| root_of(path, Path::new(real), name);
        let python = root("site-packages/httpx/_transports/base.py", "/e/lib/httpx/_transports/base.py", "httpx");
        assert_eq!(python, Some("/e/lib/httpx".into()));
        assert_eq!(root("site-packages/six.py", "/e/lib/six.py", "six"), Some("/e/lib/six.py".into()));
        let scoped = root("node_modules/@a/b/dist/i.d.ts", "/x/node_modules/@a/b/dist/i.d.ts", "@a/b");
        assert_eq!(scoped, Some("/x/node_modules/@a/b".into()));
    }
}
