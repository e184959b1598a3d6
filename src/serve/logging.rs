//! Records answered requests in the log that the explorer shows.

use std::{sync::Arc, time::Instant};

use rmcp::{
    RoleServer,
    model::{Implementation, JsonObject},
    service::RequestContext,
};

use super::tools::{self, ToolAnswer};
use crate::{
    clock,
    requests::{Request, RequestLog},
};

/// A request that has no answer yet.
pub(super) struct PendingRequest {
    start: Instant,
    request: Request,
    log: Option<Arc<RequestLog>>,
}

impl PendingRequest {
    /// A request for a tool, at its arrival. Without a log nothing is copied and nothing is recorded.
    pub(super) fn new(
        log: Option<&Arc<RequestLog>>,
        tool: &str,
        arguments: Option<&JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let mut request = Request::default();
        if log.is_some() {
            let empty = JsonObject::new();
            let arguments = Request::bounded_arguments(arguments.unwrap_or(&empty));
            let session = arguments.get("session").and_then(|session| session.as_str());
            request = Request {
                time: clock::now(),
                session: session.unwrap_or_default().to_owned(),
                client: client(context),
                tool: tool.to_owned(),
                arguments,
                ..Request::default()
            };
        }
        Self { start: Instant::now(), request, log: log.map(Arc::clone) }
    }

    /// Records the answer, later and on another thread.
    pub(super) fn answered(self, answer: &Result<ToolAnswer, String>) {
        let Some(log) = self.log else { return };
        let mut request = self.request;
        request.micros = self.start.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
        let mut tokens = None;
        match answer {
            Ok(answer) => {
                tokens = answer.tokens;
                request.delivered.clone_from(&answer.names);
                request.spared = answer.spared;
                request.answer.clone_from(&answer.text);
            }
            Err(why) => {
                request.is_error = true;
                request.answer = format!("{}: {why}", request.tool);
            }
        }
        log.record(move || {
            request.tokens = tokens.unwrap_or_else(|| tools::count(&request.answer));
            request
        });
    }
}

/// The name and version of the client: of this request, or of the handshake of the older revision.
fn client(context: &RequestContext<RoleServer>) -> String {
    let client: Option<Implementation> = context.meta.client_info();
    let client = client.or_else(|| Some(context.peer.peer_info()?.client_info.clone()));
    client.map_or_else(String::new, |client| format!("{} {}", client.name, client.version).trim().to_owned())
}
