//! `--evaluate`: the held-out coverage of strategies.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

use serde::Serialize;

use super::{Input, RequestSource, output, progress::ProgressLine};
use crate::cache::Cache;
use apidisc::{
    control::Control,
    delivery::{
        StubRequest,
        evaluate::{BASELINES, CoveredUses, Evaluation, EvaluationTotals, FOLDS, StrategyEvaluation, evaluate},
    },
    strategy::{BaselineOrder, Strategy},
    stub::uses_in_words,
    unprintable::escaped_line,
};

/// The budgets of `token-budget` if none are given.
const BUDGETS: [usize; 4] = [500, 1000, 2000, 4000];

/// Measures and prints held-out coverage.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluate {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The scope, weights, overrides and tokenizer; also the strategy, if `strategies` is empty.
    pub request: RequestSource,
    /// The strategies to measure.
    pub strategies: Vec<Measured>,
    /// The budgets to measure for `token-budget` without a number.
    pub budgets: Vec<usize>,
    /// Print JSON instead of a table.
    pub json: bool,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

/// One strategy, or a family of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured {
    /// A single strategy.
    Strategy(Strategy),
    /// The strategy `token-budget` once for each of the budgets.
    Budgets,
}

impl Measured {
    /// The default: one strategy of each kind.
    pub(super) fn usual() -> Vec<Self> {
        let strategies = [
            Strategy::Threshold { min_frequency: Strategy::DEFAULT_MIN_FREQUENCY },
            Strategy::Coverage { target: Strategy::DEFAULT_TARGET },
            Strategy::Exhaustive,
        ];
        [Self::Budgets].into_iter().chain(strategies.map(Self::Strategy)).collect()
    }
}

impl Evaluate {
    /// Indexes, measures, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let request = self.request.resolve(&self.input)?;
        let index = Arc::new(self.input.load(self.cache.as_ref())?);
        let mut line = ProgressLine::new();
        let mut observe = |done, total| {
            line.show_stubs(done, total);
            Control::Continue
        };
        let evaluation = evaluate(&index, &request, &self.strategies(&request), &mut observe);
        let evaluation = evaluation.map_err(|error| self.request.with_place(&self.input, error))?.unwrap_or_default();
        line.erase();
        let scope = request.symbol.as_deref().or(request.module.as_deref()).unwrap_or("everything");
        output::write(self.output.as_deref(), |out| {
            if self.json { json(&evaluation, scope, &request, out) } else { table(&evaluation, scope, out) }
        })?;
        self.input.report(&index, self.verbose)
    }

    fn strategies(&self, request: &StubRequest) -> Vec<Strategy> {
        let budgets = if self.budgets.is_empty() { &BUDGETS[..] } else { &self.budgets };
        let budgets = || budgets.iter().map(|&max_tokens| Strategy::TokenBudget { max_tokens });
        let mut strategies: Vec<Strategy> = Vec::new();
        for measured in &self.strategies {
            match measured {
                Measured::Strategy(strategy) => strategies.push(*strategy),
                Measured::Budgets => strategies.extend(budgets()),
            }
        }
        if strategies.is_empty() { vec![request.strategy] } else { strategies }
    }
}

