//! The state of the explorer: plain data, changed by `update` alone and read by `view`.

pub mod agents;
mod api;
mod arguments;
mod around;
pub mod ask;
mod cursor;
mod excerpt;
mod filter;
mod finder;
mod front;
mod hints;
mod history;
pub(in crate::tui) mod legend;
mod list_state;
mod location;
mod meaning;
mod modules;
mod origins;
mod overlay;
mod overrides;
mod packages;
pub mod page;
mod picker;
mod preview;
mod saved_profile;
pub(in crate::tui) mod settings;
mod start;
mod symbols;
mod text_field;
mod text_overlay;
mod topic;
pub mod tuning;
mod typed_choices;
mod upgrade;

use std::{collections::VecDeque, sync::Arc, time::Duration};

pub use api::{ApiCatalog, ApiModule, ApiPart, ApiState, PartArguments, PartKind, PartList, PartRow};
pub(in crate::tui) use api::{shown, without_links};
pub use arguments::{ArgumentList, Companions};
pub use around::Around;
pub use cursor::Cursor;
pub use excerpt::{CallLine, CallLineCache, CardText, Excerpt, FirstCall};
pub use filter::{FilterCandidates, FilterMatch, ListFilter};
pub use finder::Finder;
pub use front::Front;
pub use history::NavigationHistory;
pub use list_state::ListState;
pub use location::{Location, PageKind, PageLocation, TopicName};
pub use meaning::{MeaningHit, MeaningTarget, RecipeText};
pub use modules::{Disclosure, DocumentRow, ModuleRow, ModulesPane};
pub use origins::{CallGroup, Origins, PendingCount, calls_by_origin};
pub use overlay::{Overlay, SavePrompt, Saving, WritePrompt};
pub use overrides::{ActiveOverrides, OverrideKind};
pub use packages::{PackagesState, PackagesView, UsedPackages, name_of_all};
pub use picker::{Picker, PickerAction, PickerChoice, PickerKind};
pub(in crate::tui) use preview::AfterDelivery;
pub use preview::{ExhaustiveSize, PartRequest, Preview, PreviewRequest, ShownStub, StubPaneRequest, StubText};
pub use saved_profile::SavedProfile;
pub use settings::{Settings, StrategyParameters};
pub use start::{OverviewText, StartPage};
pub use symbols::{SymbolList, SymbolRow};
pub use text_field::TextField;
pub use text_overlay::{TextKind, TextLine, TextOverlay};
pub use topic::Topic;
pub use upgrade::{ReadUpgrade, UpgradeMark, UpgradeMarks, UpgradeQuestion, UpgradeView, VersionPlace, Versioned};

use super::{
    arrangement::{Arrangement, SplitDrag},
    geometry::{Pane, ScreenSize},
    input::KeyPress,
    keymap::Keymap,
    options::{Content, ExplorerOptions},
    theme::{Theme, Themes},
};
pub use apidisc::search::Catalog;
use apidisc::{index::Scope, program::DefinitionId, stub::Style};

/// A command that waits for the letter of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedLetter {
    /// Mark the present location with the letter.
    Mark,
    /// Go to the location that the letter marks.
    Jump,
}

/// The progress of indexing.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexingState {
    /// The sources are being walked.
    Walking,
    /// Files are being read and parsed.
    Parsing {
        /// Files parsed so far.
        done: usize,
        /// All files.
        total: usize,
        /// Call sites found so far.
        calls: usize,
        /// The parsed share of all sources by size, from 0 to 1.
        share: f64,
        /// The time since indexing began.
        elapsed: Duration,
        /// The parsed files are being linked to make a partial index. The other values do not change meanwhile.
        is_linking: bool,
    },
    /// The user stopped indexing.
    Stopped {
        /// Files parsed so far.
        done: usize,
        /// All files.
        total: usize,
    },
    /// The index is complete.
    Done,
    /// There is no index, for this reason.
    Failed(String),
}

/// The progress of fetching sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchProgress {
    /// The sources that are not fetched yet, each with the step that git is performing, which is empty before the
    /// first. The first one is shown.
    pub sources: Vec<(String, String)>,
    /// The time since fetching began.
    pub elapsed: Duration,
}

/// A message in the footer that expires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// The message.
    pub text: String,
    /// Its kind.
    pub tone: Tone,
    /// Identifies the toast for `Message::ToastExpired`.
    pub ticket: u64,
}

/// The kind of a toast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Information.
    Note,
    /// Something succeeded.
    Success,
    /// Something failed.
    Error,
}

/// The module and symbol that the command line names, until they are found in an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartTarget {
    /// A module's name.
    pub module: Option<String>,
    /// A symbol's name.
    pub symbol: Option<String>,
}

