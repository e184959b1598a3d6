//! Parses one file, or reuses the facts of an earlier build. Facts depend on the content of the file alone.

use super::{
    compressed::CompressedFacts,
    facts_store::{FactsKey, FactsStore},
    kept_index::KnownFiles,
    parsed_file::ParsedFile,
};
use apidisc_base::{
    diagnostic::{Diagnostic, LineRange, Problem},
    hash::ContentHash,
    language::is_auxiliary,
};
use apidisc_facts::{
    source::{self, FileEntry, ReadFile, Source, SourceText},
    syntax::{MAX_MEMBERS, MAX_PARAMETERS, Watch},
};

/// The result of parsing one file.
pub(super) struct ParseResult {
    /// The hash of the content of the file.
    pub(super) content: ContentHash,
    /// The stamp of the file.
    pub(super) stamp: ContentHash,
    /// Whether the file is auxiliary, for a file of a commit that was read without problems.
    pub(super) is_auxiliary: Option<bool>,
    /// The facts; `None` if the file cannot be read.
    pub(super) facts: Option<ParsedOrReused>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// True for a file that the last build did not have or had with other content. A file is unchanged if neither build
    /// could read it, and if it is a document that quotes no code in either build.
    pub(super) is_changed: bool,
}

/// The facts of a file.
pub(super) enum ParsedOrReused {
    /// Facts that were parsed now.
    Parsed(ParsedFile),
    /// Facts that the store had, as bytes and decoded.
    Restored(CompressedFacts, ParsedFile),
    /// Facts that an earlier build parsed from the same content.
    Reused(CompressedFacts),
    /// No facts: the file is a document that quotes no code. `is_restored` is true if this is known from the store.
    NoCode { key: FactsKey, is_restored: bool },
}

impl ParsedOrReused {
    /// The number of call sites.
    pub(super) fn call_count(&self) -> usize {
        match self {
            Self::Parsed(file) => file.call_count(),
            Self::Restored(facts, _) | Self::Reused(facts) => facts.call_count,
            Self::NoCode { .. } => 0,
        }
    }

    fn problems(&self) -> Vec<(Problem, LineRange)> {
        match self {
            Self::Parsed(file) => file.problems(),
            Self::Restored(facts, _) | Self::Reused(facts) => facts.problems.to_vec(),
            Self::NoCode { .. } => Vec::new(),
        }
    }
}

/// Reads a file and parses it; `watch` may stop the parser. Reuses `old`, the facts of the last build, or the facts in
/// `store`, if they were made from the same content. A file in `known` whose facts are in the store is not read.
pub(super) fn parse(
    source: &Source,
    found: &FileEntry,
    (old, known): (Option<CompressedFacts>, &KnownFiles),
    store: Option<&dyn FactsStore>,
    watch: &mut Watch<'_>,
) -> ParseResult {
    if let Some(result) = restore_known(source, found, known, store).filter(|_| old.is_none()) {
        return result;
    }
    let mut diagnostics = Vec::new();
    let ReadFile { content, stamp, text } = source::read(source, found, &mut diagnostics);
    let had_facts = old.is_some();
    let Some(text) = text else {
        return ParseResult { content, stamp, is_auxiliary: None, facts: None, diagnostics, is_changed: had_facts };
    };
    let is_plain = diagnostics.is_empty() && source::object_stamp(source, found).is_some();
    let is_auxiliary = is_plain.then(|| is_auxiliary_file(found, path_in_source(source, found), &text));
    let key = FactsKey::new(found, content);
    let facts = match old.filter(|old| old.key == key) {
        Some(old) => ParsedOrReused::Reused(old),
        None => match restore(store, found, path_in_source(source, found), key, &text) {
            Some((_, file)) if file.units().is_empty() => ParsedOrReused::NoCode { key, is_restored: true },
            Some((facts, file)) => ParsedOrReused::Restored(facts, file),
            None => {
                let file = ParsedFile::parse(found, path_in_source(source, found), key, text, watch);
                let is_empty = file.units().is_empty();
                if is_empty { ParsedOrReused::NoCode { key, is_restored: false } } else { ParsedOrReused::Parsed(file) }
            }
        },
    };
    diagnostics.extend(problems_of(found, &facts));
    let is_changed = match facts {
        ParsedOrReused::Reused(_) => false,
        ParsedOrReused::NoCode { .. } => had_facts,
        ParsedOrReused::Parsed(_) | ParsedOrReused::Restored(..) => true,
    };
    ParseResult { content, stamp, is_auxiliary, facts: Some(facts), diagnostics, is_changed }
}

