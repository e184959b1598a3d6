//! Checks of the terminal, its colours, and the clipboard.

use std::{
    env,
    io::{self, IsTerminal as _},
};

use super::check::Check;
use crate::clipboard::{self, Way};

const NO_TERMINAL: &str = "the explorer needs one; --export, serve, ask and the other commands do not";

/// The terminal on standard input and output. The explorer shows nothing in a window smaller than `smallest`.
pub(super) fn terminal(smallest: (u16, u16)) -> Check {
    const NAME: &str = "terminal";
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Check::note(NAME, "standard input or output is no terminal", NO_TERMINAL);
    }
    let kind = env::var("TERM").unwrap_or_default();
    if kind == "dumb" {
        let remedy = "the explorer needs a terminal that can move its cursor; set TERM to what the terminal is, or use \
                      --export";
        return Check::note(NAME, "TERM is dumb", remedy);
    }
    let Ok((columns, rows)) = crossterm::terminal::size() else {
        return Check::note(NAME, "the terminal does not tell its size", "the explorer needs the size; use --export");
    };
    let name = if kind.is_empty() { "no TERM" } else { &kind };
    let found = format!("{name}, {columns} x {rows}");
    if columns < smallest.0 || rows < smallest.1 {
        let remedy = format!("the explorer needs {} x {}; make the window larger", smallest.0, smallest.1);
        return Check::note(NAME, found, remedy);
    }
    Check::ok(NAME, found)
}

/// The number of colours that the explorer uses.
pub(super) fn colours(colours: &str) -> Check {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let set: Vec<&str> = ["NO_COLOR", "COLORTERM", "TERM"].into_iter().filter(|name| is_set(name)).collect();
    let from = if set.is_empty() { "no variable names more".to_owned() } else { format!("from {}", set.join(", ")) };
    Check::ok("colours", format!("{colours}, {from}; --color and color in config.toml choose others"))
}

/// The way in which the explorer copies.
pub(super) fn clipboard() -> Check {
    const NAME: &str = "clipboard";
    let fallback = "copies go through the terminal (OSC 52) instead, which not every terminal takes";
    match (clipboard::first_way(), clipboard::works(clipboard::first_way())) {
        (way @ (Way::Tmux | Way::System), true) => Check::ok(NAME, format!("copies go to {way}")),
        (Way::Tmux, false) => Check::note(NAME, "tmux cannot be started", fallback),
        (Way::System, false) => Check::note(NAME, "no desktop whose clipboard can be reached", fallback),
        (Way::Osc52 | Way::LargeOsc52, _) => {
            Check::ok(NAME, "over SSH copies go through the terminal (OSC 52), if the terminal takes them")
        }
    }
}
