//! Tests of the decision tree, without an index and with one.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::json;

use super::{RouteType::*, *};
use crate::answers::{Context, SymbolTable};
use apidisc_base::control::Control;
use apidisc_facts::source::{Source, reread};
use apidisc_indexing::indexer;

/// Tasks with their routes, estimates and first arguments.
#[test]
fn tasks_are_routed_by_the_first_thing_that_they_name() {
    let modules: BTreeSet<String> = ["api", "components", "lib"].map(str::to_owned).into();
    let router = Router { available_modules: Some(&modules), context: None };
    for (task, route, tokens, first) in [
        (
            "Fix src/auth/login.ts:45",
            DirectFile,
            400,
            json!({ "file_path": "src/auth/login.ts", "start_line": 45, "end_line": 45, "context": 20 }),
        ),
        (
            "Fix the handleLogin function in auth/login.ts:45",
            DirectFile,
            400,
            json!({ "file_path": "auth/login.ts", "start_line": 45, "end_line": 45, "context": 20 }),
        ),
        ("Update the handleLogin function", SymbolSearch, 750, json!({ "query": "handleLogin" })),
        ("Why does max_tokens matter?", SymbolSearch, 750, json!({ "query": "max_tokens" })),
        ("Make HTTPServer.close idempotent", SymbolSearch, 750, json!({ "query": "HTTPServer.close" })),
        ("Show me the API endpoints", ModuleBrowse, 1_150, json!({ "module": "api" })),
        ("Restyle the buttons", ModuleBrowse, 1_150, json!({ "module": "components" })),
        ("How does authentication work?", KeywordSearch, 1_500, json!({ "queries": ["authentication"] })),
        ("What is this codebase?", OverviewOnly, 300, json!({})),
        ("", OverviewOnly, 300, json!({})),
    ] {
        let decision = router.route(task);
        assert_eq!((decision.route_type, decision.estimated_tokens), (route, tokens), "{task}");
        assert_eq!(json!(decision.arguments[0].arguments), first, "{task}");
        assert_eq!(decision.tool_sequence, route.tool_sequence(), "{task}");
        assert!(!decision.tool_sequence.contains(&"get_module") && !decision.reasoning.is_empty(), "{task}");
    }
    assert_eq!(json!(router.route("x.py"))["route_type"], json!("DIRECT_FILE"));
}

#[test]
fn words_have_categories() {
    let keywords = extract_keywords("Create an async controller for the Button model; mock the exception of parse_url");
    let found: Vec<(&str, Option<Category>)> =
        keywords.keywords.iter().map(|k| (k.term.as_str(), k.category)).collect();
    assert_eq!(
        found,
        [
            ("create", Some(Category::Operation)),
            ("async", Some(Category::CodeConcept)),
            ("controller", Some(Category::Architecture)),
            ("button", Some(Category::Ui)),
            ("model", Some(Category::Data)),
            ("mock", Some(Category::Test)),
            ("exception", Some(Category::Error)),
            ("parse_url", Some(Category::SymbolName)),
        ]
    );
    assert_eq!(json!(Category::SymbolName), json!("SYMBOL_NAME"));
    assert_eq!(json!(Category::Ui), json!("UI"));
}

#[test]
fn search_terms_are_names_compounds_and_words_of_the_domain() {
    let keywords = extract_keywords("Fix the handleLogin error handling in auth service when invoices are deleted");
    assert_eq!(keywords.search_terms(4), ["handleLogin", "error_handling", "handling", "invoices"]);
    assert_eq!(extract_keywords("Please fix it").search_terms(5), [""; 0]);
}

#[test]
fn a_member_of_a_class_is_a_symbol() {
    let keywords = extract_keywords("What does Docket.strike do, and when?");
    assert_eq!(keywords.symbol_candidates, ["Docket.strike"]);
}

#[test]
fn names_of_products_and_abbreviations_are_no_symbols_and_no_files() {
    for task in ["Explain Node.js and the APIs", "e.g. this, i.e. that", "version 3.11.0", "see https://a.b/c.html"] {
        assert_eq!(extract_keywords(task).symbol_candidates, [""; 0], "{task}");
        assert_ne!(Router::default().route(task).route_type, DirectFile, "{task}");
    }
}

const LIBRARY: &str = "class Invoice:\n    def total(self): ...\n\ndef charge(invoice: Invoice): invoice.total()\n";

#[test]
fn an_index_knows_names_whatever_their_case_and_paths_that_exist() {
    let files = [
        ("shop/__init__.py", ""),
        ("shop/billing.py", LIBRARY),
        ("shop/other.py", "class Other:\n    def total(self): ...\n"),
        (
            "tests/test_a.py",
            "from shop.billing import charge, Invoice\nfrom shop.other import Other\ncharge(Invoice())\nOther().total()\n",
        ),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().into())).to_vec();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let table = SymbolTable::new(Arc::new(index));
    let read = |path: &str| reread(&source, path);
    let router = Router { available_modules: None, context: Some(Context::new(&table, &read)) };
    for (task, route, first) in [
        ("How is an invoice made?", SymbolSearch, json!({ "query": "invoice", "limit": 5 })),
        (
            "Change billing.py:2",
            DirectFile,
            json!({ "file_path": "shop/billing.py", "start_line": 2, "end_line": 2, "context": 20 }),
        ),
        ("What is in the billing module?", ModuleBrowse, json!({ "module": "shop.billing" })),
        ("Where are totals computed?", KeywordSearch, json!({ "queries": ["totals computed", "totals", "computed"] })),
        ("How does shipping_cost work?", OverviewOnly, json!({})),
    ] {
        let decision = router.route(task);
        assert_eq!((decision.route_type, json!(decision.arguments[0].arguments)), (route, first), "{task}");
        let gathered = gather(&router.context.expect("an index"), &decision, 20_000).expect("answers");
        assert_eq!(decision.estimated_tokens, gathered.tokens, "{task}");
        for max_tokens in [0, 30, 100, 300] {
            let gathered = gather(&router.context.expect("an index"), &decision, max_tokens).expect("answers");
            assert!(gathered.tokens <= max_tokens, "{task}");
        }
    }
    let missing = router.route("Fix shop/biling.py");
    assert!(missing.route_type != DirectFile && missing.reasoning.contains("not in the index: shop/biling.py"));
    let ambiguous = router.route("Why is total() slow?").reasoning;
    assert!(
        ambiguous.contains("2 symbols") && ambiguous.contains("Invoice.total") && ambiguous.contains("Other.total"),
        "{ambiguous}"
    );
}

