//! Words of programming with the same meaning: an intent that has the word `delete` also finds `remove`.
//!
//! Each row is a group of words that name one action or one object in the APIs of libraries. A word belongs here if
//! well-known libraries differ in it (`remove` in the DOM and Python, `delete` in HTTP and SQL), or if it is the usual
//! short form of another one. Words that are only related, such as `file` and `path`, do not belong here: with
//! them, a search would find unrelated entries.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::stem;

const GROUPS: &[&[&str]] = &[
    // Actions.
    &["remove", "delete", "drop", "discard", "erase", "unlink", "destroy", "purge", "wipe"],
    &["get", "fetch", "retrieve", "obtain", "load", "read", "lookup"],
    &["download", "fetch"],
    &["create", "make", "build", "construct", "new", "generate"],
    &["add", "append", "insert", "push", "attach"],
    &["set", "assign", "configure"],
    &["change", "modify", "update", "edit", "alter", "patch"],
    &["send", "post", "emit", "dispatch", "publish", "transmit"],
    &["run", "execute", "invoke", "call", "launch"],
    &["start", "begin", "open", "launch"],
    &["stop", "end", "halt", "terminate", "shutdown", "kill", "quit", "exit"],
    &["cancel", "abort", "interrupt", "revoke"],
    &["finish", "complete", "done"],
    &["undo", "revert", "rollback"],
    &["resume", "continue", "unpause"],
    &["pause", "suspend"],
    &["repeat", "recur", "periodic", "cron", "schedule"],
    &["prevent", "forbid", "deny", "reject", "block", "refuse"],
    &["guess", "detect", "infer", "suggest"],
    &["nest", "embed"],
    &["close", "shutdown", "dispose"],
    &["find", "search", "lookup", "locate", "query"],
    &["check", "validate", "verify", "test", "ensure", "assert"],
    &["convert", "transform", "cast", "coerce", "translate"],
    &["parse", "decode", "deserialize", "load"],
    &["serialize", "encode", "dump", "marshal"],
    &["write", "save", "store", "persist", "dump"],
    &["keep", "store", "save", "retain", "hold"],
    &["print", "show", "display", "output", "echo", "render"],
    &["view", "see", "show", "inspect"],
    &["trace", "track", "log"],
    &["copy", "clone", "duplicate", "fork"],
    &["join", "merge", "combine", "concat", "concatenate", "union"],
    &["split", "divide", "partition", "separate"],
    &["select", "choose", "pick"],
    &["filter", "exclude", "omit"],
    &["collect", "gather", "aggregate"],
    &["refresh", "reload", "renew"],
    &["restore", "recover"],
    &["compare", "diff", "difference"],
    &["extract", "pull"],
    &["move", "transfer", "migrate"],
    &["wrap", "surround", "enclose"],
    &["trim", "strip"],
    &["lock", "mutex", "exclusive"],
    &["release", "unlock", "free"],
    &["acquire", "obtain"],
    &["compress", "gzip", "zip"],
    &["escape", "quote", "sanitize"],
    &["protect", "guard", "secure", "safe"],
    &["match", "fit", "correspond"],
    &["translate", "localize", "i18n", "gettext"],
    &["sort", "order", "arrange"],
    &["wait", "sleep", "delay", "pause"],
    &["retry", "attempt", "again"],
    &["listen", "subscribe", "watch", "observe", "monitor"],
    &["react", "respond", "handle"],
    &["notify", "tell", "inform", "alert"],
    &["register", "subscribe", "attach"],
    &["compute", "calculate", "evaluate"],
    &["simplify", "reduce"],
    &["expand", "extend"],
    &["raise", "throw"],
    &["catch", "handle"],
    &["disable", "off", "without", "skip", "ignore"],
    &["enable", "activate", "allow", "permit"],
    &["hide", "conceal", "mask"],
    &["replace", "substitute", "swap"],
    &["rename", "alias"],
    &["mount", "attach"],
    &["reset", "clear", "empty", "flush", "drain", "purge", "truncate"],
    &["limit", "restrict", "cap", "max", "maximum"],
    &["ask", "prompt"],
    // Objects.
    &["folder", "directory", "dir"],
    &["error", "exception", "failure", "fail"],
    &["argument", "arg", "parameter", "param", "option"],
    &["config", "configuration", "settings", "setup", "options", "preferences"],
    &["auth", "authentication", "authenticate", "authorization", "login", "credential"],
    &["password", "secret"],
    &["message", "msg"],
    &["request", "req"],
    &["response", "reply", "resp", "res", "answer", "respond"],
    &["database", "db"],
    &["url", "uri", "link", "address"],
    &["ssl", "tls", "certificate", "cert", "https"],
    &["timeout", "deadline"],
    &["text", "string", "str"],
    &["number", "integer", "int", "num"],
    &["boolean", "bool", "flag"],
    &["list", "array", "sequence"],
    &["dictionary", "dict", "map", "mapping", "object", "record"],
    &["callback", "handler", "hook", "listener"],
    &["function", "func", "fn"],
    &["property", "attribute", "field", "prop", "attr"],
    &["class", "type"],
    &["element", "item", "node", "entry"],
    &["children", "child", "descendant"],
    &["colour", "color"],
    &["image", "picture", "img"],
    &["environment", "env"],
    &["variable", "var"],
    &["table", "entity"],
    &["column", "field"],
    &["row", "record"],
    &["path", "route", "endpoint"],
    &["middleware", "interceptor"],
    &["async", "asynchronous", "concurrent", "parallel", "coroutine"],
    &["await", "async"],
    &["job", "task"],
    &["bulk", "batch", "many", "multiple"],
    &["unique", "distinct", "different"],
    &["chain", "pipeline"],
    &["throttle", "rate"],
    &["expiry", "expiration", "expire", "ttl", "age"],
    &["mock", "fake", "stub"],
    &["plugin", "extension", "addon"],
    &["relation", "relationship", "association"],
    &["token", "jwt"],
    &["thread", "worker"],
    &["command", "cmd"],
    &["temporary", "temp", "tmp"],
    &["maximum", "max", "most", "largest", "greatest", "biggest", "highest"],
    &["minimum", "min", "least", "smallest", "lowest"],
    &["length", "size", "count", "len"],
    &["date", "datetime"],
    &["regular", "regex", "regexp", "pattern"],
    &["documentation", "docs", "doc"],
    &["identifier", "id"],
    &["index", "idx"],
    &["initialize", "init", "setup"],
    &["reference", "ref"],
    &["context", "ctx"],
    &["schema", "model"],
    &["nullable", "null", "none", "undefined", "optional"],
    &["default", "fallback"],
    &["size", "dimension"],
    &["event", "signal"],
    &["cookie", "session"],
    &["test", "spec"],
    &["own", "custom"],
    &["application", "app", "program"],
    &["result", "outcome"],
    &["piece", "chunk", "part", "segment", "fragment"],
    &["whole", "entire", "full", "complete"],
    &["several", "multiple", "many", "various"],
    &["rule", "policy", "condition"],
    &["late", "overdue", "misfire"],
    &["mail", "email", "smtp"],
    &["admin", "administrator", "superuser"],
    &["permission", "privilege", "role", "access"],
    &["statistics", "stats", "metrics"],
    &["character", "char", "letter"],
    &["bytes", "binary", "buffer"],
    &["body", "payload", "content"],
    &["last", "latest", "newest", "recent", "final"],
    &["broken", "invalid", "corrupt", "malformed", "bad"],
    &["kind", "type"],
    &["position", "offset", "location"],
    &["random", "shuffle"],
    &["raw", "verbatim", "literal"],
    &["repository", "repo"],
    &["spreadsheet", "csv", "excel"],
    &["host", "machine", "server"],
    &["equal", "same", "identical"],
];

