//! Carries a request of the client library to the provider, and the reply back.
//!
//! The client library follows what its HTTP client follows, and reads a reply as far as it goes: it gives no way to see
//! a reply before it is read. Therefore the library never speaks to a provider. It sends its request to a server of
//! this module on the loopback interface, which sends the request on, and answers with the reply of the provider.
//!
//! **Guarantees.** No redirect is followed, so neither the key nor the prompt leaves the host that was chosen. A reply
//! ends with an error where it exceeds [`MAX_BYTES`] or [`MAX_PART_BYTES`], counted after decompression.

use std::{
    error::Error,
    io, mem,
    net::Ipv4Addr,
    sync::{Arc, Mutex, PoisonError},
};

use futures::stream;
use genai::resolver::Endpoint;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::{
    Request, Response,
    body::{Body, Bytes, Frame, Incoming},
    header::{ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, LOCATION, TRANSFER_ENCODING},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use reqwest::{Client, Url};
use tokio::{net::TcpListener, task::JoinSet};

use super::failure::Failure;
use crate::model::ModelError;

/// The greatest length of a reply in bytes. Providers wrap each few letters of a text in an event of some hundred
/// bytes.
const MAX_BYTES: usize = 32 << 20;
/// The greatest length of a part of a reply in bytes: of an event, or of a line if the reply is no stream of events.
/// The client library copies an unfinished part anew whenever more of it arrives.
const MAX_PART_BYTES: usize = 4 << 20;

/// A server for one request of the client library.
pub(super) struct Exchange {
    endpoint: Endpoint,
    failure: Arc<Mutex<Option<Failure>>>,
    /// The task that serves. It ends when the exchange is dropped.
    _task: JoinSet<()>,
}

impl Exchange {
    /// Starts a server that sends a request on to `provider`.
    pub(super) async fn open(web: &Client, provider: &Endpoint) -> Result<Self, Failure> {
        let failed = |why: String| Failure::lasting(ModelError::Failed(why));
        let provider =
            Url::parse(provider.base_url()).map_err(|why| failed(format!("no address of a server: {why}")))?;
        let no_server = |error: io::Error| failed(format!("no connection can be made on this machine: {error}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(no_server)?;
        let here = listener.local_addr().map_err(no_server)?;
        let endpoint = Endpoint::from_owned(format!("http://{here}{}", provider.path()));
        let failure = Arc::new(Mutex::new(None));
        let carrier = Carrier { web: web.clone(), provider, failure: Arc::clone(&failure) };
        let mut task = JoinSet::new();
        task.spawn(async move {
            let Ok((connection, _)) = listener.accept().await else { return };
            let service = service_fn(|request| carrier.carry(request));
            // Whatever fails is recorded where it fails.
            let _ = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(connection), service).await;
        });
        Ok(Self { endpoint, failure, _task: task })
    }

    /// The address to which the client library sends its request.
    pub(super) fn endpoint(&self) -> Endpoint {
        self.endpoint.clone()
    }

    /// The reason for which there is no whole reply, if the provider or the way to it is the reason.
    pub(super) fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Sends requests on.
struct Carrier {
    web: Client,
    /// The address below which the provider has its paths.
    provider: Url,
    failure: Arc<Mutex<Option<Failure>>>,
}

impl Carrier {
    async fn carry(
        &self,
        request: Request<Incoming>,
    ) -> io::Result<Response<impl Body<Data = Bytes, Error = io::Error> + use<>>> {
        let (parts, body) = request.into_parts();
        let mut url = self.provider.clone();
        url.set_path(parts.uri.path());
        url.set_query(parts.uri.query());
        let mut headers = parts.headers;
        for of_connection in [HOST, CONNECTION, CONTENT_LENGTH, ACCEPT_ENCODING, TRANSFER_ENCODING] {
            headers.remove(of_connection);
        }
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let sent = self.web.request(parts.method, url.clone()).headers(headers).body(body).send().await;
        let reply = sent.map_err(|error| {
            let why = format!("{} cannot be asked: {}", host(&url), innermost(&error));
            record(&self.failure, Failure::broken(&why))
        })?;
        if reply.status().is_redirection() {
            let to = reply.headers().get(LOCATION).and_then(|to| url.join(to.to_str().ok()?).ok());
            let why = redirected(&self.provider, &url, reply.status().as_u16(), to.as_ref());
            return Err(record(&self.failure, Failure::lasting(ModelError::Failed(why))));
        }
        let mut answer = Response::builder().status(reply.status());
        if let Some(headers) = answer.headers_mut() {
            *headers = reply.headers().clone();
            for of_connection in [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
                headers.remove(of_connection);
            }
        }
        let kind = reply.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let (unit, failure) = (Unit::of(kind), Arc::clone(&self.failure));
        let pieces = stream::try_unfold((reply, Received::new(unit)), move |(mut reply, mut received)| {
            let failure = Arc::clone(&failure);
            async move {
                loop {
                    let piece = reply.chunk().await;
                    let piece = piece.map_err(|error| record(&failure, Failure::broken(&innermost(&error))))?;
                    let added = match &piece {
                        Some(piece) => received.add(piece),
                        None => Ok(mem::take(&mut received.unfinished)),
                    };
                    let whole = added.map_err(|why| record(&failure, Failure::lasting(ModelError::Failed(why))))?;
                    if !whole.is_empty() {
                        return Ok(Some((Frame::data(Bytes::from(whole)), (reply, received))));
                    }
                    if piece.is_none() {
                        return Ok(None);
                    }
                }
            }
        });
        answer.body(StreamBody::new(pieces)).map_err(io::Error::other)
    }
}

/// What the parts of a reply are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Server-sent events, which end with an empty line.
    Event,
    /// Lines.
    Line,
    /// Binary events, as Bedrock sends them.
    Binary,
}

impl Unit {
    /// The unit of a content type.
    fn of(content_type: &str) -> Self {
        match content_type {
            kind if kind.starts_with("application/vnd.amazon.eventstream") => Self::Binary,
            kind if kind.contains("event-stream") => Self::Event,
            _ => Self::Line,
        }
    }
}

/// The bytes of a reply that have arrived.
struct Received {
    unit: Unit,
    total: usize,
    /// The bytes of the present part.
    part: usize,
    /// The bytes of the present line, which are handed on with its end.
    unfinished: Vec<u8>,
}

impl Received {
    fn new(unit: Unit) -> Self {
        Self { unit, total: 0, part: 0, unfinished: Vec::new() }
    }

    /// Adds a piece, and returns the lines that are whole now; of a binary reply, the piece. The error names the limit
    /// that the reply exceeds.
    fn add(&mut self, piece: &[u8]) -> Result<Vec<u8>, String> {
        self.total += piece.len();
        if self.total > MAX_BYTES {
            return Err(format!("the reply is longer than {} MiB, the limit of a reply", MAX_BYTES >> 20));
        }
        if self.unit == Unit::Binary {
            return Ok(piece.to_vec());
        }
        let mut whole = Vec::new();
        for line in piece.split_inclusive(|byte| *byte == b'\n') {
            self.part += line.len();
            if self.part > MAX_PART_BYTES {
                return Err(format!(
                    "a part of the reply is longer than {} MiB, the limit of a part",
                    MAX_PART_BYTES >> 20
                ));
            }
            self.unfinished.extend_from_slice(line);
            if line.ends_with(b"\n") {
                if self.unit == Unit::Line || matches!(&self.unfinished[..], b"\n" | b"\r\n") {
                    self.part = 0;
                }
                whole.append(&mut self.unfinished);
            }
        }
        Ok(whole)
    }
}

/// Records the reason for which there is no whole reply. The returned error ends the connection to the client library.
fn record(place: &Mutex<Option<Failure>>, failure: Failure) -> io::Error {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
    io::Error::other("no reply")
}

/// What is said of a redirect from `asked`, below the address of the provider, to the address `to`.
fn redirected(provider: &Url, asked: &Url, status: u16, to: Option<&Url>) -> String {
    let from = host(asked);
    let Some(to) = to.filter(|to| matches!(to.scheme(), "http" | "https") && to.has_host()) else {
        return format!(
            "{from} answers with a redirect (status {status}) that names no server; name the server that answers by \
             itself with --base-url, or as base_url below [ask] in config.toml"
        );
    };
    // The same path at the other server gives the address below which that server has its paths.
    let path = asked.path().strip_prefix(provider.path()).and_then(|path| to.path().strip_suffix(path)).unwrap_or("/");
    let address = format!("{}://{}{}", to.scheme(), host(to), path.trim_end_matches('/'));
    format!(
        "{from} redirects to {} (status {status}); no redirect is followed, because the key and the prompt would go \
         there. If that server is to get them, name it: --base-url {address}, or base_url below [ask] in config.toml",
        host(to)
    )
}

/// The host of an address, and its port if that is not the usual one. No other part of an address is shown: it may hold
/// secrets.
fn host(url: &Url) -> String {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    format!("{}{port}", url.host_str().unwrap_or_default())
}

/// The cause of an error of the HTTP client. The errors above it repeat the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    let cause = cause.to_string();
    if cause == error.to_string() { "the request failed".to_owned() } else { cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_names_hosts_and_the_address_to_set_and_no_secret() {
        let url = |text: &str| Url::parse(text).unwrap();
        let said = |provider: &str, asked: &str, to: Option<&str>| {
            redirected(&url(provider), &url(asked), 307, to.map(url).as_ref())
        };
        let text = said(
            "https://u:pass@a.example/v1/",
            "https://u:pass@a.example/v1/chat/completions",
            Some("http://me:word@b.example:8080/llm/v2/chat/completions?key=sk-1#frag"),
        );
        assert!(
            text.starts_with("a.example redirects to b.example:8080 (status 307); no redirect is followed"),
            "{text}"
        );
        assert!(text.contains("--base-url http://b.example:8080/llm/v2, or base_url below [ask]"), "{text}");
        assert!(!["pass", "word", "sk-1", "frag"].iter().any(|secret| text.contains(secret)), "{text}");
        let elsewhere = said("http://a/v1/", "http://a/v1/chat", Some("https://b/login/sk-1"));
        assert!(elsewhere.contains("--base-url https://b, ") && !elsewhere.contains("sk-1"), "{elsewhere}");
        for to in [None, Some("file:///etc/passwd"), Some("data:text/plain,x")] {
            let text = said("http://a/v1/", "http://a/v1/chat", to);
            assert!(text.starts_with("a answers with a redirect (status 307) that names no server"), "{text}");
        }
    }

    #[test]
    fn a_reply_has_a_greatest_length_and_so_has_each_part() {
        let added = |unit: Unit, piece: &[u8], times: usize| {
            let mut received = Received::new(unit);
            (0..times).try_for_each(|_| received.add(piece).map(drop))
        };
        let (line, event) = ([[b'x'; 1023].as_slice(), b"\n"].concat(), [[b'x'; 1022].as_slice(), b"\n\n"].concat());
        let (all, part) = (MAX_BYTES >> 10, MAX_PART_BYTES >> 10);
        for (unit, piece, longest, limit) in [
            (Unit::Line, &line[..], all, "longer than 32 MiB"),
            (Unit::Event, &event[..], all, "longer than 32 MiB"),
            (Unit::Binary, &line[1..], all, "longer than 32 MiB"),
            (Unit::Event, &line[..], part, "longer than 4 MiB"),
            (Unit::Line, &line[..1023], part, "longer than 4 MiB"),
        ] {
            assert_eq!(added(unit, piece, longest), Ok(()));
            assert!(added(unit, piece, longest + longest / 100 + 5).is_err_and(|why| why.contains(limit)), "{limit}");
        }
    }

    #[test]
    fn lines_are_handed_on_when_they_are_whole() {
        let mut received = Received::new(Unit::Event);
        let pieces = ["da", "ta: 1\r", "\n\r", "\ndata: 2\n\nda", "ta"];
        let whole = pieces.map(|piece| String::from_utf8(received.add(piece.as_bytes()).unwrap()).unwrap());
        assert_eq!(whole, ["", "", "data: 1\r\n", "\r\ndata: 2\n\n", ""]);
        assert_eq!((&received.unfinished[..], received.part), (&b"data"[..], 4));
    }
}
