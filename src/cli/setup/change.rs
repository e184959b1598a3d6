//! A change of a file: shown, and made as a whole or not at all.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use similar::TextDiff;

use super::places::{Place, Scope};
use crate::{cli::terminal_text, places, writing};
use apidisc::files;

/// The size limit of a file that is changed. Claude Code keeps its history in the file of its servers.
const MAX_FILE: u64 = 64 << 20;
/// What is added to the name of a file for its copy before the change.
const COPY: &str = ".before-apidisc";
/// The number of lines around a change that are shown.
const CONTEXT: usize = 1;

/// A change of a file.
#[derive(Debug)]
pub(super) struct Change {
    place: Place,
    /// The content; `None` if the file is not there.
    before: Option<String>,
    /// The content to be; `None` if the file is removed.
    after: Option<String>,
    copy: Copy,
}

/// What becomes of the copy beside a file.
#[derive(Debug, PartialEq, Eq)]
enum Copy {
    /// It is made of the content before.
    Made,
    /// Nothing.
    Left,
    /// It is removed, since the file is what it was.
    Dropped,
}

impl Change {
    pub(super) fn new(place: Place, before: Option<String>, after: Option<String>) -> Self {
        Self { place, before, after, copy: Copy::Left }
    }

    /// The change, with a copy of the content before beside the file if `keeps` is true.
    pub(super) fn keeping_copy(self, keeps: bool) -> Self {
        Self { copy: if keeps { Copy::Made } else { Copy::Left }, ..self }
    }

    /// This change, which also removes the copy beside the file: the file then has the content of the copy again.
    pub(super) fn dropping_copy(self) -> Self {
        Self { copy: Copy::Dropped, ..self }
    }

    /// True if the file is as it shall be.
    pub(super) fn is_done(&self) -> bool {
        self.before == self.after
    }

    /// The change as a difference of lines, for people.
    pub(super) fn lines(&self) -> String {
        let path = self.place.path().display().to_string();
        let (before, after) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        let name = |content: &Option<String>| if content.is_some() { path.clone() } else { "/dev/null".to_owned() };
        let difference = TextDiff::from_lines(before, after)
            .unified_diff()
            .context_radius(CONTEXT)
            .missing_newline_hint(false)
            .header(&name(&self.before), &name(&self.after))
            .to_string();
        let lines: Vec<_> = difference.lines().map(terminal_text::line).collect();
        lines.join("\n") + "\n"
    }

    /// Checks that no symbolic link leads out of the folder that the file belongs to. A project is of anybody, so no
    /// part of a path in it may be a link.
    ///
    /// # Errors
    /// If a link does, with its path.
    pub(super) fn check(&self, scope: &Scope) -> anyhow::Result<()> {
        match scope {
            Scope::User => check_inside(&self.place),
            Scope::Project(folder) => Ok(writing::without_links(folder, &self.place.below).map(|_| ())?),
        }
    }

    /// Makes the change, once it is checked.
    ///
    /// # Errors
    /// If the file has changed since it was read, or cannot be written.
    pub(super) fn make(&self, scope: &Scope) -> anyhow::Result<()> {
        let path = self.place.path();
        if read(&self.place)? != self.before {
            bail!("{} has changed meanwhile; run the command again", path.display());
        }
        self.check(scope)?;
        if let (Copy::Made, Some(text)) = (&self.copy, &self.before) {
            writing::write_like(&path, &name_of_copy(&path), text)?;
        }
        match (&self.after, scope) {
            (Some(text), Scope::Project(_)) => writing::replace_below(&self.place.root, &self.place.below, text)?,
            (Some(text), Scope::User) => {
                if let Some(folder) = path.parent() {
                    writing::create_folder(folder)?;
                }
                writing::replace(&path, |out| out.write_all(text.as_bytes()))?;
            }
            (None, _) => {
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
                remove_empty_folders(&self.place);
            }
        }
        if self.copy == Copy::Dropped {
            writing::remove(&name_of_copy(&path));
        }
        Ok(())
    }
}

/// The content of a file; `None` if it is not there.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub(super) fn read(place: &Place) -> anyhow::Result<Option<String>> {
    let path = place.path();
    match files::read_text(&path, MAX_FILE) {
        Ok(text) => Ok(Some(text)),
        Err(why) if why.is_not_found() => Ok(None),
        Err(why) => Err(why).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The place of the copy of a file before it was changed.
pub(super) fn copy_of(place: &Place) -> Place {
    Place { root: place.root.clone(), below: name_of_copy(&place.below) }
}

fn name_of_copy(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(COPY);
    path.with_file_name(name)
}

/// Checks that symbolic links do not lead out of the folder that a file of the user belongs to.
fn check_inside(place: &Place) -> anyhow::Result<()> {
    let path = place.path();
    // Of a path that is not there yet, the nearest folder above it counts.
    let resolved = |path: &Path| path.ancestors().find_map(|part| part.canonicalize().ok());
    let Some(found) = resolved(&path) else { return Ok(()) };
    let roots = [Some(place.root.clone()), places::home()];
    if roots.into_iter().flatten().filter_map(|root| resolved(&root)).any(|root| found.starts_with(root)) {
        return Ok(());
    }
    bail!("{} leads to {}, out of the home folder; change that file by hand", path.display(), found.display())
}

/// Removes the folders of a file that was removed, as far as they are empty.
fn remove_empty_folders(place: &Place) {
    let folders: Vec<&Path> = place.below.ancestors().skip(1).filter(|part| !part.as_os_str().is_empty()).collect();
    for folder in folders {
        if fs::remove_dir(place.root.join(folder)).is_err() {
            return;
        }
    }
}
