//! The file with the state of sessions, for every face.

use std::{io, path::PathBuf};

use apidisc::{
    files::{self, MAX_WRITTEN_BY_HAND},
    session::{StateFile, StorageError, TextChange},
};

use crate::writing::update_shared;

/// A file with the state of sessions, which processes may share. A file of more than 1 MiB is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedStateFile(pub PathBuf);

/// An error of the system or of the storage. The type is needed because [`update_shared`] needs a conversion from
/// [`io::Error`].
struct Failure(StorageError);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(StorageError(error.to_string()))
    }
}

impl StateFile for SharedStateFile {
    fn read(&self) -> Result<Option<String>, StorageError> {
        match files::read_text(&self.0, MAX_WRITTEN_BY_HAND) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(StorageError(format!("{}: {error}", self.0.display()))),
        }
    }

    fn update(&mut self, change: &mut TextChange<'_>) -> Result<(), StorageError> {
        update_shared(&self.0, || self.read().map_err(Failure).and_then(|text| change(text).map_err(Failure)))
            .map_err(|Failure(error)| StorageError(format!("{}: {error}", self.0.display())))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use apidisc::session::{FileStorage, Session, StateFile as _};
    use serde_json::json;

    use super::SharedStateFile;

    #[test]
    fn no_update_of_another_process_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state/sessions.json");
        let write = |writer: u32| {
            let file = SharedStateFile(path.clone());
            move || {
                let mut session = Session::new(Box::new(FileStorage::new(file)));
                for at in 0..10 {
                    session.set(&format!("user:{writer}-{at}"), json!(at)).expect("set");
                    session.set("temp:secret", json!(at)).expect("set");
                }
            }
        };
        thread::scope(|scope| (0..4).for_each(|writer| _ = scope.spawn(write(writer))));
        let text = SharedStateFile(path).read().expect("the file").expect("a text");
        assert_eq!((text.matches("user:").count(), text.contains("secret")), (40, false));
    }
}
