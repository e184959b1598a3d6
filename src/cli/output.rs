//! Writing output: to standard output, or to a file that is replaced as a whole.

use std::{
    io::{self, ErrorKind, Write},
    path::Path,
};

use anyhow::anyhow;

use crate::writing::{self, buffered, remedy};

/// Calls `fill` with a writer to the file `to`, or to standard output if `to` is `None` or `-`.
pub(super) fn write(to: Option<&Path>, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    match to.filter(|path| *path != Path::new("-")) {
        Some(path) => match writing::replace(path, fill) {
            Err(error) if error.is_broken_pipe() => Ok(()),
            outcome => Ok(outcome?),
        },
        None => standard_output(buffered(io::stdout().lock(), fill)),
    }
}

/// The outcome of writing to standard output. A broken pipe is not an error: the reader needs no more output.
pub(super) fn standard_output(outcome: io::Result<()>) -> anyhow::Result<()> {
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow!("cannot write to standard output: {error}; {}", remedy(&error)))
        }
        _ => Ok(()),
    }
}
