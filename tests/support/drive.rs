//! Drives the explorer without a terminal. The jobs are those of the program, done immediately and in order.

use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock},
};

use apidisc::{
    control::Control,
    delivery::profile::Profile,
    discover::built_in_model,
    index::Index,
    indexer::build,
    search::LabelMatcher,
    source::{self, Source, SourceText},
};
use apidisc_tui::{
    live::PackerCache,
    requests::NewEntries,
    tui::{
        Assistant, Content, ExplorerOptions, Setup,
        effect::Effect,
        geometry::ScreenSize,
        highlight::Highlighter,
        input::{Code, KeyPress},
        jobs::{self, DateFilesJob, NewestCorpus, SearcherCache},
        message::{Message, SaveOutcome, WriteOutcome},
        model::{Catalog, Model, PreviewRequest, SavedProfile, StubText, ask::Conversation},
        theme::{ColourDepth, Themes},
        update::update,
        view,
    },
};
use compact_str::CompactString;
use ratatui::{buffer::Buffer, layout::Rect};

use super::canned;

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Explorer {
    pub model: Model,
    /// A record in words of the requested effects on the clipboard, on files and on the editor.
    pub performed: Vec<String>,
    pub has_quit: bool,
    /// Stubs and figures come from `canned`, so that snapshots of screens do not depend on the engine.
    pub is_canned: bool,
    /// Stubs come from the engine, even if the figures are canned.
    pub is_delivering: bool,
    /// Held-out coverage is measured, which takes long; otherwise it comes from `canned`.
    pub holds_out: bool,
    /// The finder also finds by meaning, which takes long; otherwise no answer of that kind arrives.
    pub finds_by_meaning: bool,
    /// Effects wait until `settle`.
    pub is_slow: bool,
    /// The source of the index.
    pub source: Option<Source>,
    /// The source of API documents, if the command line names one.
    pub documents: Option<Source>,
    /// The log of agents' requests.
    pub requests: NewEntries,
    /// The time at which that log is read, in milliseconds since 1970.
    pub now: u64,
    /// What answers questions; without it, retrieval alone does.
    pub assistant: Option<Assistant>,
    /// Questions are not answered: the test sends what happens.
    pub holds_answers: bool,
    /// The conversations that are kept, the newest first.
    pub kept: Vec<Conversation>,
    waiting: VecDeque<Effect>,
    matcher: LabelMatcher,
    searchers: SearcherCache,
    pub(super) corpus: NewestCorpus,
    packers: PackerCache,
    /// The generation of the newest index.
    generation: u64,
}

