//! The main entry points: [`build_index`] indexes a source, [`StatisticalDiscovery`] delivers stubs of it.

use std::{path::Path, sync::Arc};

use crate::{
    control::Control,
    delivery::{Delivery, Format, Packer, RequestError, StubRequest},
    files::{self, FileError},
    index::{
        Definition, Index, LookupError, Scope,
        metadata::{self, MetadataError},
    },
    indexer::{self, BuildError},
    source::Source,
    strategy::FilteringStrategy,
    tokens::{Encoding, Tokenizer},
    usage::Weights,
};

/// The input of [`build_index`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IndexerConfig {
    /// The code to index.
    pub source: Source,
    /// How often a call counts, by its origin; by default once.
    pub weights: Weights,
}

impl IndexerConfig {
    /// Indexes `source` and counts every call once.
    pub fn new(source: Source) -> Self {
        Self { source, weights: Weights::default() }
    }

    /// Indexes the folder or the single file at `path`.
    pub fn folder(path: impl AsRef<Path>) -> Self {
        Self::new(Source::Folder(path.as_ref().to_owned()))
    }
}

/// Reads, parses, links and counts the source of `config` on all cores.
///
/// To watch the progress, to cancel, or to index again when files change, use [`indexer::Builder`].
///
/// # Errors
/// [`BuildError`] if the source cannot be opened. Files that cannot be read in full are no error:
/// [`Index::diagnostics`] names them.
#[allow(clippy::missing_panics_doc, reason = "neither expectation can fail")]
pub fn build_index(config: &IndexerConfig) -> Result<Index, BuildError> {
    let index = indexer::build(&config.source, &mut |_| Control::Continue)?.expect("the observer never cancels");
    if config.weights.is_even() {
        return Ok(index);
    }
    Ok(index.weighted(config.weights).expect("an index that was just built has its call sites"))
}

/// Why [`StatisticalDiscovery::open`] failed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
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
            return Ok(Self::new(build_index(&IndexerConfig::folder(path))?));
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
        let scope = self.index.scope(Some(module), target_symbol)?;
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
