//! What a path says of its file: its module, and what its calls stand for.

use compact_str::CompactString;

use crate::engine::usage::Origin;

/// The dotted module of a file: what follows the first `src` folder that is no package, else its path from
/// the root. `is_package` tells whether a folder holds an `__init__` file.
pub(crate) fn module_name(path: &str, is_package: impl Fn(&str) -> bool) -> CompactString {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    let mut end = 0;
    for i in 0..parts.len().saturating_sub(1) {
        end += parts[i].len() + usize::from(i > 0);
        if parts[i] == "src" && !is_package(&path[..end]) {
            parts.drain(..=i);
            break;
        }
    }
    if parts.len() > 1 && parts.last() == Some(&"__init__") {
        parts.pop();
    }
    CompactString::from(parts.join("."))
}

/// What a module stands in, by its name; none for one at the top. A folder may begin with dots (`.github`), which
/// are part of its name.
pub(crate) fn module_above(module: &str) -> Option<&str> {
    let (above, _) = module.rsplit_once('.')?;
    Some(above.trim_end_matches('.')).filter(|above| !above.is_empty())
}

/// What the calls of a file stand for, by the names of its folders and its own; the outermost that tells
/// decides, except that tests are tests wherever they are.
pub(crate) fn origin(path: &str) -> Origin {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_test_folder = |part: &str| matches!(part, "test" | "tests" | "testing" | "__tests__" | "e2e" | "spec");
    let by_name = stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest" || stem == "test";
    // A library may offer a package `testing` to its users: only outside of `src` is it a test folder.
    let in_library = folders.split('/').next() == Some("src");
    if by_name || folders.split('/').any(|part| is_test_folder(part) && !(in_library && part == "testing")) {
        return Origin::Tests;
    }
    for part in folders.split('/') {
        match part {
            "example" | "examples" | "sample" | "samples" | "demo" | "demos" | "tutorial" | "tutorials"
            | "notebooks" | "cookbook" | "quickstart" | "docs_src" | "contributing" => return Origin::Examples,
            "doc" | "docs" | "documentation" => return Origin::Docs,
            "src" | "lib" => break,
            _ => {}
        }
    }
    if file.rsplit_once('.').is_some_and(|(_, ending)| ending == "ipynb") { Origin::Examples } else { Origin::Src }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_follow_the_first_src_folder_that_is_no_package() {
        let none = |_: &str| false;
        assert_eq!(module_name("src/google/adk/agents/__init__.py", none), "google.adk.agents");
        assert_eq!(module_name("packages/a/src/a/b.py", none), "a.b");
        assert_eq!(module_name("tests/a/b.py", none), "tests.a.b");
        assert_eq!(module_name("pkg/src/x.py", |p| p == "pkg/src"), "pkg.src.x");
        assert_eq!(module_name("__init__.py", none), "__init__");
    }

    #[test]
    fn dots_that_begin_a_folder_belong_to_its_name() {
        assert_eq!(module_above("a.b.c"), Some("a.b"));
        assert_eq!(module_above("a"), None);
        assert_eq!(module_above(".github"), None);
        assert_eq!(module_above(".github.actions"), Some(".github"));
        assert_eq!(module_above("pkg..hidden"), Some("pkg"));
        assert_eq!(module_above("...x"), None);
    }

    #[test]
    fn origins_come_from_folder_names() {
        assert_eq!(origin("src/a/b.py"), Origin::Src);
        assert_eq!(origin("tests/unit/b.py"), Origin::Tests);
        assert_eq!(origin("src/a/test_b.py"), Origin::Tests);
        assert_eq!(origin("src/click/testing.py"), Origin::Src);
        assert_eq!(origin("src/django/testing/x.py"), Origin::Src);
        assert_eq!(origin("contributing/samples/x/agent.py"), Origin::Examples);
        assert_eq!(origin("docs/conf.py"), Origin::Docs);
        assert_eq!(origin("intro.ipynb"), Origin::Examples);
    }
}
