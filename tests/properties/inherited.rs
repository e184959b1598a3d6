//! Members that classes inherit: those of a base that is not public are members of each public class, and a call counts
//! for the class on which it is made.

use std::sync::Arc;

use apidisc::{
    delivery::{Delivery, Format, Packer, StubRequest},
    index::{
        Index, Scope,
        metadata::{MetadataOptions, read, write},
    },
    program::DefinitionId,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};

use crate::built;

const PYTHON: [(&str, &str); 3] = [
    ("pkg/__init__.py", "from pkg._core import C, D, Loud, Public\n"),
    (
        "pkg/_core.py",
        "\
class _Base:
    limit: int = 3
    def go(self, x, y=None):
        return self.again(x)
    def again(self, x): ...
    def unused(self): ...
    @staticmethod
    def of(x): ...
    def _hidden(self): ...
class C(_Base): ...
class D(_Base): ...
class Loud(_Base):
    def go(self, x, y=None):
        return super().go(x)
class Public(C):
    def own(self): ...
",
    ),
    (
        "tests/test_core.py",
        "\
from pkg import C, D, Loud, Public
class Mine(C): ...
def test():
    C().go(1)
    C().go(1, y=2)
    D().go(1)
    Loud().go(1)
    Mine().go(1)
    Public().go(1)
    C.of(3)
    assert C().limit
",
    ),
];

const TYPESCRIPT: [(&str, &str); 2] = [
    (
        "src/index.ts",
        "\
abstract class Base<T> {
  private secret(): void {}
  go(x: number, y?: T): this { this.again(x); return this; }
  again(x: number): void {}
  static of(x: number): void {}
  #inner() {}
}
export class C extends Base<string> {}
export class D extends Base<number> { again(x: number): void {} }
interface Shape { area(unit: string): number; }
export interface Square extends Shape { side: number; }
",
    ),
    (
        "src/index.test.ts",
        "\
import { C, D, type Square } from './index';
new C().go(1);
new C().go(1, 'a');
new D().go(1);
new D().again(1);
C.of(3);
declare const square: Square;
square.area('m');
",
    ),
];

fn exhaustive(index: &Arc<Index>, symbol: Option<&str>) -> Delivery {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let scope = index.scope(None, symbol).expect("a scope");
    let packer = Packer::new(index, scope, &tokenizer).expect("something to show");
    packer.deliver(&Strategy::Exhaustive, Format::Json).expect("a stub")
}

fn id(index: &Index, name: &str) -> DefinitionId {
    match index.scope(None, Some(name)) {
        Ok(Scope::Definition(id)) => id,
        other => panic!("{name}: {other:?}"),
    }
}

/// The counted calls of each of the names.
fn calls<const N: usize>(index: &Index, names: [&str; N]) -> [u32; N] {
    names.map(|name| index.usage(id(index, name)).total_calls)
}

#[test]
fn a_call_counts_for_the_public_class_on_which_it_is_made() {
    let index = built::index(PYTHON);
    // `Mine` is a subclass in a test, `Public` inherits from a public class, and `Loud` overrides the method.
    assert_eq!(calls(&index, ["pkg.C.go", "pkg.D.go", "pkg.Loud.go", "pkg._core._Base.go"]), [4, 1, 1, 6]);
    // A call on the base itself counts for the class with the most calls.
    assert_eq!(calls(&index, ["pkg.C.again", "pkg.D.again", "pkg.C.of", "pkg._core._Base.again"]), [1, 0, 1, 1]);
    let go = index.definition(id(&index, "pkg.C.go"));
    assert_eq!(go.usage.parameters.iter().map(|row| row.count).collect::<Vec<_>>(), [4, 1]);
    assert_eq!(index.definition(go.parent.expect("a class")).alias, "pkg.C");
}

#[test]
fn the_stub_of_a_class_shows_what_a_private_base_declares_and_counts_each_call_once() {
    let delivery = exhaustive(&built::index(PYTHON), None);
    let stub = delivery.stub();
    // C 3, D 1, Loud 1, Public 1; `go` 4 + 1 + 1, `again` 1, `of` 1.
    assert_eq!((delivery.covered_calls, delivery.known_calls), (14, 14), "{stub}");
    assert_eq!((delivery.covered_reads, delivery.known_reads), (1, 1), "{stub}");
    let class = |name: &str| {
        let (_, rest) = stub.split_once(&format!("class {name}(")).expect("a class");
        rest.split("\nclass ").next().unwrap_or_default().to_owned()
    };
    for name in ["C", "D"] {
        let class = class(name);
        for member in ["def go(self", "def again(self", "def of(", "def unused(self", "limit: int"] {
            assert!(class.contains(member), "{name} has no {member}:\n{stub}");
        }
        assert!(!class.contains("_hidden"), "{stub}");
    }
    // An override is no inherited member, and what a public base shows is shown once.
    assert_eq!(class("Loud").matches("def go(").count(), 1, "{stub}");
    assert!(!class("Public").contains("def go("), "{stub}");
}

