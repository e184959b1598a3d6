//! The tokenizer encodings by name, with their merge ranks.

use std::{fmt, str::FromStr};

use super::rank_table::{Part, RankTable};

/// The name of a tokenizer's vocabulary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Encoding {
    /// `o200k_base`: GPT-4o, GPT-4.1, GPT-5 and the `o` models.
    #[default]
    O200kBase,
    /// `o200k_harmony`: gpt-oss. Ordinary text counts as in `o200k_base`.
    O200kHarmony,
    /// `cl100k_base`: GPT-4, GPT-3.5.
    Cl100kBase,
    /// `p50k_base`: code models, `text-davinci-002` and `-003`.
    P50kBase,
    /// `p50k_edit`: edit models. Ordinary text counts as in `p50k_base`.
    P50kEdit,
    /// `r50k_base`, also called `gpt2`.
    R50kBase,
}

/// Above the ranks of ordinary tokens, which begin at 0.
const O200K_RANKS: u32 = 199_998;
const CL100K_RANKS: u32 = 100_256;
const P50K_RANKS: u32 = 50_281;
const R50K_RANKS: u32 = 50_256;

/// What the build script has written for an encoding.
macro_rules! parts {
    ($encoding:literal) => {
        [parts!($encoding, "ascii"), parts!($encoding, "other")]
    };
    ($encoding:literal, $part:literal) => {
        Part {
            list: include_bytes!(concat!(env!("OUT_DIR"), "/", $part)),
            ranks: include_bytes!(concat!(env!("OUT_DIR"), "/", $encoding, ".", $part)),
        }
    };
}

impl Encoding {
    /// Every encoding, in the order of display.
    pub const ALL: [Self; 6] =
        [Self::O200kBase, Self::O200kHarmony, Self::Cl100kBase, Self::P50kBase, Self::P50kEdit, Self::R50kBase];

    /// The name that `tiktoken` uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::P50kEdit => "p50k_edit",
            Self::R50kBase => "r50k_base",
        }
    }

    /// The merge ranks of the encoding's ordinary tokens.
    pub(super) fn rank_table(self) -> RankTable {
        let (parts, limit) = match self {
            Self::O200kBase | Self::O200kHarmony => (parts!("o200k_base"), O200K_RANKS),
            Self::Cl100kBase => (parts!("cl100k_base"), CL100K_RANKS),
            Self::P50kBase | Self::P50kEdit => (parts!("p50k_base"), P50K_RANKS),
            // p50k_base adds tokens for runs of spaces to r50k_base, behind its special token.
            Self::R50kBase => (parts!("p50k_base"), R50K_RANKS),
        };
        RankTable::new(parts, limit)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for an unknown name of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no encoding is called `{0}`; use o200k_base, o200k_harmony, cl100k_base, p50k_base, p50k_edit, r50k_base or gpt2"
)]
pub struct UnknownEncoding(String);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "gpt2" {
            return Ok(Self::R50kBase);
        }
        Self::ALL.into_iter().find(|e| e.name() == name).ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_gpt2_is_r50k() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
        }
        assert_eq!("gpt2".parse(), Ok(Encoding::R50kBase));
        let error = "gpt5".parse::<Encoding>().expect_err("no such encoding").to_string();
        assert!(error.starts_with("no encoding is called `gpt5`; use o200k_base"), "{error}");
    }
}
