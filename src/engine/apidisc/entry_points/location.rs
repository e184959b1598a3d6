//! Where a source lies: a path, or the URL of a git repository.
//!
//! A URL is handed to git, which understands more than URLs: options, and transports that run programs. So only URLs of
//! known protocols are accepted, and nothing that begins with a dash.

use std::path::{Path, PathBuf};

use compact_str::CompactString;

use super::{
    config::is_name,
    remote_url::{RemoteUrl, split_authority, without_password, without_secrets},
};

/// Where a source lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A folder or file on this machine.
    Path(PathBuf),
    /// A git repository that has to be cloned.
    Remote(RemoteUrl),
}

/// Why a URL or branch is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocationError {
    /// The text is empty.
    #[error("a source has an empty url; write a path or a URL")]
    Empty,
    /// The text begins with a dash, which git would read as an option.
    #[error("the url `{0}` begins with a dash; write ./{0} for a folder of that name")]
    Dash(String),
    /// The protocol is not one of those that only fetch.
    #[error("the protocol `{0}` is not used; write a URL that begins with https://, ssh://, git:// or file://")]
    Protocol(String),
    /// The text is no URL.
    #[error("`{0}` is no URL of a repository; write one such as https://example.org/owner/name")]
    Url(String),
    /// The short form of ssh with a password, which would be the path to git.
    #[error("a URL of ssh holds no password; write {0}, and use a key or an agent")]
    Password(String),
    /// The text cannot be the name of a branch, tag or commit.
    #[error("`{0}` is no branch, tag or commit; write one such as main, v1.2 or 40 hexadecimal digits")]
    Branch(String),
}

/// The protocols that only fetch.
const PROTOCOLS: [&str; 4] = ["https", "ssh", "git", "file"];

impl Location {
    /// Reads a URL or a path, which is relative to `folder`.
    ///
    /// # Errors
    /// [`LocationError`] if git could do something else than fetch a repository.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, LocationError> {
        let shown = || without_secrets(text).escape_debug().to_string();
        if text.trim().is_empty() {
            return Err(LocationError::Empty);
        }
        if text.starts_with('-') {
            return Err(LocationError::Dash(shown()));
        }
        if text.chars().any(char::is_control) {
            return Err(LocationError::Url(shown()));
        }
        if let Some((protocol, rest)) = text.split_once("://") {
            let is_known = PROTOCOLS.contains(&protocol.to_ascii_lowercase().as_str());
            let is_protocol = protocol.chars().all(|c| c.is_ascii_alphanumeric() || "+-.:".contains(c));
            if !is_known && is_protocol {
                return Err(LocationError::Protocol(protocol.escape_debug().to_string()));
            }
            let (authority, path) = split_authority(rest);
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let is_local = protocol.eq_ignore_ascii_case("file");
            let is_url = is_known
                && !authority.starts_with('-')
                && !host.starts_with('-')
                && (is_local || !host.is_empty())
                && !path.split(['?', '#']).next().unwrap_or_default().trim_matches('/').is_empty();
            return if is_url { Ok(Self::Remote(RemoteUrl::new(text))) } else { Err(LocationError::Url(shown())) };
        }
        let start = text.split('/').next().unwrap_or_default();
        if let Some((protocol, _)) = start.split_once("::") {
            return Err(LocationError::Protocol(protocol.escape_debug().to_string()));
        }
        if let Some(shown) = without_password(text) {
            return Err(LocationError::Password(shown.escape_debug().to_string()));
        }
        // The short form of ssh, `user@host:path`. One letter before the colon is a drive of Windows.
        match start.split_once(':') {
            Some((host, _)) if host.chars().count() > 1 => {
                let name = host.rsplit_once('@').map_or(host, |(_, name)| name);
                let is_url = !name.is_empty() && !name.starts_with('-') && !text.ends_with(':');
                if is_url { Ok(Self::Remote(RemoteUrl::new(text))) } else { Err(LocationError::Url(shown())) }
            }
            _ => Ok(Self::Path(folder.join(text))),
        }
    }

    /// The path or URL, without secrets.
    pub fn shown(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Remote(url) => url.shown().to_owned(),
        }
    }

    /// The name that a source at this place has by default.
    pub(super) fn name(&self) -> CompactString {
        let last = match self {
            Self::Path(path) => {
                let whole = || path.canonicalize().ok()?.file_name().map(|name| name.to_string_lossy().into_owned());
                path.file_name().map(|name| name.to_string_lossy().into_owned()).or_else(whole).unwrap_or_default()
            }
            Self::Remote(url) => {
                let path = url.shown().trim_end_matches('/');
                let last = path.rsplit(['/', ':']).next().unwrap_or_default();
                last.strip_suffix(".git").unwrap_or(last).to_owned()
            }
        };
        let plain = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
        let name: CompactString = last.chars().map(plain).collect();
        let name = CompactString::from(name.trim_start_matches(|c: char| !c.is_alphanumeric()));
        if is_name(&name) { name } else { "source".into() }
    }
}

