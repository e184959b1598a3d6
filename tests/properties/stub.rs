//! Stubs: valid, within their budget, honest about what they hide.
use crate::sample;
use apidisc::engine::{
    index::{DefinitionId, ModuleId, Scope},
    strategy::Strategy,
    stub::{Format, Packer},
    tokens::{Encoding, Tokenizer},
};

#[test]
fn look() {
    let index = sample::agents().build();
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    for scope in [
        Scope::Module(ModuleId::new(0)),
        Scope::Definition(DefinitionId::new(0)),
        Scope::Definition(DefinitionId::new(1)),
        Scope::Repository,
    ] {
        let packer = Packer::new(&index, scope, &tokenizer).unwrap();
        println!(
            "=== {scope:?} smallest {} exhaustive {}",
            packer.smallest_budget(Format::Stub),
            packer.exhaustive_tokens()
        );
        for strategy in [
            Strategy::TokenBudget { max_tokens: 60 },
            Strategy::TokenBudget { max_tokens: 90 },
            Strategy::TokenBudget { max_tokens: 150 },
            Strategy::TokenBudget { max_tokens: 250 },
            Strategy::TokenBudget { max_tokens: 1000 },
            Strategy::Threshold { min_frequency: 0.2 },
            Strategy::Coverage { target: 0.9 },
            Strategy::Exhaustive,
        ] {
            match packer.deliver(&strategy, Format::Stub) {
                Ok(d) => {
                    println!("--- {strategy}: {} tokens {}/{}\n{}", d.tokens, d.covered_calls, d.known_calls, d.text)
                }
                Err(e) => println!("--- {strategy}: {e}"),
            }
        }
    }
}
