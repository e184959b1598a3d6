//! A fixed stub and fixed figures that do not come from the engine.

use apidisc::{
    delivery::{
        Delivery, DeliveryError, Difference,
        curve::{Curve, CurvePoint},
        evaluate::{CoveredUses, EvaluationTotals},
    },
    index::Index,
    language::Language,
    strategy::{FilteringStrategy as _, Strategy},
    usage::Uses,
};
use apidisc_tui::tui::model::{
    PreviewRequest, Settings,
    tuning::{ComparedStub, HeldOut, Neighbour, Neighbours, StubComparison, StubSize},
};

pub const EXHAUSTIVE: usize = 2310;

const SMALLEST: usize = 60;

const TEXT: &str = r#"# station.Agent: 93% of 412 calls
class Agent(BaseAgent):
    """An agent that asks a model what to do next."""

    def __init__(
        self,
        *,
        name: str,  # REQUIRED
        model: Union[str, BaseModel] = '',  # used in 90% of 412 calls
        tools: list[ToolUnion] = [],  # used in 49% of 412 calls
        # ... + 4 rare arguments hidden
    ) -> None: ...

    @property
    def state(self) -> dict[str, int]: ...

    async def run(self, question: str, timeout: float | None = 30.0) -> Answer: ...


def größe(breite_in_日本: float) -> float: ...  # 2 calls
"#;

/// The stub, or the error if the budget is too small for the stub.
pub fn delivery(request: &PreviewRequest) -> Result<Delivery, DeliveryError> {
    if let Strategy::TokenBudget { max_tokens } = request.strategy
        && max_tokens < SMALLEST
    {
        return Err(DeliveryError::BudgetTooSmall { name: "Agent".to_owned(), smallest: SMALLEST, max_tokens });
    }
    Ok(Delivery {
        text: TEXT.to_owned(),
        enclosed: None,
        tokens: 318,
        max_tokens: request.strategy.max_tokens(),
        language: Language::Python,
        strategy: request.strategy.label(),
        wording: request.style.wording,
        docs: request.style.docs,
        encoding: request.encoding,
        covered_calls: 383,
        known_calls: 412,
        covered_reads: 0,
        known_reads: 0,
        inherited: apidisc::usage::Uses::default(),
        symbols: vec![],
        hidden_members: 0,
        not_shown: vec![],
    })
}

const KNOWN: u32 = 412;
const COVERED: u32 = 383;

/// A curve with a knee and points of every strategy.
pub fn curve() -> Curve {
    let points = |strategy: Strategy, points: &[(usize, u32)]| {
        points.iter().map(|&(tokens, covered)| CurvePoint { strategy, tokens, covered }).collect()
    };
    Curve {
        known_uses: KNOWN,
        budgets: points(
            Strategy::default(),
            &[
                (60, 12),
                (90, 80),
                (140, 190),
                (200, 290),
                (260, 350),
                (318, COVERED),
                (500, 396),
                (900, 405),
                (1500, KNOWN),
            ],
        ),
        thresholds: points(
            Strategy::Threshold { min_frequency: 0.2 },
            &[(2310, KNOWN), (1100, 370), (700, 250), (400, 60)],
        ),
        targets: points(Strategy::Coverage { target: 0.95 }, &[(130, 150), (240, 320), (450, 392), (1500, KNOWN)]),
        exhaustive: Some(CurvePoint { strategy: Strategy::Exhaustive, tokens: EXHAUSTIVE, covered: KNOWN }),
        complete: true,
    }
}

/// The neighbours of the present setting: one notch less hides the last used argument of the most called definition,
/// one notch more shows the least called definition.
pub fn steps(index: &Index, settings: &Settings) -> Neighbours {
    let mut ids: Vec<_> = index.definitions_with_ids().filter(|(_, definition)| definition.is_public).collect();
    ids.sort_by_key(|(id, definition)| (std::cmp::Reverse(definition.usage.total_calls), *id));
    let mut lost = Difference::default();
    if let Some((id, definition)) = ids.first() {
        let mut used = definition.usage.parameters.iter().enumerate().filter(|(_, row)| row.count > 0);
        if let Some((position, row)) = used.next_back() {
            lost.arguments.push((*id, position));
            lost.calls = row.count;
            let witnesses = index.call_evidence(*id);
            lost.sites = witnesses.iter().filter(|call| call.passed.contains(position)).map(|call| call.call).collect();
        }
    }
    let gained = Difference { members: ids.last().map(|(id, _)| *id).into_iter().collect(), ..Difference::default() };
    let calls = |calls| Uses { calls, reads: 0 };
    let step = |is_more: bool, tokens, covered, [loses, gains]: [Difference; 2]| {
        let strategy = settings.neighbour(is_more)?;
        Some(Neighbour { strategy, result: Ok(StubSize { tokens, covered }), loses, gains })
    };
    Neighbours {
        here: Some(StubSize { tokens: 318, covered: calls(COVERED) }),
        less: step(false, 270, calls(COVERED - lost.calls.min(COVERED)), [lost, Difference::default()]),
        more: step(true, 401, calls(COVERED), [Difference::default(), gained]),
    }
}

pub fn held_out() -> HeldOut {
    let calls = |calls| Uses { calls, reads: 0 };
    let share = |covered| CoveredUses { covered: calls(covered), known: calls(KNOWN) };
    HeldOut::Done(Ok(EvaluationTotals {
        tokens: 1590,
        counted: share(COVERED),
        held_out: share(338),
        outside: share(338),
        baselines: [share(90); 3],
    }))
}

/// The exhaustive stub compared with the present one, which hides two parameters and a method.
pub fn comparison() -> StubComparison {
    let hidden = "        # ... + 4 rare arguments hidden\n";
    let rare = "        planner: Planner | None = None,\n        before_call: Callable[[Call], None] | None = None,\n";
    let closed = "\n    async def close(self, reason: str = '') -> None: ...\n";
    let all = TEXT.replace(hidden, rare).replace(" -> Answer: ...\n", &format!(" -> Answer: ...\n{closed}"));
    let side = |text: &str, tokens| ComparedStub::new(text, Language::Python, tokens);
    StubComparison::between(side(&all, EXHAUSTIVE), side(TEXT, 318))
}
