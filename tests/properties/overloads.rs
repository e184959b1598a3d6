//! Overloads: each call counts for the overload that it takes, and stubs show overloads with shares of their own.

use std::sync::Arc;

use apidisc::{
    delivery::{Delivery, Format, Packer},
    index::{Definition, Index, Scope, metadata},
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};

use crate::built;

const TYPESCRIPT: &str = "\
interface Options { nullable?: boolean; name?: string; length?: number }
interface Common { nullable?: boolean; array?: boolean }
type Simple = 'text' | 'int';

export function column(): void;
export function column(options: Options): void;
export function column(type: Simple, options?: Common): void;
export function column(type: (t?: any) => Function, prefix: string): void;
export function column(typeOrOptions?: Simple | Options | ((t?: any) => Function), options?: any) {}

column();
column({ nullable: true });
column({ nullable: true, name: 'a' });
column({ nullable: false });
column('text', { array: true });
column('int');
";

const PYTHON: &str = "\
from typing import overload

@overload
def get(key: str) -> str: ...
@overload
def get(key: str, default: int, *, strict: bool = False) -> int: ...
@overload
def get(key: int) -> None: ...
def get(key, default=None, *, strict=False): ...

class Box:
    @overload
    def __init__(self, value: int) -> None: ...
    @overload
    def __init__(self, *, text: str) -> None: ...
    def __init__(self, value=0, text=''): ...

get('a')
get('a')
get('a', 1)
get('a', 1, strict=True)
Box(text='x')
Box(1)
Box(2)
";

fn index(path: &str, text: &str) -> Arc<Index> {
    built::index([(path, text)])
}

fn deliver(index: &Arc<Index>, strategy: &Strategy, format: Format) -> Delivery {
    let packer = Packer::new(index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    packer.deliver(strategy, format).expect("a stub")
}

/// Without the types of arguments, the first overload that may accept them is a guess.
#[test]
fn calls_whose_overload_is_open_count_for_none() {
    let calls = "\
def use(a, b: str, *rest):
    get(a)
    get(b)
    get(a, 1)
    get(*rest)
    Box(a)
    Box(text=a)
";
    let index = index("lib.py", &format!("{PYTHON}{calls}"));
    assert_eq!(self::calls(definition(&index, "get")), [3, 3, 0]);
    assert_eq!(self::calls(definition(&index, "Box")), [3, 2]);
    let delivery = deliver(&index, &Strategy::Exhaustive, Format::Stub);
    assert_eq!((delivery.known_calls, delivery.covered_calls), (12, 12));
    assert!(delivery.text.contains("def get(key: int) -> None: ...\n# 2 calls whose overload is unknown\n"));
    assert!(!delivery.text.contains("1 call whose overload"), "{}", delivery.text);
}

fn definition<'i>(index: &'i Index, name: &str) -> &'i Definition {
    index.definitions.iter().find(|definition| definition.name == name).expect("a definition")
}

fn calls(definition: &Definition) -> Vec<u32> {
    definition.usage.overloads.iter().map(|overload| overload.calls).collect()
}

#[test]
fn exhaustive_stubs_of_typescript_show_every_overload_with_its_own_shares() {
    let index = index("src/column.ts", TYPESCRIPT);
    assert_eq!(calls(definition(&index, "column")), [1, 3, 2, 0]);
    let stub = deliver(&index, &Strategy::Exhaustive, Format::Stub).text;
    let declared = stub.split("\n\n").next().expect("the declarations");
    assert_eq!(
        declared,
        "\
// lib: 1 of 1 symbol, 100% of 6 calls
// from \"src/column\"
// e.g. column({ nullable: true })
export declare function column(
  options: {
    nullable?: boolean; // 100%
    name?: string; // 33%
    length?: number;
  },
): void; // 3 calls
export declare function column(
  type: Simple,
  options?: { // 50%
    array?: boolean; // 50%
    nullable?: boolean;
  },
): void; // 2 calls
export declare function column(): void; // 1 call
export declare function column(type: (t?: any) => Function, prefix: string): void;"
    );
}

#[test]
fn overloads_that_differ_only_in_types_are_one_call_shape() {
    let text = format!("{PYTHON}get(2)\nget(3)\n");
    let packer = Packer::new(&index("lib.py", &text), Scope::Repository, &Tokenizer::load(Encoding::O200kBase));
    let delivery = packer.expect("a scope").deliver_in(Wording::Calls, &Strategy::Exhaustive, Format::Stub);
    let text = delivery.expect("a stub").text;
    assert!(text.contains("def get(key, default=..., *, strict=...): ...\n"), "{text}");
    assert_eq!(text.matches("def get(").count(), 1, "{text}");
    // Whether a call passes `value` or `text` is open, but it passes one of them.
    let constructors = " @overload\n def __init__(self, value): ...\n @overload\n def __init__(self, *, text): ...\n";
    assert!(text.contains(constructors), "{text}");
}

/// The lean form with all overloads does not fit, so the call shape is described.
#[test]
fn a_call_shape_of_several_overloads_has_one_docstring() {
    let parameters: Vec<String> =
        (0..40).map(|at| format!("option_{at}: dict[str, list[int]] | None = None")).collect();
    let list = parameters.join(", ");
    let overload = |ty: &str| format!("@overload\ndef find(key: {ty}, *, {list}) -> {ty}: ...\n");
    let text = format!(
        "from typing import overload\n{}{}{}def find(key, *, {list}):\n    \"\"\"Find what has the key.\"\"\"\nfind(1, option_0={{}})\n",
        overload("int"),
        overload("str"),
        overload("bytes"),
    );
    let index = index("lib.py", &text);
    let delivery = deliver(&index, &Strategy::TokenBudget { max_tokens: 400 }, Format::Stub);
    assert!(delivery.tokens <= 400);
    let stub = delivery.text;
    assert_eq!(stub.matches("def find(key, *, option_0=...").count(), 1, "{stub}");
    assert!(stub.contains("):\n \"\"\"Find what has the key.\"\"\"\n"), "{stub}");
    assert!(!stub.contains("@overload"), "{stub}");
}

