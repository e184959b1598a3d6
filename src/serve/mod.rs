//! The server for agents: the Model Context Protocol over stdio and HTTP.
//!
//! ```text
//! stdio ┐                   ┌ tools      ┐
//!       ├─ transport ─ server ┤ resources  ├─ living_index ─ live::LiveIndex
//! http  ┘                   └ prompts    ┘
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `transport` | the two transports, and the token of the second |
//! | `server` | the requests of the protocol |
//! | `subscriptions` | the clients that want to know when a resource changes |
//! | `tools` | the table of tools: name, parameters, answer |
//! | `schema` | parameters as a JSON schema |
//! | `arguments` | the arguments of a call, checked against the parameters |
//! | `resources`, `prompts`, `completion` | the other ways to ask |
//! | `living_index` | the index, built behind the first request |
//!
//! **Architecture invariant.** The server delivers the bytes of `--export`: a stub is one text block and nothing else,
//! since some clients hide the text of a result that has structured content, too.
//!
//! **Architecture invariant.** Only the protocol is written to standard output.

mod arguments;
mod completion;
mod living_index;
mod problem;
mod prompts;
mod resources;
mod schema;
mod server;
mod subscriptions;
mod tools;
mod transport;

use std::{net::SocketAddr, sync::Arc};

use apidisc::{source::Source, usage::Weights};

use self::{living_index::LivingIndex, server::Server, tools::Tools};
use crate::cache::Cache;

/// Opens the sources: they may have to be cloned, which takes long. Called on a thread of its own, and again after a
/// failure.
pub type OpenSources = Box<dyn Fn() -> anyhow::Result<(Source, Weights)> + Send + Sync>;

/// What to serve, and how.
pub struct Options {
    /// Opens the sources.
    pub open: OpenSources,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The names of the tools to list: none for the usual ones, `all` for all.
    pub tools: Vec<String>,
    /// The address to listen on; `None` for stdio.
    pub http: Option<SocketAddr>,
    /// The token that HTTP requests must carry.
    pub token: Option<String>,
    /// Receives one line about the server for people.
    pub note: fn(&str),
}

/// Serves until the client closes standard input, or until the process is told to end.
///
/// # Errors
/// If a tool to list is unknown, if the address is taken, or if it is not of this machine and there is no token.
pub fn run(options: Options) -> anyhow::Result<()> {
    let Options { open, cache, tools, http, token, note } = options;
    let tools = Tools::listing(&tools)?;
    let server = Server::new(LivingIndex::new(open, cache, note), Arc::new(tools));
    transport::run(server, http, token, note)
}
