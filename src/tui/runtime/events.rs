//! The event loop: wait for something, take in everything that waits, draw once. Nothing happens otherwise.

use std::{future::poll_fn, pin::Pin, task::Poll};

use anyhow::Context as _;
use crossterm::event::{Event, EventStream};
use futures::{Stream, StreamExt as _};
use tokio::{
    sync::mpsc::unbounded_channel,
    time::{Instant, sleep_until},
};

use super::{
    editor,
    effects::{Hands, Own},
    indexer,
    signals::Signals,
    terminal::Screen,
    translate::translate,
    worker::{News, Post},
};
use crate::tui::{Content, message::Message, model::Model, update::update};

/// Why the loop ends.
enum End {
    /// The person leaves.
    Quit,
    /// A signal asks; the number is that of the signal.
    Signal(i32),
}

pub(super) async fn run(mut model: Model, content: Content) -> anyhow::Result<()> {
    let mut screen = Screen::take().context("the terminal cannot be set up")?;
    screen.draw(&model)?;
    let (sender, news) = unbounded_channel();
    let post = Post(sender);
    let mut files = editor::Files::of(&content);
    let hands = Hands::start(&post).context("a thread cannot be started")?;
    indexer::spawn(content, post.clone()).context("a thread cannot be started")?;
    let mut shell = Shell { hands, news, events: Some(EventStream::new()) };
    let end = shell.turn(&mut model, &mut screen, &mut files).await;
    drop(screen);
    // Temporary files of the editor go; a large index is freed by the end of the process, which is faster.
    drop(files);
    std::mem::forget((model, shell));
    match end? {
        End::Quit => Ok(()),
        End::Signal(number) => std::process::exit(128 + number),
    }
}

struct Shell {
    hands: Hands,
    news: tokio::sync::mpsc::UnboundedReceiver<News>,
    /// Dropped while an editor runs: a live reader steals its keys.
    events: Option<EventStream>,
}

/// Something that has happened.
enum Happening {
    Event(Event),
    News(News),
    ToastExpired(u64),
    End(End),
    Lost(std::io::Error),
}

impl Shell {
    async fn turn(&mut self, model: &mut Model, screen: &mut Screen, files: &mut editor::Files) -> anyhow::Result<End> {
        let mut signals = Signals::new()?;
        loop {
            let mut next = Some(self.wait(&mut signals).await);
            let mut changed = false;
            while let Some(happening) = next {
                let message = match happening {
                    Happening::Event(event) => translate(&event),
                    Happening::News(News::Message(message)) => Some(message),
                    Happening::News(News::Terminal(bytes)) => {
                        screen.write(&bytes)?;
                        None
                    }
                    Happening::ToastExpired(ticket) => Some(Message::ToastExpired(ticket)),
                    Happening::End(end) => return Ok(end),
                    Happening::Lost(why) => return Err(why).context("the terminal is lost"),
                };
                if let Some(message) = message {
                    changed = true;
                    for effect in update(model, message) {
                        match self.hands.perform(effect) {
                            Some(Own::Quit) => return Ok(End::Quit),
                            Some(Own::Edit(index, id)) => {
                                let result = self.edit(screen, files, &index, id)?;
                                let edited = Message::Edited(result.map_err(|why| why.to_string()));
                                for effect in update(model, edited) {
                                    self.hands.perform(effect);
                                }
                            }
                            None => {}
                        }
                    }
                }
                next = self.waiting().await;
            }
            if changed {
                screen.draw(model)?;
            }
        }
    }

    /// Sleeps until something happens.
    async fn wait(&mut self, signals: &mut Signals) -> Happening {
        let toast = self.hands.toast;
        let events = self.events.get_or_insert_default();
        tokio::select! {
            biased;
            event = events.next() => happening(event),
            Some(news) = self.news.recv() => Happening::News(news),
            number = signals.next() => Happening::End(End::Signal(number)),
            ticket = expiry(toast) => {
                self.hands.toast = None;
                Happening::ToastExpired(ticket)
            }
        }
    }

    /// What has happened already, if anything.
    async fn waiting(&mut self) -> Option<Happening> {
        let events = self.events.get_or_insert_default();
        // Polled with the task's own waker: crossterm keeps the first one that it is given.
        let event = poll_fn(|context| match Pin::new(&mut *events).poll_next(context) {
            Poll::Ready(event) => Poll::Ready(Some(happening(event))),
            Poll::Pending => Poll::Ready(None),
        });
        match event.await {
            None => self.news.try_recv().ok().map(Happening::News),
            event => event,
        }
    }

    /// Opens the editor on a terminal that is as the shell left it.
    fn edit(
        &mut self,
        screen: &mut Screen,
        files: &mut editor::Files,
        index: &crate::engine::index::Index,
        id: crate::engine::index::DefinitionId,
    ) -> anyhow::Result<anyhow::Result<()>> {
        let target = editor::chosen().and_then(|editor| Ok((editor, files.place(index, id)?)));
        let (editor, (path, line)) = match target {
            Ok(target) => target,
            Err(why) => return Ok(Err(why)),
        };
        self.events = None;
        Ok(screen.lend(|| editor::open(&editor, &path, line))?)
    }
}

fn happening(event: Option<std::io::Result<Event>>) -> Happening {
    match event {
        Some(Ok(event)) => Happening::Event(event),
        Some(Err(why)) => Happening::Lost(why),
        None => Happening::End(End::Quit),
    }
}

async fn expiry(toast: Option<(Instant, u64)>) -> u64 {
    match toast {
        Some((at, ticket)) => {
            sleep_until(at).await;
            ticket
        }
        None => std::future::pending().await,
    }
}
