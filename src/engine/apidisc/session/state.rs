//! The state of one session.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::{ContextSummary, SessionSummary, Storage, StorageError, TempSummary, UserSummary};
use apidisc_answering::answers::{Delivered, Held, symbol_hash};
use apidisc_base::hash::ContentHash;

/// The keys that the session itself uses, with their prefixes.
const CURRENT_SYMBOLS: &str = "temp:current_symbols";
const ROUTING_DECISION: &str = "temp:routing_decision";
const VIEWED_SYMBOLS: &str = "viewed_symbols";
const SEARCH_HISTORY: &str = "search_history";
const TOKEN_USAGE: &str = "token_usage";
const REPO_OVERVIEWS: &str = "user:repo_overview:";
/// The prefix of the keys of a task.
const TEMP: &str = "temp:";
/// The greatest number of queries, of current symbols and of viewed symbols that are kept: the oldest ones are removed.
const MAX_KEPT: usize = 1_000;

/// The state of one session, in four scopes by the prefix of the key: `temp:` is cleared at the end of a task and never
/// leaves memory; a key without a prefix belongs to the conversation; `user:` and `app:` outlive it.
pub struct Session {
    temp: BTreeMap<String, Value>,
    storage: Box<dyn Storage>,
    held: Held,
    /// The hash of the last answer to each request for which the session holds it, by the hash of tool and arguments.
    answers: BTreeMap<ContentHash, ContentHash>,
}

impl Session {
    /// A session over a storage.
    pub fn new(storage: Box<dyn Storage>) -> Self {
        Self { temp: BTreeMap::new(), storage, held: Held::new(), answers: BTreeMap::new() }
    }

