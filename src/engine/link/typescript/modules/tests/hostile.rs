//! Malformed and hostile project files: resolution stays fast and does not panic.

use proptest::prelude::*;
use rustc_hash::FxHashSet;

use super::project;
use crate::typescript::modules::ModuleResolver;
use apidisc_facts::source::Roots;

#[test]
fn invalid_json_is_not_a_configuration() {
    for text in ["", "{", "[1]", "null", "\0", "{\"compilerOptions\":7}", "{\"name\":{},\"exports\":1,\"imports\":[]}"]
    {
        project("a.ts b.ts", &[("package.json", text), ("tsconfig.json", text)]).resolves(
            "a.ts | ./b | b.ts
             a.ts | x   | outside",
        );
    }
}

#[test]
fn absolute_paths_and_paths_above_the_root_are_missing() {
    let config = r#"{ "extends": "../../../etc/tsconfig.json", "include": ["../../**"], "compilerOptions": {
        "baseUrl": "/", "rootDirs": ["../../..", "C:\\x"], "outDir": "../..", "paths": { "*": ["../../../*", "/*"] }
    } }"#;
    let package = r##"{ "name": "..", "main": "../../x", "exports": { ".": "/b" }, "imports": { "#*": "../../*" } }"##;
    project("a.ts b.ts", &[("package.json", package), ("tsconfig.json", config)]).resolves(
        "a.ts | ../b              | missing
         a.ts | ../../../../b     | missing
         a.ts | #b                | missing
         a.ts | b                 | outside
         a.ts | ./b/../../b       | missing
         a.ts | ./x/../b          | b.ts",
    );
}

#[test]
fn resolution_of_packages_that_refer_to_themselves_ends() {
    let package =
        r##"{ "name": "a", "main": ".", "exports": { ".": ["a", "./"], "./*": "./*" }, "imports": { "#*": "#*" } }"##;
    project("a/b/x.ts", &[("a/package.json", package)]).resolves(
        "a/b/x.ts | a    | missing
         a/b/x.ts | a/b  | missing
         a/b/x.ts | #x   | outside
         a/b/x.ts | ..   | missing",
    );
}

#[test]
fn chains_of_extends_may_be_long() {
    let paths: Vec<String> = (0..20_000).map(|i| format!("tsconfig.{i:05}.json")).collect();
    let texts: Vec<String> = (1..=20_000).map(|i| format!("{{\"extends\": \"./tsconfig.{i:05}.json\"}}")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    files.pop();
    files.push((&paths[19_999], r#"{ "compilerOptions": { "baseUrl": "src" } }"#));
    project("src/x.ts a.ts", &files).resolves("a.ts | x | src/x.ts");
}

#[test]
fn many_patterns_and_stars_are_fast() {
    let patterns: Vec<String> = (0..50_000).map(|i| format!("\"p{i}/*\": [\"{}\"]", "*".repeat(20))).collect();
    let config = format!("{{\"compilerOptions\": {{\"paths\": {{{}}}}}}}", patterns.join(","));
    let project = project("src/x.ts a.ts", &[("tsconfig.json", &config)]);
    let long = format!("p7/{}", "x".repeat(1_000_000));
    for i in 0..50_000 {
        assert_eq!(project.resolution("a.ts", &format!("q{i}/x")), "outside");
    }
    assert_eq!(project.resolution("a.ts", &long), "outside");
    assert_eq!(project.resolution("a.ts", &format!("./{long}")), "missing");
}

fn fragment() -> impl Strategy<Value = String> {
    let parts = [
        "*",
        "**",
        ".",
        "..",
        "/",
        "./",
        "../",
        "#",
        "@",
        "a",
        "b",
        "src",
        "dist",
        "index",
        ".js",
        ".d.ts",
        ".ts",
        "é",
        "${configDir}",
        "node_modules",
        "\\",
        "tsconfig",
        ".json",
        "package.json",
        "",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..5).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_names_are_resolved_without_panics(
        mut files in prop::collection::vec(fragment(), 1..8),
        names in prop::collection::vec(fragment(), 14),
        specifiers in prop::collection::vec(fragment(), 8),
    ) {
        files.sort();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = &names[..] else { return Ok(()) };
        let config = format!(
            "{{\"extends\": [{a}, {b}], \"include\": [{c}], \"references\": [{{\"path\": {d}}}], \"compilerOptions\": \
             {{\"baseUrl\": {e}, \"outDir\": {f}, \"rootDirs\": [{g}, {a}], \"paths\": {{{h}: [{i}], {j}: [{b}]}}}}}}"
        );
        let package = format!(
            "{{\"name\": {k}, \"main\": {l}, \"exports\": {{\".\": {m}, {n}: {{\"import\": {c}}}, \"./{}: {d}}}, \
             \"imports\": {{{a}: {b}, \"#{}: {e}}}}}",
            &f[1..], &g[1..],
        );
        let project = [("a/package.json", &*package), ("a/tsconfig.json", &*config), ("tsconfig.json", &*config)];
        let resolver = ModuleResolver::new(&files, &project, &Roots::default());
        for from in 0..=files.len() {
            for specifier in &specifiers {
                if let super::ModuleResolution::File(file) = resolver.resolve(from, specifier) {
                    prop_assert!(file < files.len());
                }
            }
        }
        prop_assert!(resolver.entries(&FxHashSet::from_iter(["a/b"])).iter().all(|(_, file)| *file < files.len()));
        prop_assert!(resolver.diagnostics().iter().all(|d| !d.message.contains(char::is_control)));
    }
}
