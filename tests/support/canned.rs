//! A stub that does not come from the engine.

use apidisc::{
    engine::{
        strategy::{FilteringStrategy as _, Strategy},
        stub::{Delivery, DeliveryError},
    },
    tui::model::Request,
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

/// It, or what is said where the budget is too small for it.
pub fn delivery(request: &Request) -> Result<Delivery, DeliveryError> {
    if let Strategy::TokenBudget { max_tokens } = request.strategy
        && max_tokens < SMALLEST
    {
        return Err(DeliveryError::BudgetTooSmall { name: "Agent".to_owned(), smallest: SMALLEST, max_tokens });
    }
    Ok(Delivery {
        text: TEXT.to_owned(),
        stub: TEXT.to_owned(),
        tokens: 318,
        max_tokens: request.strategy.max_tokens(),
        strategy: request.strategy.label(),
        encoding: request.encoding,
        covered_calls: 383,
        known_calls: 412,
        symbols: vec![],
        hidden_members: 0,
    })
}
