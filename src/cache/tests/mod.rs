//! The cache on real folders: it saves parsing, and never changes an answer.

mod packages;

use std::{collections::BTreeSet, fs, path::Path, process::Command, time::Duration};

use apidisc::{
    answers::SymbolTable,
    control::Control,
    discover::{Discover, WordModel, discover},
    index::{Index, metadata},
    indexer::{self, BuildOutcome, facts_version},
    source::{self, Commit},
};
use tempfile::TempDir;

use super::*;

/// A cache and a source, in folders that are removed at the end of the test.
struct Setup {
    cache: Cache,
    source: TempDir,
    _folder: TempDir,
}

/// The outcome of indexing a source.
struct Run {
    /// Everything that can be asked of the index, as text.
    answer: String,
    /// True if a file was parsed.
    has_parsed: bool,
    /// True if the index came whole from the cache.
    is_restored: bool,
}

/// Indexes a folder as the command line does.
fn run(folder: &Path, cache: Option<&Cache>) -> Run {
    run_source(&Source::Folder(folder.to_owned()), cache)
}

fn run_source(source: &Source, cache: Option<&Cache>) -> Run {
    let mut builder = Builder::new(source.clone());
    let kept = cache.and_then(|cache| cache.open(source));
    builder.set_store(kept.as_ref().map(SourceCache::store));
    let built = builder.build(&mut |_| Control::Continue).expect("a folder");
    let BuildOutcome::Index { index, .. } = built else { panic!("no index") };
    let has_parsed = builder.has_new_facts();
    let is_restored = !builder.has_facts();
    if let Some(kept) = kept {
        kept.save(&mut builder, &index);
    }
    Run { answer: answer(&index), has_parsed, is_restored }
}

fn answer(index: &Index) -> String {
    let options = metadata::MetadataOptions { min_usage_threshold: 0, ..metadata::MetadataOptions::default() };
    let text = metadata::write(index, &options).expect("a text");
    let inherited: Vec<_> = index.every_definition().map(|(_, definition)| definition).collect();
    let calls: Vec<_> = index.calls.iter().map(|call| (call, index.calls.arguments(call))).collect();
    format!("{text}\n{:?}\n{calls:?}\n{:?}\n{inherited:?}\n{:?}", index.diagnostics, index.reads, index.contents)
}

const FILES: [(&str, &str); 8] = [
    ("pkg/__init__.py", "from pkg.one import f\n"),
    ("pkg/one.py", "class A:\n    \"\"\"Doc.\n\n    >>> f(1)\n    \"\"\"\n    x = 1\ndef f(a, b=1): return A()\n"),
    ("pkg/broken.py", "def g(:\n f(1, b=2)\n"),
    ("tests/test_one.py", "from pkg.one import f\nf(1, b=2).x\nf(1)\n"),
    ("web/app.ts", "export function g(x: number, y?: string) {}\ng(1)\n"),
    ("web/view.tsx", "import { g } from './app';\nexport const v = <a onClick={() => g(1, 'x')} />;\n"),
    ("docs/use.md", "# Use\n\n```python\nfrom pkg import f\nf(1)\n```\n"),
    ("docs/none.md", "# No code\n"),
];

impl Setup {
    fn new() -> Self {
        Self::with(&FILES)
    }

