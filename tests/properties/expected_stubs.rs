//! The expected texts of stubs: the class of the seed document and its neighbours, by each strategy.

use std::sync::Arc;

use apidisc::{
    delivery::{DeliveryError, Format, Packer},
    index::{Index, Scope},
    overrides::Overrides,
    program::{DefinitionId, DefinitionKind, ModuleId, ParameterSet},
    strategy::{CandidateMember, Candidates, FilteringStrategy, Strategy},
    stub::{Detail, Wording},
    tokens::{Encoding, Tokenizer},
};
use thin_vec::thin_vec;

use crate::{
    built,
    sample::{Sample, agents},
};

fn check(index: &Arc<Index>, scope: Scope, strategy: &dyn FilteringStrategy, expected: &str) {
    check_in(Wording::Full, index, scope, strategy, expected);
}

fn check_in(wording: Wording, index: &Arc<Index>, scope: Scope, strategy: &dyn FilteringStrategy, expected: &str) {
    let delivery = Packer::with_overrides(index, scope, &Overrides::default(), &Tokenizer::load(Encoding::O200kBase))
        .and_then(|packer| packer.deliver_in(wording, strategy, Format::Stub))
        .expect("it fits");
    assert_eq!(delivery.text, expected, "\n{}", delivery.text);
}

const REPOSITORY: Scope = Scope::Repository;

#[test]
fn a_budget_covers_the_cheapest_calls() {
    let scope = Scope::Definition(DefinitionId::new(0));
    check(
        &agents().build(),
        scope,
        &Strategy::TokenBudget { max_tokens: 157 },
        "\
# from google.adk.agents import LlmAgent: 94% of 113 calls
class LlmAgent(BaseAgent):
    def __init__(
        self,
        *,
        name: str,  # REQUIRED
        model: Union[str,BaseLlm] = '',  # used in 98% of 101 calls
        instruction: str = '',  # used in 55% of 101 calls
        tools: list = [],  # used in 25% of 101 calls
        # ... + 4 rare arguments hidden
    ) -> None: ...
    def run(self, message: str) -> Result: ...  # 12 calls, ... + 2 arguments hidden
    # ... + 3 members hidden
",
    );
}

#[test]
fn lean_stubs_have_one_line_for_each_member() {
    check_in(
        Wording::Lean,
        &agents().build(),
        Scope::Module(ModuleId::new(0)),
        &Strategy::Threshold { min_frequency: 0.2 },
        "\
# google.adk.agents: 2 of 3 symbols, 97% of 117 known calls
# \"# ...\": more hidden
class LlmAgent(BaseAgent):
 \"\"\"An agent that asks a model.\"\"\"
 def __init__(self, *, name: str, model: Union[str,BaseLlm] = '', instruction: str = '', tools: list = []): ... # 101 calls: model 98%, instruction 55%, tools 25%, ...
 def run(self, message: str, *, timeout: float = 30.0) -> Result: ... # 12 calls: timeout 25%, ...
 # ...

# google.adk.agents.tools:
def load_tools(path, /) -> list[Tool]: ... # 6 calls: ...
",
    );
}

#[test]
fn call_shapes_name_what_calls_pass() {
    check_in(
        Wording::Calls,
        &agents().build(),
        Scope::Module(ModuleId::new(0)),
        &Strategy::Threshold { min_frequency: 0.2 },
        "\
# google.adk.agents: 2 of 3 symbols, 97% of 117 known calls
# names alone; more hidden
class LlmAgent(BaseAgent):
 \"\"\"An agent that asks a model.\"\"\"
 def __init__(self, *, name, model=..., instruction=..., tools=...): ...
 def run(self, message, *, timeout=...): ...

# google.adk.agents.tools:
def load_tools(path, /): ...
",
    );
}

#[test]
fn a_budget_is_spent_on_coverage_first_and_then_on_detail() {
    let index = agents().build();
    let packer = Packer::new(&index, Scope::Definition(DefinitionId::new(0)), &Tokenizer::load(Encoding::O200kBase))
        .expect("a class");
    let deliver = |wording, max_tokens| {
        packer.deliver_in(wording, &Strategy::TokenBudget { max_tokens }, Format::Stub).expect("it fits")
    };
    let (small, full) = (deliver(Wording::Auto, 120), deliver(Wording::Full, 157));
    assert!(small.covered_calls >= full.covered_calls, "{}", small.text);
    let medium = deliver(Wording::Auto, 200);
    assert!(medium.symbols.iter().any(|symbol| symbol.detail != Detail::Calls), "{}", medium.text);
    assert_eq!(deliver(Wording::Auto, 600).text, deliver(Wording::Full, 600).text);
}

