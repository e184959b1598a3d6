//! The explorer without a terminal: its core, with every effect carried out at once and in order.

use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock},
};

use apidisc::{
    control::Control,
    delivery::{Format, Packer, curve::Curve, evaluate::evaluate},
    index::Index,
    indexer::build,
    overrides::Overrides,
    source::{self, Source},
    tokens::Tokenizer,
};
use apidisc_tui::tui::{
    Content, Options, Setup,
    catalog::Catalog,
    effect::Effect,
    find::{Haystack, Query},
    geometry::ScreenSize,
    highlight::Highlighter,
    input::{Code, KeyPress},
    message::{Message, SaveOutcome, WriteOutcome},
    model::{
        Model, PreviewRequest, StubText,
        tuning::{HeldOut, Neighbours, StubComparison},
    },
    reading::{self, Reader},
    search,
    theme::{ColourDepth, Themes},
    update::update,
    view,
};
use compact_str::CompactString;
use nucleo::{Config, Matcher};
use ratatui::{buffer::Buffer, layout::Rect};

use super::canned;

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Explorer {
    pub model: Model,
    /// What was copied, written or opened, in words.
    pub taken: Vec<String>,
    pub has_quit: bool,
    /// Stubs are those of `canned`: a screen's snapshot is not to change with the words of a stub.
    pub is_canned: bool,
    /// Stubs are the engine's all the same; what is measured around them stays canned.
    pub is_delivering: bool,
    /// Held-out coverage is measured, which takes long; otherwise it is that of `canned`.
    pub holds_out: bool,
    /// Answers are kept back until `settle`.
    pub is_slow: bool,
    /// Where the sources are.
    pub source: Option<Source>,
    waiting: VecDeque<Effect>,
    matcher: Matcher,
    /// Grammars take long to load.
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

    /// What the explorer is opened with.
    pub fn options() -> Options {
        Options {
            content: Content::Source(apidisc::source::Source::Folder("station".into())),
            title: "~/src/station".to_owned(),
            argument: "~/src/station".to_owned(),
            strategy: None,
            encoding: None,
            weights: None,
            overrides: None,
            keeper: None,
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
            taken: Vec::new(),
            has_quit: false,
            is_canned: false,
            is_delivering: false,
            holds_out: false,
            is_slow: false,
            source: None,
            waiting: VecDeque::new(),
            matcher: Matcher::new(Config::DEFAULT),
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

    /// Carries out what waits.
    pub fn settle(&mut self) -> &mut Self {
        while let Some(effect) = self.waiting.pop_front() {
            for answer in self.perform(effect) {
                self.waiting.extend(update(&mut self.model, answer));
            }
        }
        self
    }

    /// The answers to an effect.
    fn perform(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::Deliver { ticket, request, .. } if self.is_canned && !self.is_delivering => {
                let PreviewRequest { generation, scope, encoding, .. } = request;
                let result = canned::delivery(&request).map(|delivery| Arc::new(StubText::new(delivery)));
                vec![
                    Message::Delivered { ticket, request, result },
                    Message::Measured { generation, scope, encoding, tokens: canned::EXHAUSTIVE },
                ]
            }
            Effect::Deliver { ticket, catalog, request, overrides } => {
                let tokenizer = Tokenizer::load(request.encoding);
                let packer = Packer::tuned(&catalog.index, request.scope, &overrides, &tokenizer);
                let mut answers = Vec::new();
                if let Ok(packer) = &packer {
                    answers.push(Message::Measured {
                        generation: request.generation,
                        scope: request.scope,
                        encoding: request.encoding,
                        tokens: packer.exhaustive_tokens(),
                    });
                }
                let result = packer
                    .and_then(|packer| packer.deliver(&request.strategy, Format::Stub))
                    .map(|delivery| Arc::new(StubText::new(delivery)));
                answers.insert(0, Message::Delivered { ticket, request, result });
                answers
            }
            Effect::Count { ticket, catalog, weights } => {
                self.generation += 1;
                let counted = catalog.index.weighted(weights);
                let result = counted.map(|index| Arc::new(Catalog::new(Arc::new(index), self.generation)));
                vec![Message::Counted { ticket, result }]
            }
            Effect::Trace { ticket, .. } if self.is_canned => {
                vec![Message::Traced { ticket, curve: canned::curve() }]
            }
            Effect::Trace { ticket, catalog, ground, overrides } => {
                let tokenizer = Tokenizer::load(ground.encoding);
                let Ok(packer) = Packer::tuned(&catalog.index, ground.scope, &overrides, &tokenizer) else {
                    return vec![];
                };
                let mut answers = Vec::new();
                let mut observe = |curve: &Curve| {
                    answers.push(Message::Traced { ticket, curve: curve.clone() });
                    Control::Continue
                };
                let curve = Curve::trace(&packer, Format::Stub, &mut observe).unwrap();
                answers.push(Message::Traced { ticket, curve });
                answers
            }
            Effect::Weigh { ticket, catalog, settings, .. } if self.is_canned => {
                vec![Message::Weighed { ticket, steps: Box::new(canned::steps(&catalog.index, &settings)) }]
            }
            Effect::Weigh { ticket, catalog, ground, overrides, settings } => {
                let tokenizer = Tokenizer::load(ground.encoding);
                let packer = Packer::tuned(&catalog.index, ground.scope, &overrides, &tokenizer);
                let steps = packer.map(|packer| Neighbours::of(&packer, &catalog.index, &settings)).unwrap_or_default();
                vec![Message::Weighed { ticket, steps: Box::new(steps) }]
            }
            Effect::Compare { ticket, .. } if self.is_canned => {
                let mut comparison = canned::comparison();
                Highlighter::shared().colour(&mut comparison);
                vec![Message::Compared { ticket, comparison: Ok(comparison) }]
            }
            Effect::Compare { ticket, catalog, request, overrides } => {
                let tokenizer = Tokenizer::load(request.encoding);
                let packer = |overrides| Packer::tuned(&catalog.index, request.scope, overrides, &tokenizer);
                let comparison = packer(&Overrides::default())
                    .and_then(|all| StubComparison::of(&all, &packer(&overrides)?, request.strategy));
                vec![Message::Compared { ticket, comparison }]
            }
            Effect::HoldOut { ticket, .. } if !self.holds_out => {
                vec![Message::HeldOut { ticket, held_out: canned::held_out() }]
            }
            Effect::HoldOut { ticket, catalog, cut } => {
                let evaluated = evaluate(&catalog.index, &cut, &[cut.strategy], &mut |_, _| Control::Continue);
                let figures = evaluated
                    .map_err(|why| why.to_string())
                    .and_then(|evaluation| evaluation.unwrap().rows.remove(0).result.map_err(|why| why.to_string()));
                vec![Message::HeldOut { ticket, held_out: HeldOut::Done(figures) }]
            }
            Effect::StopTuning => {
                self.taken.push("measured no longer".to_owned());
                vec![]
            }
            Effect::Save { name, text, overwrite } => {
                let outcome = if name.starts_with("there") && !overwrite {
                    SaveOutcome::Exists(format!(".apidisc/{name}.toml"))
                } else {
                    self.taken.push(format!("saved {name}\n{text}"));
                    SaveOutcome::Done(format!(".apidisc/{name}.toml"))
                };
                vec![Message::Saved { name, outcome }]
            }
            Effect::Match { ticket, pane, pattern, catalog, candidates } => {
                let matches = search::find(&mut self.matcher, &pattern, &catalog, &candidates, &|| false).unwrap();
                vec![Message::Matched { pane, ticket, matches }]
            }
            Effect::Find { ticket, typed, catalog } => {
                let found = Haystack::new(&catalog).search(&catalog, &Query::parse(&typed), &mut |_| true).unwrap();
                vec![Message::Found { ticket, found, is_whole: true }]
            }
            Effect::Highlight { ticket, stub, lines } => {
                let first = lines.start;
                vec![Message::Highlighted { ticket, first, lines: Highlighter::shared().lines(&stub, lines) }]
            }
            Effect::Copy(stub) => {
                self.taken.push(format!("copied {}", stub.delivery.text));
                let result = Ok("OSC 52".to_owned());
                vec![Message::Copied { tokens: stub.delivery.tokens, result }]
            }
            Effect::Write { path, stub, overwrite } => {
                let outcome = if path.starts_with("there") && !overwrite {
                    WriteOutcome::Exists
                } else {
                    self.taken.push(format!("wrote {}", stub.delivery.text));
                    WriteOutcome::Done(stub.delivery.text.len())
                };
                vec![Message::Written { path, outcome }]
            }
            Effect::Edit { catalog, file, line } => {
                self.taken.push(format!("opened {}:{line}", catalog.index.file(file).path));
                vec![Message::Edited(Ok(()))]
            }
            Effect::Read { ticket, catalog, shows } => {
                let open = |path: &str| source::reread(self.source.as_ref()?, path);
                let mut result = Reader::new(&catalog, &open).excerpt(shows);
                if let Ok(excerpt) = &mut result {
                    reading::colour(excerpt, Highlighter::shared());
                }
                vec![Message::Read { ticket, result }]
            }
            Effect::Date { ticket, paths, .. } => {
                // The later by name was changed later, a day each; nothing is known of examples.
                let known = |path: &&CompactString| !path.starts_with("examples");
                let days =
                    |path: &CompactString| paths.iter().filter(|other| *other <= path).map(|_| 86_400_i64).sum::<i64>();
                let changed = paths.iter().filter(known).map(|path| (path.clone(), days(path)));
                vec![Message::Dated { ticket, changed: Arc::new(changed.collect()) }]
            }
            Effect::Quote { ticket, catalog, calls } => {
                let open = |path: &str| source::reread(self.source.as_ref()?, path);
                let mut result = Reader::new(&catalog, &open).shortest(&calls);
                if let Ok(quote) = &mut result {
                    reading::colour_quote(quote, &catalog, Highlighter::shared());
                }
                vec![Message::Quoted { ticket, result }]
            }
            Effect::Word { catalog, calls } => {
                let open = |path: &str| source::reread(self.source.as_ref()?, path);
                let mut call_lines = Reader::new(&catalog, &open).call_lines(&calls);
                reading::colour_call_lines(&mut call_lines, &catalog, Highlighter::shared());
                vec![Message::Worded { generation: catalog.generation, call_lines }]
            }
            Effect::Expire(_) | Effect::Discard(_) | Effect::Gather(_) | Effect::Mouse(_) | Effect::Suspend => vec![],
            Effect::Reindex => {
                self.taken.push("indexed again".to_owned());
                vec![]
            }
            Effect::StopIndexing => {
                self.taken.push("stopped".to_owned());
                vec![]
            }
            Effect::Quit => {
                self.has_quit = true;
                vec![]
            }
        }
    }

    pub fn draw(&self) -> Buffer {
        let size = self.model.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.columns, size.rows));
        view::draw(&self.model, &mut buffer);
        buffer
    }

    /// The screen's text.
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

/// The demo without what is not Python.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "sources are named in lower case")]
pub fn python_demo() -> Source {
    let Source::Memory { name, files } = apidisc_tui::demo::source() else { panic!("the demo is in memory") };
    let files = files.into_iter().filter(|(path, _)| path.ends_with(".py") || path.ends_with(".ipynb"));
    Source::Memory { name, files: files.collect() }
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
        "C-c" => return Some(KeyPress::ctrl('c')),
        "C-p" => return Some(KeyPress::ctrl('p')),
        "C-u" => return Some(KeyPress::ctrl('u')),
        _ => return None,
    };
    Some(KeyPress::new(code))
}
