//! The installed packages that the code uses.

use std::{fs, path::Path};

use serde_json::json;
use tempfile::TempDir;

use crate::client::{Era, Server, export};

/// A program with an environment that holds one of the two packages which it imports.
fn program() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "app.py",
        "from kit import Client\nimport gone\n\n\ndef own(a): ...\n\n\nClient('x', timeout=3).get('/')\nown(1)\n",
    );
    write(".venv/pyvenv.cfg", "home = /usr\nversion = 3.12.1\n");
    let site = ".venv/lib/python3.12/site-packages";
    write(
        &format!("{site}/kit/__init__.py"),
        "class Client:\n    \"\"\"Gets pages.\"\"\"\n    def __init__(self, address, timeout=1, proxy=None): ...\n    \
         def get(self, path, retries=0): ...\n",
    );
    write(&format!("{site}/kit-2.1.dist-info/METADATA"), "Metadata-Version: 2.1\nName: kit\nVersion: 2.1\n");
    write(&format!("{site}/kit-2.1.dist-info/top_level.txt"), "kit\n");
    folder
}

#[test]
fn packages_are_listed_with_their_use() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let text = server.text("list_dependencies", json!({}));
    let expected = "kit 2.1: 2 calls of 2 definitions with 3 parameters, imported by 1 file\n\
                    gone not installed: imported by 1 file\n";
    assert_eq!(text, expected);
}

#[test]
fn a_package_is_shown_as_the_code_uses_it_in_the_bytes_of_export() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let text = server.text("get_module_help", json!({"package": "kit", "wording": "full"}));
    assert_eq!(text, export(program.path(), &["--package", "kit", "--wording", "full"]));
    assert!(text.contains("timeout") && !text.contains("proxy:") && !text.contains("proxy ="), "{text}");
    let found = server.text("search_symbols", json!({"query": "client", "package": "kit"}));
    assert!(found.contains("kit.Client class"), "{found}");
    let found = server.text("discover", json!({"intent": "get pages", "package": "kit"}));
    assert!(found.contains("kit.Client"), "{found}");
    let source = server.text("get_symbols", json!({"names": ["kit.Client"], "include_source": true}));
    assert!(source.contains("proxy=None"), "{source}");
}

#[test]
fn a_name_that_begins_with_a_package_needs_no_argument() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let text = server.text("get_symbols", json!({"hashes": ["kit.Client"]}));
    assert!(text.contains("kit.Client class") && text.contains("Gets pages."), "{text}");
    assert!(server.text("get_module_help", json!({"module_name": "kit"})).contains("class Client"));
    // The names of the code come first, and other unknown names are not looked for in packages.
    assert!(server.text("get_module_help", json!({"module_name": "app"})).contains("def own"));
    let unknown = server.call("get_module_help", json!({"module_name": "kitten"}));
    assert!(unknown.to_string().contains("no module is called"), "{unknown}");
}

#[test]
fn a_package_that_cannot_be_shown_is_named_with_the_reason() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let why = server.call("get_module_help", json!({"package": "gone"})).to_string();
    assert!(why.contains("gone is not installed in an environment that was found"), "{why}");
    let why = server.call("get_module_help", json!({"package": "other"})).to_string();
    assert!(why.contains("the code uses no package other; it uses kit, gone"), "{why}");
    let program = program.path().to_str().unwrap();
    let mut server = Server::start(Era::Modern, [program, "--no-deps"]);
    let why = server.call("list_dependencies", json!({})).to_string();
    assert!(why.contains("packages are left out by --no-deps"), "{why}");
}

#[test]
fn what_is_installed_later_is_found() {
    let program = program();
    let site = program.path().join(".venv/lib/python3.12/site-packages");
    let away = program.path().join("away");
    fs::rename(program.path().join(".venv"), &away).unwrap();
    let mut server = Server::start(Era::Modern, [program.path()]);
    assert!(server.text("list_dependencies", json!({})).starts_with("kit not installed: 1 call"));
    fs::rename(&away, program.path().join(".venv")).unwrap();
    assert!(server.text("list_dependencies", json!({})).starts_with("kit 2.1: 2 calls"));
    fs::write(site.join("gone.py"), "def f(): ...\n").unwrap();
    assert!(server.text("list_dependencies", json!({})).contains("gone: imported by 1 file"));
}

#[test]
fn names_of_the_code_and_of_packages_may_be_asked_for_together() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let text = server.text("get_symbols", json!({"hashes": ["app.own", "kit.Client", "nothing"]}));
    assert!(text.contains("app.own function") && text.contains("kit.Client class"), "{text}");
}

#[test]
fn agents_are_told_of_packages() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let told = server.ask("server/discover", json!({}))["result"]["instructions"].to_string();
    assert!(told.contains("list_dependencies") && told.contains("package"), "{told}");
    assert!(told.len() < 800, "{told}");
}