    /// The value of a key, which includes its prefix; `None` for a key without a value.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn get(&self, key: &str) -> Result<Option<Value>, StorageError> {
        if key.starts_with(TEMP) { Ok(self.temp.get(key).cloned()) } else { self.storage.get(key) }
    }

    /// Sets the value of a key, which includes its prefix.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), StorageError> {
        let mut value = Some(value);
        self.update(key, &mut |_| value.take())
    }

    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Option<Value>) -> Option<Value>,
    ) -> Result<(), StorageError> {
        if !key.starts_with(TEMP) {
            return self.storage.update(key, change);
        }
        if let Some(value) = change(self.temp.remove(key)) {
            self.temp.insert(key.to_owned(), value);
        }
        Ok(())
    }

    /// Begins a task: clears `temp:`.
    pub fn start_invocation(&mut self) {
        self.temp.clear();
    }

    /// Ends a task: its symbols become viewed, and `temp:` is cleared.
    ///
    /// # Errors
    /// [`StorageError`] of the storage; `temp:` is not cleared then.
    pub fn end_invocation(&mut self) -> Result<(), StorageError> {
        let current = strings(self.temp.get(CURRENT_SYMBOLS));
        self.update(VIEWED_SYMBOLS, &mut |viewed| Some(with_new(viewed.as_ref(), &current)))?;
        self.temp.clear();
        Ok(())
    }

    /// False if the current task has fetched the symbol. `symbol` is its hash or its FQN.
    pub fn should_fetch_symbol(&self, symbol: &str) -> bool {
        let current = strings(self.temp.get(CURRENT_SYMBOLS));
        !current.iter().any(|hash| hash == symbol || *hash == symbol_hash(symbol))
    }

    /// Records an answer: its tokens, the queries in its arguments, and the symbols that `hash` and `hashes` in its
    /// arguments name.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn record_fetch(&mut self, tool: &str, arguments: &Value, tokens: usize) -> Result<(), StorageError> {
        self.update(TOKEN_USAGE, &mut |usage| {
            let mut usage = usage_by_tool(usage.as_ref());
            let sum = usage.entry(tool.to_owned()).or_default();
            *sum = sum.saturating_add(tokens as u64);
            Some(json!(usage))
        })?;
        let query = arguments.get("query").and_then(Value::as_str).map(|query| vec![query.to_owned()]);
        let queries = query.unwrap_or_else(|| strings(arguments.get("queries")));
        if !queries.is_empty() {
            self.update(SEARCH_HISTORY, &mut |history| {
                Some(bounded(strings(history.as_ref()).into_iter().chain(queries.clone()).collect()))
            })?;
        }
        let hash = arguments.get("hash").and_then(Value::as_str).map(str::to_owned);
        let hashes: Vec<String> = hash.into_iter().chain(strings(arguments.get("hashes"))).collect();
        self.add_current(&hashes)
    }

    /// Records the symbols that an answer has described: the session holds them from now on. A session that holds 1,000
    /// symbols first forgets them all, so that later answers describe them again.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn record_delivered(&mut self, delivered: &[Delivered]) -> Result<(), StorageError> {
        if self.held.len() >= MAX_KEPT {
            self.held.clear();
        }
        for delivered in delivered {
            self.held.insert(delivered.hash.clone(), delivered.clone());
        }
        let hashes: Vec<String> = delivered.iter().map(|delivered| delivered.hash.clone()).collect();
        self.add_current(&hashes)
    }

    fn add_current(&mut self, hashes: &[String]) -> Result<(), StorageError> {
        if hashes.is_empty() {
            return Ok(());
        }
        self.update(CURRENT_SYMBOLS, &mut |current| Some(with_new(current.as_ref(), hashes)))
    }

    /// The symbols that the session holds, for [`apidisc_answering::answers::Context::held`].
    pub fn held(&self) -> &Held {
        &self.held
    }

    /// The line to send in place of `text`, if the last answer of this tool to these arguments had the same text;
    /// `None` for a new text, which the session holds from now on. Meant for answers that are not recorded symbol by
    /// symbol, such as stubs. A session that holds 1,000 answers first forgets them all, so that they are sent again.
    pub fn spare_answer(&mut self, tool: &str, arguments: &Value, text: &str) -> Option<String> {
        let content = ContentHash::of(text.as_bytes());
        if self.answers.len() >= MAX_KEPT {
            self.answers.clear();
        }
        let question = ContentHash::of_parts(&[tool.as_bytes(), arguments.to_string().as_bytes()]);
        let known = self.answers.insert(question, content);
        (known == Some(content)).then(|| {
            format!("{tool}: the answer has not changed since this session got it; `again: true` repeats it\n")
        })
    }

    /// Keeps the decision of the current task, a [`RoutingDecision`](apidisc_answering::route::RoutingDecision) or its
    /// JSON.
    pub fn record_routing_decision(&mut self, decision: &impl Serialize) {
        self.temp.insert(ROUTING_DECISION.to_owned(), json!(decision));
    }

    /// The decision of the current task.
    pub fn get_routing_decision(&self) -> Option<&Value> {
        self.temp.get(ROUTING_DECISION)
    }

    /// The tokens of all answers, by tool.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn get_session_token_usage(&self) -> Result<BTreeMap<String, u64>, StorageError> {
        Ok(usage_by_tool(self.get(TOKEN_USAGE)?.as_ref()))
    }

    /// The tokens of all answers.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn get_total_tokens_used(&self) -> Result<u64, StorageError> {
        Ok(self.get_session_token_usage()?.into_values().fold(0, u64::saturating_add))
    }

    /// The session in numbers.
    ///
    /// # Errors
    /// [`StorageError`] of the storage.
    pub fn get_context_summary(&self) -> Result<ContextSummary, StorageError> {
        let length = |value: Option<Value>| strings(value.as_ref()).len();
        Ok(ContextSummary {
            temp: TempSummary {
                current_symbols_count: strings(self.temp.get(CURRENT_SYMBOLS)).len(),
                has_routing_decision: self.get_routing_decision().is_some(),
            },
            session: SessionSummary {
                viewed_symbols: length(self.get(VIEWED_SYMBOLS)?),
                search_history: length(self.get(SEARCH_HISTORY)?),
                total_tokens: self.get_total_tokens_used()?,
            },
            user: UserSummary { cached_repos: self.storage.keys(REPO_OVERVIEWS)?.len() },
        })
    }
}

/// The strings of a list; none of any other value.
fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The strings of `list`, followed by the strings of `new` that `list` does not contain.
fn with_new(list: Option<&Value>, new: &[String]) -> Value {
    let mut list = strings(list);
    for text in new {
        if !list.contains(text) {
            list.push(text.clone());
        }
    }
    bounded(list)
}

/// The last [`MAX_KEPT`] entries.
fn bounded(mut list: Vec<String>) -> Value {
    list.drain(..list.len().saturating_sub(MAX_KEPT));
    json!(list)
}

fn usage_by_tool(value: Option<&Value>) -> BTreeMap<String, u64> {
    let entries = value.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(tool, tokens)| Some((tool.clone(), tokens.as_u64()?))).collect()
}
