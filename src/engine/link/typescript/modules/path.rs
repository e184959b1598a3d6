//! Paths from the source's root: `/` between parts, no `.` and no `..`, empty for the root itself.

use compact_str::CompactString;

/// No file has a longer path: it is not worth building.
pub(super) const LONGEST_PATH: usize = 4096;

/// What `relative` means in a folder; none where it is absolute, leads above the root or is too long for a path.
pub(super) fn join(folder: &str, relative: &str) -> Option<CompactString> {
    if relative.starts_with(is_separator) || relative.len() > LONGEST_PATH {
        return None;
    }
    let mut path = CompactString::from(folder);
    for part in relative.split(is_separator) {
        match part {
            "" | "." => {}
            ".." if path.is_empty() => return None,
            ".." => path.truncate(path.rfind('/').unwrap_or(0)),
            _ => {
                if !path.is_empty() {
                    path.push('/');
                }
                path.push_str(part);
            }
        }
    }
    (path.len() <= LONGEST_PATH).then_some(path)
}

/// What stands in a folder.
pub(super) fn child(folder: &str, name: &str) -> CompactString {
    let mut path = CompactString::with_capacity(folder.len() + 1 + name.len());
    path.push_str(folder);
    if !folder.is_empty() {
        path.push('/');
    }
    path.push_str(name);
    path
}

/// TypeScript takes both.
fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// The folder that a file or folder stands in.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The folders around a file or folder, the innermost first, the root last.
pub(super) fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    let first = (!path.is_empty()).then(|| folder_of(path));
    std::iter::successors(first, |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}

/// What follows `folder` in `path`; empty where they are the same.
pub(super) fn within<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// True of a path that begins with `.` or `..`.
pub(super) fn is_relative(specifier: &str) -> bool {
    let rest = specifier.strip_prefix("..").or_else(|| specifier.strip_prefix('.'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(is_separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_far_as_the_root() {
        assert_eq!(join("a/b", "../c//./d/").as_deref(), Some("a/c/d"));
        assert_eq!(join("a/b", "..\\c").as_deref(), Some("a/c"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        assert_eq!(join("a", "../.."), None);
        assert_eq!(join("a", "/etc"), None);
        assert_eq!(join("a", &"x/".repeat(5000)), None);
    }

    #[test]
    fn folders_come_from_the_inside() {
        assert_eq!(folders_around("a/b/c.ts").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_around("").count(), 0);
        assert_eq!((within("ab/c", "a"), within("a/c", "a"), within("a", "a")), (None, Some("c"), Some("")));
    }

    #[test]
    fn relative_is_what_begins_with_dots_alone() {
        assert!([".", "..", "./a", "../a", ".\\a"].into_iter().all(is_relative));
        assert!(!["...", ".a", "a/..", "/a", "@a/b", ""].into_iter().any(is_relative));
    }
}
