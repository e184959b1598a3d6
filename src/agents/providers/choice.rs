//! The choice of a model: its provider, its name, its key and its address.

use std::{env, fmt};

use genai::{
    ModelIden, ModelSpec, ServiceTarget,
    adapter::AdapterKind,
    resolver::{AuthData, Endpoint},
};

use crate::nearest::nearest;

/// A provider, as `--model` names it.
#[derive(Debug)]
struct Provider {
    name: &'static str,
    adapter: AdapterKind,
    /// The environment variables that may hold the key; empty if there is no key.
    keys: &'static [&'static str],
    /// The address of a server on this machine; `None` for the provider's own address.
    local: Option<&'static str>,
}

const fn remote(name: &'static str, adapter: AdapterKind, keys: &'static [&'static str]) -> Provider {
    Provider { name, adapter, keys, local: None }
}

static PROVIDERS: [Provider; 16] = [
    remote("openai", AdapterKind::OpenAI, &["OPENAI_API_KEY"]),
    remote("anthropic", AdapterKind::Anthropic, &["ANTHROPIC_API_KEY"]),
    remote("gemini", AdapterKind::Gemini, &["GEMINI_API_KEY"]),
    remote("bedrock", AdapterKind::BedrockApi, &["BEDROCK_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"]),
    Provider { name: "ollama", adapter: AdapterKind::Ollama, keys: &[], local: None },
    Provider { name: "llama.cpp", adapter: AdapterKind::OpenAI, keys: &[], local: Some("http://127.0.0.1:8080/v1/") },
    remote("vertex", AdapterKind::Vertex, &["VERTEX_API_KEY"]),
    remote("groq", AdapterKind::Groq, &["GROQ_API_KEY"]),
    remote("mistral", AdapterKind::Mistral, &["MISTRAL_API_KEY"]),
    remote("deepseek", AdapterKind::DeepSeek, &["DEEPSEEK_API_KEY"]),
    remote("openrouter", AdapterKind::OpenRouter, &["OPEN_ROUTER_API_KEY"]),
    remote("xai", AdapterKind::Xai, &["XAI_API_KEY"]),
    remote("together", AdapterKind::Together, &["TOGETHER_API_KEY"]),
    remote("fireworks", AdapterKind::Fireworks, &["FIREWORKS_API_KEY"]),
    remote("cohere", AdapterKind::Cohere, &["COHERE_API_KEY"]),
    remote("moonshot", AdapterKind::Moonshot, &["MOONSHOT_API_KEY"]),
];

/// A model of a provider.
#[derive(Clone)]
pub struct ModelChoice {
    provider: &'static Provider,
    name: String,
    base_url: Option<String>,
}

/// A model that cannot be used. The message says how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The form is not `PROVIDER:NAME`.
    #[error("a model is written PROVIDER:NAME, like anthropic:claude-sonnet-4-5, and not {0:?}")]
    Form(String),
    /// No provider has this name.
    #[error("there is no provider {name:?}{hint}; the providers: {known}")]
    Provider {
        /// The name.
        name: String,
        /// `; meant openai?`, or empty.
        hint: String,
        /// Every provider.
        known: String,
    },
    /// The address is no URL of a server.
    #[error("{0:?} is no address of a server; write it like http://127.0.0.1:8080/v1")]
    BaseUrl(String),
    /// No key is set.
    #[error("{provider} needs a key: set {}", .variables.join(" or "))]
    NoKey {
        /// The provider.
        provider: &'static str,
        /// The environment variables that are read.
        variables: &'static [&'static str],
    },
}

impl ModelChoice {
    /// Reads `PROVIDER:NAME`. `base_url` is the address of a server that speaks the provider's protocol.
    ///
    /// # Errors
    /// If the form, the provider or the address is wrong.
    pub fn parse(written: &str, base_url: Option<&str>) -> Result<Self, ChoiceError> {
        let (provider, name) = written.split_once(':').ok_or_else(|| ChoiceError::Form(written.to_owned()))?;
        if name.trim().is_empty() {
            return Err(ChoiceError::Form(written.to_owned()));
        }
        let wanted = provider.trim().to_lowercase();
        let names = || PROVIDERS.iter().map(|provider| provider.name);
        let unknown = || ChoiceError::Provider {
            name: provider.to_owned(),
            hint: nearest(&wanted, names()).map_or_else(String::new, |name| format!("; meant {name}?")),
            known: names().collect::<Vec<_>>().join(", "),
        };
        let provider = PROVIDERS.iter().find(|provider| provider.name == wanted).ok_or_else(unknown)?;
        let base_url = base_url.map(checked_url).transpose()?;
        Ok(Self { provider, name: name.trim().to_owned(), base_url })
    }

    /// Checks that a key is set, if the provider needs one.
    ///
    /// # Errors
    /// [`ChoiceError::NoKey`].
    pub fn check_key(&self) -> Result<(), ChoiceError> {
        // A server of one's own may need none.
        if self.provider.keys.is_empty() || self.base_url.is_some() || self.key().is_some() {
            return Ok(());
        }
        Err(ChoiceError::NoKey { provider: self.provider.name, variables: self.provider.keys })
    }

    /// The key, if one is set.
    pub(super) fn key(&self) -> Option<String> {
        let values = self.provider.keys.iter().filter_map(|name| env::var(name).ok());
        values.map(|key| key.trim().to_owned()).find(|key| !key.is_empty())
    }

    /// The target of requests.
    pub(super) fn target(&self) -> ModelSpec {
        let model = ModelIden::new(self.adapter(), self.name.as_str());
        let address = self.base_url.as_deref().or(self.provider.local);
        match address {
            None => ModelSpec::Iden(model),
            Some(address) => {
                let auth = AuthData::from_single(self.key().unwrap_or_else(|| "none".to_owned()));
                ModelSpec::Target(ServiceTarget { endpoint: Endpoint::from_owned(address), auth, model })
            }
        }
    }

    /// True if calls come in pieces that have to be put together: with every provider whose protocol is that of OpenAI.
    pub(super) fn calls_in_pieces(&self) -> bool {
        use AdapterKind::{Anthropic, BedrockApi, Cohere, Gemini, Ollama, OpenAIResp, Vertex};
        !matches!(self.adapter(), Anthropic | BedrockApi | Cohere | Gemini | Ollama | OpenAIResp | Vertex)
    }

    /// OpenAI has two protocols; its newest models speak only the second one.
    fn adapter(&self) -> AdapterKind {
        let is_own =
            self.provider.adapter == AdapterKind::OpenAI && self.base_url.is_none() && self.provider.local.is_none();
        match AdapterKind::from_model(&self.name) {
            Ok(AdapterKind::OpenAIResp) if is_own => AdapterKind::OpenAIResp,
            _ => self.provider.adapter,
        }
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider.name, self.name)
    }
}

impl fmt::Debug for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The address with a slash at its end, below which the client looks for paths.
fn checked_url(written: &str) -> Result<String, ChoiceError> {
    // A user, a password and a query are no part of a message.
    let shown = written.split(['?', '#']).next().unwrap_or_default();
    let wrong = || ChoiceError::BaseUrl(shown.rsplit_once('@').map_or(shown, |(_, host)| host).to_owned());
    let url = reqwest::Url::parse(written.trim()).map_err(|_| wrong())?;
    let has_more = url.query().is_some() || url.fragment().is_some();
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() || has_more {
        return Err(wrong());
    }
    let url = url.to_string();
    Ok(if url.ends_with('/') { url } else { url + "/" })
}
