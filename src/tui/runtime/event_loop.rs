//! The event loop: waits for an event, passes all waiting events to the model, draws once. It is idle otherwise.

use std::{io::Write as _, mem::take, path::PathBuf, time::Duration};

use anyhow::Context as _;
use crossterm::event::Event;
use tokio::{
    sync::mpsc::unbounded_channel,
    time::{Instant, sleep_until, timeout},
};

use super::{
    clicks::Clicks,
    editor,
    session_file::{self, SavedAt},
    signals::{SignalRequest, SignalStream, stop_process_group},
    source_files::SourceFiles,
    terminal::{Screen, restore_terminal},
    terminal_input::TerminalInput,
    translate::translate,
    worker::{OutputSender, WorkerOutput},
    workers::{DrawingThreadEffect, WorkerInputs, Workers},
};
use crate::tui::{
    effect::Effect,
    geometry::ScreenSize,
    message::Message,
    model::Model,
    options::{ExplorerOptions, SessionFile},
    update::update,
};

/// The longest time from the signal to stop until the system has stopped the process.
const STOPPING: Duration = Duration::from_millis(200);
/// The greatest number of events between two frames. A terminal that never stops sending sees frames, and signals act.
const MAX_BATCH: usize = 1024;

/// Why the loop ends.
enum LoopEnd {
    /// The user exits.
    Quit,
    /// A signal with this number asks the program to exit.
    Signal(i32),
}

pub(super) async fn run(
    mut model: Model,
    options: ExplorerOptions,
    is_watching: bool,
    complaints: Vec<String>,
) -> anyhow::Result<()> {
    let ExplorerOptions {
        content,
        model: words,
        assistant,
        conversations,
        session_file,
        request_log,
        documents,
        environment,
        ..
    } = options;
    // Before the terminal is changed: from then on, no signal ends the program without restoring it.
    let signals = SignalStream::new()?;
    let mut screen = Screen::enter(model.is_mouse_captured).context("the terminal cannot be set up")?;
    screen.draw(&model)?;
    let (sender, outputs) = unbounded_channel();
    let output = OutputSender::new(sender);
    if !complaints.is_empty() {
        output.message(Message::Complaints(complaints));
    }
    let files = SourceFiles::of(&content);
    let inputs = WorkerInputs {
        content,
        model: words,
        assistant,
        conversations,
        request_log,
        documents: documents.clone(),
        environment,
        is_watching,
    };
    let workers = Workers::start(inputs, &files, &output).context("a thread cannot be started")?;
    let saved_at = session_file.as_ref().and_then(session_file::saved_at);
    let mut event_loop = EventLoop {
        workers,
        outputs,
        signals,
        clicks: Clicks::default(),
        input: TerminalInput::default(),
        files,
        documents,
        session_file,
        saved_at,
        has_replaced: false,
        temporary: None,
        effects: Vec::new(),
    };
    let end = event_loop.run(&mut model, &mut screen).await;
    drop(screen);
    event_loop.workers.stop_programs();
    event_loop.save_session(&model);
    if event_loop.has_replaced {
        let what = "another explorer of this repository was remembered meanwhile; this one is remembered now";
        let _ = writeln!(std::io::stderr(), "{what}");
    }
    // Removes the temporary files. A large index is not freed: the end of the process frees it faster.
    drop(event_loop.temporary.take());
    std::mem::forget((model, event_loop));
    match end? {
        LoopEnd::Quit => Ok(()),
        LoopEnd::Signal(number) => std::process::exit(128 + number),
    }
}

struct EventLoop {
    workers: Workers,
    outputs: tokio::sync::mpsc::UnboundedReceiver<WorkerOutput>,
    signals: SignalStream,
    /// The presses of the mouse.
    clicks: Clicks,
    /// Stopped while an editor runs, since a second reader of the terminal would take keys from the editor.
    input: TerminalInput,
    /// The files of the index on this machine.
    files: SourceFiles,
    /// The file or folder of the API documents, if the command line names one.
    documents: Option<PathBuf>,
    /// The file in which the session is saved.
    session_file: Option<SessionFile>,
    /// The time at which the session was saved last, as far as this explorer knows.
    saved_at: SavedAt,
    /// True if this explorer has replaced the session of another one that ran at the same time.
    has_replaced: bool,
    /// The folder with the files of a source in memory that an editor has opened.
    temporary: Option<tempfile::TempDir>,
    /// The effects of the messages since the last frame, in order. They are performed after the next frame: a thread
    /// that an effect wakes could take the core from the drawing thread.
    effects: Vec<Effect>,
}

/// An event that the loop waits for.
enum LoopEvent {
    Terminal(Event),
    Worker(WorkerOutput),
    ToastExpired(u64),
    /// The program was stopped, and the shell continues it.
    Continued,
    End(LoopEnd),
    TerminalLost(std::io::Error),
}

