//! How often the calls of each origin count.

use std::{fmt, str::FromStr};

use crate::source::Origin;

/// One whole number per [`Origin`]: 0 leaves its calls out, 1 counts each call once, 3 counts each call three times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights([u8; 4]);

/// Why weights are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A part of the text is not of the form `ORIGIN=NUMBER`.
    #[error("`{0}` is no weight; write {EXAMPLE}")]
    Form(String),
    /// There is no origin of this name.
    #[error("no calls stand in `{0}`; there are src, tests, examples and docs")]
    Origin(String),
    /// A weight is above [`Weights::MAX`].
    #[error("{0} is too much; a weight is a whole number from 0 to {most}", most = Weights::MAX)]
    Large(u64),
    /// Every weight is 0.
    #[error("with every weight at 0 nothing is counted")]
    Nothing,
}

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
        if weights == [0; 4] { Err(WeightsError::Nothing) } else { Ok(Self(weights)) }
    }

    /// The weight of an origin.
    pub fn of(self, origin: Origin) -> u8 {
        self.0[origin as usize]
    }

    /// These weights with another weight for `origin`.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with(mut self, origin: Origin, weight: u8) -> Result<Self, WeightsError> {
        self.0[origin as usize] = weight;
        Self::new(self.0)
    }

    /// True if every call counts once.
    pub fn is_even(self) -> bool {
        self == Self::default()
    }

    /// A note on weights other than 1, such as `examples x3, without tests`; empty if every call counts once.
    pub fn note(self) -> String {
        let repeated = Origin::ALL.into_iter().filter(|&origin| self.of(origin) > 1);
        let mut notes: Vec<String> = repeated.map(|origin| format!("{} x{}", origin.word(), self.of(origin))).collect();
        let left_out = Origin::ALL.into_iter().filter(|&origin| self.of(origin) == 0);
        let left_out: Vec<&str> = left_out.map(Origin::word).collect();
        if !left_out.is_empty() {
            notes.push(format!("without {}", left_out.join(", ")));
        }
        notes.join(", ")
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self([1; 4])
    }
}

/// The form that [`FromStr`] reads: all weights other than 1, or `src=1` if there are none.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uneven = Origin::ALL.into_iter().filter(|&origin| self.of(origin) != 1);
        let parts: Vec<String> = uneven.map(|origin| format!("{}={}", origin.word(), self.of(origin))).collect();
        f.write_str(if parts.is_empty() { "src=1" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

/// Reads `ORIGIN=NUMBER`, separated by commas. Origins that are not named count once.
impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = [1; 4];
        for item in text.split(',') {
            let form = || WeightsError::Form(item.trim().to_owned());
            let (name, number) = item.split_once('=').ok_or_else(form)?;
            let name = name.trim();
            let origin = Origin::ALL.into_iter().find(|origin| origin.word() == name);
            let origin = origin.ok_or_else(|| WeightsError::Origin(name.to_owned()))?;
            let number: u64 = number.trim().parse().map_err(|_| form())?;
            weights[origin as usize] = u8::try_from(number).map_err(|_| WeightsError::Large(number))?;
        }
        Self::new(weights)
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
    fn origins_that_are_not_named_count_once() {
        let weights: Weights = "tests=0, examples=3".parse().unwrap();
        assert_eq!(Origin::ALL.map(|origin| weights.of(origin)), [1, 0, 3, 1]);
        assert_eq!(weights.to_string(), "tests=0,examples=3");
        assert_eq!(weights.note(), "examples x3, without tests");
        assert_eq!(Weights::default().to_string().parse(), Ok(Weights::default()));
        assert_eq!(Weights::default().note(), "");
    }

    #[test]
    fn invalid_weights_are_refused() {
        for (text, message) in [
            ("tests", "`tests` is no weight; write tests=0 or src=1,examples=3"),
            ("tests=-1", "`tests=-1` is no weight; write tests=0 or src=1,examples=3"),
            ("test=1", "no calls stand in `test`; there are src, tests, examples and docs"),
            ("src=11", "11 is too much; a weight is a whole number from 0 to 10"),
            ("src=300", "300 is too much; a weight is a whole number from 0 to 10"),
            ("src=0,tests=0,examples=0,docs=0", "with every weight at 0 nothing is counted"),
        ] {
            assert_eq!(text.parse::<Weights>().unwrap_err().to_string(), message);
        }
    }
}
