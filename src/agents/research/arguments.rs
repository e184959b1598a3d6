//! The arguments of the tools. Their documentation describes the tools to a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

fn default_tokens() -> i64 {
    2_000
}

fn default_results() -> i64 {
    10
}

/// Declares the arguments of a function of the engine. An optional argument that is not given is left out of the request.
macro_rules! arguments {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$required_doc:meta])* $required:ident: $required_type:ty,)*
        $(; $($(#[$optional_doc:meta])* $optional:ident: $type:ty,)*)?
    }) => {
        $(#[$doc])*
        #[derive(Deserialize, Serialize, JsonSchema)]
        pub(super) struct $name {
            $($(#[$required_doc])* $required: $required_type,)*
            $($($(#[$optional_doc])* #[serde(default, skip_serializing_if = "Option::is_none")] $optional: Option<$type>,)*)?
        }
    };
}

/// Finds symbols, recipes (ways of calling that the code uses again and again) and sections of documents by what they do.
#[derive(Deserialize, JsonSchema)]
pub(super) struct DiscoverArguments {
    /// What to do: retry with backoff.
    pub(super) intent: String,
    /// The type of the results: all, symbol, recipe or doc.
    #[serde(rename = "type", default)]
    pub(super) kind: Option<String>,
    /// The greatest number of results.
    #[serde(default = "default_results")]
    pub(super) limit: i64,
}

/// Shows how a module, class or function is really called: a stub with the arguments that callers pass, most used first.
#[derive(Deserialize, JsonSchema)]
pub(super) struct GetModuleHelp {
    /// The module or package.
    pub(super) module_name: Option<String>,
    /// A class, function or method.
    pub(super) target_symbol: Option<String>,
    /// The greatest number of tokens.
    #[serde(default = "default_tokens")]
    pub(super) max_tokens: i64,
}

/// A task.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Task {
    /// The task in words.
    pub(super) task: String,
}

arguments! {
    /// Finds symbols by words of their names, documentation or parameters.
    SearchSymbols {
        /// Words, part of a name, a whole name, or * for all.
        query: String,
        ;
        /// Only symbols of this kind: class, function, method, …
        kind: String,
        /// Only symbols in this module or below it.
        module: String,
        /// The greatest number of hits.
        limit: i64,
    }
}

arguments! {
    /// Finds symbols by several queries at once.
    SearchSymbolsBatch {
        /// 1 to 20 queries, each as for `search_symbols`.
        queries: Vec<String>,
        ;
        /// Only symbols in this module or below it.
        module: String,
        /// The greatest number of hits of each query.
        limit_per_query: i64,
    }
}

arguments! {
    /// Lists the symbols of a module or of everything, most used first, in pages.
    ListSymbols {
        ;
        /// The module.
        module: String,
        /// The greatest number of symbols.
        limit: i64,
        /// The number of symbols to pass over.
        offset: i64,
    }
}

arguments! {
    /// Describes a symbol: signature, arguments with shares, documentation, callers and a typical call.
    GetSymbol {
        /// The name of the symbol, or its hash.
        #[serde(rename(serialize = "hash"))]
        symbol: String,
        ;
        /// Add its source text.
        include_source: bool,
        /// The greatest number of tokens.
        max_tokens: i64,
    }
}

arguments! {
    /// Describes symbols: signature, arguments with shares, documentation, callers and a typical call.
    GetSymbols {
        /// The names of 1 to 20 symbols, or their hashes.
        #[serde(rename(serialize = "hashes"))]
        names: Vec<String>,
        ;
        /// Add their source texts.
        include_source: bool,
        /// The greatest number of tokens.
        max_tokens: i64,
    }
}

arguments! {
    /// Reads the source text of a symbol, or lines of a file.
    GetSymbolSource {
        ;
        /// The name of the symbol, or its hash.
        #[serde(rename(serialize = "hash"))]
        symbol: String,
        /// The path of a file, in place of a symbol.
        file_path: String,
        /// The first line of the file, from 1.
        start_line: i64,
        /// The last line of the file.
        end_line: i64,
        /// The greatest number of tokens.
        max_tokens: i64,
    }
}

arguments! {
    /// The most used modules, the entry points and the languages of the sources.
    GetRepoOverview {
        ;
        /// The greatest number of tokens.
        max_tokens: i64,
    }
}

arguments! {
    /// As much of a module as fits. `get_module_help` answers most questions in fewer tokens.
    GetModule {
        /// The module.
        module: String,
        ;
        /// The greatest number of tokens.
        max_tokens: i64,
    }
}

arguments! {
    /// Finds operations, schemas and other parts of API documents (OpenAPI) by words, operation ids, paths or names.
    SearchChunks {
        /// Words, an operation id, or POST /path.
        query: String,
        ;
        /// The greatest number of results.
        max_chunks: i64,
        /// Only files whose path has this part.
        file_filter: String,
    }
}

arguments! {
    /// Parts of API documents by the ids that `search_chunks` gives, with the parts to which they refer.
    GetChunks {
        /// The ids.
        chunk_ids: Vec<String>,
        ;
        /// The number of references to follow one after the other.
        expand_depth: i64,
        /// The greatest number of tokens.
        max_tokens: i64,
    }
}