    fn with<'a>(files: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache { folder: folder.path().join("cache"), max_bytes: MAX_BYTES };
        let setup = Self { cache, source: tempfile::tempdir().expect("a folder"), _folder: folder };
        files.into_iter().for_each(|(path, text)| write(setup.source.path(), path, text));
        setup
    }

    fn run(&self) -> Run {
        run(self.source.path(), Some(&self.cache))
    }

    fn without(&self) -> Run {
        run(self.source.path(), None)
    }

    /// The only pack.
    fn pack(&self) -> PathBuf {
        let [pack] = &eviction::packs(&self.cache.packs())[..] else { panic!("one pack") };
        pack.path.clone()
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

#[test]
fn a_source_that_was_indexed_is_not_parsed_again() {
    let setup = Setup::new();
    let expected = setup.without();
    let [first, second] = [setup.run(), setup.run()];
    assert!(first.has_parsed && !second.has_parsed);
    assert!(!first.is_restored && second.is_restored);
    assert!(first.answer == expected.answer && second.answer == expected.answer);
    // After a file is added, only that file is parsed; the next run has its facts.
    write(setup.source.path(), "pkg/two.py", "from pkg import f\nf(2)\n");
    assert!(setup.run().has_parsed && setup.run().is_restored);
    assert_eq!(setup.run().answer, setup.without().answer);
    fs::remove_file(setup.source.path().join("pkg/two.py")).expect("removed");
    assert_eq!(setup.run().answer, expected.answer);
}

#[test]
fn facts_are_found_by_content_in_any_folder_under_any_path() {
    let setup = Setup::new();
    setup.run();
    let other = tempfile::tempdir().expect("a folder");
    for (path, text) in FILES {
        write(other.path(), &format!("tests/vendor/{path}"), text);
    }
    let [kept, fresh] = [run(other.path(), Some(&setup.cache)), run(other.path(), None)];
    assert!(!kept.has_parsed);
    assert_eq!(kept.answer, fresh.answer);
    assert_ne!(kept.answer, setup.without().answer);
    assert_eq!(setup.cache.size().packs, 2);
}

#[test]
fn a_content_is_parsed_once_for_each_way_of_parsing() {
    let setup = Setup::new();
    setup.run();
    let text = "export function g(x: number, y?: string) {}\ng(1)\n";
    for path in ["web/b.tsx", "web/c.d.ts", "web/d.js", "docs/e.md", "f.py"] {
        write(setup.source.path(), path, text);
        assert_eq!(setup.run().answer, setup.without().answer, "{path}");
    }
}

/// Random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// The bytes of a file with one of four kinds of damage.
    fn harm(&mut self, whole: &[u8], kind: usize) -> Vec<u8> {
        let mut harmed = whole.to_vec();
        match kind {
            0 => harmed[self.below(whole.len())] ^= 1 << self.below(8),
            1 => harmed.truncate(self.below(whole.len())),
            2 => {
                let begin = self.below(whole.len());
                harmed[begin..].iter_mut().for_each(|byte| *byte = self.below(256) as u8);
            }
            // The version, which stands behind the mark of the file.
            _ => harmed[8 + self.below(ContentHash::BYTES)] ^= 1 << self.below(8),
        }
        harmed
    }
}

#[test]
fn a_cache_that_is_harmed_in_any_way_gives_the_answers_of_none() {
    // Without TypeScript and documents, a run takes no time.
    let setup = Setup::with(FILES.iter().filter(|(path, _)| path.starts_with("pkg/") || path.starts_with("tests/")));
    setup.run();
    let (pack, expected) = (setup.pack(), setup.without().answer);
    let index = pack.with_extension(INDEX_ENDING);
    let read = |path: &Path| fs::read(path).expect("a file");
    let [whole_pack, whole_index] = [read(&pack), read(&index)];
    let mut random = Random(7);
    let (mut parsed, mut restored) = (0, 0);
    for round in 0..1_000 {
        let harmed = random.harm(&whole_index, round % 4);
        fs::write(&index, &harmed).expect("a file");
        // In each second round, both files are harmed.
        let harms_pack = round % 8 < 4;
        let harmed_pack = if harms_pack { random.harm(&whole_pack, round % 4) } else { whole_pack.clone() };
        fs::write(&pack, &harmed_pack).expect("a file");
        let run = setup.run();
        assert_eq!(run.answer, expected, "round {round}");
        assert_eq!(read(&index), if run.is_restored { &*harmed } else { &*whole_index }, "round {round}");
        assert_eq!(read(&pack), if run.has_parsed { &*whole_pack } else { &*harmed_pack }, "round {round}");
        assert!(harms_pack || !run.has_parsed, "round {round}");
        parsed += usize::from(run.has_parsed);
        restored += usize::from(run.is_restored);
    }
    // In the other rounds the random damage happened to write the original bytes.
    assert!(parsed > 490 && restored < 10, "{parsed} {restored}");
}

