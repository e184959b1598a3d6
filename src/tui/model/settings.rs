//! The strategy, the parameters of the strategies, the wording and the tokenizer, and the commands that change them.

use apidisc::{
    strategy::Strategy,
    stub::{Docs, Style, Wording},
    tokens::Encoding,
    usage::Weights,
};

/// The chosen settings; each strategy keeps its parameter while another one is in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The strategy in force, with its parameter.
    pub strategy: Strategy,
    /// The wording of the shown members.
    pub wording: Wording,
    /// The amount of documentation in the stub.
    pub docs: Docs,
    /// The tokenizer.
    pub encoding: Encoding,
    /// The weights of the origins, by which their calls are multiplied.
    pub weights: Weights,
    max_tokens: usize,
    /// The threshold in percent, since multiples of 0.01 are not exact as floats.
    min_frequency: u32,
    /// The coverage target in percent.
    target: u32,
}

/// The parameter of every strategy that has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategyParameters {
    /// The token budget.
    pub max_tokens: usize,
    /// The threshold, between 0 and 1.
    pub min_frequency: f64,
    /// The coverage target, between 0 and 1.
    pub target: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self::new(Strategy::default(), Encoding::default(), Weights::default())
    }
}

impl Settings {
    /// Settings in the default style, in which every strategy but `strategy` has its default parameter.
    pub fn new(strategy: Strategy, encoding: Encoding, weights: Weights) -> Self {
        let Style { wording, docs } = Style::default();
        let mut settings =
            Self { strategy, wording, docs, encoding, weights, max_tokens: 1000, min_frequency: 20, target: 95 };
        settings.set(strategy);
        settings
    }

    /// These settings in a style.
    #[must_use]
    pub fn with_style(self, Style { wording, docs }: Style) -> Self {
        Self { wording, docs, ..self }
    }

    /// The style of stubs.
    pub fn style(&self) -> Style {
        Style { wording: self.wording, docs: self.docs }
    }

    /// Puts a strategy in force with its parameter; the others keep theirs.
    pub fn set(&mut self, strategy: Strategy) {
        self.strategy = strategy;
        match strategy {
            Strategy::TokenBudget { max_tokens } => self.max_tokens = max_tokens,
            Strategy::Threshold { min_frequency } => self.min_frequency = as_percent(min_frequency),
            Strategy::Coverage { target } => self.target = as_percent(target),
            Strategy::Exhaustive => {}
        }
    }

    /// The parameters of all strategies.
    pub fn strategy_parameters(&self) -> StrategyParameters {
        let share = |percent: u32| f64::from(percent) / 100.0;
        let mut parameters = StrategyParameters {
            max_tokens: self.max_tokens,
            min_frequency: share(self.min_frequency),
            target: share(self.target),
        };
        // The strategy in force has the exact value: a share from the command line may be finer than a percent.
        match self.strategy {
            Strategy::Threshold { min_frequency } => parameters.min_frequency = min_frequency,
            Strategy::Coverage { target } => parameters.target = target,
            Strategy::TokenBudget { .. } | Strategy::Exhaustive => {}
        }
        parameters
    }

    /// Puts the next strategy in force, or the previous one.
    pub fn cycle_strategy(&mut self, forward: bool) {
        let position = match self.strategy {
            Strategy::TokenBudget { .. } => 0,
            Strategy::Threshold { .. } => 1,
            Strategy::Coverage { .. } => 2,
            Strategy::Exhaustive => 3,
        };
        self.strategy = match (position + if forward { 1 } else { 3 }) % 4 {
            0 => Strategy::TokenBudget { max_tokens: self.max_tokens },
            1 => Strategy::Threshold { min_frequency: f64::from(self.min_frequency) / 100.0 },
            2 => Strategy::Coverage { target: f64::from(self.target) / 100.0 },
            _ => Strategy::Exhaustive,
        };
    }

    /// Puts a token budget in force.
    pub fn set_budget(&mut self, max_tokens: usize) {
        self.max_tokens = max_tokens;
        self.strategy = Strategy::TokenBudget { max_tokens };
    }

    /// The next tokenizer.
    pub fn cycle_encoding(&mut self) {
        let position = Encoding::ALL.iter().position(|e| *e == self.encoding).unwrap_or(0);
        self.encoding = Encoding::ALL[(position + 1) % Encoding::ALL.len()];
    }

    /// Moves the parameter by a notch, or by a large step if `far`. False if the strategy has no parameter, or if the
    /// parameter has reached its limit.
    pub fn notch(&mut self, up: bool, far: bool) -> bool {
        let before = self.strategy;
        match &mut self.strategy {
            Strategy::TokenBudget { max_tokens } => {
                *max_tokens = if far { large_budget_step(*max_tokens, up) } else { budget_notch(*max_tokens, up) };
                self.max_tokens = *max_tokens;
            }
            Strategy::Threshold { min_frequency } => {
                self.min_frequency = percent_notch(as_percent(*min_frequency), up, far, 10, 0);
                *min_frequency = f64::from(self.min_frequency) / 100.0;
            }
            Strategy::Coverage { target } => {
                self.target = percent_notch(as_percent(*target), up, far, 90, 100);
                *target = f64::from(self.target) / 100.0;
            }
            Strategy::Exhaustive => {}
        }
        self.strategy != before
    }

