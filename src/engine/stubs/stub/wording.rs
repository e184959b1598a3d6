//! Wordings: how much of each shown member a stub writes.

use std::str::FromStr;

/// The comment of a short form that hides something. The legend of the stub explains it.
pub(crate) const HIDDEN_SIGN: &str = "...";

/// The level of detail of one member. Every level is valid in the language of the stub and writes the same parameters;
/// the levels differ in the text about the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// A call shape: one line with names only, `def get(self, url, *, timeout=...): ...`.
    Calls,
    /// One line with types and short defaults; the calls and the shares follow in one comment, as in
    /// `# 204 calls: timeout 68%`.
    Lean,
    /// Types, defaults and shares, with one line per parameter if there are many.
    #[default]
    Full,
}

/// The wording of a stub: which [`Detail`] its members have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wording {
    /// Within a budget: the most used members in full, the next ones lean, the others as call shapes. Without a budget:
    /// every member in full.
    #[default]
    Auto,
    /// Every member in [`Detail::Full`].
    Full,
    /// Every member in [`Detail::Lean`].
    Lean,
    /// Every member in [`Detail::Calls`].
    Calls,
}

/// No wording has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no wording is called `{0}`; there are auto, full, lean, calls")]
pub struct UnknownWording(String);

impl Detail {
    /// Every level, the shortest first.
    pub const ALL: [Self; 3] = [Self::Calls, Self::Lean, Self::Full];

    /// The name of the level in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Lean => "lean",
            Self::Full => "full",
        }
    }
}

impl Wording {
    /// Every wording, in the order of display.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Full, Self::Lean, Self::Calls];

    /// The name of the wording on a command line and in a profile.
    pub fn name(self) -> &'static str {
        self.detail().map_or("auto", Detail::name)
    }

    /// The wording after this one in [`Self::ALL`], the first one after the last.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The detail of every member; `None` if it is chosen for each member.
    pub fn detail(self) -> Option<Detail> {
        match self {
            Self::Auto => None,
            Self::Full => Some(Detail::Full),
            Self::Lean => Some(Detail::Lean),
            Self::Calls => Some(Detail::Calls),
        }
    }
}

impl FromStr for Wording {
    type Err = UnknownWording;

    fn from_str(name: &str) -> Result<Self, UnknownWording> {
        Self::ALL.into_iter().find(|wording| wording.name() == name).ok_or_else(|| UnknownWording(name.to_owned()))
    }
}
