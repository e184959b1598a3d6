//! The generated cases are not empty: every property would hold for empty cases.

use apidisc::{delivery::Format, stub::Wording};
use apidisc_tui::{
    demo,
    tui::theme::{ColourDepth, Themes, UserTheme},
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::{python_index, stub, typescript_index, typescript_stub};

fn values<T>(strategy: &impl Strategy<Value = T>) -> Vec<T> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::default());
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..20).map(|_| strategy.new_tree(&mut runner).expect("a value").current()).collect()
}

#[test]
fn generated_indexes_of_python_can_be_packed() {
    let packers: Vec<_> = values(&python_index::index()).iter().flat_map(stub::packers).collect();
    let strategies = stub::every_strategy();
    let stubs = packers.iter().flat_map(|p| strategies.iter().filter_map(|s| p.deliver(s, Format::Stub).ok()));
    let covered = stubs.filter(|delivery| delivery.covered_calls > 0 && !delivery.symbols.is_empty()).count();
    assert!(packers.len() >= 60 && covered >= 300, "{} packers, {covered} stubs that cover calls", packers.len());
}

#[test]
fn generated_indexes_of_typescript_can_be_packed() {
    let packers: Vec<_> = values(&typescript_index::index()).iter().flat_map(typescript_stub::packers).collect();
    let stubs = packers.iter().flat_map(|packer| typescript_stub::stubs(packer, Wording::Full.into()));
    let covered = stubs.filter(|delivery| delivery.covered_calls > 0 && !delivery.symbols.is_empty()).count();
    assert!(packers.len() >= 60 && covered >= 300, "{} packers, {covered} stubs that cover calls", packers.len());
}

#[test]
fn the_index_of_the_demo_is_not_empty() {
    let index = crate::targets::index(&demo::source()).expect("the demo");
    assert!(index.definitions.len() > 100 && index.calls.len() > 300 && index.diagnostics.is_empty());
}

#[test]
fn the_theme_that_is_corrupted_is_valid_before() {
    let text = include_str!("../../themes/dark.toml").to_owned();
    let own = UserTheme { name: "mine".to_owned(), file: "mine.toml".to_owned(), text };
    let (_, complaints) = Themes::new(vec![own], ColourDepth::True).load("mine").expect("a theme");
    assert!(complaints.is_empty(), "{complaints:?}");
}
