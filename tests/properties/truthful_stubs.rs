//! What a stub says is true and complete: members that come from type aliases, types that are not written, properties
//! with functions among their types, and the legend.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::Index,
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};

use crate::built;

/// The stub of a definition within some tokens.
fn stub(index: &Arc<Index>, symbol: &str, max_tokens: usize) -> String {
    written(index, symbol, Wording::Auto, &Strategy::TokenBudget { max_tokens })
}

fn written(index: &Arc<Index>, symbol: &str, wording: Wording, strategy: &Strategy) -> String {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let scope = index.scope(None, Some(symbol)).expect("a scope");
    let packer = Packer::new(index, scope, &tokenizer).expect("something to show");
    packer.deliver_in(wording, strategy, Format::Stub).expect("it fits").text
}

#[track_caller]
fn check_lines(stub: &str, lines: &[&str]) {
    for line in lines {
        assert!(stub.lines().any(|written| written.trim() == *line), "no line {line:?} in:\n{stub}");
    }
}

#[test]
fn an_interface_shows_the_members_of_the_type_aliases_that_it_extends() {
    let index = built::index([(
        "src/index.ts",
        "\
type Retrying = { /** How often. */ retries?: number };
interface Timed { seconds: number }
type Hidden = Retrying & Timed & { json?: unknown };
export type Named = { name: string };
export interface Options extends Hidden, Named, Omit<RequestInit, 'headers'> { headers?: string[] }
export function send(options: Options): void {}
",
    )]);
    let stub = stub(&index, "Options", 400);
    check_lines(&stub, &["headers?: string[];", "json?: unknown;", "retries?: number;", "seconds: number;"]);
    check_lines(&stub, &["name: string;", "/** How often. */"]);
}

#[test]
fn a_property_that_takes_a_function_or_a_value_says_both() {
    let index = built::index([(
        "src/index.ts",
        "\
export interface Rules {
  check?: boolean | 'strict' | ((value: string) => boolean);
  plain?: ((value: string) => void) | undefined;
}
",
    )]);
    let stub = stub(&index, "Rules", 400);
    check_lines(&stub, &["check?: boolean | 'strict' | ((value: string) => boolean);", "plain?(value: string): void;"]);
}

#[test]
fn the_other_parts_of_an_intersection_stay() {
    let index = built::index([(
        "src/index.ts",
        "\
export interface Call<T> { (value: T): string }
export type Client<T> = Call<T> & {
  /** The first one of the many things that a client has, each with a name long enough to be listed on a line. */
  firstOfTheManyThings: number;
  secondOfTheManyThings: number;
  thirdOfTheManyThings: number;
  fourthOfTheManyThings: number;
  fifthOfTheManyThings: number;
  sixthOfTheManyThings: number;
  seventhOfTheManyThings: number;
  eighthOfTheManyThings: number;
  ninthOfTheManyThings: number;
  tenthOfTheManyThings: number;
  eleventhOfTheManyThings: number;
  twelfthOfTheManyThings: number;
};
",
    )]);
    check_lines(&stub(&index, "Client", 600), &["export type Client<T> = Call<T> & {"]);
}

#[test]
fn a_type_that_is_not_written_is_not_claimed_to_be_any() {
    let members: String = (0..200).map(|i| format!("  property{i}: string;\n")).collect();
    let text = format!("interface Large {{\n{members}}}\nexport function load(at: string): Large;\n");
    let index = built::index([("src/index.ts", text.as_str())]);
    let all = Strategy::Exhaustive;
    let stub = written(&index, "load", Wording::Full, &all);
    check_lines(&stub, &["type Large = any; // hidden"]);
}

#[test]
fn the_legend_says_that_more_is_hidden_exactly_if_it_is() {
    let library = "class Box:\n    def __init__(self, size, *, name=None): ...\n    def open(self, by=None): ...\n";
    let uses = "from lib import Box\nBox(1).open(2)\nBox(2, name='a').open()\n";
    let index = built::index([("lib.py", library), ("use.py", uses)]);
    let whole = written(&index, "lib.Box", Wording::Calls, &Strategy::Exhaustive);
    assert_eq!(whole.lines().nth(1), Some("# names alone"), "{whole}");
    let cut = written(&index, "lib.Box", Wording::Calls, &Strategy::Threshold { min_frequency: 0.9 });
    assert_eq!(cut.lines().nth(1), Some("# names alone; more is hidden"), "{cut}");
}

#[test]
fn attributes_of_which_only_the_name_is_known_share_a_line() {
    let library = "\
class Box:
    def __init__(self, size):
        self.size = size
        self.depth = measure(size)
    width = compute('a' * 100)
    lid: str
";
    let uses = "from lib import Box\nbox = Box(1)\nbox.size, box.width, box.lid, box.depth\n";
    let index = built::index([("lib.py", library), ("use.py", uses)]);
    let stub = stub(&index, "lib.Box", 60);
    assert!(stub.lines().filter(|line| line.trim_end().ends_with(" = ...")).count() <= 1, "{stub}");
}

#[test]
fn a_call_is_quoted_with_the_statement_that_uses_its_value() {
    let library =
        "class Client:\n    def stream(self, url, method='GET'): ...\n    def inner(self):\n        self.stream('x')\n";
    let uses =
        "from lib import Client\nasync def main():\n    async with Client().stream('/a') as answer:\n        pass\n";
    let index = built::index([("lib.py", library), ("tests/test_use.py", uses)]);
    let stub = stub(&index, "lib.Client", 300);
    check_lines(&stub, &["# e.g. async with Client().stream('/a') as answer: ..."]);
}
