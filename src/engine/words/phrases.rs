//! Expressions of plain English for a word of programming: who asks `by hand` looks for `manual`.
//!
//! A person who does not know the names of a library describes them, often with a group of short words. Each word of
//! such a group says little or misleads: `hand` finds handlers. So a search looks for the words of a row instead of the
//! group. An expression belongs here if it has the same meaning in questions about any library.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Each expression with the words that it stands for, the usual one first. Without words, the expression says nothing
/// about code.
const EXPRESSIONS: &[(&str, &[&str])] = &[
    // Time.
    ("every day", &["cron", "daily", "schedule", "periodic"]),
    ("every evening", &["cron", "daily", "schedule", "periodic"]),
    ("every hour", &["cron", "hourly", "interval", "schedule", "periodic"]),
    ("every minute", &["interval", "periodic", "cron", "schedule"]),
    ("every month", &["cron", "monthly", "schedule", "periodic"]),
    ("every morning", &["cron", "daily", "schedule", "periodic"]),
    ("every night", &["cron", "daily", "schedule", "periodic"]),
    ("every second", &["interval", "periodic", "schedule"]),
    ("every week", &["cron", "weekly", "schedule", "periodic"]),
    ("every weekday", &["cron", "weekly", "schedule", "periodic"]),
    ("a minute", &["rate", "limit", "throttle", "interval"]),
    ("per minute", &["rate", "limit", "throttle", "interval"]),
    ("per second", &["rate", "limit", "throttle", "interval"]),
    ("for a while", &["pause", "suspend", "temporary"]),
    ("go on", &["resume", "continue", "unpause"]),
    ("carry on", &["resume", "continue", "unpause"]),
    ("how long", &["timeout", "duration", "time"]),
    ("too long", &["timeout", "limit", "long"]),
    ("too slow", &["timeout", "slow"]),
    ("times out", &["timeout"]),
    ("give up", &["abort", "timeout", "cancel", "stop"]),
    ("gives up", &["abort", "timeout", "cancel", "stop"]),
    ("giving up", &["abort", "timeout", "cancel", "stop"]),
    ("at the same time", &["concurrent", "parallel", "simultaneous"]),
    ("at once", &["concurrent", "parallel", "bulk", "all"]),
    ("side by side", &["concurrent", "parallel"]),
    ("one after another", &["sequential", "series", "order", "chain"]),
    ("one after the other", &["sequential", "series", "order", "chain"]),
    ("at start", &["startup", "start", "init"]),
    ("out of date", &["stale", "outdated", "expired", "old"]),
    ("up to date", &["latest", "update", "refresh", "current"]),
    ("ahead of time", &["advance", "eager", "pre"]),
    ("on demand", &["lazy", "demand"]),
    ("when needed", &["lazy", "demand"]),
    ("run out", &["expire", "exhaust"]),
    ("runs out", &["expire", "exhaust"]),
    // Numbers.
    ("at least", &["min", "minimum", "least"]),
    ("at most", &["max", "maximum", "limit", "most"]),
    ("no more than", &["max", "maximum", "limit", "most"]),
    ("not more than", &["max", "maximum", "limit", "most"]),
    ("too many", &["limit", "rate", "max", "exceed"]),
    ("too big", &["limit", "size", "max", "large"]),
    ("too large", &["limit", "size", "max", "large"]),
    ("how big", &["size", "length"]),
    ("how far", &["progress", "percent"]),
    ("how large", &["size", "length"]),
    ("how many", &["count", "number", "total", "size"]),
    ("how often", &["interval", "frequency", "rate", "count"]),
    ("most often", &["common", "frequent", "top"]),
    ("more than one", &["multiple", "many", "several"]),
    ("more than once", &["duplicate", "repeat", "twice"]),
    ("no two", &["unique", "lock", "exclusive", "duplicate"]),
    ("or nothing", &["atomic", "transaction"]),
    // Parts.
    ("bit by bit", &["stream", "iterate", "chunk"]),
    ("chunk by chunk", &["chunk", "stream", "iterate"]),
    ("in pieces", &["chunk", "stream", "split", "part"]),
    ("item by item", &["iterate", "stream", "item"]),
    ("line by line", &["line", "iterate", "stream"]),
    ("one at a time", &["iterate", "stream", "sequential"]),
    ("one by one", &["iterate", "stream", "sequential"]),
    ("page by page", &["paginate", "page", "iterate"]),
    ("piece by piece", &["chunk", "stream", "iterate"]),
    ("row by row", &["stream", "row", "iterate", "cursor"]),
    ("as it arrives", &["stream"]),
    ("as they arrive", &["stream"]),
    ("as they come", &["stream"]),
    // Actions.
    ("back off", &["backoff"]),
    ("be notified", &["notify", "subscribe", "listener", "event", "hook"]),
    ("be told", &["notify", "subscribe", "listener", "event", "hook"]),
    ("bring back", &["restore", "recover"]),
    ("carry out", &["execute", "run"]),
    ("clean up", &["cleanup", "clean", "dispose", "teardown"]),
    ("fall back", &["fallback", "default"]),
    ("falls back", &["fallback", "default"]),
    ("figure out", &["detect", "infer", "compute", "determine"]),
    ("fill in", &["populate", "default", "fill"]),
    ("fills in", &["populate", "default", "generate", "fill"]),
    ("find out", &["get", "detect", "inspect", "determine"]),
    ("get rid of", &["remove", "delete", "discard"]),
    ("give back", &["return", "release"]),
    ("go through", &["iterate", "traverse", "walk"]),
    ("keep track of", &["track", "record"]),
    ("leave out", &["exclude", "omit", "skip", "ignore"]),
    ("leaves out", &["exclude", "omit", "skip", "ignore"]),
    ("let go", &["release", "free"]),
    ("log in", &["login", "authenticate", "auth"]),
    ("log out", &["logout"]),
    ("look at", &["inspect", "view", "show"]),
    ("look for", &["search", "find"]),
    ("look up", &["lookup", "find", "get"]),
    ("make sure", &["ensure", "check", "assert"]),
    ("pass on", &["forward", "pass", "propagate"]),
    ("plug in", &["plugin", "register"]),
    ("put back", &["restore", "return", "requeue"]),
    ("roll back", &["rollback", "undo", "revert"]),
    ("set up", &["setup", "configure", "init"]),
    ("shut down", &["shutdown", "close", "stop"]),
    ("sign in", &["login", "authenticate", "auth"]),
    ("sign out", &["logout"]),
    ("sign up", &["register", "signup"]),
    ("slow down", &["throttle", "delay", "rate"]),
    ("speed up", &["cache", "optimize", "fast"]),
    ("start again", &["restart", "start"]),
    ("start over", &["restart", "reset"]),
    ("switch off", &["disable", "off"]),
    ("switch on", &["enable", "activate"]),
    ("switches off", &["disable", "off"]),
    ("tear down", &["teardown", "cleanup"]),
    ("throw away", &["discard", "remove", "drop"]),
    ("tried again", &["retry", "attempt"]),
    ("try again", &["retry", "attempt"]),
    ("trying again", &["retry", "attempt"]),
    ("turn off", &["disable", "off"]),
    ("turn on", &["enable", "activate"]),
    ("turned off", &["disable", "off"]),
    ("turned on", &["enable", "activate"]),
    ("work out", &["detect", "infer", "compute", "determine"]),
    ("write down", &["log", "record", "write"]),
    ("again and again", &["repeat", "retry", "loop"]),
    ("over and over", &["repeat", "retry", "loop"]),
    ("whether", &["check", "is", "has"]),
    // Ways.
    ("all by itself", &["automatic", "auto"]),
    ("as is", &["raw", "verbatim", "literal"]),
    ("as it is", &["raw", "verbatim", "literal"]),
    ("at random", &["random", "shuffle"]),
    ("by chance", &["random"]),
    ("by hand", &["manual", "raw"]),
    ("by itself", &["automatic", "auto"]),
    ("in front of", &["before", "prepend", "proxy"]),
    ("my own", &["custom", "own"]),
    ("of its own", &["custom", "own", "separate"]),
    ("of my own", &["custom", "own"]),
    ("of your own", &["custom", "own"]),
    ("our own", &["custom", "own"]),
    ("your own", &["custom", "own"]),
    ("after a restart", &["persist", "durable", "store"]),
    ("survive a restart", &["persist", "durable", "store"]),
    ("survives a restart", &["persist", "durable", "store"]),
    ("another address", &["redirect", "forward"]),
    ("another page", &["redirect", "forward"]),
    ("does not exist", &["missing", "exist", "notfound"]),
    ("do not exist", &["missing", "exist", "notfound"]),
    // Words between others.
    ("as long as", &[]),
    ("as soon as", &[]),
    ("as well as", &[]),
    ("because of", &[]),
    ("in order to", &[]),
    ("instead of", &[]),
    ("rather than", &[]),
    ("such as", &[]),
];