#[test]
fn a_hash_of_a_package_and_research_about_it_are_answered() {
    let program = program();
    let mut server = Server::start(Era::Modern, [program.path()]);
    // printf kit.Client | sha256sum: packages that nobody has asked about are not read for a hash.
    let by_hash = json!({"hashes": ["65964990e6c4"]});
    assert!(!server.call("get_symbols", by_hash.clone()).to_string().contains("kit.Client class"));
    server.text("search_symbols", json!({"query": "Client", "package": "kit"}));
    assert!(server.text("get_symbols", by_hash).contains("kit.Client class"));
    let context = server.text("research_api", json!({"question": "How do I get pages?", "package": "kit"}));
    assert!(context.contains("class Client") && context.contains("site-packages/kit"), "{context}");
    // Names below a module of the code are those of the code.
    let unknown = server.call("get_symbols", json!({"hashes": ["app.missing"]})).to_string();
    assert!(unknown.contains("app.missing"), "{unknown}");
}

#[test]
fn a_list_of_sources_says_where_packages_are_and_which_source_has_examples_of_them() {
    let program = program();
    let write = |path: &str, text: &str| {
        let path = program.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
        fs::write(path, text).unwrap();
    };
    fs::rename(program.path().join(".venv"), program.path().join("elsewhere")).unwrap();
    write("clone/examples/get.py", "from kit import Client\nClient('https://a', proxy='b').get('/home', retries=2)\n");
    write("clone/kit/__init__.py", "class Client:\n    def __init__(self, address, timeout=1, proxy=None): ...\n");
    write(
        "sources.yaml",
        "sources:\n  - url: .\n    exclude_paths: [clone]\n    environment: elsewhere\n  - url: clone\n    \
         examples_of: [kit]\n",
    );
    let list = program.path().join("sources.yaml");
    let mut server = Server::start(Era::Modern, ["--config", list.to_str().unwrap()]);
    assert!(server.text("list_dependencies", json!({})).starts_with("kit 2.1: 2 calls of 2 definitions"));
    let text = server.text("get_symbols", json!({"names": ["kit.Client"]}));
    assert!(text.contains("e.g. Client('https://a', proxy='b') (examples/get.py:2 of clone)"), "{text}");
}

#[test]
fn an_upgrade_is_checked_within_a_budget() {
    let program = program();
    let site = program.path().join(".venv-new/lib/python3.12/site-packages");
    fs::create_dir_all(site.join("kit-3.0.dist-info")).unwrap();
    fs::create_dir_all(site.join("kit")).unwrap();
    fs::write(program.path().join(".venv-new/pyvenv.cfg"), "home = /usr\nversion = 3.12.1\n").unwrap();
    fs::write(site.join("kit-3.0.dist-info/METADATA"), "Metadata-Version: 2.1\nName: kit\nVersion: 3.0\n").unwrap();
    fs::write(site.join("kit-3.0.dist-info/top_level.txt"), "kit\n").unwrap();
    let new = "class Client:\n    def __init__(self, address, *, wait=1): ...\n    def get(self, path): ...\n";
    fs::write(site.join("kit/__init__.py"), new).unwrap();
    let mut server = Server::start(Era::Modern, [program.path()]);
    let text = server.text("check_upgrade", json!({"package": "kit", "to": ".venv-new"}));
    let expected = "kit 2.1 → 3.0\n1 of 2 uses of kit still work: 1 break\n\
                    break  kit.Client(timeout)  removed-parameter  1 use\n  app.py:8\n  \
                    - Client(…, timeout=1, proxy=None)\n  + Client(…, *, wait=1)\n";
    assert_eq!(text, expected);
    let of_symbol = server.text("check_upgrade", json!({"package": "kit", "to": ".venv-new", "symbol": "get"}));
    assert_eq!(of_symbol, "kit 2.1 → 3.0\n1 of 1 uses of get still work\n");
    // Nothing outside the folder of the code is read.
    let outside = TempDir::new().unwrap();
    let above = format!("../{}", outside.path().file_name().unwrap().to_string_lossy());
    for path in [outside.path().to_str().unwrap(), "missing", above.as_str()] {
        let answer = server.call("check_upgrade", json!({"package": "kit", "to": path})).to_string();
        assert!(answer.contains("is no file or folder below the folder of the code"), "{answer}");
    }
}

#[test]
fn a_change_of_the_code_is_checked() {
    let folder = TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("kit/__init__.py", "def get(url, retries=0): ...\n");
    write("tests/test_kit.py", "from kit import get\nget('a', retries=1)\n");
    let git = |words: &[&str]| {
        let settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let mut git = std::process::Command::new("git");
        let git = git.args(settings).args(words).current_dir(folder.path()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(git.output().unwrap().status.success(), "git {words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    write("kit/__init__.py", "def get(url, tries=0): ...\n");
    let mut server = Server::start(Era::Modern, [folder.path()]);
    let text = server.text("check_upgrade", json!({"rev": "HEAD"}));
    assert!(text.starts_with("HEAD → the files as they are\n0 of 1 uses of this code still work: 1 break\n"), "{text}");
    assert!(text.contains("break  kit.get(retries)  removed-parameter  1 use"), "{text}");
    assert!(text.contains("tests/test_kit.py:2"), "{text}");
    let neither = server.call("check_upgrade", json!({})).to_string();
    assert!(neither.contains("say `package` and `to` for an upgrade"), "{neither}");
}
