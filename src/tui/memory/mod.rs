//! What the explorer remembers of a repository from one time to the next. Pure; the runtime keeps the files.
//!
//! Everything is kept by name, and holds as far as there still is such a thing: what the command line says and what a
//! person does before it can be used wins over it.

mod calls;
mod text;

use std::collections::BTreeMap;

use super::{
    arrangement::Arrangement,
    geometry::Pane,
    model::{ActiveOverrides, Location, Model, Resume, Settings},
    options::Options,
};
use apidisc::overrides::Overrides;

/// It.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Strategy, numbers, tokenizer and weights.
    pub settings: Settings,
    /// Pins and bans.
    pub overrides: Overrides,
    /// A theme that was chosen in the explorer.
    pub theme: Option<String>,
    /// How the panes share the screen.
    pub arrangement: Arrangement,
    /// Private definitions are listed too.
    pub private: bool,
    /// What narrows the modules, symbols and arguments.
    pub filters: [String; 3],
    /// Where one was; nothing where nothing was shown yet.
    pub place: Option<Location>,
    /// Marked places by letter.
    pub marks: BTreeMap<char, Location>,
}

/// Panes that have a filter, in the order of [`Memory::filters`].
const FILTERED: [Pane; 3] = [Pane::Modules, Pane::Symbols, Pane::Arguments];

impl Memory {
    /// What is to be remembered.
    pub fn of(model: &Model) -> Self {
        // What was remembered and not used yet, since there is no whole index yet, is not forgotten.
        let (place, filters) = match (&model.resume, &model.catalog) {
            (Some(resume), _) => (Some(resume.place.clone()), resume.filters.clone()),
            (None, Some(catalog)) => {
                let filters = FILTERED.map(|pane| model.filter(pane).pattern().to_owned());
                (Some(Location::here(model, catalog)), filters)
            }
            (None, None) => Default::default(),
        };
        Self {
            settings: model.settings,
            overrides: Overrides::clone(model.overrides.all()),
            theme: model.chosen_theme.clone(),
            arrangement: model.arrangement,
            private: model.private,
            filters,
            place,
            marks: model.history.marks.clone(),
        }
    }
}

impl Model {
    /// Goes on where one was, as far as `options` say nothing else.
    pub fn recall(&mut self, memory: Memory, options: &Options) {
        let Memory { settings, overrides, theme, arrangement, private, filters, place, marks } = memory;
        self.settings = settings;
        self.settings.weights = options.weights.unwrap_or(settings.weights);
        self.settings.encoding = options.encoding.unwrap_or(settings.encoding);
        if let Some(strategy) = options.strategy {
            self.settings.set(strategy);
        }
        if options.overrides.is_none() {
            self.overrides = ActiveOverrides::remembered(overrides);
        }
        self.chosen_theme = theme;
        self.arrangement = arrangement;
        self.private = private;
        self.history.marks = marks;
        // A module or a symbol that is asked for is where one wants to be.
        self.resume = place.filter(|_| self.start_target.is_none()).map(|place| Resume { place, filters });
    }
}