/// The expression with which some words in lower case begin, the longest one: the number of its words, and the words
/// that it stands for.
pub(super) fn expression(words: &[String]) -> Option<(usize, &'static [&'static str])> {
    static TABLE: LazyLock<FxHashMap<&str, Vec<Expression>>> = LazyLock::new(table);
    let of_first = TABLE.get(words.first()?.as_str())?;
    let begins = |expression: &&Expression| {
        words.len() >= expression.words.len() && expression.words.iter().zip(words).all(|(own, word)| own == word)
    };
    let found = of_first.iter().find(begins)?;
    Some((found.words.len(), found.meaning))
}

/// An expression, word by word.
struct Expression {
    words: Vec<&'static str>,
    meaning: &'static [&'static str],
}

/// The expressions by their first word, longer ones first.
fn table() -> FxHashMap<&'static str, Vec<Expression>> {
    let mut table: FxHashMap<&str, Vec<Expression>> = FxHashMap::default();
    for (text, meaning) in EXPRESSIONS {
        let words: Vec<&str> = text.split(' ').collect();
        table.entry(words[0]).or_default().push(Expression { words, meaning });
    }
    for of_first in table.values_mut() {
        of_first.sort_by_key(|expression| std::cmp::Reverse(expression.words.len()));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{EXPRESSIONS, expression};
    use crate::split::words;

    #[test]
    fn the_longest_expression_at_the_beginning_is_found() {
        let found = |text: &str| expression(&words(text).collect::<Vec<_>>());
        assert_eq!(found("by hand, not by a timer"), Some((2, &["manual", "raw"][..])));
        assert_eq!(found("of my own"), Some((3, &["custom", "own"][..])));
        assert_eq!(found("instead of"), Some((2, &[][..])));
        assert_eq!(found("by"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn expressions_are_words_in_lower_case_and_differ() {
        let mut texts: Vec<&str> = EXPRESSIONS.iter().map(|(text, _)| *text).collect();
        assert!(texts.iter().all(|text| words(text).collect::<Vec<_>>().join(" ") == *text));
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), EXPRESSIONS.len());
    }
}
