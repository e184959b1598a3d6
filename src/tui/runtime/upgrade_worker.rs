//! The thread that compares a package or the code with another version.

use std::{io, sync::Arc};

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
};
use crate::{
    cache::Cache,
    tui::{
        effect::UpgradeRequest,
        jobs::GenerationCounter,
        message::Message,
        model::{Catalog, ReadUpgrade, UpgradeQuestion, VersionPlace, Versioned},
    },
    upgrades::{
        self, Change, IndexedProgram, RevisionRange, Upgrade,
        places::{PlaceKind, path_of, places, revisions},
    },
};
use apidisc::{control::Control, environment::python::EnvironmentSetting, source::Source};

/// The answer to a comparison that was cancelled.
const CANCELLED: &str = "the comparison was cancelled";

/// Starts the thread. Of the requests that wait it answers the newest one of each kind.
pub(super) fn spawn(
    files: SourceFiles,
    environment: EnvironmentSetting,
    cache: Option<Cache>,
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
                Some(source) => compared(&source, &environment, cache.as_ref(), &generations, &question),
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
    environment: &EnvironmentSetting,
    cache: Option<&Cache>,
    generations: &GenerationCounter,
    question: &UpgradeQuestion,
) -> Result<ReadUpgrade, String> {
    let package = match &question.of {
        Versioned::Package(package) => package,
        Versioned::Code => return changed(source, cache, generations, question),
    };
    let request = upgrades::UpgradeRequest { source, environment, cache, package, other: &path_of(&question.other) };
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
