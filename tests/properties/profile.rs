//! A profile that is written and read back delivers the same bytes.

use std::sync::Arc;

use apidisc::{
    delivery::{
        Format, StubRequest,
        profile::{Profile, ProfileLimits, SavedStub},
    },
    index::Index,
    overrides::{OverrideTarget, Overrides},
    program::DefinitionKind,
    strategy::Strategy,
    stub::{Docs, Wording},
    tokens::Encoding,
    usage::Weights,
};
use proptest::{collection::vec, prelude::*, sample::select, strategy::Strategy as _};

use crate::{chance::cases, python_index, sample};

fn target() -> impl proptest::strategy::Strategy<Value = OverrideTarget> {
    ("\\PC{0,12}[^()\\s]", prop::option::of("[a-zA-Z_é*.]{1,8}")).prop_map(|(definition, parameter)| OverrideTarget {
        definition: definition.trim().into(),
        parameter: parameter.map(|name| name.trim().into()),
    })
}

fn strategy() -> impl proptest::strategy::Strategy<Value = Strategy> {
    prop_oneof![
        (1_usize..100_000).prop_map(|max_tokens| Strategy::TokenBudget { max_tokens }),
        (0.0..=1.0).prop_map(|min_frequency| Strategy::Threshold { min_frequency }),
        (0.0..=1.0).prop_map(|target| Strategy::Coverage { target }),
        Just(Strategy::Exhaustive),
    ]
}

fn request() -> impl proptest::strategy::Strategy<Value = StubRequest> {
    let name = || prop::option::of("\\PC{0,20}");
    let targets = || vec(target(), 0..4);
    let weights = [0_u8..=10, 0_u8..=10, 0_u8..=10, 1_u8..=10];
    let words =
        ((select(&Wording::ALL[..]), select(&Docs::ALL[..])), select(&Encoding::ALL[..]), select(&Format::ALL[..]));
    ((name(), name()), name(), strategy(), targets(), targets(), weights, words).prop_map(
        |((module, intent), symbol, strategy, pins, bans, weights, ((wording, docs), encoding, format))| StubRequest {
            package: None,
            module,
            symbol,
            intent,
            strategy,
            wording,
            docs,
            overrides: Overrides { pinned: pins.into_iter().collect(), banned: bans.into_iter().collect() },
            weights: Weights::new(weights).expect("sound weights"),
            encoding,
            format,
        },
    )
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_written_profile_is_read_back(
        request in request(),
        max_tokens in prop::option::of(1_usize..9_000),
        min_coverage in prop::option::of(0.0..=1.0),
        commit in prop::option::of("\\PC{0,20}"),
        symbols in prop::collection::btree_map("\\PC{0,9}", "[0-9a-f]{16}", 0..3),
    ) {
        let limits = ProfileLimits { max_tokens, min_coverage };
        let symbols = symbols.into_iter().map(|(fqn, hash)| (fqn.into(), hash.into())).collect();
        let saved = Some(SavedStub { commit, tokens: 7, coverage: min_coverage, symbols });
        let profile = Profile { request, limits, saved };
        let text = profile.text("any\nname");
        prop_assert_eq!(Profile::parse(&text), Ok(profile), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}", key in select(&["pins", "weights", "max_tokens", "saved"][..])) {
        let _ = Profile::parse(&text);
        let _ = Profile::parse(&format!("{key} = {text}\n[check]\n{text}"));
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_profile_replays_to_the_byte(
        index in python_index::index(),
        strategy in strategy(),
        format in select(&Format::ALL[..]),
    ) {
        let request = StubRequest { module: Some("pkg".to_owned()), strategy, format, ..StubRequest::default() };
        let Ok(delivery) = request.deliver(&index) else { return Ok(()) };
        let profile = Profile::new(request, &delivery, &index);
        let again = Profile::parse(&profile.text("name")).expect("it was just written");
        prop_assert_eq!(again.request.deliver(&index).expect("as before"), delivery);
        let verdict = again.check(&index, &again.request.deliver(&index));
        prop_assert!(verdict.is_ok(), "{verdict:?}");
    }
}

/// The verdict on the profile of a class after its index has changed.
fn verdict(strategy: Strategy, change: impl FnOnce(&mut sample::Sample)) -> Result<String, String> {
    let request = StubRequest {
        symbol: Some("google.adk.agents.llm_agent.LlmAgent".to_owned()),
        strategy,
        wording: Wording::Full,
        docs: Docs::Full,
        ..StubRequest::default()
    };
    let index = sample::agents().build();
    let profile = Profile::new(request.clone(), &request.deliver(&index).expect("a stub"), &index);
    let mut sample = sample::agents();
    change(&mut sample);
    let index: Arc<Index> = sample.build();
    profile.check(&index, &request.deliver(&index))
}

#[test]
fn a_verdict_names_what_has_changed() {
    let budget = Strategy::TokenBudget { max_tokens: 160 };
    let agent = |sample: &sample::Sample| sample.index.definitions_with_ids().next().expect("the class").0;
    let same = verdict(budget, |_| ());
    assert_eq!(same.as_deref(), Ok("157 of 160 tokens, 93.8% of 113 calls"));

    let renamed = verdict(budget, |sample| {
        let id = agent(sample);
        sample.edit(id).signature_mut().expect("a constructor").parameters[1].annotation = Some("Model".into());
    });
    let renamed = renamed.expect("it still holds");
    assert!(renamed.ends_with("; changed since it was saved: google.adk.agents.LlmAgent"), "{renamed}");

    let used = verdict(budget, |sample| {
        let id = agent(sample);
        sample.calls(id, &["name", "output_key", "code_executor", "planner"], 60);
    });
    let used = used.expect_err("less is covered");
    assert!(used.contains("of 173 calls (93.8% when it was saved), less than the 88.0% of [check]"), "{used}");

    let grown = verdict(Strategy::Exhaustive, |sample| {
        let module = sample.index.definitions[0].module;
        let id = agent(sample);
        for name in ["one", "two", "three", "four", "five", "six", "seven", "eight"] {
            sample.callable(module, Some(id), DefinitionKind::Method, name, "self; argument: str, other: int = 0");
        }
    });
    let grown = grown.expect_err("it is too large");
    assert!(grown.starts_with("the stub takes ") && grown.contains(" when it was saved), more than the "), "{grown}");
}
