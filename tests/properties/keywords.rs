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

const UNPACKED: &str = "\
from typing import TypedDict, Unpack

class _Options(TypedDict, total=False):
    timeout: float
    headers: dict[str, str]

def get(url: str, **kwargs: Unpack[_Options]) -> str: ...

get('u', timeout=3)
";

#[test]
fn the_fields_that_keywords_unpack_are_declared_beside_the_requested_function() {
    let index = index(UNPACKED);
    let scope = index.scope(None, Some("get")).expect("a function");
    let packer = Packer::new(&index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    let deliver = |strategy: Strategy| packer.deliver(&strategy, Format::Stub).expect("a stub");
    let everything = deliver(Strategy::Exhaustive);
    let declared = "# types named above:\nclass _Options(TypedDict, total=False):\n    timeout: float\n    \
                    headers: dict[str, str]\n";
    assert!(everything.text.contains(declared), "{}", everything.text);
    // The class is no part of the scope: its uses do not count, and it may be left out.
    assert_eq!((everything.covered_calls, everything.known_calls), (1, 1));
    let fitting = deliver(Strategy::TokenBudget { max_tokens: everything.tokens });
    assert_eq!((fitting.text.as_str(), fitting.tokens), (everything.text.as_str(), everything.tokens));
    let less = deliver(Strategy::TokenBudget { max_tokens: 60 });
    assert!(!less.text.contains("class _Options") && less.covered_calls == 1, "{}", less.text);
}

#[test]
fn of_fields_that_do_not_all_fit_those_that_calls_pass_most_are_declared() {
    let fields: Vec<String> = (0..40).map(|at| format!("    option_{at}: dict[str, float]\n")).collect();
    let calls = "get('u', option_31=1)\nget('u', option_31=2, option_7=1)\n";
    let index = index(&(UNPACKED.replace("    timeout: float\n", &fields.concat()) + calls));
    let scope = index.scope(None, Some("get")).expect("a function");
    let packer = Packer::new(&index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    for max_tokens in [150, 200, 300] {
        let stub = packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).expect("a stub");
        let (_, class) = stub.text.split_once("class _Options(TypedDict, total=False):").expect("the class");
        assert!(class.contains(" option_31: ") && class.contains(" option_7: "), "{}", stub.text);
        assert!(class.contains(" hidden\n") && stub.tokens <= max_tokens, "{}", stub.text);
    }
}

#[test]
fn only_a_typed_dict_of_the_sources_is_declared_for_keywords() {
    for (annotation, class) in
        [("Unpack[Outside]", "TypedDict"), ("Unpack[_Options]", "Base"), ("_Options", "TypedDict")]
    {
        let text = UNPACKED.replace("Unpack[_Options]", annotation).replace("(TypedDict, ", &format!("({class}, "));
        let index = index(&text);
        let scope = index.scope(None, Some("get")).expect("a function");
        let packer = Packer::new(&index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
        let text = packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("a stub").text;
        assert!(!text.contains("class _Options"), "{text}");
    }
}
