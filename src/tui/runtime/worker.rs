//! A thread that does one kind of work, and what it may say to the drawing thread.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
};

use tokio::sync::mpsc::UnboundedSender;

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
pub(super) struct Post(pub(super) UnboundedSender<News>);

impl Post {
    pub(super) fn message(&self, message: Message) {
        let _ = self.0.send(News::Message(message));
    }

    pub(super) fn terminal(&self, bytes: Vec<u8>) {
        let _ = self.0.send(News::Terminal(bytes));
    }
}

/// Starts a thread that does every job it is sent, or of several waiting ones those that `work` takes from
/// the queue. A panic in a job is a bug; it is reported, and the next job is done.
pub(super) fn spawn<J: Send + 'static>(
    name: &str,
    post: Post,
    mut work: impl FnMut(J, &mpsc::Receiver<J>) + Send + 'static,
) -> std::io::Result<mpsc::Sender<J>> {
    let (sender, queue) = mpsc::channel();
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        while let Ok(job) = queue.recv() {
            guarded(&post, || work(job, &queue));
        }
    })?;
    Ok(sender)
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
pub(super) fn newest<J>(job: J, queue: &mpsc::Receiver<J>) -> J {
    queue.try_iter().last().unwrap_or(job)
}
