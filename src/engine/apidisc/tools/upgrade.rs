//! `check_upgrade`: which uses of a package another version breaks, and which uses of the code itself a change breaks.
//! The face that serves the tool makes the comparison.

use std::fmt::Write as _;

use super::{CheckedCall, Kind, MAX_TOKENS, Parameter, Tool, ToolAnswer, count, packages::PACKAGE};
use apidisc_breaks::{
    groups::Group,
    report::{Finding, Report, Verdict},
};

/// The budget of an answer, in tokens.
const BUDGET: u64 = 1000;
/// The numbers of places of a group that an answer names, the first for which all groups fit.
const PLACES: [usize; 3] = [20, 5, 1];
/// The parameter for the other version.
const OTHER: &str = "to";
/// The parameter for revisions of the code.
const REV: &str = "rev";

pub(super) const CHECK_UPGRADE: Tool = Tool {
    name: "check_upgrade",
    title: "Check an upgrade",
    description: "What another version of an installed package does to the uses in this code, before it is installed; \
                  or, with `rev`, which callers a change of this code breaks: break, silent, deprecated or unknown, \
                  each with places, signatures and what to write instead.",
    parameters: &[
        Parameter::optional(PACKAGE, Kind::Text, "The installed package").or(&["library", "dependency", "name"]),
        Parameter::optional(
            OTHER,
            Kind::Text,
            "The other version, in the folder of the code: an environment, a folder of the package, .whl, .tgz, .tar.gz",
        )
        .or(&["path", "version", "archive", "other"]),
        Parameter::optional(
            REV,
            Kind::Text,
            "Instead of a package: two revisions of the code as git writes them, A..B, or A for A and the files as they \
             are, such as HEAD",
        )
        .or(&["revision", "revisions", "range"]),
        Parameter::optional("symbol", Kind::Text, "Only uses of this symbol and its members"),
        Parameter::optional(
            "max_tokens",
            Kind::Number { least: 100, most: MAX_TOKENS as u64, default: BUDGET },
            "The budget of the answer",
        ),
    ],
    is_usual: false,
    answer,
};

/// A comparison of two versions of a package, or of the code itself.
#[derive(Debug)]
pub struct CheckedUpgrade {
    /// What is compared and its two versions, on one line.
    pub title: String,
    /// The name of the package, or of the repository.
    pub package: String,
    /// The verdicts on its uses.
    pub report: Report,
}

fn answer(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    let arguments = call.arguments;
    let named = |name| arguments.text(name).filter(|text| !text.is_empty());
    let checked = match (named(PACKAGE), named(OTHER), named(REV)) {
        (Some(package), Some(other), None) => call.data.upgrade(package, other)?,
        (None, None, Some(revisions)) => call.data.change(revisions)?,
        _ => return Err("say `package` and `to` for an upgrade, or `rev` alone for a change of this code".to_owned()),
    };
    let CheckedUpgrade { title, package, mut report } = checked;
    let mut about = package;
    if let Some(symbol) = arguments.text("symbol").filter(|symbol| !symbol.is_empty()) {
        report.findings.retain(|finding| is_of(finding, symbol));
        if report.findings.is_empty() {
            return Err(format!("{title}: no use of `{}` was compared", super::beginning(symbol)));
        }
        symbol.clone_into(&mut about);
    }
    let groups = report.groups();
    let head = format!("{title}\n{}{}\n", report.summary(&about), counts(&report));
    let budget = arguments.number("max_tokens");
    let render = |shown: usize, places: usize| {
        let mut text = head.clone();
        groups[..shown].iter().for_each(|group| write_group(group, places, &mut text));
        if shown < groups.len() {
            let uses: usize = groups[shown..].iter().map(|group| group.findings.len()).sum();
            let _ = writeln!(text, "left out: {uses} uses in {} groups", groups.len() - shown);
        }
        text
    };
    let fits = |text: &String| count(text) <= budget;
    let whole = PLACES.into_iter().map(|places| render(groups.len(), places)).find(fits);
    let (shown, text) = whole.map_or_else(
        || {
            // The first groups that fit, one after the other.
            let shown = (0..groups.len()).take_while(|&shown| fits(&render(shown, 1))).last().unwrap_or(0);
            (shown, render(shown, 1))
        },
        |text| (groups.len(), text),
    );
    let names = groups[..shown].iter().map(|group| group.first.symbol.clone()).collect();
    Ok(ToolAnswer { text, names, ..ToolAnswer::default() })
}

/// True for a use of a symbol or of a member of it. The symbol may be the end of the name.
fn is_of(finding: &Finding, symbol: &str) -> bool {
    let is_separator = |c: char| matches!(c, '.' | '#');
    finding.symbol.match_indices(symbol).any(|(at, _)| {
        let (before, behind) = (&finding.symbol[..at], &finding.symbol[at + symbol.len()..]);
        (before.is_empty() || before.ends_with(is_separator)) && (behind.is_empty() || behind.starts_with(is_separator))
    })
}

/// The numbers of uses that are not fine.
fn counts(report: &Report) -> String {
    let verdicts = [Verdict::Break, Verdict::Silent, Verdict::Deprecated, Verdict::Moved, Verdict::Unknown];
    let counted = verdicts.map(|verdict| (report.count(verdict), verdict.word()));
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = counted.map(|(count, word)| format!("{count} {word}")).collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

fn write_group(group: &Group<'_>, places: usize, text: &mut String) {
    let _ = writeln!(text, "{}", group.headline());
    let _ = writeln!(text, "  {}", group.places(places).join(" "));
    for signature in group.signature_lines() {
        let _ = writeln!(text, "  {signature}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_asked_for_by_its_whole_name_or_its_end() {
        let finding: Finding = Finding::new("a.py", 1, 0, "kit.net.Client.send", Verdict::Break);
        for (symbol, is) in [("kit.net.Client", true), ("Client", true), ("send", true), ("Clie", false), ("et", false)]
        {
            assert_eq!(is_of(&finding, symbol), is, "{symbol}");
        }
    }
}
