//! What stubs write of the documentation in the sources, and that it never displaces a use.

use std::{borrow::Cow, sync::Arc};

use apidisc::{
    StubRequest,
    control::Control,
    delivery::{Format, Packer},
    index::Index,
    indexer,
    source::Source,
    strategy::Strategy,
    stub::{Docs, Style, Wording},
};
use proptest::prelude::*;

use crate::{
    chance::cases,
    python_index,
    stub::{packers, style},
};

const PYTHON: &str = "\
def get(url, timeout=5, **options):
    \"\"\"Gets a page. Slowly.

    Args:
        url: The address. It is \"absolute\".
        timeout: Seconds.

    Returns:
        The page. Or none.

    Raises:
        ValueError: If it is bad. Or worse.
    \"\"\"

def old():
    \"\"\"Gets.

    .. deprecated:: 2 Use get.
    \"\"\"

class Client:
    timeout: int = 3
    \"\"\"Seconds to wait.\"\"\"

get('u', timeout=1)
old()
Client().timeout
";

const TYPESCRIPT: &str = "\
/**
 * Gets a page. Slowly.
 * @param url The address. It ends with *\\/.
 * @param options.timeout Seconds.
 * @returns The page. Or none.
 * @throws {TypeError} If it is bad.
 */
export function get(url: string, options?: { timeout?: number }): string { return url }
/** @deprecated Use get. */
export function old(): void {}
get('u', { timeout: 1 });
old();
";

fn index(path: &str, text: &str) -> Arc<Index> {
    let files = vec![(path.to_owned(), Cow::Owned(text.as_bytes().to_vec()))];
    let source = Source::Memory { name: "lib".to_owned(), files };
    Arc::new(indexer::build(&source, &mut |_| Control::Continue).expect("sources").expect("an index"))
}

fn stub(path: &str, text: &str, strategy: Strategy, docs: Docs) -> String {
    let request = StubRequest { strategy, wording: Wording::Full, docs, ..StubRequest::default() };
    request.deliver(&index(path, text)).expect("a stub").text
}

