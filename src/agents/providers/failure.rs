//! Errors of the client: whether a request is tried again, and after how long.

use std::time::Duration;

use apidisc::unprintable::escaped_line;
use genai::Error;

use crate::model::ModelError;

/// The greatest length of a provider's message, in characters.
const MAX_MESSAGE: usize = 300;
/// An error message that contains the word `tool` and one of these texts says that the model takes no tools. Ollama and
/// Groq write the first text, `OpenRouter` the second, llama.cpp and vLLM the third, with the option that they need.
const REFUSALS: [&str; 4] = ["not support", "no endpoints found", "requires --", "is not enabled"];
/// The longest wait before another try. If a provider asks for a longer one, the request fails.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// A failed request.
#[derive(Debug)]
pub(super) struct Failure {
    /// The HTTP status; `None` without an answer.
    status: Option<u16>,
    /// The wait that the provider asks for.
    retry_after: Option<Duration>,
    message: String,
    /// The error for the caller, if another try would fail in the same way.
    lasting: Option<ModelError>,
}

impl Failure {
    /// A failure without an answer of the provider.
    pub(super) fn broken(message: &str) -> Self {
        Self { status: None, retry_after: None, message: message.to_owned(), lasting: None }
    }

    /// A failure that would occur again if the request were repeated.
    pub(super) fn lasting(error: ModelError) -> Self {
        Self { lasting: Some(error), ..Self::broken("") }
    }

    /// The failure behind an error of the client. `key` is taken out of its message.
    pub(super) fn of(error: &Error, key: Option<&str>) -> Self {
        // The error of a stream may hold the error of its request.
        let of_request = match error {
            Error::WebStream { error, .. } => error.downcast_ref::<Error>(),
            _ => None,
        };
        let inner = of_request.unwrap_or(error);
        let header =
            |name: &str| inner.headers().and_then(|headers| headers.get(name)?.to_str().ok()?.parse::<f64>().ok());
        let milliseconds = header("retry-after-ms").map(|wait| wait / 1000.0);
        let retry_after = milliseconds.or_else(|| header("retry-after"));
        Self {
            status: inner.status().map(|status| status.as_u16()),
            retry_after: retry_after.and_then(|wait| Duration::try_from_secs_f64(wait).ok()),
            message: message(inner, key),
            lasting: None,
        }
    }

    /// The time to wait before the next try, after `tries` tries. `None` if another try cannot succeed.
    pub(super) fn wait(&self, tries: u32) -> Option<Duration> {
        let is_temporary = match self.status {
            // The connection failed or was cut.
            None => true,
            Some(status) => matches!(status, 408 | 409 | 429 | 500..=599),
        };
        let wait = self.retry_after.unwrap_or(Duration::from_millis(500) * 2u32.saturating_pow(tries));
        let may_help = is_temporary && self.lasting.is_none() && !self.refuses_tools();
        (may_help && wait <= MAX_WAIT).then_some(wait)
    }

    /// True if the provider says that its model takes no tools.
    fn refuses_tools(&self) -> bool {
        let message = self.message.to_lowercase();
        self.status.is_some() && message.contains("tool") && REFUSALS.iter().any(|words| message.contains(words))
    }

    /// The error for the caller.
    pub(super) fn into_error(self) -> ModelError {
        if let Some(error) = self.lasting {
            return error;
        }
        match self.status {
            _ if self.refuses_tools() => ModelError::NoFunctionCalling(self.message),
            Some(401 | 403) => ModelError::Unauthorized(self.message),
            Some(429) => ModelError::RateLimited(self.retry_after),
            _ => ModelError::Failed(self.message),
        }
    }
}

/// The error on one line, without the key and without the request.
fn message(error: &Error, key: Option<&str>) -> String {
    let text = match error {
        Error::HttpError { status, body, .. } => format!("status {status}: {}", words_of(body)),
        Error::WebModelCall { webc_error: genai::webc::Error::ResponseFailedStatus { status, body, .. }, .. } => {
            format!("status {status}: {}", words_of(body))
        }
        Error::ChatResponseGeneration { cause, .. } => format!("the reply cannot be read: {cause}"),
        error => error.to_string(),
    };
    let text = key.map_or_else(|| text.clone(), |key| text.replace(key, "(key)"));
    escaped_line(&text).split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_MESSAGE).collect()
}

/// The error message in the body of a failed response: the message in its JSON, or the whole body if there is no such
/// message.
fn words_of(body: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let message = value.as_ref().and_then(|value| {
        let places = ["/error/message", "/message", "/error", "/0/error/message"];
        places.iter().find_map(|place| value.pointer(place)?.as_str())
    });
    message.unwrap_or(body).to_owned()
}
