//! Facts that the path of a file tells: its module, and its origin.

use compact_str::CompactString;

use super::Origin;
use crate::language::Language;

/// The dotted name of a Python file's module: its path below the first `src` folder that is not a package, else its path
/// from the root. `is_package` tells whether a folder contains an `__init__` file.
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

/// The module of a TypeScript or JavaScript file: its path without its extension (`.d.ts` is one extension).
pub(crate) fn module_of_path(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    stem.strip_suffix(".d").filter(|_| is_declaration(path)).unwrap_or(stem)
}

/// True for a declaration file, which declares what other files define: a Python stub (PEP 484) or a `.d.ts` file.
pub(crate) fn is_declaration(path: &str) -> bool {
    [".pyi", ".d.ts", ".d.mts", ".d.cts"].iter().any(|extension| path.ends_with(extension))
}

/// The name of the module that contains `module`; `None` for a top-level module. Dots at the beginning of a folder's name
/// (`.github`) belong to that name.
pub(crate) fn module_above(module: &str, language: Language) -> Option<&str> {
    match language {
        Language::TypeScript => module.rsplit_once('/').map(|(above, _)| above),
        Language::Python => {
            let (above, _) = module.rsplit_once('.')?;
            Some(above.trim_end_matches('.')).filter(|above| !above.is_empty())
        }
    }
}

/// The origin of a file's code, by the names of its folders and of the file. A name of tests anywhere in the path decides
/// first; otherwise the outermost telling folder decides.
pub(crate) fn origin(path: &str) -> Origin {
    let is_python = [".py", ".pyi", ".ipynb"].iter().any(|ending| path.ends_with(ending));
    if is_python { python_origin(path) } else { typescript_origin(path) }
}

/// By the conventions of TypeScript, a word before the extension tells the purpose of a file: `client.test.ts`.
fn typescript_origin(path: &str) -> Origin {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_test_folder = |part: &str| {
        matches!(part, "test" | "tests" | "spec" | "specs" | "e2e" | "cypress" | "__tests__" | "__mocks__")
            || part.ends_with("-tests")
            || part.ends_with("-e2e")
    };
    let mut words = file.split('.').rev().skip(1);
    let is_test_word = |word: &str| {
        matches!(word, "test" | "tests" | "spec" | "cy" | "e2e" | "e2e-spec" | "test-d" | "bench" | "setupTests")
    };
    if folders.split('/').any(is_test_folder) || words.clone().any(is_test_word) {
        return Origin::Tests;
    }
    if words.any(|word| matches!(word, "stories" | "story")) {
        return Origin::Examples;
    }
    for part in folders.split('/') {
        match part {
            "example" | "examples" | "sample" | "samples" | "demo" | "demos" | "tutorial" | "tutorials"
            | "playground" | "playgrounds" | "sandbox" | "stories" | "cookbook" | "quickstart" => {
                return Origin::Examples;
            }
            "doc" | "docs" | "documentation" | "website" | "www" => return Origin::Docs,
            "src" | "lib" => break,
            _ => {}
        }
    }
    Origin::Src
}

fn python_origin(path: &str) -> Origin {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_test_folder = |part: &str| matches!(part, "test" | "tests" | "testing" | "__tests__" | "e2e" | "spec");
    let by_name = stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest" || stem == "test";
    // A library may publish a package `testing`, so a folder of that name inside `src` is not a test folder.
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
    fn a_python_module_is_named_from_the_first_src_folder_that_is_not_a_package() {
        let none = |_: &str| false;
        assert_eq!(module_name("src/google/adk/agents/__init__.py", none), "google.adk.agents");
        assert_eq!(module_name("packages/a/src/a/b.py", none), "a.b");
        assert_eq!(module_name("tests/a/b.py", none), "tests.a.b");
        assert_eq!(module_name("pkg/src/x.py", |p| p == "pkg/src"), "pkg.src.x");
        assert_eq!(module_name("__init__.py", none), "__init__");
    }

    #[test]
    fn a_typescript_module_is_the_path_without_its_extension() {
        assert_eq!(module_of_path("packages/math/src/point.ts"), "packages/math/src/point");
        assert_eq!(module_of_path("a/index.d.mts"), "a/index");
        assert_eq!(module_of_path("a/b.test.tsx"), "a/b.test");
        assert_eq!(module_of_path("a/b.d.js"), "a/b.d");
    }

    #[test]
    fn dots_at_the_beginning_of_a_folder_belong_to_its_name() {
        let above = |module| module_above(module, Language::Python);
        assert_eq!(above("a.b.c"), Some("a.b"));
        assert_eq!(above("a"), None);
        assert_eq!(above(".github"), None);
        assert_eq!(above(".github.actions"), Some(".github"));
        assert_eq!(above("pkg..hidden"), Some("pkg"));
        assert_eq!(above("...x"), None);
        let above = |module| module_above(module, Language::TypeScript);
        assert_eq!(above("src/vite.config"), Some("src"));
        assert_eq!(above("vite.config"), None);
    }

    #[test]
    fn python_origins_come_from_the_names_of_folders_and_files() {
        assert_eq!(origin("src/a/b.py"), Origin::Src);
        assert_eq!(origin("tests/unit/b.py"), Origin::Tests);
        assert_eq!(origin("src/a/test_b.py"), Origin::Tests);
        assert_eq!(origin("src/click/testing.py"), Origin::Src);
        assert_eq!(origin("src/django/testing/x.py"), Origin::Src);
        assert_eq!(origin("contributing/samples/x/agent.py"), Origin::Examples);
        assert_eq!(origin("docs/conf.py"), Origin::Docs);
        assert_eq!(origin("intro.ipynb"), Origin::Examples);
    }

    #[test]
    fn typescript_origins_come_from_the_names_of_folders_and_files() {
        for path in ["a/b.test.ts", "b.spec.tsx", "src/__tests__/a.ts", "e2e/a.ts", "app.e2e-spec.ts", "a.test-d.ts"] {
            assert_eq!(origin(path), Origin::Tests, "{path}");
        }
        for path in ["src/button.stories.tsx", "examples/a.js", "packages/x/playground/main.ts"] {
            assert_eq!(origin(path), Origin::Examples, "{path}");
        }
        assert_eq!(origin("docs/plugins/x.ts"), Origin::Docs);
        for path in ["packages/testing/src/index.ts", "src/examples/a.ts", "latest.ts", "packages/x/index.ts"] {
            assert_eq!(origin(path), Origin::Src, "{path}");
        }
    }
}
