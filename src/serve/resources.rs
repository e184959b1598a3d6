//! Resources: texts by URI, of the repository, of symbols and of modules.

use apidisc::{
    StubRequest,
    answers::{self, GetRepoOverview},
    tools::problem,
};
use rmcp::model::{Resource as ProtocolResource, ResourceTemplate};

use super::{
    served_index::{ServedIndex, Snapshot},
    tools::{self, with_context},
};

const OVERVIEW: &str = "apidisc://overview";
const SYMBOL: &str = "apidisc://symbol/";
const MODULE: &str = "apidisc://module/";
const SESSION: &str = "apidisc://session";
/// The media type of every resource but sessions.
pub(super) const TEXT: &str = "text/plain";
/// The media type of sessions.
pub(super) const JSON: &str = "application/json";

/// The resource that a URI names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    Overview,
    /// The stub of a definition, by its name.
    Symbol(String),
    /// The stub of a module, by its name.
    Module(String),
}

impl Resource {
    /// The resource with this URI; `None` if the URI has no form of this server.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let name = |rest: &str| decoded(rest).filter(|name| !name.is_empty());
        if uri == OVERVIEW {
            Some(Self::Overview)
        } else if let Some(rest) = uri.strip_prefix(SYMBOL) {
            name(rest).map(Self::Symbol)
        } else {
            name(uri.strip_prefix(MODULE)?).map(Self::Module)
        }
    }

    /// The text of the resource.
    ///
    /// # Errors
    /// The reason for which there is no text, with the names that exist.
    pub(super) fn text(&self, served: &ServedIndex, snapshot: &Snapshot) -> Result<String, String> {
        let (module, symbol) = match self {
            Self::Overview => {
                let overview =
                    with_context(snapshot, |context| answers::get_repo_overview(context, &GetRepoOverview::default()));
                return overview.map(|answer| answer.text).map_err(|error| problem::of_answer(&error));
            }
            Self::Symbol(name) => (None, Some(name.clone())),
            Self::Module(name) => (Some(name.clone()), None),
        };
        let request = StubRequest { module, symbol, weights: snapshot.weights.clone(), ..StubRequest::default() };
        tools::deliver(served, snapshot, &request).map(|delivery| delivery.text)
    }
}

/// A session that a URI names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedSession {
    /// The session of the process.
    Own,
    /// The session with this handle.
    Handle(String),
}

/// The session that a URI names; `None` for any other URI.
pub(super) fn session(uri: &str) -> Option<NamedSession> {
    match uri.strip_prefix(SESSION)? {
        "" => Some(NamedSession::Own),
        rest => decoded(rest.strip_prefix('/')?).map(NamedSession::Handle),
    }
}

/// The resources whose URIs have no parameter. `has_session` is true if the process has a session.
pub(super) fn list(has_session: bool) -> Vec<ProtocolResource> {
    let overview = ProtocolResource::new(OVERVIEW, "overview")
        .with_title("Overview of the repository")
        .with_description("Summary, first example, entry points, concepts and modules by use; at most 500 tokens")
        .with_mime_type(TEXT);
    let session = ProtocolResource::new(SESSION, "session")
        .with_title("This session")
        .with_description("What this session has fetched, and the tokens of its answers by tool")
        .with_mime_type(JSON);
    [overview].into_iter().chain(has_session.then_some(session)).collect()
}

/// The URI templates of the resources: a symbol, a module, a session.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str| {
        ResourceTemplate::new(format!("{uri}{{fqn}}"), name)
            .with_title(title)
            .with_description("How it is called, as a stub of at most 1,000 tokens")
            .with_mime_type(TEXT)
    };
    let session = ResourceTemplate::new(format!("{SESSION}/{{handle}}"), "session")
        .with_title("A session")
        .with_description("What a session has fetched, and the tokens of its answers by tool")
        .with_mime_type(JSON);
    vec![
        template(SYMBOL, "symbol", "A class, function or method"),
        template(MODULE, "module", "A module or package"),
        session,
    ]
}

/// True if the template names a module, false if it names a symbol; `None` for another URI.
pub(super) fn is_module(template: &str) -> Option<bool> {
    let is = |prefix: &str| template.starts_with(prefix);
    if is(MODULE) { Some(true) } else { is(SYMBOL).then_some(false) }
}

/// A part of a URI without percent escapes; `None` if an escape is broken, or not UTF-8.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_uris_may_be_escaped() {
        let symbol = |name: &str| Some(Resource::Symbol(name.to_owned()));
        assert_eq!(Resource::parse("apidisc://symbol/a.B"), symbol("a.B"));
        assert_eq!(Resource::parse("apidisc://symbol/src%2Fclient%23Client"), symbol("src/client#Client"));
        assert_eq!(Resource::parse("apidisc://symbol/src/client#Client"), symbol("src/client#Client"));
        assert_eq!(Resource::parse("apidisc://overview"), Some(Resource::Overview));
        for bad in
            ["apidisc://symbol/", "apidisc://symbol/%", "apidisc://symbol/%zz", "apidisc://symbol/%ff", "file:///etc"]
        {
            assert_eq!(Resource::parse(bad), None, "{bad}");
        }
    }
}
