//! The thread that cuts stubs. It keeps what it has counted for the present scope, so that a notch of the
//! budget costs milliseconds.

use std::sync::Arc;

use super::worker::{self, Jobs, Post, newest};
use crate::{
    engine::{
        index::Scope,
        strategy::Overrides,
        stub::{DeliveryError, Format, Packer},
        tokens::{Encoding, Tokenizer},
    },
    tui::{
        message::Message,
        model::{Catalog, Document, Request},
    },
};

/// A stub that is wanted.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) request: Request,
    pub(super) overrides: Arc<Overrides>,
}

/// Scopes that are kept: going back and forth between a module and its symbols costs nothing.
const KEPT: usize = 8;

/// Starts it.
pub(super) fn spawn(post: Post) -> std::io::Result<Jobs<Job>> {
    let mut desk = Desk { kept: Vec::new() };
    worker::spawn("stubs", post.clone(), move |job, queue| {
        let Job { ticket, catalog, request, overrides } = newest(job, queue);
        let key = (request.generation, request.scope, request.encoding, request.revision);
        let result = desk.prepared(&catalog, key, &overrides).and_then(|prepared| {
            let delivery = prepared.packer.deliver(&request.strategy, Format::Stub)?;
            Ok(Arc::new(Document::new(delivery)))
        });
        post.message(Message::Delivered { ticket, request, result });
        if let Ok(prepared) = desk.prepared(&catalog, key, &overrides) {
            let tokens = *prepared.exhaustive.get_or_insert_with(|| prepared.packer.exhaustive_tokens());
            let (generation, scope, encoding, _) = key;
            post.message(Message::Measured { generation, scope, encoding, tokens });
        }
    })
}

/// Generation, scope, encoding, and revision of the pins and bans.
type Key = (u64, Scope, Encoding, u64);

struct Prepared {
    key: Key,
    packer: Packer,
    exhaustive: Option<usize>,
}

/// What is prepared, the last used at the end.
struct Desk {
    kept: Vec<Prepared>,
}

impl Desk {
    fn prepared(&mut self, catalog: &Catalog, key: Key, overrides: &Overrides) -> Result<&mut Prepared, DeliveryError> {
        // What belongs to an older index would only keep that in memory.
        self.kept.retain(|prepared| prepared.key.0 == key.0);
        let kept = self.kept.iter().position(|prepared| prepared.key == key);
        let prepared = if let Some(place) = kept {
            self.kept.remove(place)
        } else {
            let tokenizer = Tokenizer::load(key.2);
            let packer = Packer::tuned(&catalog.index, key.1, overrides, &tokenizer)?;
            Prepared { key, packer, exhaustive: None }
        };
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        Ok(self.kept.push_mut(prepared))
    }
}
