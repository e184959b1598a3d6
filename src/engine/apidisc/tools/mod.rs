//! The tools for agents: one table of names, descriptions, parameters and functions, from which the server and the
//! agents of this program both make theirs.
//!
//! A tool answers from [`ToolData`] within [`MAX_TOKENS`]. Its parameters have a flat JSON schema, and its arguments
//! are checked by [`Arguments`], which also takes the names that models use in place of the right ones.
//!
//! | file | content |
//! | --- | --- |
//! | `parameter` | the parameters of tools, and their JSON schema |
//! | `arguments` | the arguments of a call, checked against the parameters |
//! | `problem` | errors as texts of answers |
//! | `symbols` | the tools that are functions of [`apidisc_answering::answers`] |
//! | `discovery` | `discover`, and the deprecated tools that it replaces |
//! | `described` | the names of the symbols and modules that an answer describes |
//! | `documents` | `search_chunks`, `get_chunks` |
//! | `operations` | the stubs of operations, for the tools that describe symbols |
//! | `help` | `get_module_help` |
//! | `packages` | `list_dependencies`, and the parameter `package` of other tools |
//! | `upgrade` | `check_upgrade` |
//! | `freshness` | `check_index` |
//! | `research` | `research_api` |
//! | `routing` | `route`, `extract_keywords` |

mod arguments;
mod described;
mod discovery;
mod documents;
mod freshness;
mod help;
mod operations;
pub mod packages;
mod parameter;
pub mod problem;
mod research;
mod routing;
mod symbols;
pub mod upgrade;

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use apidisc_answering::{
    answers::{Context, Delivered, MAX_ANSWER_TOKENS},
    discover::Corpus,
};
use apidisc_apis::http::UsedApis;
use apidisc_indexing::packages::Dependency;
use apidisc_stubs::delivery::{Delivery, StubRequest};
use apidisc_tokens::{Encoding, Tokenizer};

use upgrade::CheckedUpgrade;

pub use arguments::{Arguments, beginning};
pub use help::USUAL_BUDGET;
pub use parameter::{Kind, Parameter, object};

/// The greatest number of tokens of an answer, in [`Encoding::default`]. Clients cut or hide larger answers.
pub const MAX_TOKENS: usize = MAX_ANSWER_TOKENS as usize;

/// The name of the tool for tasks, each of which begins anew with it.
pub const ROUTE: &str = routing::ROUTE.name;
/// The name of the tool that checks whether the index is stale.
pub const CHECK_INDEX: &str = freshness::CHECK_INDEX.name;
/// The name of the tool that compares two versions of a package.
pub const CHECK_UPGRADE: &str = upgrade::CHECK_UPGRADE.name;

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// The name by which it is called.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The description for models: the content of an answer, its tokens, and the cases for which another tool is
    /// better.
    pub description: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// True if a server lists it by default: a model chooses better among few.
    pub is_usual: bool,
    answer: fn(&CheckedCall<'_>) -> Result<ToolAnswer, String>,
}

/// The data from which tools answer.
pub trait ToolData {
    /// The corpus that `discover` searches.
    fn corpus(&self) -> &Corpus;

    /// The API documents as their files are now, with their uses. There may be none.
    ///
    /// # Errors
    /// If they cannot be read.
    fn apis(&self) -> Result<UsedApis, String>;

    /// The installed packages that the code uses, by the number of calls.
    ///
    /// # Errors
    /// If packages are not read.
    fn packages(&self) -> Result<Arc<[Dependency]>, String>;

    /// What the version of a package in the environment, folder or archive `other` does to its uses.
    ///
    /// # Errors
    /// The reason for which there is no comparison.
    fn upgrade(&self, package: &str, other: &str) -> Result<CheckedUpgrade, String>;

    /// What a change of the code does to its uses. `revisions` is `A..B`, or `A` for `A` and the files as they are.
    ///
    /// # Errors
    /// The reason for which there is no comparison.
    fn change(&self, revisions: &str) -> Result<CheckedUpgrade, String>;

    /// The stub of a request, with the weights of the sources.
    ///
    /// # Errors
    /// The reason for which there is no stub, with the names or budgets that are possible.
    fn deliver(&self, request: &StubRequest) -> Result<Delivery, String>;