#[test]
fn an_index_is_kept_for_the_same_files_in_the_same_place_alone() {
    let setup = Setup::new();
    setup.run();
    // A file of the same size, but with other content.
    write(setup.source.path(), "tests/test_one.py", "from pkg.one import f\nf(1, b=3).x\nf(2)\n");
    let edited = setup.run();
    assert!(!edited.is_restored && edited.answer == setup.without().answer);
    // A file that is not read, for another reason.
    write(setup.source.path(), "web/large.js", &"x".repeat(2 << 20));
    assert!(!setup.run().is_restored && setup.run().is_restored);
    write(setup.source.path(), "web/large.js", &"\0".repeat(2 << 20));
    let edited = setup.run();
    assert!(!edited.is_restored && edited.answer == setup.without().answer);
    // A package around the folder renames its modules.
    write(setup.source.path(), "__init__.py", "");
    let inner = setup.source.path().join("pkg");
    let in_package = || run(&inner, Some(&setup.cache));
    let [first, second] = [in_package(), in_package()];
    fs::remove_file(setup.source.path().join("__init__.py")).expect("removed");
    let third = in_package();
    assert!(!first.is_restored && second.is_restored && !third.is_restored);
    assert_eq!(third.answer, run(&inner, None).answer);
}

#[test]
fn a_builder_that_took_a_kept_index_follows_changes() {
    let setup = Setup::new();
    setup.run();
    let source = Source::Folder(setup.source.path().to_owned());
    let mut builder = Builder::new(source.clone());
    let build = |builder: &mut Builder| {
        builder.set_store(setup.cache.open(&source).as_ref().map(SourceCache::store));
        builder.build(&mut |_| Control::Continue).expect("a folder")
    };
    assert!(matches!(build(&mut builder), BuildOutcome::Index { .. }) && !builder.has_facts());
    assert!(!builder.folders().is_empty() && builder.contents().files().len() == FILES.len());
    assert!(matches!(build(&mut builder), BuildOutcome::Unchanged) && !builder.has_facts());
    write(setup.source.path(), "pkg/broken.py", "def g(a): ...\n");
    fs::remove_file(setup.source.path().join("docs/none.md")).expect("removed");
    let BuildOutcome::Index { index, parsed, removed } = build(&mut builder) else { panic!("no index") };
    assert_eq!((parsed, removed), (1, 1));
    assert!(builder.has_facts() && answer(&index) == setup.without().answer);
    assert!(matches!(build(&mut builder), BuildOutcome::Unchanged));
}

#[test]
fn a_file_that_two_commits_share_is_read_once() {
    let setup = Setup::new();
    let root = setup.source.path();
    let git = |words: &[&str]| {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let output = Command::new("git").arg("-C").arg(root).args(who).args(words).output().expect("git");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a text").trim().to_owned()
    };
    let commit = || {
        git(&["add", "."]);
        git(&["commit", "-qm", "x"]);
        let id = git(&["rev-parse", "HEAD"]);
        move || Source::Commit(Commit::open(root, "kit", &id).expect("a commit"))
    };
    git(&["init", "-q"]);
    let first = commit();
    write(root, "pkg/two.py", "from pkg.one import f\nf(3)\n");
    let second = commit();
    let expected = [run_source(&first(), None), run_source(&second(), None)].map(|run| run.answer);
    assert!(!run_source(&first(), Some(&setup.cache)).is_restored);
    let again = run_source(&first(), Some(&setup.cache));
    assert!(again.is_restored && again.answer == expected[0]);
    // A file that both commits have is recognized by its object.
    let blob = git(&["rev-parse", "HEAD:pkg/broken.py"]);
    fs::remove_file(root.join(".git/objects").join(&blob[..2]).join(&blob[2..])).expect("removed");
    assert!(run_source(&second(), None).answer != expected[1], "the object is still read");
    let other = run_source(&second(), Some(&setup.cache));
    assert!(other.has_parsed && !other.is_restored);
    assert!(other.answer == expected[1]);
}

#[test]
fn an_index_leaves_the_cache_with_its_pack() {
    let setup = Setup::new();
    setup.run();
    let index = setup.pack().with_extension(INDEX_ENDING);
    assert_eq!((setup.cache.size().indexes, index.exists()), (1, true));
    eviction::evict(&setup.cache.packs(), 0);
    assert_eq!((setup.cache.size(), index.exists()), (CacheSize::default(), false));
    setup.run();
    fs::remove_file(setup.pack()).expect("removed");
    eviction::evict(&setup.cache.packs(), MAX_BYTES);
    assert!(!index.exists());
    setup.run();
    fs::remove_file(setup.pack()).expect("removed");
    setup.cache.clear().expect("removed");
    assert!(!index.exists());
}