/// Overloads that are one call shape have the types of the implementation, if it has all of them.
#[test]
fn lean_overloads_of_one_call_shape_are_the_implementation() {
    let lean = |key: &str| {
        let text = format!(
            "from typing import overload\n@overload\ndef find(key{key}, *, deep: bool = True) -> int: ...\n\
             @overload\ndef find(key: str, *, deep: bool = True, start: int = 0) -> str: ...\n\
             def find(key, *, deep=True, start=0):\n    ...\nfind(1, deep=False)\nfind('a', start=1)\n"
        );
        let index = index("lib.py", &text);
        let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
        packer.deliver_in(Wording::Lean, &Strategy::Exhaustive, Format::Stub).expect("a stub").text
    };
    let typed = lean(": int");
    let line = "def find(key: int | str, *, deep: bool = True, start: int = 0) -> int | str: ... # 2 calls: ";
    assert!(typed.contains(line) && !typed.contains("@overload"), "{typed}");
    let untyped = lean("");
    assert_eq!(untyped.matches("@overload").count(), 2, "{untyped}");
}

#[test]
fn exhaustive_stubs_of_python_show_every_overload_with_its_own_shares() {
    let index = index("lib.py", PYTHON);
    assert_eq!(calls(definition(&index, "get")), [2, 2, 0]);
    assert_eq!(calls(definition(&index, "Box")), [2, 1]);
    assert_eq!(
        deliver(&index, &Strategy::Exhaustive, Format::Stub).text,
        "\
# lib: 2 of 2 symbols, 100% of 7 calls
# e.g. get('a')
@overload
def get(key: str) -> str: ...  # 2 calls
@overload
def get(key: str, default: int, *, strict: bool = False) -> int: ...  # 2 calls, strict in 50%
@overload
def get(key: int) -> None: ...

# e.g. Box(1)
class Box:
    @overload
    def __init__(self, value: int) -> None: ...  # 2 calls
    @overload
    def __init__(self, *, text: str) -> None: ...  # 1 call
"
    );
}

#[test]
fn a_call_is_covered_only_if_its_overload_is_shown() {
    for (path, text, known) in [("src/column.ts", TYPESCRIPT, 6), ("lib.py", PYTHON, 7)] {
        let index = index(path, text);
        let mut covered = 0;
        for max_tokens in [45, 60, 90, 150, 1000] {
            let strategy = Strategy::TokenBudget { max_tokens };
            let packer =
                Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
            let Ok(delivery) = packer.deliver(&strategy, Format::Stub) else { continue };
            assert!(delivery.tokens <= max_tokens && delivery.known_calls == known);
            assert!(delivery.covered_calls >= covered, "a larger budget covers less");
            covered = delivery.covered_calls;
            // A stub reports an overload that it leaves out, by a line of its own or by the legend of call shapes.
            let overloads = definition(&index, if path == "lib.py" { "get" } else { "column" }).overloads.len();
            let written = delivery.text.matches(if path == "lib.py" { "def get(" } else { "function column(" }).count();
            let is_said = delivery.text.contains("overload hidden") || delivery.text.contains("overloads hidden");
            // Call shapes of several overloads may be one line, and so may lean forms of Python.
            let is_lean = path == "lib.py" && !delivery.text.contains("@overload\ndef get(");
            let has_short_forms = is_lean || delivery.text.contains("names alone");
            assert!(written == 0 || has_short_forms || (written < overloads) == is_said, "{}", delivery.text);
        }
        assert_eq!(covered, known);
    }
}

#[test]
fn a_share_names_only_parameters_that_its_signature_has() {
    let index = index("src/column.ts", TYPESCRIPT);
    for max_tokens in [90, 150, 1000] {
        let text = deliver(&index, &Strategy::TokenBudget { max_tokens }, Format::Stub).text;
        assert!(!text.contains("typeOrOptions"), "{text}");
    }
}

#[test]
fn a_written_index_keeps_the_overloads_apart() {
    for (path, text) in [("src/column.ts", TYPESCRIPT), ("lib.py", PYTHON)] {
        let index = index(path, text);
        let options = metadata::MetadataOptions { min_usage_threshold: 0, encoding: Encoding::O200kBase };
        let read = Arc::new(metadata::read(&metadata::write(&index, &options).expect("a text")).expect("an index"));
        for strategy in [Strategy::Exhaustive, Strategy::TokenBudget { max_tokens: 90 }] {
            let texts = [&read, &index].map(|index| deliver(index, &strategy, Format::Json).text);
            assert_eq!(texts[0], texts[1]);
        }
    }
}

#[test]
fn a_parameter_has_the_names_that_called_overloads_give_to_its_place() {
    let labels = |path: &str, text: &str, name: &str| {
        let index = index(path, text);
        [0, 1, 2].map(|at| definition(&index, name).label_of_parameter(at))
    };
    assert_eq!(labels("column.ts", TYPESCRIPT, "column")[0], "options | type");
    let send = "export function send(name: string, data?: object): void;\nexport function send(request: object): void;\n\
                export function send(name: any, data?: any) {}\n\nsend({ a: 1 });\nsend({});\n";
    assert_eq!(labels("send.ts", send, "send"), ["request", "data", ""]);
    assert_eq!(labels("box.py", PYTHON, "get"), ["key", "default", "strict"]);
}
