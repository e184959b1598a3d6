//! The verdicts on the uses of a package.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// What another version does to a use, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The use fails.
    Break,
    /// The use works, and means something else.
    Silent,
    /// The use works, and the version says that a later one will not have it.
    Deprecated,
    /// The use works: a change of the repository moved the file of the use together with the definition that it uses.
    /// Versions of packages have no such uses.
    Moved,
    /// Nothing can be said: the call passes `*args` or `**kwargs`, or the version does not show what is used.
    Unknown,
    /// The use works.
    Ok,
}

impl Verdict {
    /// The word for the verdict.
    pub fn word(self) -> &'static str {
        match self {
            Self::Break => "break",
            Self::Silent => "silent",
            Self::Deprecated => "deprecated",
            Self::Moved => "moved",
            Self::Unknown => "unknown",
            Self::Ok => "ok",
        }
    }
}

/// The rule by which a verdict was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The module or class has no such name.
    RemovedSymbol,
    /// The function has no such parameter.
    RemovedParameter,
    /// `**kwargs`, which took the argument, is gone.
    RemovedKwargs,
    /// A positional argument is bound to another parameter.
    MovedPosition,
    /// The parameter takes its argument by name only.
    KeywordOnly,
    /// `**kwargs` takes the argument of a parameter that is gone.
    SwallowedByKwargs,
    /// The call lacks an argument that is required now.
    RequiredParameter,
    /// The call lacks the value of a field that is required now.
    FieldBecameRequired,
    /// The default of a parameter that the call leaves out has another value.
    ChangedDefault,
    /// The parameter does not take the value any longer.
    NarrowedType,
    /// The package calls a method that the program overrides with other arguments than before.
    OverriddenMethod,
    /// The package demands a method that a class of the program does not have.
    AbstractMethod,
    /// The type of the parameter takes no such literal.
    LiteralNotAccepted,
    /// The function, class or name is deprecated.
    DeprecatedSymbol,
    /// The parameter is deprecated.
    DeprecatedParameter,
}

impl Rule {
    /// The name of the rule in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::RemovedSymbol => "removed-symbol",
            Self::RemovedParameter => "removed-parameter",
            Self::RemovedKwargs => "removed-kwargs",
            Self::MovedPosition => "moved-position",
            Self::KeywordOnly => "keyword-only",
            Self::SwallowedByKwargs => "swallowed-by-kwargs",
            Self::RequiredParameter => "required-parameter",
            Self::FieldBecameRequired => "field-became-required",
            Self::ChangedDefault => "changed-default",
            Self::NarrowedType => "narrowed-type",
            Self::OverriddenMethod => "overridden-method",
            Self::AbstractMethod => "abstract-method",
            Self::LiteralNotAccepted => "literal-not-accepted",
            Self::DeprecatedSymbol => "deprecated-symbol",
            Self::DeprecatedParameter => "deprecated-parameter",
        }
    }
}

impl Rule {
    /// What the rule says of a use, as a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::RemovedSymbol => "The other version has no such name.",
            Self::RemovedParameter => "The function has no such parameter in the other version.",
            Self::RemovedKwargs => "The function takes no arbitrary keywords in the other version.",
            Self::MovedPosition => "The positional argument is bound to another parameter in the other version.",
            Self::KeywordOnly => "The parameter takes its argument by name only in the other version.",
            Self::SwallowedByKwargs => "The parameter is gone, and **kwargs takes its argument without using it.",
            Self::RequiredParameter => "The call lacks an argument that the other version requires.",
            Self::FieldBecameRequired => "The call lacks the value of a field that the other version requires.",
            Self::ChangedDefault => "The call leaves out a parameter whose default is another value.",
            Self::NarrowedType => "The function does not take the value in the other version.",
            Self::OverriddenMethod => "The other version calls the overridden method with other arguments.",
            Self::AbstractMethod => "The other version demands a method that the class does not have.",
            Self::LiteralNotAccepted => "The type of the parameter takes no such value in the other version.",
            Self::DeprecatedSymbol => "The other version says that a later one will not have the name.",
            Self::DeprecatedParameter => "The other version says that a later one will not have the parameter.",
        }
    }

    /// How a use is mended, as a sentence.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::RemovedSymbol | Self::DeprecatedSymbol => "Use the name that took its place, if there is one.",
            Self::RemovedParameter | Self::SwallowedByKwargs | Self::DeprecatedParameter => {
                "Pass the parameter that took its place, or leave the argument out."
            }
            Self::RemovedKwargs => "Leave the argument out.",
            Self::MovedPosition | Self::KeywordOnly => "Pass the argument by its name.",
            Self::RequiredParameter | Self::FieldBecameRequired => "Pass the argument.",
            Self::NarrowedType => "Pass another value, or leave the argument out.",
            Self::OverriddenMethod => "Take the parameters that the method has in the other version.",
            Self::AbstractMethod => "Define the method.",
            Self::LiteralNotAccepted => "Pass a value that the type takes.",
            Self::ChangedDefault => "Pass the old default, if the call relies on it.",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// A use of a package, with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The path of the file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 0, in bytes; 0 for an import.
    pub col: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// The rule; `None` if the use works or nothing can be said.
    pub rule: Option<Rule>,
    /// The public name of what is used.
    pub symbol: String,
    /// The parameter or field that the rule is about.
    pub param: Option<String>,
    /// What to write instead, if the version tells.
    pub now: Option<String>,
    /// The old signature of what a rule was found about, on one line, if it is called.
    pub old: Option<String>,
    /// The new signature.
    pub new: Option<String>,
    /// Of revisions of a repository: what the file is for, such as `tests`, or the name of another source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Of revisions of a repository: true if the change itself edited or removed the line of the use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapted: Option<bool>,
}

impl Finding {
    /// A finding without a rule.
    pub fn new(path: &str, line: u32, col: u32, symbol: &str, verdict: Verdict) -> Self {
        Self {
            path: path.to_owned(),
            line,
            col,
            verdict,
            rule: None,
            symbol: symbol.to_owned(),
            param: None,
            now: None,
            old: None,
            new: None,
            user: None,
            adapted: None,
        }
    }
}

/// What a rule found about a use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) verdict: Verdict,
    pub(crate) rule: Rule,
    pub(crate) param: Option<String>,
    pub(crate) now: Option<String>,
}

impl Violation {
    /// The place of a violation among those of one call, the worst first. What the call writes comes before a default
    /// that it leaves out.
    pub(crate) fn rank(&self) -> impl Ord + use<> {
        (self.verdict == Verdict::Silent && self.rule == Rule::ChangedDefault, self.verdict)
    }
}

/// The findings of all uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Sorted by path, line and column. Each use has one: the worst that was found about it.
    pub findings: Vec<Finding>,
}

impl Report {
    /// The number of findings with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    /// The worst verdict; `None` without uses.
    pub fn worst(&self) -> Option<Verdict> {
        self.findings.iter().map(|finding| finding.verdict).min()
    }
}