/// The stems that mean the same as the stem of a word, without the stem itself.
pub fn synonyms(stem: &str) -> &'static [Box<str>] {
    static TABLE: LazyLock<FxHashMap<Box<str>, Vec<Box<str>>>> = LazyLock::new(table);
    TABLE.get(stem).map_or(&[], Vec::as_slice)
}

fn table() -> FxHashMap<Box<str>, Vec<Box<str>>> {
    let mut table: FxHashMap<Box<str>, Vec<Box<str>>> = FxHashMap::default();
    for group in GROUPS {
        let stems: Vec<Box<str>> = group.iter().map(|word| stem(word).into()).collect();
        for own in &stems {
            let others = table.entry(own.clone()).or_default();
            for other in stems.iter().filter(|other| *other != own) {
                if !others.contains(other) {
                    others.push(other.clone());
                }
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, stem, synonyms};

    #[test]
    fn synonyms_go_both_ways() {
        for (one, other) in [("remove", "delete"), ("folder", "directory"), ("fetch", "download"), ("db", "database")] {
            let of = |word: &str| synonyms(&stem(word)).to_vec();
            assert!(of(one).contains(&stem(other).into()) && of(other).contains(&stem(one).into()), "{one} {other}");
        }
        assert!(synonyms("xyzzy").is_empty());
    }

    #[test]
    fn every_group_has_several_words_in_lower_case() {
        for group in GROUPS {
            assert!(
                group.len() > 1
                    && group.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())),
                "{group:?}"
            );
        }
    }
}
