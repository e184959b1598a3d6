//! The exhaustive stub beside the present one, line by line.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::engine::{
    strategy::Strategy,
    stub::{Delivery, DeliveryError, Format, Packer},
};

/// Both stubs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    /// Everything.
    pub before: Side,
    /// The present one.
    pub after: Side,
    /// Which lines stand beside each other, from the top.
    pub rows: Vec<Line>,
}

/// One of the stubs.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Its lines.
    pub lines: Vec<String>,
    /// Tokens of the delivery.
    pub tokens: usize,
}

/// A row: a line that both have, one that was cut, or one that says what was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line of everything.
    pub before: Option<usize>,
    /// The line of the present stub.
    pub after: Option<usize>,
}

impl Cuts {
    /// Puts the stubs that two packers of one scope cut beside each other: of `all` everything, of `packer` what the
    /// strategy leaves. That takes longer than a delivery: do it off the drawing thread.
    ///
    /// # Errors
    /// Why there is no stub.
    pub fn of(all: &Packer, packer: &Packer, strategy: Strategy) -> Result<Self, DeliveryError> {
        let before = all.deliver(&Strategy::Exhaustive, Format::Stub)?;
        let after = packer.deliver(&strategy, Format::Stub)?;
        Ok(Self::between(side(&before), side(&after)))
    }

    /// Puts two stubs beside each other.
    pub fn between(before: Side, after: Side) -> Self {
        let ops = capture_diff_slices(Algorithm::Patience, &before.lines, &after.lines);
        let mut rows = Vec::with_capacity(before.lines.len());
        let cut = |lines: std::ops::Range<usize>| lines.map(|line| Line { before: Some(line), after: None });
        let added = |lines: std::ops::Range<usize>| lines.map(|line| Line { before: None, after: Some(line) });
        for op in ops {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                let same = |at| Line { before: Some(old_index + at), after: Some(new_index + at) };
                rows.extend((0..len).map(same));
            } else {
                rows.extend(cut(op.old_range()));
                rows.extend(added(op.new_range()));
            }
        }
        Self { before, after, rows }
    }
}

fn side(delivery: &Delivery) -> Side {
    Side { lines: delivery.text.lines().map(str::to_owned).collect(), tokens: delivery.tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_have_stands_beside_itself() {
        let side = |text: &str| Side { lines: text.lines().map(str::to_owned).collect(), tokens: 0 };
        let cuts = Cuts::between(side("a\nb\nc\nd"), side("a\n# 2 hidden\nd"));
        let rows: Vec<_> = cuts.rows.iter().map(|line| (line.before, line.after)).collect();
        assert_eq!(rows, [(Some(0), Some(0)), (Some(1), None), (Some(2), None), (None, Some(1)), (Some(3), Some(2))]);
    }
}
