//! The files in which sessions are saved, one for each repository.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _},
    path::Path,
};

use super::source_files::write_atomically;
use crate::{
    places::Places,
    tui::{complaint::Complaint, model::Model, options::SessionFile, session::Session},
};
use apidisc::hash::Fnv;

/// The maximum size of a session file that is read, in bytes. A session takes far less.
const MAX_BYTES: u64 = 1 << 20;

/// The session file of a repository. Its name contains a hash of the repository's path with symbolic links resolved.
/// `None` if the path does not exist or is the root folder.
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
    // The path comes last, so that a narrow screen cuts off the path and not the reason.
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
pub(super) fn save(session_file: &SessionFile, model: &Model) {
    let text = Session::of(model).to_toml(&session_file.repository);
    let folder = session_file.file.parent().unwrap_or(Path::new("."));
    let _ = fs::create_dir_all(folder).and_then(|()| write_atomically(&session_file.file, &text));
}
