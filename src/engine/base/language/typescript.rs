//! TypeScript and JavaScript: files, modules and origins.

use super::{Framework, LanguageSpec, Origin, Refusal, is_declaration_file};
use crate::diagnostic::Problem;

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "TypeScript",
    fence: "typescript",
    stub_ending: "d.ts",
    endings: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "astro"],
    declaration_endings: &[".d.ts", ".d.mts", ".d.cts"],
    definition_separator: '#',
    module_separator: '/',
    output_folders: &["build", "dist", "out", "coverage"],
    may_be_compiled,
    is_project_file,
    module_of_file: |path, _| module_of_path(path).to_owned(),
    parent_module: |module| module.rsplit_once('/').map(|(parent, _)| parent),
    package_folder: |_| None,
    is_index_file: |path| module_of_path(path).ends_with("/index"),
    origin,
    max_bytes: |_| MAX_BYTES,
    refuse_path,
    refuse_text,
};

/// The maximum size of a file in bytes. Generated clients of large APIs have several megabytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The maximum length of a line of code in bytes. Longer lines come from a bundler.
const MAX_LINE_BYTES: usize = 10_000;
/// A line of code with more bytes is long. A file with most of its bytes in long lines of code is minified.
const LONG_LINE_BYTES: usize = 500;
/// The size in bytes from which a declaration file counts as minified because of its long lines.
const MAX_DECLARATION_BYTES: usize = 1024 * 1024;
/// The minimum size in bytes of a file that counts as minified because of its long lines.
const MIN_MINIFIED_BYTES: usize = 4096;

/// The module of a file: its path without the ending. `.d.ts` is one ending. The ending of a component is part of its
/// module, as an import writes it.
pub fn module_of_path(path: &str) -> &str {
    if Framework::of_path(path).is_some() {
        return path;
    }
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    stem.strip_suffix(".d").filter(|_| is_declaration_file(path)).unwrap_or(stem)
}

fn may_be_compiled(path: &str) -> bool {
    let is_typescript = [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending));
    (!is_typescript || is_declaration_file(path)) && Framework::of_path(path).is_none()
}

fn is_project_file(name: &str) -> bool {
    let stem = name.strip_suffix(".json");
    stem.is_some_and(|stem| stem == "package" || stem.starts_with("tsconfig") || stem.starts_with("jsconfig"))
}

fn refuse_path(path: &str) -> Option<Refusal> {
    path.contains(".min.").then_some((Problem::Minified, "minified by its name: not read"))
}

fn refuse_text(path: &str, text: &str) -> Option<Refusal> {
    let is_json = path.rsplit_once('.').is_some_and(|(_, ending)| ending == "json");
    // Some declaration files are made without line ends.
    let is_small_declaration = is_declaration_file(path) && text.len() < MAX_DECLARATION_BYTES;
    (!is_json && !is_small_declaration && is_minified(text))
        .then_some((Problem::Minified, "minified, by the length of its lines: not read"))
}

/// True for a text with one very long line of code and a quarter of its bytes in long lines of code, or with most of
/// its bytes in such lines. A single long line in a large file is a table of data. Long string literals, such as
/// embedded pictures and fonts, do not count as code.
fn is_minified(text: &str) -> bool {
    if text.len() < MIN_MINIFIED_BYTES {
        return false;
    }
    let long_lines = text.lines().filter(|line| line.len() > LONG_LINE_BYTES && is_code(line)).map(str::len);
    let (longest, total) = long_lines.fold((0, 0), |(longest, total), len| (len.max(longest), total + len));
    longest > MAX_LINE_BYTES && total > text.len() / 4 || total > text.len() / 2
}

/// True for a line in which more than one byte in thirty-two is a bracket or another sign of code.
fn is_code(line: &str) -> bool {
    line.bytes().filter(|byte| b"(){};=".contains(byte)).count() > line.len() / 32
}

/// The origin of a file, by the names of its folders and by the word before its ending, as in `client.test.ts`.
/// The newest known version of the compiler: major, minor.
const NEWEST_COMPILER: [u32; 2] = [6, 0];

