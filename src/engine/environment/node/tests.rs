//! The file that declares a module of a package, by the layout of its folder.

use std::{fs, path::Path};

use super::{NodePackages, package_of_specifier, plug_and_play, types_package};

/// Writes files below a folder; each is a path and a text.
fn write(top: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = top.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
    }
}

/// The declarations of `specifier`, imported in a file of the folder `from`: the path below the top folder.
fn found(files: &[(&str, &str)], from: &str, specifier: &str) -> Option<String> {
    let top = tempfile::tempdir().expect("a folder");
    write(top.path(), files);
    let top = top.path().canonicalize().expect("it is there");
    let found = NodePackages::new([top.as_path()]).declarations(&top.join(from), specifier)?;
    let path = found.package.root.join(&found.path);
    Some(path.strip_prefix(&top).expect("it is below").to_str().expect("text").to_owned())
}

#[test]
fn exports_come_before_types_and_main() {
    let files = [
        (
            "node_modules/one/package.json",
            r#"{"types": "old.d.ts", "exports": {
                ".": {"require": "./one.cjs", "import": {"types": "./new.d.mts", "default": "./new.mjs"}},
                "./sub/*": "./dist/*.js", "./none": null}}"#,
        ),
        ("node_modules/one/old.d.ts", ""),
        ("node_modules/one/new.d.mts", ""),
        ("node_modules/one/one.d.cts", ""),
        ("node_modules/one/dist/x/y.d.ts", ""),
    ];
    assert_eq!(found(&files, "src", "one").as_deref(), Some("node_modules/one/new.d.mts"));
    assert_eq!(found(&files, "src", "one/sub/x/y").as_deref(), Some("node_modules/one/dist/x/y.d.ts"));
    assert_eq!(found(&files, "src", "one/none"), None);
    assert_eq!(found(&files, "src", "two"), None);
    assert_eq!(found(&files[..1], "src", "one"), None);
}

