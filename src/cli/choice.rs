//! How a stub is cut, as the command line says it or as a profile does.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};

use super::Input;
use apidisc::{
    delivery::{
        DeliveryError, RequestError, StubRequest,
        profile::{FOLDER, Profile, file_name},
    },
    overrides::OverrideError,
};

/// A cut, or what says it.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Said on the command line.
    Request(Box<StubRequest>),
    /// A profile's name, or its file.
    Profile(String),
}

/// What of a cut a command line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Said {
    /// A strategy, or the number of one.
    pub strategy: bool,
    /// Pins or bans.
    pub overrides: bool,
    /// Weights.
    pub weights: bool,
    /// A tokenizer.
    pub encoding: bool,
}

impl Choice {
    /// The cut.
    ///
    /// # Errors
    /// Where the profile cannot be read, with its line where one is wrong.
    pub fn cut(&self, input: &Input) -> anyhow::Result<StubRequest> {
        match self {
            Self::Request(cut) => Ok(StubRequest::clone(cut)),
            Self::Profile(name) => Ok(profile(input, name)?.request),
        }
    }
}

impl Choice {
    /// The same failure with the profile's file, and with the line of the pin or ban that it is about.
    pub(super) fn located(&self, input: &Input, error: RequestError) -> anyhow::Error {
        match self {
            Self::Request(_) => error.into(),
            Self::Profile(name) => located(&path(input, name), error),
        }
    }
}

fn located(path: &Path, error: RequestError) -> anyhow::Error {
    let shown = path.display();
    let place = match &error {
        RequestError::Delivery(DeliveryError::Override(OverrideError { target, .. })) => {
            let text = fs::read_to_string(path).unwrap_or_default();
            let line = text.lines().position(|line| line.contains(&target.to_string()));
            line.map_or_else(|| shown.to_string(), |line| format!("{shown}: line {}", line + 1))
        }
        _ => shown.to_string(),
    };
    anyhow::Error::new(error).context(place)
}

/// Reads a profile: by its name in the folder that is looked at, or by its path.
pub(super) fn profile(input: &Input, name: &str) -> anyhow::Result<Profile> {
    let path = path(input, name);
    let shown = path.display();
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!("there is no {shown}{}", others(&path)),
        _ => anyhow!("cannot read {shown}: {error}"),
    })?;
    Profile::parse(&text).with_context(|| format!("{shown}"))
}

fn path(input: &Input, name: &str) -> PathBuf {
    let is_file = Path::new(name).extension().is_some_and(|extension| extension == "toml");
    if is_file || name.contains(['/', '\\']) {
        return PathBuf::from(name);
    }
    let root = match input {
        Input::Folder(path) => path.as_path(),
        Input::Demo | Input::IndexFile(_) => Path::new("."),
    };
    root.join(FOLDER).join(file_name(name))
}

/// The profiles that are there instead.
fn others(path: &Path) -> String {
    let entries = path.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_suffix(".toml").map(str::to_owned)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    if names.is_empty() {
        "; the explorer saves profiles".to_owned()
    } else {
        format!("; beside it are {}", names.join(", "))
    }
}
