//! Findings that say the same of different places, as people and agents read them.

use std::{cmp::Reverse, collections::BTreeMap};

use apidisc_base::{shorten, unprintable::escaped_line};

use crate::{
    report::{Finding, Report, Rule, Verdict},
    signature_text::apart,
};

/// The greatest length of a signature in a text, in characters.
const MAX_SIGNATURE: usize = 240;

/// The number of names that the line of unknown uses has.
const MAX_UNKNOWN: usize = 4;

/// The findings of one verdict, symbol, rule and parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'r> {
    /// The first finding by its place.
    pub first: &'r Finding,
    /// All of them, by their places.
    pub findings: Vec<&'r Finding>,
}

impl Report {
    /// The findings that say something: the worst verdict first, and in each verdict what has the most uses.
    pub fn groups(&self) -> Vec<Group<'_>> {
        type Key<'r> = (Verdict, &'r str, Option<Rule>, Option<&'r str>);
        let mut groups = BTreeMap::<Key<'_>, Group<'_>>::new();
        for finding in self.findings.iter().filter(|finding| finding.verdict != Verdict::Ok) {
            let key = (finding.verdict, finding.symbol.as_str(), finding.rule, finding.param.as_deref());
            let group = groups.entry(key).or_insert_with(|| Group { first: finding, findings: Vec::new() });
            group.findings.push(finding);
        }
        let mut groups: Vec<Group<'_>> = groups.into_values().collect();
        groups.sort_by_key(|group| (group.first.verdict, Reverse(group.findings.len())));
        groups
    }

    /// The groups with another verdict than unknown, and a line that sums up the unknown uses; `None` if there are no
    /// unknown uses.
    pub fn decided_groups(&self) -> (Vec<Group<'_>>, Option<String>) {
        let (unknown, decided): (Vec<_>, Vec<_>) =
            self.groups().into_iter().partition(|group| group.first.verdict == Verdict::Unknown);
        let uses: usize = unknown.iter().map(|group| group.findings.len()).sum();
        let most = unknown.iter().take(MAX_UNKNOWN);
        let most = most.map(|group| format!("{} {}", escaped_line(&group.first.symbol), group.findings.len()));
        let rest = unknown.len().saturating_sub(MAX_UNKNOWN);
        let names: Vec<String> = most.chain((rest > 0).then(|| format!("and {rest} more"))).collect();
        let word = if uses == 1 { "use" } else { "uses" };
        let line = format!("{}  {uses} {word}: {}", Verdict::Unknown.word(), names.join(", "));
        (decided, (uses > 0).then_some(line))
    }

    /// How much of what is used works in the other version, on one line. `name` is that of what is used.
    pub fn summary(&self, name: &str) -> String {
        let all = self.findings.len();
        let fine = all - self.count(Verdict::Break) - self.count(Verdict::Unknown);
        format!("{fine} of {all} uses of {} still work", escaped_line(name))
    }
}

impl Finding {
    /// What is said of the use: the verdict, what is used, the rule, and what to write instead.
    pub fn statement(&self) -> String {
        let param = self.param.as_deref().map(|name| format!("({})", escaped_line(name))).unwrap_or_default();
        let rule = self.rule.map(|rule| format!("  {rule}")).unwrap_or_default();
        let now = self.now.as_deref().map(|now| format!(" → {}", escaped_line(now))).unwrap_or_default();
        format!("{}  {}{param}{rule}{now}", self.verdict.word(), escaped_line(&self.symbol))
    }
}

impl Group<'_> {
    /// The group on one line: what is said of each use, and the number of uses.
    pub fn headline(&self) -> String {
        let count = self.findings.len();
        let uses = if count == 1 { "use" } else { "uses" };
        format!("{}  {count} {uses}{}", self.first.statement(), self.of_change())
    }

    /// Of revisions: where the uses are, and how many of them the change itself adapted.
    fn of_change(&self) -> String {
        let group = &self.findings;
        let Some(adapted) = group.iter().map(|finding| finding.adapted.map(usize::from)).sum::<Option<usize>>() else {
            return String::new();
        };
        let mut users: BTreeMap<&str, usize> = BTreeMap::new();
        for user in group.iter().filter_map(|finding| finding.user.as_deref()) {
            *users.entry(user).or_default() += 1;
        }
        let users = users.iter().map(|(user, count)| format!("{count} in {}", escaped_line(user)));
        let users = users.collect::<Vec<_>>().join(", ");
        let adapted = match adapted {
            0 => "none adapted".to_owned(),
            all if all == group.len() => "all adapted".to_owned(),
            some => format!("{some} adapted"),
        };
        format!(": {users}; {adapted}")
    }

    /// The first places as `path:line`, and how many more there are. Those that a change did not adapt come before the
    /// others.
    pub fn places(&self, most: usize) -> Vec<String> {
        let mut findings = self.findings.clone();
        findings.sort_by_key(|finding| finding.adapted);
        let named = findings.iter().take(most);
        let named = named.map(|finding| format!("{}:{}", escaped_line(&finding.path), finding.line));
        let rest = self.findings.len().saturating_sub(most);
        named.chain((rest > 0).then(|| format!("and {rest} more"))).collect()
    }

    /// The old and the new signature, with `…` for what both have, as lines of a diff.
    pub fn signature_lines(&self) -> Vec<String> {
        let signatures = self.signatures().into_iter().zip(["-", "+"]);
        signatures.filter_map(|(signature, sign)| Some(format!("{sign} {}", signature?))).collect()
    }

    /// The old and the new signature of what breaks or means something else, with `…` for what both have. Of a name
    /// that is gone the old one alone.
    fn signatures(&self) -> [Option<String>; 2] {
        let Finding { verdict, rule, old, new, param, .. } = self.first;
        let short = |text: &str| shorten::to_chars(&escaped_line(text), MAX_SIGNATURE, "…");
        match (verdict, old, new) {
            (Verdict::Break | Verdict::Silent, Some(old), Some(new)) => apart(old, new, param.as_deref())
                .map_or([None, None], |(old, new)| [Some(short(&old)), Some(short(&new))]),
            (Verdict::Break, Some(old), None) if *rule == Some(Rule::RemovedSymbol) => [Some(short(old)), None],
            _ => [None, None],
        }
    }
}