    /// Moves to the neighbouring notch that shows more, or less; a higher threshold shows less. False at the end of the
    /// scale.
    pub fn step(&mut self, is_more: bool) -> bool {
        let up = is_more != matches!(self.strategy, Strategy::Threshold { .. });
        self.notch(up, false)
    }

    /// The strategy of the neighbouring notch that shows more, or less.
    pub fn neighbour(&self, is_more: bool) -> Option<Strategy> {
        let mut settings = self.clone();
        settings.step(is_more).then_some(settings.strategy)
    }

    /// The strategy in words, for the footer.
    pub fn describe(&self) -> String {
        in_words(self.strategy)
    }
}

/// A strategy with its parameter in words.
pub(in crate::tui) fn in_words(strategy: Strategy) -> String {
    match strategy {
        Strategy::TokenBudget { max_tokens } => format!("budget {}", crate::tui::widgets::grouped(max_tokens)),
        Strategy::Threshold { min_frequency } => format!("threshold {}%", as_percent(min_frequency)),
        Strategy::Coverage { target } => format!("coverage {}%", as_percent(target)),
        Strategy::Exhaustive => "exhaustive".to_owned(),
    }
}

fn as_percent(share: f64) -> u32 {
    (share * 100.0).round().clamp(0.0, 100.0) as u32
}

/// The next higher or lower multiple of a step that grows with the budget, from 10 to 1,000,000 tokens.
fn budget_notch(budget: usize, up: bool) -> usize {
    let below = if up { budget } else { budget.saturating_sub(1) };
    let step = match below {
        0..100 => 10,
        100..500 => 50,
        500..2_000 => 100,
        2_000..10_000 => 500,
        10_000..50_000 => 2_500,
        _ => 10_000,
    };
    let next = if up { (budget / step + 1) * step } else { below / step * step };
    next.clamp(10, 1_000_000)
}

/// Twice the budget, or half of it rounded down to a multiple of ten, from 10 to 1,000,000 tokens.
fn large_budget_step(budget: usize, up: bool) -> usize {
    let next = if up { budget.saturating_mul(2) } else { budget / 20 * 10 };
    next.clamp(10, 1_000_000)
}

/// Moves a percentage to the next multiple of a step, in percentage points. The step is ten if `far`, one between
/// `edge` and `fine_end` (0 or 100), else five.
fn percent_notch(percent: u32, up: bool, far: bool, edge: u32, fine_end: u32) -> u32 {
    let fine = if fine_end == 0 {
        percent < edge || (percent == edge && !up)
    } else {
        percent > edge || (percent == edge && up)
    };
    let step = match (far, fine) {
        (true, _) => 10,
        (false, true) => 1,
        (false, false) => 5,
    };
    let next = if up { (percent / step + 1) * step } else { percent.saturating_sub(1) / step * step };
    next.min(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(strategy: Strategy) -> Settings {
        Settings::new(strategy, Encoding::default(), Weights::default())
    }

    #[test]
    fn budget_notches_are_reversible() {
        let mut budget = 100;
        let mut seen = vec![budget];
        for _ in 0..40 {
            budget = budget_notch(budget, true);
            seen.push(budget);
        }
        assert_eq!(&seen[..12], [100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800]);
        for expected in seen.iter().rev().skip(1) {
            budget = budget_notch(budget, false);
            assert_eq!(budget, *expected);
        }
    }

    #[test]
    fn an_odd_budget_goes_to_the_nearest_notch() {
        assert_eq!(budget_notch(1234, true), 1300);
        assert_eq!(budget_notch(1234, false), 1200);
        assert_eq!(budget_notch(10, false), 10);
    }

    #[test]
    fn percentages_have_fine_steps_near_their_end() {
        let mut settings = with(Strategy::Threshold { min_frequency: 0.2 });
        let mut down = || {
            settings.notch(false, false);
            settings.min_frequency
        };
        assert_eq!([down(), down(), down(), down()], [15, 10, 9, 8]);
        let mut settings = with(Strategy::Coverage { target: 0.85 });
        let mut up = || {
            settings.notch(true, false);
            settings.target
        };
        assert_eq!([up(), up(), up()], [90, 91, 92]);
    }

    #[test]
    fn each_strategy_keeps_its_parameter() {
        let mut settings = with(Strategy::TokenBudget { max_tokens: 300 });
        for _ in 0..4 {
            settings.cycle_strategy(true);
        }
        assert_eq!(settings.strategy, Strategy::TokenBudget { max_tokens: 300 });
        settings.cycle_strategy(false);
        assert_eq!(settings.strategy, Strategy::Exhaustive);
        assert!(!settings.notch(true, false));
    }
}
