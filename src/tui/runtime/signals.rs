//! Signals of the operating system: those that ask the program to exit, and the one that continues it after a stop.
//! The program handles them to restore the terminal before it exits, and to take the terminal over again after a stop.

/// The action that a signal requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignalRequest {
    /// Exit, because of the signal with this number.
    Exit(i32),
    /// Continue after a stop, in which other programs may have used the terminal.
    Continue,
}

#[cfg(unix)]
mod platform {
    use std::{future::poll_fn, task::Poll};

    use rustix::process::{Signal as Number, getpgrp, kill_process_group};
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use super::SignalRequest;

    /// `SIGCONT`, which has no name in tokio.
    fn continued() -> SignalKind {
        SignalKind::from_raw(Number::CONT.as_raw())
    }

    /// The signals that the program handles.
    pub(in super::super) struct SignalStream(Vec<(Signal, SignalRequest)>);

    impl SignalStream {
        pub(in super::super) fn new() -> anyhow::Result<Self> {
            let ends = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt(), SignalKind::quit()];
            let ends = ends.into_iter().map(|kind| (kind, SignalRequest::Exit(kind.as_raw_value())));
            let all = ends.chain([(continued(), SignalRequest::Continue)]);
            Ok(Self(all.map(|(kind, request)| Ok((signal(kind)?, request))).collect::<std::io::Result<_>>()?))
        }

        /// Waits for the next signal.
        pub(in super::super) async fn next(&mut self) -> SignalRequest {
            poll_fn(|context| {
                let received = |(signal, request): &mut (Signal, SignalRequest)| {
                    signal.poll_recv(context).is_ready().then_some(*request)
                };
                self.0.iter_mut().find_map(received).map_or(Poll::Pending, Poll::Ready)
            })
            .await
        }
    }

    /// Stops this process group with `SIGTSTP`, as the terminal does for Ctrl-Z outside raw mode. The operating system
    /// ignores the signal in an orphaned process group, which no shell could continue.
    pub(in super::super) fn stop_process_group() -> std::io::Result<()> {
        kill_process_group(getpgrp(), Number::TSTP)?;
        Ok(())
    }
}

#[cfg(not(unix))]
mod platform {
    use super::SignalRequest;

    pub(in super::super) struct SignalStream;

    impl SignalStream {
        pub(in super::super) fn new() -> anyhow::Result<Self> {
            Ok(Self)
        }

        pub(in super::super) async fn next(&mut self) -> SignalRequest {
            std::future::pending().await
        }
    }

    pub(in super::super) fn stop_process_group() -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

pub(super) use platform::{SignalStream, stop_process_group};
