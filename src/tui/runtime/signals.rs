//! Signals of the system: those that ask the program to exit, and the one that continues it after a stop. Before the
//! program exits, it restores the terminal.

/// The request of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignalRequest {
    /// Exit. Contains the number of the signal.
    Exit(i32),
    /// Continue after a stop: other programs may have used the terminal in the meantime.
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

    /// Stops the processes of this process group, as the terminal does at Ctrl-Z in other programs. The system ignores
    /// the signal if no shell could continue the processes.
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
