//! The cache: the facts of files, kept between runs of the program.
//!
//! A source has a pack, a file that is read at once and replaced as a whole. Facts are looked up by the content of a
//! file: in the pack of the source, then in the most recently used packs of other sources, such as another clone or a
//! worktree. Several processes may use the cache at the same time, and none waits for another. If two write the same
//! pack, the later one replaces the earlier one; a file whose facts are then missing is parsed again.
//!
//! Beside its pack, a source has the last index, which is loaded if the source has not changed since, and the corpus of
//! that index, if a search by intent has made one. A source that was read together with the packages that it uses has a
//! second pack and index.
//!
//! **Architecture invariant.** The cache never changes an answer. It is bounded, and a damaged file in it counts as
//! missing. Errors of writing are ignored: the next run parses again.

mod checked_file;
mod corpus;
mod eviction;
mod pack;
#[cfg(test)]
mod tests;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::SystemTime,
};

use apidisc::{
    control::Control,
    hash::ContentHash,
    index::Index,
    indexer::{BuildError, BuildOutcome, Builder, FactsBytes, FactsKey, FactsStore, Progress, facts_version},
    source::{Contents, Source},
};

pub use self::corpus::Corpora;
use self::pack::Pack;
use crate::{places::Places, writing};

/// The environment variable that turns the cache off.
const VARIABLE: &str = "APIDISC_CACHE";
/// The folder of the packs, below the folder of the cache.
const PACKS: &str = "facts";
/// The file extension of a pack.
const ENDING: &str = "facts";
/// The file extension of an index. The pack beside it has the same name.
const INDEX_ENDING: &str = "index";
/// The mark of an index.
const INDEX_MARK: checked_file::Mark = *b"apiindex";
/// The greatest size in bytes of all packs together, with the files beside them.
const MAX_BYTES: u64 = 1 << 30;

/// The number of packs of other sources in which facts are looked up: the most recently used ones.
const MAX_OTHERS: usize = 64;

/// The file that tells backup programs that a folder is a cache (<https://bford.info/cachedir/>).
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of apidisc-tui. `apidisc-tui cache clear` empties it.\n",
);

/// What is read of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// The source alone.
    Source,
    /// The source with the packages that it uses.
    WithPackages,
    /// The source with another version of a package.
    WithOtherVersion,
}

/// The cache of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    max_bytes: u64,
}

/// The size of a cache, in bytes and in entries, and the time of its last use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// The bytes of all packs, indexes and corpora.
    pub bytes: u64,
    /// The number of packs: one for each source and each version of the program that indexed it.
    pub packs: usize,
    /// The number of files whose facts are kept, counted in every pack.
    pub files: usize,
    /// The number of indexes that are kept.
    pub indexes: usize,
    /// The last time at which a pack was used.
    pub last_use: Option<SystemTime>,
}

impl Cache {
    /// The cache of this user; `None` without a home folder, and if the environment turns it off.
    pub fn of_user() -> Option<Self> {
        let is_off = env::var_os(VARIABLE).is_some_and(|word| word == "off");
        Places::find().filter(|_| !is_off).map(|places| Self::new(&places))
    }

    /// The cache in the folder that `places` names.
    pub fn new(places: &Places) -> Self {
        Self { folder: places.cache.clone(), max_bytes: MAX_BYTES }
    }

    /// The folder, which need not exist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The greatest size of the cache, in bytes.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// The facts of a source in the cache. `None` for files in memory, which are not cached.
    pub fn open(&self, source: &Source) -> Option<SourceCache> {
        self.pack_of(source, Reading::Source).map(|pack| self.open_pack(pack))
    }

    /// The facts of a source and of the packages that it uses. They are kept apart from those of the source alone.
    pub fn open_with_packages(&self, source: &Source) -> Option<SourceCache> {
        self.pack_of(source, Reading::WithPackages).map(|pack| self.open_pack(pack))
    }

    /// The facts of a source and of its packages, of which one has another version than the installed one.
    pub fn open_with_other_version(&self, source: &Source) -> Option<SourceCache> {
        self.pack_of(source, Reading::WithOtherVersion).map(|pack| self.open_pack(pack))
    }

    fn open_pack(&self, own: PathBuf) -> SourceCache {
        let store = Arc::new(Store { pack: OnceLock::new(), cache: self.clone(), own, others: OnceLock::new() });
        SourceCache { store }
    }

    /// The files that a source had when it was last indexed, and the time at which that was.
    pub fn last_index(&self, source: &Source) -> Option<(Contents, SystemTime)> {
        let path = self.pack_of(source, Reading::Source)?;
        let pack = Pack::open(&path, facts_version(), false)?;
        Some((pack.into_contents(), fs::metadata(path).ok()?.modified().ok()?))
    }

    /// The size of the cache, and the time of its last use.
    pub fn size(&self) -> CacheSize {
        let mut size = CacheSize::default();
        for pack in eviction::packs(&self.packs()) {
            size.bytes += pack.bytes;
            size.packs += 1;
            size.indexes += usize::from(pack.has_index);
            size.files += Pack::open(&pack.path, facts_version(), false).map_or(0, |pack| pack.len());
            size.last_use = size.last_use.max(Some(pack.last_use));
        }
        size
    }