/// True for a range of versions that the newest compiler meets: `>=4.2`, `*`, but not `<5.4`. Packages choose types for
/// a range by conditions such as `types@<5.4`.
pub fn is_met_by_newest_compiler(range: &str) -> bool {
    let meets = |bound: &str| {
        let number = |text: &str| text.parse::<u32>().unwrap_or(0);
        let version = |text: &str| {
            let mut parts = text.split('.');
            [parts.next().map_or(0, number), parts.next().map_or(0, number)]
        };
        let bounded = |mark: &str| bound.strip_prefix(mark).map(version);
        match (bounded("<="), bounded("<"), bounded(">=").or(bounded(">"))) {
            (Some(most), ..) => NEWEST_COMPILER <= most,
            (None, Some(limit), _) => NEWEST_COMPILER < limit,
            (None, None, Some(least)) => least <= NEWEST_COMPILER,
            (None, None, None) => {
                let exact = bound.trim_start_matches(['^', '~', '=']);
                matches!(exact, "*" | "x" | "") || version(exact)[0] == NEWEST_COMPILER[0]
            }
        }
    };
    range.split("||").any(|alternative| alternative.split_whitespace().all(meets))
}

fn origin(path: &str) -> Origin {
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

/// True for the name of a property that every object of JavaScript has.
pub fn is_object_member(name: &str) -> bool {
    matches!(
        name,
        "constructor"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
            | "toLocaleString"
            | "toString"
            | "valueOf"
    )
}

/// True for the name of a property that every function of JavaScript has, beside those of every object.
pub fn is_function_member(name: &str) -> bool {
    matches!(name, "apply" | "bind" | "call" | "length" | "name" | "prototype")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_paths_without_their_ending() {
        assert_eq!(module_of_path("packages/math/src/point.ts"), "packages/math/src/point");
        assert_eq!(module_of_path("a/index.d.mts"), "a/index");
        assert_eq!(module_of_path("a/b.test.tsx"), "a/b.test");
        assert_eq!(module_of_path("a/b.d.js"), "a/b.d");
        assert_eq!(module_of_path("a/Card.vue"), "a/Card.vue");
    }

    #[test]
    fn dots_in_a_file_name_separate_nothing() {
        assert_eq!((SPEC.parent_module)("src/vite.config"), Some("src"));
        assert_eq!((SPEC.parent_module)("vite.config"), None);
    }

    #[test]
    fn origins_come_from_the_names_of_folders_and_files() {
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

    #[test]
    fn ranges_of_older_compilers_are_not_met() {
        for range in [">=4.2", ">4.2", ">=5.0 <99", "*", "<5 || >=5.2", "<=100.1"] {
            assert!(is_met_by_newest_compiler(range), "{range}");
        }
        for range in ["<5.4", "<=5.9", ">=4.2 <5.0", "~4.9", "^5.1", "4.7"] {
            assert!(!is_met_by_newest_compiler(range), "{range}");
        }
    }

    #[test]
    fn long_lines_of_code_are_minified_and_long_literals_are_not() {
        let code = |len: usize| "f(a);".repeat(len / 5) + "\n";
        assert!(is_minified(&code(11_000)) && is_minified(&code(600).repeat(10)));
        assert!(!is_minified(&code(3_000)) && !is_minified(&code(100).repeat(100)) && !is_minified(""));
        assert!(!is_minified(&format!("{}{}", code(9_000), code(20).repeat(1_000))));
        assert!(!is_minified(&format!("{}{}", code(11_000), code(20).repeat(2_000))));
        assert!(is_minified(&format!("{}{}", code(11_000), code(20).repeat(1_000))));
        assert!(refuse_text("a.ts", &code(11_000)).is_some() && refuse_text("a.d.ts", &code(11_000)).is_none());
        assert!(refuse_text("a.d.ts", &code(2 * MAX_DECLARATION_BYTES)).is_some());
        assert!(!is_minified(&format!("const font = \"{}\";\n", "QUJD".repeat(100_000))));
    }
}