const SHOP: &str = "\
class Client:
    \"\"\"Talks to the shop.\"\"\"
    def send(self, request, timeout=5): ...
    def cancel_order(self, order): ...

class Timeout:
    \"\"\"How long to wait.\"\"\"

class Order: ...

def get(url): ...
def delete(url): ...
def run(client): ...
def echo(text): ...
def parse_receipt(text): ...
";

/// Realistic tasks with the symbol, module or file that their route leads to. The library has functions and classes
/// whose names are ordinary words (`get`, `delete`, `run`, `Order`).
#[test]
fn ordinary_words_name_symbols_only_where_they_are_written_as_names() {
    let files = [
        ("shop/__init__.py", "from .client import Client, Timeout, Order, get, delete, run, echo, parse_receipt\n"),
        ("shop/client.py", SHOP),
        ("shop/stock.py", "class Shelf:\n    def reserve(self): ...\n"),
        (
            "tests/test_shop.py",
            "from shop import *\nfrom shop.stock import Shelf\n\nclass Helper: ...\n\ndef get_order(): ...\n\n\
             def test_all():\n    get('a')\n    delete('a')\n    run(Client())\n    echo('a')\n    \
             Client().send(1)\n    Client().cancel_order(Order())\n    Timeout()\n    Shelf().reserve()\n    \
             get_order()\n    get_order()\n",
        ),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().into())).to_vec();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let table = SymbolTable::new(Arc::new(index));
    let read = |path: &str| reread(&source, path);
    let router = Router { available_modules: None, context: Some(Context::new(&table, &read)) };
    for (task, route, expected) in [
        // Ordinary words of a sentence.
        ("get the receipt of a customer", KeywordSearch, "parse_receipt"),
        ("parse a receipt of a customer", KeywordSearch, "parse_receipt"),
        ("delete the receipt", KeywordSearch, "parse_receipt"),
        ("cancel an order", KeywordSearch, "cancel_order"),
        ("Get the order", KeywordSearch, "Order"),
        // Words that are written as names.
        ("Why does `delete` fail?", SymbolSearch, "delete"),
        ("What does 'run' return?", SymbolSearch, "run"),
        ("Make get() quicker", SymbolSearch, "get"),
        ("What does Client.send do?", SymbolSearch, "Client.send"),
        ("send of the Client is slow", SymbolSearch, "Client"),
        ("Where is a Timeout made?", SymbolSearch, "Timeout"),
        ("Test parse_receipt with an empty text", SymbolSearch, "parse_receipt"),
        ("add an argument to cancel_order, please", SymbolSearch, "cancel_order"),
        // Words beside the kind of a definition.
        ("Document the run function", SymbolSearch, "run"),
        ("Does function delete retry?", SymbolSearch, "delete"),
        ("add a field to class order", SymbolSearch, "Order"),
        // Other words of the index, in any case of letters.
        ("Why does echo add a line break?", SymbolSearch, "echo"),
        ("Echo drops colours", SymbolSearch, "echo"),
        // Modules by name, and those that the whole task is about.
        ("What is in the stock module?", ModuleBrowse, "shop.stock"),
        ("Explain shop.stock", ModuleBrowse, "shop.stock"),
        ("Show the client", ModuleBrowse, "shop.client"),
        ("reserve something in stock for a customer", KeywordSearch, "reserve"),
        // Files.
        ("Look at shop/client.py:3", DirectFile, "shop/client.py"),
    ] {
        let decision = router.route(task);
        let given = |key: &str| decision.arguments.iter().rev().find_map(|call| call.arguments.get(key)?.as_str());
        let found = given("module").or(given("file_path")).or(given("hash")).unwrap_or_default();
        assert_eq!(decision.route_type, route, "{task}: {}", decision.reasoning);
        assert!(found.ends_with(expected), "{task}: {found}, not {expected}");
    }
}

#[test]
fn a_budget_without_room_for_an_answer_says_what_an_answer_takes() {
    let files = vec![("a.py".to_owned(), "def charge(): ...\ncharge()\n".as_bytes().into())];
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let table = SymbolTable::new(Arc::new(index));
    let context = Context::new(&table, &|_| None);
    let decision = Router { available_modules: None, context: Some(context) }.route("Where is charge called?");
    for budget in [0, 5] {
        let gathered = gather(&context, &decision, budget).expect("answers");
        let smallest = gathered.smallest.expect("a number of tokens");
        assert!(gathered.text.is_empty() && smallest > budget, "{gathered:?}");
        let fits = gather(&context, &decision, smallest).expect("answers");
        assert!(!fits.text.is_empty() && fits.smallest.is_none(), "{fits:?}");
    }
}
