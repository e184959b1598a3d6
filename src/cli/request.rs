//! The stub that a command line requests, directly or by a profile.

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
    files::{self, FileError, MAX_WRITTEN_BY_HAND, Root},
    overrides::OverrideError,
};

/// The form in which a command line gives the request for a stub.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestSource {
    /// The options of the command line.
    Request(Box<StubRequest>),
    /// A profile, by its name or file.
    Profile(String),
}

/// For each setting of a stub, whether the command line gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct GivenOptions {
    /// The strategy or its parameter.
    pub strategy: bool,
    /// Pins or bans.
    pub overrides: bool,
    /// The weights.
    pub weights: bool,
    /// The tokenizer.
    pub encoding: bool,
    /// The wording.
    pub wording: bool,
    /// The amount of documentation.
    pub docs: bool,
}

impl RequestSource {
    /// The request.
    ///
    /// # Errors
    /// If the profile cannot be read. The message contains the line of the mistake.
    pub fn resolve(&self, input: &Input) -> anyhow::Result<StubRequest> {
        match self {
            Self::Request(cut) => Ok(StubRequest::clone(cut)),
            Self::Profile(name) => Ok(profile(input, name)?.request),
        }
    }
}

impl RequestSource {
    /// Adds the profile's file to an error, and the line of the pin or ban that caused it.
    pub(super) fn with_place(&self, input: &Input, error: RequestError) -> anyhow::Error {
        match self {
            Self::Request(_) => error.into(),
            Self::Profile(name) => with_place(&path(input, name), error),
        }
    }
}

fn with_place(path: &Path, error: RequestError) -> anyhow::Error {
    let shown = path.display();
    let place = match &error {
        RequestError::Delivery(DeliveryError::Override(OverrideError { target, .. })) => {
            let text = files::read_text(path, MAX_WRITTEN_BY_HAND).unwrap_or_default();
            let line = text.lines().position(|line| line.contains(&target.to_string()));
            line.map_or_else(|| shown.to_string(), |line| format!("{shown}: line {}", line + 1))
        }
        _ => shown.to_string(),
    };
    anyhow::Error::new(error).context(place)
}

/// Reads a profile by its path, or by its name in the explored folder.
pub(super) fn profile(input: &Input, name: &str) -> anyhow::Result<Profile> {
    let path = path(input, name);
    let shown = path.display();
    let read = if is_path(name) {
        files::read_text(&path, MAX_WRITTEN_BY_HAND)
    } else {
        // The folder may be a repository of untrusted origin.
        Root::open(root(input))
            .map_err(FileError::Io)
            .and_then(|root| root.read_text(&inner_path(name), MAX_WRITTEN_BY_HAND))
    };
    let text = read.map_err(|error| {
        if error.is_not_found() {
            anyhow!("there is no {shown}{}", other_profiles(&path))
        } else {
            anyhow!("cannot read {shown}: {error}")
        }
    })?;
    Profile::parse(&text).with_context(|| format!("{shown}"))
}

fn path(input: &Input, name: &str) -> PathBuf {
    if is_path(name) { PathBuf::from(name) } else { root(input).join(inner_path(name)) }
}

/// True for the path of a profile, false for its name.
fn is_path(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml") || name.contains(['/', '\\'])
}

/// The path of a profile of that name in the explored folder.
fn inner_path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(file_name(name))
}

/// The folder in which profiles are looked for.
fn root(input: &Input) -> &Path {
    match input {
        Input::Folder(path) | Input::Revision(path, _) => path,
        Input::Config(path, _) => path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        Input::Demo | Input::IndexFile(_) | Input::Facts(_) => Path::new("."),
    }
}

/// A hint that lists the existing profiles.
fn other_profiles(path: &Path) -> String {
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
