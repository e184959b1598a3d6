//! The role of the keys in an object of a document: keywords, names, or data.

/// The keywords whose values are maps from names to objects. Every key of such a map is a name, even if a keyword has
/// the same text.
const MAPS_OF_NAMES: &[&str] = &[
    "$defs",
    "additionalOperations",
    "callbacks",
    "content",
    "definitions",
    "dependentSchemas",
    "encoding",
    "examples",
    "headers",
    "links",
    "mediaTypes",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "securityDefinitions",
    "securitySchemes",
    "variables",
    "webhooks",
];

/// The keywords whose values are data of the API, not of its description.
const DATA: &[&str] = &["const", "default", "enum", "example", "value"];

/// The role of the keys of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// The keys are keywords.
    Words,
    /// The keys are names.
    Names,
}

impl Keys {
    /// The role of the keys in the value of a key; `None` if the value is data. `is_list` is true if the value is a
    /// list.
    pub(super) fn below(self, key: &str, is_list: bool) -> Option<Self> {
        match self {
            Self::Names => Some(Self::Words),
            Self::Words if DATA.contains(&key) || (key == "examples" && is_list) => None,
            Self::Words if MAPS_OF_NAMES.binary_search(&key).is_ok() => Some(Self::Names),
            Self::Words => Some(Self::Words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, MAPS_OF_NAMES};

    #[test]
    fn names_are_no_keywords() {
        assert!(MAPS_OF_NAMES.is_sorted());
        assert_eq!(Keys::Words.below("properties", false), Some(Keys::Names));
        assert_eq!(Keys::Names.below("example", false), Some(Keys::Words));
        assert_eq!([Keys::Words.below("example", false), Keys::Words.below("examples", true)], [None, None]);
        assert_eq!(Keys::Words.below("examples", false), Some(Keys::Names));
    }
}