#[test]
fn a_pack_of_another_version_is_none() {
    let setup = Setup::new();
    setup.run();
    let pack = setup.pack();
    let other = ContentHash::of(b"another version");
    assert!(Pack::open(&pack, facts_version(), true).is_some() && Pack::open(&pack, other, true).is_none());
}

#[test]
fn what_was_used_longest_ago_leaves_a_full_cache() {
    let mut setup = Setup::new();
    setup.run();
    let first = setup.pack();
    setup.cache.max_bytes = 5 * setup.cache.size().bytes / 2;
    let ago = |minutes| SystemTime::now() - Duration::from_mins(minutes);
    let age = |path: &Path, minutes| {
        let file = fs::File::options().write(true).open(path).expect("a pack");
        file.set_modified(ago(minutes)).expect("a time");
    };
    age(&first, 20);
    let others = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    for other in &others {
        for (path, text) in FILES {
            write(other.path(), path, text);
        }
    }
    run(others[0].path(), Some(&setup.cache));
    let second = eviction::packs(&setup.cache.packs()).remove(0).path;
    age(&second, 10);
    // The first is used again, so the second is the oldest.
    setup.run();
    run(others[1].path(), Some(&setup.cache));
    let kept: BTreeSet<PathBuf> = eviction::packs(&setup.cache.packs()).into_iter().map(|pack| pack.path).collect();
    assert!(kept.len() == 2 && kept.contains(&first) && !kept.contains(&second), "{kept:?}");
    // A pack that was not used for a month is removed from the cache although the cache is not full.
    age(&first, 60 * 24 * 31);
    eviction::evict(&setup.cache.packs(), MAX_BYTES);
    assert!(!first.exists() && setup.cache.size().packs == 1);
    // Many small packs leave it, too.
    for i in 0..eviction::MAX_PACKS + 3 {
        write(&setup.cache.packs(), &format!("{i}.{ENDING}"), "");
    }
    eviction::evict(&setup.cache.packs(), MAX_BYTES);
    assert_eq!(setup.cache.size().packs, eviction::MAX_PACKS);
}

#[test]
fn what_cannot_be_written_costs_the_cache_and_no_answer() {
    let setup = Setup::new();
    write(setup.cache.folder().parent().expect("a folder"), "cache", "a file in the place of the folder");
    assert_eq!(setup.run().answer, setup.without().answer);
    assert_eq!(setup.cache.size(), CacheSize::default());
}

#[test]
fn a_cleared_cache_is_empty_and_can_be_used() {
    let setup = Setup::new();
    setup.run();
    let size = setup.cache.size();
    assert_eq!((size.packs, size.files), (1, FILES.len()));
    assert!(size.bytes > 0 && size.last_use.is_some());
    assert!(fs::read(setup.cache.folder().join(TAG.0)).expect("a file").starts_with(b"Signature: 8a477f597d28d172"));
    assert_eq!(setup.cache.clear().expect("removed"), size);
    assert_eq!(setup.cache.size(), CacheSize::default());
    assert!(setup.run().has_parsed && !setup.run().has_parsed);
}

#[test]
fn the_last_index_of_a_source_is_known_by_its_contents() {
    let setup = Setup::new();
    let source = Source::Folder(setup.source.path().to_owned());
    assert!(setup.cache.last_index(&source).is_none());
    setup.run();
    let (contents, _) = setup.cache.last_index(&source).expect("an index");
    assert_eq!(apidisc::indexer::contents(&source).expect("a folder"), contents);
    assert_eq!(contents.files().len(), FILES.len());
}

