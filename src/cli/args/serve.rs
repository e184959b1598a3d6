//! The options of the server.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;

use super::{HelpArg, OTHER, SourceArgs, allow::AllowArgs, environment::EnvironmentArgs, model::ModelArg};
use crate::{
    cache::Cache,
    cli::{Client, Input, Invocation, Serve, ServerConfig},
};

#[derive(Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Listen on this address: 127.0.0.1:8765.
    ///
    /// Streamable HTTP; the URL is http://127.0.0.1:8765/mcp. Port 0 is a free one, which standard error names. Other
    /// machines reach the server only if --token-file is given.
    #[arg(long, value_name = "ADDRESS", help_heading = "Server")]
    http: Option<SocketAddr>,
    /// With --http: ask for the token in FILE.
    ///
    /// A request must carry it: Authorization: Bearer TOKEN.
    #[arg(long, value_name = "FILE", help_heading = "Server", requires = "http")]
    token_file: Option<PathBuf>,
    /// List these tools: all, or names.
    ///
    /// Separated by commas. By default those that most tasks need: a model chooses better among few. All tools answer,
    /// listed or not.
    #[arg(long, value_name = "LIST", help_heading = "Server", value_delimiter = ',')]
    tools: Vec<String>,
    #[command(flatten, next_help_heading = "Server")]
    model: ModelArg,
    /// Serve the API documents below PATH.
    ///
    /// PATH is an OpenAPI or Swagger 2 document, or a folder with such documents. By default the documents in the
    /// sources are served. The tools search_chunks and get_chunks are listed where there are documents.
    #[arg(long, value_name = "PATH", help_heading = "Server", conflicts_with = "print_config")]
    docs: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Server")]
    allow: AllowArgs,
    #[command(flatten)]
    environment: EnvironmentArgs,
    /// Print what sets CLIENT up, and exit.
    #[arg(long, value_enum, value_name = "CLIENT", help_heading = "Server")]
    print_config: Option<Client>,
    /// Parse every file anew, and keep nothing.
    #[arg(long, help_heading = OTHER, hide_short_help = true)]
    no_cache: bool,
    #[command(flatten)]
    help: HelpArg,
}

impl ServeArgs {
    pub(super) fn invocation(self) -> Invocation {
        let Self { source, http, token_file, tools, model, docs, allow, environment, print_config, no_cache, help: _ } =
            self;
        let allowed = allow.allow_file;
        let input: Input = source.into();
        let cache = if no_cache { None } else { Cache::of_user() };
        match print_config {
            Some(client) => Invocation::ServerConfig(ServerConfig { client, input, http, tools }),
            None => Invocation::Serve(Serve {
                input,
                cache,
                http,
                token_file,
                tools,
                docs,
                allowed,
                environment: environment.into(),
                model: model.model,
            }),
        }
    }
}