impl Explorer {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::with_theme(columns, rows, "dark", ColourDepth::True)
    }

    /// The explorer on the demo.
    pub fn demo(columns: u16, rows: u16) -> Self {
        let mut explorer = Self::new(columns, rows);
        explorer.open_demo();
        explorer
    }

    /// Shows the Python of the demo, whose sources can be read.
    pub fn open_demo(&mut self) -> &mut Self {
        self.source = Some(python_demo());
        self.is_canned = true;
        self.index(indexed_demo())
    }

    /// The options of the explorer.
    pub fn options() -> ExplorerOptions {
        ExplorerOptions {
            content: Content::Source(apidisc::source::Source::Folder("station".into()), None),
            model: built_in_model(),
            assistant: None,
            conversations: None,
            title: "~/src/station".to_owned(),
            argument: "~/src/station".to_owned(),
            strategy: None,
            wording: None,
            docs: None,
            encoding: None,
            weights: None,
            overrides: None,
            session_file: None,
            request_log: None,
            documents: None,
            theme: None,
            setup: Setup::default(),
            module: None,
            symbol: None,
        }
    }

    pub fn with_theme(columns: u16, rows: u16, theme: &str, depth: ColourDepth) -> Self {
        let options = Self::options();
        let themes = Themes::new(vec![], depth);
        let (theme, _) = themes.load(theme).unwrap();
        Self {
            model: Model::new(&options, themes, theme, ScreenSize { columns, rows }),
            performed: Vec::new(),
            has_quit: false,
            is_canned: false,
            is_delivering: false,
            holds_out: false,
            finds_by_meaning: false,
            is_slow: false,
            source: None,
            documents: None,
            requests: NewEntries::default(),
            now: 0,
            assistant: None,
            holds_answers: false,
            kept: Vec::new(),
            waiting: VecDeque::new(),
            matcher: LabelMatcher::default(),
            searchers: SearcherCache::default(),
            corpus: NewestCorpus::default(),
            packers: PackerCache::default(),
            generation: 0,
        }
    }

    pub fn index(&mut self, index: Index) -> &mut Self {
        self.generation += 1;
        let catalog = Catalog::new(Arc::new(index), self.generation);
        self.send(Message::Indexed(Arc::new(catalog)))
    }

    /// Presses keys: characters as they are, others as `<Tab>`.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|inner| inner.split_once('>'));
            let key = if let Some((key, after)) = named.and_then(|(name, after)| Some((named_key(name)?, after))) {
                rest = after;
                key
            } else {
                rest = &rest[c.len_utf8()..];
                KeyPress::char(c)
            };
            self.send(Message::Key(key));
        }
        self
    }

    pub fn send(&mut self, message: Message) -> &mut Self {
        self.waiting.extend(update(&mut self.model, message));
        if !self.is_slow {
            self.settle();
        }
        self
    }

    /// Carries out the waiting effects.
    pub fn settle(&mut self) -> &mut Self {
        while let Some(effect) = self.waiting.pop_front() {
            for answer in self.perform(effect) {
                self.waiting.extend(update(&mut self.model, answer));
            }
        }
        self
    }

    /// Carries out an effect and returns its answers.
    fn perform(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::Deliver(job) if self.is_canned && !self.is_delivering => {
                let PreviewRequest { generation, scope, encoding, .. } = job.request;
                let result = canned::delivery(&job.request).map(|delivery| Arc::new(StubText::new(delivery)));
                vec![
                    Message::Delivered { ticket: job.ticket, request: job.request, result },
                    Message::Measured { generation, scope, encoding, tokens: canned::EXHAUSTIVE },
                ]
            }
            Effect::Deliver(job) => all(|send| jobs::deliver(&self.packers, &job, send)),
            Effect::Recount(job) => {
                self.generation += 1;
                vec![jobs::recount(&job, self.generation)]
            }
            Effect::TraceCurve(job) if self.is_canned => {
                vec![Message::Traced { ticket: job.ticket, curve: canned::curve() }]
            }
            Effect::TraceCurve(job) => all(|send| jobs::trace_curve(&self.packers, &job, &mut uncancelled(send))),
            Effect::PriceNeighbours(job) if self.is_canned => {
                let steps = canned::steps(&job.catalog.index, &job.settings);
                vec![Message::NeighboursPriced { ticket: job.ticket, neighbours: Box::new(steps) }]
            }
            Effect::PriceNeighbours(job) => vec![jobs::price_neighbours(&self.packers, &job)],
            Effect::CompareStubs(job) if self.is_canned => {
                let mut comparison = canned::comparison();
                Highlighter::shared().colour(&mut comparison);
                vec![Message::Compared { ticket: job.ticket, comparison: Ok(Box::new(comparison)) }]
            }
            Effect::CompareStubs(job) => all(|send| jobs::compare_stubs(&self.packers, &job, send)),
            Effect::HoldOut(job) if !self.holds_out => {
                vec![Message::HeldOut { ticket: job.ticket, held_out: canned::held_out() }]
            }
            Effect::HoldOut(job) => all(|send| jobs::hold_out(&job, &mut uncancelled(send))),
            Effect::WatchRequests => vec![Message::RequestsRead { news: self.requests.clone(), now: self.now }],
            Effect::StopTuning => {
                self.performed.push("measured no longer".to_owned());
                vec![]
            }
            Effect::FilterList(job) => jobs::filter_list(&mut self.matcher, &job, &|| false).into_iter().collect(),
            Effect::PrepareSearch(catalog) => {
                self.searchers.searcher(&catalog);
                vec![]
            }
            Effect::Find(job) => jobs::find(&mut self.searchers, &job, &mut |_| true).into_iter().collect(),
            Effect::Discover(job) if self.finds_by_meaning => {
                let answer = jobs::discover(&self.corpus, self.source.as_ref(), &job);
                vec![answer]
            }
            Effect::Discover(_) => Vec::new(),
            Effect::ReadDocuments(job) => {
                let Some(source) = self.documents.as_ref().or(self.source.as_ref()) else { return vec![] };
                self.generation += 1;
                vec![jobs::read_documents(source, self.documents.is_some(), self.generation, &job)]
            }
            Effect::DeliverPart(job) => vec![jobs::deliver_part(&job)],
            Effect::ReadArguments(job) => vec![jobs::read_arguments(&job)],
            Effect::ReadPart(job) => vec![jobs::read_part(&job)],
            Effect::Ask(request) => self.perform_asking(request),
            Effect::Highlight(job) => vec![jobs::highlight(&job)],
            Effect::ReadExcerpt(job) => all(|send| jobs::read_excerpt(&self.open(), &job, send)),
            Effect::ReadCard(job) => vec![jobs::read_card(&self.open(), &job)],
            Effect::ReadCalls(job) => vec![jobs::read_calls(&self.open(), &job)],
            effect => self.perform_outside(effect),
        }
    }

    /// Records an effect on the clipboard, on files or on the editor instead of carrying it out; returns its answers.
    fn perform_outside(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::Save { name, text, overwrite } => {
                let outcome = if name.starts_with("there") && !overwrite {
                    SaveOutcome::Exists(format!(".apidisc/{name}.toml"))
                } else {
                    self.performed.push(format!("saved {name}\n{text}"));
                    SaveOutcome::Done(format!(".apidisc/{name}.toml"))
                };
                vec![Message::Saved { name, outcome }]
            }
            Effect::ReadProfiles => {
                let saved = self.performed.iter().filter_map(|what| what.strip_prefix("saved ")?.split_once('\n'));
                let read = |(name, text): (&str, &str)| SavedProfile {
                    name: name.to_owned(),
                    request: Profile::parse(text).map(|p| Box::new(p.request)).map_err(|why| why.to_string()),
                };
                vec![Message::ProfilesRead(saved.map(read).collect())]
            }
            Effect::Copy { text, description } => {
                self.performed.push(format!("copied {text}"));
                let result = Ok("OSC 52".to_owned());
                vec![Message::Copied { description, result }]
            }
            Effect::Write { path, stub, overwrite } => {
                let outcome = if path.starts_with("there") && !overwrite {
                    WriteOutcome::Exists
                } else {
                    self.performed.push(format!("wrote {}", stub.delivery.text));
                    WriteOutcome::Done(stub.delivery.text.len())
                };
                vec![Message::Written { path, outcome }]
            }
            Effect::Edit { catalog, file, line } => {
                self.performed.push(format!("opened {}:{line}", catalog.index.file(file).path));
                vec![Message::Edited(Ok(()))]
            }
            Effect::EditDocument { path, line, .. } => {
                self.performed.push(format!("opened {path}:{line}"));
                vec![Message::Edited(Ok(()))]
            }
            Effect::DateFiles(DateFilesJob { ticket, paths, .. }) => {
                // The n-th path by name was changed n days after the beginning of 1970; dates of examples are unknown.
                let known = |path: &&CompactString| !path.starts_with("examples");
                let days =
                    |path: &CompactString| paths.iter().filter(|other| *other <= path).map(|_| 86_400_i64).sum::<i64>();
                let changed = paths.iter().filter(known).map(|path| (path.clone(), days(path)));
                vec![Message::FilesDated { ticket, changed: Arc::new(changed.collect()), beyond_limit: 0 }]
            }
            Effect::Reindex => {
                self.performed.push("indexed again".to_owned());
                vec![]
            }
            Effect::StopIndexing => {
                self.performed.push("stopped".to_owned());
                vec![]
            }
            Effect::Quit => {
                self.has_quit = true;
                vec![]
            }
            // Effects on the terminal, the clock and memory have no answer.
            _ => vec![],
        }
    }

    /// A function that reads a file of the source.
    fn open(&self) -> impl Fn(&str) -> Option<SourceText> {
        move |path| source::reread(self.source.as_ref()?, path)
    }

    pub fn draw(&self) -> Buffer {
        let size = self.model.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.columns, size.rows));
        view::draw(&self.model, &mut buffer);
        buffer
    }

    /// The text of the screen.
    pub fn text(&self) -> String {
        super::dump::text(&self.draw())
    }
}

