//! Files that a Python library ships for the tests of its users, such as `testing/client.py` or `test_utils.py`. Their
//! paths look like those of tests, but they are part of the library's API.
//!
//! Such a file is in a package, defines functions or classes, and has no test. If it is in a folder `test` or
//! `testing`, the folder above is a package, and no file directly in the folder has a test. What is below a folder
//! named `tests` never is part of the API.

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashSet;

use apidisc_facts::source::{Origin, Roots};
use apidisc_link::{linked::Content, python::LinkFile};

/// The folders that may hold helpers instead of tests.
const FOLDERS_OF_HELPERS: [&str; 2] = ["test", "testing"];

/// Sets the origins of the helpers among the files that are counted as tests. `packages` are the folders with an
/// `__init__` file.
pub(super) fn publish(roots: &Roots, packages: &FxHashSet<CompactString>, files: &mut [LinkFile]) {
    let of_tests = |file: &&LinkFile| file.origin == Origin::Tests && file.content == Content::Code;
    let candidates: Vec<&LinkFile> = files.iter().filter(of_tests).collect();
    let with_tests: FxHashSet<CompactString> = candidates
        .iter()
        .filter(|file| has_test(file))
        .filter_map(|file| file.path.rsplit_once('/').map(|(folder, _)| folder.into()))
        .collect();
    let is_helper = |file: &&&LinkFile| {
        let (source, inner) = roots.split(&file.path);
        let package = folder_of_helpers(inner).filter(|_| has_definitions(file) && !has_test(file));
        package.is_some_and(|(package, folder)| {
            let path = |inner: &str| format_compact!("{source}{inner}");
            packages.contains(&path(package)) && !folder.is_some_and(|folder| with_tests.contains(&path(folder)))
        })
    };
    let helpers: FxHashSet<CompactString> = candidates.iter().filter(is_helper).map(|file| file.path.clone()).collect();
    for file in files.iter_mut().filter(|file| helpers.contains(&file.path)) {
        file.origin = if file.content == Content::Code { Origin::Src } else { Origin::Docs };
    }
}

/// The folder that must be a package if a file is a helper, and the folder of helpers that the file is in, if any.
/// `None` for a file that is part of tests in any case.
fn folder_of_helpers(path: &str) -> Option<(&str, Option<&str>)> {
    let (folder, file) = path.rsplit_once('/')?;
    let is_of_tests = |part: &str| {
        matches!(part, "tests" | "__tests__" | "e2e" | "spec")
            || part.ends_with("_tests")
            || part.starts_with("tests_")
            || part.ends_with("-tests")
    };
    if file.starts_with("conftest.") || folder.starts_with("t/") || folder == "t" || folder.split('/').any(is_of_tests)
    {
        return None;
    }
    let mut start = 0;
    for part in folder.split('/') {
        if FOLDERS_OF_HELPERS.contains(&part) {
            return Some((folder[..start].strip_suffix('/')?, Some(&folder[..start + part.len()])));
        }
        start += part.len() + 1;
    }
    Some((folder, None))
}

fn has_definitions(file: &LinkFile) -> bool {
    file.facts.definitions.iter().any(|definition| !file.facts.name(definition.name).is_empty())
}

/// True for a file with a function or method that pytest and unittest run.
fn has_test(file: &LinkFile) -> bool {
    let is_test = |name: &str| name == "test" || name.starts_with("test_");
    file.facts.definitions.iter().any(|def| def.class().is_none() && is_test(file.facts.name(def.name)))
}

#[cfg(test)]
mod tests {
    use super::folder_of_helpers;
    use crate::indexer;
    use apidisc_base::control::Control;
    use apidisc_facts::source::{Origin, Source};

    #[test]
    fn helpers_for_tests_are_in_a_package() {
        assert_eq!(folder_of_helpers("kit/test/flow.py"), Some(("kit", Some("kit/test"))));
        assert_eq!(folder_of_helpers("lib/kit/testing/a/b.py"), Some(("lib/kit", Some("lib/kit/testing"))));
        assert_eq!(folder_of_helpers("kit/test_utils.py"), Some(("kit", None)));
        for path in [
            "kit/tests/a.py",
            "test/a.py",
            "kit/test/conftest.py",
            "t/a.py",
            "a.py",
            "unit_tests/test/a.py",
            "kit/tests_e2e/helpers.py",
        ] {
            assert_eq!(folder_of_helpers(path), None, "{path}");
        }
    }

    #[test]
    fn helpers_without_a_test_are_part_of_the_library() {
        let files = [
            ("kit/__init__.py", ""),
            ("kit/test/flow.py", "def flow(): ...\n"),
            ("kit/test_utils.py", "class TestClient:\n    def get(self): ...\n"),
            ("kit/test_settings.py", "DEBUG = True\n"),
            ("kit/test_kit.py", "def helper(): ...\ndef test_it(): helper()\n"),
            ("app/__init__.py", ""),
            ("app/test/helpers.py", "def helper(): ...\n"),
            ("app/test/test_app.py", "class TestApp:\n    def test_it(self): ...\n"),
            ("test/helpers.py", "def helper(): ...\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
        let source = Source::Memory { name: "m".to_owned(), files: files.into() };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
        let library: Vec<&str> = index
            .files
            .iter()
            .filter(|file| file.origin == Origin::Src && file.path.contains("test"))
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(library, ["kit/test/flow.py", "kit/test_utils.py"]);
    }
}
