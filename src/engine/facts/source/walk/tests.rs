//! Tests of the walk on real folders.

use super::*;

fn paths(root: &Path) -> Vec<String> {
    let walked = walk(&Source::Folder(root.to_owned()), &mut Vec::new()).expect("a folder");
    walked.found.into_iter().map(|f| f.path.to_string()).collect()
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (file, text) in files {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}

fn track(root: &Path, files: &[&str]) {
    let repository = git2::Repository::init(root).expect("a repository");
    let mut index = repository.index().expect("an index");
    for file in files {
        index.add_path(Path::new(file)).expect("added");
    }
    index.write().expect("written");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_whose_name_is_not_utf_8_is_found_and_read() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let root = tempfile::tempdir().expect("a folder");
    std::fs::write(root.path().join(OsStr::from_bytes(b"n\xff.py")), "x = 1\n").expect("a file");
    assert_eq!(paths(root.path()), ["n\\xff.py"]);
    let source = Source::Folder(root.path().to_owned());
    assert_eq!(crate::source::reread(&source, "n\\xff.py").map(|text| text.source).as_deref(), Some("x = 1\n"));
}

#[test]
fn build_products_and_virtual_environments_are_left_out_but_packages_of_that_name_are_not() {
    let root = tempfile::tempdir().expect("a folder");
    let files = ["build/lib/a.py", "src/build/__init__.py", "src/build/b.py", "env/pyvenv.cfg", "env/c.py"];
    write(root.path(), &files.map(|file| (file, "")));
    write(root.path(), &["d.pyi", "e.txt", "out/f.py"].map(|file| (file, "")));
    assert_eq!(paths(root.path()), ["d.pyi", "out/f.py", "src/build/__init__.py", "src/build/b.py"]);
}

#[test]
fn translations_are_left_out() {
    let root = tempfile::tempdir().expect("a folder");
    let kept = ["README.md", "a.py", "docs/guide.md", "docs/sign-in.md"];
    write(root.path(), &kept.map(|file| (file, "")));
    write(root.path(), &["README.hi.md", "README.sv.md", "docs/id/guide.md", "docs/id/more.md"].map(|file| (file, "")));
    assert_eq!(paths(root.path()), kept);
}

#[test]
fn a_tracked_file_is_found_although_it_is_ignored() {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path(), &[(".gitignore", "lib/\n"), ("lib/tracked.py", ""), ("lib/other.py", ""), ("a.py", "")]);
    track(root.path(), &["lib/tracked.py"]);
    assert_eq!(paths(root.path()), ["a.py", "lib/tracked.py"]);
}

#[test]
#[cfg(unix)]
fn tracked_code_behind_a_link_is_left_out_and_reported() {
    let (root, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    write(root.path(), &[("src/a.py", ""), ("b.py", "")]);
    write(outside.path(), &[("a.py", "")]);
    track(root.path(), &["src/a.py"]);
    std::fs::remove_dir_all(root.path().join("src")).expect("removed");
    std::os::unix::fs::symlink(outside.path(), root.path().join("src")).expect("a link");
    let mut diagnostics = Vec::new();
    let walked = walk(&Source::Folder(root.path().to_owned()), &mut diagnostics).expect("a folder");
    assert_eq!(walked.found.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["b.py"]);
    assert_eq!(diagnostics.iter().map(|d| d.path.as_str()).collect::<Vec<_>>(), ["src/a.py"]);
}

/// The crate `ignore` reads the ignore files by itself here.
#[test]
fn ignore_files_have_the_rules_of_the_crate_that_matches_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        (".gitignore", "# rules\n*.gen.py\r\n/top.py\ndeep/**/x.py\n!kept.gen.py\nlogs/\n\\!odd.py\n[a-\n"),
        (".ignore", "!top2.py\nnever/\n"),
        ("root/.gitignore", "top2.py\nb/*\n!b/keep.py\n  \ntrail.py   \n"),
        ("root/.git/info/exclude", "excluded.py\n/b/keep2.py\n"),
        ("root/b/.ignore", "keep2.py\n!other.py\n"),
        ("root/inner/.git/HEAD", ""),
        ("root/inner/.gitignore", "own.py\n"),
        ("root/inner/.ignore", "\u{feff}bom.py\n"),
    ];
    write(folder.path(), &files);
    let names =
        ["top.py", "top2.py", "a.gen.py", "kept.gen.py", "keep.py", "keep2.py", "other.py", "excluded.py", "own.py"];
    let more = ["bom.py", "trail.py", "!odd.py", "logs/a.py", "never/a.py", "deep/y/x.py", "x.py"];
    for place in ["root", "root/b", "root/b/c", "root/inner", "root/inner/b", "root/deep"] {
        for name in names.iter().chain(&more) {
            write(folder.path(), &[(&format!("{place}/{name}"), "")]);
        }
    }
    let mut left_out = 0;
    for below in ["root", "root/inner", "root/b", "root/inner/b", ""] {
        let root = folder.path().join(below);
        let by_crate = WalkBuilder::new(&root).hidden(false).parents(false).build().flatten();
        let mut expected: Vec<String> = by_crate
            .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "py"))
            .filter_map(|entry| relative(&root, entry.path()).map(String::from))
            .collect();
        expected.sort();
        assert_eq!(paths(&root), expected, "{below}");
        left_out += 6 * 16 - expected.len();
    }
    assert!(left_out > 50, "{left_out}");
}

