//! Double clicks. A terminal reports single presses only.

use std::time::{Duration, Instant};

use crate::tui::{
    input::{Mouse, MouseAction},
    message::Message,
};

/// Two presses in the same cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// The last press of the left button.
#[derive(Default)]
pub(super) struct Clicks {
    last: Option<(Instant, u16, u16)>,
}

impl Clicks {
    /// Turns the second press of a double click into [`MouseAction::DoublePress`]; leaves every other message alone.
    pub(super) fn count(&mut self, message: Message, now: Instant) -> Message {
        let Message::Mouse(mouse @ Mouse { action: MouseAction::Press, column, row }) = message else { return message };
        let is_double = self
            .last
            .is_some_and(|(at, x, y)| (x, y) == (column, row) && now.saturating_duration_since(at) <= DOUBLE_CLICK);
        // A third press begins anew.
        self.last = (!is_double).then_some((now, column, row));
        Message::Mouse(if is_double { Mouse { action: MouseAction::DoublePress, ..mouse } } else { mouse })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_presses_of_one_cell_are_a_double_click() {
        let start = Instant::now();
        let mut clicks = Clicks::default();
        let mut press = |after: u64, column| {
            let press = Message::Mouse(Mouse { action: MouseAction::Press, column, row: 3 });
            match clicks.count(press, start + Duration::from_millis(after)) {
                Message::Mouse(mouse) => mouse.action == MouseAction::DoublePress,
                _ => false,
            }
        };
        let presses = [(0, 5), (300, 5), (400, 5), (1000, 5), (1100, 6), (1200, 6)];
        assert_eq!(presses.map(|(after, column)| press(after, column)), [false, true, false, false, false, true]);
    }
}
