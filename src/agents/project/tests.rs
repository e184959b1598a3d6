//! The file tools on a small project.

use std::{fs, path::Path, sync::Arc};

use serde_json::{Value, json};

use super::*;

/// A project with a few files, within a folder that has a secret beside the project.
fn project(outside: &Path) -> Registry {
    let root = outside.join("project");
    for (path, text) in [
        (".gitignore", "ignored.py\n"),
        ("app.py", "one\ntwo\nthree\n"),
        ("ignored.py", ""),
        (".hidden.py", ""),
        ("src/lib/util.py", ""),
        ("src/lib/page.ts", ""),
        ("src/package.json", "{}"),
        ("node_modules/x/index.js", ""),
        (".cache/page.ts", ""),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(root.join("image.png"), [0x89, 0xff, 0, 1]).unwrap();
    fs::write(outside.join("secret.txt"), "secret").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside, root.join("src/out")).unwrap();
        std::os::unix::fs::symlink(outside.join("secret.txt"), root.join("link.txt")).unwrap();
    }
    Arc::new(Project::open(&root).unwrap()).registry()
}

fn call(tools: &Registry, name: &str, arguments: Value) -> Result<String, String> {
    tools.get(name).unwrap().call(arguments).map(|value| value.as_str().unwrap().to_owned())
}

#[test]
fn files_are_read_by_lines() {
    let outside = tempfile::tempdir().unwrap();
    let tools = project(outside.path());
    let read = |arguments| call(&tools, "read_project_file", arguments);
    assert_eq!(read(json!({ "name": "app.py" })), Ok("one\ntwo\nthree".to_owned()));
    assert_eq!(
        read(json!({ "name": "./src/../app.py", "line": 2, "lines": 1 })),
        Ok("two\n(lines 2 to 2 of 3)".to_owned())
    );
    assert_eq!(
        read(json!({ "name": "app.py", "line": 9 })),
        Err("app.py has 3 lines, so none from line 9 on".to_owned())
    );
    assert_eq!(read(json!({ "name": "image.png" })), Err("image.png is no text".to_owned()));
    let missing = read(json!({ "name": "none.py" })).unwrap_err();
    assert!(missing.starts_with("none.py cannot be read: "), "{missing}");
}

#[test]
fn no_path_leads_out_of_the_project() {
    let outside = tempfile::tempdir().unwrap();
    let tools = project(outside.path());
    let secret = outside.path().join("secret.txt");
    for name in [
        "../secret.txt",
        "src/../../secret.txt",
        secret.to_str().unwrap(),
        "link.txt",
        "src/out/secret.txt",
        "/etc/passwd",
    ] {
        assert!(call(&tools, "read_project_file", json!({ "name": name })).is_err(), "{name}");
    }
    for folder in ["..", "src/out", "/", "src/out/project"] {
        for (tool, parameter) in [
            ("list_project_files", "folder"),
            ("list_project_files_recursive", "root_dir"),
            ("find_project_root", "start_path"),
        ] {
            assert!(call(&tools, tool, json!({ parameter: folder })).is_err(), "{tool} {folder}");
        }
    }
}

#[test]
fn files_are_listed_without_hidden_folders_and_ignored_files() {
    let outside = tempfile::tempdir().unwrap();
    let tools = project(outside.path());
    let listed = |tool, arguments| call(&tools, tool, arguments).map(|text| text.replace('\n', " "));
    assert_eq!(listed("list_project_files", json!({})), Ok(".gitignore .hidden.py app.py image.png src/".to_owned()));
    let every = ".gitignore .hidden.py app.py image.png src/lib/page.ts src/lib/util.py src/package.json";
    assert_eq!(listed("list_project_files_recursive", json!({})), Ok(every.to_owned()));
    let python = json!({ "pattern": "*.py" });
    assert_eq!(listed("list_project_files_recursive", python), Ok(".hidden.py app.py src/lib/util.py".to_owned()));
    let in_folder = json!({ "root_dir": "src", "pattern": "src/**/*.ts" });
    assert_eq!(listed("list_project_files_recursive", in_folder), Ok("src/lib/page.ts".to_owned()));
    let shallow = json!({ "root_dir": "src", "max_depth": 1 });
    assert_eq!(listed("list_project_files_recursive", shallow), Ok("src/package.json".to_owned()));
    let nothing =
        Err("no file of the project matches; hidden folders, ignored files, and files of secrets, are left out".into());
    assert_eq!(listed("list_project_files", json!({ "pattern": "*.rs" })), nothing);
    assert_eq!(listed("list_project_files_recursive", json!({ "max_depth": 0 })), nothing);
    assert!(listed("list_project_files", json!({ "pattern": "[" })).unwrap_err().starts_with("[ is no pattern: "));
}

