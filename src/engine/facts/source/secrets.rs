//! Files that hold secrets: keys, passwords and tokens. Nothing of them is indexed or shown to a language model.
//!
//! A file is known by its name, or by what stands in it. Names are compared as the most lenient file systems compare
//! them: without case, without dots and spaces at the end, and without characters that are not seen.

use std::{collections::BTreeSet, path::Path};

use apidisc_base::language::Language;

/// Folders of tools that hold secrets, or the history of a repository with the URLs of its remotes.
const FOLDERS: [&str; 9] = [".git", ".hg", ".svn", ".bzr", ".jj", ".ssh", ".gnupg", ".password-store", ".secrets"];

/// Files that hold secrets by their whole name.
const NAMES: [&str; 47] = [
    // Passwords of servers, packages and databases.
    ".netrc",
    "_netrc",
    ".authinfo",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    "htpasswd",
    ".htdigest",
    ".pgpass",
    "pgpass.conf",
    ".my.cnf",
    ".mylogin.cnf",
    ".dockercfg",
    ".dockerconfigjson",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".vault_pass",
    ".vault-pass",
    ".vault_pass.txt",
    // Credentials, of accounts and services.
    "credentials",
    ".credentials",
    "credentials.json",
    "credentials.toml",
    "credentials.yml",
    "credentials.yaml",
    "credentials.csv",
    ".credentials.json",
    "application_default_credentials.json",
    "accesstokens.json",
    "kubeconfig",
    "terraform.tfvars",
    "terraform.tfvars.json",
    // Files that are called secret.
    "secrets",
    ".secrets",
    "secrets.json",
    "secrets.toml",
    "secrets.yml",
    "secrets.yaml",
    "secrets.ini",
    "secrets.txt",
    // What was typed.
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
];

/// Files that hold secrets by the folder that they lie in, and their name.
const NAMES_IN_FOLDERS: [(&str, &str); 7] = [
    (".aws", "config"),
    (".aws", "credentials"),
    (".docker", "config.json"),
    (".kube", "config"),
    (".cargo", "credentials"),
    (".composer", "auth.json"),
    ("gcloud", "credentials.db"),
];

/// Endings of keys, of certificates with keys, and of stores of passwords.
const ENDINGS: [&str; 22] = [
    "pem",
    "key",
    "p8",
    "p12",
    "pfx",
    "pk8",
    "pkcs12",
    "ppk",
    "jks",
    "jceks",
    "bks",
    "keystore",
    "truststore",
    "keytab",
    "kdb",
    "kdbx",
    "ovpn",
    "agekey",
    "env",
    "tfstate",
    "tfvars",
    "htpasswd",
];

/// Algorithms in the names of keys of ssh, such as `id_ed25519_work`.
const ALGORITHMS: [&str; 6] = ["rsa", "dsa", "ecdsa", "ed25519", "ed448", "xmss"];

/// Beginnings of the names of keys of services.
const SERVICE_KEYS: [&str; 6] =
    ["client_secret", "client-secret", "service-account", "service_account", "serviceaccount", "firebase-adminsdk"];

/// Settings of tools that may hold a password or token among other things.
const SETTINGS: [&str; 22] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    ".gitmodules",
    ".gitconfig",
    "gitconfig",
    ".hgrc",
    "hgrc",
    "pip.conf",
    "pip.ini",
    "uv.toml",
    "poetry.toml",
    ".condarc",
    "gradle.properties",
    "settings.xml",
    "nuget.config",
    ".terraformrc",
    "terraform.rc",
    ".curlrc",
    ".wgetrc",
    ".mcp.json",
];

/// Parts of the names of settings whose values are secret.
const SECRET_KEYS: [&str; 8] = ["_auth", "authtoken", "token", "password", "passwd", "secret", "apikey", "api_key"];

/// The least number of letters of a key in the form of base64. Examples in documents are cut off before.
const LEAST_KEY: usize = 32;

