//! Normalised paths of the sources: separated by `/`, without `.` and `..`. The root is the empty path.

use compact_str::CompactString;

/// The greatest length of a path in bytes. A longer path cannot name a file, so it is never built.
pub(crate) const MAX_PATH_LENGTH: usize = 4096;

/// Joins `relative` to a folder. `None` if `relative` is absolute, or if the path would be above the root or too long.
pub(crate) fn join(folder: &str, relative: &str) -> Option<CompactString> {
    if relative.starts_with(is_separator) || relative.len() > MAX_PATH_LENGTH {
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
    (path.len() <= MAX_PATH_LENGTH).then_some(path)
}

/// The path of an entry of a folder.
pub(crate) fn child(folder: &str, name: &str) -> CompactString {
    let mut path = CompactString::with_capacity(folder.len() + 1 + name.len());
    path.push_str(folder);
    if !folder.is_empty() {
        path.push('/');
    }
    path.push_str(name);
    path
}

/// True for `/` and `\`: TypeScript accepts both.
fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// The folder that contains a file or folder.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last component of a path.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The folders that contain a file or folder, the innermost first, the root last.
pub(crate) fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    let first = (!path.is_empty()).then(|| folder_of(path));
    std::iter::successors(first, |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}

/// The path relative to `folder`, empty if both are the same; `None` if `path` is not inside `folder`.
pub(crate) fn within<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// True for a specifier whose first component is `.` or `..`.
pub(crate) fn is_relative(specifier: &str) -> bool {
    let rest = specifier.strip_prefix("..").or_else(|| specifier.strip_prefix('.'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(is_separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_stops_at_the_root() {
        assert_eq!(join("a/b", "../c//./d/").as_deref(), Some("a/c/d"));
        assert_eq!(join("a/b", "..\\c").as_deref(), Some("a/c"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        assert_eq!(join("a", "../.."), None);
        assert_eq!(join("a", "/etc"), None);
        assert_eq!(join("a", &"x/".repeat(5000)), None);
    }

    #[test]
    fn enclosing_folders_come_innermost_first() {
        assert_eq!(folders_around("a/b/c.ts").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_around("").count(), 0);
        assert_eq!((within("ab/c", "a"), within("a/c", "a"), within("a", "a")), (None, Some("c"), Some("")));
    }

    #[test]
    fn only_a_leading_dot_component_makes_a_specifier_relative() {
        assert!([".", "..", "./a", "../a", ".\\a"].into_iter().all(is_relative));
        assert!(!["...", ".a", "a/..", "/a", "@a/b", ""].into_iter().any(is_relative));
    }
}
