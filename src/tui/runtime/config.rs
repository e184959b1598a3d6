//! Reads the files that the user has written: `config.toml` and themes.

use std::{
    fs,
    io::{self, ErrorKind},
    path::Path,
};

use crate::{
    places::Places,
    tui::{complaint::Complaint, config::UserConfig, options::Setup, theme::UserTheme},
};

/// Reads the configuration and the themes, and collects the mistakes in them. Without files, the defaults hold.
pub(in crate::tui) fn load(places: &Places) -> Setup {
    let mut setup = Setup::default();
    let file = places.config.display().to_string();
    match fs::read_to_string(&places.config) {
        Ok(text) => (setup.config, setup.complaints) = UserConfig::read(&file, &text),
        Err(why) if is_not_found(&why) => {}
        Err(why) => setup.complaints.push(unreadable(&places.config, &why)),
    }
    match themes(&places.themes) {
        Ok(themes) => setup.own_themes = themes,
        Err(why) if is_not_found(&why) => {}
        Err(why) => setup.complaints.push(unreadable(&places.themes, &why)),
    }
    setup
}

fn themes(folder: &Path) -> io::Result<Vec<UserTheme>> {
    let mut themes = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "toml") && !name.is_empty() {
            let file = path.display().to_string();
            themes.push(UserTheme { name: name.to_owned(), file, text: fs::read_to_string(&path)? });
        }
    }
    Ok(themes)
}

fn is_not_found(why: &io::Error) -> bool {
    matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unreadable(path: &Path, why: &io::Error) -> Complaint {
    let what = format!("it cannot be read: {why}; the defaults hold");
    Complaint { file: path.display().to_string(), line: 0, what }
}
