//! The choice of the files of a source that are indexed: folders and globs that are included or excluded.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Folders and globs, relative to the root of a source. A glob follows the rules of ignore files: `*` matches within
/// one name, `**` any number of folders.
#[derive(Clone, Debug)]
pub struct PathFilter {
    /// `None` includes every file.
    include: Option<Gitignore>,
    exclude: Gitignore,
}

/// A folder or glob that cannot be used, in a line that says how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFilterError {
    /// The path leads out of the source, or is absolute.
    #[error("`{0}` leads out of the source; write a folder or glob below it, such as src or docs/**")]
    Outside(String),
    /// The text is no glob.
    #[error("`{0}` is no folder or glob; write one such as src or **/test_*.py")]
    Glob(String),
}

impl Default for PathFilter {
    /// The filter that includes every file.
    fn default() -> Self {
        Self { include: None, exclude: Gitignore::empty() }
    }
}

impl PathFilter {
    /// Includes the files below these folders and those that match these globs, without the excluded ones. An empty
    /// list of included paths includes everything.
    ///
    /// # Errors
    /// [`PathFilterError`] for the first path that leads out of the source or is no glob.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, PathFilterError> {
        let include = if include.is_empty() { None } else { Some(matcher(include)?) };
        Ok(Self { include, exclude: matcher(exclude)? })
    }

    /// True for a file that is indexed.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let matches = |rules: &Gitignore| rules.matched_path_or_any_parents(Path::new(path), false).is_ignore();
        self.include.as_ref().is_none_or(matches) && !matches(&self.exclude)
    }
}

fn matcher(paths: &[String]) -> Result<Gitignore, PathFilterError> {
    let mut builder = GitignoreBuilder::new("");
    for path in paths {
        let is_outside = path.starts_with(['/', '\\', '~']) || path.split(['/', '\\']).any(|part| part == "..");
        if is_outside {
            return Err(PathFilterError::Outside(path.clone()));
        }
        let inner = path.trim_start_matches("./").trim_end_matches('/');
        // A leading slash anchors the pattern to the root, and escapes a leading `!` or `#`.
        let line = if matches!(inner, "" | ".") { "/**".to_owned() } else { format!("/{inner}") };
        builder.add_line(None, &line).map_err(|_| PathFilterError::Glob(path.clone()))?;
    }
    builder.build().map_err(|_| PathFilterError::Glob(paths.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_globs_are_relative_to_the_source() {
        let filter = |include: &[&str], exclude: &[&str]| {
            let owned = |paths: &[&str]| paths.iter().map(|&path| path.to_owned()).collect::<Vec<_>>();
            PathFilter::new(&owned(include), &owned(exclude)).expect("paths")
        };
        for (include, exclude, inside, outside) in [
            (&[][..], &[][..], &["a.py", "src/b.py"][..], &[][..]),
            (&["src"], &[], &["src/a.py", "src/b/c.py"], &["a.py", "lib/src/a.py", "src2/a.py"]),
            (&["./src/", "examples"], &["src/gen"], &["src/a.py", "examples/x.py"], &["src/gen/a.py", "gen/a.py"]),
            (&["**/test_*.py"], &[], &["test_a.py", "pkg/test_b.py"], &["pkg/a_test.py", "test_a.pyi"]),
            (&["src/*.py"], &[], &["src/a.py"], &["src/b/c.py", "a.py"]),
            (&["."], &["**/vendor"], &["a.py"], &["src/vendor/x.py", "vendor/y.py"]),
            (&["!odd", "#odd"], &[], &["!odd/a.py", "#odd/a.py"], &["odd/a.py"]),
        ] {
            let filter = filter(include, exclude);
            assert_eq!(inside.iter().find(|path| !filter.contains(path)), None, "{include:?} {exclude:?}");
            assert_eq!(outside.iter().find(|path| filter.contains(path)), None, "{include:?} {exclude:?}");
        }
    }

    #[test]
    fn paths_that_leave_the_source_are_refused() {
        for path in ["..", "../x", "src/../../x", "/etc", "~/x", "src\\..\\.."] {
            let refused = PathFilter::new(&[path.to_owned()], &[]);
            assert!(matches!(refused, Err(PathFilterError::Outside(_))), "{path}");
        }
        assert!(PathFilter::new(&["{a".to_owned()], &[]).is_err());
    }
}
