//! The thread that compares the installed version of a package with another one.

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
        model::{Catalog, ReadUpgrade, UpgradeQuestion, VersionPlace},
    },
    upgrades::{
        self, IndexedProgram, Upgrade,
        places::{PlaceKind, path_of, places},
    },
};
use apidisc::{control::Control, environment::python::EnvironmentSetting, source::Source};

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
                UpgradeRequest::List { code, typed } => list = Some((code, typed)),
                UpgradeRequest::Read { code, question } => read = Some((code, question)),
            }
        }
        if let Some((code, typed)) = list {
            let source = files.source(&code.index);
            let places = source.map_or_else(Vec::new, |source| listed(&source, &typed));
            output.message(Message::VersionsListed { typed, places });
        }
        if let Some((code, question)) = read {
            let read = match files.source(&code.index) {
                Some(source) => compared(&source, &environment, cache.as_ref(), &generations, &question),
                None => Err("packages are found beside sources, and this index has none".to_owned()),
            };
            output.message(Message::UpgradeRead { question, read: read.map(Arc::new) });
        }
    })
}

fn listed(source: &Source, typed: &str) -> Vec<VersionPlace> {
    let place = |place: upgrades::places::Place| {
        let (what, is_folder) = match place.kind {
            PlaceKind::Environment => ("environment or folder of packages", false),
            PlaceKind::Archive => ("archive", false),
            PlaceKind::Folder => ("folder", true),
        };
        VersionPlace { path: place.path, what, is_folder }
    };
    places(source, typed).into_iter().map(place).collect()
}

fn compared(
    source: &Source,
    environment: &EnvironmentSetting,
    cache: Option<&Cache>,
    generations: &GenerationCounter,
    question: &UpgradeQuestion,
) -> Result<ReadUpgrade, String> {
    let request = upgrades::UpgradeRequest {
        source,
        environment,
        cache,
        package: &question.package,
        other: &path_of(&question.other),
    };
    let read = Upgrade::read(&request, &mut |_| Control::Continue)?;
    let upgrade = read.ok_or("the comparison was cancelled")?;
    let report = upgrade.report();
    let (title, summary) = (upgrade.title(), report.summary(&upgrade.package.package));
    let IndexedProgram { index, libraries, .. } = upgrade.after;
    let packages = apidisc::dependencies::dependencies(&index, &libraries);
    let other = Catalog::new(Arc::new(index.into_index_of_packages(packages)), generations.next());
    Ok(ReadUpgrade { question: question.clone(), title, summary, report, other: Arc::new(other) })
}
