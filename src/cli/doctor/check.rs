//! A check: what was looked at, what was found, and what to do.

use serde::Serialize;

use crate::cli::terminal_text;

/// What was found of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    /// What was looked at, in a word.
    pub(super) name: &'static str,
    pub(super) status: Status,
    /// What was found.
    pub(super) found: String,
    /// What to do; `None` if nothing is to be done.
    pub(super) remedy: Option<String>,
}

/// Whether something works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// It works.
    Ok,
    /// It is absent or works less well, and everything that does not need it works.
    Note,
    /// It is needed or configured, and does not work.
    Fails,
}

impl Check {
    pub(super) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, status: Status::Ok, found: found.into(), remedy: None }
    }

    pub(super) fn note(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name, status: Status::Note, found: found.into(), remedy: Some(remedy.into()) }
    }

    pub(super) fn fails(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name, status: Status::Fails, found: found.into(), remedy: Some(remedy.into()) }
    }

    /// The lines for people, in ASCII where what was found is: a terminal that is looked at may know nothing else.
    pub(super) fn lines(&self) -> String {
        let Self { name, status, found, remedy } = self;
        let status = match status {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Fails => "FAILS",
        };
        let found = format!("{status:<6} {name:<14} {}\n", terminal_text::line(found));
        let remedy = remedy.as_ref().map(|remedy| format!("{:21} -> {}\n", "", terminal_text::line(remedy)));
        found + &remedy.unwrap_or_default()
    }
}
