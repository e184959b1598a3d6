//! Pins and bans: kept in every stub, whatever the strategy, and within every budget.

use std::sync::Arc;

use apidisc::{
    control::Control,
    delivery::{Delivery, DeliveryError, Format, Packer, curve::Curve, difference},
    index::{Index, Scope},
    indexer,
    overrides::{OverrideTarget, Overrides},
    program::{DefinitionId, DefinitionKind, ModuleId},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use apidisc_tui::demo;
use proptest::{prelude::*, strategy::Strategy as _};

use crate::{chance::cases, generated, sample};

/// A member, and one of its arguments by position.
type Place = (DefinitionId, Option<usize>);

/// Everything in an index that a name leads to, and that a name can be said of.
fn places(index: &Index) -> Vec<Place> {
    let mut places = Vec::new();
    for (id, definition) in index.definitions_with_ids() {
        let is_alone = index.definitions.iter().filter(|other| other.fqn == definition.fqn).count() == 1;
        let is_field = definition.kind == DefinitionKind::Attribute;
        if !is_alone || !definition.is_public || is_field {
            continue;
        }
        places.push((id, None));
        let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
        let is_first = |at: &usize| parameters[..*at].iter().all(|p| p.name != parameters[*at].name);
        places.extend((0..parameters.len()).filter(is_first).map(|at| (id, Some(at))));
    }
    places
}

/// An index with some places pinned and some banned, as chance has it.
fn tuned() -> impl proptest::strategy::Strategy<Value = (Arc<Index>, Vec<Place>, Vec<Place>)> {
    let picks = || prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    (generated::index(), picks(), picks()).prop_map(|(index, pins, bans)| {
        let places = places(&index);
        let pick = |picks: Vec<prop::sample::Index>| match places.len() {
            0 => Vec::new(),
            len => picks.into_iter().map(|pick| places[pick.index(len)]).collect(),
        };
        let (pins, bans) = (pick(pins), pick(bans));
        (index, pins, bans)
    })
}

fn overrides(index: &Index, pins: &[Place], bans: &[Place]) -> Overrides {
    let targets =
        |places: &[Place]| places.iter().map(|&(id, at)| OverrideTarget::of(index.definition(id), at)).collect();
    Overrides { pinned: targets(pins), banned: targets(bans) }
}

fn packers(index: &Arc<Index>, overrides: &Overrides) -> Vec<(Scope, Result<Packer, DeliveryError>)> {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let definitions = (0..index.definitions.len()).map(|i| Scope::Definition(DefinitionId::new(i)));
    [Scope::Repository, Scope::Module(ModuleId::new(0)), Scope::Module(ModuleId::new(1))]
        .into_iter()
        .chain(definitions.take(2))
        .map(|scope| (scope, Packer::with_overrides(index, scope, overrides, &tokenizer)))
        .collect()
}

fn strategies() -> Vec<Strategy> {
    let mut strategies = vec![Strategy::Exhaustive];
    strategies.extend([0.0, 0.2, 0.7].map(|min_frequency| Strategy::Threshold { min_frequency }));
    strategies.extend([0.3, 0.95, 1.0].map(|target| Strategy::Coverage { target }));
    strategies.extend([60, 200, 1000].map(|max_tokens| Strategy::TokenBudget { max_tokens }));
    strategies
}

/// Whether a member, or one of its arguments, is to be seen.
fn shows(delivery: &Delivery, (id, at): Place) -> bool {
    let visible = delivery.symbols.iter().find(|symbol| symbol.id == id).and_then(|symbol| symbol.visible.as_ref());
    visible.is_some_and(|visible| at.is_none_or(|at| visible.contains(at)))
}

/// Whether a member is there at all, if only by the first line of its class.
fn mentions(delivery: &Delivery, (id, at): Place) -> bool {
    match at {
        None => delivery.symbols.iter().any(|symbol| symbol.id == id),
        Some(_) => shows(delivery, (id, at)),
    }
}

fn is_in(index: &Index, scope: Scope, id: DefinitionId) -> bool {
    let members = index.members(scope);
    std::iter::successors(Some(id), |&at| index.definition(at).parent).any(|at| members.contains(&at))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn what_is_pinned_is_shown_and_what_is_banned_is_not((index, pins, bans) in tuned()) {
        for (scope, packer) in packers(&index, &overrides(&index, &pins, &bans)) {
            let Ok(packer) = packer else { continue };
            for strategy in strategies() {
                let Ok(delivery) = packer.deliver(&strategy, Format::Stub) else { continue };
                for &place in pins.iter().filter(|(id, _)| is_in(&index, scope, *id)) {
                    prop_assert!(shows(&delivery, place), "{place:?} is pinned:\n{}", delivery.text);
                }
                for &place in &bans {
                    prop_assert!(!mentions(&delivery, place), "{place:?} is banned:\n{}", delivery.text);
                }
            }
        }
    }

    #[test]
    fn budgets_hold_with_pins_and_bans((index, pins, bans) in tuned()) {
        for (_, packer) in packers(&index, &overrides(&index, &pins, &bans)) {
            let Ok(packer) = packer else { continue };
            let mut before = None;
            for max_tokens in (10..900).step_by(37) {
                match packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Markdown) {
                    Ok(delivery) => {
                        prop_assert!(delivery.tokens <= max_tokens);
                        prop_assert!(before.is_none_or(|before| before <= delivery.covered_calls), "{}", delivery.text);
                        before = Some(delivery.covered_calls);
                    }
                    Err(DeliveryError::BudgetTooSmall { smallest, .. }) => {
                        prop_assert!(smallest > max_tokens && before.is_none());
                        let deliver = |max_tokens| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Markdown);
                        prop_assert!(deliver(smallest).is_ok());
                        prop_assert!(deliver(smallest - 1).is_err());
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                }
            }
        }
    }

    #[test]
    fn a_ban_hides_no_call_from_the_ledger((index, _, bans) in tuned()) {
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        for (scope, packer) in packers(&index, &overrides(&index, &[], &bans)) {
            let (Ok(packer), Ok(plain)) = (packer, Packer::new(&index, scope, &tokenizer)) else { continue };
            let deliver = |packer: &Packer| packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
            let (with, without) = (deliver(&packer), deliver(&plain));
            prop_assert_eq!(with.known_calls, without.known_calls);
            prop_assert!(with.covered_calls <= without.covered_calls);
        }
    }

    #[test]
    fn wishes_that_can_be_kept_are_kept((index, pins, _) in tuned()) {
        for (scope, packer) in packers(&index, &overrides(&index, &pins, &[])) {
            let is_refused = matches!(packer, Err(DeliveryError::Override(_)));
            let tokenizer = Tokenizer::load(Encoding::O200kBase);
            let Ok(plain) = Packer::new(&index, scope, &tokenizer) else { continue };
            let everything = plain.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
            let can_be_kept = |&place: &Place| !is_in(&index, scope, place.0) || shows(&everything, place);
            prop_assert_eq!(is_refused, !pins.iter().all(can_be_kept));
        }
    }
}

