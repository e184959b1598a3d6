//! The first row: the title of the source, and the progress of indexing or a summary of the ledger.

use std::time::Duration;

use ratatui::{buffer::Buffer, layout::Rect};

use crate::tui::{
    command::Command,
    model::{FetchProgress, IndexingState, Model},
    widgets::{RowPainter, grouped, sanitized, share_text},
};
use apidisc::packages::DependencyState;

pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1).left("apidisc", roles.accent).gap(2);
    // The title keeps up to a third of the row; the numbers take the longest form that fits into the remaining cells.
    let room = usize::from(row.room().saturating_sub((model.title.chars().count() as u16).min(area.width / 3) + 2));
    if let Some(fetching) = &model.fetching {
        row.right(fitting(&fetch_forms(fetching), room), roles.dim);
        row.left(&model.title, roles.text);
        return;
    }
    match &model.indexing {
        IndexingState::Walking => {
            row.right("looking for files…", roles.dim);
        }
        IndexingState::Stopped { done, total } => {
            let again = model.keymap.first(Command::Reindex).map_or(String::new(), |key| format!(" · {key} goes on"));
            let counts = format!("stopped at {} of {} files", grouped(*done), grouped(*total));
            let forms = [format!("{counts}{again}"), counts, "stopped".to_owned()];
            row.right(fitting(&forms, room), roles.unknown);
        }
        IndexingState::Parsing { share, .. } => {
            let forms = parsing_forms(&model.indexing);
            let gauge = 16.min(area.width / 8);
            let text = fitting(&forms, room.saturating_sub(usize::from(gauge)));
            row.left(&model.title, roles.text);
            let start = row.room().saturating_sub(gauge + text.chars().count() as u16);
            row.gap(start).left(text, roles.dim);
            row.bar(gauge, *share, roles.gauge, roles.gauge_track);
            return;
        }
        IndexingState::Failed(_) => {
            row.right("not indexed", roles.error);
        }
        IndexingState::Done if model.shows_packages() => {
            row.right(fitting(&package_forms(model), room), roles.dim);
        }
        IndexingState::Done => {
            row.right(fitting(&ledger_forms(model), room), roles.dim);
        }
    }
    row.left(&model.title, roles.text);
}

/// The progress of parsing or linking, in shorter and shorter forms; none in another state.
fn parsing_forms(state: &IndexingState) -> Vec<String> {
    let IndexingState::Parsing { done, total, calls, share, elapsed, is_linking } = state else { return Vec::new() };
    let (done_words, total_words, calls) = (grouped(*done), grouped(*total), grouped(*calls));
    match pace(*done, *share, *elapsed) {
        _ if *is_linking => vec![
            format!("linking the first {done_words} of {total_words} files, to show them · {calls} calls "),
            format!("linking the first {done_words} of {total_words} files "),
            format!("linking {done_words}/{total_words} files "),
        ],
        Some((speed, left)) if done < total => vec![
            format!("indexing {done_words} of {total_words} files · {calls} calls · {speed} files/s · {left} left "),
            format!("indexing {done_words} of {total_words} files · {calls} calls · {left} left "),
            format!("{done_words} of {total_words} files · {left} left "),
            format!("{done_words}/{total_words} files "),
        ],
        _ if done == total && *done > 0 => {
            vec![format!("linking {total_words} files · {calls} calls "), "linking ".to_owned()]
        }
        _ => vec![format!("indexing {total_words} files "), format!("{done_words}/{total_words} files ")],
    }
}

