//! Tables of resolved specifiers. A test has the files of a small project, the texts of its project files, and rows of
//! `importing file | specifier | result`.

mod configs;
mod entries;
mod files;
mod hostile;
mod outputs;
mod packages;

use std::fmt::Write as _;

use super::{ModuleResolution, ModuleResolver};
use apidisc_facts::source::Roots;

/// A project: the paths of its sources, separated by white space, and its project files.
struct Project<'a> {
    files: Vec<&'a str>,
    resolver: ModuleResolver,
}

fn project<'a>(files: &'a str, project: &[(&str, &str)]) -> Project<'a> {
    let mut files: Vec<&str> = files.split_whitespace().collect();
    files.sort_unstable();
    let resolver = ModuleResolver::new(&files, project, &Roots::default());
    Project { files, resolver }
}

impl Project<'_> {
    fn position(&self, path: &str) -> usize {
        self.files.binary_search(&path).unwrap_or_else(|_| panic!("no file {path}"))
    }

    /// The resolution of a specifier: a path, `outside` or `missing`.
    fn resolution(&self, from: &str, specifier: &str) -> &str {
        match self.resolver.resolve(self.position(from), specifier) {
            ModuleResolution::File(file) => self.files[file],
            ModuleResolution::Outside => "outside",
            ModuleResolution::Missing => "missing",
        }
    }

    /// Asserts the result of every row. The panic message lists all wrong rows.
    #[track_caller]
    fn resolves(&self, rows: &str) -> &Self {
        let mut wrong = String::new();
        let mut count = 0;
        for row in rows.lines().filter(|row| !row.trim().is_empty()) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [from, specifier, expected] = cells[..] else { panic!("no row of three: {row}") };
            let found = self.resolution(from, specifier);
            if found != expected {
                let _ = writeln!(wrong, "{from} | {specifier} | {expected}, but finds {found}");
            }
            count += 1;
        }
        assert!(count > 0 && wrong.is_empty(), "\n{wrong}");
        self
    }

    /// The diagnostics of the project files, as `path: message`.
    fn problems(&self) -> Vec<String> {
        self.resolver.diagnostics().iter().map(|d| format!("{}: {}", d.path, d.message)).collect()
    }

    /// Asserts that the entries are `expected`, one `specifier = path` per line, if no file imports anything.
    #[track_caller]
    fn lists(&self, expected: &str) {
        self.lists_with_imports("", expected);
    }

    /// Asserts that the entries are `expected` if files import `imported`, specifiers separated by white space.
    #[track_caller]
    fn lists_with_imports(&self, imported: &str, expected: &str) {
        let expected: Vec<&str> = expected.lines().map(str::trim).collect();
        let entries = self.resolver.entries(&imported.split_whitespace().collect());
        let found: Vec<String> = entries.iter().map(|(name, file)| format!("{name} = {}", self.files[*file])).collect();
        assert_eq!(found, expected);
    }
}
