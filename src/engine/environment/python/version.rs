//! Versions of Python, as folders and settings write them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The first two numbers of a version of Python. Folders of modules are named by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PythonVersion {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
}

impl PythonVersion {
    /// The version at the beginning of a text such as `3.12.4`, `3.12` or `3.13t`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, rest) = text.trim().split_once('.')?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        Some(Self { major: major.parse().ok()?, minor: rest[..digits].parse().ok()? })
    }

    /// True if a requirement such as `>=3.10,<4` (PEP 440) allows a version that begins with these two numbers, or if
    /// it says nothing about them.
    pub fn satisfies(self, requirement: &str) -> bool {
        requirement.split(',').all(|clause| self.satisfies_clause(clause.trim()).unwrap_or(true))
    }

    fn satisfies_clause(self, clause: &str) -> Option<bool> {
        let end = clause.find(|c: char| c.is_ascii_digit())?;
        let (operator, version) = (clause[..end].trim(), clause[end..].trim());
        let major_alone = version.trim_end_matches(".*").parse().ok().map(|major| Self { major, minor: 0 });
        let other = Self::parse(version).or(major_alone)?;
        // Of versions with a third number, the first two may be equal to those of the requirement.
        let has_patch = version.trim_end_matches(".*").split('.').nth(2).is_some_and(|patch| patch.trim() != "0");
        Some(match operator {
            ">=" | ">" => self >= other,
            "<=" => self <= other,
            "<" => self < other || has_patch && self == other,
            "==" | "===" if major_alone.is_some() => self.major == other.major,
            "==" | "===" => self == other,
            "~=" if has_patch => self == other,
            "~=" => self.major == other.major && self >= other,
            _ => return None,
        })
    }

    /// The version that a folder such as `python3.12`, `python3.13t` or `pypy3.10` is for.
    pub fn of_folder(name: &str) -> Option<Self> {
        let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"))?;
        Self::parse(version)
    }
}

impl fmt::Display for PythonVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
