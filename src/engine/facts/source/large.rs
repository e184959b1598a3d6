//! The budget of large files. While a file is parsed, its syntax tree takes about 25 times the size of the file, so
//! large files are parsed one after the other, while other threads parse the other files, and the sum of their sizes
//! has a limit.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::FileEntry;
use apidisc_base::diagnostic::{Diagnostic, Problem};
use apidisc_base::sort::SharedSort as _;

/// The size in bytes above which a file of code is large.
const LARGE_BYTES: u64 = 1024 * 1024;
/// The greatest size of all large files of an index together, in bytes.
const MAX_LARGE_BYTES: u64 = 96 * 1024 * 1024;

/// True for a file that is parsed alone because of the size of its syntax tree. A notebook is mostly outputs, which are
/// not parsed.
pub fn is_large(file: &FileEntry) -> bool {
    file.size > LARGE_BYTES && file.language.is_some() && !file.path.ends_with(".ipynb")
}

/// Removes the largest files of code from `found` until all large files are within the budget, and adds a diagnostic
/// for each removed file. Files that are not read for another reason do not count towards the budget.
pub(super) fn keep_within_budget(found: &mut Vec<FileEntry>, diagnostics: &mut Vec<Diagnostic>) {
    keep_within(MAX_LARGE_BYTES, found, diagnostics);
}

fn keep_within(budget: u64, found: &mut Vec<FileEntry>, diagnostics: &mut Vec<Diagnostic>) {
    let is_read = |file: &&FileEntry| {
        let language = file.language.filter(|language| file.size <= language.max_bytes(&file.path));
        language.is_some_and(|language| language.refuse_path(&file.path).is_none())
    };
    let mut large: Vec<&FileEntry> = found.iter().filter(|file| is_large(file)).filter(is_read).collect();
    large.shared_sort_by(|a, b| a.size.cmp(&b.size).then_with(|| a.path.cmp(&b.path)));
    let mut left = budget;
    let mut removed: FxHashSet<CompactString> = FxHashSet::default();
    for file in large {
        if let Some(rest) = left.checked_sub(file.size) {
            left = rest;
        } else {
            let message = format!("files above 1 MB have more than {} MB together: not read", budget >> 20);
            diagnostics.push(Diagnostic { path: file.path.clone(), problem: Problem::TooLarge, message });
            removed.insert(file.path.clone());
        }
    }
    if !removed.is_empty() {
        found.retain(|file| !removed.contains(&file.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_base::language::Language;

    #[test]
    fn the_largest_files_beyond_the_budget_are_left_out_with_a_diagnostic() {
        let entry = |(path, size): (&str, u64)| FileEntry {
            path: path.into(),
            size: size * LARGE_BYTES / 10,
            language: Language::of_path(path),
        };
        // Three files cost nothing: a minified one, one above the limit of a file, and a notebook.
        let files = [
            ("a.py", 30),
            ("b.ts", 20),
            ("c.ts", 31),
            ("d.min.js", 20),
            ("e.ts", 9_000),
            ("f.ipynb", 200),
            ("g.py", 9),
        ];
        let mut found: Vec<FileEntry> = files.into_iter().map(entry).collect();
        let mut diagnostics = Vec::new();
        keep_within(5 * LARGE_BYTES, &mut found, &mut diagnostics);
        let paths: Vec<&str> = found.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.py", "b.ts", "d.min.js", "e.ts", "f.ipynb", "g.py"]);
        let removed: Vec<(&str, Problem)> = diagnostics.iter().map(|d| (d.path.as_str(), d.problem)).collect();
        assert_eq!(removed, [("c.ts", Problem::TooLarge)]);
    }
}
