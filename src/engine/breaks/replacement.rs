//! What to write instead of a name that is gone: by what the code of either version says, else by what came in its
//! place.

use apidisc_facts::program::{Parameter, Signature};

/// The lines of a message that names what is gone and what to use.
const MESSAGE_LINES: usize = 5;
/// The names that a text says to use instead of `old`: those after `use`, in messages that name `old` before.
pub(crate) fn advised<'t>(text: &'t str, old: &'t str) -> impl Iterator<Item = String> + 't {
    let lines: Vec<&str> = text.lines().collect();
    let named_at = (0..lines.len()).filter(|&at| words(lines[at]).any(|word| word == old)).collect::<Vec<_>>();
    named_at.into_iter().filter_map(move |at| {
        let window = &lines[at..lines.len().min(at + MESSAGE_LINES)];
        let message = window.iter().map(|line| line.trim().trim_matches(['"', ',', '(', ')'])).collect::<Vec<_>>();
        let message = message.join(" ");
        let after_old = &message[message.find(old)? + old.len()..];
        let lower = after_old.to_ascii_lowercase();
        let is_word = |at: usize| lower[..at].ends_with(|c: char| !c.is_alphanumeric());
        let begin = lower.match_indices("use ").map(|(at, _)| at).find(|&at| at == 0 || is_word(at))?;
        // Another name in quotes between the two is what the message is about.
        let between = after_old[..begin].trim_start_matches(['\'', '`']);
        if between.contains(['\'', '`']) {
            return None;
        }
        named(&after_old[begin + "use ".len()..]).filter(|name| name != old)
    })
}

/// The name that the first sentence of a text recommends: the first one in quotes, else the word before `instead`.
fn named(text: &str) -> Option<String> {
    let sentence = text.split(". ").next().unwrap_or(text);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let quoted = sentence.find(['`', '\'', '"']).map(|at| &sentence[at + 1..]);
    let plain = || sentence.split_once(" instead")?.0.rsplit(' ').next();
    let text = quoted.or_else(plain)?;
    let name = text.split(|c: char| !is_name(c)).next()?.trim_matches('.');
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| name.to_owned())
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
        // Too many parameters are of these types.
        let is_common =
            |word: &str| matches!(word, "" | "None" | "Optional" | "Union" | "t" | "typing" | "bool" | "int");
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter(|word| !is_common(word)).map(str::to_owned).collect()
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
    }
}
