//! The two entry points of the library. [`build_index`] indexes sources; [`StatisticalDiscovery`] makes stubs from the
//! index.

mod config;
mod location;
mod remote_url;

use std::{path::Path, sync::Arc};

use apidisc_base::{
    control::Control,
    files::{self, FileError},
};
use apidisc_facts::source::Source;
use apidisc_indexing::{
    index::{
        Definition, Index, LookupError, Scope,
        metadata::{self, MetadataError},
    },
    indexer::{self, BuildError},
};
use apidisc_stubs::{
    delivery::{Delivery, Format, Packer, RequestError, StubRequest},
    strategy::FilteringStrategy,
};
use apidisc_tokens::{Encoding, Tokenizer};
pub use config::{ConfigError, Fetch, FetchSources, IndexerConfig, RepoConfig};
pub use location::{Location, LocationError, check_branch};
pub use remote_url::RemoteUrl;

/// Indexes the sources of `config` on all cores: reads, parses, links and counts them.
///
/// The engine has no network: a source that is not a folder as it lies is missing in the index, and a diagnostic says
/// so. [`build_fetched_index`] takes a function that fetches such sources. To watch the progress, to cancel, or to
/// index again when files change, use [`indexer::Builder`] with [`IndexerConfig::source`].
///
/// # Errors
/// [`OpenError`] if the configuration has a mistake, or if its only source cannot be opened. Files that cannot be read
/// in full are no error: [`Index::diagnostics`] names them.
pub fn build_index(config: &IndexerConfig) -> Result<Index, OpenError> {
    let refuse = |wanted: &[Fetch]| {
        let why = || Err("the library has no network; clone it, and name the folder".to_owned());
        wanted.iter().map(|_| why()).collect()
    };
    build_fetched_index(config, &refuse)
}

/// [`build_index`] with a function that fetches remote sources.
///
/// # Errors
/// As for [`build_index`].
#[allow(clippy::missing_panics_doc, reason = "neither expectation can fail")]
pub fn build_fetched_index(config: &IndexerConfig, fetch: FetchSources<'_>) -> Result<Index, OpenError> {
    let weights = config.weights()?;
    let index = build(&config.source(fetch)?)?;
    if weights.are_default() {
        return Ok(index);
    }
    Ok(index.weighted(weights).expect("an index that was just built has its call sites"))
}

fn build(source: &Source) -> Result<Index, BuildError> {
    Ok(indexer::build(source, &mut |_| Control::Continue)?.expect("the observer never cancels"))
}

/// The reason for which sources or a file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The list of sources has a mistake.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder cannot be indexed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The path as it was given.
        path: String,
        /// The reason.
        error: FileError,
    },
    /// The file is not an `api_metadata.yaml`.
    #[error("{path}: {error}")]
    Metadata {
        /// The path as it was given.
        path: String,
        /// The reason.
        error: MetadataError,
    },
}

/// Answers requests for stubs and definitions from an index.
#[derive(Clone, Debug)]
pub struct StatisticalDiscovery {
    index: Arc<Index>,
}

impl StatisticalDiscovery {
    /// Answers requests from `index`.
    pub fn new(index: impl Into<Arc<Index>>) -> Self {
        Self { index: index.into() }
    }

    /// Indexes the folder at `path`. A file that ends in `.yaml` or `.yml` is read as an `api_metadata.yaml`, which
    /// has counts but no call sites.
    ///
    /// # Errors
    /// [`OpenError`] if `path` cannot be indexed or read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        if !path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            return Ok(Self::new(build(&Source::Folder(path.to_owned()))?));
        }
        let name = || path.display().to_string();
        let text = files::read_text(path, metadata::MAX_BYTES)
            .map_err(|error| OpenError::Unreadable { path: name(), error })?;
        let index = metadata::read(&text).map_err(|error| OpenError::Metadata { path: name(), error })?;
        Ok(Self::new(index))
    }

    /// The index that the answers come from.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The stub of a module or package, or of one symbol in it, pruned by `strategy`. Tokens are counted by
    /// `o200k_base`. Each name is a fully qualified name, an alias or a unique suffix.
    ///
    /// # Errors
    /// [`RequestError`] if a name is unknown or ambiguous, or if the budget is too small. The error
    /// text suggests what to request instead.
    pub fn get_module_help(
        &self,
        module: &str,
        target_symbol: Option<&str>,
        strategy: &dyn FilteringStrategy,
    ) -> Result<Delivery, RequestError> {
        let (scope, _) = self.index.scope_meant(Some(module), target_symbol)?;
        let packer = Packer::new(&self.index, scope, &Tokenizer::load(Encoding::default()))?;
        Ok(packer.deliver(strategy, Format::Stub)?)
    }

    /// The stub for a request that also sets weights, pins, bans, tokenizer and envelope.
    ///
    /// # Errors
    /// [`RequestError`], as for [`Self::get_module_help`].
    pub fn deliver(&self, request: &StubRequest) -> Result<Delivery, RequestError> {
        request.deliver(&self.index)
    }

    /// The definition called `symbol`, with its signature and its usage.
    ///
    /// # Errors
    /// [`LookupError`] if no definition or several definitions have that name. A module is not a definition.
    pub fn definition(&self, symbol: &str) -> Result<&Definition, LookupError> {
        match self.index.scope(None, Some(symbol))? {
            Scope::Definition(id) => Ok(self.index.definition(id)),
            Scope::Module(_) | Scope::Repository => {
                Err(LookupError::Unknown { what: "definition", name: symbol.to_owned(), nearest: Vec::new() })
            }
        }
    }
}
