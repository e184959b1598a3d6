//! The targets of references.

use compact_str::CompactString;

use super::{node::Place, pointer};

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A value of a file.
    Place(Place),
    /// A URL. It is never fetched.
    Url,
    /// A file outside of the source. It is never read.
    Outside,
    /// A file or a value that does not exist. For a file that could not be read, this is the reason.
    Missing(Option<String>),
    /// The value of a mapping that is no reference, but a name without a schema.
    Name,
}

/// True for the part of a reference before `#` that is a URL: it has a scheme, or begins with two slashes.
pub(super) fn is_url(path: &str) -> bool {
    let has_scheme = || {
        let (scheme, _) = path.split_once(':')?;
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        // One letter is a drive of Windows, which leads out of every source.
        Some(scheme.len() > 1 && scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_letter))
    };
    path.starts_with("//") || has_scheme().unwrap_or_default()
}

/// The longest of `roots` that contains a path.
pub(super) fn root_of<'r>(roots: &'r [CompactString], path: &str) -> &'r str {
    let contains = |root: &&CompactString| {
        root.is_empty() || path.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    roots.iter().filter(contains).max_by_key(|root| root.len()).map_or("", CompactString::as_str)
}

/// The path that a reference from the file `from` names; `None` if it leads out of `root`.
pub(super) fn joined(root: &str, from: &str, reference: &str) -> Option<CompactString> {
    let reference = pointer::percent_decoded(reference);
    if reference.starts_with('/') || reference.contains(['\\', '\0']) || reference.as_bytes().get(1) == Some(&b':') {
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let inner = folder.strip_prefix(root).unwrap_or(folder);
    let mut parts: Vec<&str> = inner.split('/').filter(|part| !part.is_empty()).collect();
    for part in reference.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    if !root.is_empty() {
        parts.insert(0, root);
    }
    Some(parts.join("/").into())
}

#[cfg(test)]
mod tests {
    use super::{is_url, joined, root_of};

    #[test]
    fn references_are_relative_to_their_file_and_stay_in_the_source() {
        for (root, from, reference, path) in [
            ("", "a/b.yml", "c.yml", Some("a/c.yml")),
            ("", "a/b.yml", "./x/../../c%20d.yml", Some("c d.yml")),
            ("", "a/b.yml", "../../c.yml", None),
            ("", "b.yml", "/etc/passwd", None),
            ("", "b.yml", "..\\c.yml", None),
            ("", "b.yml", "C:/c.yml", None),
            ("src", "src/a/b.yml", "../c.yml", Some("src/c.yml")),
            ("src", "src/a/b.yml", "../../other/c.yml", None),
        ] {
            assert_eq!(joined(root, from, reference).as_deref(), path, "{reference}");
        }
    }

    #[test]
    fn urls_are_told_from_paths() {
        let urls = ["https://a/b", "urn:x", "//a/b", "file:///etc/passwd", "a/b:c.yml", "C:/x", "b.yml"];
        assert_eq!(urls.map(is_url), [true, true, true, true, false, false, false]);
    }

    #[test]
    fn the_longest_root_counts() {
        let roots = ["".into(), "a".into(), "a/b".into()];
        assert_eq!(["a/b/c.yml", "a/c.yml", "ab/c.yml"].map(|path| root_of(&roots, path)), ["a/b", "a", ""]);
    }
}
