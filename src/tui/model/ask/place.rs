//! A place like `src/a.py:12` in the index.

use apidisc::program::{DefinitionId, FileId};

use super::Catalog;

/// The file of a place `path:line` or `path:first-last`, and its first line. `None` if the index has no such file.
pub fn file_and_line(catalog: &Catalog, place: &str) -> Option<(FileId, u32)> {
    let (path, lines) = place.rsplit_once(':')?;
    let line = lines.split('-').next()?.parse().ok()?;
    let file = catalog.index.files.iter().position(|file| file.path == path)?;
    Some((FileId::new(file), line))
}

/// The innermost definition that a place belongs to.
pub fn definition_at(catalog: &Catalog, place: &str) -> Option<DefinitionId> {
    let (file, line) = file_and_line(catalog, place)?;
    let around = catalog.index.definitions_with_ids().filter(|(_, definition)| {
        let place = definition.place;
        place.file == file && (place.line..=place.end_line.max(place.line)).contains(&line)
    });
    around.max_by_key(|(_, definition)| definition.place.line).map(|(id, _)| id)
}
