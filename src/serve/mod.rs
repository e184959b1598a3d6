//! The server for agents: the Model Context Protocol over stdio and HTTP.
//!
//! ```text
//! stdio ┐                      ┌ tools     ┐
//!       ├─ transport ── server ┤ resources ├─ served_index ── live::LiveIndex
//! http  ┘                      └ prompts   ┘
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `transport` | the two transports, stdio and HTTP |
//! | `stdio`, `decoding` | messages on lines; the answers to messages that do not decode |
//! | `http_guard` | the checks of HTTP requests: host, origin, token, body |
//! | `http_sessions` | the sessions of HTTP clients of earlier revisions, within a limit |
//! | `server` | the requests of the protocol |
//! | `subscriptions` | notifications to clients when a resource changes |
//! | `tools` | the tools of the engine, which answer from the present index |
//! | `resources`, `prompts`, `completion` | the other requests that read the index |
//! | `reporter` | the progress of builds, for the clients that wait |
//! | `logging` | answered requests, for the log that the explorer shows |
//! | `sessions` | what each agent holds already, and the ledger of its tokens |
//! | `served_documents` | API documents, read again when their files change |
//! | `served_packages` | the packages that the code uses: read at the first question about them, once for all requests |
//! | `served_index` | the index: built in the background from the first request on, then kept up to date |
//!
//! **Architecture invariant.** The server delivers the bytes of `--export`: a stub is one text block without structured
//! content, since some clients hide the text of a result that also has structured content.
//!
//! **Architecture invariant.** Only the protocol is written to standard output.

mod completion;
mod decoding;
mod http_guard;
mod http_sessions;
mod logging;
mod prompts;
mod reporter;
mod resources;
mod served_documents;
mod served_index;
mod served_packages;
mod served_upgrade;
mod server;
mod sessions;
mod stdio;
mod subscriptions;
mod tools;
mod transport;

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use apidisc::{
    discover::WordModel,
    environment::python::EnvironmentSetting,
    source::{AllowedFiles, Source},
    usage::Weights,
};

use self::{served_index::ServedIndex, server::Server, sessions::Sessions, tools::Tools};
use crate::{
    cache::{Cache, Corpora},
    requests::{LogFolder, RequestLog},
};

/// Opens the sources and returns them with their weights. Remote sources are cloned first, so this may take long. It is
/// called on a thread of its own, and again after a failure.
pub type OpenSources = Box<dyn Fn() -> anyhow::Result<(Source, Weights)> + Send + Sync>;

/// The sources to serve, and the settings of the server.
pub struct ServerOptions {
    /// Opens the sources.
    pub open: OpenSources,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The model of word vectors, by which searches compare meanings.
    pub model: Arc<dyn WordModel>,
    /// The log of answered requests; `None` to keep none.
    pub log: Option<LogFolder>,
    /// The file with the state of agents that outlives their sessions; `None` to keep it in memory.
    pub state: Option<PathBuf>,
    /// The names of the tools to list: none for the usual ones, `all` for all.
    pub tools: Vec<String>,
    /// The folder or file of API documents; `None` for those of the sources.
    pub docs: Option<PathBuf>,
    /// The files of secrets that tools may show.
    pub allowed: AllowedFiles,
    /// The environment that holds the packages which the code uses.
    pub environment: EnvironmentSetting,
    /// The address to listen on; `None` for stdio.
    pub http: Option<SocketAddr>,
    /// The token that HTTP requests must carry.
    pub token: Option<String>,
    /// Is called with each message for the user, one line without a line break.
    pub note: fn(&str),
}

/// Serves until the client closes standard input, or until a signal ends the process.
///
/// # Errors
/// If a tool to list is unknown, if the address cannot be listened on, if other machines can reach the address and
/// there is no token, or if the client does not speak the protocol.
pub fn run(options: ServerOptions) -> anyhow::Result<()> {
    let ServerOptions { open, cache, model, log, state, tools, docs, allowed, environment, http, token, note } =
        options;
    let tools = Tools::listing(&tools, http.is_some())?;
    let log = log.and_then(RequestLog::start).map(Arc::new);
    let server = Server::new(
        ServedIndex::new(open, Corpora { cache, model }, docs.map(Source::Folder), allowed, environment, note),
        Arc::new(tools),
        Sessions::new(http.is_none(), state),
        log.clone(),
    );
    let outcome = transport::run(server, http, token, note);
    if let Some(log) = log {
        log.flush();
    }
    outcome
}
