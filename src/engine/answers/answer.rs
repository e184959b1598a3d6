//! An answer in its two forms, and what a session holds of answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An answer: the text for an agent, and the same as data. Serialized, it is the data with the key `tokens`.
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
    /// The symbols whose details the text has, for the ledger of a session.
    #[serde(skip)]
    pub delivered: Vec<Delivered>,
}

/// The details of one symbol in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivered {
    /// The hash of the symbol.
    pub hash: String,
    /// The hash of everything that is known of the symbol: it changes when an edit changes what an answer says.
    pub content: String,
    /// The tokens of the symbol's part of the answer.
    pub tokens: usize,
    /// True if the part has the source text.
    pub has_source: bool,
}

/// The symbols that a session holds, by hash.
pub type Held = BTreeMap<String, Delivered>;
