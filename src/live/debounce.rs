//! Debounces requests: editors save in several steps, and people save several files at once.

use std::{
    sync::mpsc::Receiver,
    time::{Duration, Instant},
};

/// Changes have settled if no further change comes for this time.
const QUIET_PERIOD: Duration = Duration::from_millis(80);
/// Changes also count as settled when this time has passed since the first one.
const MAX_WAIT: Duration = Duration::from_millis(400);

/// A request to the thread of a live index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThreadRequest {
    /// A watched file or folder has changed.
    Changed,
    /// A rebuild is requested.
    Rebuild,
    /// The thread has to end.
    Stop,
}

/// Waits until changes have settled and merges all waiting requests into the strongest: a stop, then a rebuild, then a
/// change. A stop or a rebuild ends the wait at once.
pub(super) fn settle(first: ThreadRequest, queue: &Receiver<ThreadRequest>) -> ThreadRequest {
    let start = Instant::now();
    let mut merged = first;
    while merged == ThreadRequest::Changed && start.elapsed() < MAX_WAIT {
        match queue.recv_timeout(QUIET_PERIOD) {
            Ok(request) => merged = request,
            Err(_) => break,
        }
    }
    queue.try_iter().fold(merged, |merged, request| match (merged, request) {
        (ThreadRequest::Stop, _) | (_, ThreadRequest::Stop) => ThreadRequest::Stop,
        (ThreadRequest::Rebuild, _) | (_, ThreadRequest::Rebuild) => ThreadRequest::Rebuild,
        (ThreadRequest::Changed, ThreadRequest::Changed) => ThreadRequest::Changed,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn waiting_requests_are_merged_into_the_strongest() {
        use ThreadRequest::{Changed, Rebuild, Stop};
        for (requests, merged) in [
            (vec![Changed, Changed], Changed),
            (vec![Changed, Rebuild, Changed], Rebuild),
            (vec![Rebuild, Changed], Rebuild),
            (vec![Rebuild, Stop, Rebuild], Stop),
        ] {
            let (sender, queue) = mpsc::channel();
            for request in &requests[1..] {
                sender.send(*request).expect("the queue is open");
            }
            assert_eq!(settle(requests[0], &queue), merged, "{requests:?}");
        }
    }
}
