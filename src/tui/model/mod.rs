//! What the explorer knows: plain data, changed by `update` alone and read by `view`.

mod arguments;
pub mod card;
mod cursor;
mod excerpt;
mod filter;
mod finder;
mod hints;
mod history;
mod modules;
mod origins;
mod overlay;
mod page;
mod picker;
mod place;
mod preview;
pub(in crate::tui) mod settings;
mod symbols;
mod topic;
pub mod tuning;
mod wishes;

use std::{collections::VecDeque, sync::Arc, time::Duration};

pub use arguments::{Arguments, Company};
pub use cursor::Cursor;
pub use excerpt::{Excerpt, Quote, Wording, Wordings};
pub use filter::{Candidates, Filter, Match};
pub use finder::Finder;
pub use history::History;
pub use modules::{ModuleRow, Modules, Twisty};
pub use origins::{Counting, Origins, standing, switch};
pub use overlay::{Overlay, SavePrompt, Saving, WritePrompt};
pub use page::{Line, Page, Reading};
pub use picker::{Choice, Pick, Picker};
pub use place::{Address, PageKind, PagePlace, Place};
pub(in crate::tui) use preview::Then;
pub use preview::{Document, Exhaustive, Preview, Request, Run, Runs, Shown, Syntax};
pub use settings::{Numbers, Settings};
pub use symbols::{SymbolRow, Symbols};
pub use topic::Topic;
pub use wishes::{Wished, Wishes};

use super::{
    Content, Options,
    arrangement::{Arrangement, Drag},
    input::Key,
    keymap::Keymap,
    layout::Size,
    theme::{Theme, Themes},
};
pub use apidisc::search::Catalog;
use apidisc::{index::Scope, program::DefinitionId};

/// A part of the screen that can have the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The tree of modules.
    #[default]
    Modules,
    /// The definitions of the module, by use.
    Symbols,
    /// The parameters of the symbol, by use.
    Arguments,
    /// The stub.
    Preview,
}

impl Pane {
    /// Every pane, in the order of Tab.
    pub const ALL: [Self; 4] = [Self::Modules, Self::Symbols, Self::Arguments, Self::Preview];

    /// Its position in [`Self::ALL`].
    pub fn position(self) -> usize {
        self as usize
    }
}

/// What the next letter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// To mark where one is.
    Mark,
    /// To go to what it marks.
    Jump,
}

/// How far the index is.
#[derive(Clone, Debug, PartialEq)]
pub enum Indexing {
    /// Files are being looked for.
    Walking,
    /// Files are being read and parsed.
    Parsing {
        /// Files done.
        done: usize,
        /// All files.
        total: usize,
        /// Call sites found so far.
        calls: usize,
        /// How much of all sources that is by size, from 0 to 1.
        share: f64,
        /// Since the beginning.
        elapsed: Duration,
        /// What is parsed so far is being linked, to be shown; parsing waits for that.
        is_linking: bool,
    },
    /// It was stopped after so many files.
    Stopped {
        /// Files done.
        done: usize,
        /// All files.
        total: usize,
    },
    /// The index is whole.
    Done,
    /// There is none, and why.
    Failed(String),
}

/// A line that is shown for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// What it says.
    pub text: String,
    /// What it is.
    pub tone: Tone,
    /// Which one it is, for `ToastExpired`.
    pub ticket: u64,
}

/// What a toast is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something to know.
    Note,
    /// It worked.
    Success,
    /// It did not.
    Error,
}

/// What was asked for on the command line and is not found yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// A module's name.
    pub module: Option<String>,
    /// A symbol's name.
    pub symbol: Option<String>,
}

/// Where one was the last time, as long as that is not shown yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// The place.
    pub place: Place,
    /// What narrowed the modules, symbols and arguments.
    pub filters: [String; 3],
}