fn answer(max_tokens: usize, pins: &[&str], bans: &[&str]) -> String {
    let targets = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("any text is a target")).collect();
    let overrides = Overrides { pinned: targets(pins), banned: targets(bans) };
    let index = sample::agents().build();
    match Packer::with_overrides(&index, Scope::Repository, &overrides, &Tokenizer::load(Encoding::O200kBase)) {
        Ok(packer) => packer
            .deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub)
            .map_or_else(|error| error.to_string(), |delivery| delivery.text),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_cannot_be_pinned_or_banned_is_said_clearly() {
    let agent = "google.adk.agents.LlmAgent";
    for (pin, ban, message) in [
        (
            "",
            "LlmAgent(name)",
            "LlmAgent(name) cannot be banned: it is required, and no call can be written without it",
        ),
        (
            "LlmAgnt",
            "",
            "LlmAgnt cannot be pinned: no definition is called `LlmAgnt`; the nearest: google.adk.agents.LlmAgent",
        ),
        (
            "load_tools(pat)",
            "",
            "load_tools(pat) cannot be pinned: it has no argument of that name; it has path, strict, *names, **options",
        ),
        (
            "google.adk.agents.tools",
            "",
            "google.adk.agents.tools cannot be pinned: it is a module; name a class, a function or one of their arguments",
        ),
        (
            "LlmAgent._private",
            "",
            "LlmAgent._private cannot be pinned: it is not public, and stubs hold what is public",
        ),
        ("LlmAgent.run", "LlmAgent", "LlmAgent.run cannot be pinned: google.adk.agents.LlmAgent is banned"),
        ("LlmAgent(tools)", "LlmAgent(tools)", "LlmAgent(tools) cannot be pinned: it is banned"),
        ("load_tools(names)", "load_tools(strict)", "load_tools(names) cannot be pinned: strict is banned"),
    ] {
        let one = |text: &'static str| if text.is_empty() { vec![] } else { vec![text] };
        assert_eq!(answer(160, &one(pin), &one(ban)), message, "{agent}");
    }
}

