//! The corpus of an index, kept in a file beside the pack of the source.

use std::{cell::Cell, io, path::PathBuf, sync::Arc};

use apidisc::{
    answers::{ReadSource, SymbolTable},
    discover::{Corpus, WordModel, built_in_model, corpus_key, corpus_version},
    hash::ContentHash,
    index::Index,
    source::{self, Source},
};

use super::{Cache, Reading, checked_file, eviction};
use crate::writing;

/// The file extension of a corpus. The pack beside it has the same name.
pub(super) const ENDING: &str = "corpus";
const MARK: checked_file::Mark = *b"apicorps";

/// Makes the corpora of indexes, or reads them from a cache.
#[derive(Clone, Debug)]
pub struct Corpora {
    /// The cache; `None` to use no cache.
    pub cache: Option<Cache>,
    /// The model of word vectors, by which searches by intent compare texts.
    pub model: Arc<dyn WordModel>,
}

impl Default for Corpora {
    /// Makes corpora with the model that comes with the program, without a cache.
    fn default() -> Self {
        Self { cache: None, model: built_in_model() }
    }
}

impl Corpora {
    /// The corpus of an index: the corpus in the cache, if it was made from an equal index with the same model, else a
    /// new corpus, which is written to the cache. `source` is the source that was indexed.
    pub fn get(&self, source: &Source, symbols: &Arc<SymbolTable>) -> Corpus {
        let index = symbols.index();
        let kept = self.file(source, index);
        let bytes = kept.as_ref().and_then(CorpusFile::read);
        let unpack = |bytes: Vec<u8>| Corpus::unpack(&bytes, Arc::clone(symbols), Arc::clone(&self.model));
        if let Some(corpus) = bytes.and_then(unpack) {
            return corpus;
        }
        let has_changed = Cell::new(false);
        let corpus = self.make(symbols, &|path: &str| {
            let (text, is_unchanged) = source::reread_as(source, path, &index.contents);
            // A file that could not be read when the index was made is unchanged if it still cannot be read.
            let is_known = || text.is_none() && index.diagnostics.iter().any(|problem| problem.path == path);
            has_changed.set(has_changed.get() || !(is_unchanged || is_known()));
            text
        });
        if let Some(file) = kept.filter(|_| !has_changed.get()) {
            file.write(&corpus);
        }
        corpus
    }

    /// A new corpus of an index. It is not written to the cache.
    pub fn make(&self, symbols: &Arc<SymbolTable>, read: &ReadSource<'_>) -> Corpus {
        Corpus::with_model(Arc::clone(symbols), read, Arc::clone(&self.model))
    }

    /// The file of the corpus of an index. `None` for a partial index, which is replaced soon,
    /// and for an index of packages, which would take the place of that of the code.
    fn file(&self, source: &Source, index: &Index) -> Option<CorpusFile<'_>> {
        let cache = self.cache.as_ref().filter(|_| index.complete && !index.is_of_packages())?;
        let key = corpus_key(index, &*self.model);
        let version = ContentHash::of_parts(&[corpus_version().bytes(), key.bytes()]);
        Some(CorpusFile { cache, path: cache.pack_of(source, Reading::Source)?.with_extension(ENDING), version })
    }
}

/// The file in which a corpus is kept. `version` is a hash of the inputs from which the corpus is made.
struct CorpusFile<'c> {
    cache: &'c Cache,
    path: PathBuf,
    version: ContentHash,
}

impl CorpusFile<'_> {
    fn read(&self) -> Option<Vec<u8>> {
        checked_file::read(&self.path, MARK, self.version)
    }

    /// Writes a corpus, unless it takes more than a quarter of the cache. Errors are ignored: the next run makes the
    /// corpus again.
    fn write(&self, corpus: &Corpus) {
        let bytes = corpus.pack();
        if bytes.len() as u64 > self.cache.max_bytes / 4 || self.cache.prepare().is_err() {
            return;
        }
        let write = |out: &mut dyn io::Write| checked_file::write(out, MARK, self.version, &bytes);
        if writing::replace_in_cache(&self.path, write).is_ok() {
            eviction::evict(&self.cache.packs(), self.cache.max_bytes);
        }
    }
}
