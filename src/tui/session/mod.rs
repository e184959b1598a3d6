//! The session: the state of the explorer that is saved for each repository and restored the next time.
//!
//! Modules, definitions and parameters are saved by name; names that no longer exist are ignored. The command line
//! takes precedence over the session, and so do actions of the user before the session can be restored.

mod call_filter;
mod toml;

use std::collections::BTreeMap;

use super::{
    arrangement::Arrangement,
    geometry::Pane,
    model::{ActiveOverrides, Location, Model, Resume, Settings},
    options::ExplorerOptions,
};
use apidisc::overrides::Overrides;

/// The saved state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// The strategies with their parameters, the tokenizer, the weights.
    pub settings: Settings,
    /// Pins and bans.
    pub overrides: Overrides,
    /// A theme that was chosen in the explorer.
    pub theme: Option<String>,
    /// The sizes of the panes.
    pub arrangement: Arrangement,
    /// True if private definitions are listed.
    pub has_private: bool,
    /// The filters of the modules, symbols and arguments.
    pub filters: [String; 3],
    /// The location in the explorer; `None` if no index was shown.
    pub location: Option<Location>,
    /// Marked locations by letter.
    pub marks: BTreeMap<char, Location>,
}

/// Panes that have a filter, in the order of [`Session::filters`].
const FILTERED: [Pane; 3] = [Pane::Modules, Pane::Symbols, Pane::Arguments];

impl Session {
    /// The state of a model.
    pub fn of(model: &Model) -> Self {
        // A location that has not been restored yet, since there is no complete index, is saved again.
        let (location, filters) = match (&model.resume, &model.catalog) {
            (Some(resume), _) => (Some(resume.location.clone()), resume.filters.clone()),
            (None, Some(catalog)) => {
                // Of the packages no location is kept, since they are read later than the code.
                if let Some(location) = model.packages.other_side.as_ref().filter(|_| catalog.index.is_of_packages()) {
                    return Self::at(model, Some(location.clone()), Default::default());
                }
                let filters = FILTERED.map(|pane| model.filter(pane).pattern().to_owned());
                (Some(Location::here(model, catalog)), filters)
            }
            (None, None) => Default::default(),
        };
        Self::at(model, location, filters)
    }

    /// The state of a model with another location.
    fn at(model: &Model, location: Option<Location>, filters: [String; 3]) -> Self {
        // Pins and bans of packages are not kept.
        let of_code = if model.shows_packages() { &model.packages.other_overrides } else { &model.overrides };
        let overrides = of_code.all();
        Self {
            settings: model.settings.clone(),
            overrides: Overrides::clone(overrides),
            theme: model.chosen_theme.clone(),
            arrangement: model.arrangement,
            has_private: model.has_private,
            filters,
            location,
            marks: model.history.marks.clone(),
        }
    }
}

impl Model {
    /// Restores the state of a session, except for the settings in `options`.
    pub fn restore_session(&mut self, session: Session, options: &ExplorerOptions) {
        let Session { settings, overrides, theme, arrangement, has_private, filters, location, marks } = session;
        self.settings = settings.clone();
        self.settings.weights = options.weights.clone().unwrap_or(settings.weights);
        self.settings.wording = options.wording.unwrap_or(settings.wording);
        self.settings.docs = options.docs.unwrap_or(settings.docs);
        self.settings.encoding = options.encoding.unwrap_or(settings.encoding);
        if let Some(strategy) = options.strategy {
            self.settings.set(strategy);
        }
        if options.overrides.is_none() {
            self.overrides = ActiveOverrides::remembered(overrides);
        }
        self.chosen_theme = theme;
        self.arrangement = arrangement;
        self.has_private = has_private;
        self.history.marks = marks;
        // The location is not restored if the command line names a module or a symbol.
        self.resume = location.filter(|_| self.start_target.is_none()).map(|location| Resume { location, filters });
    }
}
