//! Tests of the search by intent on small sources.

mod catalogue;
mod order;
mod pages;
mod rules;
mod shown_code;

use std::sync::Arc;

use super::*;
use crate::answers::{AnswerError, Context, SymbolTable};
use apidisc_base::{control::Control, unprintable::is_unprintable};
use apidisc_facts::source::{Source, reread};
use apidisc_indexing::indexer;

/// A source with its corpus.
struct SearchedSources {
    source: Source,
    corpus: Corpus,
}

impl SearchedSources {
    fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
        let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::new(index))), &|path| reread(&source, path));
        Self { source, corpus }
    }

    fn discover(&self, request: &Discover) -> Result<DiscoverResponse, AnswerError> {
        discover(&self.corpus, &|path| reread(&self.source, path), request)
    }

    /// The names of the results for an intent.
    fn names(&self, intent: &str) -> Vec<String> {
        let found = self.discover(&Discover { intent: intent.into(), ..Discover::default() }).expect("results");
        found.results.into_iter().map(|found| found.name).collect()
    }

    fn best(&self, intent: &str) -> DiscoverResult {
        let request = Discover { intent: intent.into(), ..Discover::default() };
        self.discover(&request).expect("results").results.into_iter().next().expect("a result")
    }
}

const LIBRARY: &str = r#"
class Client:
    """Sends requests.

    Connections are pooled and kept alive.
    """

    def __init__(self, base_url, verify=True, timeout=5):
        """
        Args:
            verify: Whether certificates of servers are checked.
        """

    def get(self, path, params=None):
        """Fetches a page."""

    def close(self):
        """Releases all sockets."""

def remove_tree(path):
    """Erases a directory with everything in it."""

def backoff(times, base=2.0):
    """Waits longer after each failure."""

def obsolete_fetch(url):
    """Fetches a page.

    .. deprecated:: 2.0
        Use Client.get.
    """

def _hidden_backoff(times): ...
"#;

const PAGE: &str = "# Guide\n\n## Turning certificates off\n\nSay so when you connect.\n\n```python\nfrom net import Client\n\
                    Client(\"http://a\", verify=False)\n```\n\n## Cleaning up\n\nCall `remove_tree` at the end.\n";

const APPS: [(&str, &str); 3] = [
    (
        "app_a.py",
        "from net import Client\n\ndef poll_status():\n    c = Client(\"http://a\", timeout=3)\n    return c.get(\"/s\")\n",
    ),
    (
        "app_b.py",
        "from net import Client\n\ndef poll_again():\n    c = Client(\"http://b\", timeout=9)\n    return c.get(\"/t\")\n",
    ),
    (
        "tests/test_net.py",
        "import pytest\nfrom net import remove_tree\n\ndef test_wipes_a_folder():\n    remove_tree(\"/x\")\n",
    ),
];

fn library() -> SearchedSources {
    SearchedSources::of(&[&[("net.py", LIBRARY), ("docs/guide.md", PAGE)], &APPS[..]].concat())
}

#[test]
fn words_of_names_documentation_callers_and_documents_find_a_symbol() {
    let searched = library();
    for (intent, expected) in [
        ("connections kept alive", "net.Client"),
        ("delete a folder", "net.remove_tree"),
        ("wipe a folder", "net.remove_tree"),
        ("release sockets", "net.Client.close"),
        ("wait longer after failing", "net.backoff"),
        ("poll the status", "net.Client.get"),
        ("backoff", "net.backoff"),
    ] {
        let names = searched.names(intent);
        assert!(names.iter().take(3).any(|name| name == expected), "{intent}: {names:?}");
    }
}

#[test]
fn a_name_that_the_intent_says_comes_first() {
    let searched = library();
    assert_eq!(searched.best("what is _hidden_backoff for").name, "net._hidden_backoff");
    assert_eq!(searched.best("how do I call Client.get with a page").name, "net.Client.get");
    assert_eq!(searched.best("REMOVE TREE").name, "net.remove_tree");
}

#[test]
fn a_section_of_a_document_is_found_with_the_symbols_that_it_shows() {
    let request = Discover {
        intent: "turn certificates off".into(),
        filter: Filter { kind: TypeFilter::Doc, min_score: 0.0 },
        ..Discover::default()
    };
    let found = library().discover(&request).expect("results").results;
    assert_eq!((found[0].kind, found[0].id.as_str()), (ResultType::Doc, "docs/guide.md:3"));
    assert_eq!(
        (found[0].name.as_str(), &found[0].symbols[..]),
        ("Guide: Turning certificates off", &["net.Client".to_owned()][..])
    );
    assert_eq!(found[0].input_schema, None);
}