/// The location and the filters of the last session, until they are restored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// The location.
    pub location: Location,
    /// The filter patterns of modules, symbols and arguments.
    pub filters: [String; 3],
}

/// The whole state.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Model {
    /// The name that the screen shows for the source.
    pub title: String,
    /// The argument that names the source on the command line.
    pub argument: String,
    /// The repository around what is opened; `None` if a repository, or something outside of any, is opened.
    pub around: Option<Around>,
    /// The terminal's size.
    pub size: ScreenSize,
    /// The pane with the focus.
    pub focus: Pane,
    /// The layout of the panes on the screen.
    pub arrangement: Arrangement,
    /// The border that the mouse is dragging.
    pub drag: Option<SplitDrag>,
    /// The list whose selection determines the stub: modules or symbols.
    pub subject: Pane,
    /// The index, complete or partial.
    pub catalog: Option<Arc<Catalog>>,
    /// A newer index, while its calls are being counted by the chosen weights.
    pub counting: Option<PendingCount>,
    /// The packages that the code uses, and the side that the panes show.
    pub packages: PackagesView,
    /// The other version of a package that the user compares with the installed one.
    pub upgrade: UpgradeView,
    /// The progress of indexing.
    pub indexing: IndexingState,
    /// The sources that are being fetched. The index does not contain these sources yet.
    pub fetching: Option<FetchProgress>,
    /// True if the index is made from sources; false if it was read from a file.
    pub is_live: bool,
    /// The tree of modules.
    pub modules: ModulesPane,
    /// The list of definitions.
    pub symbols: SymbolList,
    /// The list of parameters.
    pub arguments: ArgumentList,
    /// The API documents, and the lists of the selected one.
    pub api: ApiState,
    /// The overview of the repository or module that is selected.
    pub start: StartPage,
    /// The stub pane.
    pub preview: Preview,
    /// The strategies with their parameters, the tokenizer and the weights.
    pub settings: Settings,
    /// The pins and bans.
    pub overrides: ActiveOverrides,
    /// Private definitions are listed.
    pub has_private: bool,
    /// The stub is shown in full for reading; what is copied and written stays as it is delivered.
    pub is_stub_readable: bool,
    /// Long lines of the source beside a page are wrapped.
    pub wraps_source: bool,
    /// The explorer handles the mouse; if false, the terminal uses it to select text.
    pub is_mouse_captured: bool,
    /// The list whose filter is being typed.
    pub editing: Option<Pane>,
    /// The page that is open instead of the panes.
    pub page: Option<page::Page>,
    /// The tuning page, if it is open instead of the panes.
    pub tuning: Option<tuning::Tuning>,
    /// The page of agents, if it is open instead of the panes. A page about a symbol may cover it.
    pub agents: Option<agents::AgentsPage>,
    /// The page of questions. A page about a symbol may cover it.
    pub ask: ask::AskPage,
    /// True if the program keeps a log of agents' requests, which the page of agents shows.
    pub has_request_log: bool,
    /// The log of agents' requests is being followed.
    pub is_watching_requests: bool,
    /// The source text of the calls in the rows of the page.
    pub call_lines: CallLineCache,
    /// A worker is computing something for the tuning page.
    pub is_measuring: bool,
    /// Earlier locations and marks.
    pub history: NavigationHistory,
    /// The command that waits for the letter of a mark.
    pub awaited_letter: Option<AwaitedLetter>,
    /// The document, list or prompt that is open over the panes.
    pub overlay: Option<Overlay>,
    /// Keys that were pressed after Enter while the finder's answer was pending. They are handled once the best hit is
    /// open.
    pub pending_keys: VecDeque<KeyPress>,
    /// The profiles of the repository, as they were read last.
    pub profiles: Vec<SavedProfile>,
    /// The message in the footer.
    pub toast: Option<Toast>,
    /// The last ticket that was issued.
    pub ticket: u64,
    /// The ticket of the request for a first call that is to be copied; 0 before the first request.
    pub copied_card: u64,
    /// The module and symbol that the command line names, until they are found.
    pub start_target: Option<StartTarget>,
    /// The state to restore from the last session, until it is restored or the user acts.
    pub resume: Option<Resume>,
    /// The theme that was chosen in this session, not by the configuration or the command line.
    pub chosen_theme: Option<String>,
    /// The number of files last shown by date that have no date, because the history is larger than the limit.
    pub files_beyond_history: usize,
    /// Mistakes in the user's files.
    pub complaints: Vec<String>,
    /// The key bindings.
    pub keymap: Keymap,
    /// The available themes.
    pub themes: Themes,
    /// The theme in use.
    pub theme: Theme,
    /// Only ASCII is drawn.
    pub is_ascii: bool,
}

