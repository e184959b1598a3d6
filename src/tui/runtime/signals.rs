//! Signals that ask the program to end: it gives the terminal back first.

/// Signals that ask the program to end.
pub(super) struct Signals {
    #[cfg(unix)]
    signals: [(tokio::signal::unix::Signal, i32); 2],
}

impl Signals {
    #[cfg(unix)]
    pub(super) fn new() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let (terminate, hangup) = (SignalKind::terminate(), SignalKind::hangup());
        let numbers = (terminate.as_raw_value(), hangup.as_raw_value());
        Ok(Self { signals: [(signal(terminate)?, numbers.0), (signal(hangup)?, numbers.1)] })
    }

    #[cfg(unix)]
    pub(super) async fn next(&mut self) -> i32 {
        let [(terminate, first), (hangup, second)] = &mut self.signals;
        tokio::select! {
            _ = terminate.recv() => *first,
            _ = hangup.recv() => *second,
        }
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
