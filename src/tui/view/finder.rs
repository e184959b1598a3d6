//! The finder: the query, the hits, and a preview of the selected hit.
//!
//! ```text
//! ╭ Find 37 matches ──── Esc closes ╮╭ station.Agent ─────────────────╮
//! │ > agent kind:class              ││ class Agent                    │
//! │▌C Agent  station            412 ││ 412 calls: src 206 · tests 206 │
//! │ C BaseAgent  station.core     3 ││ …                              │
//! │ By meaning                      ││                                │
//! │ ƒ fetch  gets the readings   19 ││                                │
//! ╰─────────────────────────────────╯╰────────────────────────────────╯
//! ```

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Position},
};
use unicode_segmentation::UnicodeSegmentation as _;

use super::{clear, meaning, message, page, pane, symbols::glyph, typed};
use crate::tui::{
    command::Command,
    geometry,
    model::{Finder, MeaningTarget, Model},
    widgets::{Border, RowPainter, grouped, scroll_mark, width},
};
use apidisc::{
    index::Index,
    search::{FILTERS, SearchHit, SearchTarget},
};

pub(super) fn draw(model: &Model, finder: &Finder, buffer: &mut Buffer) -> Position {
    let roles = &model.theme.roles;
    let area = geometry::finder(model.size);
    for frame in [area.frame, area.detail] {
        clear(model, frame, buffer);
    }
    Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    let mut top = Border::top(area.frame, buffer);
    if let Some(key) = model.keymap.first(Command::Cancel) {
        top.right(&format!(" {key} closes "), roles.dim);
    }
    let found = match finder.total {
        0 if finder.is_waiting() => String::new(),
        0 => "0 matches ".to_owned(),
        // The `+` shows that the search continues.
        n if finder.has_current_hits() && finder.is_waiting() => format!("{}+ matches ", grouped(n)),
        1 => "1 match ".to_owned(),
        n => format!("{} matches ", grouped(n)),
    };
    top.left(" Find ", roles.title_focused).left(&found, roles.count);
    let mut row = RowPainter::new(buffer, area.head, 0);
    row.gap(1).margin(1).left("> ", roles.accent);
    let cursor = typed(&mut row, &finder.input, roles.text);
    let rows = geometry::finder_rows(area.list, finder.hits.len(), finder.meaning.len());
    if let Some(catalog) = model.searched() {
        for (line, at, selected) in
            pane::visible(rows.names, finder.cursor.offset, finder.cursor.selected, finder.hits.len())
        {
            let place = twin_place(&catalog.index, &finder.hits, at);
            let row = RowPainter::new(buffer, rows.names, line);
            hit(model, &catalog.index, &finder.hits[at], place.as_deref(), selected, row);
            if selected {
                pane::highlight(rows.names, line, roles.selected, buffer);
            }
        }
        meaning::draw(model, &catalog.index, finder, &rows, buffer);
    }
    if finder.hits.is_empty() && !finder.meaning.is_empty() {
        RowPainter::new(buffer, rows.names, 0).gap(3).left("nothing has that name", roles.dim);
    } else if finder.hits.is_empty() && !finder.is_waiting() {
        let (query, _) = finder.query();
        let is_condition = query.contains(':') || query.contains("->");
        let lines = if is_condition {
            ["nothing meets this condition", "the list of filters shows how each is written"]
        } else {
            ["nothing has that name", "every word has to match"]
        };
        message(model, area.list, buffer, &lines);
    } else if finder.hits.is_empty() && model.catalog.is_none() {
        message(model, area.list, buffer, &["indexing…"]);
    } else if model.searched().is_none() {
        message(model, area.list, buffer, &["the packages are not read yet"]);
    } else if finder.hits.is_empty() {
        message(model, area.list, buffer, &["searching…"]);
    }
    scroll_mark(buffer, area.frame, rows.names, finder.cursor.offset, finder.hits.len(), roles.border_focused);
    preview(model, finder, area.detail, buffer);
    cursor
}