/// Everything.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Model {
    /// What stands for the source on the screen.
    pub title: String,
    /// What names the source on the command line.
    pub argument: String,
    /// The terminal's size.
    pub size: Size,
    /// The pane that keys go to.
    pub focus: Pane,
    /// How the panes share the screen.
    pub arrangement: Arrangement,
    /// The border that the mouse moves.
    pub drag: Option<Drag>,
    /// The list whose selection the preview shows: modules or symbols.
    pub subject: Pane,
    /// The index, once some of it is there.
    pub catalog: Option<Arc<Catalog>>,
    /// A newer one, whose calls are still to be counted by the weights.
    pub counting: Option<Counting>,
    /// How far the index is.
    pub indexing: Indexing,
    /// The sources are there, not only what was once counted in them.
    pub is_live: bool,
    /// The tree of modules.
    pub modules: Modules,
    /// The definitions.
    pub symbols: Symbols,
    /// The parameters.
    pub arguments: Arguments,
    /// The stub.
    pub preview: Preview,
    /// Strategy, numbers and tokenizer.
    pub settings: Settings,
    /// What is pinned and banned.
    pub wishes: Wishes,
    /// Private definitions are listed too.
    pub private: bool,
    /// The terminal sends what the mouse does; without that it selects text itself.
    pub mouse: bool,
    /// The list whose filter is being typed.
    pub editing: Option<Pane>,
    /// The page that is open in place of the panes.
    pub card: Option<card::Card>,
    /// The tuning page, where that is open in place of the panes.
    pub tuning: Option<tuning::Tuning>,
    /// What the calls in its rows say in their sources.
    pub wordings: Wordings,
    /// Something is being measured for the tuning page.
    pub is_measuring: bool,
    /// Where one has been.
    pub history: History,
    /// A letter is awaited, for that.
    pub awaits: Option<Awaits>,
    /// What lies over the panes.
    pub overlay: Option<Overlay>,
    /// Keys that were pressed while one was on the way to somewhere, for where that is.
    pub held: VecDeque<Key>,
    /// What is said in the footer.
    pub toast: Option<Toast>,
    /// The last ticket that was given out.
    pub ticket: u64,
    /// What was asked for and is not found yet.
    pub wish: Option<Wish>,
    /// Where one was the last time, until that is shown or one goes elsewhere.
    pub resume: Option<Resume>,
    /// The theme that was chosen in the explorer, not by the configuration or the command line.
    pub chosen_theme: Option<String>,
    /// Mistakes in the configuration.
    pub complaints: Vec<String>,
    /// The keys.
    pub keymap: Keymap,
    /// The themes that there are.
    pub themes: Themes,
    /// The colours.
    pub theme: Theme,
    /// Nothing but ASCII is drawn.
    pub ascii: bool,
}

impl Model {
    /// The state before anything is indexed.
    pub fn new(options: &Options, themes: Themes, theme: Theme, size: Size) -> Self {
        let config = &options.setup.config;
        let wish = Wish { module: options.module.clone(), symbol: options.symbol.clone() };
        Self {
            title: options.title.clone(),
            argument: options.argument.clone(),
            size,
            focus: Pane::Modules,
            arrangement: Arrangement::default(),
            drag: None,
            subject: Pane::Modules,
            catalog: None,
            counting: None,
            indexing: match options.content {
                Content::Source(_) => Indexing::Walking,
                Content::Index(_) => Indexing::Done,
            },
            is_live: matches!(options.content, Content::Source(_)),
            modules: Modules::default(),
            symbols: Symbols::default(),
            arguments: Arguments::default(),
            preview: Preview::default(),
            settings: Settings::new(
                options.strategy.unwrap_or_default(),
                options.encoding.unwrap_or_default(),
                options.weights.unwrap_or_default(),
            ),
            wishes: Wishes::new(options.overrides.clone().unwrap_or_default()),
            private: false,
            mouse: config.mouse,
            editing: None,
            card: None,
            tuning: None,
            wordings: Wordings::default(),
            is_measuring: false,
            history: History::default(),
            awaits: None,
            overlay: None,
            held: VecDeque::new(),
            toast: None,
            ticket: 0,
            wish: (wish != Wish::default()).then_some(wish),
            resume: None,
            chosen_theme: None,
            complaints: Vec::new(),
            keymap: config.keymap.clone().with_names(config.ascii),
            themes,
            theme,
            ascii: config.ascii,
        }
    }

    /// A number that no question had before.
    pub fn next_ticket(&mut self) -> u64 {
        self.ticket += 1;
        self.ticket
    }

    /// The definition that the arguments pane shows.
    pub fn definition(&self) -> Option<DefinitionId> {
        self.symbols.selected().map(|row| row.id)
    }

    /// What can be pinned or banned where one is: a definition, or an argument of it by position.
    pub fn selected_target(&self) -> Option<(DefinitionId, Option<usize>)> {
        if let Some(tuning) = &self.tuning {
            return tuning.target();
        }
        if let Some(card) = &self.card {
            let row = card.selected().and_then(|item| Some(item.to.as_ref()?.topic()));
            return match row.unwrap_or(card.subject.topic()) {
                Topic::Definition(id) => Some((id, None)),
                Topic::Argument(id, at) => Some((id, Some(at.into()))),
                Topic::Repository | Topic::Module(_) => None,
            };
        }
        match self.focus {
            Pane::Symbols => Some((self.definition()?, None)),
            Pane::Arguments => Some((self.definition()?, Some(self.arguments.selected()?))),
            Pane::Modules | Pane::Preview => None,
        }
    }

    /// What the preview shows.
    pub fn scope(&self) -> Option<Scope> {
        let module = self.modules.selected().map(|row| row.scope);
        match self.subject {
            Pane::Modules => module,
            _ => self.definition().map(Scope::Definition).or(module),
        }
    }

    /// The filter of a list; the preview has none of its own.
    pub fn filter(&self, pane: Pane) -> &Filter {
        match pane {
            Pane::Modules => &self.modules.filter,
            Pane::Symbols | Pane::Preview => &self.symbols.filter,
            Pane::Arguments => &self.arguments.filter,
        }
    }

    /// The same, to be changed.
    pub fn filter_mut(&mut self, pane: Pane) -> &mut Filter {
        match pane {
            Pane::Modules => &mut self.modules.filter,
            Pane::Symbols | Pane::Preview => &mut self.symbols.filter,
            Pane::Arguments => &mut self.arguments.filter,
        }
    }
}
