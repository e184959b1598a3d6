//! The worker that follows the log of agents' requests while the explorer shows it.

use std::{io, time::Duration};

use super::worker::{OutputSender, Worker};
use crate::{
    clock,
    requests::{Follower, LogFolder},
    tui::message::Message,
};

/// The time between two looks at the log. A look at an unchanged log reads the names and sizes of a few files.
const INTERVAL: Duration = Duration::from_millis(200);
/// The time after which the ages of requests are drawn again.
const MINUTE: u64 = 60_000;

/// A job of the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchJob {
    /// Read the log from its beginning, and follow it until the next job.
    Watch,
    /// Stop following it.
    Stop,
}

/// Starts the worker.
pub(super) fn spawn(log: Option<LogFolder>, output: OutputSender) -> io::Result<Worker<WatchJob>> {
    Worker::spawn("requests", output.clone(), move |mut job, queue| {
        let Some(log) = &log else { return };
        while job == WatchJob::Watch {
            let mut follower = Follower::new(log.clone());
            let mut known = None;
            job = loop {
                let news = follower.read();
                let now = clock::now();
                let state = Some((news.live.clone(), news.other_versions, now / MINUTE));
                if !news.requests.is_empty() || state != known {
                    known = state;
                    output.message(Message::RequestsRead { news, now });
                }
                if let Some(job) = queue.take_within(INTERVAL) {
                    break job;
                }
            };
        }
    })
}