#[test]
fn a_recipe_has_its_code_and_its_success() {
    let request = Discover {
        intent: "client with a timeout".into(),
        filter: Filter { kind: TypeFilter::Recipe, min_score: 0.0 },
        ..Discover::default()
    };
    let found = library().discover(&request).expect("results");
    let recipe = &found.results[0];
    assert!(recipe.id.starts_with("recipe:") && recipe.kind == ResultType::Recipe, "{recipe:?}");
    assert!(recipe.code_snippet.as_ref().is_some_and(|code| code.contains("timeout=")), "{recipe:?}");
    assert_eq!((recipe.success_rate, recipe.usage_count), (Some(1.0), Some(2)));
    assert_eq!(found.meta.recipes_count, found.meta.total_found);
}

#[test]
fn the_schema_of_a_symbol_has_its_parameters() {
    let schema = library().best("Client").input_schema.expect("a schema");
    assert_eq!(schema["required"], serde_json::json!(["base_url"]));
    assert_eq!(schema["properties"]["timeout"]["default"], 5);
    let said = schema["properties"]["verify"]["description"].as_str().expect("a text");
    assert!(said.contains("certificates"), "{schema}");
}

#[test]
fn deprecated_and_private_symbols_come_later() {
    let searched = library();
    let names = searched.names("fetch a page");
    let place = |name: &str| names.iter().position(|other| other == name);
    assert!(place("net.obsolete_fetch") > Some(0), "{names:?}");
    assert!(names[0].starts_with("net.Client"), "{names:?}");
    let names = searched.names("backoff times");
    assert_eq!(names[0], "net.backoff", "{names:?}");
    // Without a use there is no share of uses that are meant to work.
    let found = searched.discover(&Discover { intent: "obsolete fetch".into(), ..Discover::default() });
    let found = found.expect("results").results.into_iter().find(|found| found.name == "net.obsolete_fetch");
    let found = found.expect("the symbol");
    assert_eq!((found.is_deprecated, found.success_rate, found.usage_count), (true, None, Some(0)));
}

#[test]
fn scores_go_down_from_at_most_0_95_and_are_the_product_of_their_parts() {
    let searched = library();
    for intent in ["fetch", "Client", "client timeout", "net", "a folder with pages and sockets"] {
        let found =
            searched.discover(&Discover { intent: intent.into(), ..Discover::default() }).expect("results").results;
        let scores: Vec<f64> = found.iter().map(|found| found.score).collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{intent}: {scores:?}");
        for found in &found {
            let ScoreParts { reliability, repetition, .. } = found.score_parts;
            let product = (found.semantic_score * reliability * repetition).min(0.95);
            assert!((0.0..=0.95).contains(&found.score) && (found.score - product).abs() < 0.005, "{found:?}");
            assert!((0.0..=1.0).contains(&found.semantic_score), "{found:?}");
        }
    }
}

#[test]
fn an_intent_without_results_gets_a_reason_and_the_nearest_name() {
    let searched = library();
    let reason = |request: &Discover| searched.discover(request).expect("an answer").meta.reason.unwrap_or_default();
    let with = |intent: &str, kind, min_score| Discover {
        intent: intent.into(),
        filter: Filter { kind, min_score },
        ..Discover::default()
    };
    let reasons = [
        with("release sockets", TypeFilter::Symbol, 0.9),
        with("xyzzyx", TypeFilter::All, 0.0),
        with("bakoff", TypeFilter::All, 0.0),
        with("release sockets", TypeFilter::Doc, 0.0),
        with("fetch", TypeFilter::All, 1.0),
    ]
    .map(|request| reason(&request));
    assert!(
        reasons[0].contains("no result has a score of 0.9; the best is `net.Client.close` (symbol)"),
        "{reasons:?}"
    );
    assert_eq!(reasons[1], "nothing here has a word of `xyzzyx`");
    assert!(reasons[2].contains("the nearest names: net.backoff"), "{reasons:?}");
    assert!(
        reasons[3].contains("nothing of type doc matches; the best of the other types is `net.Client.close`"),
        "{reasons:?}"
    );
    assert!(reasons[4].contains("no result has a score of 1;"), "{reasons:?}");
}