/// What nobody passes yet is declared before what is declared is described.
#[test]
fn a_budget_for_all_uses_in_full_declares_no_less_than_a_smaller_one() {
    let options: Vec<String> = (0..12).map(|at| format!("option_{at}: int = {at}")).collect();
    let described: Vec<String> = (0..12).map(|at| format!("        option_{at}: How the part {at} works.")).collect();
    let text = format!(
        "def run(name: str, *, {}) -> int:\n    \"\"\"Runs it.\n\n    Args:\n{}\n    \"\"\"\n\
         def stop(name: str, *, {}) -> int: ...\n\
         run('a', option_0=1)\nrun('b', option_1=2)\nstop('c', option_2=3)\n",
        options.join(", "),
        described.join("\n"),
        options.join(", ")
    );
    let index = built::index([("kit.py", text.as_str())]);
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a module");
    let declared = |max_tokens| {
        let delivery = packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).expect("it fits");
        assert_eq!(delivery.covered_calls, 3, "{}", delivery.text);
        let visible = delivery.symbols.iter().filter_map(|symbol| symbol.visible.as_ref());
        visible.map(ParameterSet::len).sum::<usize>()
    };
    for max_tokens in (180..600).step_by(20) {
        assert_eq!(declared(max_tokens), 26, "{max_tokens}");
    }
}

#[test]
fn a_threshold_keeps_frequent_arguments() {
    check(
        &agents().build(),
        Scope::Module(ModuleId::new(0)),
        &Strategy::Threshold { min_frequency: 0.2 },
        "\
# google.adk.agents: 2 of 3 symbols, 97% of 117 known calls
class LlmAgent(BaseAgent):
    \"\"\"An agent that asks a model.\"\"\"
    def __init__(
        self,
        *,
        name: str,  # REQUIRED
        model: Union[str,BaseLlm] = '',  # used in 98% of 101 calls
        instruction: str = '',  # used in 55% of 101 calls
        tools: list = [],  # used in 25% of 101 calls
        # ... + 4 rare arguments hidden
    ) -> None: ...
    def run(self, message: str, *, timeout: float = 30.0) -> Result: ...  # 12 calls, timeout in 25%, ... + 1 rare argument hidden
    # ... + 3 members hidden

# google.adk.agents.tools:
def load_tools(path, /) -> list[Tool]: ...  # 6 calls, ... + 3 rare arguments hidden
",
    );
}

#[test]
fn exhaustive_stubs_show_every_public_definition() {
    check(
        &agents().build(),
        REPOSITORY,
        &Strategy::Exhaustive,
        "\
# repository: 3 of 3 symbols, 100% of 117 known calls
# google.adk.agents:
class LlmAgent(BaseAgent):
    \"\"\"An agent that asks a model.\"\"\"
    def __init__(
        self,
        *,
        name: str,  # REQUIRED
        model: Union[str,BaseLlm] = '',  # used in 98% of 101 calls
        instruction: str = '',  # used in 55% of 101 calls
        tools: list = [],  # used in 25% of 101 calls
        planner: Planner | None = None,  # used in 3% of 101 calls
        output_key: str | None = None,  # used in 1% of 101 calls
        code_executor: Executor | None = None,
        description: str = '',
    ) -> None: ...
    def run(self, message: str, *, timeout: float = 30.0, session=None) -> Result: ...  # 12 calls, timeout in 25%
    @property
    def canonical_model(self) -> BaseLlm: ...
    async def stop(self):
        \"\"\"Stops at once.\"\"\"
    kind: str

# google.adk.agents.tools:
def load_tools(
    path,  # REQUIRED
    /,
    strict=True,
    *names: str,
    **options,
) -> list[Tool]: ...  # 6 calls
LIMIT = 10
",
    );
}

#[test]
fn a_method_is_shown_with_the_first_line_of_its_class() {
    check(
        &agents().build(),
        Scope::Definition(DefinitionId::new(1)),
        &Strategy::Coverage { target: 1.0 },
        "\
# from google.adk.agents import LlmAgent: run, 100% of 12 calls
class LlmAgent(BaseAgent):
    def run(self, message: str, *, timeout: float = 30.0, session=None) -> Result: ...  # 12 calls, timeout in 25%
",
    );
}

#[test]
fn parameters_after_a_hidden_positional_one_are_keyword_only() {
    let mut sample = Sample::default();
    let module = sample.module("m");
    let signature = "a, b=1, c=2, d=3, e=4, f=5, *, g=6, **rest";
    let f = sample.callable(module, None, DefinitionKind::Function, "f", signature);
    sample.calls(f, &["a", "c", "f", "g"], 3);
    sample.calls(f, &["a", "f"], 5);
    let index = sample.build();
    let scope = Scope::Definition(f);
    check(
        &index,
        scope,
        &Strategy::Coverage { target: 1.0 },
        "\
# from m import f: 100% of 8 calls
def f(
    a,  # REQUIRED
    *,
    f=5,  # used in 100% of 8 calls
    c=2,  # used in 38% of 8 calls
    g=6,  # used in 38% of 8 calls
    # ... + 4 rare arguments hidden
): ...
",
    );
}

