//! The progress of long work: one line on standard error if that is a terminal, erased at the end.

use std::{
    io::{IsTerminal as _, Write as _, stderr},
    time::{Duration, Instant},
};

use apidisc::indexer::Progress;

/// The time before the line is drawn: for shorter work it would only flicker.
const QUIET: Duration = Duration::from_millis(300);
const INTERVAL: Duration = Duration::from_millis(100);
const ERASE: &str = "\r\x1b[K";

/// The progress line; it draws nothing if standard error is no terminal.
pub(super) struct ProgressLine {
    is_enabled: bool,
    started: Instant,
    drawn: Option<Instant>,
}

impl ProgressLine {
    pub(super) fn new() -> Self {
        Self { is_enabled: stderr().is_terminal(), started: Instant::now(), drawn: None }
    }

    /// Draws the progress of indexing, unless the line was drawn a moment ago.
    pub(super) fn show(&mut self, progress: &Progress) {
        let &Progress::Parsed { done, total, calls, share } = progress else { return };
        self.draw(done == total, |elapsed| describe(done, total, calls, share, elapsed));
    }

    /// Draws the progress of an evaluation, counted in stubs, unless the line was drawn a moment ago.
    pub(super) fn show_stubs(&mut self, done: usize, total: usize) {
        self.draw(false, |elapsed| describe_stubs(done, total, elapsed));
    }

    /// Draws a text, unless the line was drawn a moment ago.
    pub(super) fn show_text(&mut self, text: &str) {
        self.draw(false, |_| text.to_owned());
    }

    fn draw(&mut self, is_last: bool, describe: impl Fn(Duration) -> String) {
        let elapsed = self.started.elapsed();
        let is_due = elapsed >= QUIET && self.drawn.is_none_or(|drawn| drawn.elapsed() >= INTERVAL);
        if !self.is_enabled || !(is_due || self.drawn.is_some() && is_last) {
            return;
        }
        // A line that wraps could not be erased. Some terminals report a width of 0 columns.
        let width = crossterm::terminal::size().map_or(0, |(columns, _)| usize::from(columns));
        let width = if width == 0 { 80 } else { width };
        let text: String = describe(elapsed).chars().take(width.saturating_sub(1)).collect();
        let _ = write!(stderr(), "{ERASE}{text}");
        self.drawn = Some(Instant::now());
    }

    /// Erases the line, so that it does not mix with the results.
    pub(super) fn erase(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(stderr(), "{ERASE}");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.erase();
    }
}

fn describe(done: usize, total: usize, calls: usize, share: f64, elapsed: Duration) -> String {
    let elapsed = elapsed.as_secs_f64();
    let speed = done as f64 / elapsed.max(0.001);
    if done >= total {
        return format!("{total} files, {calls} calls, {speed:.0} files/s; linking");
    }
    let counts = format!("{done} of {total} files, {calls} calls, {speed:.0} files/s");
    // Before 2% are done, the remaining time cannot be estimated.
    if share < 0.02 {
        return counts;
    }
    format!("{counts}, {:.0} s left", (elapsed * (1.0 - share) / share).ceil())
}

fn describe_stubs(done: usize, total: usize, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() * (total.saturating_sub(done)) as f64 / done.max(1) as f64;
    format!("{done} of {total} stubs cut, {:.0} s left", left.ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_shows_counts_speed_and_time_left() {
        let second = Duration::from_secs(1);
        assert_eq!(describe(100, 250, 1234, 0.25, second), "100 of 250 files, 1234 calls, 100 files/s, 3 s left");
        assert_eq!(describe(250, 250, 3000, 1.0, 2 * second), "250 files, 3000 calls, 125 files/s; linking");
        assert_eq!(describe(0, 10, 0, 0.0, Duration::ZERO), "0 of 10 files, 0 calls, 0 files/s");
        assert_eq!(describe_stubs(20, 80, 2 * second), "20 of 80 stubs cut, 6 s left");
    }
}
