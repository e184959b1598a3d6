//! The weights of origins and sources: the factors by which their calls are multiplied.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use compact_str::CompactString;
use thin_vec::ThinVec;

use apidisc_facts::source::Origin;

/// One whole number per [`Origin`], and one per source: 0 leaves the calls out, 1 counts each call once, 3 counts each
/// call three times. A call counts as often as the weights of its origin and of its source, multiplied.
#[derive(Clone, Debug)]
pub struct Weights {
    /// In the order of [`Origin::ALL`].
    origins: [u8; 4],
    /// The weights of sources, sorted by the names of the sources. A weight of 1 is left out, unless the text from
    /// which the weights were read names the source.
    sources: ThinVec<(CompactString, u8)>,
    /// True if the text from which the weights were read names an origin: the weight 1 of the other origins is then
    /// intended too. Ignored when weights are compared.
    names_origins: bool,
}

impl PartialEq for Weights {
    fn eq(&self, other: &Self) -> bool {
        (self.origins, &self.sources) == (other.origins, &other.sources)
    }
}

impl Eq for Weights {}

impl Hash for Weights {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.origins, &self.sources).hash(state);
    }
}

/// Why weights are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A part of the text is not of the form `ORIGIN=NUMBER`.
    #[error("`{0}` is no weight; write {EXAMPLE}")]
    Form(String),
    /// There is no origin of this name.
    #[error("no calls stand in `{0}`; there are src, tests, examples, docs and source:NAME")]
    Origin(String),
    /// A weight is above [`Weights::MAX`].
    #[error("{0} is too much; a weight is a whole number from 0 to {most}", most = Weights::MAX)]
    Large(u64),
    /// Every weight is 0.
    #[error("with every weight at 0 nothing is counted")]
    Nothing,
}

/// The prefix before the name of a source.
const SOURCE: &str = "source:";

const EXAMPLE: &str = "tests=0 or src=1,examples=3";

impl Weights {
    /// The largest weight.
    pub const MAX: u8 = 10;

    /// Weights in the order of [`Origin::ALL`].
    ///
    /// # Errors
    /// [`WeightsError::Large`] if a weight is above [`Self::MAX`], [`WeightsError::Nothing`] if all are 0.
    pub fn new(weights: [u8; 4]) -> Result<Self, WeightsError> {
        if let Some(&large) = weights.iter().find(|&&weight| weight > Self::MAX) {
            return Err(WeightsError::Large(large.into()));
        }
        if weights == [0; 4] {
            return Err(WeightsError::Nothing);
        }
        Ok(Self { origins: weights, ..Self::default() })
    }

    /// The weight of an origin.
    pub fn of(&self, origin: Origin) -> u8 {
        self.origins[origin as usize]
    }

    /// The weight of the source with this name.
    pub fn of_source(&self, name: &str) -> u8 {
        self.sources.iter().find(|(source, _)| source == name).map_or(1, |&(_, weight)| weight)
    }

    /// The names of the sources whose weights are not 1.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|(name, _)| name.as_str())
    }

    /// These weights with another weight for `origin`.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with(mut self, origin: Origin, weight: u8) -> Result<Self, WeightsError> {
        self.origins[origin as usize] = weight;
        Ok(Self { sources: self.sources, ..Self::new(self.origins)? })
    }

    /// These weights with another weight for the source with this name.
    ///
    /// # Errors
    /// [`WeightsError::Large`].
    pub fn with_source(mut self, name: &str, weight: u64) -> Result<Self, WeightsError> {
        let weight =
            u8::try_from(weight).ok().filter(|weight| *weight <= Self::MAX).ok_or(WeightsError::Large(weight))?;
        self.sources.retain(|(source, _)| source != name);
        self.sources.push((name.into(), weight));
        self.normalise();
        Ok(self)
    }

    /// Sorts the weights of sources, and removes those that are 1.
    fn normalise(&mut self) {
        self.sources.retain(|(_, weight)| *weight != 1);
        self.sources.sort_unstable();
    }

    /// These weights, with the weights of `defaults` for the sources that the text of these weights does not name.
    #[must_use]
    pub fn or_sources_of(mut self, defaults: &Self) -> Self {
        let others = defaults.sources.iter().filter(|(name, _)| self.sources().all(|source| source != name.as_str()));
        let others: ThinVec<(CompactString, u8)> = others.cloned().collect();
        self.sources.extend(others);
        self.normalise();
        self
    }

    /// These weights, with the weights of `defaults` for the sources that the text of these weights does not name; and
    /// with the origins of `defaults` if that text names no origin and all origins of these weights have the weight 1.
    #[must_use]
    pub fn or_those_of(mut self, defaults: &Self) -> Self {
        if !self.names_origins && self.origins == Self::default().origins {
            self.origins = defaults.origins;
        }
        self.or_sources_of(defaults)
    }

    /// True if every call counts once.
    pub fn are_default(&self) -> bool {
        *self == Self::default()
    }

    /// The name of every origin and of every source that has a weight other than 1, with its weight.
    fn uneven(&self) -> impl Iterator<Item = (&str, u8)> {
        let origins = Origin::ALL.into_iter().map(|origin| (origin.word(), self.of(origin)));
        let sources = self.sources.iter().map(|(name, weight)| (name.as_str(), *weight));
        origins.filter(|&(_, weight)| weight != 1).chain(sources)
    }

    /// A note on weights other than 1, such as `examples x3, without tests`; empty if every call counts once.
    pub fn note(&self) -> String {
        let repeated = self.uneven().filter(|&(_, weight)| weight > 1);
        let mut notes: Vec<String> = repeated.map(|(name, weight)| format!("{name} x{weight}")).collect();
        let left_out: Vec<&str> = self.uneven().filter(|&(_, weight)| weight == 0).map(|(name, _)| name).collect();
        if !left_out.is_empty() {
            notes.push(format!("without {}", left_out.join(", ")));
        }
        notes.join(", ")
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self { origins: [1; 4], sources: ThinVec::new(), names_origins: false }
    }
}

