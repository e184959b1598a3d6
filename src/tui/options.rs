//! The options of the explorer: the choices of the command line and the user's files.

use std::{fmt, path::PathBuf, sync::Arc};

use apidisc::{
    discover::WordModel,
    environment::python::EnvironmentSetting,
    index::Index,
    overrides::Overrides,
    source::Source,
    strategy::Strategy,
    stub::{Docs, Wording},
    tokens::Encoding,
    usage::Weights,
};
use apidisc_agents::{Limits, Model};

use crate::{cache::Cache, clones::Fetching, requests::LogFolder};

use super::{complaint::Complaint, config::UserConfig, theme::UserTheme};

/// The options of the explorer. If `strategy`, `wording`, `docs`, `encoding`, `weights` or `overrides` is `None`, the
/// value of the last session is used, else the default.
#[derive(Debug)]
pub struct ExplorerOptions {
    /// The sources to index, or the index to show.
    pub content: Content,
    /// The model of word vectors, by which searches compare meanings.
    pub model: Arc<dyn WordModel>,
    /// The language model that answers questions; `None` if none is set.
    pub assistant: Option<Assistant>,
    /// The file in which conversations about this source are kept; `None` if conversations are not kept.
    pub conversations: Option<PathBuf>,
    /// The name of the source on the screen, such as the path as it was typed.
    pub title: String,
    /// The arguments that name the same source on the command line: a path, `--demo`, `--index FILE`.
    pub argument: String,
    /// The initial strategy.
    pub strategy: Option<Strategy>,
    /// The initial wording.
    pub wording: Option<Wording>,
    /// The initial amount of documentation.
    pub docs: Option<Docs>,
    /// The initial tokenizer.
    pub encoding: Option<Encoding>,
    /// The initial weights of the origins, by which their calls are multiplied.
    pub weights: Option<Weights>,
    /// The initial pins and bans.
    pub overrides: Option<Overrides>,
    /// The file of the session; `None` if the session is not saved.
    pub session_file: Option<SessionFile>,
    /// The log of the requests that agents make about the same source; `None` if requests are not logged.
    pub request_log: Option<LogFolder>,
    /// The theme that the command line names.
    pub theme: Option<String>,
    /// The file or folder of the API documents; `None` to find the documents in the sources.
    pub documents: Option<PathBuf>,
    /// The environment that holds the packages which the code uses.
    pub environment: EnvironmentSetting,
    /// The user's configuration and themes.
    pub setup: Setup,
    /// The module to open, by name.
    pub module: Option<String>,
    /// The symbol to open, by name.
    pub symbol: Option<String>,
}

/// The language model that answers questions. The caller opens it, so that the explorer needs no network.
#[derive(Clone)]
pub struct Assistant {
    /// Its name, such as `ollama:qwen3`.
    pub name: String,
    /// The limits of the answer to one question.
    pub limits: Limits,
    /// Opens the model. An error describes the mistake and its remedy.
    pub open: Arc<OpenModel>,
}

/// Opens a language model.
pub type OpenModel = dyn Fn() -> Result<Box<dyn Model>, String> + Send + Sync;

impl fmt::Debug for Assistant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assistant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The sources to index, or the index to show.
#[derive(Debug)]
pub enum Content {
    /// Sources that are indexed while the explorer is open, with the cache of facts, if there is one.
    Source(Source, Option<Cache>),
    /// Sources of which some are fetched first, while the others are indexed; with the cache of facts.
    Fetching(Fetching, Option<Cache>),
    /// An index that was read from a file.
    Index(Arc<Index>),
}

impl Content {
    /// The cache; `None` if the cache is not used.
    pub(super) fn cache(&self) -> Option<&Cache> {
        match self {
            Self::Source(_, cache) | Self::Fetching(_, cache) => cache.as_ref(),
            Self::Index(_) => None,
        }
    }
}

/// The user's configuration and themes.
#[derive(Debug, Default)]
pub struct Setup {
    /// The contents of `config.toml`.
    pub config: UserConfig,
    /// The user's own themes.
    pub own_themes: Vec<UserTheme>,
    /// Mistakes in the configuration and the themes.
    pub complaints: Vec<Complaint>,
}

/// The file in which the session of a repository is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// The file.
    pub file: PathBuf,
    /// The path of the repository.
    pub repository: String,
    /// True if the state that the file holds is not restored.
    pub is_fresh: bool,
}
