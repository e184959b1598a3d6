//! Worker threads for work that is no background job, their queues, and the output of all threads to the drawing
//! thread.

use std::{
    io,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use tokio::sync::mpsc::UnboundedSender;

use crate::{threads, tui::message::Message};
use apidisc::control::Control;

/// The output of a worker, sent to the drawing thread.
pub(super) enum WorkerOutput {
    /// A message to the model.
    Message(Message),
    /// An escape sequence for the terminal, to be written between two frames.
    Terminal(Vec<u8>),
}

/// Sends the output of workers to the drawing thread. Sending fails only at the end of the program, when the receiver
/// is gone.
#[derive(Clone)]
pub(super) struct OutputSender {
    sender: UnboundedSender<WorkerOutput>,
    /// The number of jobs of all workers that are not done yet.
    unfinished: Arc<(Mutex<usize>, Condvar)>,
}

impl OutputSender {
    pub(super) fn new(sender: UnboundedSender<WorkerOutput>) -> Self {
        Self { sender, unfinished: Arc::default() }
    }

    /// Waits until every job is done; their output has been sent by then.
    pub(super) fn wait_until_idle(&self) {
        let unfinished = self.unfinished.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.unfinished.1.wait_while(unfinished, |jobs| *jobs > 0));
    }

    /// Counts a job that is sent to a thread.
    pub(super) fn job_is_sent(&self) {
        self.update_unfinished(|jobs| *jobs += 1);
    }

    /// Counts a job that is done, or is not done because a newer one replaces it.
    pub(super) fn job_is_done(&self) {
        self.update_unfinished(|jobs| *jobs -= 1);
    }

    fn update_unfinished(&self, update: impl FnOnce(&mut usize)) {
        update(&mut self.unfinished.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.unfinished.1.notify_all();
    }

    pub(super) fn message(&self, message: Message) {
        let _ = self.sender.send(WorkerOutput::Message(message));
    }

    pub(super) fn terminal(&self, bytes: Vec<u8>) {
        let _ = self.sender.send(WorkerOutput::Terminal(bytes));
    }

    /// Runs `work`; a panic in it becomes a message.
    pub(super) fn catch_panic(&self, work: impl FnOnce()) {
        if let Err(what) = threads::catch_panic(work) {
            self.message(Message::WorkerFailed(what));
        }
    }
}

/// The handle of a worker's thread.
pub(super) struct Worker<J> {
    queue: mpsc::Sender<J>,
    output: OutputSender,
}

impl<J: Send + 'static> Worker<J> {
    /// Starts a thread that calls `work` with every job. `work` may also take waiting jobs from the queue. A panic in a
    /// job is a bug: it is reported, and the thread continues with the next job.
    pub(super) fn spawn(
        name: &str,
        output: OutputSender,
        mut work: impl FnMut(J, &mut JobQueue<J>) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let worker = Self { queue: sender, output: output.clone() };
        let mut queue = JobQueue { receiver, taken: 0 };
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            threads::lower_priority();
            while let Ok(job) = queue.receiver.recv() {
                output.catch_panic(|| work(job, &mut queue));
                let done = 1 + std::mem::take(&mut queue.taken);
                output.update_unfinished(|jobs| *jobs -= done);
            }
        })?;
        Ok(worker)
    }

    pub(super) fn send(&self, job: J) {
        self.output.job_is_sent();
        // A worker survives panics, so its queue is closed only at the end of the program.
        let _ = self.queue.send(job);
    }
}

/// The jobs that wait while a worker does another one.
pub(super) struct JobQueue<J> {
    receiver: mpsc::Receiver<J>,
    /// The number of further jobs taken from the queue since the present one began.
    taken: usize,
}

impl<J> JobQueue<J> {
    /// Takes all waiting jobs.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = J> {
        self.receiver.try_iter().inspect(|_| self.taken += 1)
    }

    /// Waits at most `time` for a job and takes it.
    pub(super) fn take_within(&mut self, time: Duration) -> Option<J> {
        let job = self.receiver.recv_timeout(time).ok();
        self.taken += usize::from(job.is_some());
        job
    }
}

/// The newest of the requests of a kind, which cancels those before it.
#[derive(Clone, Default)]
pub(super) struct Newest(Arc<AtomicU64>);

/// A request that is wanted until a newer one is made.
pub(super) struct Wanted {
    newest: Newest,
    number: u64,
}

impl Newest {
    /// Makes a request, which is the newest one from now on.
    pub(super) fn request(&self) -> Wanted {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Wanted { newest: self.clone(), number }
    }
}

impl Wanted {
    /// Whether the work for the request goes on.
    pub(super) fn control(&self) -> Control {
        let is_newest = self.newest.0.load(Ordering::Relaxed) == self.number;
        if is_newest { Control::Continue } else { Control::Cancel }
    }
}