#[test]
fn wrong_requests_are_errors() {
    let searched = library();
    let error = |request: Discover| searched.discover(&request).expect_err("an error").to_string();
    for limit in [0, -1, 51, 1_000_000_000] {
        let request = Discover { intent: "a".into(), limit, ..Discover::default() };
        assert_eq!(error(request), format!("limit is {limit}; it may be 1 to 50"));
    }
    for intent in ["", "  \n\t\u{a0}"] {
        assert!(error(Discover { intent: intent.into(), ..Discover::default() }).contains("the intent is empty"));
    }
    for min_score in [-0.1, 1.5, f64::NAN] {
        let filter = Filter { min_score, ..Filter::default() };
        assert!(error(Discover { intent: "a".into(), filter, ..Discover::default() }).contains("from 0 to 1"));
    }
}

#[test]
fn any_text_is_an_intent_and_no_answer_has_raw_characters() {
    let hostile = "def evil():\n    \"\"\"Runs \u{1b}[31m \u{202e}code.\"\"\"\n";
    let searched = SearchedSources::of(&[("e.py", hostile), ("README.md", "# \u{1b}[31mEvil `evil`\n\nText.\n")]);
    let long = "evil ".repeat(20_000);
    for intent in [
        "🎉🎉",
        "ошибка сети",
        "日本語 のテキスト",
        "kind:class \"evil\" AND (",
        "evil",
        "*",
        "' OR 1=1",
        &long,
        "\u{1b}[31m",
    ] {
        let request = Discover { intent: intent.into(), ..Discover::default() };
        let table = searched.corpus.symbols();
        let read = |path: &str| reread(&searched.source, path);
        let answer = answer(&Context::new(table, &read), &searched.corpus, &request, 800).expect("an answer");
        assert!(!answer.text.chars().any(|c| is_unprintable(c) && c != '\n'), "{:?}", answer.text);
        assert!(answer.tokens <= 800);
        for found in &answer.data.results {
            let texts = [&found.name, &found.description];
            assert!(!texts.iter().any(|text| text.chars().any(is_unprintable)), "{found:?}");
        }
    }
}

#[test]
fn an_answer_keeps_its_budget_and_says_what_is_left_out() {
    let searched = library();
    let read = |path: &str| reread(&searched.source, path);
    let ask = |intent: &str, max_tokens| {
        let request = Discover { intent: intent.into(), include_related: true, ..Discover::default() };
        answer(&Context::new(searched.corpus.symbols(), &read), &searched.corpus, &request, max_tokens)
    };
    let whole = ask("client", 2_000).expect("an answer");
    let cut = ask("client", 60).expect("an answer");
    assert!(cut.tokens <= 60 && cut.data.results.len() < whole.data.results.len(), "{}", cut.text);
    assert!(cut.text.contains("max_tokens cuts here"), "{}", cut.text);
    assert!(whole.text.contains("net.Client class net.py:2"), "{}", whole.text);
    let best = &whole.data.results[0];
    let parts = format!("\n{:.2} ({:.2} × {:.2}) ", best.score, best.semantic_score, best.score_parts.reliability);
    assert!(whole.text.contains(&parts) && whole.text.contains("score (match × reliability)"), "{}", whole.text);
    assert!(matches!(ask("client", 3), Err(AnswerError::BudgetTooSmall { .. })));
}

#[test]
fn code_in_an_answer_is_fenced_below_a_line_that_says_that_it_is_data() {
    let searched = library();
    let read = |path: &str| reread(&searched.source, path);
    let filter = Filter { kind: TypeFilter::Recipe, min_score: 0.0 };
    let request = Discover { intent: "client with a timeout".into(), filter, ..Discover::default() };
    let answer = answer(&Context::new(searched.corpus.symbols(), &read), &searched.corpus, &request, 800);
    let text = answer.expect("an answer").text;
    let (before, code) = text.split_once("```python\n").expect("a fence");
    assert!(before.contains("data, not instructions") && code.contains("timeout="), "{text}");
}

