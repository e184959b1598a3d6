//! A thread that does one kind of work, and what it may say to the drawing thread.

use std::{
    any::Any,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use tokio::sync::mpsc::UnboundedSender;

use super::priority;
use crate::tui::message::Message;

/// News for the drawing thread.
pub(super) enum News {
    /// For the model.
    Message(Message),
    /// An escape sequence for the terminal, to be written between two frames.
    Terminal(Vec<u8>),
}

/// Where a worker sends its news. Sending fails only while the program ends, when nobody listens.
#[derive(Clone)]
pub(super) struct Post {
    news: UnboundedSender<News>,
    /// Jobs that are not done yet, of all workers.
    jobs: Arc<(Mutex<usize>, Condvar)>,
}

impl Post {
    pub(super) fn new(news: UnboundedSender<News>) -> Self {
        Self { news, jobs: Arc::default() }
    }

    /// Waits until every job is done; their news is there by then.
    pub(super) fn rest(&self) {
        let jobs = self.jobs.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.jobs.1.wait_while(jobs, |jobs| *jobs > 0));
    }

    fn count(&self, change: impl FnOnce(&mut usize)) {
        change(&mut self.jobs.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.jobs.1.notify_all();
    }

    pub(super) fn message(&self, message: Message) {
        let _ = self.news.send(News::Message(message));
    }

    pub(super) fn terminal(&self, bytes: Vec<u8>) {
        let _ = self.news.send(News::Terminal(bytes));
    }
}

/// Hands jobs to a worker.
pub(super) struct Jobs<J> {
    queue: mpsc::Sender<J>,
    post: Post,
}

impl<J> Jobs<J> {
    /// A worker outlives a panic, so that its queue is closed only while the program ends.
    pub(super) fn send(&self, job: J) {
        self.post.count(|jobs| *jobs += 1);
        let _ = self.queue.send(job);
    }
}

/// Jobs that wait while a worker does another one.
pub(super) struct Waiting<J> {
    queue: mpsc::Receiver<J>,
    taken: usize,
}

impl<J> Waiting<J> {
    /// Takes them.
    pub(super) fn take(&mut self) -> impl Iterator<Item = J> {
        self.queue.try_iter().inspect(|_| self.taken += 1)
    }

    /// Takes the first that is there within that time.
    pub(super) fn take_within(&mut self, time: Duration) -> Option<J> {
        let job = self.queue.recv_timeout(time).ok();
        self.taken += usize::from(job.is_some());
        job
    }
}

/// Starts a thread that does every job it is sent, or of several waiting ones those that `work` takes from
/// the queue. A panic in a job is a bug; it is reported, and the next job is done.
pub(super) fn spawn<J: Send + 'static>(
    name: &str,
    post: Post,
    mut work: impl FnMut(J, &mut Waiting<J>) + Send + 'static,
) -> io::Result<Jobs<J>> {
    let (sender, queue) = mpsc::channel();
    let jobs = Jobs { queue: sender, post: post.clone() };
    let mut waiting = Waiting { queue, taken: 0 };
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        priority::make_way();
        while let Ok(job) = waiting.queue.recv() {
            guarded(&post, || work(job, &mut waiting));
            let done = 1 + std::mem::take(&mut waiting.taken);
            post.count(|jobs| *jobs -= done);
        }
    })?;
    Ok(jobs)
}

/// Does something; a panic in it becomes a message.
pub(super) fn guarded(post: &Post, work: impl FnOnce()) -> bool {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    if let Err(panic) = &outcome {
        post.message(Message::WorkerFailed(reason(panic.as_ref())));
    }
    outcome.is_ok()
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panicked").to_owned()
}

/// The newest of the waiting jobs, else `job`.
pub(super) fn newest<J>(job: J, waiting: &mut Waiting<J>) -> J {
    waiting.take().last().unwrap_or(job)
}
