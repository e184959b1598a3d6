//! Pins and bans: every stub of every strategy keeps them, and no budget is exceeded.

use std::sync::Arc;

use apidisc::{
    control::Control,
    delivery::{Delivery, DeliveryError, Format, Packer, curve::Curve, difference},
    index::{Index, Scope},
    indexer,
    overrides::{OverrideTarget, Overrides},
    program::{DefinitionId, DefinitionKind, ModuleId},
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};
use apidisc_tui::demo;
use proptest::{prelude::*, strategy::Strategy as _};

use crate::{chance::cases, python_index, sample};

/// A definition, or one of its arguments by position.
type OverriddenItem = (DefinitionId, Option<usize>);

/// The public definitions and arguments of an index that a name identifies.
fn items(index: &Index) -> Vec<OverriddenItem> {
    let mut items = Vec::new();
    for (id, definition) in index.definitions_with_ids() {
        let is_alone = index.definitions.iter().filter(|other| other.fqn == definition.fqn).count() == 1;
        let is_field = definition.kind == DefinitionKind::Attribute;
        if !is_alone || !definition.is_public || is_field {
            continue;
        }
        items.push((id, None));
        let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
        let is_first = |at: &usize| parameters[..*at].iter().all(|p| p.name != parameters[*at].name);
        items.extend((0..parameters.len()).filter(is_first).map(|at| (id, Some(at))));
    }
    items
}

/// A random index with random pins and bans.
fn index_with_overrides()
-> impl proptest::strategy::Strategy<Value = (Arc<Index>, Vec<OverriddenItem>, Vec<OverriddenItem>)> {
    let picks = || prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    (python_index::index(), picks(), picks()).prop_map(|(index, pins, bans)| {
        let items = items(&index);
        let pick = |picks: Vec<prop::sample::Index>| match items.len() {
            0 => Vec::new(),
            len => picks.into_iter().map(|pick| items[pick.index(len)]).collect(),
        };
        let (pins, bans) = (pick(pins), pick(bans));
        (index, pins, bans)
    })
}

fn overrides(index: &Index, pins: &[OverriddenItem], bans: &[OverriddenItem]) -> Overrides {
    let targets =
        |items: &[OverriddenItem]| items.iter().map(|&(id, at)| OverrideTarget::of(index.definition(id), at)).collect();
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

/// True if a definition, or one of its arguments, is visible in a stub.
fn shows(delivery: &Delivery, (id, at): OverriddenItem) -> bool {
    let visible = delivery.symbols.iter().find(|symbol| symbol.id == id).and_then(|symbol| symbol.visible.as_ref());
    visible.is_some_and(|visible| at.is_none_or(|at| visible.contains(at)))
}

/// True if a stub contains an argument, or at least a part of a definition, such as the first line of a class.
fn mentions(delivery: &Delivery, (id, at): OverriddenItem) -> bool {
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
    fn pinned_items_are_shown_and_banned_ones_are_not((index, pins, bans) in index_with_overrides()) {
        for (scope, packer) in packers(&index, &overrides(&index, &pins, &bans)) {
            let Ok(packer) = packer else { continue };
            for strategy in strategies() {
                let Ok(delivery) = packer.deliver(&strategy, Format::Stub) else { continue };
                for &item in pins.iter().filter(|(id, _)| is_in(&index, scope, *id)) {
                    prop_assert!(shows(&delivery, item), "{item:?} is pinned:\n{}", delivery.text);
                }
                for &item in &bans {
                    prop_assert!(!mentions(&delivery, item), "{item:?} is banned:\n{}", delivery.text);
                }
            }
        }
    }

    #[test]
    fn budgets_hold_with_pins_and_bans((index, pins, bans) in index_with_overrides()) {
        for (_, packer) in packers(&index, &overrides(&index, &pins, &bans)) {
            let Ok(packer) = packer else { continue };
            let mut before = None;
            for max_tokens in (10..900).step_by(37) {
                match packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Markdown) {
                    Ok(delivery) => {
                        prop_assert!(delivery.tokens <= max_tokens);
                        let covered = delivery.covered().total();
                        prop_assert!(before.is_none_or(|before| before <= covered), "{}", delivery.text);
                        before = Some(covered);
                    }
                    Err(DeliveryError::BudgetTooSmall { smallest, .. }) => {
                        prop_assert!(smallest > max_tokens && before.is_none());
                        let deliver = |max_tokens| {
                            packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Markdown)
                        };
                        prop_assert!(deliver(smallest).is_ok());
                        prop_assert!(deliver(smallest - 1).is_err());
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                }
            }
        }
    }

    #[test]
    fn a_ban_does_not_change_the_known_calls((index, _, bans) in index_with_overrides()) {
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        for (scope, packer) in packers(&index, &overrides(&index, &[], &bans)) {
            let (Ok(packer), Ok(plain)) = (packer, Packer::new(&index, scope, &tokenizer)) else { continue };
            let deliver = |packer: &Packer| packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
            let (with, without) = (deliver(&packer), deliver(&plain));
            prop_assert_eq!(with.known(), without.known());
            prop_assert!(with.covered().total() <= without.covered().total());
        }
    }

    #[test]
    fn pins_are_refused_only_if_they_cannot_be_kept((index, pins, _) in index_with_overrides()) {
        for (scope, packer) in packers(&index, &overrides(&index, &pins, &[])) {
            let is_refused = matches!(packer, Err(DeliveryError::Override(_)));
            let tokenizer = Tokenizer::load(Encoding::O200kBase);
            let Ok(plain) = Packer::new(&index, scope, &tokenizer) else { continue };
            let everything = plain.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
            let can_be_kept = |&item: &OverriddenItem| !is_in(&index, scope, item.0) || shows(&everything, item);
            prop_assert_eq!(is_refused, !pins.iter().all(can_be_kept));
        }
    }
}

