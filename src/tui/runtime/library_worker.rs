//! The thread that reads the installed packages which the code uses.

use std::{io, sync::Arc};

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
};
use crate::{
    cache::Cache,
    packages::PackageIndex,
    tui::{
        jobs::GenerationCounter,
        message::Message,
        model::{Catalog, Libraries},
    },
};
use apidisc::{control::Control, environment::python::EnvironmentSetting, source::Source};

/// A request to read the packages that the code of an index uses.
pub(super) struct ReadLibrariesJob {
    pub(super) code: Arc<Catalog>,
}

/// Starts the thread. The thread answers the newest request, and drops older requests that still wait.
pub(super) fn spawn(
    files: SourceFiles,
    environment: EnvironmentSetting,
    cache: Option<Cache>,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Worker<ReadLibrariesJob>> {
    Worker::spawn("libraries", output.clone(), move |job: ReadLibrariesJob, queue| {
        let job = queue.take_all().last().unwrap_or(job);
        let source = files.source(&job.code.index);
        drop(job);
        let libraries = match source {
            Some(source) => read(&source, &environment, cache.as_ref(), &generations, &files),
            None => Err("packages are found beside sources, and this index has none".to_owned()),
        };
        output.message(Message::LibrariesRead(libraries.map(Arc::new)));
    })
}

fn read(
    source: &Source,
    environment: &EnvironmentSetting,
    cache: Option<&Cache>,
    generations: &GenerationCounter,
    files: &SourceFiles,
) -> Result<Libraries, String> {
    let read = PackageIndex::read(source, cache, environment, &mut |_| Control::Continue);
    match read.map_err(|error| error.to_string())? {
        Some(PackageIndex { index, source, environment, .. }) => {
            files.set_packages(source);
            let catalog = Arc::new(Catalog::new(Arc::new(index), generations.next()));
            Ok(Libraries::new(catalog, environment))
        }
        None if *environment == EnvironmentSetting::None => Err("packages are left out by --no-deps".to_owned()),
        None => Err("packages are found beside the code of one folder".to_owned()),
    }
}
