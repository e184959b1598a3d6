//! The changes of an API that no use meets, in words.

use std::collections::BTreeMap;

use apidisc::{
    breaks::{
        ApiChange,
        report::{Rule, Verdict},
    },
    unprintable::escaped_line,
};

/// The number of changes of a rule that are named.
const MAX_NAMED: usize = 6;

/// The changes of each verdict and rule: their kind and number, and the first of them.
pub(super) fn lines(changes: &[ApiChange]) -> Vec<(String, String)> {
    let mut by_rule: BTreeMap<(Verdict, Rule), Vec<&ApiChange>> = BTreeMap::new();
    for change in changes {
        by_rule.entry((change.verdict, change.rule)).or_default().push(change);
    }
    let line = |((verdict, rule), changes): ((Verdict, Rule), Vec<&ApiChange>)| {
        let named = changes.iter().take(MAX_NAMED).map(|change| {
            let param = change.param.as_deref().map(|name| format!("({})", escaped_line(name))).unwrap_or_default();
            let now = change.now.as_deref().map(|now| format!(" → {}", escaped_line(now))).unwrap_or_default();
            format!("{}{param}{now}", escaped_line(&change.symbol))
        });
        let rest = changes.len().saturating_sub(MAX_NAMED);
        let named: Vec<String> = named.chain((rest > 0).then(|| format!("and {rest} more"))).collect();
        (format!("{}  {rule}  {}", verdict.word(), changes.len()), named.join(", "))
    };
    by_rule.into_iter().map(line).collect()
}

/// How many changes no use meets, on one line.
pub(super) fn summary(changes: &[ApiChange]) -> String {
    match changes.len() {
        0 => "every change of the API that was found meets a use".to_owned(),
        1 => "1 other change of the API meets no use".to_owned(),
        count => format!("{count} other changes of the API meet no use"),
    }
}