/// True for a file that holds secrets by its name. `path` is relative to the root of its source or project.
pub fn is_secret_name(path: &str) -> bool {
    let parts = || path.split(['/', '\\']);
    // Most parts are no name of a secret folder at first sight, and paths may have many.
    let is_secret_folder =
        |part: &str| (part.starts_with('.') || !part.is_ascii()) && FOLDERS.contains(&plain(part).as_str());
    let mut last = parts().rev().map(plain).filter(|part| !part.is_empty());
    let Some(name) = last.next() else { return false };
    let (name, folder) = (name.as_str(), last.next().unwrap_or_default());
    if parts().any(is_secret_folder) || NAMES.contains(&name) {
        return true;
    }
    // A folder that ends in `.git` is a repository without files beside it.
    if NAMES_IN_FOLDERS.contains(&(folder.as_str(), name))
        || (folder.strip_suffix(".git").is_some() && name == "config")
    {
        return true;
    }
    let (stem, ending) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""));
    name.starts_with(".env")
        || ENDINGS.contains(&ending)
        || (matches!(ending, "json" | "yml" | "yaml") && SERVICE_KEYS.iter().any(|key| stem.contains(key)))
        || is_ssh_key(name, ending)
}

/// True for the private key of a pair of ssh: `id_rsa`, `id_ed25519.bak`, `id_deploy`; not for `id_rsa.pub`.
fn is_ssh_key(name: &str, ending: &str) -> bool {
    let Some(rest) = name.strip_prefix("id_") else { return false };
    let of_algorithm =
        |algorithm: &&str| rest.strip_prefix(algorithm).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    ending != "pub" && Language::of_path(name).is_none() && (ending.is_empty() || ALGORITHMS.iter().any(of_algorithm))
}

/// True for a text that holds secrets: a private key, or the settings of a tool with a password or token. The text of a
/// file of code is the author's own, so it is not looked at.
pub fn holds_secret(path: &str, text: &str) -> bool {
    if Language::of_path(path).is_some() {
        return false;
    }
    let name = plain(path.rsplit(['/', '\\']).next().unwrap_or(path));
    holds_private_key(text) || (SETTINGS.contains(&name.as_str()) && text.lines().any(is_secret_setting))
}

/// True for a text with a whole private key, in a file of its own or within JSON or YAML.
fn holds_private_key(text: &str) -> bool {
    let begins = text.match_indices("-----BEGIN ").filter_map(|(at, begin)| {
        let (kind, rest) = text[at + begin.len()..].split_once("-----")?;
        (kind.contains("PRIVATE KEY") && kind.len() < 40).then_some(rest)
    });
    let in_settings = text.match_indices("client-key-data:").map(|(at, key)| &text[at + key.len()..]);
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    // Some lines about the encryption may come before the key.
    let has_key = |rest: &str| {
        rest.as_bytes()[..rest.len().min(400)].split(|byte| !is_base64(byte)).any(|run| run.len() >= LEAST_KEY)
    };
    begins.chain(in_settings).any(has_key) || text.contains("PuTTY-User-Key-File-")
}

/// True for a line like `//registry.npmjs.org/:_authToken=npm_1a2b`, `npmAuthToken: "x"`, `<password>x</password>` or
/// `url = https://user:password@host/`, unless the value is the name of a variable.
fn is_secret_setting(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with(['#', ';']) {
        return false;
    }
    let is_value = |value: &str| {
        let value = value.trim_matches(|c: char| c.is_whitespace() || "\"',".contains(c));
        !value.is_empty() && !value.starts_with(['$', '<', '{', '%'])
    };
    let of_url = |(at, scheme): (usize, &str)| {
        let rest = &line[at + scheme.len()..];
        let authority = rest.split(['/', ' ', '"', '\'']).next().unwrap_or_default();
        authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).is_some_and(|(_, word)| is_value(word))
    };
    let (key, value) = match line.strip_prefix('<') {
        Some(element) => element.split_once('>').unwrap_or((element, "")),
        None => line.split_once('=').or_else(|| line.split_once(": ")).unwrap_or((line, "")),
    };
    let key = key.to_lowercase();
    (SECRET_KEYS.iter().any(|word| key.contains(word)) && is_value(value)) || line.match_indices("://").any(of_url)
}

/// A name as the most lenient file systems compare it.
fn plain(name: &str) -> String {
    let is_seen = |c: &char| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    // What follows a colon names a stream of the file.
    let name = name.split(':').next().unwrap_or_default();
    name.trim_end_matches(['.', ' ']).chars().filter(is_seen).flat_map(char::to_lowercase).collect()
}

/// Files that a person allows to be shown to a model, although they hold secrets or are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedFiles(BTreeSet<String>);

