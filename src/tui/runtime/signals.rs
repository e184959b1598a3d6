//! Signals that ask the program to end: it gives the terminal back first.

/// Signals that ask the program to end.
pub(super) struct Signals {
    #[cfg(unix)]
    signals: Vec<(tokio::signal::unix::Signal, i32)>,
}

impl Signals {
    #[cfg(unix)]
    pub(super) fn new() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()];
        let signals = kinds.into_iter().map(|kind| Ok((signal(kind)?, kind.as_raw_value())));
        Ok(Self { signals: signals.collect::<std::io::Result<_>>()? })
    }

    /// Waits for one, and says its number.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) -> i32 {
        std::future::poll_fn(|context| {
            let came = self
                .signals
                .iter_mut()
                .find_map(|(signal, number)| signal.poll_recv(context).is_ready().then_some(*number));
            came.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
        })
        .await
    }

    #[cfg(not(unix))]
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    pub(super) async fn next(&mut self) -> i32 {
        std::future::pending().await
    }
}
