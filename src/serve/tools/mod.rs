//! The tools, as a table in a fixed order: the list that clients get always has the same bytes.
//!
//! Every tool can be called. By default only the usual ones are listed, since a model chooses better among few;
//! `--tools` lists others.
//!
//! | file | content |
//! | --- | --- |
//! | `symbols` | the tools that are functions of [`apidisc::answers`] |
//! | `discover` | `discover`, and the deprecated tools that it replaces |
//! | `described` | the names of the symbols and modules that an answer describes |
//! | `documents` | `search_chunks`, `get_chunks` |
//! | `operations` | the stubs of operations, for the tools that describe symbols |
//! | `help` | `get_module_help` |
//! | `freshness` | `check_index` |
//! | `research` | `research_api` |
//! | `routing` | `route`, `extract_keywords` |

mod described;
mod discover;
mod documents;
mod freshness;
pub(super) mod help;
mod operations;
mod research;
mod routing;
pub(super) mod symbols;

use std::sync::{Arc, OnceLock};

use anyhow::bail;
use apidisc::{
    answers::{Delivered, Held, MAX_ANSWER_TOKENS},
    tokens::{Encoding, Tokenizer},
};
use rmcp::model::{JsonObject, Tool as ProtocolTool, ToolAnnotations};
use serde_json::Value;

use super::{
    arguments::{Arguments, beginning},
    schema::{self, Kind, Parameter},
    served_index::{ServedIndex, Snapshot},
};

/// The greatest number of tokens of an answer, in [`Encoding::default`]. Clients cut or hide larger answers.
pub(super) const MAX_TOKENS: usize = MAX_ANSWER_TOKENS as usize;

/// The name of the tool for tasks, each of which begins anew with it.
pub(super) const ROUTE: &str = routing::ROUTE.name;
/// The parameter for an answer that the session holds.
pub(super) const AGAIN: &str = "again";
/// The parameter for the handle of the session.
pub(super) const SESSION: &str = "session";

/// The parameters of every tool.
const SHARED: &[Parameter] = &[
    Parameter::optional(AGAIN, Kind::Flag, "Repeat what the session holds unchanged"),
    Parameter::optional(SESSION, Kind::Text, "The session: a handle, or new"),
];

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The description for models: the content of an answer, its tokens, and the cases for which another tool is
    /// better.
    description: &'static str,
    parameters: &'static [Parameter],
    /// True if the tool is listed by default.
    is_usual: bool,
    answer: fn(&CheckedCall<'_>) -> Result<ToolAnswer, String>,
}

/// A checked call of a tool, with the index from which it is answered.
pub(super) struct CheckedCall<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) snapshot: &'a Snapshot,
    pub(super) served: &'a ServedIndex,
    /// The symbols that the session holds; `None` without a session.
    pub(super) held: Option<&'a Held>,
}

/// An answer of a tool.
#[derive(Debug, Default)]
pub(super) struct ToolAnswer {
    pub(super) text: String,
    /// The number of tokens of the text in [`Encoding::default`], if it has been counted.
    pub(super) tokens: Option<usize>,
    /// The value whose JSON is the text, if the answer is data.
    pub(super) data: Option<Value>,
    /// The FQNs of the symbols and modules that the answer describes, for the log of requests.
    pub(super) names: Vec<String>,
    /// The symbols that the text describes in full, for the session.
    pub(super) delivered: Vec<Delivered>,
    /// True if the session holds the answer symbol by symbol, not as a whole.
    pub(super) is_by_symbol: bool,
    /// The tokens that are not sent again, because the session holds them.
    pub(super) spared: usize,
    /// The repository whose overview the answer is.
    pub(super) overview_of: Option<String>,
}

/// Every tool, in the order of the list.
static ALL: &[Tool] = &[
    discover::DISCOVER,
    symbols::SEARCH_SYMBOLS,
    help::GET_MODULE_HELP,
    symbols::GET_SYMBOLS,
    documents::SEARCH_CHUNKS,
    documents::GET_CHUNKS,
    research::RESEARCH_API,
    symbols::SEARCH_SYMBOLS_BATCH,
    symbols::LIST_SYMBOLS,
    symbols::GET_SYMBOL,
    symbols::GET_SYMBOL_SOURCE,
    symbols::GET_REPO_OVERVIEW,
    symbols::GET_MODULE,
    freshness::CHECK_INDEX,
    routing::ROUTE,
    routing::EXTRACT_KEYWORDS,
];

/// The tools that are listed.
pub(super) struct Tools {
    without_documents: Vec<ProtocolTool>,
    beside_documents: Vec<ProtocolTool>,
}