#[test]
fn in_folders_of_build_products_only_tracked_typescript_sources_are_found() {
    let root = tempfile::tempdir().expect("a folder");
    let tracked = ["dist/a.ts", "dist/a2.js", "dist/b.d.ts", "packages/x/build/c.tsx", "coverage/e.js"];
    write(root.path(), &tracked.map(|file| (file, "")));
    write(root.path(), &["out/f.ts", "node_modules/x/g.ts", ".next/h.js", "i.mjs"].map(|file| (file, "")));
    track(root.path(), &tracked);
    assert_eq!(paths(root.path()), ["dist/a.ts", "i.mjs", "packages/x/build/c.tsx"]);
}

#[test]
fn compiled_files_beside_their_sources_are_left_out() {
    let root = tempfile::tempdir().expect("a folder");
    let files = ["a.ts", "a.js", "a.d.ts", "b.js", "b.d.ts", "c/a.js", "d.tsx", "d.jsx", "a.test.js", "e.mts", "e.mjs"];
    write(root.path(), &files.map(|file| (file, "")));
    assert_eq!(paths(root.path()), ["a.test.js", "a.ts", "b.d.ts", "b.js", "c/a.js", "d.tsx", "e.mts"]);
}

#[test]
fn an_installed_package_that_the_user_names_is_found_with_its_build_products() {
    let root = tempfile::tempdir().expect("a folder");
    let package = "node_modules/@x/http";
    write(root.path(), &[(".gitignore", "node_modules\ndist\n*.d.ts\n")]);
    track(root.path(), &[]);
    let files = ["dist/client.d.ts", "dist/client.js", "package.json", "node_modules/y/a.js"];
    write(&root.path().join(package), &files.map(|file| (file, "")));
    assert!(paths(root.path()).is_empty());
    assert_eq!(paths(&root.path().join(package)), ["dist/client.d.ts", "dist/client.js"]);
}

#[test]
fn a_folder_that_a_person_names_is_found_although_ignore_files_name_all_of_it() {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path(), &[(".gitignore", "/out/*\n*.log.py\n"), (".git/HEAD", ""), ("out/a.py", "")]);
    write(root.path(), &[("own/.gitignore", "*\n"), ("own/b.py", ""), ("some/c.log.py", ""), ("some/d.py", "")]);
    assert_eq!(paths(root.path()), ["some/d.py"]);
    assert_eq!(paths(&root.path().join("out")), ["a.py"]);
    assert_eq!(paths(&root.path().join("own")), ["b.py"]);
    assert_eq!(paths(&root.path().join("some")), ["c.log.py", "d.py"]);
}

