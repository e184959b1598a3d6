//! Updates a file that processes share.

use std::{fs::File, io, path::Path};

use super::{create_folder, replace_in_cache};

/// Replaces a file as a whole by the text that `change` returns. While `change` runs and the file is replaced, no other
/// process updates it: this function holds a lock on the file with `.lock` added to the name. Missing folders are
/// created; only the user may read the file.
///
/// # Errors
/// Those of `change`; if a folder cannot be created; if the lock cannot be taken; if the file cannot be replaced.
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