#[test]
fn a_pin_brings_a_rare_argument_and_a_ban_takes_a_frequent_one_away() {
    let plain = answer(160, &[], &[]);
    assert!(plain.contains("instruction:") && !plain.contains("executor"), "{plain}");
    let tuned = answer(160, &["google.adk.agents.Agent(code_executor)"], &["LlmAgent(instruction)"]);
    assert!(!tuned.contains("instruction:") && tuned.contains("code_executor: Executor = None"), "{tuned}");
    // Of the class's calls 40 and 2 pass nothing that is hidden, of its method's all 12.
    assert!(tuned.contains("46% of 117 calls"), "{tuned}");
}

#[test]
fn pins_that_do_not_fit_name_the_budget_that_does() {
    let pins =
        ["LlmAgent(tools)", "LlmAgent(planner)", "LlmAgent.run(session)", "load_tools(options)", "LlmAgent.stop"];
    let message = answer(160, &pins, &[]);
    let smallest =
        message.strip_prefix("repository with what is pinned needs ").and_then(|rest| rest.split(' ').next());
    let smallest: usize = smallest.and_then(|number| number.parse().ok()).expect(&message);
    assert!(answer(smallest, &pins, &[]).contains("planner: Planner = None"));
}

/// A stub for each of two budgets, of every scope of an index.
fn pairs(index: &Arc<Index>, budgets: [usize; 2]) -> Vec<[Delivery; 2]> {
    let packers = packers(index, &Overrides::default()).into_iter().filter_map(|(_, packer)| packer.ok());
    let deliver =
        |packer: &Packer, max_tokens| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).ok();
    packers.filter_map(|packer| Some([deliver(&packer, budgets[0])?, deliver(&packer, budgets[1])?])).collect()
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn what_a_notch_loses_less_what_it_gains_is_the_difference(index in generated::index(), budgets in [40_usize..500, 40_usize..500]) {
        for [a, b] in pairs(&index, budgets) {
            let (lost, gained) = (difference(&index, &a, &b), difference(&index, &b, &a));
            prop_assert_eq!(a.covered_calls + gained.calls, b.covered_calls + lost.calls);
            for &(id, at) in &lost.arguments {
                prop_assert!(shows(&a, (id, Some(at))) && !shows(&b, (id, Some(at))));
            }
            for &id in &lost.members {
                prop_assert!(shows(&a, (id, None)) && !shows(&b, (id, None)));
            }
        }
    }

    #[test]
    fn every_point_of_a_curve_is_a_stub(index in generated::index()) {
        for (_, packer) in packers(&index, &Overrides::default()) {
            let Ok(packer) = packer else { continue };
            let mut seen = 0;
            let mut observe = |curve: &Curve| {
                let points = curve.budgets.len() + curve.thresholds.len() + curve.targets.len();
                assert!(points >= seen, "points only come");
                seen = points;
                Control::Continue
            };
            let curve = Curve::trace(&packer, Format::Stub, &mut observe).expect("nobody cancels");
            prop_assert!(curve.complete);
            prop_assert!(curve.budgets.windows(2).all(|pair| pair[0].covered <= pair[1].covered));
            let knee = curve.knee();
            prop_assert!(knee.is_none_or(|knee| curve.budgets.contains(&knee)));
            for point in curve.budgets.iter().chain(&curve.thresholds).chain(&curve.targets).chain(&curve.exhaustive) {
                let delivery = packer.deliver(&point.strategy, Format::Stub).expect("it was there");
                prop_assert_eq!((delivery.tokens, delivery.covered_calls), (point.tokens, point.covered));
            }
            prop_assert_eq!(Curve::trace(&packer, Format::Stub, &mut |_| Control::Cancel), None);
        }
    }
}

#[test]
fn lost_calls_are_named_by_where_they_stand() {
    let built = indexer::build(&demo::source(), &mut |_| Control::Continue).expect("the demo is there");
    let index = Arc::new(built.expect("nobody cancels"));
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("members");
    let deliver = |max_tokens| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).expect("it fits");
    let lost = difference(&index, &deliver(1000), &deliver(800));
    assert!(lost.calls > 0 && lost.sites.len() == lost.calls as usize, "{lost:?}");
    let (less, more) = (deliver(800), deliver(1000));
    for &site in &lost.sites {
        let call = index.call(site);
        let id = call.resolution.definition().expect("a counted call");
        let witness = index.call_evidence(id).into_iter().find(|witness| witness.call == site).expect("it is counted");
        let can_be_written = |delivery: &Delivery| {
            let visible = delivery.symbols.iter().find(|symbol| symbol.id == id).and_then(|s| s.visible.as_ref());
            visible.is_some_and(|visible| witness.passed.is_subset(visible))
        };
        assert!(can_be_written(&more) && !can_be_written(&less), "{call:?}");
    }
}
