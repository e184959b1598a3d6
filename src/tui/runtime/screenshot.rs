//! Takes a picture of the explorer without a terminal, with the explorer's own update function, jobs and view. Nothing
//! is written to the clipboard or to a file, and no editor is opened. Of several sequences of keys, the picture moves:
//! it shows the screen after each.

use std::{collections::VecDeque, sync::Arc};

use anyhow::{Context as _, bail};
use ratatui::{buffer::Buffer, layout::Rect};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{
    source_files::SourceFiles,
    theme,
    worker::{OutputSender, WorkerOutput},
    workers::{WorkerInputs, Workers},
};
use crate::cache::Cache;
use crate::tui::{
    effect::{AskRequest, Effect},
    geometry::ScreenSize,
    input::{Code, KeyPress},
    message::Message,
    model::Model,
    options::{Content, ExplorerOptions},
    svg::{self, moving::Frame},
    theme::{ColourChoice, ColourDepth, Themes},
    update::update,
    view,
};
use apidisc::{index::Index, source::Source};

pub(in crate::tui) fn take(
    mut options: ExplorerOptions,
    size: ScreenSize,
    keys: &[Vec<KeyPress>],
    index: impl FnOnce(&Source, Option<&Cache>) -> anyhow::Result<Index>,
) -> anyhow::Result<String> {
    // A picture has 24-bit colours by default, independent of the present terminal.
    let depth = match options.setup.config.color {
        ColourChoice::Auto => ColourDepth::True,
        ColourChoice::Always(depth) => depth,
    };
    let themes = Themes::new(std::mem::take(&mut options.setup.own_themes), depth);
    let (theme, _) = theme(&options, None, &themes)?;
    let mut model = Model::new(&options, themes, theme, size);
    let title = format!("apidisc-tui: {}", options.title);
    let files = SourceFiles::of(&options.content);
    let index = match options.content {
        Content::Source(source, cache) => Arc::new(index(&source, cache.as_ref())?),
        Content::Index(index) => index,
        Content::Fetching(..) => bail!("a picture shows sources that are fetched"),
    };
    let (sender, outputs) = unbounded_channel();
    let output = OutputSender::new(sender);
    let ExplorerOptions { model: words, assistant, conversations, request_log, documents, environment, .. } = options;
    let inputs = WorkerInputs {
        content: Content::Index(index),
        model: words,
        assistant,
        conversations,
        request_log,
        documents,
        environment,
        is_watching: false,
    };
    let workers = Workers::start(inputs, &files, &output).context("a thread cannot be started")?;
    let mut explorer = HeadlessExplorer { workers, outputs, output };
    let Some(WorkerOutput::Message(indexed)) = explorer.outputs.blocking_recv() else {
        bail!("the index is not there")
    };
    explorer.send(&mut model, indexed)?;
    let mut frames = Vec::with_capacity(keys.len());
    for sequence in keys {
        let mut frame = drawn(&model, size);
        let mut names = Vec::new();
        let mut is_word = false;
        for key in sequence {
            let is_typed =
                frame.cursor.is_some() && matches!(key, KeyPress { code: Code::Char(_), ctrl: false, alt: false });
            name(&mut names, *key, is_word && is_typed);
            is_word = is_typed;
            explorer.send(&mut model, Message::Key(*key))?;
            frame = drawn(&model, size);
        }
        frames.push(Frame { keys: names, ..frame });
    }
    // A large index is not freed: the end of the process frees it faster.
    std::mem::forget((model, explorer));
    Ok(match &frames[..] {
        [only] => svg::draw(&only.buffer, only.cursor, &title),
        frames => svg::moving::draw(frames, &title),
    })
}

/// The screen, without keys.
fn drawn(model: &Model, size: ScreenSize) -> Frame {
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.columns, size.rows));
    let cursor = view::draw(model, &mut buffer);
    Frame { buffer, cursor, keys: Vec::new() }
}

/// Adds the name of a key. The characters of a text that is typed are one name.
fn name(names: &mut Vec<String>, key: KeyPress, continues_word: bool) {
    match (key.code, names.last_mut()) {
        (Code::Char(c), Some(word)) if continues_word => word.push(c),
        _ => names.push(key.to_string()),
    }
}

struct HeadlessExplorer {
    workers: Workers,
    outputs: UnboundedReceiver<WorkerOutput>,
    output: OutputSender,
}

impl HeadlessExplorer {
    /// Passes a message to the model, then the answers to its effects, until no answer is outstanding.
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
                self.output.wait_until_idle();
                while let Ok(output) = self.outputs.try_recv() {
                    if let WorkerOutput::Message(message) = output {
                        waiting.push_back(message);
                    }
                }
            }
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            // The log is read once.
            Effect::WatchRequests => {
                drop(self.workers.perform(Effect::WatchRequests));
                drop(self.workers.perform(Effect::StopWatchingRequests));
            }
            Effect::Job(_)
            | Effect::StopTuning
            | Effect::StopWatchingRequests
            | Effect::Ask(AskRequest::Run(_) | AskRequest::Stop | AskRequest::List | AskRequest::Open(_))
            | Effect::ReadPackages(_)
            | Effect::Explain(_)
            | Effect::Upgrade(_)
            | Effect::ReadDocuments(_)
            | Effect::FreeDocuments(_)
            | Effect::ReadProfiles
            | Effect::FreeCatalog(_) => drop(self.workers.perform(effect)),
            Effect::Ask(AskRequest::Keep(_))
            | Effect::Copy { .. }
            | Effect::Write { .. }
            | Effect::Save { .. }
            | Effect::Edit { .. }
            | Effect::EditDocument { .. }
            | Effect::Reindex
            | Effect::IndexAround { .. }
            | Effect::StopIndexing
            | Effect::ExpireToast(_)
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }
}
