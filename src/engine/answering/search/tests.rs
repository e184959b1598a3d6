//! Searches in a small index.

use std::sync::Arc;

use super::{Catalog, Query, SearchHits, SearchTarget, Searcher};
use apidisc_base::control::Control;
use apidisc_facts::source::Source;
use apidisc_indexing::indexer::build;

const SHOP: &str = "
class Cart:
    def __init__(self, owner, limit=3): ...
    def add(self, item, count=1): ...

class Order(Cart): ...

def add_all(cart, items): ...

cart = Cart('me', limit=2)
cart.add('a')
cart.add('b', count=2)
";

fn catalog() -> Catalog {
    let files = vec![
        ("shop/__init__.py".into(), b"from shop.carts import Cart\n".into()),
        ("shop/carts.py".into(), SHOP.as_bytes().into()),
    ];
    let source = Source::Memory { name: "shop".into(), files };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    Catalog::new(Arc::new(index), 1)
}

fn search(catalog: &Catalog, typed: &str, limit: usize) -> SearchHits {
    let query = Query::parse(typed);
    Searcher::new(catalog).search(catalog, &query, limit, &mut |_| true).expect("not cancelled")
}

fn names(hits: &SearchHits) -> Vec<&str> {
    hits.hits.iter().map(|hit| hit.full_name.as_str()).collect()
}

#[test]
fn hits_are_ranked_and_limited() {
    let catalog = catalog();
    let hits = search(&catalog, "add", 10);
    assert_eq!(names(&hits)[..2], ["shop.Cart.add", "shop.carts.add_all"]);
    let best = search(&catalog, "add", 1);
    assert_eq!((names(&best), best.total), (vec!["shop.Cart.add"], hits.total));
    let method = &hits.hits[0];
    assert_eq!(&method.full_name[method.label_start..], "Cart.add");
    assert_eq!(method.positions, [10, 11, 12]);
}

#[test]
fn filters_select_targets() {
    let catalog = catalog();
    let is_class = |target| matches!(target, SearchTarget::Definition(_));
    let classes = search(&catalog, "kind:class", 10);
    assert!(classes.total == 2 && classes.hits.iter().all(|hit| is_class(hit.target)));
    let parameters = search(&catalog, "kind:parameter count", 10);
    assert_eq!(names(&parameters), ["shop.Cart.add(count)"]);
    assert_eq!(names(&search(&catalog, "kind:function unused", 10)), ["shop.carts.add_all"]);
}

#[test]
fn a_searcher_that_is_reused_finds_what_a_new_one_finds() {
    let catalog = catalog();
    let mut reused = Searcher::new(&catalog);
    for typed in ["c", "ca", "car", "cart", "cart i", "kind:c cart", "kind:cl cart", "shop.carts.Cart", "", "zzz"] {
        let hits = reused.search(&catalog, &Query::parse(typed), 10, &mut |_| true);
        assert_eq!(hits, Some(search(&catalog, typed, 10)), "{typed}");
    }
}

#[test]
fn scattered_letters_match_one_word_and_not_several() {
    let code = "def reset_timeout_after_restoring_server(): ...\ndef start_server(): ...\ndef HTTPServerStart(): ...\n";
    let files = vec![("net.py".into(), code.as_bytes().into())];
    let source = Source::Memory { name: "net".into(), files };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let catalog = Catalog::new(Arc::new(index), 1);
    let scattered = "net.reset_timeout_after_restoring_server";
    // Names that contain the word leave those with scattered letters out.
    assert_eq!(names(&search(&catalog, "start", 20)), ["net.start_server", "net.HTTPServerStart"]);
    assert_eq!(names(&search(&catalog, "rtars", 20)), [scattered]);
    assert_eq!(names(&search(&catalog, "start server", 20)), ["net.start_server", "net.HTTPServerStart"]);
    assert_eq!(names(&search(&catalog, "srv net.re", 20)).len(), 1);
    assert_eq!(search(&catalog, "start the server", 20).total, 0);
    assert_eq!(names(&search(&catalog, "set server", 20)), [scattered]);
}

#[test]
fn an_observer_ends_a_search() {
    let catalog = catalog();
    let mut searcher = Searcher::new(&catalog);
    let mut so_far = 0;
    let hits = searcher.search(&catalog, &Query::parse("cart"), 10, &mut |mut hits| {
        so_far = hits.collect().total;
        false
    });
    assert!(hits.is_none() && so_far > 0);
}

