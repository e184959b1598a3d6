//! Python: files, modules and origins.

use super::{LanguageSpec, Origin};
use crate::diagnostic::Problem;

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Python",
    fence: "python",
    stub_ending: "pyi",
    endings: &["py", "pyi", "ipynb"],
    declaration_endings: &[".pyi"],
    definition_separator: '.',
    module_separator: '.',
    output_folders: &[],
    may_be_compiled: |_| false,
    is_project_file: |name| matches!(name, "pyproject.toml" | "setup.cfg" | "setup.py"),
    module_of_file,
    parent_module,
    package_folder: |path| path.strip_suffix("/__init__.py"),
    is_index_file: |_| false,
    origin,
    max_bytes,
    refuse_path: |_| None,
    refuse_text,
};

/// The maximum size of a file in bytes. Generated clients of large APIs have several megabytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The maximum size of a notebook, which may contain pictures in its outputs.
const MAX_NOTEBOOK_BYTES: u64 = 2 * MAX_BYTES;
/// The maximum length of a line: longer lines are data or generated code.
const MAX_LINE_BYTES: usize = 200_000;

fn max_bytes(path: &str) -> u64 {
    let is_notebook = path.rsplit_once('.').is_some_and(|(_, ending)| ending == "ipynb");
    if is_notebook { MAX_NOTEBOOK_BYTES } else { MAX_BYTES }
}

fn refuse_text(_: &str, text: &str) -> Option<super::Refusal> {
    let is_too_long = text.len() > MAX_LINE_BYTES && text.lines().any(|line| line.len() > MAX_LINE_BYTES);
    is_too_long.then_some((Problem::TooLarge, "one line of more than 200,000 bytes: not read"))
}

/// The module name of a file: its dotted path below the first folder that is not a package and is called `src` (the
/// "src layout" of the Python Packaging User Guide) or `site-packages`, or below the root if there is no such folder.
/// `is_package` returns true for a folder with an `__init__` file.
fn module_of_file(path: &str, is_package: &dyn Fn(&str) -> bool) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    let mut end = 0;
    for i in 0..parts.len().saturating_sub(1) {
        end += parts[i].len() + usize::from(i > 0);
        if matches!(parts[i], "src" | "site-packages") && !is_package(&path[..end]) {
            parts.drain(..=i);
            break;
        }
    }
    if parts.len() > 1 && parts.last() == Some(&"__init__") {
        parts.pop();
    }
    parts.join(".")
}

/// The name before the last dot that separates two names. A dot at the start of a folder's name (`.github`) does not.
fn parent_module(module: &str) -> Option<&str> {
    let (parent, _) = module.rsplit_once('.')?;
    Some(parent.trim_end_matches('.')).filter(|parent| !parent.is_empty())
}

/// The origin of a file. A test file, or a file in a test folder at any depth, belongs to the tests. For other files
/// the outermost folder with a known name decides.
fn origin(path: &str) -> Origin {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_test_folder = |part: &str| {
        matches!(part, "test" | "tests" | "testing" | "__tests__" | "e2e" | "spec")
            || part.ends_with("_tests")
            || part.starts_with("tests_")
            || part.ends_with("-tests")
    };
    // An outermost folder `t` holds tests, as in distributions of Perl.
    let is_in_t = path.starts_with("t/");
    // pytest's and unittest's default patterns.
    let is_test_file = stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest" || stem == "test";
    // A library may offer a package `testing` to its users: it is a test folder only outside of `src`.
    let in_src = folders.split('/').next() == Some("src");
    if is_test_file || is_in_t || folders.split('/').any(|part| is_test_folder(part) && !(in_src && part == "testing"))
    {
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
    fn modules_follow_the_first_src_folder_that_is_not_a_package() {
        let none = |_: &str| false;
        assert_eq!(module_of_file("src/google/adk/agents/__init__.py", &none), "google.adk.agents");
        assert_eq!(module_of_file("packages/a/src/a/b.py", &none), "a.b");
        assert_eq!(module_of_file("tests/a/b.py", &none), "tests.a.b");
        assert_eq!(module_of_file("lib/python3.12/site-packages/httpx/_models.py", &none), "httpx._models");
        assert_eq!(module_of_file("pkg/src/x.py", &|p| p == "pkg/src"), "pkg.src.x");
        assert_eq!(module_of_file("__init__.py", &none), "__init__");
    }

    #[test]
    fn dots_at_the_start_of_a_folder_belong_to_its_name() {
        assert_eq!(parent_module("a.b.c"), Some("a.b"));
        assert_eq!(parent_module("a"), None);
        assert_eq!(parent_module(".github"), None);
        assert_eq!(parent_module(".github.actions"), Some(".github"));
        assert_eq!(parent_module("pkg..hidden"), Some("pkg"));
        assert_eq!(parent_module("...x"), None);
    }

    #[test]
    fn origins_come_from_the_names_of_folders_and_files() {
        assert_eq!(origin("src/a/b.py"), Origin::Src);
        assert_eq!(origin("tests/unit/b.py"), Origin::Tests);
        assert_eq!(origin("src/a/test_b.py"), Origin::Tests);
        assert_eq!(origin("t/integration/tasks.py"), Origin::Tests);
        assert_eq!(origin("celery/t/tasks.py"), Origin::Src);
        assert_eq!(origin("functional_tests/server.py"), Origin::Tests);
        assert_eq!(origin("bookmarks/tests_e2e/helpers.py"), Origin::Tests);
        assert_eq!(origin("src/click/testing.py"), Origin::Src);
        assert_eq!(origin("src/django/testing/x.py"), Origin::Src);
        assert_eq!(origin("contributing/samples/x/agent.py"), Origin::Examples);
        assert_eq!(origin("docs/conf.py"), Origin::Docs);
        assert_eq!(origin("intro.ipynb"), Origin::Examples);
    }
}