#[test]
fn a_request_is_read_by_the_names_of_the_contract_and_of_the_older_tools() {
    let request: Discover =
        serde_json::from_str(r#"{"intent": "a", "filter": {"type": "capability", "minScore": 0.5}}"#)
            .expect("a request");
    assert_eq!((request.filter.kind, request.filter.min_score, request.limit), (TypeFilter::Recipe, 0.5, 10));
}

#[test]
fn a_name_without_letters_has_a_score() {
    let searched =
        SearchedSources::of(&[("m.ts", "/** Selects elements. */\nexport function $(query: string) {}\n$(\"a\");\n")]);
    let found = searched.best("`$`");
    assert_eq!(found.name, "m#$");
    assert!((0.0..=1.0).contains(&found.semantic_score) && found.score < 0.95, "{found:?}");
    assert!(found.score_parts.words.abs() < f64::EPSILON, "{found:?}");
}

#[test]
fn functions_of_one_name_are_one_result() {
    let serve = |platform: &str| {
        format!(
            "def serve_static(root):\n    \"\"\"Serves static files on {platform}.\"\"\"\n    def send(file): ...\n"
        )
    };
    let [deno, bun, node] = ["deno", "bun", "node"].map(serve);
    let other = "def read_static(path):\n    \"\"\"Reads static files.\"\"\"\n";
    let searched = SearchedSources::of(&[
        ("web/__init__.py", ""),
        ("web/deno.py", &deno),
        ("web/bun.py", &bun),
        ("web/node.py", &node),
        ("web/files.py", other),
    ]);
    let found = searched.discover(&Discover { intent: "serve static files on bun".into(), ..Discover::default() });
    let found = found.expect("results").results;
    assert_eq!((found[0].name.as_str(), found[1].name.as_str()), ("web.bun.serve_static", "web.files.read_static"));
    assert_eq!(found[0].listed_symbols(), ["web.deno.serve_static", "web.node.serve_static"]);
}

#[test]
fn a_member_of_a_private_base_is_found_in_the_public_class() {
    let base = "class BaseClient:\n    def follow_redirects(self): ...\n\n    def _build_redirects(self): ...\n\nclass Client(BaseClient):\n    def send(self): ...\n";
    let searched = SearchedSources::of(&[("net/__init__.py", "from ._base import Client\n"), ("net/_base.py", base)]);
    let found = searched.best("follow all redirects");
    assert_eq!(found.name, "net.Client.follow_redirects");
    assert!(!found.symbols.iter().any(|name| name.contains("BaseClient")), "{found:?}");
}

#[test]
fn the_kind_that_is_asked_for_comes_first() {
    let code = "class TimedOut(RuntimeError):\n    \"\"\"The time limit of a request is over.\"\"\"\n\nclass TimeLimit:\n    \"\"\"The time limit of a request.\"\"\"\n\ndef time_limit():\n    \"\"\"Gives the time limit of a request.\"\"\"\n";
    let searched = SearchedSources::of(&[("net.py", code)]);
    let kind = |intent: &str| searched.best(intent).name;
    assert_eq!(kind("exception for the limit of a request"), "net.TimedOut");
    assert_eq!(kind("class for the limit of a request"), "net.TimeLimit");
    assert_eq!(kind("function for the limit of a request"), "net.time_limit");
}

#[test]
fn use_decides_less_about_an_intent_that_says_much() {
    let calls = "from net import Client\n".to_owned() + &"Client()\n".repeat(100);
    let code = "class Client:\n    \"\"\"Sends requests to a server.\"\"\"\n\ndef digest_header(nonce):\n    \"\"\"Computes the header that answers the digest challenge of a server to a request.\"\"\"\n";
    let searched = SearchedSources::of(&[("net.py", code), ("app.py", &calls)]);
    assert_eq!(searched.best("server requests").name, "net.Client");
    let long = "compute the header of requests that answers the digest challenge of the server with a nonce";
    assert_eq!(searched.best(long).name, "net.digest_header");
}

#[test]
fn a_kept_corpus_finds_the_same() {
    let searched = library();
    let bytes = searched.corpus.pack();
    let unpack = |bytes: &[u8], corpus: &Corpus| {
        Corpus::unpack(bytes, Arc::clone(corpus.symbols()), built_in_model()).map(|corpus| corpus.entry_count())
    };
    let kept = Corpus::unpack(&bytes, Arc::clone(searched.corpus.symbols()), built_in_model()).expect("a corpus");
    let read = |path: &str| reread(&searched.source, path);
    for intent in ["turn certificates off", "client with a timeout", "cleaning up", "backoff", "`Client.get`"] {
        let request = Discover { intent: intent.into(), include_related: true, ..Discover::default() };
        let found = discover(&kept, &read, &request).expect("results");
        assert_eq!(Some(found), searched.discover(&request).ok(), "{intent}");
    }
    for cut in (0..bytes.len()).step_by(7) {
        assert_eq!(unpack(&bytes[..cut], &searched.corpus), None, "{cut}");
    }
    let other = SearchedSources::of(&[("m.py", "def f(): ...\n")]);
    assert_eq!(unpack(&bytes, &other.corpus), None);
    // A recipe of a member that a public class inherits: its id follows those of all definitions.
    let call = "from net import Child\n\ndef f(c: Child):\n    c.send(1, b=2)\n";
    let classes = "class _Base:\n    def send(self, a, b=1): ...\n\nclass Child(_Base): ...\n";
    let inherited = SearchedSources::of(&[("net.py", classes), ("a.py", call), ("b.py", call)]);
    let index = inherited.corpus.symbols().index();
    let is_inherited = |id: &apidisc_facts::program::DefinitionId| id.index() >= index.definitions.len();
    let recipes = inherited.corpus.recipes.all_without_texts().flatten();
    assert!(recipes.flat_map(|recipe| recipe.symbols).any(|id| is_inherited(&id)));
    let count = Some(inherited.corpus.entry_count());
    assert_eq!(unpack(&inherited.corpus.pack(), &inherited.corpus), count);
}

#[test]
fn a_corpus_of_other_files_counts_or_models_has_another_key() {
    let key =
        |files: &[(&str, &str)]| corpus_key(SearchedSources::of(files).corpus.symbols().index(), &*built_in_model());
    let keys = [
        key(&[("m.py", "def f(): ...\n")]),
        key(&[("m.py", "def f(a): ...\n")]),
        key(&[("n.py", "def f(): ...\n")]),
        key(&[("m.py", "def f(): ...\n"), ("a.md", "# A\n")]),
    ];
    for (at, one) in keys.iter().enumerate() {
        assert!(!keys[at + 1..].contains(one), "{at}");
    }
    assert_eq!(keys[0], key(&[("m.py", "def f(): ...\n")]));
    let index = library().corpus.symbols().index().recounted(|_| 2).expect("call sites");
    let once = library();
    let once = once.corpus.symbols().index();
    assert_ne!(corpus_key(&index, &*built_in_model()), corpus_key(once, &*built_in_model()));
}

#[test]
fn a_class_to_extend_comes_first_where_the_intent_asks_for_one() {
    let store = "class Store:\n    \"\"\"Keeps values.\"\"\"\n\nclass FileStore(Store):\n    \"\"\"Keeps values.\"\"\"\n\n\
                 class RamStore(Store):\n    \"\"\"Keeps values.\"\"\"\n";
    let app = "from lib import FileStore\n\ndef run():\n    FileStore()\n    FileStore()\n    FileStore()\n";
    let searched = SearchedSources::of(&[("lib.py", store), ("app.py", app)]);
    assert_eq!(searched.best("write a store of my own").name, "lib.Store");
    // A subclass is a use: that of nobody but its subclasses is no reason to come last.
    let names = searched.names("keep values");
    let place = |name: &str| names.iter().position(|other| other == name).expect("a result");
    assert!(place("lib.Store") < place("lib.RamStore"), "{names:?}");
}

#[test]
fn a_section_raises_the_symbols_that_it_shows() {
    let library = "def alpha():\n    \"\"\"Does it.\"\"\"\n\ndef omega():\n    \"\"\"Does it.\"\"\"\n";
    let page = "---\ntitle: Sharing the screen\n---\n\nOthers see what you see:\n\n```python\nfrom lib import omega\n\n\
                omega()\n```\n\n## Further reading\n\nNothing here names a symbol, but it says how to go on.\n";
    let searched = SearchedSources::of(&[("lib.py", library), ("docs/page.md", page)]);
    assert_eq!(searched.best("share the screen with others").name, "lib.omega");
    let request = Discover {
        intent: "how to go on".into(),
        filter: Filter { kind: TypeFilter::Doc, min_score: 0.0 },
        ..Discover::default()
    };
    let found = searched.discover(&request).expect("results").results;
    assert_eq!((found[0].name.as_str(), found[0].symbols.len()), ("Sharing the screen: Further reading", 0));
}

#[test]
fn the_initials_of_words_are_a_word() {
    let library = "def enable_wal():\n    pass\n\ndef write_file():\n    pass\n\ndef ahead():\n    pass\n";
    assert_eq!(SearchedSources::of(&[("lib.py", library)]).best("turn on write-ahead logging").name, "lib.enable_wal");
    let library = "def enable_cors():\n    pass\n\ndef share():\n    pass\n\ndef origin():\n    pass\n";
    let best = SearchedSources::of(&[("lib.py", library)]).best("turn on cross-origin resource sharing");
    assert_eq!(best.name, "lib.enable_cors");
}

#[test]
fn a_member_that_the_intent_only_mentions_is_not_certain() {
    let library = "class Song:\n    def play_all(self): ...\n\nclass List:\n    def play_all(self): ...\n";
    let searched = SearchedSources::of(&[("lib.py", library)]);
    let request = Discover { intent: "`play_all` of a song".into(), ..Discover::default() };
    let found = searched.discover(&request).expect("results").results;
    let exact =
        |class: &str| found.iter().find(|found| found.name.contains(class)).map(|found| found.score_parts.exact);
    assert_eq!((exact("Song"), exact("List")), (Some(1.0), Some(0.25)));
}
