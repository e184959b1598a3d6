//! The explorer without a terminal: keys go through the same update and the same threads, and what the same view then
//! draws becomes a picture. Nothing outside is touched.

use std::{collections::VecDeque, sync::Arc};

use anyhow::{Context as _, bail};
use ratatui::{buffer::Buffer, layout::Rect};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{
    effects::Hands,
    files::Files,
    theme,
    worker::{News, Post},
};
use crate::tui::{
    effect::Effect,
    geometry::ScreenSize,
    input::KeyPress,
    message::Message,
    model::Model,
    options::{Content, Options},
    svg,
    theme::{ColourChoice, ColourDepth, Themes},
    update::update,
    view,
};
use apidisc::{index::Index, source::Source};

pub(in crate::tui) fn take(
    mut options: Options,
    size: ScreenSize,
    keys: &[KeyPress],
    index: impl FnOnce(&Source) -> anyhow::Result<Index>,
) -> anyhow::Result<String> {
    // A picture has every colour, whatever the terminal has where it is made.
    let depth = match options.setup.config.color {
        ColourChoice::Auto => ColourDepth::True,
        ColourChoice::Always(depth) => depth,
    };
    let themes = Themes::new(std::mem::take(&mut options.setup.own_themes), depth);
    let (theme, _) = theme(&options, None, &themes)?;
    let mut model = Model::new(&options, themes, theme, size);
    let title = format!("apidisc-tui: {}", options.title);
    let files = Files::of(&options.content);
    let index = match options.content {
        Content::Source(source) => Arc::new(index(&source)?),
        Content::Index(index) => index,
    };
    let (sender, news) = unbounded_channel();
    let post = Post::new(sender);
    let hands = Hands::start(Content::Index(index), files, false, &post).context("a thread cannot be started")?;
    let mut studio = Studio { hands, news, post };
    let Some(News::Message(indexed)) = studio.news.blocking_recv() else { bail!("the index is not there") };
    studio.send(&mut model, indexed)?;
    for key in keys {
        studio.send(&mut model, Message::Key(*key))?;
    }
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.columns, size.rows));
    let cursor = view::draw(&model, &mut buffer);
    // A large index is freed by the end of the process, which is faster.
    std::mem::forget((model, studio));
    Ok(svg::draw(&buffer, cursor, &title))
}

struct Studio {
    hands: Hands,
    news: UnboundedReceiver<News>,
    post: Post,
}

impl Studio {
    /// Hands a message to the model, and everything that follows from it, until nothing more does.
    fn send(&mut self, model: &mut Model, message: Message) -> anyhow::Result<()> {
        let mut waiting = VecDeque::from([message]);
        while let Some(message) = waiting.pop_front() {
            if let Message::WorkerFailed(what) = &message {
                bail!("a bug of apidisc-tui: {what}");
            }
            for effect in update(model, message) {
                self.perform(effect);
            }
            if waiting.is_empty() {
                self.post.rest();
                while let Ok(news) = self.news.try_recv() {
                    if let News::Message(message) = news {
                        waiting.push_back(message);
                    }
                }
            }
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Deliver { .. }
            | Effect::Count { .. }
            | Effect::Trace { .. }
            | Effect::Weigh { .. }
            | Effect::Compare { .. }
            | Effect::HoldOut { .. }
            | Effect::StopTuning
            | Effect::Match { .. }
            | Effect::Find { .. }
            | Effect::Gather(_)
            | Effect::Highlight { .. }
            | Effect::Read { .. }
            | Effect::Quote { .. }
            | Effect::Date { .. }
            | Effect::Word { .. }
            | Effect::Discard(_) => drop(self.hands.perform(effect)),
            Effect::Copy(_)
            | Effect::Write { .. }
            | Effect::Save { .. }
            | Effect::Edit { .. }
            | Effect::Reindex
            | Effect::StopIndexing
            | Effect::Mouse(_)
            | Effect::Expire(_)
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }
}