    /// Removes all packs, and returns the size that the cache had.
    ///
    /// # Errors
    /// The first error, with the file that cannot be removed.
    pub fn clear(&self) -> Result<CacheSize, (PathBuf, io::Error)> {
        let size = self.size();
        for path in eviction::files(&self.packs()) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err((path, error)),
                _ => {}
            }
        }
        Ok(size)
    }

    fn packs(&self) -> PathBuf {
        self.folder.join(PACKS)
    }

    /// The file of the pack of what is read. Programs of different versions have different packs; sources that are
    /// linked together have one pack.
    fn pack_of(&self, source: &Source, reading: Reading) -> Option<PathBuf> {
        let version = facts_version();
        let mut names: Vec<Vec<u8>> = Vec::new();
        for (folder, part) in source.parts() {
            match part {
                Source::Folder(root) => names.push(root.canonicalize().ok()?.as_os_str().as_encoded_bytes().to_owned()),
                // All commits of a repository share a pack, since most of their files are the same.
                Source::Commit(commit) => names.push(commit.url().as_bytes().to_owned()),
                Source::Revised(revised) => names.extend([revised.url().into_bytes(), b"revised".to_vec()]),
                Source::Memory { .. } | Source::Missing { .. } | Source::Linked(_) => continue,
            }
            names.extend((!folder.is_empty()).then(|| folder.as_bytes().to_owned()));
        }
        if names.is_empty() {
            return None;
        }
        match reading {
            Reading::Source => {}
            Reading::WithPackages => names.push(b"packages".to_vec()),
            Reading::WithOtherVersion => names.push(b"other version".to_vec()),
        }
        let name = names.iter().map(Vec::as_slice).chain([&version.bytes()[..]]).collect::<Vec<_>>();
        let name = ContentHash::of_parts(&name);
        Some(self.packs().join(name.to_string()).with_extension(ENDING))
    }
}

/// Indexes sources with a builder for them. Facts and an unchanged index come from `kept`, and go there. `Ok(None)` if
/// the observer cancelled.
///
/// # Errors
/// If the sources cannot be opened.
pub fn build(
    builder: &mut Builder,
    kept: Option<SourceCache>,
    observe: &mut dyn FnMut(Progress) -> Control,
) -> Result<Option<Index>, BuildError> {
    builder.set_store(kept.as_ref().map(SourceCache::store));
    let BuildOutcome::Index { index, .. } = builder.build(observe)? else { return Ok(None) };
    if let Some(kept) = kept {
        kept.save(builder, &index);
    }
    Ok(Some(*index))
}

/// The kept facts of one source.
pub struct SourceCache {
    store: Arc<Store>,
}

impl SourceCache {
    /// The place where a builder of the source looks for facts.
    pub fn store(&self) -> Arc<dyn FactsStore> {
        Arc::<Store>::clone(&self.store)
    }

    /// Writes the facts of a whole build of the source and its index to the cache. If the cache contains them already,
    /// only the time of their last use is set.
    pub fn save(self, builder: &mut Builder, index: &Index) {
        let Store { cache, own, .. } = &*self.store;
        let index_path = own.with_extension(INDEX_ENDING);
        if !builder.has_facts() {
            let _ = writing::touch(own);
            return;
        }
        let contents = Arc::clone(builder.contents());
        let is_kept = self.store.pack().is_some_and(|pack| *pack.contents() == *contents);
        let facts = if is_kept && !builder.has_new_facts() { None } else { Some(builder.facts()) };
        let index = builder.packed_index(index).unwrap_or_default();
        let bytes: usize = facts.iter().flatten().map(|(_, bytes)| bytes.len()).sum();
        if (bytes + index.len()) as u64 > cache.max_bytes / 2 || cache.prepare().is_err() {
            return;
        }
        let written = match facts {
            Some(facts) => {
                writing::replace_in_cache(own, |out| pack::write(out, facts_version(), &facts, &contents)).is_ok()
            }
            None => writing::touch(own).is_ok(),
        };
        let write = |out: &mut dyn io::Write| checked_file::write(out, INDEX_MARK, facts_version(), &index);
        if written && !index.is_empty() && writing::replace_in_cache(&index_path, write).is_ok() {
            eviction::evict(&cache.packs(), cache.max_bytes);
        }
    }
}

impl Cache {
    /// Creates the folders.
    fn prepare(&self) -> io::Result<()> {
        let mut folders = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
        folders.recursive(true).create(self.packs())?;
        let tag = self.folder.join(TAG.0);
        if tag.symlink_metadata().is_err() {
            writing::replace_in_cache(&tag, |out| out.write_all(TAG.1.as_bytes()))?;
        }
        Ok(())
    }
}

/// The facts store of one source: its own pack and index, and the packs of other sources for facts that its own pack
/// does not have.
struct Store {
    /// The pack of the source, read when facts are first asked for.
    pack: OnceLock<Option<Pack>>,
    cache: Cache,
    /// The path of `pack`.
    own: PathBuf,
    others: OnceLock<Vec<Pack>>,
}

impl FactsStore for Store {
    fn get(&self, key: FactsKey) -> Option<FactsBytes> {
        let own = self.pack().and_then(|pack| pack.get(key));
        own.or_else(|| self.others().iter().find_map(|pack| pack.get(key)))
    }

    fn index(&self) -> Option<Vec<u8>> {
        checked_file::read(&self.own.with_extension(INDEX_ENDING), INDEX_MARK, facts_version())
    }
}

impl Store {
    fn pack(&self) -> Option<&Pack> {
        self.pack.get_or_init(|| Pack::open(&self.own, facts_version(), true)).as_ref()
    }

    fn others(&self) -> &[Pack] {
        self.others.get_or_init(|| {
            let others = eviction::packs(&self.cache.packs()).into_iter().filter(|pack| pack.path != self.own);
            others.take(MAX_OTHERS).filter_map(|pack| Pack::open(&pack.path, facts_version(), false)).collect()
        })
    }
}
