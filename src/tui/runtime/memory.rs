//! The files of what is remembered: one a repository.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _},
    path::Path,
};

use super::files::write_whole;
use crate::{
    places::Places,
    tui::{complaint::Complaint, memory::Memory, model::Model, options::Keeper},
};
use apidisc::hash::Fnv;

/// A larger file is not ours.
const MOST: u64 = 1 << 20;

/// Where something is remembered: by its path without links, whatever it was called.
pub(in crate::tui) fn keeper(places: &Places, path: &Path) -> Option<Keeper> {
    let path = path.canonicalize().ok()?;
    let about = path.display().to_string();
    let mut hash = Fnv::default();
    hash.add(&about);
    let name: String = path.file_name()?.to_string_lossy().chars().filter(|c| c.is_alphanumeric()).take(40).collect();
    let file = places.state.join("remembered").join(format!("{name}-{:016x}.toml", hash.value()));
    Some(Keeper { file, about })
}

/// What is remembered, or why it is not used; nothing where nothing is.
pub(super) fn load(keeper: &Keeper) -> Result<Option<Memory>, Complaint> {
    // The path last: it may be longer than the screen is wide.
    let complaint = |why: String| Complaint {
        file: "what is remembered".to_owned(),
        line: 0,
        what: format!("not used, {why}: {}", keeper.file.display()),
    };
    match read(&keeper.file) {
        Ok(text) => Memory::parse(&text).map(Some).map_err(complaint),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(why) => Err(complaint(why.to_string())),
    }
}

fn read(path: &Path) -> io::Result<String> {
    // Whatever stands there, such as a pipe, must not be waited for.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST { Err(io::Error::other("it is too large")) } else { Ok(text) }
}

/// Remembers how things are. It is a convenience: where it fails, such as in a home that cannot be written to, the next
/// time begins anew.
pub(super) fn save(keeper: &Keeper, model: &Model) {
    let text = Memory::of(model).to_toml(&keeper.about);
    let folder = keeper.file.parent().unwrap_or(Path::new("."));
    let _ = fs::create_dir_all(folder).and_then(|()| write_whole(&keeper.file, &text));
}
