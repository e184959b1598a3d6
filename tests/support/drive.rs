//! Drives the explorer without a terminal. The jobs are those of the program, done immediately and in order.

use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock},
    time::Duration,
};

use apidisc::{
    control::Control,
    delivery::profile::Profile,
    discover::built_in_model,
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::{AskedCalls, build},
    source::Source,
};
use apidisc_tui::{
    packages::explain,
    requests::NewEntries,
    tui::{
        Assistant, Content, ExplorerOptions, Setup,
        effect::{Effect, ExplainRequest, UpgradeRequest},
        geometry::ScreenSize,
        highlight::Highlighter,
        input::{Code, KeyPress},
        jobs::{self, Answer, DateFilesJob, GenerationCounter, Job, JobHost, JobTools, NewestCorpora},
        message::{Message, SaveOutcome, WriteOutcome},
        model::{Catalog, Model, PreviewRequest, SavedProfile, StubText, ask::Conversation, page::CallExplanation},
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
    /// The number of requests to read the packages.
    pub package_requests: u32,
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
    pub(super) tools: JobTools,
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
            environment: EnvironmentSetting::None,
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
            package_requests: 0,
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
            tools: JobTools::new(NewestCorpora::default(), GenerationCounter::default(), Box::new(|_| None)),
        }
    }

    pub fn index(&mut self, index: Index) -> &mut Self {
        let catalog = self.catalog(index);
        self.send(Message::Indexed(catalog))
    }

    /// An index in the order of display.
    pub fn catalog(&self, index: Index) -> Arc<Catalog> {
        Arc::new(Catalog::new(Arc::new(index), self.tools.generations.next()))
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
            Effect::Job(job) => match self.canned_answers(&job) {
                Some(answers) => answers.into_iter().map(Message::Answered).collect(),
                None => self.do_job(&job),
            },
            Effect::WatchRequests => vec![Message::RequestsRead { news: self.requests.clone(), now: self.now }],
            Effect::StopTuning => {
                self.performed.push("measured no longer".to_owned());
                vec![]
            }
            Effect::ReadDocuments(job) => {
                let Some(source) = self.documents.as_ref().or(self.source.as_ref()) else { return vec![] };
                let generation = self.tools.generations.next();
                let read = jobs::read_documents(source, self.documents.is_some(), generation, &job);
                vec![read.map_or_else(Message::DocumentsNotRead, Message::DocumentsRead)]
            }
            Effect::Ask(request) => self.perform_asking(request),
            effect => self.perform_outside(effect),
        }
    }

    /// The prepared answers to a job; `None` if the job is done.
    fn canned_answers(&self, job: &Job) -> Option<Vec<Answer>> {
        Some(match job {
            Job::Deliver(job) if self.is_canned && !self.is_delivering => {
                let PreviewRequest { generation, scope, encoding, .. } = job.request;
                let result = canned::delivery(&job.request).map(|delivery| Arc::new(StubText::new(delivery)));
                vec![
                    Answer::Delivered { ticket: job.ticket, request: job.request, result },
                    Answer::Measured { generation, scope, encoding, tokens: canned::EXHAUSTIVE },
                ]
            }
            Job::TraceCurve(job) if self.is_canned => {
                vec![Answer::Traced { ticket: job.ticket, curve: canned::curve() }]
            }
            Job::PriceNeighbours(job) if self.is_canned => {
                let steps = canned::steps(&job.catalog.index, &job.settings);
                vec![Answer::NeighboursPriced { ticket: job.ticket, neighbours: Box::new(steps) }]
            }
            Job::CompareStubs(job) if self.is_canned => {
                let mut comparison = canned::comparison();
                Highlighter::shared().colour(&mut comparison);
                vec![Answer::Compared { ticket: job.ticket, comparison: Ok(Box::new(comparison)) }]
            }
            Job::HoldOut(job) if !self.holds_out => {
                vec![Answer::HeldOut { ticket: job.ticket, held_out: canned::held_out() }]
            }
            Job::Discover(_) if !self.finds_by_meaning => vec![],
            Job::DateFiles(DateFilesJob { ticket, paths, .. }) => {
                // The n-th path by name was changed n days after the beginning of 1970; dates of examples are unknown.
                let known = |path: &&CompactString| !path.starts_with("examples");
                let days =
                    |path: &CompactString| paths.iter().filter(|other| *other <= path).map(|_| 86_400_i64).sum::<i64>();
                let changed = paths.iter().filter(known).map(|path| (path.clone(), days(path)));
                vec![Answer::FilesDated { ticket: *ticket, changed: Arc::new(changed.collect()), beyond_limit: 0 }]
            }
            _ => return None,
        })
    }

    /// Does a background job, which nothing replaces; returns its answers.
    fn do_job(&mut self, job: &Job) -> Vec<Message> {
        let source = self.source.clone();
        self.tools.sources = Box::new(move |_| source.clone());
        let mut host = Answers::default();
        job.background().run(&self.tools, &mut host);
        host.0.into_iter().map(Message::Answered).collect()
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
            Effect::Reindex => {
                self.performed.push("indexed again".to_owned());
                vec![]
            }
            Effect::IndexAround { is_counted } => {
                self.performed.push(format!("indexed {}", if is_counted { "all around" } else { "it alone" }));
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
            Effect::Upgrade(UpgradeRequest::List { typed, .. }) => {
                self.performed.push(format!("listed versions at `{typed}`"));
                vec![]
            }
            Effect::Upgrade(UpgradeRequest::Read { question, .. }) => {
                self.performed.push(format!("compared {} with {}", question.of.name(), question.other));
                vec![]
            }
            Effect::Explain(ExplainRequest { ticket, place, .. }) => {
                let Some(source) = &self.source else { return vec![] };
                let asked = AskedCalls { path: place.path, line: place.line, col: Some(place.col) };
                let explained = explain(source, &asked, &EnvironmentSetting::None, None, &mut |_| Control::Continue);
                let calls = explained.expect("sources").expect("an answer").calls;
                let result = calls.into_iter().next().map(|(call, result)| CallExplanation {
                    steps: call.steps.into_iter().map(|step| (step.code, step.says)).collect(),
                    result,
                });
                vec![Message::Explained { ticket, result: result.ok_or_else(|| "no call is there".to_owned()) }]
            }
            Effect::ReadPackages(_) => {
                self.package_requests += 1;
                vec![]
            }
            // Effects on the terminal, the clock and memory have no answer.
            _ => vec![],
        }
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

/// Collects the answers of a job.
#[derive(Default)]
struct Answers(Vec<Answer>);

impl JobHost for Answers {
    fn send(&mut self, answer: Answer) {
        self.0.push(answer);
    }

    fn is_superseded(&self) -> bool {
        false
    }

    fn do_waiting_jobs(&mut self) {}

    fn elapsed(&self) -> Duration {
        Duration::ZERO
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
