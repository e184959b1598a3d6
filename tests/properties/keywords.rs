//! Keywords that `**kwargs` receives, and constructors that the sources do not say: they are named, counted and covered
//! by their names.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope, metadata},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};

use crate::built;

const SOURCE: &str = "\
from outside import Description

class Sensor(Description): ...

def request(method, url, **kwargs): ...

def quiet(**options): ...

Sensor(key='a', name='b')
Sensor(key='a', icon=1)
Sensor(key='b')
request('GET', 'u', timeout=3, verify=False)
request('GET', 'u', timeout=3)
request('GET', 'u')
quiet(level=1)
";

fn index(text: &str) -> Arc<Index> {
    built::index([("lib.py", text)])
}

fn stub(index: &Arc<Index>, strategy: &Strategy) -> String {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let packer = Packer::new(index, Scope::Repository, &tokenizer).expect("a scope");
    packer.deliver(strategy, Format::Stub).expect("a stub").text
}

#[test]
fn stubs_name_the_keywords_that_calls_pass() {
    assert_eq!(
        stub(&index(SOURCE), &Strategy::Exhaustive),
        "\
# lib: 3 of 3 symbols, 100% of 7 calls
# e.g. Sensor(key='b')
class Sensor(Description):
    def __init__(self, *args, **kwargs) -> None: ...  # 3 calls, not known; passed here: key 3×, icon 1×, name 1×

# e.g. request('GET', 'u')
def request(method, url, **kwargs): ...  # 3 calls, kwargs in 67%: timeout 2×, verify 1×
# e.g. quiet(level=1)
def quiet(**options): ...  # 1 call, options in 100%: level 1×
"
    );
}

#[test]
fn a_call_is_covered_only_if_its_keywords_are_named() {
    let index = index(SOURCE);
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let packer = Packer::new(&index, Scope::Repository, &tokenizer).expect("a scope");
    let delivery = packer.deliver(&Strategy::Threshold { min_frequency: 0.5 }, Format::Stub).expect("a stub");
    assert!(delivery.text.contains("passed here: key 3× and 2 more"), "{}", delivery.text);
    assert!(delivery.text.contains("kwargs in 67%: timeout 2× and 1 more"), "{}", delivery.text);
    // Of the calls of `Sensor` the one with `key` alone, of `request` those without `verify`, and the one of `quiet`.
    assert_eq!((delivery.covered_calls, delivery.known_calls), (4, 7));
}

#[test]
fn values_are_kept_apart_by_keyword() {
    let index = index(SOURCE);
    let (_, request) = index.definitions_with_ids().find(|(_, d)| d.fqn == "lib.request").expect("a function");
    let signature = request.signature.as_ref().expect("a signature");
    let values = |label: &str| {
        let at = (0..signature.parameters.len()).find(|&at| signature.label(at) == label).expect("a parameter");
        request.usage.parameters[at].values.clone()
    };
    assert_eq!(values("timeout"), [("3".into(), 2)]);
    assert_eq!(values("verify"), [("False".into(), 1)]);
    assert_eq!(values("**kwargs"), []);
}

#[test]
fn a_written_index_keeps_the_keywords() {
    let index = index(SOURCE);
    let options = metadata::MetadataOptions { min_usage_threshold: 0, encoding: Encoding::O200kBase };
    let read = Arc::new(metadata::read(&metadata::write(&index, &options).expect("a text")).expect("an index"));
    for strategy in [Strategy::Exhaustive, Strategy::TokenBudget { max_tokens: 90 }] {
        assert_eq!(stub(&read, &strategy), stub(&index, &strategy));
    }
}
