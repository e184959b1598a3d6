//! How the keys of an object of a document are read: as keywords, as names, or as data.

/// The keywords whose values are maps from names to objects: a name there is no keyword, whatever it is.
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

/// How the keys of an object are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// They are keywords.
    Words,
    /// They are names.
    Names,
}

impl Keys {
    /// How the keys of the value of a key are read; `None` if the value is data. `is_list` is true if the value is a list.
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
