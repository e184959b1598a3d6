//! The exhaustive stub compared with the present one, line by line.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::tui::theme::SyntaxRuns;
use apidisc::{
    delivery::{Delivery, DeliveryError, Format, Packer},
    language::Language,
    strategy::Strategy,
    stub::Style,
};

/// Both stubs and their alignment.
#[derive(Clone, Debug, PartialEq)]
pub struct StubComparison {
    /// The exhaustive stub.
    pub before: ComparedStub,
    /// The present stub.
    pub after: ComparedStub,
    /// The rows in two columns. In the present stub a comment stands for hidden lines; it is beside the last of them.
    pub beside: Vec<ComparisonRow>,
    /// The rows in one column.
    pub merged: Vec<ComparisonRow>,
}

/// One of the stubs.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedStub {
    /// Its lines.
    pub lines: Vec<String>,
    /// The syntax runs of its lines, as far as they are known.
    pub runs: Vec<SyntaxRuns>,
    /// Its language.
    pub language: Language,
    /// The tokens of its delivery.
    pub tokens: usize,
}

/// A row: a line of one stub, or a line of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonRow {
    /// The line of the exhaustive stub.
    pub before: Option<usize>,
    /// The line of the present stub.
    pub after: Option<usize>,
}

impl ComparedStub {
    /// A stub without syntax runs.
    pub fn new(text: &str, language: Language, tokens: usize) -> Self {
        Self { lines: text.lines().map(str::to_owned).collect(), runs: Vec::new(), language, tokens }
    }
}

impl StubComparison {
    /// Compares the exhaustive stub of the packer `all` with the stub that `packer` makes by the strategy, both in one
    /// wording. This takes
    /// longer than a delivery, so it runs on a worker.
    ///
    /// # Errors
    /// If one of the stubs cannot be made.
    pub fn of(all: &Packer, packer: &Packer, style: Style, strategy: Strategy) -> Result<Self, DeliveryError> {
        let before = all.deliver_in(style, &Strategy::Exhaustive, Format::Stub)?;
        let after = packer.deliver_in(style, &strategy, Format::Stub)?;
        Ok(Self::between(side(&before), side(&after)))
    }

    /// Aligns two stubs by a patience diff.
    pub fn between(before: ComparedStub, after: ComparedStub) -> Self {
        let ops = capture_diff_slices(Algorithm::Patience, &before.lines, &after.lines);
        let (mut beside, mut merged) = (Vec::new(), Vec::new());
        for op in ops {
            let (old, new) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                let same =
                    old.zip(new).map(|(before, after)| ComparisonRow { before: Some(before), after: Some(after) });
                beside.extend(same.clone());
                merged.extend(same);
                continue;
            }
            merged.extend(old.clone().map(|line| ComparisonRow { before: Some(line), after: None }));
            merged.extend(new.clone().map(|line| ComparisonRow { before: None, after: Some(line) }));
            let height = old.len().max(new.len());
            // The last row of the group contains the last line of each range.
            let at = |range: &std::ops::Range<usize>, row: usize| {
                (row + range.len()).checked_sub(height).map(|at| range.start + at)
            };
            beside.extend((0..height).map(|row| ComparisonRow { before: at(&old, row), after: at(&new, row) }));
        }
        Self { before, after, beside, merged }
    }

    /// The rows, in two columns or in one.
    pub fn rows(&self, is_beside: bool) -> &[ComparisonRow] {
        if is_beside { &self.beside } else { &self.merged }
    }

    /// True if both stubs have the line.
    pub fn is_kept(&self, line: ComparisonRow) -> bool {
        matches!(line, ComparisonRow { before: Some(old), after: Some(new) } if self.before.lines[old] == self.after.lines[new])
    }
}

fn side(delivery: &Delivery) -> ComparedStub {
    ComparedStub::new(&delivery.text, delivery.language, delivery.tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_lines_are_in_one_row() {
        let side = |text: &str| ComparedStub::new(text, Language::Python, 0);
        let comparison = StubComparison::between(side("a\nb\nc\nd"), side("a\n# 2 hidden\nd"));
        let rows = |rows: &[ComparisonRow]| rows.iter().map(|line| (line.before, line.after)).collect::<Vec<_>>();
        assert_eq!(
            rows(&comparison.merged),
            [(Some(0), Some(0)), (Some(1), None), (Some(2), None), (None, Some(1)), (Some(3), Some(2))]
        );
        assert_eq!(
            rows(&comparison.beside),
            [(Some(0), Some(0)), (Some(1), None), (Some(2), Some(1)), (Some(3), Some(2))]
        );
        let kept = comparison.beside.iter().map(|line| comparison.is_kept(*line)).collect::<Vec<_>>();
        assert_eq!(kept, [true, false, false, true]);
    }
}