#[test]
fn exact_names_come_first_then_last_parts_prefixes_words_and_letters() {
    let code = "
class Client:
    def get(self): ...
    def send_get(self): ...

class Budget:
    def getter(self): ...
    def get(self): ...
    def widget(self): ...

def get(): ...
def get_all(): ...
def widget(): ...
def _get(): ...

for _ in range(3):
    Budget().get()
    Budget().widget()
    Budget().widget()
    widget()
    get_all()
";
    let files = vec![
        ("net/__init__.py".into(), code.as_bytes().into()),
        ("tests/test_net.py".into(), b"def get(): ...\n".into()),
    ];
    let source = Source::Memory { name: "net".into(), files };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let catalog = Catalog::new(Arc::new(index), 1);
    let ranked = [
        "net.Budget.get",
        "net.Client.get",
        "net.get",
        "tests.test_net.get",
        "net.get_all",
        "net.Budget.getter",
        "net.Client.send_get",
        "net._get",
    ];
    assert_eq!(names(&search(&catalog, "get", 20))[..8], ranked);
    // A function comes before the members of its name, even if they are called more, but not if nothing calls the
    // function.
    assert_eq!(names(&search(&catalog, "widget", 20))[..2], ["net.widget", "net.Budget.widget"]);
    assert_eq!(names(&search(&catalog, "client get", 20))[0], "net.Client.get");
    assert_eq!(names(&search(&catalog, "Budget.get", 20))[..2], ["net.Budget.get", "net.Budget.getter"]);
    assert_eq!(names(&search(&catalog, "net get", 20))[0], "net.get");
}

#[test]
fn a_member_comes_before_the_module_of_its_name_that_has_the_same_calls() {
    let code = "class App:\n    def start(self): ...\n\ndef run(app: App):\n    app.start()\n";
    let files =
        vec![("kit/__init__.py".into(), b"".as_slice().into()), ("kit/start.py".into(), code.as_bytes().into())];
    let source = Source::Memory { name: "kit".into(), files };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let catalog = Catalog::new(Arc::new(index), 1);
    assert_eq!(names(&search(&catalog, "start", 20))[..2], ["kit.start.App.start", "kit.start"]);
}

#[test]
fn a_qualified_name_finds_the_definition_that_it_means() {
    let files: [(&str, &str); 4] = [
        ("package.json", r#"{"name": "kit", "exports": {".": "./index.ts", "./old": "./old.ts"}}"#),
        ("index.ts", "export * as z from './schemas';\nexport * from './schemas';\n"),
        ("schemas.ts", "export function string() {}\nexport function stringify() {}\n"),
        ("old.ts", "export function string() {}\n"),
    ];
    let files = files.map(|(path, text)| (path.into(), text.as_bytes().to_vec().into())).to_vec();
    let source = Source::Memory { name: "kit".into(), files };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let catalog = Catalog::new(Arc::new(index), 1);
    assert_eq!(names(&search(&catalog, "z.string", 20))[0], "kit#string");
    assert_eq!(names(&search(&catalog, "z.string", 1)), ["kit#string"]);
    assert_eq!(names(&search(&catalog, "kit string", 20))[0], "kit#string");
}

#[test]
fn a_target_that_matches_beyond_the_limit_is_counted_once() {
    let code: [(&str, &str); 4] = [
        ("pkg/__init__.py", "def get(): ...\n"),
        ("pkg/sub/__init__.py", ""),
        ("pkg/sub/pkg.py", "def get(): ...\n"),
        ("tests/test_pkg.py", "from pkg.sub.pkg import get\nget()\nget()\n"),
    ];
    let files = code.map(|(path, text)| (path.into(), text.as_bytes().to_vec().into())).to_vec();
    let source = Source::Memory { name: "pkg".into(), files };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let catalog = Catalog::new(Arc::new(index), 1);
    let all = search(&catalog, "pkg.get", 20);
    assert_eq!(names(&all)[..2], ["pkg.get", "pkg.sub.pkg.get"]);
    let first = search(&catalog, "pkg.get", 1);
    assert_eq!((names(&first), first.total), (vec!["pkg.get"], all.total));
}