fn stub_or_error(max_tokens: usize, pins: &[&str], bans: &[&str]) -> String {
    let targets = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("any text is a target")).collect();
    let overrides = Overrides { pinned: targets(pins), banned: targets(bans) };
    let index = sample::agents().build();
    match Packer::with_overrides(&index, Scope::Repository, &overrides, &Tokenizer::load(Encoding::O200kBase)) {
        Ok(packer) => packer
            .deliver_in(Wording::Full, &Strategy::TokenBudget { max_tokens }, Format::Stub)
            .map_or_else(|error| error.to_string(), |delivery| delivery.text),
        Err(error) => error.to_string(),
    }
}

#[test]
fn impossible_pins_and_bans_give_clear_errors() {
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
        assert_eq!(stub_or_error(160, &one(pin), &one(ban)), message, "{agent}");
    }
}

#[test]
fn a_pin_shows_a_rare_argument_and_a_ban_hides_a_frequent_one() {
    let plain = stub_or_error(160, &[], &[]);
    assert!(plain.contains("instruction:") && !plain.contains("executor"), "{plain}");
    let tuned = stub_or_error(160, &["google.adk.agents.Agent(code_executor)"], &["LlmAgent(instruction)"]);
    assert!(!tuned.contains("instruction:") && tuned.contains("code_executor: Executor | None = None"), "{tuned}");
    // 42 calls of the class and all 12 calls of its method pass no hidden argument.
    assert!(tuned.contains("46% of 117 known calls"), "{tuned}");
}

#[test]
fn pins_that_do_not_fit_name_the_budget_that_does() {
    let pins =
        ["LlmAgent(tools)", "LlmAgent(planner)", "LlmAgent.run(session)", "load_tools(options)", "LlmAgent.stop"];
    let message = stub_or_error(160, &pins, &[]);
    let smallest =
        message.strip_prefix("repository with what is pinned needs ").and_then(|rest| rest.split(' ').next());
    let smallest: usize = smallest.and_then(|number| number.parse().ok()).expect(&message);
    assert!(stub_or_error(smallest, &pins, &[]).contains("planner: Planner | None = None"));
}

/// For each scope of an index, the stubs for two budgets.
fn stub_pairs(index: &Arc<Index>, budgets: [usize; 2]) -> Vec<[Delivery; 2]> {
    let packers = packers(index, &Overrides::default()).into_iter().filter_map(|(_, packer)| packer.ok());
    let deliver =
        |packer: &Packer, max_tokens| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).ok();
    packers.filter_map(|packer| Some([deliver(&packer, budgets[0])?, deliver(&packer, budgets[1])?])).collect()
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn calls_lost_and_gained_explain_the_difference_in_coverage(
        index in python_index::index(),
        budgets in [40_usize..500, 40_usize..500],
    ) {
        for [a, b] in stub_pairs(&index, budgets) {
            let (lost, gained) = (difference(&index, &a, &b), difference(&index, &b, &a));
            prop_assert_eq!(a.covered_calls + gained.calls, b.covered_calls + lost.calls);
            prop_assert_eq!(a.covered_reads + gained.reads, b.covered_reads + lost.reads);
            for &(id, at) in &lost.arguments {
                prop_assert!(shows(&a, (id, Some(at))) && !shows(&b, (id, Some(at))));
            }
            for &id in &lost.members {
                prop_assert!(shows(&a, (id, None)) && !shows(&b, (id, None)));
            }
        }
    }

    #[test]
    fn every_point_of_a_curve_is_a_stub(index in python_index::index()) {
        for (_, packer) in packers(&index, &Overrides::default()) {
            let Ok(packer) = packer else { continue };
            let mut seen = 0;
            let mut observe = |curve: &Curve| {
                let points = curve.budgets.len() + curve.thresholds.len() + curve.targets.len();
                assert!(points >= seen, "points only come");
                seen = points;
                Control::Continue
            };
            let curve = Curve::trace(&packer, Wording::default(), Format::Stub, &mut observe).expect("nobody cancels");
            prop_assert!(curve.complete);
            prop_assert!(curve.budgets.windows(2).all(|pair| pair[0].covered <= pair[1].covered));
            let knee = curve.knee();
            prop_assert!(knee.is_none_or(|knee| curve.budgets.contains(&knee)));
            for point in curve.budgets.iter().chain(&curve.thresholds).chain(&curve.targets).chain(&curve.exhaustive) {
                let delivery = packer.deliver(&point.strategy, Format::Stub).expect("it was there");
                prop_assert_eq!((delivery.tokens, delivery.covered().total()), (point.tokens, point.covered));
            }
            prop_assert_eq!(Curve::trace(&packer, Wording::default(), Format::Stub, &mut |_| Control::Cancel), None);
        }
    }
}

#[test]
fn lost_calls_are_listed_by_call_site() {
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