/// Prints a row per strategy, in columns. Shares are those of calls, except in the column of held-out reads.
fn table(evaluation: &Evaluation, scope: &str, out: &mut dyn Write) -> io::Result<()> {
    let Evaluation { files, ceiling, strategies } = evaluation;
    let (scope, uses) = (escaped_line(scope), uses_in_words(ceiling.known));
    writeln!(out, "{scope}: {uses} in {files} files, held out a fifth of the files at a time")?;
    let share = |share: Option<f64>, word: &str| Some(format!("{} of the {word}", percent(Some(share?))));
    let known = [share(ceiling.calls(), "calls"), share(ceiling.reads(), "reads")].into_iter().flatten();
    let known = known.collect::<Vec<_>>().join(" and ");
    writeln!(out, "a stub of everything that the other files use covers {known}")?;
    writeln!(out)?;
    let naive = BASELINES.map(BaselineOrder::word);
    let mut lines = vec![
        vec!["strategy", "tokens", "counted", "held out", "outside", "reads", naive[0], naive[1], naive[2]]
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
    ];
    for StrategyEvaluation { strategy, result } in strategies {
        let mut line = vec![strategy.to_string()];
        match result {
            Ok(figures) => {
                line.push(figures.mean_tokens().to_string());
                let baselines = figures.baselines.map(CoveredUses::calls);
                let EvaluationTotals { counted, held_out, outside, .. } = figures;
                let shares = [counted.calls(), held_out.calls(), outside.calls(), held_out.reads()];
                line.extend(shares.into_iter().chain(baselines).map(percent));
            }
            Err(why) => line.push(why.to_string()),
        }
        lines.push(line);
    }
    let width = |column: usize| {
        let cells = lines.iter().filter(|line| line.len() > 2).filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..9).map(width).collect();
    for line in &lines {
        write!(out, "{:<1$}", line[0], widths[0])?;
        if let [_, why] = &line[..] {
            write!(out, "  {why}")?;
        } else {
            line.iter().zip(&widths).skip(1).try_for_each(|(cell, width)| write!(out, "  {cell:>width$}"))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A percentage with one decimal place. It is 0.0% or 100.0% only if the share is exactly that.
fn percent(share: Option<f64>) -> String {
    let Some(share) = share else { return "-".to_owned() };
    let tenths = (share * 1000.0).round();
    let tenths = if share > 0.0 && share < 1.0 { tenths.clamp(1.0, 999.0) } else { tenths };
    format!("{:.1}%", tenths / 10.0)
}

#[derive(Serialize)]
struct EvaluationReport<'a> {
    scope: &'a str,
    folds: usize,
    files: usize,
    calls: u32,
    reads: u32,
    /// The coverage of a stub of everything that the other files use.
    ceiling: ReportShare,
    ceiling_reads: ReportShare,
    encoding: &'a str,
    weights: String,
    rows: Vec<ReportRow>,
}

#[derive(Serialize)]
struct ReportRow {
    strategy: String,
    /// The mean number of tokens over the folds.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<ReportShare>,
    /// The held-out calls in tests, examples and documents, each of them once.
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_reads: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out_reads: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alphabetical: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_order: Option<ReportShare>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct ReportShare {
    covered: u32,
    known: u32,
    share: Option<f64>,
}

impl ReportShare {
    fn of_calls(uses: CoveredUses) -> Self {
        Self { covered: uses.covered.calls, known: uses.known.calls, share: uses.calls() }
    }

    fn of_reads(uses: CoveredUses) -> Self {
        Self { covered: uses.covered.reads, known: uses.known.reads, share: uses.reads() }
    }
}

fn json(evaluation: &Evaluation, scope: &str, request: &StubRequest, out: &mut dyn Write) -> io::Result<()> {
    let row = |row: &StrategyEvaluation| {
        let figures: Option<&EvaluationTotals> = row.result.as_ref().ok();
        let naive = |place: usize| figures.map(|figures| ReportShare::of_calls(figures.baselines[place]));
        ReportRow {
            strategy: row.strategy.to_string(),
            tokens: figures.map(EvaluationTotals::mean_tokens),
            counted: figures.map(|figures| ReportShare::of_calls(figures.counted)),
            held_out: figures.map(|figures| ReportShare::of_calls(figures.held_out)),
            outside: figures.map(|figures| ReportShare::of_calls(figures.outside)),
            counted_reads: figures.map(|figures| ReportShare::of_reads(figures.counted)),
            held_out_reads: figures.map(|figures| ReportShare::of_reads(figures.held_out)),
            random: naive(0),
            alphabetical: naive(1),
            source_order: naive(2),
            error: row.result.as_ref().err().map(ToString::to_string),
        }
    };
    let report = EvaluationReport {
        scope,
        folds: FOLDS,
        files: evaluation.files,
        calls: evaluation.ceiling.known.calls,
        reads: evaluation.ceiling.known.reads,
        ceiling: ReportShare::of_calls(evaluation.ceiling),
        ceiling_reads: ReportShare::of_reads(evaluation.ceiling),
        encoding: request.encoding.name(),
        weights: request.weights.to_string(),
        rows: evaluation.strategies.iter().map(row).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}
