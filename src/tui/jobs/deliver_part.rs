//! Makes the text of a part of API documents: the stub of an operation, or the content of something else.

use std::sync::Arc;

use apidisc::{
    delivery::{Delivery, DeliveryError},
    http::{OperationError, operation_stub},
    language::Language,
    stub::{Docs, Wording},
    tokens::Tokenizer,
    unprintable::escaped_line,
    usage::Uses,
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::{ApiPart, PartRequest, StubText};

/// The greatest length of a content that is shown, in bytes.
const MAX_CONTENT: usize = 1 << 20;

/// A request for the text of a part. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct DeliverPartJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The part.
    pub part: ApiPart,
    /// The part as the answer names it, and the settings.
    pub request: PartRequest,
}

impl BackgroundJob for DeliverPartJob {
    fn lane(&self) -> Lane {
        Lane::Parts
    }

    fn place(&self) -> u8 {
        1
    }

    /// Answers with [`Answer::PartDelivered`]. The text has the bytes that `--export --docs` prints.
    fn run(&self, _: &JobTools, host: &mut dyn JobHost) {
        host.send(Answer::PartDelivered {
            ticket: self.ticket,
            request: self.request,
            result: self.text().map(Arc::new),
        });
    }
}

impl DeliverPartJob {
    fn text(&self) -> Result<StubText, DeliveryError> {
        let Self { part: ApiPart { api, at }, request, .. } = self;
        let tokenizer = Tokenizer::load(request.encoding);
        let delivery = |text, tokens, max_tokens| Delivery {
            text,
            enclosed: None,
            tokens,
            max_tokens,
            language: Language::TypeScript,
            strategy: String::new(),
            wording: Wording::default(),
            docs: Docs::default(),
            encoding: request.encoding,
            covered_calls: 0,
            known_calls: 0,
            covered_reads: 0,
            known_reads: 0,
            inherited: Uses::default(),
            symbols: Vec::new(),
            hidden_members: 0,
            not_shown: Vec::new(),
        };
        let Some(id) = api.operation_id(*at) else {
            let text = content(&self.part);
            let tokens = tokenizer.count(&text);
            return Ok(StubText::coloured(delivery(text, tokens, None), "json"));
        };
        let sources = Some((&*api.code, &*api.apis.uses));
        match operation_stub(&api.apis.documents.api, id, sources, request.max_tokens, &tokenizer) {
            // The types of a stub are written as in TypeScript.
            Ok(stub) => Ok(StubText::coloured(delivery(stub.text, stub.tokens, stub.max_tokens), "ts")),
            Err(OperationError::BudgetTooSmall { name, smallest, max_tokens }) => {
                Err(DeliveryError::BudgetTooSmall { name, smallest, max_tokens })
            }
        }
    }
}

/// The content of a part, as `--export --docs` prints it. A very long one is cut.
pub(super) fn content(part: &ApiPart) -> String {
    let mut text = part.api.apis.documents.chunks.content_in_lines(&part.api.apis.documents.api, part.at);
    if text.len() > MAX_CONTENT {
        let end = text.floor_char_boundary(MAX_CONTENT);
        let more = text.len() - end;
        text.truncate(end);
        text += &["\n… ", &more.to_string(), " further bytes of ", &escaped_line(part.id()), "\n"].concat();
    }
    text
}
