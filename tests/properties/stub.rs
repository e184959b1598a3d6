//! Python stubs: they are valid, do not exceed their budget, account for every hidden parameter, and never cover less
//! with a larger budget.

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::Arc,
};

use apidisc::{
    delivery::{Delivery, DeliveryError, Format, Packer},
    index::{Index, Scope},
    program::{DefinitionId, ModuleId, ParameterSet},
    strategy::{CandidateMember, Candidates, FilteringStrategy, Strategy},
    stub::{Detail, Docs, ShownDocs, Style, Wording},
    tokens::{Encoding, Tokenizer},
    usage::Uses,
};
use proptest::{
    prelude::*,
    sample::select,
    strategy::{Strategy as _, ValueTree},
    test_runner::{RngAlgorithm, TestRunner},
};

use crate::{chance::cases, python_index, tools};

const FORMATS: [Format; 4] = [Format::Stub, Format::Markdown, Format::Json, Format::Yaml];

pub(crate) fn packers(index: &Arc<Index>) -> Vec<Packer> {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let definitions = (0..index.definitions.len()).map(|i| Scope::Definition(DefinitionId::new(i)));
    [Scope::Repository, Scope::Module(ModuleId::new(0)), Scope::Module(ModuleId::new(1))]
        .into_iter()
        .chain(definitions.take(2))
        .filter_map(|scope| Packer::new(index, scope, &tokenizer).ok())
        .collect()
}

fn budget(packer: &Packer, max_tokens: usize, format: Format) -> Result<Delivery, DeliveryError> {
    budget_in(packer, Style::default(), max_tokens, format)
}

fn budget_in(packer: &Packer, style: Style, max_tokens: usize, format: Format) -> Result<Delivery, DeliveryError> {
    packer.deliver_in(style, &Strategy::TokenBudget { max_tokens }, format)
}

/// Every style.
pub(crate) fn style() -> impl proptest::strategy::Strategy<Value = Style> {
    (select(&Wording::ALL[..]), select(&Docs::ALL[..])).prop_map(|(wording, docs)| Style { wording, docs })
}

/// Every style in which all members have the same detail.
fn even_style() -> impl proptest::strategy::Strategy<Value = Style> {
    style().prop_filter("one detail", |style| style.wording != Wording::Auto)
}

pub(crate) fn every_strategy() -> Vec<Strategy> {
    let mut strategies = vec![Strategy::Exhaustive];
    strategies.extend([0.0, 0.2, 0.7].map(|min_frequency| Strategy::Threshold { min_frequency }));
    strategies.extend([0.3, 0.95, 1.0].map(|target| Strategy::Coverage { target }));
    strategies.extend([60, 200, 1000].map(|max_tokens| Strategy::TokenBudget { max_tokens }));
    strategies
}

/// The choice of another strategy, without summaries and without the members whose bit in `kept` is 0.
#[derive(Debug)]
struct WithoutSomeMembers {
    strategy: Strategy,
    kept: u64,
}

impl FilteringStrategy for WithoutSomeMembers {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        let members = self.strategy.filter_members(candidates);
        members.into_iter().filter(|id| self.kept >> (id.index() % 64) & 1 == 1).collect()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        self.strategy.filter_arguments(candidates, member)
    }

    fn documentation(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> ShownDocs {
        ShownDocs::default()
    }
}

/// The choice for a budget with one more member or argument. It may exceed that budget.
#[derive(Debug)]
struct OneAddition {
    max_tokens: usize,
    member: DefinitionId,
    position: Option<usize>,
}

