//! Counts how an API is really called, and delivers the part of it that people use within a token budget.
//!
//! A repository's own code, tests and examples call its API hundreds of times. This crate resolves every call site of
//! Python, TypeScript and JavaScript code to its definition, counts which parameters are passed, and renders the used
//! part of the API as a stub: a `.pyi` or `.d.ts` with usage comments, as an agent or a person would read it.
//!
//! # Quick start
//!
//! Index a folder, get the stub of a class in 300 tokens, and read what its callers pass:
//!
//! ```
//! use apidisc::{StatisticalDiscovery, Strategy};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/demo");
//! let discovery = StatisticalDiscovery::open(folder)?;
//! let stub = discovery.get_module_help("windvane", Some("Reading"), &Strategy::TokenBudget { max_tokens: 300 })?;
//! assert!(stub.tokens <= 300 && stub.text.contains("class Reading(NamedTuple):"));
//!
//! let reading = discovery.definition("windvane.Reading")?;
//! let quality = reading.signature.as_ref().and_then(|s| s.parameters.iter().position(|p| p.name == "quality"));
//! let share = quality.and_then(|position| reading.usage.frequency(position));
//! assert_eq!((reading.usage.total_calls, share.map(|share| (share * 100.0).round())), (28, Some(21.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`build_index`] gives the [`Index`] alone. A [`StubRequest`] also sets weights, pins, bans, tokenizer and envelope.
//! A strategy of your own is an implementation of [`FilteringStrategy`]; the [`strategy`] module shows one.
//!
//! # The data flow
//!
//! Each step is a pure function of the one before. The modules come from packages that the compiler keeps in this
//! order; this package adds the functions that use all of them, and is the one that programs depend on:
//!
//! | package | module | input → output |
//! | --- | --- | --- |
//! | `apidisc-base` | [`control`], [`diagnostic`], [`files`], [`hash`], [`language`], [`unprintable`] | shared by all steps: cancelling, problems of files, files, hashing, languages, escapes |
//! | `apidisc-tokens` | [`tokens`] | a text → the number of its tokens |
//! | `apidisc-words` | | a name or text → its words, their stems and synonyms |
//! | `apidisc-facts` | [`documentation`] | a docstring or documentation comment → what it says of parameters, results and errors |
//! | | [`documents`] | the text of a document → the code that it quotes |
//! | | [`source`] | a folder, or files in memory → texts |
//! | | [`program`] | the vocabulary of a program: definitions, signatures, call sites, arguments |
//! | | [`syntax`] | a text → the facts of one file |
//! | `apidisc-link` | | facts of all files → a linked program: imports, types, resolved calls, bound arguments |
//! | `apidisc-indexing` | [`snippet`] | the text of a file, and a call in it → the part of the text that shows the call |
//! | | [`usage`] | calls → counts: parameters, argument sets, values, the ledger |
//! | | [`index`] | program and counts → an immutable [`Index`] with names, scopes and `api_metadata.yaml` |
//! | | [`packages`], [`dependencies`] | an index and what was found of packages → the packages that the program uses |
//! | | [`facts`] | an index → rows of definitions, calls, reads and ledger, source by source; rows of sources → an [`Index`] |
//! | | [`indexer`] | a source → an [`Index`], with progress, cancelling and reuse of facts |
//! | `apidisc-stubs` | [`overrides`] | pins and bans → the definitions and parameters that they name |
//! | | [`stub`] | a scope of an index → a tree of stub parts, each with its price in tokens |
//! | | [`strategy`] | a priced tree → the parts to show |
//! | | [`delivery`] | the parts to show → the delivered bytes; also profiles, coverage curves and held-out evaluation |
//! | `apidisc-answering` | [`first_call`] | an index and a definition → the code of its first use |
//! | | [`recipes`] | an index → the ways of calling that its sources use again and again; a recipe → its code |
//! | | [`search`] | an index → its modules and definitions in the order of display; a query → the names that match |
//! | | [`answers`] | an index and the request of an agent → an answer within a token budget |
//! | | [`route`] | a task in words → the functions that gather its context |
//! | | [`discover`] | an intent in words → the symbols, recipes and documentation that serve it |
//! | | [`code_check`] | the text of an answer → the mistakes in its code |
//! | `apidisc-apis` | [`openapi`] | a source → its API documents: operations, components, the references between them |
//! | | [`http`] | calls of HTTP APIs, routes and API documents → operations with their uses, and their stubs |
//! | `apidisc-breaks` | [`breaks`] | two indexes of a program, each with a version of a package → what breaks |
//! | `apidisc` | [`research`] | a question in words → its context: stubs, recipes and sections of documents, within a token budget |
//! | | [`tools`] | the name and arguments of a call by an agent → its answer; the table of tools with their schemas |
//! | | [`session`] | answers → the symbols that an agent holds, and the ledger of the tokens of the answers |
//!
//! # Invariants
//!
//! - **The engine has no user interface.** It uses no screen, clock, terminal, network or async runtime. It returns
//!   values, and collects problems of single files as [`diagnostic::Diagnostic`] beside them.
//! - **Facts of a file depend on that file alone.** So files are parsed in parallel, and the facts of an unchanged file
//!   are reused.
//! - **An index is immutable** and shared as `Arc<Index>`. Readers never lock.
//! - **There is one way to deliver.** Every stub comes from [`delivery`], so the same request gives the same bytes
//!   everywhere.
//! - **Order never depends on threads or hashing.** The same sources give the same bytes on every machine.

mod entry_points;
pub mod research;
pub mod session;
pub mod tools;

pub use apidisc_answering::{answers, code_check, discover, first_call, overview, recipes, route, search, types};
pub use apidisc_apis::{http, openapi};
pub use apidisc_base::{control, diagnostic, files, hash, language, unprintable};
pub use apidisc_breaks as breaks;
pub use apidisc_environment as environment;
pub use apidisc_facts::{documentation, documents, program, source, syntax};
pub use apidisc_indexing::{dependencies, facts, index, indexer, packages, snippet, usage};
pub use apidisc_stubs::{delivery, intent, overrides, strategy, stub};
pub use apidisc_tokens as tokens;

#[doc(inline)]
pub use delivery::{Delivery, RequestError, StubRequest};
pub use entry_points::{
    ConfigError, Fetch, FetchSources, IndexerConfig, Location, LocationError, OpenError, RemoteUrl, RepoConfig,
    StatisticalDiscovery, build_fetched_index, build_index, check_branch,
};
#[doc(inline)]
pub use {
    index::Index,
    source::Source,
    strategy::{FilteringStrategy, Strategy},
};
