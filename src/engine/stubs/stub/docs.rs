//! Documentation in stubs: the amount of documentation that a stub may write, and the written parts for one member.

use std::str::FromStr;

use super::wording::Wording;
use apidisc_facts::program::ParameterSet;

/// The amount of documentation from the sources that a stub may write. A deprecation is written in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Docs {
    /// No documentation.
    None,
    /// The first sentences about members and their parameters, and typical calls, where they are worth their tokens.
    #[default]
    Summary,
    /// The whole documentation of members, parameters, results and errors, and typical calls.
    Full,
}

/// The style of a stub: its wording and its documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// The wording of the shown members.
    pub wording: Wording,
    /// The amount of documentation in the stub.
    pub docs: Docs,
}

/// The parts of a member's documentation that a stub writes, as far as the sources have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a part of its own")]
pub struct ShownDocs {
    /// The documentation of the member itself.
    pub summary: bool,
    /// The paragraphs after the first one.
    pub details: bool,
    /// The parameters that are described, by position. Only those that the stub shows are written.
    pub parameters: ParameterSet,
    /// The documentation of results and errors.
    pub results: bool,
    /// A typical call.
    pub call: bool,
    /// The parameters of which it is said what callers pass or what their callbacks receive, by position. Only those
    /// that the stub shows are written. The position behind the last parameter is that of the result.
    pub values: ParameterSet,
    /// The parameters in `values` of which only the first values are said.
    pub cut_values: ParameterSet,
    /// True if texts are written whole; false for their first sentences.
    pub is_whole: bool,
}

/// No amount of documentation has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no amount of documentation is called `{0}`; there are none, summary, full")]
pub struct UnknownDocs(String);

impl Docs {
    /// Every amount, the least first.
    pub const ALL: [Self; 3] = [Self::None, Self::Summary, Self::Full];

    /// The name on a command line and in a profile.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Summary => "summary",
            Self::Full => "full",
        }
    }

    /// The amount after this one in [`Self::ALL`], the first one after the last.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Limits `shown` to the parts that this setting permits.
    pub(crate) fn allowed(self, shown: ShownDocs) -> ShownDocs {
        match self {
            Self::None => ShownDocs::default(),
            Self::Summary => ShownDocs { is_whole: false, details: false, results: false, ..shown },
            Self::Full => ShownDocs { is_whole: true, ..shown },
        }
    }
}

impl FromStr for Docs {
    type Err = UnknownDocs;

    fn from_str(name: &str) -> Result<Self, UnknownDocs> {
        Self::ALL.into_iter().find(|docs| docs.name() == name).ok_or_else(|| UnknownDocs(name.to_owned()))
    }
}

impl From<Wording> for Style {
    fn from(wording: Wording) -> Self {
        Self { wording, docs: Docs::default() }
    }
}

impl ShownDocs {
    /// Every part for a member of which these parameters are shown.
    pub fn everything(parameters: ParameterSet) -> Self {
        Self {
            summary: true,
            details: true,
            parameters,
            results: true,
            call: true,
            values: ParameterSet::new(),
            cut_values: ParameterSet::new(),
            is_whole: true,
        }
    }
}
