//! Tests of the live index, on a temporary folder, and of the packer cache.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use apidisc::{
    control::Control,
    index::{Index, Scope},
    indexer::Progress,
    overrides::Overrides,
    source::Source,
    tokens::Encoding,
};

use super::{
    ChangedFiles, LiveEvent, LiveIndex, PackerCache, PackerKey,
    build_reporter::{BuildReporter, Interrupts, Publisher},
};

/// The longest time that a test waits for an event, so that it fails instead of hanging.
const EVENT_TIMEOUT: Duration = Duration::from_mins(2);

/// A live index of a folder, and its events.
fn start(folder: &Path, is_watching: bool) -> (LiveIndex, Receiver<LiveEvent>) {
    let (sender, events) = mpsc::channel();
    let listener = move |event| drop(sender.send(event));
    let live = LiveIndex::start(Source::Folder(folder.to_owned()), None, is_watching, listener).expect("a thread");
    (live, events)
}

/// The first event for which `pick` has a value; earlier events are dropped.
fn wait_for<T>(events: &Receiver<LiveEvent>, pick: impl Fn(LiveEvent) -> Option<T>) -> T {
    loop {
        let event = events.recv_timeout(EVENT_TIMEOUT).expect("another event");
        if let Some(value) = pick(event) {
            return value;
        }
    }
}

fn finished(event: LiveEvent) -> Option<(Arc<Index>, Option<ChangedFiles>)> {
    match event {
        LiveEvent::Finished { index, changed } => Some((index, changed)),
        _ => None,
    }
}

fn names(index: &Index) -> Vec<&str> {
    index.definitions.iter().map(|definition| definition.fqn.as_str()).collect()
}

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("one.py"), text).expect("a file");
    folder
}

#[test]
fn a_changed_file_is_followed_by_a_new_index() {
    let folder = folder_with("def first(): ...\n");
    let (live, events) = start(folder.path(), true);
    let (index, changed) = wait_for(&events, finished);
    assert_eq!((names(&index), changed), (vec!["one.first"], None));
    // The file is written elsewhere and renamed, so that no build sees a file that is written in part.
    let outside = folder_with("def second(): ...\n");
    fs::rename(outside.path().join("one.py"), folder.path().join("one.py")).expect("one file system");
    let (index, changed) = wait_for(&events, finished);
    assert_eq!(names(&index), ["one.second"]);
    assert_eq!(changed, Some(ChangedFiles { parsed: 1, removed: 0 }));
    assert!(live.newest().is_some_and(|newest| Arc::ptr_eq(&newest, &index)));
    live.stop();
}

#[test]
fn a_rebuild_of_watched_sources_finds_them_unchanged() {
    let folder = folder_with("def first(): ...\n");
    let (live, events) = start(folder.path(), true);
    wait_for(&events, finished);
    live.rebuild();
    wait_for(&events, |event| matches!(event, LiveEvent::Unchanged { is_requested: true }).then_some(()));
    live.stop();
}

#[test]
fn a_cancelled_build_goes_on_only_when_it_is_requested() {
    let folder = folder_with("def first(): ...\n");
    let (sender, events) = mpsc::channel();
    let (go_on, gate) = mpsc::channel::<()>();
    let mut gate = Some(gate);
    let listener = move |event| {
        let is_walked = matches!(event, LiveEvent::Walked { .. });
        let _ = sender.send(event);
        if let Some(gate) = gate.take_if(|_| is_walked) {
            let _ = gate.recv();
        }
    };
    let source = Source::Folder(folder.path().to_owned());
    let live = LiveIndex::start(source, None, true, listener).expect("a thread");
    wait_for(&events, |event| matches!(event, LiveEvent::Walked { files: 1 }).then_some(()));
    live.cancel();
    go_on.send(()).expect("the listener waits");
    let progress = wait_for(&events, |event| match event {
        LiveEvent::Cancelled { done, total } => Some((done, total)),
        _ => None,
    });
    assert_eq!(progress, (0, 1));
    // Watching begins now, which does not restart the cancelled build.
    assert_eq!(events.recv_timeout(Duration::from_millis(500)).err(), Some(RecvTimeoutError::Timeout));
    assert!(live.newest().is_none());
    live.rebuild();
    let (index, _) = wait_for(&events, finished);
    assert_eq!(names(&index), ["one.first"]);
    live.stop();
}