#[test]
fn reads_and_calls_of_fields_count_for_the_subclass_on_which_they_are_made() {
    let index = built::index([
        (
            "src/index.ts",
            "\
type Send = (text: string) => number;
abstract class Base<T> { limit = 1; held?: T; send!: Send; }
export class C extends Base<string> { own() { return this.limit; } }
export class D extends Base<number> {}
export function make(): D { return new D(); }
",
        ),
        (
            "src/index.test.ts",
            "\
import { C, D, make } from './index';
const c = new C();
c.limit;
c.send('a');
make().limit;
const { held } = make();
new D().send('b');
",
        ),
    ]);
    let reads = |name: &str| index.usage(id(&index, name)).total_reads;
    // The two reads in the test file are of one attribute of the base, which counts once in a function or module.
    assert_eq!((reads("index#C.limit"), reads("index#D.limit"), reads("index#Base.limit")), (2, 1, 2));
    assert_eq!((reads("index#C.held"), reads("index#D.held")), (0, 1));
    assert_eq!(calls(&index, ["index#C.send", "index#D.send", "index#Base.send"]), [1, 1, 2]);
    let delivery = exhaustive(&index, Some("index#D"));
    assert_eq!((delivery.covered_reads, delivery.known_reads), (2, 2), "{}", delivery.stub());
}

#[test]
fn an_inherited_member_has_the_name_of_its_declaration_and_an_alias_below_the_class() {
    let delivery = exhaustive(&built::index(PYTHON), Some("pkg.D"));
    let json: serde_json::Value = serde_json::from_str(&delivery.text).expect("JSON");
    let symbols = json["symbols"].as_array().expect("a list");
    let go = symbols.iter().find(|symbol| symbol["alias"] == "pkg.D.go").expect("an inherited member");
    assert_eq!((&go["fqn"], &go["total_calls"]), (&"pkg._core._Base.go".into(), &1.into()));
}

#[test]
fn where_only_a_class_is_asked_for_the_called_members_of_its_public_bases_are_shown_too() {
    let index = built::index(PYTHON);
    let delivery = exhaustive(&index, Some("pkg.Public"));
    let stub = delivery.stub();
    assert!(stub.contains("    def go(self") && stub.contains("    def own(self"), "{stub}");
    assert!(!stub.contains("unused"), "{stub}");
    let json: serde_json::Value = serde_json::from_str(&delivery.text).expect("JSON");
    let aliases: Vec<_> = json["symbols"].as_array().expect("a list").iter().map(|symbol| &symbol["alias"]).collect();
    assert!(aliases.contains(&&"pkg.Public.go".into()), "{aliases:?}");
    // The member opens by the name that a user knows.
    assert_eq!(index.definition(id(&index, "pkg.Public.go")).alias, "pkg.C.go");
}

const WIDGETS: [(&str, &str); 2] = [
    (
        "pkg/__init__.py",
        "\
class Widget:
    def query(self, selector): ...
    def focus(self, scroll=True): ...
    def unused(self): ...
class Table(Widget):
    def add_row(self, *cells, key=None): ...
    def sort(self): ...
class Log(Widget):
    def write(self, line): ...
",
    ),
    (
        "tests/test_pkg.py",
        "\
from pkg import Log, Table, Widget
class Mine(Table): ...
def test(widget: Widget):
    for selector in []:
        widget.query(selector)
        widget.query(1)
    Log().query(1)
    Log().query(2)
    Table().add_row(1)
    Mine().focus(scroll=False)
    Table().focus()
",
    ),
];

#[test]
fn the_members_of_a_public_base_count_by_their_uses_on_the_requested_class() {
    let index = built::index(WIDGETS);
    let delivery = exhaustive(&index, Some("pkg.Table"));
    // The class twice, `add_row` once, `focus` on it and on a class derived from it.
    assert_eq!(delivery.known_calls, 5, "{}", delivery.stub());
    assert!(delivery.stub().contains("scroll=True): ...  # 2 calls, scroll in 50%"), "{}", delivery.stub());
    let names = ["def focus", "def add_row", "def sort", "def query"];
    let positions = names.map(|name| delivery.stub().find(name).unwrap_or_else(|| panic!("{name}")));
    assert!(positions.is_sorted() && !delivery.stub().contains("unused"), "{}", delivery.stub());
    let json: serde_json::Value = serde_json::from_str(&delivery.text).expect("JSON");
    let symbols = json["symbols"].as_array().expect("a list");
    let focus = symbols.iter().find(|symbol| symbol["fqn"] == "pkg.Widget.focus").expect("an inherited member");
    assert_eq!(focus["total_calls"], 2);
    // The title says why the stub counts more than a list of classes does.
    assert!(
        delivery.stub().starts_with("# from pkg import Table with inherited members: 100% of 5 calls\n"),
        "{}",
        delivery.stub()
    );
    assert_eq!((delivery.inherited.calls, index.uses_within(id(&index, "pkg.Table"))), (2, 3));
    // Nobody uses what `Log` inherits but `query`, and nobody uses a member of `Widget` on itself as a subclass.
    assert_eq!(exhaustive(&index, Some("pkg.Log")).known_calls, 4);
    let base = exhaustive(&index, Some("pkg.Widget"));
    assert!(
        base.known_calls == 6
            && base.stub().starts_with("# from pkg import Widget: 100% of 6 calls, 5 calls make subclasses\n"),
        "{}",
        base.stub()
    );
}

