//! The legend: the signs of the screen with their meanings.

use super::{PartKind, TextLine};
use apidisc::{breaks::report::Verdict, program::DefinitionKind};

/// The sign of a required parameter.
pub(in crate::tui) const REQUIRED: &str = "●";
/// The sign of a member or argument that every stub shows.
pub(in crate::tui) const PINNED: &str = "◆";
/// The sign of a member or argument that no stub shows.
pub(in crate::tui) const BANNED: &str = "✗";

/// The sign of uses for which the other version of a package has a verdict.
pub(in crate::tui) fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Break => "!",
        Verdict::Silent => "≠",
        Verdict::Deprecated => "↓",
        Verdict::Moved => "→",
        Verdict::Unknown | Verdict::Ok => "?",
    }
}

/// The letter for the kind of a definition.
pub(in crate::tui) fn sign(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Class => "C",
        DefinitionKind::Function => "ƒ",
        DefinitionKind::Method | DefinitionKind::ClassMethod | DefinitionKind::StaticMethod => "m",
        DefinitionKind::Property => "p",
        DefinitionKind::Attribute => "a",
        DefinitionKind::Constant => "k",
        DefinitionKind::Interface => "I",
        DefinitionKind::TypeAlias => "T",
        DefinitionKind::Enum => "E",
        DefinitionKind::Namespace => "N",
    }
}

/// The letter for the kind of a part of API documents.
pub(in crate::tui) fn part_sign(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Operation => "O",
        PartKind::Webhook => "W",
        PartKind::Schema => "S",
        PartKind::Component => "R",
        PartKind::Other => "·",
    }
}

/// The word for parts of a kind.
pub(in crate::tui) fn plural(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Operation => "Operations",
        PartKind::Webhook => "Webhooks",
        PartKind::Schema => "Schemas",
        PartKind::Component => "Components",
        PartKind::Other => "Others",
    }
}

/// Every sign with its meaning.
pub(super) fn lines() -> Vec<TextLine> {
    let pair = |sign: &str, text: &str| TextLine::Pair(sign.to_owned(), text.to_owned());
    let heading = |text: &str| TextLine::Heading(text.to_owned());
    let mut lines = vec![heading("Before a name")];
    let mut last = "";
    for kind in DefinitionKind::ALL {
        // The kinds of methods have one letter.
        if sign(kind) != last {
            last = sign(kind);
            lines.push(pair(last, kind.word()));
        }
    }
    lines.extend([
        pair("O W", "of API documents: an operation, a webhook"),
        pair("S R", "of API documents: a schema, another component"),
        pair("▸ ▾", "a package or class: closed, open"),
        pair(REQUIRED, "an argument that every call must pass"),
        pair(PINNED, "pinned: every stub shows it"),
        pair(BANNED, "banned: no stub shows it"),
        pair(
            "!2 ≠2 ↓2 →2 ?2",
            "uses in another version: they break, mean something else, are deprecated, were moved, not known",
        ),
        TextLine::Blank,
        heading("Numbers"),
        pair("1,204", "at the right of a name: its uses, which are calls and reads together"),
        pair("███░ 68%", "the share of calls that pass an argument; behind it their number"),
        pair("3×", "three calls: a share below half a percent is written as its number"),
        pair("?", "not known: every call hides it, as in f(*args)"),
        pair("–", "there is no call"),
        TextLine::Blank,
        heading("Totals"),
        pair("calls into this code", "in the first row: calls that may lead into the code, from everywhere"),
        pair("calls and reads", "on the start page: those that are resolved, private definitions and tests included"),
        pair("uses", "above a stub: those of what the stub may show, whose arguments are all known"),
        TextLine::Blank,
        heading("In a stub"),
        pair("names alone", "parameters have no types, and = ... stands for their defaults"),
        pair("more hidden", "members or parameters that are not shown"),
        pair("def Name: class", "a line for a class of which only the constructor is shown"),
        pair("# 204 calls", "how often it is called; behind it the shares of arguments"),
        pair("e.g.", "a call as it is written in the code"),
        pair("not known", "the signature is not known; the arguments are those that calls pass"),
        TextLine::Blank,
        heading("On the page of a setting"),
        pair("● ◆", "the present setting; the knee, after which tokens buy less"),
        pair("-  +", "a line that goes, a line that comes"),
    ]);
    lines
}