#[test]
fn linking_is_cancelled_also_that_of_the_last_partial_index() {
    let interrupts = Interrupts::default();
    let mut publisher = Publisher { newest: Arc::default(), listener: |_| {} };
    let mut reporter = BuildReporter::new(&mut publisher, &interrupts, true);
    let cancel = || interrupts.is_cancelled.store(true, Ordering::Relaxed);
    let parsed = |done| Progress::Parsed { done, total: 2, calls: 0, share: 0.5 };
    assert_eq!(reporter.observe(Progress::Linking { steps: 1 }), Control::Continue);
    cancel();
    assert_eq!(reporter.observe(Progress::Linking { steps: 2 }), Control::Cancel);
    // If the first build is cancelled, a partial index is made of the parsed files. A second request cancels that index
    // too.
    assert_eq!(reporter.observe(parsed(1)), Control::Snapshot);
    assert_eq!(reporter.observe(Progress::Linking { steps: 1 }), Control::Continue);
    cancel();
    assert_eq!(reporter.observe(Progress::Linking { steps: 2 }), Control::Cancel);
    assert_eq!(reporter.observe(parsed(1)), Control::Snapshot);
    assert_eq!(reporter.observe(Progress::Partial(Box::default())), Control::Cancel);
}

#[test]
fn a_missing_folder_is_reported_and_found_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    let (live, events) = start(&missing, false);
    wait_for(&events, |event| matches!(event, LiveEvent::Failed(_)).then_some(()));
    fs::create_dir(&missing).expect("a folder");
    fs::write(missing.join("one.py"), "def first(): ...\n").expect("a file");
    live.rebuild();
    assert_eq!(names(&wait_for(&events, finished).0), ["one.first"]);
    live.stop();
}

#[test]
fn stopping_ends_the_thread_and_its_events() {
    let folder = folder_with("def first(): ...\n");
    for is_watching in [false, true] {
        let (live, events) = start(folder.path(), is_watching);
        live.stop();
        // The thread owned the only sender.
        while events.try_recv().is_ok() {}
        assert_eq!(events.recv_timeout(Duration::ZERO).err(), Some(RecvTimeoutError::Disconnected));
    }
    let (live, events) = start(folder.path(), true);
    drop(live);
    while events.recv_timeout(EVENT_TIMEOUT).is_ok() {}
    assert_eq!(events.recv_timeout(Duration::ZERO).err(), Some(RecvTimeoutError::Disconnected));
}

#[test]
fn a_panic_of_the_thread_is_an_event() {
    let folder = folder_with("def first(): ...\n");
    let (sender, events) = mpsc::channel();
    let listener = move |event| {
        assert!(!matches!(event, LiveEvent::Walked { .. }), "a bug");
        drop(sender.send(event));
    };
    let live = LiveIndex::start(Source::Folder(folder.path().to_owned()), None, true, listener).expect("a thread");
    let what = wait_for(&events, |event| if let LiveEvent::Panicked(what) = event { Some(what) } else { None });
    assert_eq!(what, "a bug");
    live.stop();
}

#[test]
fn packers_are_kept_for_the_newest_index() {
    let source = Source::Memory { name: "m".into(), files: vec![("m.py".into(), b"def f(): ...\nf()\n".into())] };
    let build = |source| apidisc::indexer::build(source, &mut |_| Control::Continue);
    let index = Arc::new(build(&source).expect("an index").expect("not cancelled"));
    let (packers, overrides) = (PackerCache::default(), Overrides::default());
    let key = PackerKey { generation: 1, scope: Scope::Repository, encoding: Encoding::default(), revision: 0 };
    let packer = |key| packers.packer(&index, key, &overrides).expect("a packer");
    let first = packer(key);
    assert!(Arc::ptr_eq(&first, &packer(key)));
    assert!(!Arc::ptr_eq(&first, &packer(PackerKey { revision: 1, ..key })));
    packer(PackerKey { generation: 2, ..key });
    assert!(!Arc::ptr_eq(&first, &packer(key)));
}
