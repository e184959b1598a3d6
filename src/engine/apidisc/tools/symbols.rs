//! The tools that find, list and describe symbols, files and modules: functions of [`apidisc_answering::answers`].

use apidisc_answering::answers::{self, AnswerError, Context, MAX_CONTEXT};
use apidisc_facts::program::DefinitionKind;
use serde::de::DeserializeOwned;

use super::{
    CheckedCall, Kind, MAX_TOKENS, Parameter, Tool, ToolAnswer, described::Described, discovery::RELATED, operations,
    packages::OF_PACKAGE, problem,
};

const NAMES: &[&str] = &["name", "id", "symbol", "fqn", "query"];

pub(super) const fn budget(default: u64) -> Parameter {
    Parameter::optional("max_tokens", Kind::Number { least: 1, most: MAX_TOKENS as u64, default }, "The largest answer")
        .or(&["budget", "tokens"])
}

const KIND: Parameter = Parameter::optional("kind", Kind::Word(kinds), "Only this kind").or(&["type"]);
const WITHIN: Parameter =
    Parameter::optional("module", Kind::Text, "Only in this module and below it").or(&["module_name", "path"]);
const SOURCE: Parameter = Parameter::optional("include_source", Kind::Flag, "Add the source text").or(&["source"]);
const CONTEXT: Parameter = Parameter::optional(
    "context",
    Kind::Number { least: 0, most: MAX_CONTEXT as u64, default: 3 },
    "Lines before and after the source text",
);

/// The parameter for several symbols.
pub(super) const SYMBOLS: &str = "symbols";

/// The words for the kinds of symbols, and for any kind.
fn kinds() -> Vec<&'static str> {
    DefinitionKind::ALL.iter().map(|kind| kind.word()).chain(["all"]).collect()
}

pub(super) const SEARCH_SYMBOLS: Tool = Tool {
    name: "search_symbols",
    title: "Search symbols",
    description: "Finds functions, classes, methods and attributes by words of their names, documentation or \
                  parameters, ranked by match and by calls. A hit has name, kind, place, calls and a line of \
                  documentation: about 40 tokens. * lists all that pass the filters. get_symbols has signatures and \
                  arguments, get_module_help a whole module or class.",
    parameters: &[
        Parameter::required("query", Kind::Text, "Words, a name, makes:T, or *")
            .or(&["name", "id", "symbol", "q", "intent", "text"]),
        KIND,
        WITHIN,
        OF_PACKAGE,
        Parameter::optional("limit", Kind::Number { least: 1, most: 100, default: 20 }, "The most hits")
            .or(&["max_results"]),
        budget(1000),
    ],
    is_usual: true,
    answer: |call| ask(call, answers::search_symbols),
};

pub(super) const GET_SYMBOLS: Tool = Tool {
    name: "get_symbols",
    title: "Describe symbols",
    description: "Before a call is written: up to 20 symbols in full, with signature, arguments and their shares of the \
                  calls, documentation, callers, callees, a first call with imports; about 300 tokens each. For a class \
                  get_module_help takes fewer.",
    parameters: &[
        Parameter::required(
            SYMBOLS,
            Kind::Texts { most: 20 },
            "Full names, aliases, unique endings, hashes, POST /path",
        )
        .or(&["hashes", "hash", "names", "name", "ids", "id", "symbol", "fqns", "fqn", "query"]),
        SOURCE,
        CONTEXT,
        budget(4000),
    ],
    is_usual: true,
    answer: |call| {
        let rest = |call: &CheckedCall<'_>| ask(call, answers::get_symbols).map(by_symbol);
        operations::beside_symbols(call, SYMBOLS, rest)
    },
};

pub(super) const SEARCH_SYMBOLS_BATCH: Tool = Tool {
    name: "search_symbols_batch",
    title: "Search symbols by several queries",
    description: "search_symbols for up to 20 queries at once; what two queries find is written once. About 40 tokens \
                  a hit. For one query search_symbols is the same.",
    parameters: &[
        Parameter::required("queries", Kind::Texts { most: 20 }, "As for search_symbols").or(&["query", "names"]),
        KIND,
        WITHIN,
        Parameter::optional(
            "limit_per_query",
            Kind::Number { least: 1, most: 100, default: 10 },
            "The most hits of each",
        )
        .or(&["limit"]),
        budget(1500),
    ],
    is_usual: false,
    answer: |call| ask(call, answers::search_symbols_batch),
};

