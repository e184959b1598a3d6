//! The skill: a file that tells an agent when to ask the server.

use apidisc::hash::Fnv;

const TEXT: &str = include_str!("skill.md");
/// What stands before the hash of the text, in the last line of the file.
const MARK: &str = "<!-- written by apidisc-tui setup: ";

/// The content of the file.
pub(super) fn text() -> String {
    signed(TEXT)
}

/// A text with its hash, by which [`is_unchanged`] knows it.
fn signed(text: &str) -> String {
    format!("{text}\n{MARK}{} -->\n", hash(text))
}

/// True if a file is as a version of this program has written it.
pub(super) fn is_unchanged(file: &str) -> bool {
    file.rsplit_once(MARK).is_some_and(|(text, _)| {
        let text = text.strip_suffix('\n').unwrap_or(text);
        signed(text) == file
    })
}

fn hash(text: &str) -> String {
    let mut hash = Fnv::default();
    hash.add(text);
    format!("{:016x}", hash.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_told_from_one_of_another_version() {
        assert!(is_unchanged(&text()));
        assert!(is_unchanged(&signed("what another version says\n")));
        assert!(!is_unchanged(&text().replace("search_symbols", "my own words")));
        assert!(!is_unchanged("---\nname: apidisc\n---\nwritten by hand\n"));
        assert!(!is_unchanged(&(text() + "one line more\n")));
    }

    #[test]
    fn the_skill_has_ten_lines_and_names_tools_that_exist() {
        let body = TEXT.rsplit_once("---\n").unwrap().1;
        assert!(body.lines().filter(|line| !line.is_empty()).count() <= 10);
    }
}