impl EventLoop {
    async fn run(&mut self, model: &mut Model, screen: &mut Screen) -> anyhow::Result<LoopEnd> {
        // The messages that performing effects has caused.
        let mut messages = Vec::new();
        loop {
            let mut changed = !messages.is_empty();
            let mut next = if changed { None } else { Some(self.wait().await) };
            let mut handled = 0;
            let mut is_terminal_given_away = false;
            for message in messages.drain(..) {
                self.update(model, message);
            }
            while let Some(event) = next {
                let message = match event {
                    LoopEvent::Terminal(event) => {
                        translate(&event).map(|message| self.clicks.count(message, Instant::now().into_std()))
                    }
                    LoopEvent::Worker(WorkerOutput::Message(message)) => Some(message),
                    LoopEvent::Worker(WorkerOutput::Terminal(bytes)) => {
                        screen.write(&bytes)?;
                        None
                    }
                    LoopEvent::ToastExpired(ticket) => Some(Message::ToastExpired(ticket)),
                    LoopEvent::Continued => {
                        screen.reenter()?;
                        Some(screen.size()?)
                    }
                    LoopEvent::End(end) => return Ok(end),
                    LoopEvent::TerminalLost(why) => return Err(why).context("the terminal is lost"),
                };
                if let Some(message) = message {
                    changed = true;
                    is_terminal_given_away = self.update(model, message);
                }
                handled += 1;
                let is_complete = is_terminal_given_away || handled == MAX_BATCH;
                next = if is_complete { None } else { self.waiting() };
            }
            if changed {
                // If a key and a new size arrive together, crossterm reports only the key.
                if let size @ Message::Resize(columns, rows) = screen.size()?
                    && model.size != (ScreenSize { columns, rows })
                {
                    self.update(model, size);
                }
                screen.draw(model)?;
            }
            if let Some(end) = self.perform_effects(model, screen, &mut messages).await? {
                return Ok(end);
            }
        }
    }

    /// Passes a message to the model; keeps the effects. True if one of them gives the terminal away.
    fn update(&mut self, model: &mut Model, message: Message) -> bool {
        let first = self.effects.len();
        self.effects.extend(update(model, message));
        self.effects[first..].iter().any(Effect::gives_terminal_away)
    }

    /// Performs the effects since the last frame; adds the messages that they cause to `messages`.
    async fn perform_effects(
        &mut self,
        model: &Model,
        screen: &mut Screen,
        messages: &mut Vec<Message>,
    ) -> anyhow::Result<Option<LoopEnd>> {
        for effect in take(&mut self.effects) {
            match self.workers.perform(effect) {
                Some(DrawingThreadEffect::Quit) => return Ok(Some(LoopEnd::Quit)),
                Some(DrawingThreadEffect::Edit(index, file, line)) => {
                    let path = self.files.path(&index, file, &mut self.temporary);
                    messages.extend(self.edit(screen, path, line)?);
                }
                Some(DrawingThreadEffect::EditDocument(index, path, line)) => {
                    let named = self.documents.as_deref();
                    let path = self.files.document_path(named, &index, &path, &mut self.temporary);
                    messages.extend(self.edit(screen, path, line)?);
                }
                Some(DrawingThreadEffect::Suspend) => {
                    self.save_session(model);
                    if let Some(end) = self.suspend(screen).await? {
                        return Ok(Some(end));
                    }
                    messages.push(screen.size()?);
                }
                None => {}
            }
        }
        Ok(None)
    }

    /// Saves the session for the next time.
    fn save_session(&mut self, model: &Model) {
        if let Some(session_file) = &self.session_file {
            self.has_replaced |= session_file::save(session_file, model, self.saved_at);
            self.saved_at = session_file::saved_at(session_file);
        }
    }

    /// Sleeps until an event comes.
    async fn wait(&mut self) -> LoopEvent {
        let toast = self.workers.toast;
        tokio::select! {
            biased;
            request = self.signals.next() => match request {
                SignalRequest::Exit(number) => LoopEvent::End(LoopEnd::Signal(number)),
                SignalRequest::Continue => LoopEvent::Continued,
            },
            event = self.input.next() => loop_event(event),
            Some(output) = self.outputs.recv() => LoopEvent::Worker(output),
            ticket = expiry(toast) => {
                self.workers.toast = None;
                LoopEvent::ToastExpired(ticket)
            }
        }
    }

    /// Suspends the program: gives the terminal to the shell until the shell continues the program.
    async fn suspend(&mut self, screen: &mut Screen) -> anyhow::Result<Option<LoopEnd>> {
        restore_terminal();
        if stop_process_group().is_ok() {
            // This thread may run for a moment before the whole process stops. If the system ignores the signal, no
            // signal to continue follows either: hence the timeout.
            if let Ok(SignalRequest::Exit(number)) = timeout(STOPPING, self.signals.next()).await {
                return Ok(Some(LoopEnd::Signal(number)));
            }
        }
        screen.reenter()?;
        Ok(None)
    }

    /// An event that is already waiting, if there is one.
    fn waiting(&mut self) -> Option<LoopEvent> {
        let event = self.input.waiting().map(loop_event);
        event.or_else(|| self.outputs.try_recv().ok().map(LoopEvent::Worker))
    }

    /// Opens a file in the editor while the terminal is in the shell's state. A failure of the terminal is returned as
    /// an error. A failure of the editor or of the file is a message; the messages also contain the new size of the
    /// terminal.
    fn edit(&mut self, screen: &mut Screen, path: anyhow::Result<PathBuf>, line: u32) -> anyhow::Result<[Message; 2]> {
        let result = match editor::chosen().and_then(|editor| Ok((editor, path?))) {
            Ok((editor, path)) => {
                self.input.stop();
                screen.with_shell_state(|| editor::open(&editor, &path, line))?
            }
            Err(why) => Err(why),
        };
        Ok([screen.size()?, Message::Edited(result.map_err(|why| why.to_string()))])
    }
}

fn loop_event(event: std::io::Result<Event>) -> LoopEvent {
    event.map_or_else(LoopEvent::TerminalLost, LoopEvent::Terminal)
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
