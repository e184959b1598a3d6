//! Requests over HTTP are checked before the protocol sees them: their headers, the token, and that the body is a
//! message.

use std::{net::Ipv6Addr, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures::StreamExt as _;

use super::decoding::{Envelope, decode};

/// The host names and addresses that always mean this machine.
pub(super) const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// The greatest size of a message in bytes.
const MAX_BODY: usize = 4 << 20;
/// The number of bytes of a larger body that are looked at for the id of its message.
const MAX_READ: usize = 128 << 20;
/// The headers that a request has at most once. Of several, this server and one in front of it could read different
/// ones.
const SINGLE: [HeaderName; 5] = [
    header::HOST,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("mcp-protocol-version"),
];

/// What a request must have.
pub(super) struct Guard {
    /// The host names and addresses under which the server can be called; `None` if they are unknown.
    pub(super) hosts: Option<Vec<String>>,
    /// The token.
    pub(super) token: Option<String>,
}

/// Handles a request that passes the checks; answers any other request.
pub(super) async fn check(guard: Arc<Guard>, request: Request, next: Next) -> Response {
    if let Err(refusal) = guard.check_headers(request.uri(), request.headers()) {
        return *refusal;
    }
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|name| is_json(name.as_bytes()));
    if request.method() != Method::POST || !is_json {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    match read(body).await {
        Ok(body) => next.run(Request::from_parts(parts, body.into())).await,
        Err(refusal) => refusal,
    }
}

impl Guard {
    fn check_headers(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Box<Response>> {
        let refused = |status: StatusCode, why: &str| Err(Box::new((status, why.to_owned()).into_response()));
        if let Some(name) = SINGLE.iter().find(|name| headers.get_all(*name).iter().nth(1).is_some()) {
            return refused(StatusCode::BAD_REQUEST, &format!("there is more than one header {name}"));
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        // A request for a whole URL names its host a second time.
        for host in std::iter::once(host).chain(uri.authority().map(Authority::as_str)) {
            let Some(host) = host_of(host) else {
                return refused(StatusCode::BAD_REQUEST, "the header host is no host with an optional port");
            };
            if self.hosts.as_ref().is_some_and(|hosts| !hosts.iter().any(|known| known.eq_ignore_ascii_case(host))) {
                return refused(StatusCode::FORBIDDEN, "this server has another name");
            }
        }
        // The server is for programs on this machine. A web page of another origin is refused.
        if !headers.get_all(header::ORIGIN).iter().all(|origin| origin.to_str().is_ok_and(is_own_origin)) {
            return refused(StatusCode::FORBIDDEN, "this server is not for pages of other origins");
        }
        let given = headers.get(header::AUTHORIZATION).and_then(|given| bearer(given.as_bytes()));
        if self.token.as_ref().is_some_and(|token| !given.is_some_and(|given| is_equal(given, token.as_bytes()))) {
            let header = [(header::WWW_AUTHENTICATE, "Bearer")];
            return Err(Box::new((StatusCode::UNAUTHORIZED, header).into_response()));
        }
        Ok(())
    }
}

/// True for the media type of JSON, with parameters or without.
fn is_json(media_type: &[u8]) -> bool {
    let name = media_type.split(|byte| *byte == b';').next().unwrap_or_default();
    name.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

/// The host in `HOST` or `HOST:PORT`, an IPv6 address without its brackets; `None` if the text is anything else.
fn host_of(text: &str) -> Option<&str> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']')?;
            host.parse::<Ipv6Addr>().ok()?;
            (host, if port.is_empty() { None } else { Some(port.strip_prefix(':')?) })
        }
        None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._:".contains(c);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    (!host.is_empty() && host.chars().all(is_name) && port.is_none_or(is_port)).then_some(host)
}

/// True for the origin of a page of this machine: a scheme, a host that means this machine, and an optional port.
fn is_own_origin(origin: &str) -> bool {
    let host = origin
        .split_once("://")
        .filter(|(scheme, _)| ["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(scheme)));
    let host = host.and_then(|(_, host)| host_of(host));
    host.is_some_and(|host| LOOPBACK.iter().any(|known| known.eq_ignore_ascii_case(host)))
}

/// The token of the scheme `Bearer`. The name of a scheme may be in lower case (RFC 9110, section 11.1).
fn bearer(credentials: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = credentials.split_at_checked("Bearer".len())?;
    (scheme.eq_ignore_ascii_case(b"Bearer") && token.starts_with(b" ")).then(|| token.trim_ascii())
}

/// Compares texts in a time that depends only on their lengths, so a client that measures the time does not learn which
/// characters of the token are right.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// Reads a body.
///
/// # Errors
/// The answer to a body that is no message.
async fn read(body: Body) -> Result<Bytes, Response> {
    let mut pieces = body.into_data_stream();
    let mut text = Vec::new();
    let mut too_long: Option<Envelope> = None;
    let mut size = 0;
    while let Some(piece) = pieces.next().await {
        let Ok(piece) = piece else {
            return Err((StatusCode::BAD_REQUEST, "the body breaks off").into_response());
        };
        size += piece.len();
        match &mut too_long {
            Some(envelope) if size <= MAX_READ => envelope.read(&piece),
            Some(_) => break,
            None if size <= MAX_BODY => text.extend_from_slice(&piece),
            None => {
                let envelope = too_long.insert(Envelope::default());
                envelope.read(&std::mem::take(&mut text));
                envelope.read(&piece);
            }
        }
    }
    if let Some(envelope) = too_long {
        return Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, envelope.too_long(MAX_BODY)));
    }
    match decode(&text) {
        Ok(_) => Ok(text.into()),
        Err(answer) => Err(refusal(StatusCode::BAD_REQUEST, answer)),
    }
}

/// A response with an error of the protocol.
fn refusal(status: StatusCode, answer: Option<String>) -> Response {
    match answer {
        Some(answer) => (status, [(header::CONTENT_TYPE, "application/json")], answer).into_response(),
        None => (status, "the body is no message of the protocol").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_name_and_at_most_a_port() {
        for (text, host) in
            [("localhost", "localhost"), ("127.0.0.1:8765", "127.0.0.1"), ("[::1]", "::1"), ("[::1]:8765", "::1")]
        {
            assert_eq!(host_of(text), Some(host));
        }
        for text in [
            "",
            ":80",
            "a:",
            "a:x",
            "a:+80",
            "a:80:80",
            "a:99999",
            "127.0.0.1:x.evil.com",
            "u@127.0.0.1",
            "a/b",
            "a b",
            "[::1",
            "[::1]x",
            "[::1]:x",
            "[evil.com]",
            "::1",
            "a,b",
            "ä",
        ] {
            assert_eq!(host_of(text), None, "{text}");
        }
    }

    #[test]
    fn only_pages_of_this_machine_have_an_own_origin() {
        for origin in ["http://localhost", "https://127.0.0.1:8443", "http://[::1]:3000", "HTTP://LOCALHOST:1"] {
            assert!(is_own_origin(origin), "{origin}");
        }
        for origin in [
            "null",
            "",
            "localhost",
            "http://127.0.0.1:x.evil.com",
            "http://127.0.0.1:80.evil.com",
            "http://127.0.0.1/",
            "http://127.0.0.1.evil.com",
            "http://localhost@evil.com",
            "http://evil.com@localhost",
            "http://localhost#",
            "file://localhost",
            "http://localhost http://evil.com",
            " http://localhost",
            "http:// localhost",
            "http://",
        ] {
            assert!(!is_own_origin(origin), "{origin}");
        }
    }

    #[test]
    fn the_name_of_a_scheme_has_no_case() {
        for credentials in ["Bearer t", "bearer t", "BEARER  t"] {
            assert_eq!(bearer(credentials.as_bytes()), Some(&b"t"[..]), "{credentials}");
        }
        for credentials in ["Bearert", "Basic t", "Bearer\tt", "t", ""] {
            assert_eq!(bearer(credentials.as_bytes()), None, "{credentials}");
        }
    }
}