#[test]
fn spreads_and_unknown_constructors_are_stated_not_guessed() {
    let mut sample = Sample::default();
    let module = sample.module("m");
    let f = sample.callable(module, None, DefinitionKind::Function, "f", "a=1, b=2, c=3, d=4");
    sample.calls_with(f, ParameterSet::new(), true, 3);
    let class = sample.define(module, None, "Error", DefinitionKind::Class);
    sample.edit(class).bases = thin_vec!["Exception".into(), "object".into(), "metaclass=Meta".into()];
    sample.calls_with(class, ParameterSet::new(), true, 2);
    check(
        &sample.build(),
        REPOSITORY,
        &Strategy::Exhaustive,
        "\
# repository: 2 of 2 symbols, coverage not known
# m:
def f(
    a=1,  # 3 calls through spreads
    b=2,  # 3 calls through spreads
    c=3,  # 3 calls through spreads
    d=4,  # 3 calls through spreads
): ...

class Error(Exception):
    ...  # 2 calls, constructor not in these sources
",
    );
}

#[test]
fn the_smallest_budget_is_named_and_works() {
    let index = agents().build();
    let packer = Packer::new(&index, Scope::Definition(DefinitionId::new(0)), &Tokenizer::load(Encoding::O200kBase))
        .expect("it");
    let error = packer.deliver(&Strategy::TokenBudget { max_tokens: 10 }, Format::Markdown).expect_err("too small");
    let smallest = packer.smallest_budget(Format::Markdown);
    let name = "google.adk.agents.LlmAgent".to_owned();
    assert_eq!(error, DeliveryError::BudgetTooSmall { name, smallest, max_tokens: 10 });
    assert!(packer.deliver(&Strategy::TokenBudget { max_tokens: smallest }, Format::Markdown).is_ok());
}

#[test]
fn a_scope_without_members_is_empty() {
    let mut sample = Sample::default();
    let module = sample.module("m");
    sample.define(module, None, "not a name", DefinitionKind::Constant);
    let result = Packer::new(&sample.build(), Scope::Module(module), &Tokenizer::load(Encoding::O200kBase));
    assert_eq!(result.err(), Some(DeliveryError::Empty { name: "m".into() }));
}

/// A custom strategy selects the members and arguments. Required parameters are still shown, and its budget is not
/// exceeded.
#[test]
fn custom_strategies_are_supported() {
    #[derive(Debug)]
    struct OnlyMethods(Option<usize>);

    impl FilteringStrategy for OnlyMethods {
        fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
            candidates.members().filter(|m| m.class.is_some() && m.usage().total_calls > 0).map(|m| m.id).collect()
        }

        fn filter_arguments(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> ParameterSet {
            ParameterSet::new()
        }

        fn max_tokens(&self) -> Option<usize> {
            self.0
        }
    }

    let expected = "\
# repository: 1 of 3 symbols, 8% of 117 known calls
# google.adk.agents:
class LlmAgent(BaseAgent):
    def run(self, message: str) -> Result: ...  # 12 calls, ... + 2 arguments hidden
    # ... + constructor and 3 members hidden
";
    check(&agents().build(), REPOSITORY, &OnlyMethods(None), expected);
    let packer = Packer::new(&agents().build(), REPOSITORY, &Tokenizer::load(Encoding::O200kBase)).expect("members");
    let delivery = packer.deliver(&OnlyMethods(Some(100)), Format::Stub).expect("it fits");
    assert_eq!((delivery.text.as_str(), delivery.strategy.as_str()), (expected, "OnlyMethods(Some(100))"));
    assert!(packer.deliver(&OnlyMethods(Some(5)), Format::Stub).is_err());
}

#[test]
fn names_are_found_by_alias_and_suffix() {
    let index = agents().build();
    let class = Ok(Scope::Definition(DefinitionId::new(0)));
    for name in ["LlmAgent", "agents.LlmAgent", "Agent", "google.adk.agents.llm_agent.LlmAgent"] {
        assert_eq!(index.scope(None, Some(name)), class, "{name}");
    }
    assert_eq!(index.scope(Some("google.adk.agents"), Some("Agent")), class);
    assert_eq!(index.scope(Some("agents.LlmAgent"), None), class);
    let run = Ok(Scope::Definition(DefinitionId::new(1)));
    assert_eq!(index.scope(None, Some("Agent.run")), run);
    assert_eq!(index.scope(Some("LlmAgent"), Some("run")), run);
    assert_eq!(index.scope(Some("llm_agent"), None), Ok(Scope::Module(ModuleId::new(1))));
    assert_eq!(index.scope(None, None), Ok(Scope::Repository));
    let error = index.scope(Some("google.adk.agents"), Some("LmlAgent")).expect_err("a typing error");
    assert_eq!(
        error.to_string(),
        "no definition is called `google.adk.agents.LmlAgent`; the nearest: google.adk.agents.LlmAgent"
    );
    assert!(index.scope(Some("nothing.like.it"), None).is_err());
}
