//! Makes the stub that the screen shows.

use std::sync::Arc;

use apidisc::{
    delivery::{DeliveryError, Format, Packer},
    intent::{Asked, IntentWords},
    overrides::Overrides,
    strategy::FilteringStrategy as _,
    tokens::Tokenizer,
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane, packer_key};
use crate::tui::model::{Catalog, PreviewRequest, StubText};

/// A request for a stub. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct DeliverJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The part of the index, and the settings.
    pub request: PreviewRequest,
    /// The pins and bans.
    pub overrides: Arc<Overrides>,
    /// The words that a person searched or asked: the stub ranks members and parameters by these words as well as by
    /// their use.
    pub question: Option<Arc<str>>,
}

impl DeliverJob {
    /// The stub for the question, as `--export --intent` prints it; `None` without a question, or if the budget has no
    /// room for what it names.
    fn for_question(&self) -> Option<Result<Arc<StubText>, DeliveryError>> {
        let PreviewRequest { scope, strategy, encoding, .. } = self.request;
        let intent = IntentWords::new(self.question.as_deref()?);
        if intent.is_empty() {
            return None;
        }
        let (index, tokenizer) = (&self.catalog.index, Tokenizer::load(encoding));
        let asked = Asked::new(index, scope, &intent, strategy.max_tokens(), &tokenizer);
        let packer = Packer::for_intent(index, scope, &self.overrides, &asked, &tokenizer);
        let result = packer.and_then(|packer| self.stub(&packer));
        Some(result).filter(|result| !matches!(result, Err(DeliveryError::BudgetTooSmall { .. })))
    }

    fn stub(&self, packer: &Packer) -> Result<Arc<StubText>, DeliveryError> {
        let request = &self.request;
        if request.is_readable {
            let (delivery, readable) = packer.deliver_readable(request.style, &request.strategy)?;
            return Ok(Arc::new(StubText::readable(delivery, readable)));
        }
        let delivery = packer.deliver_in(request.style, &request.strategy, Format::Stub)?;
        Ok(Arc::new(StubText::new(delivery)))
    }
}

impl BackgroundJob for DeliverJob {
    fn lane(&self) -> Lane {
        Lane::Delivery
    }

    /// Answers with [`Answer::Delivered`], then with [`Answer::Measured`], the size of the exhaustive stub, unless the
    /// packer of the scope cannot be made.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let Self { ticket, catalog, request, overrides, .. } = self;
        let packer = tools.packers.packer(&catalog.index, packer_key((*request).into()), overrides);
        let plain = || packer.as_ref().map_err(Clone::clone).and_then(|packer| self.stub(packer));
        let result = self.for_question().unwrap_or_else(plain);
        host.send(Answer::Delivered { ticket: *ticket, request: *request, result });
        if let Ok(packer) = packer {
            let PreviewRequest { generation, scope, encoding, .. } = *request;
            host.send(Answer::Measured { generation, scope, encoding, tokens: packer.exhaustive_tokens() });
        }
    }
}
