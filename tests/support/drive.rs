//! The explorer without a terminal: its core, with every effect carried out at once and in order.

use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock},
};

use apidisc::{
    engine::{
        index::Index,
        stub::{Format, Packer},
        tokens::Tokenizer,
    },
    tui::{
        Content, Options,
        effect::Effect,
        highlight::Highlighter,
        input::{Code, Key},
        layout::Size,
        message::{Message, WriteOutcome},
        model::{Catalog, Document, Model, Request},
        search,
        theme::Theme,
        update::update,
        view,
    },
};
use nucleo::{Config, Matcher};
use ratatui::{buffer::Buffer, layout::Rect};

use super::canned;

pub struct Explorer {
    pub model: Model,
    /// What was copied, written or opened, in words.
    pub taken: Vec<String>,
    pub has_quit: bool,
    /// Stubs are those of `canned`: a screen's snapshot is not to change with the words of a stub.
    pub is_canned: bool,
    /// Answers are kept back until `settle`.
    pub is_slow: bool,
    waiting: VecDeque<Effect>,
    matcher: Matcher,
    /// Grammars take long to load.
    highlighter: &'static LazyLock<Highlighter>,
    generation: u64,
}

impl Explorer {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::with_theme(columns, rows, "dark", true)
    }

    pub fn with_theme(columns: u16, rows: u16, theme: &str, colour: bool) -> Self {
        let options = Options {
            content: Content::Source(apidisc::engine::source::Source::Folder("station".into())),
            title: "~/src/station".to_owned(),
            argument: "~/src/station".to_owned(),
            strategy: apidisc::engine::strategy::Strategy::default(),
            encoding: apidisc::engine::tokens::Encoding::default(),
            theme: None,
            module: None,
            symbol: None,
        };
        let theme = Theme::load(theme, colour).unwrap();
        Self {
            model: Model::new(&options, theme, Size { columns, rows }),
            taken: Vec::new(),
            has_quit: false,
            is_canned: false,
            is_slow: false,
            waiting: VecDeque::new(),
            matcher: Matcher::new(Config::DEFAULT),
            highlighter: {
                static HIGHLIGHTER: LazyLock<Highlighter> = LazyLock::new(Highlighter::default);
                &HIGHLIGHTER
            },
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
                Key::char(c)
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
            Effect::Deliver { ticket, request, .. } if self.is_canned => {
                let Request { generation, scope, encoding, .. } = request;
                let result = canned::delivery(&request).map(|delivery| Arc::new(Document::new(delivery)));
                vec![
                    Message::Delivered { ticket, request, result },
                    Message::Measured { generation, scope, encoding, tokens: canned::EXHAUSTIVE },
                ]
            }
            Effect::Deliver { ticket, catalog, request } => {
                let tokenizer = Tokenizer::load(request.encoding);
                let packer = Packer::new(&catalog.index, request.scope, &tokenizer);
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
                    .map(|delivery| Arc::new(Document::new(delivery)));
                answers.insert(0, Message::Delivered { ticket, request, result });
                answers
            }
            Effect::Match { ticket, pane, pattern, catalog, candidates } => {
                let matches = search::find(&mut self.matcher, &pattern, &catalog, &candidates, &|| false).unwrap();
                vec![Message::Matched { pane, ticket, matches }]
            }
            Effect::Highlight { ticket, document, lines } => {
                let first = lines.start;
                vec![Message::Highlighted { ticket, first, lines: self.highlighter.lines(&document, lines) }]
            }
            Effect::Copy(document) => {
                self.taken.push(format!("copied {}", document.delivery.text));
                let result = Ok("OSC 52".to_owned());
                vec![Message::Copied { tokens: document.delivery.tokens, result }]
            }
            Effect::Write { path, document, overwrite } => {
                let outcome = if path.starts_with("there") && !overwrite {
                    WriteOutcome::Exists
                } else {
                    self.taken.push(format!("wrote {}", document.delivery.text));
                    WriteOutcome::Done(document.delivery.text.len())
                };
                vec![Message::Written { path, outcome }]
            }
            Effect::Edit { catalog, definition } => {
                self.taken.push(format!("opened {}", catalog.index.definition(definition).fqn));
                vec![Message::Edited(Ok(()))]
            }
            Effect::Expire(_) | Effect::Discard(_) => vec![],
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

fn named_key(name: &str) -> Option<Key> {
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
        "C-c" => return Some(Key::ctrl('c')),
        "C-u" => return Some(Key::ctrl('u')),
        _ => return None,
    };
    Some(Key::new(code))
}