#[test]
fn nothing_above_a_folder_that_a_person_names_has_a_say() {
    let root = tempfile::tempdir().expect("a folder");
    let above = [(".gitignore", "cache/\n*.gen.py\n*.ts\n"), (".ignore", "b.py\n"), ("__init__.py", "")];
    write(root.path(), &above);
    track(root.path(), &[]);
    let files = [".gitignore", "a.py", "b.gen.py", "b.py", "build/c.ts", "dist/d.py", "src/e.ts", "setup.py"];
    let found = ["a.py", "b.gen.py", "b.py", "setup.py", "src/e.ts"];
    for folder in ["free", "cache/x", ".claude/worktrees/x", "node_modules/x", "vendor/x", "dist/x", "build/src/x"] {
        let place = root.path().join(folder);
        write(&place, &files.map(|file| (file, if file == ".gitignore" { "b.py\n" } else { "" })));
        // Without a repository of its own, the rules of git do not hold in it.
        assert_eq!(paths(&place), found, "{folder}");
        track(&place, &["build/c.ts"]);
        assert_eq!(paths(&place), ["a.py", "b.gen.py", "build/c.ts", "setup.py", "src/e.ts"], "{folder}");
    }
}

#[test]
fn a_published_package_is_found_with_its_build_products_and_a_project_with_its_sources() {
    let manifest = "{\"exports\": {\".\": {\"import\": [\"./dist/client.mjs\"]}}}";
    let find = |files: &[&str], manifest: &str| {
        let root = tempfile::tempdir().expect("a folder");
        write(root.path(), &files.iter().map(|file| (*file, "")).collect::<Vec<_>>());
        write(root.path(), &[("package.json", manifest), ("index.js", ""), ("dist/client.mjs", "")]);
        paths(root.path())
    };
    assert_eq!(find(&["tools/a.js"], manifest), ["dist/client.mjs", "index.js", "tools/a.js"]);
    assert_eq!(find(&["src/client.js"], manifest), ["index.js", "src/client.js"]);
    assert_eq!(find(&["client.ts"], manifest), ["client.ts", "index.js"]);
    for manifest in ["{\"main\": \"./index.js\"}", "{\"main\": \"build/a.js\"}", "{\"main\": \"dist/", "[]"] {
        assert_eq!(find(&[], manifest), ["index.js"], "{manifest}");
    }
}

#[test]
fn an_environment_that_a_person_names_is_found_with_its_packages() {
    let root = tempfile::tempdir().expect("a folder");
    let package = ".venv/lib/python3.12/site-packages/httpx";
    write(root.path(), &[(".venv/.gitignore", "*\n"), (".venv/pyvenv.cfg", ""), ("a.py", "")]);
    write(&root.path().join(package), &[("__init__.py", ""), ("build/b.py", ""), ("__pycache__/c.py", "")]);
    assert_eq!(paths(root.path()), ["a.py"]);
    let installed = "lib/python3.12/site-packages/httpx";
    let expected = ["__init__.py", "build/b.py"];
    assert_eq!(paths(&root.path().join(".venv")), expected.map(|file| format!("{installed}/{file}")));
    assert_eq!(paths(&root.path().join(package)), expected);
}

#[test]
fn project_files_are_found_only_beside_typescript_sources() {
    let root = tempfile::tempdir().expect("a folder");
    let project = ["jsconfig.json", "package.json", "packages/x/tsconfig.build.json", "tsconfig.json"];
    write(root.path(), &project.map(|file| (file, "{}")));
    write(root.path(), &[("a.py", ""), ("data.json", "{}")]);
    let project_files = || {
        let walked = walk(&Source::Folder(root.path().to_owned()), &mut Vec::new()).expect("a folder");
        walked.project.into_iter().map(|f| f.path.to_string()).collect::<Vec<_>>()
    };
    assert!(project_files().is_empty());
    write(root.path(), &[("b.ts", "")]);
    assert_eq!(project_files(), project);
}

#[test]
fn files_of_secrets_are_left_out() {
    let root = tempfile::tempdir().expect("a folder");
    write(
        root.path(),
        &["a.py", ".env.ts", "src/.env.local.js", ".ssh/b.py", "env.ts", "secrets.py"].map(|file| (file, "")),
    );
    assert_eq!(paths(root.path()), ["a.py", "env.ts", "secrets.py"]);
    write(
        root.path(),
        &[("api.yaml", ""), ("secrets.yaml", ""), ("credentials.json", ""), (".docker/config.json", "")],
    );
    let data = walk_data(&Source::Folder(root.path().to_owned()), &mut Vec::new()).expect("a folder");
    assert_eq!(data.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["api.yaml"]);
}