/// The problems of the text of a file, as diagnostics.
fn problems_of(found: &FileEntry, facts: &ParsedOrReused) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let (errors, others): (Vec<_>, Vec<_>) =
        facts.problems().into_iter().partition(|(problem, _)| *problem == Problem::Syntax);
    if !errors.is_empty() {
        let lines: Vec<LineRange> = errors.into_iter().map(|(_, lines)| lines).collect();
        let message = format!("{}: not valid syntax, the rest is indexed", LineRange::in_words(&lines));
        diagnostics.push(Diagnostic { path: found.path.clone(), problem: Problem::Syntax, message });
    }
    for (problem, LineRange { first: line, .. }) in others {
        let message = match problem {
            Problem::TooSlow if line == 1 => "too slow to parse for its size: not read".to_owned(),
            Problem::TooSlow => format!("line {line}: too slow to parse for its size, this part is not read"),
            Problem::TooComplex => {
                format!(
                    "line {line}: more than {MAX_PARAMETERS} parameters or {MAX_MEMBERS} members, the others are not read"
                )
            }
            Problem::TooDeep => format!("line {line}: nested too deeply, what lies deeper is not read"),
            Problem::Example => {
                format!("line {line}: this example is not valid code and is left out, as are others like it")
            }
            _ => format!("line {line}: not valid syntax, the rest is indexed"),
        };
        diagnostics.push(Diagnostic { path: found.path.clone(), problem, message });
    }
    diagnostics
}

/// The result for a known file whose facts the store has.
fn restore_known(
    source: &Source,
    found: &FileEntry,
    known: &KnownFiles,
    store: Option<&dyn FactsStore>,
) -> Option<ParseResult> {
    let (content, is_auxiliary) = known.find(source, found)?;
    let stamp = source::object_stamp(source, found)?;
    let key = FactsKey::new(found, content);
    let (facts, file) = CompressedFacts::restore(store?.get(key)?, &found.path, key, is_auxiliary)?;
    let is_empty = file.units().is_empty();
    let facts = if is_empty {
        ParsedOrReused::NoCode { key, is_restored: true }
    } else {
        ParsedOrReused::Restored(facts, file)
    };
    let (diagnostics, is_auxiliary) = (problems_of(found, &facts), Some(is_auxiliary));
    Some(ParseResult { content, stamp, is_auxiliary, facts: Some(facts), diagnostics, is_changed: !is_empty })
}

/// True if a file of code is auxiliary by its path or text: users do not import from it.
fn is_auxiliary_file(found: &FileEntry, inner: &str, text: &SourceText) -> bool {
    found.language.is_some() && is_auxiliary(inner, &text.source)
}

/// The path of a file from the root of its own source.
fn path_in_source<'f>(source: &Source, found: &'f FileEntry) -> &'f str {
    source.locate(&found.path).map_or(&found.path, |(_, path)| path)
}

