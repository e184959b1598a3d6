//! Effects: the work that `update` requests from the runtime. An answer comes back as a [`super::message::Message`].

use std::sync::Arc;

use super::{
    jobs::{AskJob, Job, ReadDocumentsJob},
    model::{ApiCatalog, Catalog, StubText, UpgradeQuestion, Versioned, ask::Conversation, page::CallPlace},
};
use apidisc::program::FileId;

/// A request for work outside `update`. The jobs are documented in [`super::jobs`].
#[derive(Debug)]
pub enum Effect {
    /// Do a background job.
    Job(Job),
    /// Read the log of agents' requests, and follow it.
    WatchRequests,
    /// Stop following the log of agents' requests.
    StopWatchingRequests,
    /// Cancel the jobs of the tuning page, which is closed.
    StopTuning,
    /// Ask a question about the index, or list, read or keep conversations.
    Ask(AskRequest),
    /// Read the API documents.
    ReadDocuments(ReadDocumentsJob),
    /// Read the packages that the code of this index uses.
    ReadPackages(Arc<Catalog>),
    /// Say how a call is resolved, or why it is not.
    Explain(ExplainRequest),
    /// List the places of other versions of packages, or compare with one.
    Upgrade(UpgradeRequest),
    /// Index the repository around what is opened, or what is opened alone again.
    IndexAround {
        /// True for the whole repository.
        is_counted: bool,
    },
    /// Free API documents on another thread.
    FreeDocuments(Arc<ApiCatalog>),
    /// Put a text on the clipboard.
    Copy {
        /// The text: a stub, or the first call of a definition.
        text: String,
        /// A description of the text for the note.
        description: String,
    },
    /// Write a stub to a file, whole or not at all.
    Write {
        /// The path as it was typed.
        path: String,
        /// The stub.
        stub: Arc<StubText>,
        /// Replace an existing file.
        overwrite: bool,
    },
    /// Save a profile in the repository, whole or not at all.
    Save {
        /// Its name.
        name: String,
        /// The text of its file.
        text: String,
        /// Replace an existing profile of that name.
        overwrite: bool,
    },
    /// Read the profiles of the repository.
    ReadProfiles,
    /// Open a file of the sources in the user's editor.
    Edit {
        /// The index.
        catalog: Arc<Catalog>,
        /// The file.
        file: FileId,
        /// The line, from 1.
        line: u32,
    },
    /// Open a file of the API documents in the user's editor.
    EditDocument {
        /// The index, whose sources hold the documents unless the command line names others.
        catalog: Arc<Catalog>,
        /// The path of the file from the root of the documents.
        path: String,
        /// The line, from 1.
        line: u32,
    },
    /// Index the changed files again.
    Reindex,
    /// Cancel the present build of the index.
    StopIndexing,
    /// Send `ToastExpired` with this ticket after the time that a toast is shown.
    ExpireToast(u64),
    /// Free a catalogue on another thread: dropping a large index takes longer than a frame.
    FreeCatalog(Arc<Catalog>),
    /// Suspend the program: give the terminal to the shell until the shell continues the program.
    Suspend,
    /// Exit the program.
    Quit,
}

impl Effect {
    /// True if another program gets the terminal, and the keys that are typed from now on.
    pub(super) fn gives_terminal_away(&self) -> bool {
        matches!(self, Self::Edit { .. } | Self::EditDocument { .. } | Self::Suspend | Self::Quit)
    }
}

/// A request to explain how a call is resolved.
#[derive(Debug)]
pub struct ExplainRequest {
    /// Identifies the answer.
    pub ticket: u64,
    /// The index of the code.
    pub code: Arc<Catalog>,
    /// The call.
    pub place: CallPlace,
}

/// A request about another version of a package, or of the code.
#[derive(Debug)]
pub enum UpgradeRequest {
    /// List the places that a typed text may name.
    List {
        /// The index of the code.
        code: Arc<Catalog>,
        /// What has another version.
        of: Versioned,
        /// The text.
        typed: String,
    },
    /// Compare with another version.
    Read {
        /// The index of the code.
        code: Arc<Catalog>,
        /// What has another version, and where it is.
        question: UpgradeQuestion,
    },
}

/// A request that the page of questions makes.
#[derive(Debug)]
pub enum AskRequest {
    /// Answer a question.
    Run(AskJob),
    /// Stop the run.
    Stop,
    /// List the conversations that were kept.
    List,
    /// Read the conversation with this [`Conversation::started`].
    Open(u64),
    /// Keep a conversation, in place of the kept one with the same [`Conversation::started`].
    Keep(Box<Conversation>),
}
