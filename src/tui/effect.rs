//! What the model asks the runtime to do. Every answer comes back as a [`super::message::Message`].

use std::{ops::Range, sync::Arc};

use super::model::{Candidates, Catalog, Document, Pane, Request};
use crate::engine::index::DefinitionId;

/// Work outside the core.
#[derive(Debug)]
pub enum Effect {
    /// Make a stub. A newer one replaces it while it waits.
    Deliver {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// What of it, and how.
        request: Request,
    },
    /// Find what matches a pattern. A newer one for the same pane replaces it.
    Match {
        /// Comes back with the answer.
        ticket: u64,
        /// The list that asks.
        pane: Pane,
        /// What was typed.
        pattern: String,
        /// The index.
        catalog: Arc<Catalog>,
        /// What to look through.
        candidates: Candidates,
    },
    /// Colour some lines of a document. A newer one replaces it.
    Highlight {
        /// The ticket of the document.
        ticket: u64,
        /// The document.
        document: Arc<Document>,
        /// The lines.
        lines: Range<usize>,
    },
    /// Put a stub on the clipboard.
    Copy(Arc<Document>),
    /// Write a stub to a file, whole or not at all.
    Write {
        /// As it was typed.
        path: String,
        /// The stub.
        document: Arc<Document>,
        /// Replace what is there.
        overwrite: bool,
    },
    /// Open a definition in the person's editor.
    Edit {
        /// The index.
        catalog: Arc<Catalog>,
        /// The definition.
        definition: DefinitionId,
    },
    /// Send `ToastExpired` with this ticket when it has been seen.
    Expire(u64),
    /// Free this somewhere else: dropping a large index takes longer than a frame.
    Discard(Arc<Catalog>),
    /// Leave.
    Quit,
}