/// The form that [`FromStr`] reads: all weights other than 1, or `src=1` if there are none.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origins = Origin::ALL.into_iter().filter(|&origin| self.of(origin) != 1);
        let origins = origins.map(|origin| format!("{}={}", origin.word(), self.of(origin)));
        let sources = self.sources.iter().filter(|(_, weight)| *weight != 1);
        let sources = sources.map(|(name, weight)| format!("{SOURCE}{name}={weight}"));
        let parts: Vec<String> = origins.chain(sources).collect();
        f.write_str(if parts.is_empty() { "src=1" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

/// Reads `ORIGIN=NUMBER` and `source:NAME=NUMBER`, separated by commas. Origins and sources that are not named have the
/// weight 1.
impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let (mut weights, mut names_origins) = ([1; 4], false);
        let mut sources: ThinVec<(CompactString, u8)> = ThinVec::new();
        for item in text.split(',') {
            let form = || WeightsError::Form(item.trim().to_owned());
            let (name, number) = item.split_once('=').ok_or_else(form)?;
            let name = name.trim();
            if let Some(source) = name.strip_prefix(SOURCE) {
                let number: u64 = number.trim().parse().map_err(|_| form())?;
                let weight = u8::try_from(number).ok().filter(|weight| *weight <= Self::MAX);
                sources.retain(|(name, _)| name != source);
                sources.push((source.into(), weight.ok_or(WeightsError::Large(number))?));
                continue;
            }
            let origin = Origin::ALL.into_iter().find(|origin| origin.word() == name);
            let origin = origin.ok_or_else(|| WeightsError::Origin(name.to_owned()))?;
            let number: u64 = number.trim().parse().map_err(|_| form())?;
            weights[origin as usize] = u8::try_from(number).map_err(|_| WeightsError::Large(number))?;
            names_origins = true;
        }
        sources.sort_unstable();
        Ok(Self { sources, names_origins, ..Self::new(weights)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discriminants_of_origins_are_positions_in_all() {
        assert!(Origin::ALL.into_iter().enumerate().all(|(position, origin)| origin as usize == position));
    }

    #[test]
    fn an_origin_that_is_named_keeps_its_weight_of_1() {
        let of_file: Weights = "tests=0".parse().unwrap();
        let asked = |text: &str| text.parse::<Weights>().unwrap().or_those_of(&of_file).of(Origin::Tests);
        assert_eq!((asked("tests=1"), asked("src=1"), asked("source:a=2")), (1, 1, 0));
        assert_eq!(Weights::default().or_those_of(&of_file), of_file);
        assert_eq!("tests=1".parse(), Ok(Weights::default()));
    }

    #[test]
    fn origins_that_are_not_named_count_once() {
        let weights: Weights = "tests=0, examples=3".parse().unwrap();
        assert_eq!(Origin::ALL.map(|origin| weights.of(origin)), [1, 0, 3, 1]);
        assert_eq!(weights.to_string(), "tests=0,examples=3");
        assert_eq!(weights.note(), "examples x3, without tests");
        assert_eq!(Weights::default().to_string().parse(), Ok(Weights::default()));
        assert_eq!(Weights::default().note(), "");
    }

    #[test]
    fn sources_have_weights_by_their_names() {
        let weights: Weights = "source:my-app=3, tests=0,source:kit=0,source:other=1".parse().unwrap();
        assert_eq!(["my-app", "kit", "other", "tests"].map(|name| weights.of_source(name)), [3, 0, 1, 1]);
        assert_eq!(weights.to_string(), "tests=0,source:kit=0,source:my-app=3");
        assert_eq!(weights.note(), "my-app x3, without tests, kit");
        let defaults: Weights = "source:kit=2,source:other=4,source:third=5".parse().unwrap();
        assert_eq!(weights.or_sources_of(&defaults).to_string(), "tests=0,source:kit=0,source:my-app=3,source:third=5");
        assert!(!defaults.are_default() && defaults.with_source("kit", 11).is_err());
    }

    #[test]
    fn invalid_weights_are_refused() {
        for (text, message) in [
            ("tests", "`tests` is no weight; write tests=0 or src=1,examples=3"),
            ("tests=-1", "`tests=-1` is no weight; write tests=0 or src=1,examples=3"),
            ("test=1", "no calls stand in `test`; there are src, tests, examples, docs and source:NAME"),
            ("src=11", "11 is too much; a weight is a whole number from 0 to 10"),
            ("src=300", "300 is too much; a weight is a whole number from 0 to 10"),
            ("src=0,tests=0,examples=0,docs=0", "with every weight at 0 nothing is counted"),
        ] {
            assert_eq!(text.parse::<Weights>().unwrap_err().to_string(), message);
        }
    }
}