impl Model {
    /// The state before there is an index.
    pub fn new(options: &ExplorerOptions, themes: Themes, theme: Theme, size: ScreenSize) -> Self {
        let config = &options.setup.config;
        let start_target = StartTarget { module: options.module.clone(), symbol: options.symbol.clone() };
        Self {
            title: options.title.clone(),
            argument: options.argument.clone(),
            around: None,
            size,
            focus: Pane::Modules,
            arrangement: Arrangement::default(),
            drag: None,
            subject: Pane::Modules,
            catalog: None,
            counting: None,
            packages: PackagesView::default(),
            upgrade: UpgradeView::default(),
            indexing: match options.content {
                Content::Source(..) | Content::Fetching(..) => IndexingState::Walking,
                Content::Index(_) => IndexingState::Done,
            },
            fetching: None,
            is_live: !matches!(options.content, Content::Index(_)),
            modules: ModulesPane::default(),
            symbols: SymbolList::default(),
            arguments: ArgumentList::default(),
            api: ApiState::new(options.documents.as_deref()),
            start: StartPage::default(),
            preview: Preview::default(),
            settings: Settings::new(
                options.strategy.unwrap_or_default(),
                options.encoding.unwrap_or_default(),
                options.weights.clone().unwrap_or_default(),
            )
            .with_style(Style { wording: options.wording.unwrap_or_default(), docs: options.docs.unwrap_or_default() }),
            overrides: ActiveOverrides::new(options.overrides.clone().unwrap_or_default()),
            has_private: false,
            is_stub_readable: false,
            wraps_source: false,
            is_mouse_captured: config.is_mouse_captured,
            editing: None,
            page: None,
            tuning: None,
            agents: None,
            ask: ask::AskPage::new(options.assistant.as_ref().map(|assistant| assistant.name.clone())),
            has_request_log: options.request_log.is_some(),
            is_watching_requests: false,
            call_lines: CallLineCache::default(),
            is_measuring: false,
            history: NavigationHistory::default(),
            awaited_letter: None,
            overlay: None,
            pending_keys: VecDeque::new(),
            profiles: Vec::new(),
            toast: None,
            ticket: 0,
            copied_card: 0,
            start_target: (start_target != StartTarget::default()).then_some(start_target),
            resume: None,
            chosen_theme: None,
            files_beyond_history: 0,
            complaints: Vec::new(),
            keymap: config.keymap.clone().with_arrow_names(config.is_ascii),
            themes,
            theme,
            is_ascii: config.is_ascii,
        }
    }

    /// Issues a ticket: a number that no earlier request or toast has.
    pub fn next_ticket(&mut self) -> u64 {
        self.ticket += 1;
        self.ticket
    }

    /// The index that the finder searches: that of the side which the panes show, or of the packages if the query says
    /// so. `None` while that index is not there.
    pub fn searched(&self) -> Option<&Arc<Catalog>> {
        let is_of_packages = matches!(&self.overlay, Some(Overlay::Find(finder)) if finder.query().1);
        if is_of_packages && !self.shows_packages() {
            return self.packages.read().map(|packages| &packages.catalog);
        }
        self.catalog.as_ref()
    }

    /// True if the panes show the packages in place of the code.
    pub fn shows_packages(&self) -> bool {
        self.catalog.as_ref().is_some_and(|catalog| catalog.index.is_of_packages())
    }

    /// The selected definition, whose parameters the arguments pane lists.
    pub fn definition(&self) -> Option<DefinitionId> {
        self.symbols.selected().filter(|_| !self.is_in_document()).map(|row| row.id)
    }

    /// The target of `pin` and `ban`: the selected definition, or the definition of the selected argument and the
    /// position of that argument.
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
        if self.agents.is_some() || self.ask.is_open {
            return None;
        }
        match self.focus {
            Pane::Symbols => Some((self.definition()?, None)),
            Pane::Arguments => Some((self.definition()?, Some(self.arguments.selected()?))),
            Pane::Modules | Pane::Preview => None,
        }
    }

    /// The stub that is shown, if it is of the present scope. While another one is awaited it may be of another scope.
    pub fn stub_of_scope(&self) -> Option<&ShownStub> {
        let index = &self.catalog.as_ref()?.index;
        let subject = ShownStub::subject_of(index, self.scope()?);
        self.preview.shown.as_ref().filter(|shown| shown.subject == subject)
    }

    /// The scope of the stub; `None` while the stub pane shows a part of API documents.
    pub fn scope(&self) -> Option<Scope> {
        if self.part().is_some() {
            return None;
        }
        let module = self.modules.scope();
        match self.subject {
            Pane::Modules => module,
            _ => self.definition().map(Scope::Definition).or(module),
        }
    }
}
