//! Checks of git, the configuration, and the folders of cache and state.

use super::check::Check;
use crate::{
    cache::Cache,
    cli::cache::{contents, megabytes},
    clones,
    places::Places,
    writing,
};

const NO_HOME: &str = "set HOME to an absolute path";

/// The git that clones remote repositories.
pub(super) fn git() -> Check {
    let remedy = "install it to name sources by a URL; local repositories are read without it";
    clones::git_version()
        .map_or_else(|| Check::note("git", "not installed", remedy), |version| Check::ok("git", version))
}

/// The configuration and its mistakes.
pub(super) fn configuration(places: Option<&Places>, complaints: &[String]) -> Check {
    const NAME: &str = "configuration";
    let Some(places) = places else {
        return Check::note(NAME, "no home folder to keep one in", NO_HOME);
    };
    let file = places.config.display();
    match complaints {
        [] if places.config.exists() => Check::ok(NAME, file.to_string()),
        [] => Check::ok(NAME, format!("the defaults; {file} is not there")),
        [first, others @ ..] => {
            let others = if others.is_empty() { String::new() } else { format!("; and {} more", others.len()) };
            Check::fails(NAME, format!("{first}{others}"), "change what the line names, or take it out")
        }
    }
}

/// The cache of facts: where it is, how much it holds, and whether it can be written.
pub(super) fn cache() -> Check {
    const NAME: &str = "cache";
    let Some(cache) = Cache::of_user() else {
        return Check::note(NAME, "off: every run parses anew", format!("unset APIDISC_CACHE, or {NO_HOME}"));
    };
    let folder = cache.folder().display();
    match writing::check_writable(cache.folder()) {
        Ok(()) => {
            let held = contents(cache.size());
            Check::ok(NAME, format!("{folder}: {held} of at most {}", megabytes(cache.max_bytes())))
        }
        Err(why) => Check::note(NAME, format!("{folder} cannot be written: {why}"), writing::remedy(&why)),
    }
}

/// The folder of saved sessions.
pub(super) fn state(places: Option<&Places>) -> Check {
    const NAME: &str = "state";
    let Some(places) = places else {
        return Check::note(NAME, "no home folder: sessions are not kept", NO_HOME);
    };
    let folder = places.state.display();
    match writing::check_writable(&places.state) {
        Ok(()) => Check::ok(NAME, folder.to_string()),
        Err(why) => Check::note(NAME, format!("{folder} cannot be written: {why}"), writing::remedy(&why)),
    }
}
