//! The thread that reads the installed packages which the code uses.

use std::{io, sync::Arc};

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
};
use crate::{
    cache::Cache,
    packages::{PackageIndex, environments},
    tui::{
        jobs::GenerationCounter,
        message::Message,
        model::{Catalog, UsedPackages},
    },
};
use apidisc::{control::Control, environment::python::EnvironmentSetting, source::Source};

/// A request to read the packages that the code of an index uses.
pub(super) struct ReadPackagesJob {
    pub(super) code: Arc<Catalog>,
}

/// Starts the thread. The thread answers the newest request, and drops older requests that still wait.
pub(super) fn spawn(
    files: SourceFiles,
    environment: EnvironmentSetting,
    cache: Option<Cache>,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Worker<ReadPackagesJob>> {
    Worker::spawn("packages", output.clone(), move |job: ReadPackagesJob, queue| {
        let job = queue.take_all().last().unwrap_or(job);
        let source = files.source(&job.code.index);
        drop(job);
        let used = match source {
            Some(source) => read(&source, &environment, cache.as_ref(), &generations, &files),
            None => Err("packages are found beside sources, and this index has none".to_owned()),
        };
        output.message(Message::PackagesRead(used.map(Arc::new)));
    })
}

fn read(
    source: &Source,
    environment: &EnvironmentSetting,
    cache: Option<&Cache>,
    generations: &GenerationCounter,
    files: &SourceFiles,
) -> Result<UsedPackages, String> {
    let read = PackageIndex::read(source, cache, environment, &mut |_| Control::Continue);
    match read? {
        Some(PackageIndex { index, source, destinations, uncounted, environment, .. }) => {
            files.set_packages(source);
            let catalog = Arc::new(Catalog::new(Arc::new(index), generations.next()));
            Ok(UsedPackages::new(catalog, environment, destinations, uncounted))
        }
        None => Err(environments::why_none(environment)),
    }
}
