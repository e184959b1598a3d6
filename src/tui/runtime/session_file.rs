//! The files in which sessions and conversations are saved, one of each for each repository.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::{
    places::{Places, repository_name},
    tui::{complaint::Complaint, model::Model, options::SessionFile, session::Session},
    writing,
};
use apidisc::files;

/// The maximum size of a session file that is read, in bytes. A session takes far less.
const MAX_BYTES: u64 = 1 << 20;

/// The session file of a repository. `None` if the path does not exist or is the root folder.
pub(in crate::tui) fn locate(places: &Places, path: &Path) -> Option<SessionFile> {
    let (name, repository) = repository_name(path)?;
    let file = places.state.join("remembered").join(name + ".toml");
    Some(SessionFile { file, repository, is_fresh: false })
}

/// The file with the conversations about a repository.
pub(in crate::tui) fn conversations(places: &Places, path: &Path) -> Option<PathBuf> {
    let (name, _) = repository_name(path)?;
    Some(places.state.join("conversations").join(name + ".json"))
}

/// The saved session, or the reason why it is not used; `None` if none is saved.
pub(super) fn load(session_file: &SessionFile) -> Result<Option<Session>, Complaint> {
    if session_file.is_fresh {
        return Ok(None);
    }
    // The path comes last, so that a narrow screen cuts off the path and not the reason.
    let complaint = |why: String| Complaint {
        file: "what is remembered".to_owned(),
        line: 0,
        message: format!("not used, {why}: {}", session_file.file.display()),
    };
    match files::read_text(&session_file.file, MAX_BYTES) {
        Ok(text) => Session::parse(&text).map(Some).map_err(complaint),
        Err(why) if why.is_not_found() => Ok(None),
        Err(why) => Err(complaint(why.to_string())),
    }
}

/// Saves the session. A failure, such as a read-only folder, is ignored: the next session begins with the defaults.
/// Returns true if the file was not as it was at the time `before`, so that another explorer's session is replaced.
pub(super) fn save(session_file: &SessionFile, model: &Model, before: SavedAt) -> bool {
    let text = Session::of(model).to_toml(&session_file.repository);
    let folder = session_file.file.parent().unwrap_or(Path::new("."));
    let is_others = saved_at(session_file) != before
        && files::read_text(&session_file.file, MAX_BYTES).is_ok_and(|saved| saved != text);
    let saved = writing::create_folder(folder)
        .and_then(|()| writing::replace(&session_file.file, |out| out.write_all(text.as_bytes())));
    is_others && saved.is_ok()
}

/// The time at which a session was saved; `None` if none is saved.
pub(super) type SavedAt = Option<SystemTime>;

/// The time at which the session of this repository was saved.
pub(super) fn saved_at(session_file: &SessionFile) -> SavedAt {
    fs::metadata(&session_file.file).and_then(|meta| meta.modified()).ok()
}
