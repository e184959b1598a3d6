//! Reports of the progress of builds to the clients whose requests wait for them.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::{Peer, RequestContext},
};
use tokio::runtime::Handle;

use super::{served_index::BuildProgress, served_packages::Asker};

/// The time between two reports of progress to a client.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// What the thread that reads packages asks and tells a waiting request: whether the client cancelled the request, and
/// how far the reading is. Both are called from a thread that may block.
pub(super) fn asker(context: &RequestContext<RoleServer>, reporter: Arc<Reporter>) -> Arc<Asker> {
    let (cancelled, runtime) = (context.ct.clone(), Handle::current());
    Arc::new(Asker {
        is_cancelled: Box::new(move || cancelled.is_cancelled()),
        report: Box::new(move |progress| runtime.block_on(reporter.report(progress, "reading packages"))),
    })
}

/// Reports the progress of a build to the client of one request, if the request has a progress token.
pub(super) struct Reporter {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    last: Mutex<LastReport>,
}

/// The last report of a request. The numbers in its reports must grow, also from one build to the next.
#[derive(Default)]
struct LastReport {
    time: Option<Instant>,
    /// What is built, and the number that was reported last before.
    build: &'static str,
    before: usize,
    /// The number that was reported last.
    number: Option<usize>,
}

impl LastReport {
    /// The number to report for a build that has done `done` files, and the number that stands for its beginning.
    /// `None` if the last report is too young, or if nothing more was done.
    fn next(&mut self, done: usize, build: &'static str) -> Option<(usize, usize)> {
        if self.build != build {
            (self.build, self.before) = (build, self.number.unwrap_or_default());
        }
        let number = self.before + done;
        let is_early = self.time.is_some_and(|time| time.elapsed() < PROGRESS_INTERVAL);
        if is_early || self.number.is_some_and(|last| last >= number) {
            return None;
        }
        (self.time, self.number) = (Some(Instant::now()), Some(number));
        Some((number, self.before))
    }
}

impl Reporter {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self { peer: context.peer.clone(), token: context.meta.get_progress_token(), last: Mutex::default() }
    }

    /// Reports that a build has done more files, unless the last report is too young.
    pub(super) async fn report(&self, progress: BuildProgress, build: &'static str) {
        let Some(token) = self.token.clone() else { return };
        let next = self.last.lock().unwrap_or_else(PoisonError::into_inner).next(progress.done, build);
        let Some((number, before)) = next else { return };
        let mut report = ProgressNotificationParam::new(token, number as f64).with_message(build);
        if progress.total > 0 {
            report = report.with_total((before + progress.total) as f64);
        }
        // The client may have closed the connection.
        let _ = self.peer.notify_progress(report).await;
    }
}

#[cfg(test)]
mod tests {
    use super::LastReport;

    #[test]
    fn numbers_grow_from_one_build_to_the_next() {
        let mut last = LastReport::default();
        assert_eq!(last.next(5, "files"), Some((5, 0)));
        // The last report is too young.
        assert_eq!(last.next(9, "files"), None);
        last.time = None;
        assert_eq!(last.next(0, "packages"), None);
        assert_eq!(last.next(2, "packages"), Some((7, 5)));
    }
}
