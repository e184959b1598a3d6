//! Constructors of TypeScript that the sources do not say: stubs name the arguments that calls pass, with their counts.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope, metadata},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};

use crate::{built, compiler::assert_compiles};

const SOURCE: &str = "
    import { Base, mixin } from 'outside';
    export class Sensor extends Base { read(): number { return 1; } }
    export class Mixed extends mixin(Sensor) {}
    export class Silent extends Base {}
    declare const rest: any[];
    new Sensor('a', { key: 'k', 'data-id': 1 });
    new Sensor('b', { key: 'l' });
    new Sensor('c');
    new Mixed({ depth: 1, ...rest });
    new Mixed(...rest);
    new Silent();
";

fn stub(index: &Arc<Index>, strategy: &Strategy) -> String {
    let packer = Packer::new(index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    packer.deliver(strategy, Format::Stub).expect("a stub").text
}

#[test]
fn stubs_name_the_arguments_and_properties_that_calls_pass() {
    let index = built::index([("src/lib.ts", SOURCE)]);
    let text = stub(&index, &Strategy::Exhaustive);
    assert_compiles(std::slice::from_ref(&text));
    for line in [
        "  constructor(...args: any[]); // 3 calls, not known; passed here: 1st argument 3×, \
         2nd argument 2× (key 2×, \"data-id\" 1×)",
        "  constructor(...args: any[]); // 2 calls, not known; passed here: 1st argument 1× (depth 1×)",
        "  constructor(...args: any[]); // 1 call, constructor not in these sources",
    ] {
        assert!(text.lines().any(|written| written == line), "{line}\n\n{text}");
    }
    let text = stub(&index, &Strategy::Threshold { min_frequency: 0.6 });
    let line = "passed here: 1st argument 3×, 2nd argument 2× (key 2×) and 1 more";
    assert!(text.contains(line), "{line}\n\n{text}");
    assert_compiles(&[text]);
}

#[test]
fn a_written_index_keeps_the_arguments() {
    let index = built::index([("src/lib.ts", SOURCE)]);
    let options = metadata::MetadataOptions { min_usage_threshold: 0, encoding: Encoding::O200kBase };
    let read = Arc::new(metadata::read(&metadata::write(&index, &options).expect("a text")).expect("an index"));
    for strategy in [Strategy::Exhaustive, Strategy::TokenBudget { max_tokens: 60 }] {
        let text = stub(&index, &strategy);
        assert_eq!(stub(&read, &strategy), text);
        assert_compiles(&[text]);
    }
}
