//! Results of a search by meaning, made by hand: a class, a section of a document, and the first sequence of calls that
//! the demo has as a recipe.

use std::sync::Arc;

use apidisc::{recipes, source};
use apidisc_tui::tui::model::{MeaningHit, MeaningTarget, Overlay, RecipeText};

use crate::support::drive::Explorer;

/// The ticket of the query.
pub(crate) fn ticket(explorer: &Explorer) -> u64 {
    let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
    finder.ticket
}

/// The results.
pub(crate) fn hits(explorer: &Explorer) -> Vec<MeaningHit> {
    let (catalog, source) = (explorer.model.catalog.as_ref().unwrap(), explorer.source.as_ref().unwrap());
    let index = &catalog.index;
    let recipes = recipes::recipes(index);
    let recipe = recipes.iter().find(|recipe| recipe.symbols.len() > 1).expect("a sequence").clone();
    let snippet = recipes::snippet(index, &recipe, &|path| source::reread(source, path)).expect("its code");
    let class = index.definition_of("windvane.station.Station").expect("the class");
    let hit = |target, name: &str, note: &str, uses| MeaningHit { target, name: name.into(), note: note.into(), uses };
    let text = RecipeText {
        generation: catalog.generation,
        lines: snippet.code.lines().map(|line| (line.to_owned(), Vec::new())).collect(),
        imports: snippet.imports,
        missing: snippet.missing,
        shown: snippet.place.calls,
        recipe: recipe.clone(),
    };
    vec![
        hit(MeaningTarget::Definition(class), "windvane.Station", "A weather station \u{202e}and its sensors.", 21),
        hit(MeaningTarget::Section(class), "Reading sensors", "docs/guide.md", 0),
        hit(MeaningTarget::Recipe(Arc::new(text)), &recipe.name, &recipe.description, recipe.usage_count),
    ]
}

/// Selects the last result.
pub(crate) fn select_last(explorer: &mut Explorer) {
    let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
    let rows = finder.len() - 1 - finder.cursor.selected;
    explorer.keys(&"<Down>".repeat(rows));
}