impl FilteringStrategy for OneAddition {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        let mut members = candidates.plan_within(self.max_tokens).members();
        members.push(self.member);
        members
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        let mut arguments = candidates.plan_within(self.max_tokens).arguments(member.id);
        if let Some(position) = self.position.filter(|_| member.id == self.member) {
            arguments.insert(position);
        }
        arguments
    }

    fn documentation(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ShownDocs {
        candidates.plan_within(self.max_tokens).documentation(member.id)
    }

    fn detail(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> Detail {
        let plan = candidates.plan_within(self.max_tokens);
        if plan.members().contains(&member.id) { plan.detail(member.id) } else { Detail::Calls }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_budget_is_never_exceeded_and_the_smallest_works(
        index in python_index::index(),
        style in style(),
        max_tokens in 1_usize..600,
    ) {
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        for packer in packers(&index) {
            for format in FORMATS {
                match budget_in(&packer, style, max_tokens, format) {
                    Ok(delivery) => {
                        let counted = match format {
                            Format::Stub | Format::Markdown => &delivery.text,
                            Format::Json | Format::Yaml => delivery.stub(),
                        };
                        prop_assert_eq!(tokenizer.count(counted), delivery.tokens);
                        prop_assert!(delivery.tokens <= max_tokens);
                    }
                    Err(DeliveryError::BudgetTooSmall { smallest, .. }) => {
                        prop_assert!(smallest > max_tokens);
                        prop_assert!(budget_in(&packer, style, smallest, format).is_ok());
                        prop_assert!(budget_in(&packer, style, smallest - 1, format).is_err());
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                }
            }
        }
    }

    #[test]
    fn a_larger_budget_never_covers_less(index in python_index::index(), style in style(), first in 20_usize..34) {
        for packer in packers(&index) {
            let mut before: Option<Delivery> = None;
            // Every case tries other budgets.
            for max_tokens in (first..700).step_by(14) {
                let Ok(delivery) = budget_in(&packer, style, max_tokens, Format::Stub) else {
                    prop_assert!(before.is_none());
                    continue;
                };
                if let Some(before) = &before {
                    prop_assert!(
                        delivery.covered().total() >= before.covered().total(),
                        "{} calls for {max_tokens}, {} for less:\n{}\n{}",
                        delivery.covered().total(), before.covered().total(), delivery.text, before.text
                    );
                }
                before = Some(delivery);
            }
        }
    }

    #[test]
    fn no_other_choice_covers_more_for_the_same_tokens(
        index in python_index::index(),
        style in even_style(),
        kept in 0_u64..u64::MAX,
    ) {
        for packer in packers(&index) {
            for other in [0.0, 0.1, 0.2, 0.4, 0.7, 1.0].map(|min_frequency| Strategy::Threshold { min_frequency }) {
                let other = WithoutSomeMembers { strategy: other, kept };
                let other = packer.deliver_in(style, &other, Format::Stub).expect("no budget");
                let Ok(best) = budget_in(&packer, style, other.tokens, Format::Stub) else { continue };
                // A plan maximizes worth: a call is worth as much as four reads. Prices of call shapes do not add up,
                // since attributes share a line and a class may be one line, so their plans may miss the best by up
                // to a quarter of its worth.
                let worth = |covered: Uses| u64::from(4 * covered.calls + covered.reads);
                let (best_uses, other_uses) = (best.covered(), other.covered());
                let least = if style.wording == Wording::Calls { worth(other_uses) * 3 / 4 } else { worth(other_uses) };
                prop_assert!(
                    best_uses.total() >= other_uses.total() || worth(best_uses) >= least,
                    "{}\n{}", best.text, other.text
                );
            }
        }
    }

    #[test]
    fn a_budget_is_used_while_an_addition_fits(
        index in python_index::index(),
        style in style(),
        max_tokens in 150_usize..700,
    ) {
        for packer in packers(&index) {
            let Ok(delivery) = budget_in(&packer, style, max_tokens, Format::Stub) else { continue };
            if delivery.tokens * 100 >= max_tokens * 97 {
                continue;
            }
            let everything = packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
            let shown = |id| delivery.symbols.iter().find(|s| s.id == id);
            for symbol in &everything.symbols {
                let labels = symbol.shown(&index);
                let is_hidden = |i: usize| shown(symbol.id).is_some_and(|s| s.hidden(&index).contains(&labels[i]));
                let position = (0..labels.len()).find(|&i| is_hidden(i));
                if let (Some(_), None) = (shown(symbol.id), position) {
                    continue;
                }
                let more = OneAddition { max_tokens, member: symbol.id, position };
                let mut larger = packer.deliver_in(style, &more, Format::Stub).expect("no budget");
                if larger.text.contains("not shown: ") {
                    // Only a stub of everything says what cannot be shown.
                    let written: String = larger.text.split_inclusive('\n').filter(|line| !line.contains("not shown: ")).collect();
                    larger.tokens = Tokenizer::load(Encoding::default()).count(&written);
                }
                // The planner uses upper bounds for the tokens of blank lines and the title.
                prop_assert!(larger.tokens + 4 > max_tokens || larger.tokens <= delivery.tokens,
                    "{} of {max_tokens} used:\n{}\n{}", delivery.tokens, delivery.text, larger.text);
            }
        }
    }

    #[test]
    fn a_coverage_target_is_reached(index in python_index::index(), style in style(), target in 0.0..1.0) {
        for packer in packers(&index) {
            let strategy = |target| Strategy::Coverage { target };
            let deliver =
                |target| packer.deliver_in(style, &strategy(target), Format::Stub).expect("no budget");
            let (delivery, most) = (deliver(target), deliver(1.0));
            let wanted = (target * f64::from(delivery.known().total())).min(f64::from(most.covered().total()));
            prop_assert!(f64::from(delivery.covered().total()) + 1e-6 >= wanted);
            prop_assert!(delivery.tokens <= most.tokens + 2);
        }
    }

    #[test]
    fn every_parameter_is_shown_or_hidden(index in python_index::index(), style in style()) {
        for packer in packers(&index) {
            for strategy in every_strategy() {
                let Ok(delivery) = packer.deliver_in(style, &strategy, Format::Stub) else { continue };
                for symbol in &delivery.symbols {
                    let parameters = index.definition(symbol.id).signature.as_ref().map_or(0, |s| s.parameters.len());
                    prop_assert_eq!(symbol.shown(&index).len() + symbol.hidden(&index).len(), parameters);
                    prop_assert!(delivery.part(symbol).ends_with('\n'));
                }
            }
        }
    }

    #[test]
    fn stubs_have_no_syntax_errors_and_no_control_characters(
        index in python_index::index(),
        style in style(),
    ) {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits");
        for packer in packers(&index) {
            for strategy in every_strategy() {
                let Ok(delivery) = packer.deliver_in(style, &strategy, Format::Stub) else { continue };
                let tree = parser.parse(&delivery.text, None).expect("a tree");
                prop_assert!(!tree.root_node().has_error(), "{}", delivery.text);
                prop_assert!(!delivery.text.chars().any(|c| c.is_control() && c != '\n'), "{:?}", delivery.text);
            }
        }
    }
}

/// Asserts that Python's own parser accepts every text. Skipped without Python.
pub(crate) fn assert_python_parses(stubs: &[String]) {
    if tools::is_missing(&tools::PYTHON) {
        return;
    }
    let script = "import ast, json, sys\nfor n, text in enumerate(json.load(sys.stdin)):\n    try: compile(text, str(n), 'exec', ast.PyCF_ONLY_AST)\n    except Exception as e: sys.exit(f'{e}\\n{text}')\n";
    let python = Command::new("python3")
        .args(["-W", "ignore", "-c", script])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut python = python.expect("python runs");
    let input = serde_json::to_vec(stubs).expect("strings");
    python.stdin.take().expect("piped").write_all(&input).expect("python reads");
    let output = python.wait_with_output().expect("python ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_parses_every_stub() {
    let mut runner =
        TestRunner::new_with_rng(cases(24), proptest::test_runner::TestRng::deterministic_rng(RngAlgorithm::default()));
    let mut stubs: Vec<String> = Vec::new();
    for _ in 0..40 {
        let index = python_index::index().new_tree(&mut runner).expect("a value").current();
        for packer in packers(&index) {
            for strategy in every_strategy() {
                let wording = Wording::ALL[stubs.len() % Wording::ALL.len()];
                let style = Style { wording, docs: Docs::ALL[stubs.len() % Docs::ALL.len()] };
                stubs.extend(packer.deliver_in(style, &strategy, Format::Stub).map(|delivery| delivery.text));
            }
        }
    }
    assert!(stubs.len() > 100, "only {} stubs", stubs.len());
    assert_python_parses(&stubs);
}

#[test]
fn every_format_holds_the_stub() {
    let index = crate::sample::agents().build();
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::Cl100kBase)).expect("members");
    for format in FORMATS {
        let delivery = budget(&packer, 200, format).expect("it fits");
        match format {
            Format::Stub => assert_eq!(delivery.text, delivery.stub()),
            Format::Markdown => assert!(delivery.text.contains(&format!("```python\n{}```\n", delivery.stub()))),
            Format::Json | Format::Yaml => {
                let value: serde_json::Value = match format {
                    Format::Json => serde_json::from_str(&delivery.text).expect("JSON"),
                    _ => serde_yaml::from_str(&delivery.text).expect("YAML"),
                };
                let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
                let expected = [
                    "stub",
                    "tokens",
                    "max_tokens",
                    "strategy",
                    "wording",
                    "docs",
                    "encoding",
                    "coverage",
                    "covered_calls",
                    "known_calls",
                    "covered_reads",
                    "known_reads",
                    "symbols",
                ];
                assert_eq!(keys, expected);
                assert_eq!(value["stub"], delivery.stub());
                assert_eq!(value["tokens"], delivery.tokens);
                assert_eq!(value["strategy"], "token-budget 200");
                assert_eq!(value["symbols"][0]["alias"], "google.adk.agents.LlmAgent");
            }
        }
    }
}

#[test]
fn the_largest_budgets_are_as_good_as_a_large_one() {
    let index = Arc::new(crate::targets::index(&apidisc_tui::demo::source()).expect("the demo"));
    let packer = Packer::new(
        &index,
        index.scope(None, Some("Station")).expect("a class"),
        &Tokenizer::load(Encoding::O200kBase),
    );
    let packer = packer.expect("a class");
    let expected = budget(&packer, 1_000_000, Format::Stub).expect("it fits").text;
    for max_tokens in [usize::MAX, usize::MAX - 1, isize::MAX as usize, isize::MAX as usize + 1, usize::MAX / 97] {
        assert_eq!(budget(&packer, max_tokens, Format::Stub).expect("it fits").text, expected, "{max_tokens}");
    }
    for max_tokens in [0, 1] {
        assert!(matches!(budget(&packer, max_tokens, Format::Stub), Err(DeliveryError::BudgetTooSmall { .. })));
    }
}