/// The index of the Python of the demo.
pub fn indexed_demo() -> Index {
    static DEMO: LazyLock<Index> =
        LazyLock::new(|| build(&python_demo(), &mut |_| Control::Continue).unwrap().unwrap());
    DEMO.clone()
}

/// The Python files of the demo.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "sources are named in lower case")]
pub fn python_demo() -> Source {
    let Source::Memory { name, files } = apidisc_tui::demo::source() else { panic!("the demo is in memory") };
    let files = files.into_iter().filter(|(path, _)| path.ends_with(".py") || path.ends_with(".ipynb"));
    Source::Memory { name, files: files.collect() }
}

/// All messages that a job sends.
pub(super) fn all(job: impl FnOnce(&mut dyn FnMut(Message))) -> Vec<Message> {
    let mut messages = Vec::new();
    job(&mut |message| messages.push(message));
    messages
}

/// Sends messages and never cancels.
fn uncancelled(send: &mut dyn FnMut(Message)) -> impl FnMut(Message) -> Control {
    move |message| {
        send(message);
        Control::Continue
    }
}

fn named_key(name: &str) -> Option<KeyPress> {
    let code = match name {
        "Tab" => Code::Tab,
        "BackTab" => Code::BackTab,
        "Enter" => Code::Enter,
        "Esc" => Code::Esc,
        "Up" => Code::Up,
        "Down" => Code::Down,
        "Left" => Code::Left,
        "Right" => Code::Right,
        "Home" => Code::Home,
        "End" => Code::End,
        "PageUp" => Code::PageUp,
        "PageDown" => Code::PageDown,
        "Backspace" => Code::Backspace,
        "A-Left" => return Some(KeyPress { alt: true, ..KeyPress::new(Code::Left) }),
        "A-Right" => return Some(KeyPress { alt: true, ..KeyPress::new(Code::Right) }),
        "C-a" => return Some(KeyPress::ctrl('a')),
        "C-c" => return Some(KeyPress::ctrl('c')),
        "C-p" => return Some(KeyPress::ctrl('p')),
        "C-u" => return Some(KeyPress::ctrl('u')),
        _ => return None,
    };
    Some(KeyPress::new(code))
}