/// Checks the name of a branch, tag or commit by the rules of `git check-ref-format`.
///
/// # Errors
/// [`LocationError::Branch`].
pub fn check_branch(name: &str) -> Result<(), LocationError> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let is_good = !name.is_empty()
        && !name.starts_with(['-', '/', '.'])
        && !name.ends_with(['/', '.'])
        && name.strip_suffix(".lock").is_none()
        && !["..", "//", "@{", "/."].iter().any(|part| name.contains(part))
        && !name.chars().any(is_odd);
    if is_good { Ok(()) } else { Err(LocationError::Branch(name.escape_debug().to_string())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Location, LocationError> {
        Location::parse(text, Path::new("/here"))
    }

    #[test]
    fn paths_are_relative_to_the_file_and_urls_are_those_of_git() {
        for (text, path) in
            [("lib", "/here/lib"), ("../lib", "/here/../lib"), ("/a/b:c", "/a/b:c"), ("./-x", "/here/./-x")]
        {
            assert_eq!(parse(text), Ok(Location::Path(path.into())), "{text}");
        }
        for (text, shown, name) in [
            ("https://example.org/a/kit.git", "https://example.org/a/kit.git", "kit"),
            ("git@example.org:a/kit.git", "git@example.org:a/kit.git", "kit"),
            ("ssh://git:word@example.org/a/kit/", "ssh://git@example.org/a/kit/", "kit"),
            ("https://user:to-ken@example.org/a/kit?token=x", "https://example.org/a/kit", "kit"),
            ("https://to-ken@example.org/a/kit", "https://example.org/a/kit", "kit"),
            ("file:///srv/kit", "file:///srv/kit", "kit"),
        ] {
            let location = parse(text).expect(text);
            assert_eq!((location.shown().as_str(), location.name().as_str()), (shown, name));
            assert!(!format!("{location:?}").contains("to-ken"), "{location:?}");
        }
    }

    #[test]
    fn locations_that_git_would_execute_or_take_for_options_are_refused() {
        for text in [
            "--upload-pack=touch /tmp/x",
            "-x",
            "ext::sh -c touch% /tmp/x",
            "fd::3",
            "http://example.org/a/b",
            "ext://x/y",
            "git+ssh://example.org/a",
            "ssh://-oProxyCommand=touch/x",
            "ssh://a@-oProxyCommand=touch/x",
            "a@-oProxyCommand=x:y",
            "https://",
            "https:///a",
            "https://example.org",
            "a\nb",
            "",
        ] {
            let refused = parse(text);
            let line = refused.as_ref().map_or_else(ToString::to_string, |location| format!("{location:?}"));
            assert!(refused.is_err() && !line.contains('\n'), "{text}: {line}");
        }
        for secret in
            ["http://user:to-ken@example.org/a", "git:to-ken@example.org:a", "https://user:to-ken@example.org"]
        {
            let said = parse(secret).expect_err("an error").to_string();
            assert!(!said.contains("to-ken"), "{said}");
        }
    }

    #[test]
    fn branches_are_names_and_not_options_or_expressions() {
        for name in ["main", "feature/x", "v1.2.3", "0123456789abcdef0123456789abcdef01234567", "ä"] {
            assert_eq!(check_branch(name), Ok(()), "{name}");
        }
        for name in ["", "-x", "--upload-pack=x", "a..b", "a b", "HEAD~1", "a:b", "a\nb", "@{u}", "x.lock", ".a", "a/"]
        {
            assert!(check_branch(name).is_err(), "{name}");
        }
    }
}
