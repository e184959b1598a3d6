//! The thread that cuts the stub on the screen.

use std::sync::Arc;

use super::{
    desk::Desk,
    worker::{self, Jobs, Post, newest},
};
use crate::tui::{
    catalog::Catalog,
    message::Message,
    model::{PreviewRequest, StubText, tuning::CurveRequest},
};
use apidisc::{delivery::Format, overrides::Overrides};

/// A stub that is wanted.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) request: PreviewRequest,
    pub(super) overrides: Arc<Overrides>,
}

/// Starts it.
pub(super) fn spawn(desk: Desk, post: Post) -> std::io::Result<Jobs<Job>> {
    worker::spawn("stubs", post.clone(), move |job, queue| {
        let Job { ticket, catalog, request, overrides } = newest(job, queue);
        let packer = desk.packer(&catalog, CurveRequest::from(request), &overrides);
        let result = packer.as_ref().map_err(Clone::clone).and_then(|packer| {
            let delivery = packer.deliver(&request.strategy, Format::Stub)?;
            Ok(Arc::new(StubText::new(delivery)))
        });
        post.message(Message::Delivered { ticket, request, result });
        if let Ok(packer) = packer {
            let PreviewRequest { generation, scope, encoding, .. } = request;
            post.message(Message::Measured { generation, scope, encoding, tokens: packer.exhaustive_tokens() });
        }
    })
}
