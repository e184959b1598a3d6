//! The thread that copies to the clipboard, writes files and frees memory, all of which may take long.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::worker::{OutputSender, Worker};
use crate::{
    clipboard::Clipboard,
    tui::{
        message::{Message, SaveOutcome, WriteOutcome},
        model::{ApiCatalog, Catalog, SavedProfile, StubText},
    },
    writing,
};
use apidisc::{
    delivery::profile::{self, Profile},
    files::{MAX_WRITTEN_BY_HAND, Root},
};

/// The greatest number of profiles that are read.
const MAX_PROFILES: usize = 200;

/// A job of the thread.
pub(super) enum OutputJob {
    Copy {
        text: String,
        /// A description of the text for the note.
        description: String,
    },
    Write {
        path: String,
        stub: Arc<StubText>,
        overwrite: bool,
    },
    Save {
        name: String,
        text: String,
        overwrite: bool,
    },
    ReadProfiles,
    /// Drop a catalogue.
    Free(Arc<Catalog>),
    /// Drop API documents.
    FreeDocuments(Arc<ApiCatalog>),
}

/// Starts the thread; profiles are saved below `folder`.
pub(super) fn spawn(folder: PathBuf, output: OutputSender) -> io::Result<Worker<OutputJob>> {
    // The clipboard is kept until the program ends: under X11, its owner sends the text each time it is pasted.
    let mut clipboard = Clipboard::default();
    Worker::spawn("output", output.clone(), move |job, _| match job {
        OutputJob::Copy { text, description } => {
            let mut sequence = Vec::new();
            let result = clipboard.copy(&text, &mut sequence);
            if !sequence.is_empty() {
                output.terminal(sequence);
            }
            let result = result.map(|way| way.to_string()).map_err(|why| why.to_string());
            output.message(Message::Copied { description, result });
        }
        OutputJob::Write { path, stub, overwrite } => {
            let outcome = write(&path, &stub.delivery.text, overwrite);
            output.message(Message::Written { path, outcome });
        }
        OutputJob::Save { name, text, overwrite } => {
            let outcome = save(&folder, &name, &text, overwrite);
            output.message(Message::Saved { name, outcome });
        }
        OutputJob::ReadProfiles => output.message(Message::ProfilesRead(profiles(&folder))),
        OutputJob::Free(catalog) => drop(catalog),
        OutputJob::FreeDocuments(documents) => drop(documents),
    })
}

/// The profiles in the folder in which `--profile` looks for them, by name. The folder may be a repository of untrusted
/// origin.
fn profiles(folder: &Path) -> Vec<SavedProfile> {
    let Ok(root) = Root::open(folder) else { return Vec::new() };
    let entries = fs::read_dir(folder.join(profile::FOLDER)).into_iter().flatten().flatten();
    let name = |entry: fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned());
    let mut names: Vec<String> = entries.filter_map(name).take(MAX_PROFILES).collect();
    names.sort();
    let read = |name: String| {
        let path = Path::new(profile::FOLDER).join(profile::file_name(&name));
        let text = root.read_text(&path, MAX_WRITTEN_BY_HAND).map_err(|why| why.to_string());
        let request = text.and_then(|text| Profile::parse(&text).map_err(|why| why.to_string()));
        SavedProfile { name, request: request.map(|profile| Box::new(profile.request)) }
    };
    names.into_iter().map(read).collect()
}

/// Saves a profile in the folder in which `--profile` looks for it.
fn save(folder: &Path, name: &str, text: &str, overwrite: bool) -> SaveOutcome {
    let path = Path::new(profile::FOLDER).join(profile::file_name(name));
    let target = folder.join(&path);
    let shown = target.display().to_string();
    if !overwrite && target.is_file() {
        return SaveOutcome::Exists(shown);
    }
    match writing::replace_below(folder, &path, text) {
        Ok(()) => SaveOutcome::Done(shown),
        Err(why) => SaveOutcome::Failed(why.to_string()),
    }
}

fn write(path: &str, text: &str, overwrite: bool) -> WriteOutcome {
    let target = expand_home(path);
    if !overwrite && target.exists() {
        return WriteOutcome::Exists;
    }
    match writing::replace(&target, |out| out.write_all(text.as_bytes())) {
        Ok(()) => WriteOutcome::Done(text.len()),
        Err(why) => WriteOutcome::Failed(why.to_string()),
    }
}

/// Expands `~/` as shells do.
fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}
