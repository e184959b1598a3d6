//! The versions of API documents.

use std::fmt;

use super::value::Value;
use apidisc_base::unprintable::escaped_line;

/// The version of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Swagger 2.0.
    Swagger2,
    /// OpenAPI 3.0.
    OpenApi30,
    /// OpenAPI 3.1.
    OpenApi31,
    /// OpenAPI 3.2.
    OpenApi32,
}

/// The reason for which a value is not read as an API document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum VersionError {
    /// The root states no version.
    #[error("no API document: its root has neither `openapi` nor `swagger` with a version")]
    NoDocument,
    /// The version is not known.
    #[error("{} is not read; OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0 are", escaped_line(.0))]
    Unsupported(String),
}

impl VersionError {
    pub(super) fn is_unsupported(&self) -> bool {
        matches!(self, Self::Unsupported(_))
    }
}

impl Version {
    /// The version of the document with this root.
    pub(super) fn of(root: &Value) -> Result<Self, VersionError> {
        let word = |key: &str| match root.get(key)? {
            Value::Text(text) => Some(text.to_string()),
            // A version without quotes is a number of YAML.
            Value::Integer(number) => Some(format!("{number}.0")),
            Value::Float(number) => Some(number.to_string()),
            _ => None,
        };
        let (name, version) = match (word("openapi"), word("swagger")) {
            (Some(version), _) => ("OpenAPI", version),
            (None, Some(version)) => ("Swagger", version),
            (None, None) => return Err(VersionError::NoDocument),
        };
        let (major, rest) = version.split_once('.').unwrap_or((&version, "0"));
        let minor = rest.split(['.', '-']).next().unwrap_or_default();
        match (name, major, minor) {
            ("Swagger", "2", "0") => Ok(Self::Swagger2),
            ("OpenAPI", "3", "0") => Ok(Self::OpenApi30),
            ("OpenAPI", "3", "1") => Ok(Self::OpenApi31),
            ("OpenAPI", "3", "2") => Ok(Self::OpenApi32),
            _ => Err(VersionError::Unsupported(format!("{name} {version}"))),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Swagger2 => "Swagger 2.0",
            Self::OpenApi30 => "OpenAPI 3.0",
            Self::OpenApi31 => "OpenAPI 3.1",
            Self::OpenApi32 => "OpenAPI 3.2",
        })
    }
}