pub(super) const LIST_SYMBOLS: Tool = Tool {
    name: "list_symbols",
    title: "List symbols of a module",
    description: "The symbols of a module, or of the repository, most used first, in pages; about 40 tokens each. For \
                  how they are called get_module_help says more in fewer tokens.",
    parameters: &[
        Parameter::optional("module", Kind::Text, "The module; without it, the repository").or(&[
            "module_name",
            "name",
            "query",
            "id",
            "path",
        ]),
        Parameter::optional("limit", Kind::Number { least: 1, most: 200, default: 50 }, "The most symbols"),
        Parameter::optional(
            "offset",
            Kind::Number { least: 0, most: u32::MAX as u64, default: 0 },
            "How many to pass over",
        ),
        budget(1500),
    ],
    is_usual: false,
    answer: |call| ask(call, answers::list_symbols),
};

pub(super) const GET_SYMBOL: Tool = Tool {
    name: "get_symbol",
    title: "Describe a symbol",
    description: "One symbol in full, about 300 tokens, more with source. For several get_symbols is cheaper.",
    parameters: &[
        Parameter::required("hash", Kind::Text, "Hash, full name, alias, unique ending or POST /path").or(NAMES),
        SOURCE,
        RELATED,
        CONTEXT,
        budget(1000),
    ],
    is_usual: false,
    answer: |call| {
        let rest = |call: &CheckedCall<'_>| ask(call, answers::get_symbol).map(by_symbol);
        operations::beside_symbols(call, "hash", rest)
    },
};

pub(super) const GET_SYMBOL_SOURCE: Tool = Tool {
    name: "get_symbol_source",
    title: "Source of a symbol or file",
    description: "Source text with line numbers: of a symbol, or of lines of an indexed file. About 12 tokens a line. \
                  For how something is called get_symbols takes fewer tokens.",
    parameters: &[
        Parameter::optional("hash", Kind::Text, "The symbol: hash, full name, alias or unique ending").or(NAMES),
        Parameter::optional("file_path", Kind::Text, "Or a file: path from the root, or its unique end")
            .or(&["path", "file"]),
        Parameter::optional("start_line", LINE, "The first line").or(&["line"]),
        Parameter::optional("end_line", LINE, "The last line"),
        CONTEXT,
        budget(4000),
    ],
    is_usual: false,
    answer: |call| ask(call, answers::get_symbol_source),
};

const LINE: Kind = Kind::Line;

pub(super) const GET_REPO_OVERVIEW: Tool = Tool {
    name: "get_repo_overview",
    title: "Overview of the repository",
    description: "What to see first: summary, first example, entry points, concepts with what makes and takes them, \
                  modules by use, deprecations, changes; 500 tokens unless max_tokens says more.",
    parameters: &[
        Parameter::optional("module", Kind::Text, "Of this module or package; without it, of the repository").or(&[
            "module_name",
            "name",
            "path",
        ]),
        OF_PACKAGE,
        budget(500),
    ],
    is_usual: false,
    answer: |call| {
        let overview_of = call.context.symbols.index().sources.first().map(|source| source.url.clone());
        ask(call, answers::get_repo_overview).map(|answer| ToolAnswer { overview_of, ..answer })
    },
};

pub(super) const GET_MODULE: Tool = Tool {
    name: "get_module",
    title: "A whole module",
    description: "As much of a module as fits, up to 8,000 tokens unless max_tokens says less, with what a narrower \
                  question would cost. get_module_help answers most questions in an eighth of that.",
    parameters: &[
        Parameter::required("module", Kind::Text, "The module: full name, alias or unique ending").or(&[
            "module_name",
            "name",
            "query",
            "id",
            "path",
        ]),
        budget(8000),
    ],
    is_usual: false,
    answer: |call| ask(call, answers::get_module),
};

/// Answers a question with a function of the engine.
fn ask<R: DeserializeOwned, T: Described>(
    call: &CheckedCall<'_>,
    function: impl Fn(&Context<'_>, &R) -> Result<answers::Answer<T>, AnswerError>,
) -> Result<ToolAnswer, String> {
    let request: R = call.arguments.request()?;
    let held = call.context.held;
    let answer = function(&call.context, &request);
    let answers::Answer { text, tokens, data, delivered } = answer.map_err(|error| problem::of_answer(&error))?;
    let tokens_of = |hash| held.and_then(|held| held.get(hash)).map_or(0, |delivered| delivered.tokens);
    let spared = data.held().into_iter().map(tokens_of).sum();
    Ok(ToolAnswer { text, tokens: Some(tokens), names: data.names(), delivered, spared, ..ToolAnswer::default() })
}

/// An answer that the session holds symbol by symbol.
fn by_symbol(answer: ToolAnswer) -> ToolAnswer {
    ToolAnswer { is_by_symbol: true, ..answer }
}
