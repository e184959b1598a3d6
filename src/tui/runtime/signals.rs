//! Signals: those that ask the program to end, for which it gives the terminal back first, and the one that says
//! that it goes on after it was stopped.

/// What a signal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// End; the number is that of the signal.
    End(i32),
    /// Go on: the terminal may have been used by others meanwhile.
    Continue,
}

#[cfg(unix)]
mod platform {
    use std::{future::poll_fn, task::Poll};

    use rustix::process::{Signal as Number, getpgrp, kill_process_group};
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use super::Said;

    /// `SIGCONT`, which has no name in tokio.
    fn continued() -> SignalKind {
        SignalKind::from_raw(Number::CONT.as_raw())
    }

    /// The signals that are listened to.
    pub(in super::super) struct Signals(Vec<(Signal, Said)>);

    impl Signals {
        pub(in super::super) fn new() -> anyhow::Result<Self> {
            let ends = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()];
            let ends = ends.into_iter().map(|kind| (kind, Said::End(kind.as_raw_value())));
            let all = ends.chain([(continued(), Said::Continue)]);
            Ok(Self(all.map(|(kind, said)| Ok((signal(kind)?, said))).collect::<std::io::Result<_>>()?))
        }

        /// Waits for one.
        pub(in super::super) async fn next(&mut self) -> Said {
            poll_fn(|context| {
                let came = |(signal, said): &mut (Signal, Said)| signal.poll_recv(context).is_ready().then_some(*said);
                self.0.iter_mut().find_map(came).map_or(Poll::Pending, Poll::Ready)
            })
            .await
        }
    }

    /// Stops this program and those that were started with it, as Ctrl-Z does where a program leaves it to the
    /// terminal. Where no shell could let it go on, the system ignores that.
    pub(in super::super) fn stop() -> std::io::Result<()> {
        kill_process_group(getpgrp(), Number::TSTP)?;
        Ok(())
    }
}

#[cfg(not(unix))]
mod platform {
    use super::Said;

    pub(in super::super) struct Signals;

    impl Signals {
        pub(in super::super) fn new() -> anyhow::Result<Self> {
            Ok(Self)
        }

        pub(in super::super) async fn next(&mut self) -> Said {
            std::future::pending().await
        }
    }

    pub(in super::super) fn stop() -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

pub(super) use platform::{Signals, stop};