#[test]
fn types_versions_and_folders_with_a_manifest_are_followed() {
    let files = [
        (
            "node_modules/a/package.json",
            r#"{"main": "lib/a.js", "typesVersions": {"<4.0": {"*": ["old/*"]}, ">=4.0": {"*": ["ts/*"]}}}"#,
        ),
        ("node_modules/a/ts/sub.d.ts", ""),
        ("node_modules/a/lib/a.d.ts", ""),
        ("node_modules/a/folder/package.json", r#"{"types": "../lib/folder.d.ts"}"#),
        ("node_modules/a/lib/folder.d.ts", ""),
    ];
    assert_eq!(found(&files, "", "a").as_deref(), Some("node_modules/a/lib/a.d.ts"));
    assert_eq!(found(&files, "", "a/sub").as_deref(), Some("node_modules/a/ts/sub.d.ts"));
    assert_eq!(found(&files, "", "a/folder").as_deref(), Some("node_modules/a/lib/folder.d.ts"));
}

#[test]
fn declarations_of_others_stand_in_for_a_package_without_its_own() {
    let files = [
        ("node_modules/plain/package.json", r#"{"main": "index.js"}"#),
        ("node_modules/plain/index.js", ""),
        ("node_modules/@types/plain/index.d.ts", ""),
        ("node_modules/@types/scope__name/index.d.ts", ""),
    ];
    assert_eq!(found(&files, "", "plain").as_deref(), Some("node_modules/@types/plain/index.d.ts"));
    assert_eq!(found(&files, "", "@scope/name").as_deref(), Some("node_modules/@types/scope__name/index.d.ts"));
    assert_eq!(types_package("@types/node"), None);
}

#[test]
fn the_nearest_package_is_taken_and_never_one_inside_another() {
    let files = [
        ("node_modules/zod/package.json", r#"{"types": "index.d.ts", "version": "4.0.0"}"#),
        ("node_modules/zod/index.d.ts", ""),
        ("packages/web/node_modules/zod/package.json", r#"{"types": "old.d.ts", "version": "3.0.0"}"#),
        ("packages/web/node_modules/zod/old.d.ts", ""),
        ("node_modules/next/dist/compiled/other/package.json", r#"{"name": "other", "types": "index.d.ts"}"#),
        ("node_modules/next/dist/compiled/other/index.d.ts", ""),
    ];
    assert_eq!(found(&files, "src", "zod").as_deref(), Some("node_modules/zod/index.d.ts"));
    let nearest = found(&files, "packages/web/src", "zod");
    assert_eq!(nearest.as_deref(), Some("packages/web/node_modules/zod/old.d.ts"));
    assert_eq!(found(&files, "src", "other"), None);
}

#[cfg(unix)]
#[test]
fn links_lead_to_stores_and_never_out_of_the_project_or_to_its_sources() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let outer = folder.path().canonicalize().expect("it is there");
    let top = outer.join("project");
    write(
        &outer,
        &[
            ("secret/index.d.ts", ""),
            ("project/packages/ui/index.ts", ""),
            ("project/node_modules/.pnpm/a@1.0.0/node_modules/a/index.d.ts", ""),
            ("project/node_modules/.pnpm/a@1.0.0/node_modules/b/index.d.ts", ""),
            ("project/node_modules/escape/package.json", r#"{"types": "link.d.ts"}"#),
        ],
    );
    let link = |target: &str, name: &str| symlink(outer.join(target), top.join(name)).expect("a link");
    link("project/node_modules/.pnpm/a@1.0.0/node_modules/a", "node_modules/a");
    link("project/packages/ui", "node_modules/ui");
    link("secret", "node_modules/secret");
    link("secret/index.d.ts", "node_modules/escape/link.d.ts");
    let mut packages = NodePackages::new([top.as_path()]);
    let found = packages.declarations(&top, "a").expect("it is there");
    assert!(found.package.root.ends_with(".pnpm/a@1.0.0/node_modules/a"));
    let inner = packages.declarations(&found.package.root, "b").expect("it is beside the package");
    assert!(inner.package.root.ends_with("node_modules/b"));
    for name in ["ui", "secret", "escape", "b"] {
        assert!(packages.declarations(&top, name).is_none(), "{name}");
    }
}

#[test]
fn relative_paths_stay_in_their_package() {
    let top = tempfile::tempdir().expect("a folder");
    let top = top.path().canonicalize().expect("it is there");
    let files = ["index.d.ts", "a/b.d.ts", "a/index.d.ts", "a/c.component.d.ts"];
    let files = files.map(|path| (format!("node_modules/p/{path}"), ""));
    write(&top, &files.each_ref().map(|(path, text)| (path.as_str(), *text)));
    let mut packages = NodePackages::new([top.as_path()]);
    let package = packages.package(&top, "p").expect("a package");
    let mut relative = |from: &str, specifier: &str| packages.relative(&package, from, specifier);
    assert_eq!(relative("index.d.ts", "./a/b.js").as_deref(), Some("a/b.d.ts"));
    assert_eq!(relative("index.d.ts", "./a").as_deref(), Some("a/index.d.ts"));
    assert_eq!(relative("a/b.d.ts", ".").as_deref(), Some("a/index.d.ts"));
    assert_eq!(relative("a/b.d.ts", "..").as_deref(), Some("index.d.ts"));
    assert_eq!(relative("a/b.d.ts", "./c.component").as_deref(), Some("a/c.component.d.ts"));
    assert_eq!(relative("a/b.d.ts", "../../x"), None);
}

#[test]
fn specifiers_are_split_into_package_and_subpath() {
    assert_eq!(package_of_specifier("zod"), Some(("zod", "")));
    assert_eq!(package_of_specifier("@a/b/c/d"), Some(("@a/b", "c/d")));
    assert_eq!(package_of_specifier(".prisma/client"), Some((".prisma", "client")));
    for no_package in ["", "./a", "../a", "/a", "node:fs", "@a", "@/a", "a/../b", "#a", "~/a", "a\\b", ".", "raw!a"] {
        assert_eq!(package_of_specifier(no_package), None, "{no_package}");
    }
}

#[cfg(unix)]
#[test]
fn bun_and_yarn_install_like_pnpm_and_npm() {
    use std::os::unix::fs::symlink;
    let top = tempfile::tempdir().expect("a folder");
    let top = top.path().canonicalize().expect("it is there");
    let files = [
        // bun's isolated installs.
        ("node_modules/.bun/a@1.0.0/node_modules/a/index.d.ts", ""),
        ("node_modules/.bun/a@1.0.0/node_modules/b/index.d.ts", ""),
        // yarn's linker for node_modules hoists what does not conflict.
        ("node_modules/c/index.d.ts", ""),
        ("node_modules/c/node_modules/d/index.d.ts", ""),
        ("node_modules/.yarn-state.yml", ""),
        (".pnp.cjs", ""),
        ("archives/.pnp.cjs", ""),
        ("archives/app/index.ts", ""),
    ];
    write(&top, &files);
    symlink(top.join("node_modules/.bun/a@1.0.0/node_modules/a"), top.join("node_modules/a")).expect("a link");
    let mut packages = NodePackages::new([top.as_path()]);
    let a = packages.declarations(&top, "a").expect("it is linked").package;
    assert!(packages.declarations(&a.root, "b").is_some() && packages.declarations(&top, "b").is_none());
    let c = packages.declarations(&top, "c").expect("it is there").package;
    assert!(packages.declarations(&c.root, "d").is_some());
    assert_eq!(plug_and_play(&top, &top), None);
    assert_eq!(plug_and_play(&top.join("archives/app"), &top), Some(top.join("archives/.pnp.cjs")));
}

#[test]
fn each_of_several_projects_has_packages_of_its_own() {
    let top = tempfile::tempdir().expect("a folder");
    let top = top.path().canonicalize().expect("it is there");
    write(&top, &[("one/node_modules/a/index.d.ts", ""), ("two/index.ts", ""), ("node_modules/a/index.d.ts", "")]);
    let (one, two) = (top.join("one"), top.join("two"));
    let mut packages = NodePackages::new([one.as_path(), two.as_path()]);
    assert!(packages.declarations(&one, "a").is_some());
    assert!(packages.declarations(&two, "a").is_none(), "the folder above is not of the project");
}