impl AllowedFiles {
    /// The files that a person has named: relative to `root`, or else to the present folder.
    pub fn below(root: &Path, named: &[String]) -> Self {
        let relative = |named: &String| {
            let inside =
                || Some(Path::new(named).canonicalize().ok()?.strip_prefix(root.canonicalize().ok()?).ok()?.to_owned());
            let path = if root.join(named).exists() && !Path::new(named).is_absolute() { None } else { inside() };
            let path = path.map_or_else(|| named.clone(), |path| path.to_string_lossy().into_owned());
            path.replace('\\', "/").trim_start_matches("./").to_owned()
        };
        Self(named.iter().map(relative).collect())
    }

    /// True for the path of an allowed file, relative to the root.
    pub fn contains(&self, path: &str) -> bool {
        self.0.contains(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        for path in [
            ".env",
            "a/.env.production",
            ".envrc",
            ".ENV",
            ".env.",
            ".env ",
            ".env::$DATA",
            ".e\u{200c}nv",
            "prod.env",
            ".git/config",
            "a/.git/config",
            ".Git\\config",
            "kit.git/config",
            ".netrc",
            "_netrc",
            ".pypirc",
            "server.pem",
            "certs/Server.KEY",
            "a.p12",
            "a.pfx",
            "a.jks",
            "android/app/release.keystore",
            "id_rsa",
            ".ssh/known_hosts",
            "id_ed25519_work",
            "id_ecdsa.bak",
            "keys/id_deploy",
            ".aws/credentials",
            ".docker/config.json",
            ".kube/config",
            ".htpasswd",
            ".git-credentials",
            "credentials.json",
            "my-service-account-1.json",
            ".cargo/credentials.toml",
            "secrets.yaml",
            ".streamlit/secrets.toml",
            "terraform.tfstate",
            "prod.tfvars",
            ".bash_history",
        ] {
            assert!(is_secret_name(path), "{path}");
        }
        for path in [
            "src/env.ts",
            "environment.yml",
            "env/a.py",
            "secrets.py",
            "src/credentials.ts",
            "id_map.py",
            "id_rsa.pub",
            "id_rsa.py",
            "id_rsagrid.json",
            "keys.md",
            "key",
            "config",
            "docker/config.json",
            ".github/workflows/ci.yml",
            ".gitignore",
            "git/config.py",
            "service_account.py",
            "pyproject.toml",
            "monkey.py",
            "",
            "docs/pem.md",
        ] {
            assert!(!is_secret_name(path), "{path}");
        }
    }

    #[test]
    fn texts_with_keys_and_settings_with_tokens_are_known() {
        let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n", "MIIEpAIBAAKCAQEA".repeat(4));
        let account = format!("{{\"private_key\": \"{}\"}}", key.replace('\n', "\\n"));
        let kube = format!("users:\n- user:\n    client-key-data: {}\n", "LS0tLS1CRUdJTiBS".repeat(4));
        for (path, text) in [
            ("notes.txt", key.as_str()),
            ("account.json", &account),
            ("cluster.yaml", &kube),
            (".npmrc", "registry=https://x\n//registry.npmjs.org/:_authToken=npm_1a2b\n"),
            (".yarnrc.yml", "npmAuthToken: \"1a2b\"\n"),
            ("pip.conf", "[global]\nindex-url = https://me:w0rd@pypi.example/simple\n"),
            (".gitmodules", "\turl = https://me:ghp_1@github.com/a/b\n"),
            ("settings.xml", "  <password>w0rd</password>\n"),
        ] {
            assert!(holds_secret(path, text), "{path}");
        }
        for (path, text) in [
            ("docs/tls.md", "-----BEGIN PRIVATE KEY-----\nMIIEv...\n-----END PRIVATE KEY-----\n"),
            ("cert.txt", &key.replace("RSA PRIVATE KEY", "CERTIFICATE")),
            ("tests/test_jwt.py", &key),
            (".npmrc", "# _authToken=x\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nsave-exact=true\n"),
            ("README.md", "postgres://user:password@localhost/db\nTOKEN=abc\n"),
            (".gitmodules", "\turl = https://github.com/a/b\n"),
        ] {
            assert!(!holds_secret(path, text), "{path}");
        }
    }

    #[test]
    fn an_allowed_file_is_named_from_the_root_or_from_the_present_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(".env"), "").expect("a file");
        let whole = folder.path().join(".env").display().to_string();
        for named in [".env", "./.env", &whole] {
            assert!(AllowedFiles::below(folder.path(), &[named.to_owned()]).contains(".env"), "{named}");
        }
        assert!(!AllowedFiles::below(folder.path(), &[".env".to_owned()]).contains("a/.env"));
    }
}
