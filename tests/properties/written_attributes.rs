//! The declarations of Python stubs that say more than their sources write: the types of descriptors, the base classes
//! of classes whose constructor is not in the sources, and what is deprecated since when.

use apidisc::{
    delivery::{Format, Packer},
    index::Scope,
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};

use crate::built;

const SOURCE: &str = "\
from outside import Remote

class Cell:
    def __get__(self, instance, owner) -> str: ...

class Plain:
    pass

class Task:
    def _get_request(self) -> Request: ...
    def _get_app(self): ...
    request = property(_get_request)
    app = property(fget=_get_app, doc='the app')
    label = Cell()
    plain = Plain()
    remote = Remote()
    retries = 3
    def old(self):
        '''Do it.

        .. deprecated:: 6.3 Use `new`.
        '''

class Failure(Exception):
    pass
class Detailed(Remote):
    pass

Failure('a')
Detailed(key=1)
";

fn stub(wording: Wording) -> String {
    let index = built::index([("lib.py", SOURCE)]);
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    packer.deliver_in(wording, &Strategy::Exhaustive, Format::Stub).expect("a stub").text
}

fn assert_has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|written| written.trim_start() == *line), "{line}\n\n{text}");
    }
}

#[test]
fn an_attribute_with_a_descriptor_has_the_type_that_its_getter_returns() {
    let text = stub(Wording::Full);
    assert_has(&text, &["request: Request", "label: str", "plain = Plain()", "remote = Remote()", "retries = 3"]);
    // The getter does not say what it returns.
    assert_has(&text, &["app = property(fget=_get_app, doc='the app')"]);
}

#[test]
fn call_shapes_list_attributes_whose_value_is_a_call_by_name() {
    let text = stub(Wording::Calls);
    assert_has(&text, &["retries = 3"]);
    let list = text.lines().find(|line| line.contains("request = ")).expect("a list of names");
    for name in ["request", "app", "label", "plain", "remote"] {
        assert!(list.contains(&format!("{name} = ")), "{text}");
    }
}

#[test]
fn a_class_whose_constructor_is_not_in_the_sources_names_its_bases() {
    let text = stub(Wording::Calls);
    assert_has(&text, &["class Failure(Exception): ..."]);
    // The keyword that a call passes says more.
    assert_has(&text, &["def Detailed(*args, **kwargs): ... # not known, key="]);
}

#[test]
fn a_deprecation_names_the_version() {
    assert_has(&stub(Wording::Full), &["# deprecated since 6.3: Use `new`."]);
}
