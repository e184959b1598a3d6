//! The thread that compares a package or the code with another version.

use std::{io, sync::Arc};

use super::{
    source_files::SourceFiles,
    worker::{Newest, OutputSender, Wanted, Worker},
};
use crate::{
    cache::Cache,
    clones::{BranchRefresh, Clones, Runs},
    tui::{
        effect::UpgradeRequest,
        jobs::GenerationCounter,
        message::Message,
        model::{Catalog, ReadUpgrade, UpgradeQuestion, VersionPlace, Versioned},
    },
    upgrades::{
        self, Change, IndexedProgram, OtherVersion, RevisionRange, Upgrade,
        places::{PlaceKind, places, revisions},
    },
};
use apidisc::{control::Control, environment::python::EnvironmentSetting, source::Source};

/// The answer to a comparison that was cancelled.
const CANCELLED: &str = "the comparison was cancelled";

/// Where the versions of packages are.
pub(super) struct VersionPlaces {
    pub(super) environment: EnvironmentSetting,
    pub(super) cache: Option<Cache>,
    /// The runs of git that fetch repositories.
    pub(super) runs: Arc<Runs>,
}

/// A request, as the thread gets it.
enum UpgradeJob {
    List { code: Arc<Catalog>, of: Versioned, typed: String },
    Read { code: Arc<Catalog>, question: UpgradeQuestion, wanted: Wanted },
}

/// Lists and compares versions. A newer comparison cancels the one before, with the git that it runs.
pub(super) struct Comparer {
    worker: Worker<UpgradeJob>,
    /// The newest comparison.
    newest: Newest,
    /// The runs of git that fetch other versions.
    runs: Arc<Runs>,
}

impl Comparer {
    /// Starts the thread. Of the requests that wait it answers the newest one of each kind.
    pub(super) fn start(
        files: SourceFiles,
        places: VersionPlaces,
        generations: GenerationCounter,
        output: OutputSender,
    ) -> io::Result<Self> {
        let runs = Arc::clone(&places.runs);
        Ok(Self { worker: spawn(files, places, generations, output)?, newest: Newest::default(), runs })
    }

    pub(super) fn send(&self, request: UpgradeRequest) {
        self.worker.send(match request {
            UpgradeRequest::List { code, of, typed } => UpgradeJob::List { code, of, typed },
            UpgradeRequest::Read { code, question } => {
                let wanted = self.newest.request();
                self.runs.stop_present();
                UpgradeJob::Read { code, question, wanted }
            }
        });
    }

    /// Stops the programs that the thread has started, for good.
    pub(super) fn stop_programs(&self) {
        self.runs.stop();
    }
}

fn spawn(
    files: SourceFiles,
    places: VersionPlaces,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Worker<UpgradeJob>> {
    Worker::spawn("upgrades", output.clone(), move |job: UpgradeJob, queue| {
        let (mut list, mut read) = (None, None);
        for job in std::iter::once(job).chain(queue.take_all()) {
            match job {
                UpgradeJob::List { code, of, typed } => list = Some((code, of, typed)),
                UpgradeJob::Read { code, question, wanted } => read = Some((code, question, wanted)),
            }
        }
        if let Some((code, of, typed)) = list {
            let source = files.source(&code.index);
            let places = source.map_or_else(Vec::new, |source| listed(&source, &of, &typed));
            output.message(Message::VersionsListed { typed, places });
        }
        if let Some((code, question, wanted)) = read {
            let read = match files.source(&code.index) {
                Some(source) => compared(&source, &places, &generations, &question, &|| wanted.control()),
                None => Err("other versions are found beside sources, and this index has none".to_owned()),
            };
            output.message(Message::UpgradeRead { question, read: read.map(Arc::new) });
        }
    })
}

fn listed(source: &Source, of: &Versioned, typed: &str) -> Vec<VersionPlace> {
    let place = |place: upgrades::places::Place| {
        let (what, is_folder) = match place.kind {
            PlaceKind::Environment => ("environment or folder of packages", false),
            PlaceKind::Archive => ("archive", false),
            PlaceKind::Folder => ("folder", true),
            PlaceKind::Branch => ("branch", false),
            PlaceKind::Tag => ("tag", false),
        };
        VersionPlace { path: place.path, what, is_folder }
    };
    let found = match of {
        Versioned::Package(_) => places(source, typed),
        Versioned::Code => revisions(source),
    };
    found.into_iter().map(place).collect()
}

fn compared(
    source: &Source,
    places: &VersionPlaces,
    generations: &GenerationCounter,
    question: &UpgradeQuestion,
    observe: &dyn Fn() -> Control,
) -> Result<ReadUpgrade, String> {
    let VersionPlaces { environment, cache, runs } = places;
    let cache = cache.as_ref();
    let package = match &question.of {
        Versioned::Package(package) => package,
        Versioned::Code => return changed(source, cache, generations, question, observe),
    };
    let clones = Clones::of_user(BranchRefresh::default()).map(|clones| clones.with_runs(Arc::clone(runs)));
    let other = OtherVersion::find(&question.other, clones.as_ref(), &|_, _| ())?;
    let request = upgrades::UpgradeRequest { source, environment, cache, package, other: &other };
    let read = Upgrade::read(&request, &mut |_| observe())?;
    let upgrade = read.ok_or(CANCELLED)?;
    let report = upgrade.report();
    let (title, summary) = (upgrade.title(), report.summary(&upgrade.package.package));
    let IndexedProgram { index, libraries, .. } = upgrade.after;
    let packages = apidisc::dependencies::dependencies(&index, &libraries);
    let other = Catalog::new(Arc::new(index.into_index_of_packages(packages)), generations.next());
    Ok(ReadUpgrade { question: question.clone(), title, summary, report, other: Arc::new(other) })
}

/// What changed since a revision of the code, and is not adapted yet.
fn changed(
    source: &Source,
    cache: Option<&Cache>,
    generations: &GenerationCounter,
    question: &UpgradeQuestion,
    observe: &dyn Fn() -> Control,
) -> Result<ReadUpgrade, String> {
    let Source::Folder(folder) = source else {
        return Err("revisions are compared of one folder; open it alone".to_owned());
    };
    let range = RevisionRange::parse(&question.other);
    if range.new_title().is_some() {
        return Err("name one revision; it is compared with the files as they are".to_owned());
    }
    let read = Change::read(folder, &range, &[], cache, &mut |_| observe())?;
    let change = read.ok_or(CANCELLED)?;
    let report = change.left_to_adapt()?;
    let (title, summary) = (range.title(), report.summary("the code"));
    let other = Catalog::new(Arc::new(change.before.index), generations.next());
    Ok(ReadUpgrade { question: question.clone(), title, summary, report, other: Arc::new(other) })
}
