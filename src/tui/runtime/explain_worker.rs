//! The thread that says how a call is resolved. The sources are read and linked for each answer.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
};
use crate::{
    packages::{Explained, explain},
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
    worker: Worker<ExplainRequest>,
    /// The ticket of the newest request.
    newest: Arc<AtomicU64>,
}

impl Explainer {
    /// Starts the thread.
    pub(super) fn start(files: SourceFiles, environment: EnvironmentSetting, output: OutputSender) -> io::Result<Self> {
        let newest = Arc::new(AtomicU64::new(0));
        let wanted = Arc::clone(&newest);
        let worker = Worker::spawn("explain", output.clone(), move |job: ExplainRequest, _| {
            let is_wanted = || wanted.load(Ordering::Relaxed) == job.ticket;
            let Some(source) = files.source(&job.code.index).filter(|_| is_wanted()) else { return };
            let result = explanation(&source, &environment, &job.place, is_wanted);
            output.message(Message::Explained { ticket: job.ticket, result });
        })?;
        Ok(Self { worker, newest })
    }

    pub(super) fn send(&self, request: ExplainRequest) {
        self.newest.store(request.ticket, Ordering::Relaxed);
        self.worker.send(request);
    }
}

/// The explanation of the call at a place, while it is wanted.
fn explanation(
    source: &Source,
    environment: &EnvironmentSetting,
    place: &CallPlace,
    is_wanted: impl Fn() -> bool,
) -> Result<CallExplanation, String> {
    let asked = AskedCalls { path: place.path.clone(), line: place.line, col: Some(place.col) };
    let mut observe = |_| if is_wanted() { Control::Continue } else { Control::Cancel };
    let found: Option<Explained> = explain(source, &asked, environment, &mut observe)?;
    let found = found.ok_or("it was cancelled")?;
    let (call, result) = found.calls.into_iter().next().ok_or("the call no longer stands there")?;
    let line = |text: &str| escaped_line(text).into_owned();
    let steps = call.steps.iter().map(|step| (line(&step.code), line(&step.says))).collect();
    Ok(CallExplanation { steps, result: line(&result) })
}
