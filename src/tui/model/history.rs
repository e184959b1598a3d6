//! The history of locations, and marked locations.

use std::collections::BTreeMap;

use super::{
    Location, PageKind, TopicName,
    packages::{ALL_PACKAGES, EVERYTHING},
    shown,
};

/// Locations to go back and forward to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NavigationHistory {
    /// Earlier locations, the latest at the end.
    pub back: Vec<Location>,
    /// Locations that were left by going back, the next one at the end.
    pub forward: Vec<Location>,
    /// Marked locations by letter.
    pub marks: BTreeMap<char, Location>,
}

impl Location {
    /// A short name for messages.
    pub fn name(&self) -> String {
        let last = |name: &str| name.rsplit(['.', '#']).next().unwrap_or(name).to_owned();
        let whole = || if self.is_in_packages { ALL_PACKAGES } else { EVERYTHING }.to_owned();
        match (&self.page, &self.definition, &self.module) {
            (Some(page), ..) if let PageKind::Part(id) = &page.kind => shown(id),
            (Some(page), ..) => match &page.about {
                TopicName::Repository => whole(),
                TopicName::Module(name) => name.to_string(),
                TopicName::Definition(name) => last(name),
                TopicName::Argument(name, argument) => format!("{}({argument})", last(name)),
            },
            (None, ..) if let Some(part) = &self.part => shown(part),
            (None, ..) if let Some(document) = &self.document => shown(document),
            (None, Some(name), _) => last(name),
            (None, None, Some(module)) => module.to_string(),
            (None, None, None) => whole(),
        }
    }
}
