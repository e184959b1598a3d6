//! A model that sends requests to a provider.

use std::{
    ops::ControlFlow,
    thread,
    time::{Duration, Instant},
};

use futures::StreamExt as _;
use genai::{
    Client,
    chat::{ChatOptions, ChatRequest, ChatStreamEvent, JsonSpec, StreamEnd},
};
use tokio::runtime::{Builder, Runtime};

use super::{choice::ModelChoice, exchange::Exchange, failure::Failure, pieces::CallsInPieces, request};
use crate::{
    model::{Model, ModelError, OnPiece, Reply, ReplyPiece, TokenUse},
    prompt::{AnswerSchema, Prompt},
};

/// The number of further tries after a temporary failure.
const MAX_RETRIES: u32 = 4;
/// The greatest length of the text of a reply, and of the reasoning before it, in bytes. Longer text is broken off;
/// longer reasoning is an error.
const MAX_REPLY: usize = 1 << 20;
/// The greatest length of the arguments of a call in bytes.
const MAX_ARGUMENTS: usize = 1 << 18;
/// The time between two checks whether a waiting request has to stop.
const TICK: Duration = Duration::from_millis(100);

/// A model of a provider.
#[derive(Debug)]
pub struct ProviderModel {
    choice: ModelChoice,
    client: Client,
    /// Sends the requests of `client` to the provider.
    web: reqwest::Client,
    runtime: Runtime,
    /// The greatest time between two events of the provider.
    patience: Duration,
}

impl ProviderModel {
    /// A model that waits at most `patience` for the next piece of a reply.
    ///
    /// # Errors
    /// If the system lets no connection be made, or has no certificates.
    pub fn new(choice: ModelChoice, patience: Duration) -> Result<Self, ModelError> {
        // The call fails if a provider of cryptography is installed already; then that one is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let failed = |error: &dyn std::fmt::Display| ModelError::Failed(format!("no connection can be made: {error}"));
        let web = || reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).referer(false);
        // The client library speaks to this process only.
        let library = web().no_proxy().no_gzip().build().map_err(|error| failed(&error))?;
        let client = Client::builder().with_reqwest(library).build().map_err(|error| failed(&error))?;
        let web = web().connect_timeout(patience).build().map_err(|error| failed(&error))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        Ok(Self { choice, client, web, runtime, patience })
    }

    /// Sends one request, and receives its reply.
    async fn attempt(
        &self,
        request: ChatRequest,
        answer: Option<&AnswerSchema>,
        on_piece: OnPiece<'_>,
    ) -> Result<Reply, Failure> {
        let key = self.choice.key();
        let failure = |error: genai::Error| Failure::of(&error, key.as_deref());
        let comes_in_pieces = self.choice.calls_in_pieces();
        let mut options = ChatOptions::default()
            .with_capture_usage(true)
            .with_capture_tool_calls(!comes_in_pieces)
            .with_normalize_reasoning_content(true);
        if let Some(AnswerSchema { name, schema }) = answer {
            options = options.with_response_format(JsonSpec::new(name, schema.clone()));
        }
        let mut target = self.client.resolve_service_target(self.choice.target()).await.map_err(failure)?;
        let exchange = Exchange::open(&self.web, &target.endpoint).await?;
        target.endpoint = exchange.endpoint();
        let response = self.client.exec_chat_stream(target, request, Some(&options)).await.map_err(failure)?;
        let mut stream = response.stream;
        let mut reply = Reply::default();
        let mut calls = CallsInPieces::default();
        let mut thoughts = 0;
        let mut last_sign = Instant::now();
        loop {
            let Ok(event) = tokio::time::timeout(TICK, stream.next()).await else {
                if last_sign.elapsed() >= self.patience {
                    return Err(Failure::lasting(ModelError::TimedOut(self.patience)));
                }
                if on_piece(ReplyPiece::Waiting).is_break() {
                    return Ok(reply);
                }
                continue;
            };
            last_sign = Instant::now();
            match event {
                None => {
                    let broken = || Failure::broken("the connection ended in the middle of the reply");
                    return Err(exchange.failure().unwrap_or_else(broken));
                }
                Some(Err(error)) => return Err(exchange.failure().unwrap_or_else(|| failure(error))),
                Some(Ok(ChatStreamEvent::Chunk(chunk))) => {
                    reply.text += &chunk.content;
                    if on_piece(ReplyPiece::Text(&chunk.content)).is_break() || reply.text.len() > MAX_REPLY {
                        return Ok(reply);
                    }
                }
                Some(Ok(ChatStreamEvent::End(end))) => {
                    finish(&mut reply, &end, calls);
                    return Ok(reply);
                }
                Some(Ok(ChatStreamEvent::Start)) => {}
                Some(Ok(event)) => {
                    let arguments = match &event {
                        ChatStreamEvent::ReasoningChunk(chunk) => {
                            thoughts += chunk.content.len();
                            0
                        }
                        ChatStreamEvent::ToolCallChunk(chunk) if comes_in_pieces => {
                            calls.add(&chunk.tool_call).unwrap_or(usize::MAX)
                        }
                        // The chunk contains all arguments that have arrived so far.
                        ChatStreamEvent::ToolCallChunk(chunk) => {
                            chunk.tool_call.fn_arguments.as_str().map_or(0, str::len)
                        }
                        _ => 0,
                    };
                    if thoughts > MAX_REPLY || arguments > MAX_ARGUMENTS {
                        let message = "its thoughts, its calls, or the arguments of a call, do not end".to_owned();
                        return Err(Failure::lasting(ModelError::Failed(message)));
                    }
                    if on_piece(ReplyPiece::Waiting).is_break() {
                        return Ok(reply);
                    }
                }
            }
        }
    }
}

impl Model for ProviderModel {
    fn reply(&mut self, prompt: &Prompt, on_piece: OnPiece<'_>) -> Result<Reply, ModelError> {
        let request = request::of(prompt);
        let mut tries = 0;
        loop {
            let failure = match self.runtime.block_on(self.attempt(request.clone(), prompt.answer.as_ref(), on_piece)) {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let Some(wait) = failure.wait(tries).filter(|_| tries < MAX_RETRIES) else {
                return Err(failure.into_error());
            };
            tries += 1;
            if on_piece(ReplyPiece::Restart).is_break() || pause(wait, on_piece).is_break() {
                return Ok(Reply::default());
            }
        }
    }
}

/// Waits, unless `on_piece` breaks off.
fn pause(wait: Duration, on_piece: OnPiece<'_>) -> ControlFlow<()> {
    let end = Instant::now() + wait;
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        thread::sleep(left.min(TICK));
        on_piece(ReplyPiece::Waiting)?;
    }
    ControlFlow::Continue(())
}

/// Adds the end of a stream to a reply: the calls, and the tokens.
fn finish(reply: &mut Reply, end: &StreamEnd, calls: CallsInPieces) {
    let whole = end.captured_tool_calls().unwrap_or_default();
    reply.calls = whole.into_iter().chain(&calls.into_calls()).map(request::call).collect();
    reply.tokens = end.captured_usage.as_ref().and_then(|usage| {
        let count = |tokens: Option<i32>| u64::try_from(tokens?).ok();
        Some(TokenUse { prompt: count(usage.prompt_tokens)?, reply: count(usage.completion_tokens)? })
    });
}
