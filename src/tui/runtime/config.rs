//! Reads the files that the user has written: `config.toml` and themes.

use std::{fs, path::Path, sync::Arc};

use crate::{
    models,
    places::Places,
    tui::{complaint::Complaint, config::UserConfig, options::Setup, theme::UserTheme},
};
use apidisc::{
    discover::WordModel,
    files::{self, FileError, MAX_WRITTEN_BY_HAND},
};

/// Reads the configuration and the themes, and collects the mistakes in them. Without files, the defaults apply.
pub(in crate::tui) fn load(places: &Places) -> Setup {
    let mut setup = Setup::default();
    let file = places.config.display().to_string();
    match files::read_text(&places.config, MAX_WRITTEN_BY_HAND) {
        Ok(text) => {
            (setup.config, setup.complaints) = UserConfig::read(&file, &text);
            // A path is relative to the file that names it.
            setup.config.model = setup.config.model.take().map(|model| places.config.with_file_name(model));
        }
        Err(why) if why.is_not_found() => {}
        Err(why) => setup.complaints.push(unreadable(&places.config, &why)),
    }
    match themes(&places.themes, &mut setup) {
        Ok(()) => {}
        Err(why) if why.is_not_found() => {}
        Err(why) => setup.complaints.push(unreadable(&places.themes, &why)),
    }
    setup
}

/// Reads the user's themes. A theme that cannot be read gives a complaint, and the others are used.
fn themes(folder: &Path, setup: &mut Setup) -> Result<(), FileError> {
    for entry in fs::read_dir(folder)? {
        let path = entry.map_err(FileError::Io)?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "toml") && !name.is_empty() {
            match files::read_text(&path, MAX_WRITTEN_BY_HAND) {
                Ok(text) => {
                    let file = path.display().to_string();
                    setup.own_themes.push(UserTheme { name: name.to_owned(), file, text });
                }
                Err(why) => setup.complaints.push(unreadable(&path, &why)),
            }
        }
    }
    Ok(())
}

impl Setup {
    /// The model that the command line names, else that of the configuration. If the latter cannot be read, there
    /// is a complaint, and the model that comes with the program is used.
    ///
    /// # Errors
    /// If the model of the command line cannot be read.
    pub fn open_model(&mut self, places: Option<&Places>, given: Option<&Path>) -> anyhow::Result<Arc<dyn WordModel>> {
        let (None, Some(folder), Some(places)) = (given, &self.config.model, places) else {
            return models::open(given);
        };
        models::read(folder).or_else(|why| {
            let message = format!("model {}: {why:#}; the model of the program holds", folder.display());
            self.complaints.push(Complaint { file: places.config.display().to_string(), line: 0, message });
            models::open(None)
        })
    }
}

fn unreadable(path: &Path, why: &FileError) -> Complaint {
    let message = format!("it cannot be read: {why}; the defaults hold");
    Complaint { file: path.display().to_string(), line: 0, message }
}
