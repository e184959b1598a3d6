//! Path templates as segments, and how well the template of a call matches that of an operation.

/// The path of a call or route, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallPath {
    /// The host in small letters; `None` for a path without one, or if the host is not known.
    pub(super) host: Option<String>,
    /// The segments; `{}` in a segment is an unknown piece.
    pub(super) segments: Vec<String>,
}

/// The quality of a match of two paths; the greatest value is the best match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    /// The negated number of unknown segments of the call at which the operation has a literal.
    guessed: i32,
    /// The number of segments that are literals in both.
    literals: u32,
}

impl CallPath {
    /// The path in the template of a URL: `https://api.example.com/v1/pets/{}`, `{}/pets`, `/pets`.
    pub(super) fn read(url: &str) -> Self {
        let (host, path) = match url.split_once("://") {
            Some((_, rest)) => {
                let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
                let host = host.rsplit('@').next().unwrap_or(host).to_ascii_lowercase();
                (Some(host).filter(|host| !host.contains("{}")), path)
            }
            // An unknown piece at the beginning is the URL of the server.
            None => (None, url.strip_prefix("{}").unwrap_or(url)),
        };
        Self { host, segments: segments(path) }
    }

    /// The segments below `base`, if the path begins with `base`.
    pub(super) fn below(&self, base: &[String]) -> Option<&[String]> {
        self.segments.strip_prefix(base)
    }

    /// True if the host is known to be that of one of `servers`.
    pub(super) fn names_host(&self, servers: &[DocumentServer]) -> bool {
        self.host.as_deref().is_some_and(|host| servers.iter().any(|server| server.has_host(host)))
    }

    /// True if a request to the host may reach one of `servers`: the host is unknown, a host of tests, or the host of
    /// one of `servers`.
    pub(super) fn may_reach(&self, servers: &[DocumentServer]) -> bool {
        let Some(host) = self.host.as_deref() else { return true };
        let name = host.split(':').next().unwrap_or(host);
        let is_local = matches!(name, "localhost" | "127.0.0.1" | "0.0.0.0" | "[" | "test" | "testserver");
        is_local || servers.iter().all(|server| server.host.is_none()) || self.names_host(servers)
    }
}

/// A server of a document.
#[derive(Clone, Debug)]
pub(super) struct DocumentServer {
    host: Option<String>,
    /// The segments of its path.
    pub(super) base: Vec<String>,
}

impl DocumentServer {
    /// The server with a URL: `https://{region}.example.com/v1`, `/v1`.
    pub(super) fn read(url: &str) -> Self {
        let (host, path) = match url.split_once("://") {
            Some((_, rest)) => {
                let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
                (Some(host.to_ascii_lowercase()), path)
            }
            None => (None, url),
        };
        Self { host, base: segments(path) }
    }

    /// True if the host of the server is `host`. A variable in braces stands for any text.
    fn has_host(&self, host: &str) -> bool {
        let Some(own) = &self.host else { return false };
        match (own.split_once('{'), own.rsplit_once('}')) {
            (Some((before, _)), Some((_, after))) => {
                host.len() >= before.len() + after.len() && host.starts_with(before) && host.ends_with(after)
            }
            _ => own == host,
        }
    }
}

/// The segments of a path.
pub(super) fn segments(path: &str) -> Vec<String> {
    path.split('/').filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}

/// The quality of the match between the segments of a call and those of an operation; `None` if they do not match.
pub(super) fn fit(call: &[String], operation: &[String]) -> Option<Fit> {
    if call.len() != operation.len() {
        return None;
    }
    let mut fit = Fit { guessed: 0, literals: 0 };
    for (own, expected) in call.iter().zip(operation) {
        if expected.contains('{') {
            continue;
        }
        match own.split_once('{') {
            None if own == expected => fit.literals += 1,
            None => return None,
            Some((before, rest)) => {
                let after = rest.rsplit('}').next().unwrap_or_default();
                let is_long = expected.len() >= before.len() + after.len();
                if !(is_long && expected.starts_with(before) && expected.ends_with(after)) {
                    return None;
                }
                fit.guessed -= 1;
            }
        }
    }
    // A call of unknown segments alone would match every operation with as many segments.
    let is_certain = fit.literals > 0 || operation.iter().all(|segment| segment.contains('{'));
    is_certain.then_some(fit)
}

#[cfg(test)]
mod tests {
    use super::{CallPath, DocumentServer, fit, segments};

    #[test]
    fn literals_are_better_than_guesses_and_guesses_than_nothing() {
        let best = |call: &str, operations: &[&'static str]| {
            let call = CallPath::read(call);
            let fits = operations.iter().filter_map(|path| Some((fit(&call.segments, &segments(path))?, *path)));
            fits.max().map(|(_, path)| path)
        };
        let pets = ["/pets/{id}", "/pets/mine", "/pets/{id}/toys"];
        assert_eq!(best("/pets/{}", &pets), Some("/pets/{id}"));
        assert_eq!(best("/pets/mine", &pets), Some("/pets/mine"));
        assert_eq!(best("/pets/7/{}", &pets), Some("/pets/{id}/toys"));
        assert_eq!(best("{}/pets/7", &pets), Some("/pets/{id}"));
        assert_eq!(best("/pets/mi{}", &["/pets/mine", "/pets/all"]), Some("/pets/mine"));
        assert_eq!(best("/{}/{}", &pets), None);
        assert_eq!(best("/dogs/1", &pets), None);
    }

    #[test]
    fn a_known_host_is_that_of_a_server_or_of_tests() {
        let servers = [DocumentServer::read("https://{region}.example.com/v1"), DocumentServer::read("/v2")];
        let reaches = |url| CallPath::read(url).may_reach(&servers);
        assert!(reaches("https://eu.example.com/v1/pets") && reaches("http://localhost:80/pets") && reaches("/pets"));
        assert!(reaches("https://{}/pets") && !reaches("https://example.org/pets"));
        assert_eq!(
            CallPath::read("https://eu.example.com/v1/pets").below(&servers[0].base),
            Some(&segments("pets")[..])
        );
    }
}
