//! Reads the terminal, on a thread of its own: the drawing thread never waits for the rest of a key or a paste.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, PoisonError, mpsc as blocking},
    thread,
    time::Duration,
};

use crossterm::event::{self, Event, EventStream};
use tokio::sync::mpsc;

/// The greatest number of events that wait for the drawing thread. While so many wait, the rest stays in the terminal.
const CAPACITY: usize = 1024;
/// The longest wait for an event. The wait begins anew after it.
const WAIT: Duration = Duration::from_hours(24);
/// The longest time until the thread has stopped. It takes longer only if the terminal has sent a part of a key.
const STOPPING: Duration = Duration::from_millis(200);

/// The events of the terminal, in order.
#[derive(Default)]
pub(super) struct TerminalInput {
    /// The thread; `None` while other programs read the terminal.
    reader: Option<Reader>,
    /// The events that the last thread had read when it stopped.
    read: VecDeque<io::Result<Event>>,
}

impl TerminalInput {
    /// Waits for the next event. Starts the thread if there is none. An error means that the terminal is lost.
    pub(super) async fn next(&mut self) -> io::Result<Event> {
        if let Some(event) = self.read.pop_front() {
            return event;
        }
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => self.reader.insert(Reader::start()?),
        };
        reader.events.recv().await.unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))
    }

    /// The next event, if it has been read already.
    pub(super) fn waiting(&mut self) -> Option<io::Result<Event>> {
        self.read.pop_front().or_else(|| self.reader.as_mut()?.events.try_recv().ok())
    }

    /// Leaves the terminal to another program until the next call of [`Self::next`].
    pub(super) fn stop(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.read.extend(reader.stop());
        }
    }
}

/// The thread that reads the terminal.
struct Reader {
    events: mpsc::Receiver<io::Result<Event>>,
    state: Arc<Mutex<ReaderState>>,
    /// Receives the event for which there was no room, if any, when the thread ends.
    unsent: blocking::Receiver<Option<io::Result<Event>>>,
}

#[derive(Default)]
struct ReaderState {
    is_stopped: bool,
    /// Dropping it ends the wait of the thread: crossterm has no other way to do so.
    waker: Option<EventStream>,
}

impl Reader {
    fn start() -> io::Result<Self> {
        let (sender, events) = mpsc::channel(CAPACITY);
        let (end, unsent) = blocking::channel();
        let state: Arc<Mutex<ReaderState>> = Arc::default();
        let shared = Arc::clone(&state);
        thread::Builder::new().name("terminal".to_owned()).spawn(move || {
            // The receiver is gone if the thread has not stopped in time.
            let _ = end.send(read(&shared, &sender));
        })?;
        Ok(Self { events, state, unsent })
    }

    /// Stops the thread; returns the events that it had read.
    fn stop(mut self) -> VecDeque<io::Result<Event>> {
        self.events.close();
        let waker = {
            let mut state = lock(&self.state);
            state.is_stopped = true;
            state.waker.take()
        };
        drop(waker);
        let unsent = self.unsent.recv_timeout(STOPPING).ok().flatten();
        let read = std::iter::from_fn(|| self.events.try_recv().ok());
        read.chain(unsent).collect()
    }
}

/// Sends events until the thread is stopped; returns the event for which there was no room.
fn read(state: &Mutex<ReaderState>, events: &mpsc::Sender<io::Result<Event>>) -> Option<io::Result<Event>> {
    let waker = EventStream::new();
    {
        let mut state = lock(state);
        if state.is_stopped {
            return None;
        }
        state.waker = Some(waker);
    }
    while !lock(state).is_stopped {
        let event = match event::poll(WAIT) {
            Ok(true) => event::read(),
            Ok(false) => continue,
            Err(error) => Err(error),
        };
        let is_lost = event.is_err();
        if let Err(unsent) = events.blocking_send(event) {
            return Some(unsent.0);
        }
        if is_lost {
            return None;
        }
    }
    None
}

fn lock(state: &Mutex<ReaderState>) -> std::sync::MutexGuard<'_, ReaderState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
