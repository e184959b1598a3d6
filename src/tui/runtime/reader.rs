//! The thread that reads the sources: what stands around a place, the shortest of some calls, what calls say.

use std::sync::Arc;

use super::{
    files::Files,
    worker::{self, Jobs, Post},
};
use crate::tui::{
    catalog::Catalog,
    highlight::Highlighter,
    message::Message,
    model::page::SourcePlace,
    reading::{Reader, colour, colour_call_lines, colour_quote},
};
use apidisc::{program::CallId, source};

/// Something to be read.
pub(super) enum Job {
    Read { ticket: u64, catalog: Arc<Catalog>, shows: SourcePlace },
    Quote { ticket: u64, catalog: Arc<Catalog>, calls: Vec<CallId> },
    Word { catalog: Arc<Catalog>, calls: Vec<CallId> },
}

/// Starts it.
pub(super) fn spawn(files: Files, post: Post) -> std::io::Result<Jobs<Job>> {
    worker::spawn("reader", post.clone(), move |job, waiting| {
        // Of several that wait the newest of each kind is wanted.
        let (mut read, mut quote, mut word) = (None, None, None);
        for job in std::iter::once(job).chain(waiting.take()) {
            match job {
                Job::Read { ticket, catalog, shows } => read = Some((ticket, catalog, shows)),
                Job::Quote { ticket, catalog, calls } => quote = Some((ticket, catalog, calls)),
                Job::Word { catalog, calls } => word = Some((catalog, calls)),
            }
        }
        if let Some((ticket, catalog, shows)) = read {
            let source = files.source(&catalog.index);
            let open = |path: &str| source::reread(source.as_ref()?, path);
            let plain = Reader::new(&catalog, &open).excerpt(shows);
            post.message(Message::Read { ticket, result: plain.clone() });
            if let Ok(mut excerpt) = plain {
                colour(&mut excerpt, Highlighter::shared());
                post.message(Message::Read { ticket, result: Ok(excerpt) });
            }
        }
        if let Some((ticket, catalog, calls)) = quote {
            let source = files.source(&catalog.index);
            let open = |path: &str| source::reread(source.as_ref()?, path);
            let result = Reader::new(&catalog, &open).shortest(&calls).map(|mut quote| {
                colour_quote(&mut quote, &catalog, Highlighter::shared());
                quote
            });
            post.message(Message::Quoted { ticket, result });
        }
        if let Some((catalog, calls)) = word {
            let source = files.source(&catalog.index);
            let open = |path: &str| source::reread(source.as_ref()?, path);
            let mut call_lines = Reader::new(&catalog, &open).call_lines(&calls);
            colour_call_lines(&mut call_lines, &catalog, Highlighter::shared());
            post.message(Message::Worded { generation: catalog.generation, call_lines });
        }
    })
}
