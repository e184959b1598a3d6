//! `serve`: the command line of the server for agents.

use std::{net::SocketAddr, path::PathBuf};

use anyhow::{Context as _, bail};

use super::Input;
use crate::cache::Cache;
use apidisc::{
    environment::python::EnvironmentSetting,
    files::{self, MAX_WRITTEN_BY_HAND},
};

/// Serves agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Serve {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The address to listen on; `None` for standard input and output.
    pub http: Option<SocketAddr>,
    /// The file of the token that HTTP requests must carry.
    pub token_file: Option<PathBuf>,
    /// The folder or file of API documents; `None` for those of the input.
    pub docs: Option<PathBuf>,
    /// The files of secrets that tools may show, as they were named.
    pub allowed: Vec<String>,
    /// The environment that holds the packages which the code uses.
    pub environment: EnvironmentSetting,
    /// The names of the tools to list; empty for the usual ones.
    pub tools: Vec<String>,
    /// The folder of a model of word vectors; `None` for the model that is part of the program.
    pub model: Option<PathBuf>,
}

impl Serve {
    /// The token in the file.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no token.
    pub fn token(&self) -> anyhow::Result<Option<String>> {
        let Some(path) = &self.token_file else { return Ok(None) };
        let name = path.display();
        let text = files::read_text(path, MAX_WRITTEN_BY_HAND).with_context(|| format!("cannot read {name}"))?;
        let token = text.trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            bail!("{name} holds no token; write one into it: letters, digits and signs on one line");
        }
        Ok(Some(token.to_owned()))
    }
}
