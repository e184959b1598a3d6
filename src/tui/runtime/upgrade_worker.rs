//! The thread that compares a package or the code with another version.

use std::{io, sync::Arc};

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
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

/// Starts the thread. Of the requests that wait it answers the newest one of each kind.
pub(super) fn spawn(
    files: SourceFiles,
    places: VersionPlaces,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Worker<UpgradeRequest>> {
    Worker::spawn("upgrades", output.clone(), move |job: UpgradeRequest, queue| {
        let (mut list, mut read) = (None, None);
        for job in std::iter::once(job).chain(queue.take_all()) {
            match job {
                UpgradeRequest::List { code, of, typed } => list = Some((code, of, typed)),
                UpgradeRequest::Read { code, question } => read = Some((code, question)),
            }
        }
        if let Some((code, of, typed)) = list {
            let source = files.source(&code.index);
            let places = source.map_or_else(Vec::new, |source| listed(&source, &of, &typed));
            output.message(Message::VersionsListed { typed, places });
        }
        if let Some((code, question)) = read {
            let read = match files.source(&code.index) {
                Some(source) => compared(&source, &places, &generations, &question),
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
) -> Result<ReadUpgrade, String> {
    let VersionPlaces { environment, cache, runs } = places;
    let cache = cache.as_ref();
    let package = match &question.of {
        Versioned::Package(package) => package,
        Versioned::Code => return changed(source, cache, generations, question),
    };
    let clones = Clones::of_user(BranchRefresh::default()).map(|clones| clones.with_runs(Arc::clone(runs)));
    let other = OtherVersion::find(&question.other, clones.as_ref(), &|_, _| ())?;
    let request = upgrades::UpgradeRequest { source, environment, cache, package, other: &other };
    let read = Upgrade::read(&request, &mut |_| Control::Continue)?;
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
) -> Result<ReadUpgrade, String> {
    let Source::Folder(folder) = source else {
        return Err("revisions are compared of one folder; open it alone".to_owned());
    };
    let range = RevisionRange::parse(&question.other);
    if range.new_title().is_some() {
        return Err("name one revision; it is compared with the files as they are".to_owned());
    }
    let read = Change::read(folder, &range, &[], cache, &mut |_| Control::Continue)?;
    let change = read.ok_or(CANCELLED)?;
    let report = change.left_to_adapt()?;
    let (title, summary) = (range.title(), report.summary("the code"));
    let other = Catalog::new(Arc::new(change.before.index), generations.next());
    Ok(ReadUpgrade { question: question.clone(), title, summary, report, other: Arc::new(other) })
}