#[test]
fn first_sentences_are_written_of_members_and_parameters() {
    let text = stub("lib.py", PYTHON, Strategy::Exhaustive, Docs::Summary);
    let expected = "\
# lib: 3 of 3 symbols, 100% of 3 calls and 1 read
class Client:
    def __init__(self) -> None: ...  # 1 call
    timeout: int = 3
    \"\"\"Seconds to wait.\"\"\"

# e.g. get('u', timeout=1)
def get(url, timeout=5, **options):  # 1 call, timeout in 100%
    \"\"\"Gets a page.
    Args:
        url: The address.
        timeout: Seconds.
    \"\"\"
# deprecated since 2: Use get.
def old():  # 1 call
    \"\"\"Gets.\"\"\"
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_typical_call_precedes_its_definition() {
    let text = stub("lib.ts", TYPESCRIPT, Strategy::Exhaustive, Docs::Summary);
    assert!(text.contains("\n// e.g. get('u', { timeout: 1 })\n/** Gets a page.\n"), "{text}");
    assert!(!stub("lib.ts", TYPESCRIPT, Strategy::Exhaustive, Docs::None).contains("e.g."));
    let hostile = "export function f(x: unknown) {}\nf(`\u{2028}*/\u{202e}\nalert()`);\n";
    let text = stub("lib.ts", hostile, Strategy::Exhaustive, Docs::Summary);
    assert!(text.contains("// e.g. f(`\\u{2028}*/\\u{202e} alert()`)\n"), "{text}");
}

#[test]
fn everything_is_written_on_demand() {
    let text = stub("lib.py", PYTHON, Strategy::Exhaustive, Docs::Full);
    let expected = "    \"\"\"Gets a page. Slowly.
    Args:
        url: The address. It is 'absolute'.
        timeout: Seconds.
    Returns: The page. Or none.
    Raises:
        ValueError: If it is bad. Or worse.
    \"\"\"
";
    assert!(text.contains(expected), "{text}");
    let text = stub("lib.ts", TYPESCRIPT, Strategy::Exhaustive, Docs::Full);
    let expected = "/** Gets a page. Slowly.
 * @param url The address. It ends with *\\/.
 * @param options.timeout Seconds.
 * @returns The page. Or none.
 * @throws {TypeError} If it is bad.
 */
export declare function get(";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn what_types_say_of_options_is_said_of_parameters() {
    let text = "\
export interface Options {
  /** Seconds to wait. Then it fails. */
  timeout?: number;
}
/** Gets. */
export function get(url: string, options?: Partial<Options>): void {}
/**
 * Draws.
 * @param props.color The colour.
 */
export function draw({ color, width }: { color?: string; /** Pixels. */ width?: number }): void {}
get('u', { timeout: 1 });
draw({ color: 'red' });
";
    let text = stub("lib.ts", text, Strategy::Exhaustive, Docs::Summary);
    for said in [
        " * @param options.timeout Seconds to wait.\n",
        " * @param options.color The colour.\n * @param options.width Pixels.\n",
        "  /** Seconds to wait. */\n  timeout?: number;\n",
    ] {
        assert!(text.contains(said), "{said} in {text}");
    }
}

#[test]
fn a_property_is_one_line_unless_it_is_written_in_full() {
    let text = "\
class Client:
    @property
    def timeout(self) -> int: ...

    @property
    def name(self): ...

    @typing_extensions.deprecated('Use \"get\".')
    def fetch(self): ...

Client().timeout
";
    let index = index("lib.py", text);
    let text = |wording, docs| {
        let request = StubRequest { strategy: Strategy::Exhaustive, wording, docs, ..StubRequest::default() };
        request.deliver(&index).expect("a stub").text
    };
    let lean = text(Wording::Lean, Docs::None);
    assert!(lean.contains("\n timeout: int  # property\n") && lean.contains("\n name = ...  # property\n"), "{lean}");
    let names = text(Wording::Calls, Docs::None);
    assert!(names.contains("\n timeout = name = ...\n"), "{names}");
    let full = text(Wording::Full, Docs::None);
    assert!(full.contains("    @property\n    def timeout(self) -> int: ...\n"), "{full}");
    assert!(full.contains("    @typing_extensions.deprecated(\"Use 'get'.\")\n    def fetch(self)"), "{full}");
    assert!(!full.contains("# deprecated"), "{full}");
}

#[test]
fn an_accessor_with_a_setter_is_not_readonly() {
    let text =
        "export class Box { get size(): number { return 1 } set size(v: number) {} get area(): number { return 1 } }\n";
    let text = stub("lib.ts", text, Strategy::Exhaustive, Docs::None);
    assert!(text.contains("\n  size: number;\n") && text.contains("\n  readonly area: number;\n"), "{text}");
}

#[test]
fn what_is_deprecated_is_said_without_documentation() {
    let text = stub("lib.py", PYTHON, Strategy::Exhaustive, Docs::None);
    assert!(text.contains("# deprecated since 2: Use get.\ndef old()") && !text.contains("\"\"\""), "{text}");
    let text = stub("lib.ts", TYPESCRIPT, Strategy::Exhaustive, Docs::None);
    assert!(text.contains("/** @deprecated Use get. */\nexport") && text.matches("/**").count() == 1, "{text}");
}

#[test]
fn a_budget_is_spent_on_documentation_after_every_use() {
    let within = |max_tokens, docs| stub("lib.py", PYTHON, Strategy::TokenBudget { max_tokens }, docs);
    let little = within(110, Docs::Full);
    assert!(little.contains("def get(url, timeout=5") && !little.contains("The address."), "{little}");
    assert!(within(400, Docs::Summary).contains("url: The address.\n"));
    assert!(within(400, Docs::Full).contains("ValueError: If it is bad. Or worse.\n"));
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn documentation_displaces_no_use(index in python_index::index(), style in style(), max_tokens in 20_usize..600) {
        let strategy = Strategy::TokenBudget { max_tokens };
        for packer in packers(&index) {
            let covered = |packer: &Packer, docs| {
                let delivery = packer.deliver_in(Style { docs, ..style }, &strategy, Format::Stub);
                delivery.map(|delivery| delivery.covered()).ok()
            };
            prop_assert_eq!(covered(&packer, Docs::None), covered(&packer, style.docs));
        }
    }
}
