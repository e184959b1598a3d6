//! Rules of ranking that need no more than a few symbols.

use super::{Discover, SearchedSources, TypeFilter};
use crate::discover::Filter;

fn symbols(searched: &SearchedSources, intent: &str) -> Vec<super::DiscoverResult> {
    let filter = Filter { kind: TypeFilter::Symbol, min_score: 0.0 };
    let request = Discover { intent: intent.into(), filter, ..Discover::default() };
    searched.discover(&request).expect("results").results
}

#[test]
fn a_word_that_a_name_splits_is_found_in_the_name() {
    let code = "export function upgradeWebSocket() {}\n\n/** Talks to a websocket of another server, and to others. */\nexport function talk() {}\n\nexport function webSocketry() {}\n";
    let searched = SearchedSources::of(&[("ws.ts", code)]);
    let found = symbols(&searched, "websocket");
    assert_eq!(found[0].name, "ws#upgradeWebSocket", "{found:?}");
    assert!(found[0].score_parts.words > found[1].score_parts.words, "{found:?}");
}

#[test]
fn only_decorators_are_of_the_kind_decorator() {
    let code = "from typing import Callable\n\n\ndef logged(f):\n    \"\"\"A decorator that logs.\"\"\"\n\n\n\
                def route(path):\n    \"\"\"A decorator for routes.\"\"\"\n\n\n\
                def typed(path) -> Callable[[Callable], Callable]:\n    \"\"\"Makes a decorator.\"\"\"\n\n\n\
                def number(text) -> Callable[[str], int]:\n    \"\"\"Counts decorators.\"\"\"\n\n\n\
                def plain():\n    \"\"\"Is no decorator.\"\"\"\n";
    let uses = "from web import logged, route, plain\n\n\n@logged\ndef a(): ...\n\n\n@route(\"/\")\ndef b(): ...\n\n\nplain()\n";
    let searched = SearchedSources::of(&[("web.py", code), ("app.py", uses)]);
    let found = symbols(&searched, "decorator");
    let mut kinds: Vec<(&str, bool)> =
        found.iter().map(|found| (found.name.as_str(), found.score_parts.kind > 0.0)).collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [("web.logged", true), ("web.number", false), ("web.plain", false), ("web.route", true), ("web.typed", true)]
    );
    // What an author wants of code of his own is done by decorators.
    let kind = |intent: &str| {
        symbols(&searched, intent).into_iter().find(|it| it.name == "web.route").map(|it| it.score_parts.kind)
    };
    assert!(kind("My async function report should have routes") > Some(0.0));
    assert!(kind("On my class User: a decorator for routes") > Some(0.0));
    assert_eq!(kind("call routes for my class"), Some(0.0));
}

#[test]
fn who_writes_a_class_of_a_kind_finds_the_class_to_extend() {
    let code = "/** Takes part in queries. */\nexport interface QueryPlugin { change(query: string): string }\n\n\
                /** A plugin that trims the text of all rows. */\nexport class TrimPlugin implements QueryPlugin {\n  change(query: string) { return query }\n}\n\n\
                /** A plugin that logs rows. */\nexport class LogPlugin implements QueryPlugin {\n  change(query: string) { return query }\n}\n";
    let searched = SearchedSources::of(&[("lib.ts", code)]);
    for intent in ["write a plugin for queries", "implement a plugin that trims"] {
        let found = symbols(&searched, intent);
        assert_eq!(found[0].name, "lib#QueryPlugin", "{intent}: {found:?}");
    }
    // Another verb asks for a class to use.
    let used = symbols(&searched, "use a plugin that logs rows");
    assert_eq!(used[0].name, "lib#LogPlugin", "{used:?}");
}
