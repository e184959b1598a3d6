//! The URL of a git repository, and its secrets.

use apidisc_base::sort::SharedSort as _;

/// The URL of a git repository.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteUrl {
    /// The URL as it was given.
    whole: String,
    /// The URL without a password, token or query.
    shown: String,
}

/// The password that GitHub documents for a token in the place of the user.
const NO_PASSWORD: &str = "x-oauth-basic";
/// The least length of a user that is taken for a token, although there is a password.
const LEAST_TOKEN: usize = 20;

impl RemoteUrl {
    pub(super) fn new(text: &str) -> Self {
        Self { whole: text.to_owned(), shown: without_secrets(text) }
    }

    /// The URL as it was given. It may contain secrets.
    pub fn with_secrets(&self) -> &str {
        &self.whole
    }

    /// The URL without secrets, for git and for people.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The protocol in lower case; `ssh` for the short form `user@host:path`.
    pub fn protocol(&self) -> String {
        self.whole.split_once("://").map_or_else(|| "ssh".to_owned(), |(protocol, _)| protocol.to_ascii_lowercase())
    }

    /// The user and the password before the host, as they are written.
    pub fn user_and_password(&self) -> Option<(&str, Option<&str>)> {
        let (_, rest) = self.whole.split_once("://")?;
        let (user, _) = split_authority(rest).0.rsplit_once('@')?;
        Some(user.split_once(':').map_or((user, None), |(user, password)| (user, Some(password))))
    }

    /// The text behind the question mark; `None` if there is none.
    pub fn query(&self) -> Option<&str> {
        let (_, query) = self.whole.split_once("://")?.1.split_once('?')?;
        Some(query.split('#').next().unwrap_or(query)).filter(|query| !query.is_empty())
    }

    /// The parts of the URL that are secret, longest first: the password, the pair of user and password, a token in the
    /// place of the user, the query and its values. The name of a user is none.
    pub fn secrets(&self) -> Vec<String> {
        let mut secrets = Vec::new();
        if let Some((user, password)) = self.user_and_password() {
            let word = password.filter(|word| !word.is_empty() && *word != NO_PASSWORD);
            if word.is_none() || user.len() >= LEAST_TOKEN {
                secrets.push(user.to_owned());
            }
            secrets.extend(word.map(str::to_owned));
            secrets.extend(password.map(|password| format!("{user}:{password}")));
        }
        if let Some(query) = self.query() {
            secrets.push(query.to_owned());
            secrets.extend(query.split('&').filter_map(|pair| Some(pair.split_once('=')?.1.to_owned())));
        }
        // The user of ssh is part of the shown URL.
        let is_ssh = self.protocol() == "ssh";
        secrets.retain(|secret| !(secret.is_empty() || is_ssh && self.shown.contains(secret.as_str())));
        secrets.shared_sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets
    }
}

/// Shows the URL without secrets.
impl std::fmt::Debug for RemoteUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("RemoteUrl").field(&self.shown).finish()
    }
}

/// The part of a URL behind `://` that names the user and the host, and the part behind it. A password with a slash
/// that is not written as `%2F` belongs to the first part, since what stands before it is no host.
pub(super) fn split_authority(rest: &str) -> (&str, &str) {
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_host = authority.contains('@')
        || authority.ends_with(']')
        || authority.rsplit_once(':').is_none_or(|(_, port)| port.bytes().all(|digit| digit.is_ascii_digit()));
    match rest.rfind('@') {
        Some(at) if !is_host => rest.split_at(at + rest[at..].find(['/', '?', '#']).unwrap_or(rest.len() - at)),
        _ => (authority, path),
    }
}

/// A URL without the parts that may be secret: the user and password of https, the password of other protocols, a
/// query, a fragment.
pub(super) fn without_secrets(text: &str) -> String {
    let Some((protocol, rest)) = text.split_once("://") else {
        return without_password(text).unwrap_or_else(|| text.to_owned());
    };
    let (authority, path) = split_authority(rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let authority = match authority.rsplit_once('@') {
        None => authority.to_owned(),
        Some((user, host)) if protocol.eq_ignore_ascii_case("ssh") => {
            format!("{}@{host}", user.split(':').next().unwrap_or_default())
        }
        Some((_, host)) => host.to_owned(),
    };
    format!("{protocol}://{authority}{path}")
}

/// The short form of ssh without the password that somebody has written into it: `user:password@host:path`. `None` for
/// a text without one.
pub(super) fn without_password(text: &str) -> Option<String> {
    let (user, rest) = text.split_once(':')?;
    let (_, host) = rest.rsplit_once('@').filter(|(_, host)| host.contains(':'))?;
    (!user.contains(['/', '@'])).then(|| format!("{user}@{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secrets_of_a_url_are_its_password_token_and_query_and_not_its_user() {
        let long = "github_pat_0123456789abcdef";
        let of_long = format!("https://{long}:word@a.example/b");
        for (url, shown, secrets) in [
            ("https://u:w0rd@a.example/b", "https://a.example/b", &["u:w0rd", "w0rd"][..]),
            ("https://ghp_1@a.example/b", "https://a.example/b", &["ghp_1"]),
            ("https://ghp_1:@a.example/b", "https://a.example/b", &["ghp_1:", "ghp_1"]),
            ("https://t0k:x-oauth-basic@a.example/b", "https://a.example/b", &["t0k:x-oauth-basic", "t0k"]),
            ("https://u:p@ss@a.example:8443/b", "https://a.example:8443/b", &["u:p@ss", "p@ss"]),
            ("https://u:pa/ss@a.example/b", "https://a.example/b", &["u:pa/ss", "pa/ss"]),
            (&of_long, "https://a.example/b", &[&format!("{long}:word"), long, "word"]),
            ("https://a.example/b?access_token=xyz#f", "https://a.example/b", &["access_token=xyz", "xyz"]),
            ("ssh://git:w0rd@a.example:2222/b", "ssh://git@a.example:2222/b", &["git:w0rd", "w0rd"]),
            ("ssh://git@a.example:2222/b", "ssh://git@a.example:2222/b", &[]),
            ("https://[::1]:8443/b", "https://[::1]:8443/b", &[]),
            ("https://a.example/b@v1", "https://a.example/b@v1", &[]),
        ] {
            let remote = RemoteUrl::new(url);
            assert_eq!(
                (remote.shown(), remote.secrets()),
                (shown, secrets.iter().map(ToString::to_string).collect()),
                "{url}"
            );
        }
        assert_eq!(without_secrets("git:w0rd@a.example:b"), "git@a.example:b");
        assert_eq!(without_secrets("git@a.example:b@v1"), "git@a.example:b@v1");
    }
}
