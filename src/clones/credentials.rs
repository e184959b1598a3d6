//! Hands the user and the password of a URL to git. Arguments are shown to every user of the machine in the list of
//! processes, so the secrets are in the environment of git alone, which only its own user can read.

use std::{env, process::Command};

use percent_encoding::percent_decode_str;

use apidisc::RemoteUrl;

/// The environment variables from which [`HELPER`] takes its answer.
const USER: &str = "APIDISC_GIT_USER";
const PASSWORD: &str = "APIDISC_GIT_PASSWORD";
/// A credential helper of git (gitcredentials(7)) that answers with the user and password of the environment.
const HELPER: &str = r#"!f() { test "$1" = get && printf 'username=%s\npassword=%s\n' "$APIDISC_GIT_USER" "$APIDISC_GIT_PASSWORD"; }; f"#;

/// The reason for which git cannot be given the secrets of a URL, with a remedy.
pub(super) fn problem(url: &RemoteUrl) -> Option<&'static str> {
    let has_break = |text: &str| decoded(text).contains(['\n', '\r', '\0']);
    let (user, password) = url.user_and_password().unwrap_or_default();
    if url.query().is_some() {
        return Some(
            "its URL has a query, which every user of this machine would see in the list of processes; leave the query out, \
             and write a token as https://TOKEN@HOST/PATH or keep it with a credential helper of git",
        );
    }
    (has_break(user) || password.is_some_and(has_break)).then_some("the user or password in its URL has a line break")
}

/// A remark on a part of the URL that is not used.
pub(super) fn note(url: &RemoteUrl) -> Option<&'static str> {
    let has_password = url.user_and_password().is_some_and(|(_, password)| password.is_some());
    (url.protocol() == "ssh" && has_password).then_some(
        "the password in its URL is not used, because ssh takes none; use a key or an agent, and leave it out",
    )
}

/// Sets the environment of a run of git, whose arguments contain the URL without its secrets.
pub(super) fn provide(url: &RemoteUrl, command: &mut Command) {
    let Some((user, password)) = url.user_and_password().filter(|_| url.protocol() == "https") else { return };
    // The settings hold for the host alone: a server to which git is redirected gets nothing.
    let host = url.shown().splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let name = |variable: &str| format!("credential.{host}.{variable}");
    let settings = match password {
        // An empty entry removes the helpers of the user, which would keep the secret on the disk.
        Some(_) => [(name("helper"), String::new()), (name("helper"), HELPER.to_owned())],
        // A name alone may be that of a user whose password the helpers know. A token has no password.
        None => [(name("username"), decoded(user)), (name("helper"), HELPER.to_owned())],
    };
    command.env(USER, decoded(user)).env(PASSWORD, decoded(password.unwrap_or_default()));
    // The settings follow those that the environment has.
    let known: usize = env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or_default();
    for (at, (key, value)) in (known..).zip(&settings) {
        command.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
    command.env("GIT_CONFIG_COUNT", (known + settings.len()).to_string());
}

/// A text without the secrets of a URL, written with percent escapes or without. A secret is only found as a whole
/// word: a short one is a part of many words.
pub(super) fn without_secrets(text: &str, url: &RemoteUrl) -> String {
    let mut text = text.replace(url.with_secrets(), url.shown());
    for secret in url.secrets() {
        let plain = decoded(&secret);
        text = masked(&text, &secret);
        if plain != secret {
            text = masked(&text, &plain);
        }
    }
    text
}

/// A text with `***` in place of each occurrence of a secret that is no part of a longer word.
fn masked(text: &str, secret: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = (is_word(secret.chars().next()), is_word(secret.chars().next_back()));
    let (mut masked, mut end) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices(secret) {
        let next = at + secret.len();
        let is_part =
            (first && is_word(text[..at].chars().next_back())) || (last && is_word(text[next..].chars().next()));
        if !is_part {
            masked.push_str(&text[end..at]);
            masked.push_str("***");
            end = next;
        }
    }
    masked + &text[end..]
}

/// A part of a URL without percent escapes.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use apidisc::Location;

    use super::*;

    fn url(text: &str) -> RemoteUrl {
        match Location::parse(text, Path::new("/")) {
            Ok(Location::Remote(url)) => url,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn secrets_are_masked_as_whole_words_and_names_of_users_are_not() {
        for (given, said, shown) in [
            (
                "https://u:w@h/k",
                "fatal: unable to update url for u:w@h, w",
                "fatal: unable to update url for ***@h, ***",
            ),
            ("https://u:p%40ss@h/k", "denied p@ss p%40ss 'p@ss' p@ssword", "denied *** *** '***' p@ssword"),
            ("https://tok@h/k", "fatal: token tok (tok) stock", "fatal: token *** (***) stock"),
            ("https://u:w@h/k", "fatal: 'https://u:w@h/k' not found", "fatal: 'https://h/k' not found"),
            ("ssh://git:w0rd@h/k", "git@h: denied w0rd", "git@h: denied ***"),
        ] {
            assert_eq!(without_secrets(said, &url(given)), shown, "{given}");
        }
    }

    #[test]
    fn what_git_cannot_be_given_is_said() {
        assert!(problem(&url("https://h/k?private_token=x")).is_some_and(|why| why.contains("https://TOKEN@HOST")));
        assert!(problem(&url("https://u:a%0ab@h/k")).is_some_and(|why| why.contains("line break")));
        assert_eq!((problem(&url("https://u:a@h/k")), note(&url("https://u:a@h/k"))), (None, None));
        assert!(note(&url("ssh://u:a@h:22/k")).is_some_and(|note| note.contains("not used")));
        assert_eq!(note(&url("ssh://u@h:22/k")), None);
    }
}
