//! The scale of the plot: it maps points to cells for the view, and columns back to tokens for the mouse.

use ratatui::layout::Rect;

use apidisc::delivery::curve::Curve;

/// A point: tokens, and a share between 0 and 1.
pub type PlotPoint = (usize, f64);

/// The number of cells left of the vertical axis, for its labels.
pub const GUTTER: u16 = 6;

/// Maps points to cells: shares linearly upwards, tokens logarithmically to the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotScale {
    /// The area between the axes.
    pub area: Rect,
    /// The number of tokens at the left edge.
    pub least: f64,
    /// The number of tokens at the right edge.
    pub most: f64,
}

impl PlotScale {
    /// The scale of a plot that shows every point of a curve, and the present setting `here`. The plot fills `area`,
    /// axes included. `None` if there is no point, or if the area is too small.
    pub fn of(curve: &Curve, here: Option<PlotPoint>, area: Rect) -> Option<Self> {
        let area = Rect {
            x: area.x + GUTTER,
            y: area.y,
            width: area.width.saturating_sub(GUTTER + 1),
            height: area.height.saturating_sub(2),
        };
        let points = [&curve.budgets[..], &curve.thresholds, &curve.targets, curve.exhaustive.as_slice()];
        let tokens = || {
            let points = points.into_iter().flatten().map(|point| point.tokens);
            points.chain(here.map(|(tokens, _)| tokens)).map(|tokens| tokens.max(1) as f64)
        };
        let least = tokens().reduce(f64::min)?;
        let most = tokens().reduce(f64::max)?.max(least * 1.05);
        (area.width >= 8 && area.height >= 2).then_some(Self { area, least, most })
    }

    /// The column and the row of a point's Braille dot, counted from the upper left corner of the area. A cell is two
    /// dots wide and four dots high. A share is at the height of the middle of its label, and 0% is on the axis.
    pub fn dot(&self, (tokens, share): PlotPoint) -> (usize, usize) {
        let columns = f64::from(self.area.width * 2 - 1);
        let rows = f64::from(self.area.height * 4);
        let across = (tokens.max(1) as f64 / self.least).ln() / (self.most / self.least).ln();
        let column = (across.clamp(0.0, 1.0) * columns).round();
        let row = (1.0 + (1.0 - share.clamp(0.0, 1.0)) * rows).round().min(rows - 1.0);
        (column as usize, row as usize)
    }

    /// The cell of a point on the screen.
    pub fn cell(&self, at: PlotPoint) -> (u16, u16) {
        let (column, row) = self.dot(at);
        (self.area.x + (column / 2) as u16, self.area.y + (row / 4) as u16)
    }

    /// The roundest number of tokens that is drawn in this column of the screen.
    pub fn tokens(&self, column: u16) -> usize {
        let dots = f64::from(self.area.width * 2 - 1);
        let at = |dot: f64| self.least * (self.most / self.least).powf((dot / dots).clamp(0.0, 1.0));
        let dot = f64::from(column.saturating_sub(self.area.x) * 2);
        let middle = at(dot + 0.5);
        let powers = (0..7).rev().map(|power| 10_f64.powi(power));
        let steps = powers.flat_map(|power| [power * 5.0, power * 2.0, power]);
        let round = steps.map(|step| (middle / step).round() * step);
        let is_here = |tokens: &f64| *tokens >= 1.0 && self.cell((*tokens as usize, 0.0)).0 == column;
        round.map(f64::round).find(is_here).unwrap_or(middle).round() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: PlotScale = PlotScale { area: Rect { x: 7, y: 3, width: 40, height: 12 }, least: 30.0, most: 3_000.0 };

    #[test]
    fn the_tokens_of_a_column_are_drawn_in_it() {
        let columns = SCALE.area.x..SCALE.area.right();
        let tokens: Vec<usize> = columns.clone().map(|column| SCALE.tokens(column)).collect();
        for (column, tokens) in columns.zip(&tokens) {
            assert_eq!(SCALE.cell((*tokens, 0.5)).0, column, "{tokens}");
        }
        assert!(tokens.is_sorted() && tokens.contains(&100) && tokens.contains(&1_000), "{tokens:?}");
    }

    #[test]
    fn a_share_is_level_with_its_label() {
        for (share, row) in [(1.0, 0), (0.75, 3), (0.5, 6), (0.25, 9)] {
            let (_, dot) = SCALE.dot((100, share));
            assert_eq!((dot / 4, dot % 4), (row, 1), "{share}");
        }
        assert_eq!(SCALE.dot((100, 0.0)).1, 47);
    }
}
