//! Rules for source text that facts keep, in any language: it is short, on one line and without control characters.

use compact_str::CompactString;

use crate::documentation;

/// The maximum length of a summary, in bytes. A longer summary is cut between two words.
const MAX_SUMMARY: usize = 200;
/// The maximum length of a literal, in bytes. The text of a longer literal is not kept.
pub(super) const MAX_LITERAL: usize = 40;

/// The text of a literal, if it is short and has no control characters.
pub(super) fn literal(text: &str) -> Option<CompactString> {
    (text.len() <= MAX_LITERAL && !text.contains(char::is_control)).then(|| CompactString::new(text))
}

/// True for the name of a constant or of an enum member: names that dots join, of which the last is in capital letters
/// (`MAX_SIZE`, `Color.RED`). With `pascal`, a member in `PascalCase` of a name in `PascalCase` is one, too
/// (`Status.Active`).
pub(super) fn is_constant_name(text: &str, pascal: bool) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let is_capital =
        |part: &str| part.len() > 1 && part.starts_with(char::is_uppercase) && !part.contains(char::is_lowercase);
    let is_pascal = |part: &str| part.starts_with(char::is_uppercase) && part.contains(char::is_lowercase);
    let mut parts = text.rsplit('.');
    let (last, owner) = (parts.next().unwrap_or_default(), parts.next());
    // This test comes first because it is cheap: most texts are names in small letters.
    last.starts_with(char::is_uppercase)
        && text.split('.').all(is_name)
        && !matches!(text.split('.').next(), Some("self" | "cls" | "this"))
        && (is_capital(last) || pascal && is_pascal(last) && owner.is_some_and(is_pascal))
}

/// Joins lines to one paragraph of plain text; `None` if all lines are blank.
pub(super) fn paragraph<'t>(lines: impl Iterator<Item = &'t str>) -> Option<CompactString> {
    Some(documentation::joined(lines, MAX_SUMMARY)).filter(|paragraph| !paragraph.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_constant_name;

    #[test]
    fn constants_are_known_by_their_names() {
        for name in ["MAX_SIZE", "Color.RED", "pkg.mod.LEVEL2", "Ä1"] {
            assert!(is_constant_name(name, false), "{name}");
        }
        for other in ["T", "Color.red", "Status.Active", "self.MAX", "A B", "f(X)", "X()", "a.b", "", ".", "1X", "_"] {
            assert!(!is_constant_name(other, false), "{other}");
        }
        assert!(is_constant_name("Status.Active", true) && !is_constant_name("Status", true));
        assert!(!is_constant_name("this.Status.Active", true) && !is_constant_name("app.Button", true));
    }
}
