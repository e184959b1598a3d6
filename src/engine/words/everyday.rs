//! Everyday words and the words of programming that they may stand for: a person who writes that a page `freezes` wants
//! code that does not `block`.
//!
//! The words of a row are read one way only. A library that blocks is seldom asked for in a question about `block`
//! alone, while the groups of [`synonyms`](super::synonyms()) are read both ways.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::stem;

/// Each everyday word with the words of programming that it may stand for.
const WORDS: &[(&str, &[&str])] = &[
    // Time.
    ("ago", &["humanize", "relative", "past"]),
    ("calendar", &["date"]),
    ("clock", &["time", "datetime", "timezone"]),
    ("earlier", &["before", "previous"]),
    ("idle", &["timeout", "inactive"]),
    ("immediately", &["immediate", "now", "eager"]),
    ("later", &["delay", "defer", "schedule"]),
    ("outdated", &["stale", "expired"]),
    ("simultaneously", &["concurrent", "parallel"]),
    ("stamp", &["timestamp"]),
    ("whenever", &["hook", "event", "listener", "on"]),
    // What goes wrong.
    ("clash", &["conflict", "namespace", "prefix"]),
    ("complain", &["warn", "error", "raise"]),
    ("crash", &["error", "exception", "fail"]),
    ("flaky", &["retry"]),
    ("freeze", &["block", "thread", "worker", "async"]),
    ("hang", &["block", "timeout", "deadlock"]),
    ("leak", &["close", "cleanup"]),
    ("lost", &["missing", "persist"]),
    ("missing", &["notfound", "absent", "required", "default"]),
    ("outage", &["failure", "down", "retry"]),
    ("stuck", &["deadlock", "block", "stall", "timeout"]),
    ("swallow", &["suppress", "catch", "ignore"]),
    ("tamper", &["sign", "signature", "readonly"]),
    ("wrong", &["invalid", "error"]),
    // Actions.
    ("arrive", &["receive", "event"]),
    ("cut", &["truncate", "split", "slice", "trim"]),
    ("disappear", &["expire", "dismiss", "remove"]),
    ("forget", &["clear", "reset", "evict"]),
    ("grab", &["acquire", "lock", "claim"]),
    ("happen", &["event", "hook"]),
    ("loop", &["iterate"]),
    ("measure", &["metric", "timer", "duration", "trace"]),
    ("pretend", &["mock", "fake", "stub"]),
    ("remember", &["cache", "memoize", "session", "persist"]),
    ("reuse", &["share", "pool", "cache"]),
    ("shrink", &["compress", "reduce", "resize", "minify"]),
    ("trust", &["verify", "certificate", "signature"]),
    ("undo", &["history"]),
    ("vanish", &["expire", "dismiss", "remove", "timeout"]),
    ("warn", &["warning", "log"]),
    // Objects.
    ("background", &["worker", "async", "daemon"]),
    ("choice", &["option", "enum", "oneof"]),
    ("counter", &["increment", "metric"]),
    ("disk", &["file", "filesystem"]),
    ("dropdown", &["select", "choice"]),
    ("history", &["previous", "log", "undo"]),
    ("language", &["locale", "i18n"]),
    ("layout", &["format", "template"]),
    ("leftover", &["remaining", "rest", "extra"]),
    ("monitoring", &["metrics", "trace", "telemetry"]),
    ("note", &["metadata", "comment", "annotation"]),
    ("popup", &["modal", "dialog"]),
    ("rights", &["permission", "role"]),
    ("shortcut", &["binding", "key", "hotkey", "alias"]),
    ("slot", &["interval", "range"]),
    ("step", &["stage", "pipeline"]),
    ("tenant", &["namespace", "prefix"]),
    ("upload", &["file", "multipart"]),
    ("visitor", &["user", "client", "session"]),
    // What something is like.
    ("apart", &["separate", "isolate"]),
    ("backwards", &["reverse"]),
    ("blank", &["empty"]),
    ("costly", &["expensive", "lazy", "cache"]),
    ("everybody", &["broadcast", "global", "all"]),
    ("everyone", &["broadcast", "global", "all"]),
    ("everywhere", &["global", "default", "all"]),
    ("heavy", &["expensive", "process"]),
    ("hidden", &["hide", "exclude", "private"]),
    ("huge", &["large", "big", "stream"]),
    ("live", &["realtime", "stream", "push"]),
    ("noisy", &["verbose", "quiet"]),
    ("quiet", &["silent", "verbose", "suppress"]),
    ("readable", &["pretty", "human", "format"]),
    ("secret", &["key", "credential"]),
    ("slow", &["timeout", "performance"]),
    ("tidy", &["format", "cleanup", "pretty"]),
    ("tiny", &["small", "mini", "compact"]),
    ("together", &["group", "batch", "combine"]),
    ("twice", &["duplicate", "repeat", "unique"]),
    ("unchanged", &["modified", "same", "cache"]),
    ("unfinished", &["pending", "incomplete", "partial"]),
];

/// The stems of the words of programming that the everyday word with a stem may stand for.
pub fn everyday(stem: &str) -> &'static [Box<str>] {
    static TABLE: LazyLock<FxHashMap<Box<str>, Vec<Box<str>>>> = LazyLock::new(table);
    TABLE.get(stem).map_or(&[], Vec::as_slice)
}

fn table() -> FxHashMap<Box<str>, Vec<Box<str>>> {
    let stems = |words: &[&str]| words.iter().map(|word| stem(word).into()).collect();
    WORDS.iter().map(|(word, meaning)| (stem(word).into(), stems(meaning))).collect()
}

#[cfg(test)]
mod tests {
    use super::{WORDS, everyday, stem};

    #[test]
    fn an_everyday_word_stands_for_words_of_programming_and_not_the_other_way() {
        let of = |word: &str| everyday(&stem(word)).to_vec();
        assert!(of("freezes").contains(&stem("block").into()), "{:?}", of("freezes"));
        assert!(of("block").is_empty(), "{:?}", of("block"));
    }

    #[test]
    fn every_word_has_one_row() {
        let mut stems: Vec<String> = WORDS.iter().map(|(word, _)| stem(word)).collect();
        stems.sort_unstable();
        assert_eq!(stems.windows(2).find(|two| two[0] == two[1]), None);
    }
}
