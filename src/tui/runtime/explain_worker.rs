//! The thread that says how a call is resolved. The sources are linked for each answer.

use std::io;

use super::{
    source_files::SourceFiles,
    worker::{Newest, OutputSender, Wanted, Worker},
};
use crate::{
    cache::Cache,
    packages::explain,
    tui::{
        effect::ExplainRequest,
        message::Message,
        model::page::{CallExplanation, CallPlace},
    },
};
use apidisc::{
    control::Control, environment::python::EnvironmentSetting, indexer::AskedCalls, source::Source,
    unprintable::escaped_line,
};

/// Answers requests; a newer request cancels the one before.
pub(super) struct Explainer {
    worker: Worker<(Wanted, ExplainRequest)>,
    newest: Newest,
}

impl Explainer {
    /// Starts the thread.
    pub(super) fn start(
        files: SourceFiles,
        environment: EnvironmentSetting,
        cache: Option<Cache>,
        output: OutputSender,
    ) -> io::Result<Self> {
        let worker = Worker::spawn("explain", output.clone(), move |(wanted, job): (Wanted, ExplainRequest), _| {
            let is_wanted = wanted.control() == Control::Continue;
            let Some(source) = files.source(&job.code.index).filter(|_| is_wanted) else { return };
            let result = explanation(&source, &environment, cache.as_ref(), &job.place, &wanted);
            output.message(Message::Explained { ticket: job.ticket, result });
        })?;
        Ok(Self { worker, newest: Newest::default() })
    }

    pub(super) fn send(&self, request: ExplainRequest) {
        self.worker.send((self.newest.request(), request));
    }
}

/// The explanation of the call at a place, while it is wanted.
fn explanation(
    source: &Source,
    environment: &EnvironmentSetting,
    cache: Option<&Cache>,
    place: &CallPlace,
    wanted: &Wanted,
) -> Result<CallExplanation, String> {
    let asked = AskedCalls { path: place.path.clone(), line: place.line, col: Some(place.col) };
    let found = explain(source, &asked, environment, cache, &mut |_| wanted.control())?;
    let found = found.ok_or("it was cancelled")?;
    let (call, result) = found.calls.into_iter().next().ok_or("the call no longer stands there")?;
    let line = |text: &str| escaped_line(text).into_owned();
    let steps = call.steps.iter().map(|step| (line(&step.code), line(&step.says))).collect();
    Ok(CallExplanation { steps, result: line(&result) })
}
