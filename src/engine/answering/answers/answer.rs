//! An answer as text and as data, and the symbols that a session holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An answer, as text for an agent and as data. It is serialized as the data with the additional key `tokens`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer<T> {
    /// The text for an agent.
    #[serde(skip)]
    pub text: String,
    /// The exact number of tokens of `text`.
    pub tokens: usize,
    /// The answer as data.
    #[serde(flatten)]
    pub data: T,
    /// The symbols that the text describes. A session records them, so that no later answer repeats them.
    #[serde(skip)]
    pub delivered: Vec<Delivered>,
}

/// The description of one symbol in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivered {
    /// The hash of the symbol.
    pub hash: String,
    /// The hash of the FQN, the whole stub and the source text of the symbol. It does not depend on the symbol's line.
    pub content: String,
    /// The tokens of the description.
    pub tokens: usize,
    /// True if the description contains the source text.
    pub has_source: bool,
}

/// The symbols that a session holds, because an answer has described them; by hash.
pub type Held = BTreeMap<String, Delivered>;