/// The summary of the ledger and the number of problems, in shorter and shorter forms; none without an index.
fn ledger_forms(model: &Model) -> Vec<String> {
    let Some(catalog) = &model.catalog else { return Vec::new() };
    let key = |command| model.keymap.first(command).map_or(String::new(), |key| format!(" ({key})"));
    let of_documents = model.api.catalog.as_ref().map_or(0, |api| api.problems().count());
    let problems = match catalog.index.diagnostics.len() + of_documents {
        0 => String::new(),
        1 => format!(" · 1 problem{}", key(Command::Problems)),
        n => format!(" · {} problems{}", grouped(n), key(Command::Problems)),
    };
    let ledger = catalog.index.ledger;
    let calls = match ledger.internal() {
        0 => "no calls".to_owned(),
        1 => "1 call".to_owned(),
        n => format!("{} calls", grouped(n as usize)),
    };
    let resolved = share_text(ledger.resolved, ledger.internal());
    let resolved = resolved.map_or(String::new(), |share| format!(", {share} resolved"));
    let packages = match model.packages.read().filter(|used| used.has_definitions()) {
        None => String::new(),
        Some(used) => format!(" · {}{}", used.in_words(), key(Command::Packages)),
    };
    let mut forms = Vec::new();
    if let Some(around) = &model.around {
        let of =
            if around.is_counted { format!("with those of all of {}", around.name) } else { "of it alone".to_owned() };
        let around = format!(", {of}{}", key(Command::Around));
        forms.extend([
            format!("{calls} into this code{around}{resolved}{}{packages}{problems}", key(Command::Ledger)),
            format!("{calls} into this code{around}{resolved}{packages}{problems}"),
            format!("{calls}{around}{problems}"),
        ]);
    }
    forms.extend([
        format!("{calls} into this code{resolved}{}{packages}{problems}", key(Command::Ledger)),
        format!("{calls} into this code{resolved}{packages}{problems}"),
        format!("{calls}{resolved}{packages}{problems}"),
    ]);
    if !packages.is_empty() {
        forms.push(format!("{calls}{packages}{problems}"));
    }
    forms.extend([format!("{calls}{resolved}{problems}"), format!("{calls}{resolved}"), calls]);
    forms
}

/// What is known of the packages, in shorter and shorter forms.
fn package_forms(model: &Model) -> Vec<String> {
    let Some(used) = model.packages.read() else { return Vec::new() };
    let packages = used.packages().len();
    let counts = format!("{} calls of {}", grouped(used.calls() as usize), used.in_words());
    let absent = used.packages().iter().filter(|package| package.state == DependencyState::NotInstalled).count();
    let key = model.keymap.first(Command::Page).map_or(String::new(), |key| format!(" ({key})"));
    let absent = match absent {
        0 => String::new(),
        1 if packages == 1 => format!(", not installed{key}"),
        all if all == packages => format!(", none of them installed{key}"),
        some => format!(" · {some} not installed{key}"),
    };
    let environment = used.environment.as_ref().map(|from| format!(" · {}", sanitized(from)));
    let environment = environment.unwrap_or_default();
    vec![
        format!("{counts}{absent}{environment}"),
        format!("{counts}{environment}"),
        format!("{counts}{absent}"),
        counts,
    ]
}

/// The text about the sources that are being fetched, in shorter and shorter forms.
fn fetch_forms(FetchProgress { sources, elapsed }: &FetchProgress) -> [String; 4] {
    let seconds = elapsed.as_secs();
    let Some((url, step)) = sources.first() else { return Default::default() };
    let more = match sources.len() - 1 {
        0 => String::new(),
        n => format!(" · {n} more"),
    };
    let (url, step) = (sanitized(url), sanitized(step));
    let step = if step.is_empty() { String::new() } else { format!(": {step}") };
    let name = url.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    [
        format!("cloning {url}{step} · {seconds} s{more} "),
        format!("cloning {name}{step} · {seconds} s{more} "),
        format!("cloning {name} · {seconds} s{more} "),
        format!("cloning · {seconds} s "),
    ]
}

/// Files per second, and the estimated time left; `None` before the estimate is reliable.
fn pace(done: usize, share: f64, elapsed: Duration) -> Option<(String, String)> {
    let seconds = elapsed.as_secs_f64();
    if done == 0 || share < 0.02 || seconds < 0.1 {
        return None;
    }
    let left = (seconds * (1.0 - share) / share).ceil();
    let left = if left < 120.0 { format!("{left} s") } else { format!("{} min", (left / 60.0).ceil()) };
    Some((grouped((done as f64 / seconds) as usize), left))
}

/// The first form that fits into `room` cells; empty if none does.
pub(super) fn fitting(forms: &[String], room: usize) -> &str {
    forms.iter().find(|form| crate::tui::widgets::width(form) <= room).map_or("", String::as_str)
}
