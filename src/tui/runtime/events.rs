//! The event loop: wait for something, take in everything that waits, draw once. Nothing happens otherwise.

use std::{collections::VecDeque, future::poll_fn, pin::Pin, task::Poll, time::Duration};

use anyhow::Context as _;
use crossterm::event::{Event, EventStream};
use futures::{Stream, StreamExt as _};
use tokio::{
    sync::mpsc::unbounded_channel,
    time::{Instant, sleep_until, timeout},
};

use super::{
    editor,
    effects::{Hands, Own},
    files::Files,
    memory,
    signals::{Said, Signals, stop},
    terminal::{Screen, give_back},
    translate::translate,
    worker::{News, Post},
};
use crate::tui::{
    geometry::ScreenSize,
    message::Message,
    model::Model,
    options::{Content, Keeper},
    update::update,
};
use apidisc::{index::Index, program::FileId};

/// Stopping takes no longer than this.
const STOPPING: Duration = Duration::from_millis(200);

/// Why the loop ends.
enum End {
    /// The person leaves.
    Quit,
    /// A signal asks; the number is that of the signal.
    Signal(i32),
}

pub(super) async fn run(
    mut model: Model,
    content: Content,
    keeper: Option<Keeper>,
    is_watching: bool,
    complaints: Vec<String>,
) -> anyhow::Result<()> {
    let mut screen = Screen::take(model.mouse).context("the terminal cannot be set up")?;
    screen.draw(&model)?;
    let (sender, news) = unbounded_channel();
    let post = Post::new(sender);
    if !complaints.is_empty() {
        post.message(Message::Complaints(complaints));
    }
    let files = Files::of(&content);
    let hands = Hands::start(content, files.clone(), is_watching, &post).context("a thread cannot be started")?;
    let events = Some(EventStream::new());
    let mut shell = Shell { hands, news, signals: Signals::new()?, events, files, keeper, temporary: None };
    let end = shell.turn(&mut model, &mut screen).await;
    drop(screen);
    shell.remember(&model);
    // Temporary files of the editor go; a large index is freed by the end of the process, which is faster.
    drop(shell.temporary.take());
    std::mem::forget((model, shell));
    match end? {
        End::Quit => Ok(()),
        End::Signal(number) => std::process::exit(128 + number),
    }
}

struct Shell {
    hands: Hands,
    news: tokio::sync::mpsc::UnboundedReceiver<News>,
    signals: Signals,
    /// Dropped while an editor runs: a live reader steals its keys.
    events: Option<EventStream>,
    /// Where the sources are.
    files: Files,
    /// Where it is remembered how one leaves.
    keeper: Option<Keeper>,
    /// Files in memory that an editor has opened.
    temporary: Option<tempfile::TempDir>,
}

/// Something that has happened.
enum Happening {
    Event(Event),
    News(News),
    ToastExpired(u64),
    Continued,
    End(End),
    Lost(std::io::Error),
}

impl Shell {
    async fn turn(&mut self, model: &mut Model, screen: &mut Screen) -> anyhow::Result<End> {
        loop {
            let mut next = Some(self.wait().await);
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
                    Happening::Continued => {
                        screen.retake()?;
                        Some(screen.size()?)
                    }
                    Happening::End(end) => return Ok(end),
                    Happening::Lost(why) => return Err(why).context("the terminal is lost"),
                };
                if let Some(message) = message {
                    changed = true;
                    if let Some(end) = self.take_in(message, model, screen).await? {
                        return Ok(end);
                    }
                }
                next = self.waiting().await;
            }
            if changed {
                // Where a key comes together with a new size, crossterm tells of the key alone.
                if let size @ Message::Resize(columns, rows) = screen.size()?
                    && model.size != (ScreenSize { columns, rows })
                    && let Some(end) = self.take_in(size, model, screen).await?
                {
                    return Ok(end);
                }
                screen.draw(model)?;
            }
        }
    }

    /// Hands a message to the model, and does what that asks for.
    async fn take_in(
        &mut self,
        message: Message,
        model: &mut Model,
        screen: &mut Screen,
    ) -> anyhow::Result<Option<End>> {
        let mut messages = VecDeque::from([message]);
        while let Some(message) = messages.pop_front() {
            for effect in update(model, message) {
                match self.hands.perform(effect) {
                    Some(Own::Quit) => return Ok(Some(End::Quit)),
                    Some(Own::Mouse(mouse)) => screen.take_mouse(mouse)?,
                    Some(Own::Edit(index, file, line)) => {
                        let result = self.edit(screen, &index, file, line)?;
                        messages.push_back(screen.size()?);
                        messages.push_back(Message::Edited(result.map_err(|why| why.to_string())));
                    }
                    Some(Own::Suspend) => {
                        self.remember(model);
                        if let Some(end) = self.suspend(screen).await? {
                            return Ok(Some(end));
                        }
                        messages.push_back(screen.size()?);
                    }
                    None => {}
                }
            }
        }
        Ok(None)
    }

    /// Remembers how things are for the next time.
    fn remember(&self, model: &Model) {
        if let Some(keeper) = &self.keeper {
            memory::save(keeper, model);
        }
    }

    /// Sleeps until something happens.
    async fn wait(&mut self) -> Happening {
        let toast = self.hands.toast;
        let events = self.events.get_or_insert_default();
        tokio::select! {
            biased;
            event = events.next() => happening(event),
            Some(news) = self.news.recv() => Happening::News(news),
            said = self.signals.next() => match said {
                Said::End(number) => Happening::End(End::Signal(number)),
                Said::Continue => Happening::Continued,
            },
            ticket = expiry(toast) => {
                self.hands.toast = None;
                Happening::ToastExpired(ticket)
            }
        }
    }

    /// Gives the terminal to the shell until that lets this program go on.
    async fn suspend(&mut self, screen: &mut Screen) -> anyhow::Result<Option<End>> {
        give_back();
        if stop().is_ok() {
            // The other threads may run for a moment before all of them stop. Where nothing stops, nothing goes on.
            if let Ok(Said::End(number)) = timeout(STOPPING, self.signals.next()).await {
                return Ok(Some(End::Signal(number)));
            }
        }
        screen.retake()?;
        Ok(None)
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
        index: &Index,
        file: FileId,
        line: u32,
    ) -> anyhow::Result<anyhow::Result<()>> {
        let target =
            editor::chosen().and_then(|editor| Ok((editor, self.files.path(index, file, &mut self.temporary)?)));
        let (editor, path) = match target {
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
