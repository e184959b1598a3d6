//! What a background job is: its thread, which waiting jobs it replaces, and its work.

use std::time::Duration;

use super::{Answer, JobTools, Lane};

/// A job that a thread of the runtime does beside the drawing thread. Only [`BackgroundJob::run`] does work.
pub trait BackgroundJob {
    /// The thread that does the job.
    fn lane(&self) -> Lane;

    /// The slot of the job among the jobs of its kind. A newer job of the same slot replaces this one while it waits;
    /// once it runs, [`JobHost::is_superseded`] becomes true. Jobs without a slot are never replaced.
    fn slot(&self) -> Option<usize> {
        Some(0)
    }

    /// The place of the job among those that wait in its lane: smaller places come first. Jobs of one place are done in
    /// the order in which they were sent.
    fn place(&self) -> u8 {
        0
    }

    /// Does the job, and sends its answers to the host.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost);
}

/// The thread that does a job, as the job sees it.
pub trait JobHost {
    /// Sends an answer to the drawing thread.
    fn send(&mut self, answer: Answer);

    /// True if a newer job replaces this one, or if the lane was stopped. The answers of the job are then ignored.
    fn is_superseded(&self) -> bool;

    /// Does the other jobs that wait in the lane. A long job calls this function from time to time.
    fn do_waiting_jobs(&mut self);

    /// The time since the job began.
    fn elapsed(&self) -> Duration;
}