impl Tools {
    /// Lists the tools with these names: the usual ones if there is no name, all of them if one name is `all`. Those for
    /// API documents are among them if there are documents, or by their names.
    ///
    /// # Errors
    /// If a name is unknown.
    pub(super) fn listing(names: &[String]) -> anyhow::Result<Self> {
        if let Some(unknown) = names.iter().find(|name| *name != "all" && find(name).is_err()) {
            bail!("there is no tool `{}`; there are all, {}", beginning(unknown), all_names());
        }
        let is_listed = |tool: &Tool, documents: bool| match names {
            [] => tool.is_usual || (documents && documents::needs_documents(tool)),
            names => names
                .iter()
                .any(|name| name == tool.name || (name == "all" && (documents || !documents::needs_documents(tool)))),
        };
        let listed = |documents: bool| {
            let tools = ALL.iter().filter(|tool| is_listed(tool, documents));
            tools.map(Tool::for_protocol).collect()
        };
        Ok(Self { without_documents: listed(false), beside_documents: listed(true) })
    }

    /// The tools that are listed if there are API documents, or if there are none.
    pub(super) fn listed(&self, has_documents: bool) -> &[ProtocolTool] {
        if has_documents { &self.beside_documents } else { &self.without_documents }
    }
}

/// The tool with this name, listed or not. Deprecated tools are found too, though no list has them.
///
/// # Errors
/// A message with the names of all tools.
pub(super) fn find(name: &str) -> Result<&'static Tool, String> {
    ALL.iter()
        .chain(discover::DEPRECATED)
        .find(|tool| tool.name == name)
        .ok_or_else(|| format!("there is no tool `{}`; there are {}", beginning(name), all_names()))
}

fn all_names() -> String {
    ALL.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
}

impl Tool {
    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// See [`Arguments::read`].
    pub(super) fn arguments(&self, given: JsonObject) -> Result<Arguments, String> {
        Arguments::read(self.parameters, SHARED, given)
    }

    /// Answers within [`MAX_TOKENS`].
    ///
    /// # Errors
    /// The reason for which there is no answer, with the names or values that are possible.
    pub(super) fn answer(&self, call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
        let mut answer = (self.answer)(call)?;
        let tokens = *answer.tokens.get_or_insert_with(|| count(&answer.text));
        if tokens > MAX_TOKENS {
            return Err(format!(
                "the answer takes {tokens} tokens, more than the {MAX_TOKENS} that one answer may have; \
                 a narrower question, or a budget where there is one, fits"
            ));
        }
        Ok(answer)
    }

    fn for_protocol(&self) -> ProtocolTool {
        let annotations = ToolAnnotations::new().read_only(true).idempotent(true).destructive(false).open_world(false);
        ProtocolTool::new(self.name, self.description, schema::object(self.parameters.iter().chain(SHARED)))
            .with_title(self.title)
            .with_annotations(annotations)
    }
}

/// The number of tokens of a text.
pub(super) fn count(text: &str) -> usize {
    static TOKENIZER: OnceLock<Arc<Tokenizer>> = OnceLock::new();
    TOKENIZER.get_or_init(|| Tokenizer::load(Encoding::default())).count(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_beside(names: &[&str], documents: bool) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        serde_json::to_string(Tools::listing(&names).unwrap().listed(documents)).unwrap()
    }

    fn list(names: &[&str]) -> String {
        list_beside(names, false)
    }

    #[test]
    fn the_lists_are_short_and_always_the_same() {
        let (usual, all) = (list(&[]), list(&["all"]));
        assert!(count(&usual) <= 1500, "{}", count(&usual));
        // API documents bring two tools.
        let with_documents = list_beside(&[], true);
        assert!(count(&with_documents) <= 2000, "{}", count(&with_documents));
        assert!(count(&all) <= 4500, "{}", count(&all));
        assert_eq!(list(&["all"]), all);
        assert!(list(&["check_index"]).contains("check_index") && !list(&["check_index"]).contains("get_module_help"));
        assert!(Tools::listing(&["nothing".to_owned()]).is_err());
    }

    #[test]
    fn every_tool_says_what_strict_clients_need() {
        for tool in ALL {
            let listed = serde_json::to_value(tool.for_protocol()).unwrap();
            assert_eq!(listed["annotations"]["readOnlyHint"], true, "{}", tool.name);
            assert_eq!(listed["annotations"]["idempotentHint"], true, "{}", tool.name);
            assert!(!listed["title"].as_str().unwrap().is_empty());
            let schema = &listed["inputSchema"];
            assert_eq!(schema["additionalProperties"], false);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["type"].is_string(), "{}: {name}", tool.name);
                for word in ["format", "$ref", "anyOf", "$schema"] {
                    assert!(property.get(word).is_none(), "{}: {name}: {word}", tool.name);
                }
                let all = || tool.parameters.iter().chain(SHARED);
                let names: Vec<&str> = all().map(|parameter| parameter.name).collect();
                let parameter = all().find(|parameter| parameter.name == name).unwrap();
                assert!(parameter.aliases.iter().all(|alias| !names.contains(alias)), "{}: {name}", tool.name);
            }
        }
    }
}