#[test]
fn a_class_on_which_nothing_is_used_has_the_uses_of_its_bases() {
    let index = built::index([
        ("pkg/__init__.py", "class Base:\n    def go(self): ...\nclass Leaf(Base): ...\n"),
        ("tests/test_pkg.py", "from pkg import Base\nBase().go()\n"),
    ]);
    let delivery = exhaustive(&index, Some("pkg.Leaf"));
    assert!(delivery.stub().contains("def go(self)") && delivery.known_calls == 1, "{}", delivery.stub());
}

#[test]
fn a_misspelt_inherited_member_is_suggested() {
    let index = built::index(PYTHON);
    let error = index.scope(None, Some("pkg.D.agian")).expect_err("no such member").to_string();
    assert!(error.contains("the nearest: ") && error.contains("pkg.D.again"), "{error}");
}

#[test]
fn a_typescript_class_shows_what_a_base_that_is_not_exported_declares() {
    let index = built::index(TYPESCRIPT);
    assert_eq!(calls(&index, ["C.go", "D.go", "C.again", "D.again", "C.of", "Square.area"]), [2, 1, 1, 1, 1, 1]);
    let delivery = exhaustive(&index, None);
    let stub = delivery.stub();
    assert_eq!(delivery.covered_calls, delivery.known_calls, "{stub}");
    assert!(
        stub.contains("class C { // extends Base<string>\n") && stub.contains("  go(x: number, y?: string): this;"),
        "{stub}"
    );
    assert!(stub.contains("static of(x: number): void;") && stub.contains("  area(unit: string): number;"), "{stub}");
    assert!(!stub.contains("secret") && !stub.contains("inner"), "{stub}");
}

#[test]
fn an_index_that_is_read_back_has_the_same_inherited_members() {
    let samples = [(&PYTHON[..], ["C", "D"]), (&TYPESCRIPT[..], ["C", "D"]), (&WIDGETS[..], ["Table", "Log"])];
    for (files, symbols) in samples {
        let index = built::index(files.iter().copied());
        for min_usage_threshold in [0, 1, 2] {
            let options = MetadataOptions { min_usage_threshold, ..MetadataOptions::default() };
            let text = write(&index, &options).expect("a text");
            let read_back = Arc::new(read(&text).expect("our own file"));
            // The class `D` of the Python sample is called once.
            for symbol in symbols.into_iter().take(if min_usage_threshold < 2 { 2 } else { 1 }) {
                let (old, new) = (exhaustive(&index, Some(symbol)), exhaustive(&read_back, Some(symbol)));
                assert_eq!(old.text, new.text, "threshold {min_usage_threshold}");
            }
        }
    }
}

#[test]
fn a_requested_interface_shows_the_members_of_the_bases_that_its_members_name() {
    let methods = (0..8).map(|at| format!("  first{at}(value: number): Base; second{at}(): Base;\n"));
    let methods = methods.collect::<Vec<_>>().concat();
    let library =
        format!("export interface Base {{\n{methods}}}\nexport interface Text extends Base {{ trim(): Text }}\n");
    let calls = (0..8).map(|at| format!("t.first{at}(1); t.first{at}(2); t.second{at}();\n"));
    let calls = calls.collect::<Vec<_>>().concat();
    let test = format!("import type {{ Text }} from './api';\nfunction check(t: Text) {{\n{calls}}}\n");
    let index = crate::built::index([("src/api.ts", library.as_str()), ("src/api.test.ts", test.as_str())]);
    let request = |max_tokens| StubRequest {
        symbol: Some("Text".to_owned()),
        strategy: Strategy::TokenBudget { max_tokens },
        ..StubRequest::default()
    };
    for (max_tokens, least) in [(120, 5), (200, 20), (400, 24)] {
        let delivery = request(max_tokens).deliver(&index).expect("it fits");
        assert!(delivery.covered_calls >= least, "{} calls\n{}", delivery.covered_calls, delivery.text);
        let body = delivery.text.split_once("interface Text {").and_then(|(_, rest)| rest.split_once("\n}"));
        assert!(body.is_some_and(|(body, _)| body.contains("first0")), "{}", delivery.text);
    }
}