/// The facts in the store; `None` if the store has none, or if they cannot be decoded.
fn restore(
    store: Option<&dyn FactsStore>,
    found: &FileEntry,
    inner: &str,
    key: FactsKey,
    text: &SourceText,
) -> Option<(CompressedFacts, ParsedFile)> {
    let bytes = store?.get(key)?;
    CompressedFacts::restore(bytes, &found.path, key, is_auxiliary_file(found, inner, text))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::super::{BuildOutcome, Builder, Progress, build};
    use crate::index::metadata;
    use apidisc_base::{control::Control, diagnostic::Problem};
    use apidisc_facts::source::Source;

    fn build_again(builder: &mut Builder) -> BuildOutcome {
        builder.build(&mut |_| Control::Continue).expect("a folder")
    }

    /// Builds again and returns the number of parsed files. Asserts that the index equals that of a new builder.
    fn parsed(builder: &mut Builder, root: &Path) -> usize {
        let BuildOutcome::Index { index, parsed, .. } = build_again(builder) else { panic!("no index") };
        let fresh = build(&Source::Folder(root.to_owned()), &mut |_| Control::Continue).expect("a folder");
        let text = |index| metadata::write(index, &metadata::MetadataOptions::default()).expect("a text");
        assert_eq!(text(&index), text(&fresh.expect("an index")));
        parsed
    }

    #[test]
    fn only_changed_files_are_parsed_again() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("pkg/one.py", "def f(a, b=1): ...\n");
        write("pkg/two.py", "from pkg.one import f\nf(1)\nf(1, b=2)\n");
        write("web/app.ts", "export function g(x: number) {}\ng(1)\n");
        let mut builder = Builder::new(Source::Folder(root.path().to_owned()));
        assert_eq!(parsed(&mut builder, root.path()), 3);
        assert!(matches!(build_again(&mut builder), BuildOutcome::Unchanged));
        assert!(builder.folders().iter().any(|folder| folder.ends_with("web")));
        write("pkg/two.py", "from pkg.one import f\nf(1)\n");
        assert_eq!(parsed(&mut builder, root.path()), 1);
        // A file that is moved is another file, although its content is the same. A folder that becomes a package
        // renames its modules.
        fs::rename(root.path().join("pkg/two.py"), root.path().join("pkg/three.py")).expect("renamed");
        write("pkg/__init__.py", "");
        assert_eq!(parsed(&mut builder, root.path()), 2);
        fs::remove_file(root.path().join("pkg/three.py")).expect("removed");
        assert!(matches!(build_again(&mut builder), BuildOutcome::Index { parsed: 0, removed: 1, .. }));
        assert!(matches!(build_again(&mut builder), BuildOutcome::Unchanged));
    }

    #[test]
    fn files_of_several_megabytes_are_indexed_beside_the_others() {
        let large = |comment: &str, code: &str| comment.repeat(2_500_000 / comment.len()) + code;
        let files = [
            ("a.py", large("# A comment of a generated client.\n", "def f(a, b=1): ...\nf(1, b=2)\n")),
            ("b.py", "from a import f\nf(1)\n".to_owned()),
            ("c.ts", large("// A comment of a generated client.\n", "export function g(x: number) {}\ng(1);\n")),
        ];
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let calls = |fqn: &str| {
            let definition = index.definitions.iter().find(|definition| definition.fqn == fqn);
            definition.map(|definition| definition.usage.total_calls)
        };
        assert_eq!((calls("a.f"), calls("c#g"), index.diagnostics.len()), (Some(2), Some(1), 0));
    }

    /// The number of calls of `f` in a file with this code beside a definition and two calls of `f`, and the
    /// diagnostics.
    fn calls_with(path: &str, code: &str) -> (Option<u32>, usize) {
        let definition = if path == "a.py" { "def f(a): ...\n" } else { "export function f(a) {}\n" };
        let text = format!("{definition}f(1)\n{code}\nf(2)\n");
        let files = vec![(path.to_owned(), text.into_bytes().into())];
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let f = index.definitions.iter().find(|definition| definition.name == "f");
        (f.map(|definition| definition.usage.total_calls), index.diagnostics.len())
    }

    #[test]
    fn ordinary_large_files_are_read() {
        let rows = |size: usize, row: &dyn Fn(usize) -> String| (0..size).map(row).collect::<Vec<_>>().concat();
        let words = "'w',\n".repeat(262_144);
        let numbers = rows(100_000, &|i| format!("  {i}, {i}.5,\n"));
        let dicts = rows(40_000, &|i| format!("    \"k{i}\": {{\"a\": {i}, \"b\": [-1.5, None]}},\n"));
        let objects = rows(40_000, &|i| format!("    {{ a: {i}, b: \"x\", c: [1, 2] }},\n"));
        let line = numbers.replace('\n', "");
        for (path, code) in [
            ("a.py", format!("W = [\n{words}]")),
            ("a.py", format!("N = [\n{numbers}]")),
            ("a.py", format!("D = {{\n{dicts}}}")),
            ("a.py", "x = 1\n".repeat(175_000)),
            ("a.ts", format!("export const N = [\n{numbers}];")),
            ("a.ts", format!("export const N = [{line}];")),
            ("a.ts", format!("export const N = [\n{objects}];")),
            ("a.ts", "x(1);\n".repeat(175_000)),
            ("a.py", "# a\n".repeat(20_000)),
            ("a.ts", "// a\n".repeat(20_000)),
        ] {
            let head = &code[..40];
            assert_eq!(calls_with(path, &code), (Some(2), 0), "{path}: {head}");
        }
    }

    #[test]
    fn a_file_that_the_parser_gives_up_has_a_module_and_a_note() {
        for path in ["a.py", "a.ts"] {
            let code = format!("{}\n", "(".repeat(100)).repeat(12_000);
            let user = b"import a\na.f(1)\n";
            let files = vec![(path.to_owned(), code.into_bytes().into()), ("b.py".to_owned(), user[..].into())];
            let source = Source::Memory { name: "m".to_owned(), files };
            let index = build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
            let problems: Vec<Problem> = index.diagnostics.iter().map(|diagnostic| diagnostic.problem).collect();
            assert_eq!(problems, [Problem::TooDeep], "{path}");
        }
    }

    #[test]
    fn a_file_that_still_cannot_be_read_is_unchanged() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |text: &str| fs::write(root.path().join("a.js"), text).expect("a file");
        let minified = "f(0);".repeat(2_000) + "\n";
        write(&minified);
        let mut builder = Builder::new(Source::Folder(root.path().to_owned()));
        let BuildOutcome::Index { index, .. } = build_again(&mut builder) else { panic!("no index") };
        assert_eq!(index.diagnostics.len(), 1);
        assert!(matches!(build_again(&mut builder), BuildOutcome::Unchanged));
        write("f(0);\n");
        assert_eq!(parsed(&mut builder, root.path()), 1);
        write(&minified);
        assert_eq!(parsed(&mut builder, root.path()), 1);
        assert!(matches!(build_again(&mut builder), BuildOutcome::Unchanged));
    }

    #[test]
    fn a_folder_inside_a_package_keeps_the_names_of_the_package() {
        let root = tempfile::tempdir().expect("a folder");
        let package = root.path().join("site-packages/kit");
        fs::create_dir_all(package.join("net")).expect("a folder");
        fs::write(package.join("__init__.py"), "from kit.client import Client\n").expect("a file");
        fs::write(package.join("client.py"), "from .net import get\nclass Client: ...\nget()\n").expect("a file");
        fs::write(package.join("net/__init__.py"), "import kit\ndef get(): kit.Client()\n").expect("a file");
        let mut calls = Vec::new();
        for folder in [package.clone(), package.join("net")] {
            let index =
                build(&Source::Folder(folder), &mut |_| Control::Continue).expect("a folder").expect("an index");
            let called = index.definitions.iter().filter(|d| d.usage.total_calls > 0);
            calls.push(called.map(|d| d.alias.to_string()).collect::<Vec<_>>());
            assert!(index.definitions.iter().any(|d| d.alias == "kit.net.get"));
            assert!(index.files.iter().all(|file| !file.path.starts_with("kit/")));
        }
        assert_eq!(calls, [vec!["kit.Client".to_owned(), "kit.net.get".to_owned()], vec![]]);
    }

    #[test]
    fn a_build_is_cancelled_while_its_only_file_is_parsed() {
        let files = vec![("a.py".to_owned(), "f(".repeat(100_000).into_bytes().into())];
        let source = Source::Memory { name: "m".to_owned(), files };
        let mut done_when_asked = Vec::new();
        let index = build(&source, &mut |progress| match progress {
            Progress::Parsed { done, .. } => {
                done_when_asked.push(done);
                Control::Cancel
            }
            _ => Control::Continue,
        });
        assert!(index.is_ok_and(|index| index.is_none()));
        assert_eq!(done_when_asked, [0]);
    }

    #[test]
    fn facts_parsed_before_cancelling_are_kept() {
        let root = tempfile::tempdir().expect("a folder");
        for name in ["a.py", "b.py", "c.py"] {
            fs::write(root.path().join(name), "x = 1\n").expect("a file");
        }
        let mut builder = Builder::new(Source::Folder(root.path().to_owned()));
        let mut left = 2;
        let cancelled = builder.build(&mut |_| {
            left -= 1;
            if left < 0 { Control::Cancel } else { Control::Continue }
        });
        assert!(matches!(cancelled, Ok(BuildOutcome::Cancelled)));
        builder.decompress();
        assert!(parsed(&mut builder, root.path()) < 3);
    }

    #[test]
    fn the_last_build_frees_facts_and_makes_the_same_index() {
        let root = tempfile::tempdir().expect("a folder");
        fs::write(root.path().join("a.py"), "import web\ndef f(a): ...\nf(1)\nweb.get(1)\n").expect("a file");
        fs::write(root.path().join("b.ts"), "export function g(x: number) {}\ng(1)\n").expect("a file");
        let mut builder = Builder::new(Source::Folder(root.path().to_owned()));
        builder.set_last();
        assert_eq!(parsed(&mut builder, root.path()), 2);
        assert!(builder.facts().is_empty());
        // A further build parses all files again.
        fs::write(root.path().join("a.py"), "def f(a): ...\n").expect("a file");
        assert_eq!(parsed(&mut builder, root.path()), 2);
    }

    #[test]
    fn linking_can_be_cancelled_in_every_language() {
        let lines = |line: &dyn Fn(usize) -> String| (0..3_000).map(line).collect::<Vec<_>>().concat();
        let python = lines(&|i| format!("def f{i}(): return f{}()\n", i + 1));
        let typescript = lines(&|i| format!("function f{i}() {{ return f{}(); }}\n", i + 1));
        for (name, text) in [("a.py", python), ("a.ts", typescript)] {
            let files = vec![(name.to_owned(), text.into_bytes().into())];
            let mut builder = Builder::new(Source::Memory { name: name.to_owned(), files });
            // The steps of linking at each report, if the report with this number cancels.
            let mut steps = |cancelling: usize| {
                let mut reports = Vec::new();
                let built = builder.build(&mut |progress| {
                    let Progress::Linking { steps } = progress else { return Control::Continue };
                    reports.push(steps);
                    if reports.len() == cancelling { Control::Cancel } else { Control::Continue }
                });
                (matches!(built, Ok(BuildOutcome::Cancelled)), reports)
            };
            let (is_cancelled, cancelled) = steps(1);
            assert!(is_cancelled && cancelled.len() == 1, "{name}: {cancelled:?}");
            let (is_cancelled, complete) = steps(usize::MAX);
            assert!(!is_cancelled && complete.last() > cancelled.last(), "{name}: {complete:?}");
        }
    }
}
