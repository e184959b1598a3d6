//! What the explorer knows: plain data, changed by `update` alone and read by `view`.

mod arguments;
mod cursor;
mod document;
mod excerpt;
mod filter;
mod finder;
mod hints;
mod history;
mod location;
mod modules;
mod origins;
mod overlay;
mod overrides;
pub mod page;
mod picker;
mod preview;
pub(in crate::tui) mod settings;
mod symbols;
pub mod tuning;

use std::{collections::VecDeque, sync::Arc, time::Duration};

pub use arguments::{Arguments, Companions};
pub use cursor::Cursor;
pub use document::{DocumentKind, DocumentLine, DocumentOverlay};
pub use excerpt::{CallLine, CallLineCache, Excerpt, Quote};
pub use filter::ListFilter;
pub use finder::Finder;
pub use history::NavigationHistory;
pub use location::{Location, PageKind, PageLocation, TopicName};
pub use modules::{Disclosure, ModuleRow, Modules};
pub use origins::{Origins, PendingCount, calls_by_origin, toggle_command};
pub use overlay::{Overlay, SavePrompt, Saving, WritePrompt};
pub use overrides::{ActiveOverrides, OverrideKind};
pub use picker::{Picker, PickerAction, PickerChoice};
pub(in crate::tui) use preview::AfterDelivery;
pub use preview::{ExhaustiveSize, Preview, PreviewRequest, ShownStub, StubText};
pub use settings::{Numbers, Settings};
pub use symbols::{SymbolRow, Symbols};

use super::{
    arrangement::{Arrangement, SplitDrag},
    catalog::{Catalog, Topic},
    geometry::{Pane, ScreenSize},
    input::KeyPress,
    keymap::Keymap,
    options::{Content, Options},
    theme::{Theme, Themes},
};
use apidisc::{index::Scope, program::DefinitionId};

/// What the next letter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedLetter {
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
pub struct StartTarget {
    /// A module's name.
    pub module: Option<String>,
    /// A symbol's name.
    pub symbol: Option<String>,
}

/// Where one was the last time, as long as that is not shown yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// The place.
    pub place: Location,
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
    pub size: ScreenSize,
    /// The pane that keys go to.
    pub focus: Pane,
    /// How the panes share the screen.
    pub arrangement: Arrangement,
    /// The border that the mouse moves.
    pub drag: Option<SplitDrag>,
    /// The list whose selection the preview shows: modules or symbols.
    pub subject: Pane,
    /// The index, once some of it is there.
    pub catalog: Option<Arc<Catalog>>,
    /// A newer one, whose calls are still to be counted by the weights.
    pub counting: Option<PendingCount>,
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
    pub overrides: ActiveOverrides,
    /// Private definitions are listed too.
    pub private: bool,
    /// The terminal sends what the mouse does; without that it selects text itself.
    pub mouse: bool,
    /// The list whose filter is being typed.
    pub editing: Option<Pane>,
    /// The page that is open in place of the panes.
    pub page: Option<page::Page>,
    /// The tuning page, where that is open in place of the panes.
    pub tuning: Option<tuning::Tuning>,
    /// What the calls in its rows say in their sources.
    pub call_lines: CallLineCache,
    /// Something is being measured for the tuning page.
    pub is_measuring: bool,
    /// Where one has been.
    pub history: NavigationHistory,
    /// A letter is awaited, for that.
    pub awaits: Option<AwaitedLetter>,
    /// What lies over the panes.
    pub overlay: Option<Overlay>,
    /// Keys that were pressed while one was on the way to somewhere, for where that is.
    pub held: VecDeque<KeyPress>,
    /// What is said in the footer.
    pub toast: Option<Toast>,
    /// The last ticket that was given out.
    pub ticket: u64,
    /// What was asked for and is not found yet.
    pub start_target: Option<StartTarget>,
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
    pub fn new(options: &Options, themes: Themes, theme: Theme, size: ScreenSize) -> Self {
        let config = &options.setup.config;
        let start_target = StartTarget { module: options.module.clone(), symbol: options.symbol.clone() };
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
            overrides: ActiveOverrides::new(options.overrides.clone().unwrap_or_default()),
            private: false,
            mouse: config.mouse,
            editing: None,
            page: None,
            tuning: None,
            call_lines: CallLineCache::default(),
            is_measuring: false,
            history: NavigationHistory::default(),
            awaits: None,
            overlay: None,
            held: VecDeque::new(),
            toast: None,
            ticket: 0,
            start_target: (start_target != StartTarget::default()).then_some(start_target),
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
        if let Some(page) = &self.page {
            let row = page.selected().and_then(|item| Some(item.link.as_ref()?.topic()));
            return match row.unwrap_or(page.subject.topic()) {
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
    pub fn filter(&self, pane: Pane) -> &ListFilter {
        match pane {
            Pane::Modules => &self.modules.filter,
            Pane::Symbols | Pane::Preview => &self.symbols.filter,
            Pane::Arguments => &self.arguments.filter,
        }
    }

    /// The same, to be changed.
    pub fn filter_mut(&mut self, pane: Pane) -> &mut ListFilter {
        match pane {
            Pane::Modules => &mut self.modules.filter,
            Pane::Symbols | Pane::Preview => &mut self.symbols.filter,
            Pane::Arguments => &mut self.arguments.filter,
        }
    }
}
