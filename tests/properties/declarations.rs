//! Snapshots of declaration files: the stubs of one TypeScript package by each strategy.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope},
    overrides::Overrides,
    program::ModuleId,
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};

use crate::typescript::http;

fn declarations(index: &Arc<Index>, scope: Scope, strategy: &Strategy) -> String {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    Packer::with_overrides(index, scope, &Overrides::default(), &tokenizer)
        .and_then(|packer| packer.deliver_in(Wording::Full, strategy, Format::Stub))
        .expect("it fits")
        .text
}

#[test]
fn exhaustive_stubs_show_every_public_definition() {
    insta::assert_snapshot!(declarations(&http().build(), Scope::Repository, &Strategy::Exhaustive));
}

#[test]
fn a_budget_covers_the_cheapest_calls() {
    let strategy = Strategy::TokenBudget { max_tokens: 200 };
    insta::assert_snapshot!(declarations(&http().build(), Scope::Repository, &strategy));
}

#[test]
fn a_threshold_keeps_frequent_arguments() {
    let strategy = Strategy::Threshold { min_frequency: 0.2 };
    insta::assert_snapshot!(declarations(&http().build(), Scope::Repository, &strategy));
}

#[test]
fn a_module_is_covered_up_to_the_target() {
    let strategy = Strategy::Coverage { target: 0.95 };
    insta::assert_snapshot!(declarations(&http().build(), Scope::Module(ModuleId::new(0)), &strategy));
}
