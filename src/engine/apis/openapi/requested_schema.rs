//! The components that a query names: `What properties does the Campaign object have?` names the schema `Campaign`.

use apidisc_answering::terms::folded;

use super::requested_action::RequestedAction;

/// The words that ask for a schema, in lower case.
const WORDS: [&str; 10] =
    ["schema", "schemas", "object", "objects", "model", "field", "fields", "properties", "property", "attributes"];
/// The certainty of a name that is an ordinary word with a capital, in a query that asks for no schema.
const CERTAINTY_OF_A_CAPITAL: f64 = 0.25;
/// The certainty of a name in small letters, in a query that asks for a schema.
const CERTAINTY_OF_A_WORD: f64 = 0.5;

/// The schemas that a query asks for.
pub(super) struct RequestedSchema {
    /// True if the query asks for a schema by its kind. A query that begins with an action on a resource, such as
    /// `update`, asks for an operation.
    pub(super) is_asked_for: bool,
    /// The words of the query that may be names of components, folded, each with the certainty that it is meant.
    pub(super) names: Vec<(String, f64)>,
}

impl RequestedSchema {
    pub(super) fn of(query: &str) -> Self {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let words = || query.split(|c| !is_part(c)).map(|word| word.trim_matches(['.', '-'])).filter(|w| !w.is_empty());
        let is_asked_for = RequestedAction::of(query).is_none()
            && words().any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()));
        let certainty = |(at, word): (usize, &str)| {
            let is_code = word.chars().skip(1).any(|c| c.is_uppercase() || matches!(c, '_' | '-' | '.'));
            let is_capitalized = word.starts_with(char::is_uppercase) && (at > 0 || is_asked_for);
            match (is_code || is_capitalized && is_asked_for, is_capitalized) {
                (true, _) => 1.0,
                (false, true) => CERTAINTY_OF_A_CAPITAL,
                (false, false) if is_asked_for => CERTAINTY_OF_A_WORD,
                (false, false) => 0.0,
            }
        };
        let names = words().enumerate().map(|(at, word)| (folded(word), certainty((at, word))));
        Self { is_asked_for, names: names.filter(|(_, certainty)| *certainty > 0.0).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::RequestedSchema;

    #[test]
    fn a_name_is_certain_where_a_schema_is_asked_for() {
        let certainty = |query: &str| {
            let asked = RequestedSchema::of(query);
            asked.names.into_iter().find(|(name, _)| name == "campaign").map(|(_, certainty)| certainty)
        };
        assert_eq!(certainty("What properties does the Campaign object have?"), Some(1.0));
        assert_eq!(certainty("Campaign schema"), Some(1.0));
        assert_eq!(certainty("fields of a campaign"), Some(0.5));
        assert_eq!(certainty("pause a Campaign"), Some(0.25));
        assert_eq!(certainty("update the fields of a campaign"), None);
        assert_eq!(certainty("campaign"), None);
    }
}
