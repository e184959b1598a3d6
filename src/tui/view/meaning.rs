//! The results of a search by meaning: their rows below the names in the finder, and the preview of a recipe.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{api, page, pane, symbols::glyph};
use crate::tui::{
    geometry::FinderRows,
    model::{Finder, MeaningTarget, Model, RecipeText, legend, page::recipe_preview},
    widgets::{RowPainter, grouped},
};
use apidisc::index::Index;

/// Draws the heading and the rows.
pub(super) fn draw(model: &Model, index: &Index, finder: &Finder, rows: &FinderRows, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    if rows.head.height == 0 {
        return;
    }
    RowPainter::new(buffer, rows.head, 0).gap(1).left("By meaning", roles.accent);
    let offset = finder.meaning_offset(rows.meaning.height.into());
    let names = finder.hits.len();
    for (line, at, selected) in
        pane::visible(rows.meaning, offset, finder.cursor.selected.wrapping_sub(names), finder.meaning.len())
    {
        let hit = &finder.meaning[at];
        let mut row = RowPainter::new(buffer, rows.meaning, line);
        row.left(pane::mark(model, selected), roles.accent).margin(1);
        let (word, (mark, style)) = match &hit.target {
            MeaningTarget::Definition(id) => {
                let kind = index.definition(*id).kind;
                (kind.word(), glyph(roles, kind))
            }
            MeaningTarget::Section(_) => ("document", ("§", roles.dim)),
            MeaningTarget::Recipe(_) => ("recipe", ("»", roles.accent)),
            MeaningTarget::Part(part) => {
                (part.word(), (legend::part_sign(part.kind()), api::sign_style(roles, part.kind())))
            }
        };
        let uses = if hit.uses > 0 { grouped(hit.uses as usize) } else { String::new() };
        row.right(&format!("{uses:>7}"), roles.count).margin(1);
        if row.room() >= 56 {
            row.right(&format!("{word:<12}"), roles.dim).margin(1);
        }
        row.left(mark, style).gap(1).left(&hit.name, roles.text).gap(2).left(&hit.note, roles.dim);
        if selected {
            pane::highlight(rows.meaning, line, roles.selected, buffer);
        }
    }
}

/// Draws a recipe: its code and its description.
pub(super) fn preview(model: &Model, text: &RecipeText, area: Rect, buffer: &mut Buffer) {
    page::plain(model, &recipe_preview(text, area.width), 0, area, buffer);
}
