//! The transport over standard input and output: one message a line.
//!
//! rmcp's own transport leaves requests that do not decode unanswered.

use std::{future::Future, io, mem, sync::Arc};

use futures::future::BoxFuture;
use rmcp::{
    RoleServer,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::Mutex,
};

use super::decoding::{Envelope, decode};

/// The longest message in bytes.
const MAX_LINE: usize = 16 << 20;

/// The transport over a pair of streams.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    /// The beginning of the present line. It is kept here since a call of `receive` may be cancelled.
    line: Vec<u8>,
    /// The envelope of the present line, if the line is too long.
    too_long: Option<Envelope>,
    output: Arc<Mutex<W>>,
    /// The answer to a message that did not decode, while it is written.
    refusing: Option<BoxFuture<'static, io::Result<()>>>,
}

/// A whole line.
enum Line {
    Message(Vec<u8>),
    TooLong(Envelope),
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Lines<R, W> {
    pub(super) fn new((input, output): (R, W)) -> Self {
        let (input, output) = (BufReader::new(input), Arc::new(Mutex::new(output)));
        Self { input, line: Vec::new(), too_long: None, output, refusing: None }
    }

    /// Reads to the end of a line. `None` at the end of the input, where a line that has no end is dropped.
    async fn read_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            match &mut self.too_long {
                Some(envelope) => envelope.read(part),
                None if self.line.len() + part.len() <= MAX_LINE => self.line.extend_from_slice(part),
                None => {
                    let envelope = self.too_long.insert(Envelope::default());
                    envelope.read(&mem::take(&mut self.line));
                    envelope.read(part);
                }
            }
            let read = part.len() + usize::from(end.is_some());
            self.input.consume(read);
            if end.is_some() {
                let line = self.too_long.take().map(Line::TooLong);
                return Ok(Some(line.unwrap_or_else(|| Line::Message(mem::take(&mut self.line)))));
            }
        }
    }
}

/// Writes a message and the end of its line.
async fn write<W: AsyncWrite + Unpin>(output: Arc<Mutex<W>>, mut message: Vec<u8>) -> io::Result<()> {
    message.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&message).await?;
    output.flush().await
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(output, serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let written = refusing.await;
                self.refusing = None;
                // A client that reads no more is gone.
                written.ok()?;
            }
            let refusal = match self.read_line().await.ok()?? {
                Line::Message(text) => match decode(&text) {
                    Ok(message) => return Some(message),
                    Err(refusal) => refusal,
                },
                Line::TooLong(envelope) => envelope.too_long(MAX_LINE),
            };
            if let Some(refusal) = refusal {
                self.refusing = Some(Box::pin(write(Arc::clone(&self.output), refusal.into_bytes())));
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}
