//! A file that several processes change.

use std::{fs::File, io, path::Path};

use super::{create_folder, replace_in_cache};

/// Replaces a file as a whole by what `change` makes of it, while no other process does so: a lock is held on a file of
/// the same name with `.lock` behind it. Folders on the way are created; only the user may read the file.
pub fn update_shared<E: From<io::Error>>(path: &Path, change: impl FnOnce() -> Result<String, E>) -> Result<(), E> {
    if let Some(folder) = path.parent() {
        create_folder(folder).map_err(io::Error::other)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let lock = File::options().create(true).append(true).open(path.with_file_name(name))?;
    lock.lock()?;
    let text = change()?;
    replace_in_cache(path, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}
