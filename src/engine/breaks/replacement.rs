//! What to write instead of a name that is gone: by what the code of either version says, else by what came in its
//! place.

use apidisc_facts::program::{Parameter, Signature};

/// The lines of a message that names what is gone and what to use.
const MESSAGE_LINES: usize = 5;
/// Words between `use` and the name of the replacement.
const FILLERS: [&str; 14] = [
    "the",
    "a",
    "an",
    "to",
    "of",
    "argument",
    "parameter",
    "keyword",
    "method",
    "function",
    "class",
    "option",
    "explicit",
    "style",
];

/// The name that a text says to use instead of `old`: the one after `use`, in a message that names `old` before.
pub(crate) fn advised(text: &str, old: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).filter(|&at| words(lines[at]).any(|word| word == old)).find_map(|at| {
        let window = &lines[at..lines.len().min(at + MESSAGE_LINES)];
        let message = window.iter().map(|line| line.trim().trim_matches(['"', ',', '(', ')'])).collect::<Vec<_>>();
        let message = message.join(" ");
        let after_old = &message[message.find(old)? + old.len()..];
        let lower = after_old.to_ascii_lowercase();
        let is_end = |at: usize| lower[..at].ends_with(|c: char| !c.is_alphanumeric());
        let begin = lower.match_indices("use ").map(|(at, _)| at).find(|&at| at == 0 || is_end(at))?;
        named(&after_old[begin + "use ".len()..]).filter(|name| name != old)
    })
}

/// The first name in quotes, else the first word that is no filler.
fn named(text: &str) -> Option<String> {
    let sentence = text.split(". ").next().unwrap_or(text);
    let quoted = sentence.find(['`', '\'', '"']).map(|at| &sentence[at..]);
    let text = quoted.unwrap_or(sentence);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut names = text.split(|c: char| !is_name(c)).map(|name| name.trim_matches('.'));
    let found = names.find(|name| !name.is_empty() && !FILLERS.contains(name))?;
    found.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| found.to_owned())
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
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
        let is_type =
            |word: &&str| !word.is_empty() && !matches!(*word, "None" | "Optional" | "Union" | "t" | "typing");
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(is_type).map(str::to_owned).collect()
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
        let advice = |text: &str, old: &str| advised(text, old);
        assert_eq!(advice("'old' is deprecated. Use 'new' instead.", "old").as_deref(), Some("new"));
        assert_eq!(advice("The `old` method is deprecated; use `new` instead.", "old").as_deref(), Some("new"));
        let split = "warn(\n    \"The 'app' shortcut is now deprecated.\"\n    \" Use the explicit style 'transport=T(app=…)' instead.\"\n)";
        assert_eq!(advice(split, "app").as_deref(), Some("transport"));
        assert_eq!(advice("old is because of new", "old"), None);
        assert_eq!(advice("Use old.", "old"), None);
    }
}
