//! The threads of the page of questions: one asks the model, another one reads and writes conversations, so that these
//! can be opened while a model answers.

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    conversations::Conversations,
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
};
use apidisc::index::Index;

use crate::{
    clock,
    tui::{
        effect::AskRequest,
        jobs::{self, AskJob, NewestCorpora},
        message::Message,
        model::ask::{AskNews, Conversation},
        options::Assistant,
    },
};

/// The threads.
pub(super) struct AskWorkers {
    runs: Worker<AskJob>,
    /// The ticket of the question that is answered; 0 if it is stopped.
    running: Arc<AtomicU64>,
    files: Worker<FileJob>,
}

/// A job of the thread for conversations.
enum FileJob {
    List,
    Open(u64),
    Keep(Box<Conversation>),
}

impl AskWorkers {
    /// Starts the threads. Conversations are kept in the file `kept`.
    pub(super) fn start(
        assistant: Option<Assistant>,
        newest: NewestCorpora,
        files: SourceFiles,
        kept: Option<PathBuf>,
        output: &OutputSender,
    ) -> io::Result<Self> {
        let (sender, kept) = (output.clone(), Conversations::new(kept));
        let running = Arc::<AtomicU64>::default();
        let newest_ticket = Arc::clone(&running);
        let runs = Worker::spawn("ask", output.clone(), move |job: AskJob, _| {
            let is_stopped = || newest_ticket.load(Ordering::Relaxed) != job.ticket;
            let mut send = |news| sender.message(Message::Ask(news));
            let sources = |index: &Index| files.source(index);
            jobs::ask(assistant.as_ref(), &newest, &sources, &job, clock::now(), &is_stopped, &mut send);
        })?;
        let sender = output.clone();
        let files = Worker::spawn("conversations", output.clone(), move |job, _| {
            let news = match job {
                FileJob::List => AskNews::Listed(kept.list(), clock::now()),
                FileJob::Open(started) => {
                    AskNews::Opened(kept.open(started).map(jobs::colour_conversation).map(Box::new))
                }
                FileJob::Keep(conversation) => return kept.keep(*conversation),
            };
            sender.message(Message::Ask(news));
        })?;
        Ok(Self { runs, running, files })
    }

    /// Passes a request to its thread.
    pub(super) fn perform(&self, request: AskRequest) {
        match request {
            AskRequest::Run(job) => {
                self.running.store(job.ticket, Ordering::Relaxed);
                self.runs.send(job);
            }
            // No question has this ticket.
            AskRequest::Stop => self.running.store(0, Ordering::Relaxed),
            AskRequest::List => self.files.send(FileJob::List),
            AskRequest::Open(started) => self.files.send(FileJob::Open(started)),
            AskRequest::Keep(conversation) => self.files.send(FileJob::Keep(conversation)),
        }
    }
}
