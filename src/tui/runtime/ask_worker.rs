//! The threads of the page of questions: one asks the model, another one reads and writes conversations, so that these can
//! be opened while a model answers.

use std::{io, path::PathBuf};

use super::{
    conversations::{self, Conversations},
    source_files::SourceFiles,
    worker::{OutputSender, SupersedingWorker, Worker},
};
use crate::tui::{
    effect::AskRequest,
    jobs::{self, AskJob, NewestCorpus},
    message::Message,
    model::ask::{AskNews, Conversation},
    options::Assistant,
};

/// The threads.
pub(super) struct AskWorkers {
    runs: SupersedingWorker<Option<AskJob>>,
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
        newest: NewestCorpus,
        files: SourceFiles,
        kept: Option<PathBuf>,
        output: &OutputSender,
    ) -> io::Result<Self> {
        let (sender, kept) = (output.clone(), Conversations::new(kept));
        let runs = SupersedingWorker::spawn("ask", output.clone(), move |job: Option<AskJob>, _, latest| {
            let Some(job) = job else { return };
            let source = files.source(&job.catalog.index);
            let is_stopped = || latest.is_superseded(0, job.ticket);
            let mut send = |message| sender.message(message);
            jobs::ask(assistant.as_ref(), &newest, source.as_ref(), &job, conversations::now(), &is_stopped, &mut send);
        })?;
        let sender = output.clone();
        let files = Worker::spawn("conversations", output.clone(), move |job, _| {
            let news = match job {
                FileJob::List => AskNews::Listed(kept.list(), conversations::now()),
                FileJob::Open(started) => {
                    AskNews::Opened(kept.open(started).map(jobs::colour_conversation).map(Box::new))
                }
                FileJob::Keep(conversation) => return kept.keep(*conversation),
            };
            sender.message(Message::Ask(news));
        })?;
        Ok(Self { runs, files })
    }

    /// Passes a request to its thread.
    pub(super) fn perform(&self, request: AskRequest) {
        match request {
            AskRequest::Run(job) => self.runs.supersede(0, job.ticket, Some(job)),
            // No question has this ticket, so that the running one is superseded.
            AskRequest::Stop => self.runs.supersede(0, 0, None),
            AskRequest::List => self.files.send(FileJob::List),
            AskRequest::Open(started) => self.files.send(FileJob::Open(started)),
            AskRequest::Keep(conversation) => self.files.send(FileJob::Keep(conversation)),
        }
    }
}
