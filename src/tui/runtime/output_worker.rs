//! The thread that copies to the clipboard, writes files and frees memory, all of which may take long.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    source_files::write_atomically,
    worker::{OutputSender, Worker},
};
use crate::{
    clipboard::Clipboard,
    tui::{
        message::{Message, SaveOutcome, WriteOutcome},
        model::{Catalog, StubText},
    },
};
use apidisc::delivery::profile;

/// A job of the thread.
pub(super) enum OutputJob {
    Copy(Arc<StubText>),
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
    /// Drop a catalogue.
    Free(Arc<Catalog>),
}

/// Starts the thread; profiles are saved below `folder`.
pub(super) fn spawn(folder: PathBuf, output: OutputSender) -> io::Result<Worker<OutputJob>> {
    // The clipboard lives as long as the program: X11 asks the clipboard's owner for the text when it is pasted.
    let mut clipboard = Clipboard::default();
    Worker::spawn("output", output.clone(), move |job, _| match job {
        OutputJob::Copy(stub) => {
            let mut sequence = Vec::new();
            let result = clipboard.copy(&stub.delivery.text, &mut sequence);
            if !sequence.is_empty() {
                output.terminal(sequence);
            }
            let result = result.map(|way| way.to_string()).map_err(|why| why.to_string());
            output.message(Message::Copied { tokens: stub.delivery.tokens, result });
        }
        OutputJob::Write { path, stub, overwrite } => {
            let outcome = write(&path, &stub.delivery.text, overwrite);
            output.message(Message::Written { path, outcome });
        }
        OutputJob::Save { name, text, overwrite } => {
            let outcome = save(&folder, &name, &text, overwrite);
            output.message(Message::Saved { name, outcome });
        }
        OutputJob::Free(catalog) => drop(catalog),
    })
}

/// Saves a profile in the folder in which `--profile` looks for it.
fn save(folder: &Path, name: &str, text: &str, overwrite: bool) -> SaveOutcome {
    let target = folder.join(profile::FOLDER).join(profile::file_name(name));
    let shown = target.display().to_string();
    if !overwrite && target.exists() {
        return SaveOutcome::Exists(shown);
    }
    let written = target.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_atomically(&target, text));
    match written {
        Ok(()) => SaveOutcome::Done(shown),
        Err(why) => SaveOutcome::Failed(format!("{shown} is not written: {why}")),
    }
}

fn write(path: &str, text: &str, overwrite: bool) -> WriteOutcome {
    let target = expand_home(path);
    if !overwrite && target.exists() {
        return WriteOutcome::Exists;
    }
    match write_atomically(&target, text) {
        Ok(()) => WriteOutcome::Done(text.len()),
        Err(why) => WriteOutcome::Failed(format!("{path} is not written: {why}")),
    }
}

/// Expands `~/` as shells do.
fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}
