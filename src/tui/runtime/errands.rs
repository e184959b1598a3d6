//! The thread for what may wait on others: the clipboard, files, freeing memory.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    files::write_whole,
    worker::{self, Jobs, Post},
};
use crate::{
    clipboard::Clipboard,
    tui::{
        catalog::Catalog,
        message::{Message, SaveOutcome, WriteOutcome},
        model::StubText,
    },
};
use apidisc::delivery::profile;

/// Something to be done.
pub(super) enum Errand {
    Copy(Arc<StubText>),
    Write { path: String, stub: Arc<StubText>, overwrite: bool },
    Save { name: String, text: String, overwrite: bool },
    Discard(Arc<Catalog>),
}

/// Starts it; profiles are saved below `folder`.
pub(super) fn spawn(folder: PathBuf, post: Post) -> io::Result<Jobs<Errand>> {
    // The clipboard lives as long as the program: X11 asks the owner for the text when it is pasted.
    let mut clipboard = Clipboard::default();
    worker::spawn("errands", post.clone(), move |errand, _| match errand {
        Errand::Copy(stub) => {
            let mut sequence = Vec::new();
            let result = clipboard.copy(&stub.delivery.text, &mut sequence);
            if !sequence.is_empty() {
                post.terminal(sequence);
            }
            let result = result.map(|way| way.to_string()).map_err(|why| why.to_string());
            post.message(Message::Copied { tokens: stub.delivery.tokens, result });
        }
        Errand::Write { path, stub, overwrite } => {
            let outcome = write(&path, &stub.delivery.text, overwrite);
            post.message(Message::Written { path, outcome });
        }
        Errand::Save { name, text, overwrite } => {
            let outcome = save(&folder, &name, &text, overwrite);
            post.message(Message::Saved { name, outcome });
        }
        Errand::Discard(catalog) => drop(catalog),
    })
}

/// Saves a profile where `--profile` looks for it.
fn save(folder: &Path, name: &str, text: &str, overwrite: bool) -> SaveOutcome {
    let target = folder.join(profile::FOLDER).join(profile::file_name(name));
    let shown = target.display().to_string();
    if !overwrite && target.exists() {
        return SaveOutcome::Exists(shown);
    }
    let written = target.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_whole(&target, text));
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
    match write_whole(&target, text) {
        Ok(()) => WriteOutcome::Done(text.len()),
        Err(why) => WriteOutcome::Failed(format!("{path} is not written: {why}")),
    }
}

/// `~/` as shells read it.
fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}