#[test]
fn the_root_of_a_project_has_its_files() {
    let outside = tempfile::tempdir().unwrap();
    let tools = project(outside.path());
    let root = |start: &str| call(&tools, "find_project_root", json!({ "start_path": start }));
    assert_eq!((root("src/lib"), root(".")), (Ok("src".to_owned()), Ok(".".to_owned())));
}

#[test]
fn secrets_and_ignored_files_are_neither_read_nor_listed_unless_the_user_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    let key = format!("-----BEGIN PRIVATE KEY-----\n{}\n", "MIIEvQIBADANBgkq".repeat(4));
    let secrets = [
        (".env", "KEY=w0rd"),
        ("app/.ENV.local", "KEY=w0rd"),
        (".git/config", "url = https://me:w0rd@example.org/a"),
        (".netrc", "password w0rd"),
        (".pypirc", "password = w0rd"),
        (".npmrc", "//registry.npmjs.org/:_authToken=w0rd"),
        ("certs/server.pem", "w0rd"),
        ("id_rsa", "w0rd"),
        ("credentials.json", "w0rd"),
        ("notes.txt", &key),
        ("node_modules/a/index.js", "w0rd"),
        ("local/settings.py", "w0rd"),
        ("app/ignored.txt", "w0rd"),
    ];
    let open = [
        (".gitignore", "local/\n"),
        ("app/.gitignore", "*.txt\n!kept.txt\n"),
        ("app/kept.txt", "kept"),
        (".github/ci.yml", "ci"),
    ];
    for (path, text) in secrets.into_iter().chain(open) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let project = || Project::open(folder.path()).unwrap();
    let tools = Arc::new(project()).registry();
    for (path, _) in secrets {
        for name in [path.to_owned(), format!("./app/../{path}"), folder.path().join(path).display().to_string()] {
            let error = call(&tools, "read_project_file", json!({ "name": name })).unwrap_err();
            assert!(error.contains(&format!("the user can allow it with --allow-file {path}")), "{error}");
            assert!(!error.contains("w0rd"), "{error}");
        }
    }
    for (path, text) in open {
        assert_eq!(
            call(&tools, "read_project_file", json!({ "name": path })).as_deref(),
            Ok(text.trim_end()),
            "{path}"
        );
    }
    let listed = call(&tools, "list_project_files_recursive", json!({})).unwrap();
    assert_eq!(listed, ".gitignore\napp/.gitignore\napp/kept.txt\nnotes.txt");

    let named = ["certs/server.pem", ".env", "notes.txt", "app/ignored.txt"].map(str::to_owned);
    let tools = Arc::new(project().allowing(&named)).registry();
    for name in &named {
        assert!(call(&tools, "read_project_file", json!({ "name": name })).is_ok(), "{name}");
    }
    assert!(call(&tools, "read_project_file", json!({ "name": "id_rsa" })).is_err());
    assert!(call(&tools, "list_project_files_recursive", json!({})).unwrap().contains("certs/server.pem"));
}

#[test]
fn the_schemas_of_tools_are_flat() {
    let outside = tempfile::tempdir().unwrap();
    let tools = project(outside.path());
    let schema = |tool: &str| tools.get(tool).expect("a tool").parameters()["properties"].clone();
    let mut depth = schema("list_project_files_recursive")["max_depth"].clone();
    depth.as_object_mut().expect("a schema").remove("description");
    assert_eq!(depth, json!({"type": "integer"}));
    assert_eq!(schema("read_project_file")["line"]["type"], "integer");
}