/// The text that tells a hit from other hits with the same full name: the module that defines it, or the place of the
/// definition if that module defines several. `None` if no other hit has the name.
fn twin_place(index: &Index, hits: &[SearchHit], at: usize) -> Option<String> {
    let definition = |hit: &SearchHit| match hit.target {
        SearchTarget::Definition(id) | SearchTarget::Parameter(id, _) => Some(index.definition(id)),
        SearchTarget::Module(_) => None,
    };
    let own = definition(&hits[at])?;
    let others = hits.iter().enumerate().filter(|(other, hit)| *other != at && hit.full_name == hits[at].full_name);
    let mut modules = others.filter_map(|(_, hit)| Some(definition(hit)?.module)).peekable();
    modules.peek()?;
    if modules.any(|module| module == own.module) {
        let file = index.source_of(own)?;
        return Some(format!("{}:{}", file.path, own.place.line));
    }
    Some(index.module(own.module).fqn.to_string())
}

/// Draws a row of the list: the hit's kind, label, prefix, calls, and its place if others look the same.
fn hit(model: &Model, index: &Index, hit: &SearchHit, place: Option<&str>, selected: bool, mut row: RowPainter<'_>) {
    let roles = &model.theme.roles;
    row.left(if selected { "▌" } else { " " }, roles.accent).margin(1);
    let (word, calls) = match hit.target {
        SearchTarget::Module(id) => {
            (if index.module(id).is_package { "package" } else { "module" }, index.module(id).uses())
        }
        // As in the list of symbols, the uses of a class are those of its members, too.
        SearchTarget::Definition(id) => (index.definition(id).kind.word(), index.uses_within(id)),
        SearchTarget::Parameter(id, at) => {
            ("parameter", index.usage(id).parameters.get(usize::from(at)).map_or(0, |row| row.count))
        }
    };
    let calls_text = if calls > 0 { grouped(calls as usize) } else { String::new() };
    row.right(&format!("{calls_text:>7}"), roles.count).margin(1);
    if row.room() >= 56 {
        row.right(&format!("{word:<12}"), roles.dim).margin(1);
    }
    let (mark, style) = match hit.target {
        SearchTarget::Definition(id) => glyph(roles, index.definition(id).kind),
        SearchTarget::Parameter(..) => ("·", roles.required),
        SearchTarget::Module(_) => ("M", roles.dim),
    };
    row.left(mark, style).gap(1);
    let name = pane::name_style(model, calls);
    let (prefix, label) = hit.full_name.split_at(hit.label_start);
    let (in_prefix, in_label) = pane::split(&hit.positions, prefix.graphemes(true).count() as u32);
    // A label that does not fit is cut at its end, or at its beginning if the last match would be cut off otherwise.
    let to_last_match =
        in_label.last().map_or(0, |&last| label.graphemes(true).take(last as usize + 1).map(width).sum());
    let room = usize::from(row.room());
    if width(label) <= room || to_last_match < room {
        row.name(label, &in_label, name, roles.found);
    } else {
        row.matched_tail(label, &in_label, name, roles.found);
    }
    let prefix = prefix.trim_end_matches(['.', '/', '#']);
    match place {
        // The place distinguishes this hit from the others, so it gets the room of the prefix.
        Some(place) => row.gap(2).left(place, roles.dim),
        None => row.gap(2).matched(prefix, in_prefix, roles.dim, roles.found),
    };
}

/// Draws the preview of the selected hit, or the filters that can be typed.
fn preview(model: &Model, finder: &Finder, area: ratatui::layout::Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    Border { line: roles.border, background: roles.background }.draw(area, buffer);
    let inner = area.inner(Margin::new(1, 1));
    if finder.input.value().is_empty() || finder.preview.is_empty() {
        Border::top(area, buffer).left(" Filters ", roles.title);
        let used = model.packages.read().filter(|used| used.has_definitions());
        let of_packages = used.map(|_| ("pkg:name", "a name in a package that the code uses"));
        let column = FILTERS.iter().map(|(filter, _)| filter.len()).max().unwrap_or(0) as u16 + 2;
        for (line, (filter, help)) in (0..).zip(FILTERS.into_iter().chain(of_packages)) {
            let mut row = RowPainter::new(buffer, inner, line);
            row.gap(1).margin(1).column(filter, column, roles.key).left(help, roles.dim);
        }
        return;
    }
    if let Some(text) = finder.selected_meaning() {
        Border::top(area, buffer).left(&format!(" {} ", text.name), roles.title);
        if let MeaningTarget::Recipe(recipe) = &text.target {
            return meaning::preview(model, recipe, inner, buffer);
        }
    }
    if let Some(hit) = finder.selected() {
        Border::top(area, buffer).left(&format!(" {} ", hit.full_name), roles.title);
    }
    page::plain(model, &finder.preview, 0, inner, buffer);
}
