//! The files in which sessions are saved, one for each repository.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _},
    path::Path,
    time::SystemTime,
};

use super::source_files::write_atomically;
use crate::{
    places::Places,
    tui::{complaint::Complaint, model::Model, options::SessionFile, session::Session},
};
use apidisc::hash::Fnv;

/// The largest session file that is read; this program writes no larger one.
const MAX_BYTES: u64 = 1 << 20;

/// The session file of a repository. Its name depends on the path of the repository, in
/// which symbolic links are resolved.
pub(in crate::tui) fn locate(places: &Places, path: &Path) -> Option<SessionFile> {
    let path = path.canonicalize().ok()?;
    let repository = path.display().to_string();
    let mut hash = Fnv::default();
    hash.add(&repository);
    let name: String = path.file_name()?.to_string_lossy().chars().filter(|c| c.is_alphanumeric()).take(40).collect();
    let file = places.state.join("remembered").join(format!("{name}-{:016x}.toml", hash.value()));
    Some(SessionFile { file, repository })
}

/// The saved session, or the reason why it is not used; `None` if none is saved.
pub(super) fn load(session_file: &SessionFile) -> Result<Option<Session>, Complaint> {
    // The path comes last: it may be longer than the screen is wide.
    let complaint = |why: String| Complaint {
        file: "what is remembered".to_owned(),
        line: 0,
        what: format!("not used, {why}: {}", session_file.file.display()),
    };
    match read(&session_file.file) {
        Ok(text) => Session::parse(&text).map(Some).map_err(complaint),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(why) => Err(complaint(why.to_string())),
    }
}

fn read(path: &Path) -> io::Result<String> {
    // Reading anything but a regular file, such as a pipe, could block.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES { Err(io::Error::other("it is too large")) } else { Ok(text) }
}

/// Saves the session. A failure, such as a read-only folder, is ignored: the next session begins with the defaults.
/// Returns true if the file was not as it was at the time `before`, so that another explorer's session is replaced.
pub(super) fn save(session_file: &SessionFile, model: &Model, before: SavedAt) -> bool {
    let text = Session::of(model).to_toml(&session_file.repository);
    let folder = session_file.file.parent().unwrap_or(Path::new("."));
    let is_others = saved_at(session_file) != before && read(&session_file.file).is_ok_and(|saved| saved != text);
    let is_saved = fs::create_dir_all(folder).and_then(|()| write_atomically(&session_file.file, &text)).is_ok();
    is_others && is_saved
}

/// The time at which a session was saved; `None` if none is saved.
pub(super) type SavedAt = Option<SystemTime>;

/// The time at which the session of this repository was saved.
pub(super) fn saved_at(session_file: &SessionFile) -> SavedAt {
    fs::metadata(&session_file.file).and_then(|meta| meta.modified()).ok()
}