/// The results of a search by intent, as the program makes them, and whether the corpus came from the cache.
fn search(folder: &Path, cache: Option<&Cache>) -> (String, bool) {
    let source = Source::Folder(folder.to_owned());
    let mut builder = Builder::new(source.clone());
    let kept = cache.and_then(|cache| cache.open(&source));
    builder.set_store(kept.as_ref().map(SourceCache::store));
    let built = builder.build(&mut |_| Control::Continue).expect("a folder");
    let BuildOutcome::Index { index, .. } = built else { panic!("no index") };
    if let Some(kept) = kept {
        kept.save(&mut builder, &index);
    }
    let symbols = Arc::new(SymbolTable::new(Arc::from(index)));
    let path =
        cache.and_then(|cache| cache.pack_of(&source, Reading::Source)).map(|path| path.with_extension(corpus::ENDING));
    // A file that is written anew has a new time.
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    if let Some(file) = path.as_ref().and_then(|path| fs::File::options().write(true).open(path).ok()) {
        file.set_modified(old).expect("a time");
    }
    let corpus = Corpora { cache: cache.cloned(), ..Corpora::default() }.get(&source, &symbols);
    let request = Discover { intent: "a class with a doc".into(), ..Discover::default() };
    let found = discover(&corpus, &|path| source::reread(&source, path), &request).expect("results");
    let time = path.and_then(|path| fs::metadata(path).ok()?.modified().ok());
    (format!("{found:?}"), time == Some(old))
}

#[test]
fn the_corpus_of_an_index_is_kept_until_the_index_changes() {
    let setup = Setup::new();
    write(setup.source.path(), "pkg/station.py", "class Station: ...\n");
    let ask = || search(setup.source.path(), Some(&setup.cache));
    let expected = search(setup.source.path(), None).0;
    assert!(expected.contains("pkg.one.A"), "{expected}");
    assert_eq!([ask(), ask()], [(expected.clone(), false), (expected.clone(), true)]);
    // A document that no code depends on is a part of the corpus.
    write(setup.source.path(), "docs/more.md", "# A class with a doc\n\nIt is `Station`.\n");
    let [(first, is_kept), (second, is_kept_then)] = [ask(), ask()];
    assert!(!is_kept && is_kept_then && first == second && first != expected, "{first}");
    assert_eq!(first, search(setup.source.path(), None).0);
    // The bytes of the corpus count, and the corpus leaves the cache with its pack.
    let file = setup.pack().with_extension(corpus::ENDING);
    let beside = [setup.pack(), setup.pack().with_extension(INDEX_ENDING), file.clone()];
    let bytes: u64 = beside.iter().map(|path| fs::metadata(path).expect("a file").len()).sum();
    assert_eq!(setup.cache.size().bytes, bytes);
    eviction::evict(&setup.cache.packs(), 0);
    assert!(beside.iter().all(|path| !path.exists()));
    ask();
    setup.cache.clear().expect("cleared");
    assert!(!file.exists());
}

#[test]
fn a_damaged_corpus_is_made_anew() {
    let setup = Setup::new();
    let ask = || search(setup.source.path(), Some(&setup.cache));
    let expected = [ask(), ask()][1].clone();
    let file = setup.pack().with_extension(corpus::ENDING);
    let good = fs::read(&file).expect("bytes");
    for at in [0, 9, 25, 41, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(&file, bad).expect("written");
        assert_eq!(ask(), (expected.0.clone(), false), "{at}");
        assert_eq!(fs::read(&file).expect("bytes"), good, "{at}");
    }
    fs::write(&file, &good[..good.len() / 2]).expect("written");
    assert_eq!([ask(), ask()], [(expected.0.clone(), false), expected]);
}

#[test]
fn a_corpus_of_another_model_is_not_used() {
    #[derive(Debug)]
    struct Constant;
    impl WordModel for Constant {
        fn dimensions(&self) -> usize {
            3
        }
        fn id(&self) -> ContentHash {
            ContentHash::of(b"constant")
        }
        fn add(&self, _: &str, factor: f32, sum: &mut [f32]) -> bool {
            sum[0] += factor;
            true
        }
    }
    let setup = Setup::new();
    let source = Source::Folder(setup.source.path().to_owned());
    search(setup.source.path(), Some(&setup.cache));
    let file = setup.pack().with_extension(corpus::ENDING);
    let before = fs::read(&file).expect("bytes");
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a folder").expect("an index");
    let symbols = Arc::new(SymbolTable::new(Arc::new(index)));
    let own = Corpora { cache: Some(setup.cache.clone()), model: Arc::new(Constant) };
    let corpus = own.get(&source, &symbols);
    let after = fs::read(&file).expect("bytes");
    assert!(before != after && corpus.pack() == own.get(&source, &symbols).pack());
    assert_eq!(fs::read(&file).expect("bytes"), after);
}
