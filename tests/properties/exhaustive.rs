//! The stub of everything: it covers every known use, or says how many uses it does not show, and why.

use std::sync::Arc;

use apidisc::{
    delivery::{Delivery, Format, Packer},
    index::{Index, Scope},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use proptest::prelude::*;

use crate::{built, chance::cases, python_index, stub, typescript_index, typescript_stub};

fn everything(packer: &Packer) -> Delivery {
    packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget")
}

fn everything_in(index: &Arc<Index>) -> Delivery {
    everything(&Packer::new(index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("definitions"))
}

/// Asserts that each known use is covered or counted as missing, and that the last line of the stub reports the missing
/// ones.
fn check(delivery: &Delivery) -> Result<(), TestCaseError> {
    let said: u32 = delivery.not_shown.iter().map(|unshown| unshown.uses.total()).sum();
    let missing = delivery.known().total() - delivery.covered().total();
    prop_assert!(missing <= said, "{missing} uses are missing, {said} are said\n{}", delivery.text);
    let last = delivery.text.lines().last().unwrap_or_default();
    prop_assert_eq!(last.contains(" not shown: "), said > 0, "{}", delivery.text);
    for unshown in &delivery.not_shown {
        prop_assert!(last.contains(unshown.reason.words()), "{}", last);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_python_stub_of_everything_accounts_for_every_use(index in python_index::index()) {
        for packer in stub::packers(&index) {
            check(&everything(&packer))?;
        }
    }

    #[test]
    fn a_typescript_stub_of_everything_accounts_for_every_use(index in typescript_index::index()) {
        for packer in typescript_stub::packers(&index) {
            check(&everything(&packer))?;
        }
    }
}

#[test]
fn calls_with_arguments_that_no_overload_declares_are_said() {
    let library = "from typing import overload\n\
        @overload\ndef f(a: int, **kwargs) -> int: ...\n\
        @overload\ndef f(a: str, **kwargs) -> str: ...\n\
        def f(a, ratio=1, **kwargs): ...\n";
    let index = built::index([("api.py", library), ("tests/test_api.py", "import api\napi.f(1)\napi.f(1, ratio=2)\n")]);
    let delivery = everything_in(&index);
    assert_eq!((delivery.covered_calls, delivery.known_calls), (1, 2), "{}", delivery.text);
    let line = "\n# not shown: 1 call with arguments that no overload declares\n";
    assert!(delivery.text.ends_with(line), "{}", delivery.text);
    let reason = &delivery.not_shown[0];
    assert_eq!((reason.uses.calls, reason.uses.reads), (1, 0));
}

/// A long object type with the properties `first0`, `first1`, …
fn long_object(first: &str) -> String {
    let properties: Vec<String> = (0..24).map(|at| format!("{first}{at}?: Map<string, number>")).collect();
    format!("{{ {} }}", properties.join("; "))
}

#[test]
fn the_properties_of_long_object_types_are_written_out() {
    let library = format!(
        "export interface Options {{ pool?: {}; name: string }}\n\
         export type Open = {{ [key: string]: unknown; {}\n\
         type Base = {{ zoom: number }};\n\
         export type State = Readonly<Base & {}>;\n\
         export function read(o: Options, open: Open, state: State) {{\n\
           return [o.pool.pool3, open.open4, state.state5];\n\
         }}\n",
        long_object("pool"),
        long_object("open").trim_start_matches('{'),
        long_object("state"),
    );
    let delivery = everything_in(&built::index([("src/api.ts", library.as_str())]));
    for line in [
        "\n  pool?: {\n    pool3?: Map<string, number>;\n",
        "\nexport type Open = { [key: string]: any } & {\n  open4?: Map<string, number>;\n",
        "\nexport type State = Readonly<{ [key: string]: any } & {\n  state5?: Map<string, number>;\n",
    ] {
        assert!(delivery.text.contains(line), "{line}\n{}", delivery.text);
    }
    assert!(delivery.known_reads >= 4, "{}", delivery.text);
    assert_eq!(delivery.covered_reads, delivery.known_reads, "{}", delivery.text);
    assert!(delivery.not_shown.is_empty(), "{}", delivery.text);
}
