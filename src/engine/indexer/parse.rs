//! One file to its facts, or to those that an earlier build has kept: they depend on its content alone.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{packed::PackedFacts, parsed_file::ParsedFile};
use crate::{
    diagnostic::{Diagnostic, Problem},
    source::{self, FoundFile, Source, SourceText},
};

/// What has come of one file.
pub(super) struct Parsed {
    /// Nothing where it cannot be read.
    pub(super) file: Option<Content>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Not as an earlier build has found it; a file that cannot be read is the same as long as it cannot.
    pub(super) is_changed: bool,
}

/// The facts of a file.
pub(super) enum Content {
    /// Read now, with what stands for its content.
    New(u64, ParsedFile),
    /// Those of an earlier build, whose content it still has.
    Same(PackedFacts),
}

impl Content {
    /// Its call sites.
    pub(super) fn calls(&self) -> usize {
        match self {
            Self::New(_, file) => file.call_count(),
            Self::Same(kept) => kept.calls,
        }
    }

    fn problems(&self) -> &[(Problem, u32)] {
        match self {
            Self::New(_, file) => file.problems(),
            Self::Same(kept) => &kept.problems,
        }
    }
}

/// Reads a file, and parses it unless that was done before.
pub(super) fn parse(
    source: &Source,
    found: &FoundFile,
    packages: &FxHashSet<CompactString>,
    old: Option<PackedFacts>,
) -> Parsed {
    let mut diagnostics = Vec::new();
    let Some(text) = source::read(source, found, &mut diagnostics) else {
        return Parsed { file: None, diagnostics, is_changed: old.is_some() };
    };
    let content = content(&text);
    let old = old.filter(|old| old.content == content);
    let is_changed = old.is_none();
    let file = old.map_or_else(|| Content::New(content, ParsedFile::parse(found, text, packages)), Content::Same);
    for (problem, line) in file.problems() {
        let message = match problem {
            Problem::TooDeep => format!("line {line}: nested too deeply, what lies deeper is not read"),
            _ => format!("line {line}: not valid syntax, the rest is indexed"),
        };
        diagnostics.push(Diagnostic { path: found.path.clone(), problem: *problem, message });
    }
    Parsed { file: Some(file), diagnostics, is_changed }
}

fn content(text: &SourceText) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&text.source, &text.lines).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::super::{Builder, Built, build};
    use crate::source::Source;
    use crate::{control::Control, index::metadata};

    fn again(builder: &mut Builder) -> Built {
        builder.build(&mut |_| Control::Continue).expect("a folder")
    }

    /// How many files were parsed; the index must be that of a first build.
    fn parsed(builder: &mut Builder, root: &Path) -> usize {
        let Built::Index { index, parsed, .. } = again(builder) else { panic!("no index") };
        let fresh = build(&Source::Folder(root.to_owned()), &mut |_| Control::Continue).expect("a folder");
        let text = |index| metadata::write(index, &metadata::MetadataOptions::default()).expect("a text");
        assert_eq!(text(&index), text(&fresh.expect("an index")));
        parsed
    }

    #[test]
    fn only_what_has_changed_is_parsed_again() {
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
        assert!(matches!(again(&mut builder), Built::Unchanged));
        assert!(builder.folders().iter().any(|folder| folder.ends_with("web")));
        write("pkg/two.py", "from pkg.one import f\nf(1)\n");
        assert_eq!(parsed(&mut builder, root.path()), 1);
        // The same content in another place is another file; a folder that becomes a package names its modules anew.
        fs::rename(root.path().join("pkg/two.py"), root.path().join("pkg/three.py")).expect("renamed");
        write("pkg/__init__.py", "");
        assert_eq!(parsed(&mut builder, root.path()), 2);
        fs::remove_file(root.path().join("pkg/three.py")).expect("removed");
        assert!(matches!(again(&mut builder), Built::Index { parsed: 0, gone: 1, .. }));
        assert!(matches!(again(&mut builder), Built::Unchanged));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_reason_to_index_again() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |text: &str| fs::write(root.path().join("a.js"), text).expect("a file");
        let minified = "f(0);".repeat(2_000) + "\n";
        write(&minified);
        let mut builder = Builder::new(Source::Folder(root.path().to_owned()));
        let Built::Index { index, .. } = again(&mut builder) else { panic!("no index") };
        assert_eq!(index.diagnostics.len(), 1);
        assert!(matches!(again(&mut builder), Built::Unchanged));
        write("f(0);\n");
        assert_eq!(parsed(&mut builder, root.path()), 1);
        write(&minified);
        assert_eq!(parsed(&mut builder, root.path()), 1);
        assert!(matches!(again(&mut builder), Built::Unchanged));
    }

    #[test]
    fn what_was_parsed_before_it_was_cancelled_is_kept() {
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
        assert!(matches!(cancelled, Ok(Built::Cancelled)));
        assert!(parsed(&mut builder, root.path()) < 3);
    }
}