    /// The answer of `check_index`: whether the index is stale. If `makes_anew`, a stale index is made anew first.
    /// `max_age` is in seconds.
    ///
    /// # Errors
    /// If it cannot be checked.
    fn freshness(&self, max_age: u64, makes_anew: bool) -> Result<Value, String>;
}

/// A checked call of a tool, with the data for its answer.
#[derive(Clone, Copy)]
pub struct CheckedCall<'a> {
    /// The arguments.
    pub arguments: &'a Arguments,
    /// The index, its files, and the symbols that a session holds.
    pub context: Context<'a>,
    /// The other data from which tools answer.
    pub data: &'a dyn ToolData,
}

/// An answer of a tool.
#[derive(Debug, Default)]
pub struct ToolAnswer {
    /// The text.
    pub text: String,
    /// The number of tokens of the text in [`Encoding::default`], if it has been counted.
    pub tokens: Option<usize>,
    /// The value whose JSON is the text, if the answer is data.
    pub data: Option<Value>,
    /// The FQNs of the symbols and modules that the answer describes, for the log of requests.
    pub names: Vec<String>,
    /// The symbols that the text describes in full, for the session.
    pub delivered: Vec<Delivered>,
    /// True if the session holds the answer symbol by symbol, not as a whole.
    pub is_by_symbol: bool,
    /// The tokens that the answer saves, because the session holds symbols of it.
    pub spared: usize,
    /// The repository whose overview the answer is.
    pub overview_of: Option<String>,
}

/// Every tool, in the order in which they are listed.
pub static ALL: &[Tool] = &[
    discovery::DISCOVER,
    symbols::SEARCH_SYMBOLS,
    help::GET_MODULE_HELP,
    symbols::GET_SYMBOLS,
    packages::LIST_DEPENDENCIES,
    documents::SEARCH_CHUNKS,
    documents::GET_CHUNKS,
    research::RESEARCH_API,
    symbols::SEARCH_SYMBOLS_BATCH,
    symbols::LIST_SYMBOLS,
    symbols::GET_SYMBOL,
    symbols::GET_SYMBOL_SOURCE,
    symbols::GET_REPO_OVERVIEW,
    symbols::GET_MODULE,
    upgrade::CHECK_UPGRADE,
    freshness::CHECK_INDEX,
    routing::ROUTE,
    routing::EXTRACT_KEYWORDS,
];

/// The deprecated tools, which no list names. Their answers say which tool replaces them.
pub static DEPRECATED: &[Tool] = discovery::DEPRECATED;

impl ToolAnswer {
    /// This answer, followed by another one. Neither is data.
    #[must_use]
    pub fn followed_by(mut self, other: Self) -> Self {
        self.text += &other.text;
        self.tokens = None;
        self.names.extend(other.names);
        self.delivered.extend(other.delivered);
        self.spared += other.spared;
        self
    }
}

impl Tool {
    /// True for a tool that is of use only if there are API documents.
    pub fn needs_documents(&self) -> bool {
        documents::needs_documents(self)
    }

    /// True for a tool that is of use only if installed packages are read.
    pub fn needs_packages(&self) -> bool {
        [packages::LIST_DEPENDENCIES.name, upgrade::CHECK_UPGRADE.name].contains(&self.name)
    }

    /// The JSON schema of its arguments, with those that all tools share.
    pub fn schema(&self, shared: &[Parameter]) -> Map<String, Value> {
        object(self.parameters.iter().chain(shared))
    }

    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// See [`Arguments::read`].
    pub fn arguments(&self, shared: &'static [Parameter], given: Map<String, Value>) -> Result<Arguments, String> {
        Arguments::read(self.parameters, shared, given)
    }

    /// Answers within [`MAX_TOKENS`].
    ///
    /// # Errors
    /// The reason for which there is no answer, with the names or values that are possible.
    pub fn answer(&self, call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
        let mut answer = (self.answer)(call)?;
        let tokens = *answer.tokens.get_or_insert_with(|| count(&answer.text));
        if tokens > MAX_TOKENS {
            return Err(format!(
                "the answer takes {tokens} tokens, more than the {MAX_TOKENS} that one answer may have; \
                 a narrower call, or a budget where there is one, fits"
            ));
        }
        Ok(answer)
    }
}

/// The number of tokens of a text.
pub fn count(text: &str) -> usize {
    static TOKENIZER: OnceLock<Arc<Tokenizer>> = OnceLock::new();
    TOKENIZER.get_or_init(|| Tokenizer::load(Encoding::default())).count(text)
}
