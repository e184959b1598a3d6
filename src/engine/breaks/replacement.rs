//! What to write instead of a name that is gone: by what the code of either version says, else by what came in its
//! place.

use crate::statements::words;
use apidisc_facts::program::{Parameter, Signature};

/// The lines of a message that names what is gone and what to use.
const MESSAGE_LINES: usize = 5;

/// The words before the name of what to use, in lower case.
const ADVICE: [&str; 7] =
    ["use ", "in favor of ", "in favour of ", "replaced by ", "replaced with ", "renamed to ", "moved to "];

/// The names that a text says to use instead of `old`: those after a word of advice, in messages that name `old`
/// before.
pub(crate) fn advised<'t>(text: &'t str, old: &'t str) -> impl Iterator<Item = String> + 't {
    let lines: Vec<&str> = text.lines().collect();
    let named_at = (0..lines.len()).filter(|&at| words(lines[at]).any(|word| word == old)).collect::<Vec<_>>();
    named_at.into_iter().filter_map(move |at| {
        let message = message(&lines[at..lines.len().min(at + MESSAGE_LINES)]);
        let after_old = &message[message.find(old)? + old.len()..];
        let (before, advice) = advice(after_old)?;
        // Another name in quotes between the two is what the message is about.
        let between = before.trim_start_matches(['\'', '`']);
        if between.contains(['\'', '`']) {
            return None;
        }
        named(advice).filter(|name| name != old)
    })
}

/// The name that a message says to use.
pub(crate) fn recommended(text: &str) -> Option<String> {
    let message = message(&text.lines().collect::<Vec<_>>());
    named(advice(&message)?.1)
}

/// The package to which a name was moved, by a message such as "`Name` has been moved to the `other-package` package".
pub(crate) fn package_of(text: &str, name: &str) -> Option<String> {
    let quoted = format!("`{name}`");
    text.match_indices(&quoted).find_map(|(at, _)| {
        let line = text[at + quoted.len()..].lines().next()?;
        let (before, rest) = line.split_once("moved to ")?;
        let rest = rest.trim_start_matches("the ").strip_prefix('`')?;
        let (package, behind) = rest.split_once('`')?;
        let is_package = behind.trim_start().starts_with("package") && !before.contains('`');
        is_package.then(|| package.to_owned())
    })
}

/// The lines of a message as one: adjacent string literals are one text.
fn message(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim().trim_matches(['"', ',', '(', ')'])).collect();
    lines.join(" ")
}

/// The text before the first words of advice, and the text after them.
fn advice(text: &str) -> Option<(&str, &str)> {
    let lower = text.to_ascii_lowercase();
    let is_word = |at: usize| at == 0 || lower[..at].ends_with(|c: char| !c.is_alphanumeric());
    let of = |words: &&str| Some((lower.match_indices(words).map(|(at, _)| at).find(|&at| is_word(at))?, words.len()));
    let (at, len) = ADVICE.iter().filter_map(of).min()?;
    Some((&text[..at], &text[at + len..]))
}

/// The name that the first sentence of a text recommends: the first one in quotes, else the word before `instead`, else
/// one that is written as a call, `name()`.
fn named(text: &str) -> Option<String> {
    let sentence = text.split(". ").next().unwrap_or(text);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    // A quote that ends a text is no opening one.
    let is_opening = |at: &usize| !sentence[..*at].ends_with(|c: char| is_name(c) || matches!(c, ')' | ']'));
    let quotes = sentence.match_indices(['`', '\'', '"']).map(|(at, _)| at);
    let quoted = quotes.filter(is_opening).map(|at| &sentence[at + 1..]).find(|rest| rest.starts_with(is_name));
    let plain = || sentence.split_once(" instead")?.0.rsplit(' ').next();
    let called = || sentence.split("()").next().filter(|name| *name != sentence)?.rsplit(' ').next();
    let text = quoted.or_else(plain).or_else(called)?;
    let name = text.split(|c: char| !is_name(c)).next()?.trim_matches('.');
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| name.to_owned())
}

/// The parameter of `after` that took the place of a parameter of `before`: one that is new, and that shares a part of
/// its name with the old one, else the only new one that shares a type with it.
pub(crate) fn renamed(old: &Parameter, before: &Signature, after: &Signature) -> Option<String> {
    let is_new = |new: &&Parameter| {
        new.object.is_none() && !new.kind.is_variadic() && before.parameters.iter().all(|known| known.name != new.name)
    };
    let new: Vec<&Parameter> = after.parameters.iter().filter(is_new).collect();
    let parts = |name: &str| name.split('_').filter(|part| part.len() > 2).map(str::to_owned).collect::<Vec<_>>();
    let old_parts = parts(&old.name);
    let is_like = |new: &&&Parameter| {
        let (a, b) = (old.name.as_str(), new.name.as_str());
        a.starts_with(b) || b.starts_with(a) || parts(b).iter().any(|part| old_parts.contains(part))
    };
    let like: Vec<&&Parameter> = new.iter().filter(is_like).collect();
    if let [only] = like[..] {
        return Some(only.name.to_string());
    }
    let types = |parameter: &Parameter| -> Vec<String> {
        let text = parameter.annotation.as_deref().unwrap_or_default();
        // Too many parameters are of these types.
        let is_common = |word: &str| matches!(word, "None" | "Optional" | "Union" | "t" | "typing" | "bool" | "int");
        words(text).filter(|word| !is_common(word)).map(str::to_owned).collect()
    };
    let old_types = types(old);
    let same_type = |new: &&&Parameter| types(new).iter().any(|name| old_types.contains(name));
    let same: Vec<&&Parameter> = new.iter().filter(same_type).collect();
    match (&same[..], &like[..]) {
        ([only], []) => Some(only.name.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_what_to_use() {
        let advice = |text: &str, old: &str| advised(text, old).next();
        assert_eq!(advice("'old' is deprecated. Use 'new' instead.", "old").as_deref(), Some("new"));
        assert_eq!(advice("The `old` method is deprecated; use `new` instead.", "old").as_deref(), Some("new"));
        let split = "warn(\n    \"The 'app' shortcut is now deprecated.\"\n    \" Use the explicit style 'transport=T(app=…)' instead.\"\n)";
        assert_eq!(advice(split, "app").as_deref(), Some("transport"));
        assert_eq!(advice("# handle `old` and `older`\nwarn(\"'older' is deprecated. Use 'newer'.\")", "old"), None);
        assert_eq!(advice("old is because of new", "old"), None);
        assert_eq!(advice("Use old.", "old"), None);
        assert_eq!(advice("old() is deprecated in favor of new().", "old").as_deref(), Some("new"));
        assert_eq!(advice("warn('old() is deprecated in favor of new().', A)", "old").as_deref(), Some("new"));
        assert_eq!(advice("warn('old is deprecated, use new instead', A)", "old").as_deref(), Some("new"));
        assert_eq!(advice("`old` has been renamed to `new`.", "old").as_deref(), Some("new"));
        let moved = "'kit: `Old` has been moved to the `new-home` package. See more.'";
        assert_eq!((package_of(moved, "Old").as_deref(), package_of(moved, "new-home")), (Some("new-home"), None));
        let kwargs = recommended("warn(\n    'Use the explicit `metadata=...` argument instead.'\n)");
        assert_eq!(kwargs.as_deref(), Some("metadata"));
    }
}
