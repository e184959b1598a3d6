//! Calls of HTTP APIs, and the routes that servers define.
//!
//! A path template is the text of a path or URL with `{}` for each piece that the code does not show:
//! `{}/campaigns/{}` of `f"{base}/campaigns/{id}"`. The parameters of a route keep their names: `/items/{id}`.

use arcstr::ArcStr;

use super::{DefinitionId, FileId};

/// A call that sends an HTTP request: `requests.get(…)`, `fetch(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpCall {
    /// The file that contains the call.
    pub file: FileId,
    /// The line of the callee's last name token, from 1.
    pub line: u32,
    /// The column of that token, from 0, in bytes.
    pub col: u32,
    /// The innermost function or method around the call; `None` outside of functions.
    pub caller: Option<DefinitionId>,
    /// The request, as far as the code shows it.
    pub request: HttpRequest,
}

/// The parts of a request that a call site shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpRequest {
    /// The HTTP method in capital letters; `None` if the code does not show it.
    pub method: Option<ArcStr>,
    /// The template of the URL or path, without its query.
    pub url: ArcStr,
    /// The parameters of the query.
    pub query: PassedNames,
    /// The properties of the body.
    pub body: PassedNames,
    /// The headers.
    pub headers: PassedNames,
}

/// The names that one part of a request passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedNames {
    /// The names in source order, each once.
    pub names: Box<[PassedName]>,
    /// True if the code may pass names that it does not show: `json=payload`, `{ ...rest }`.
    pub is_open: bool,
}

/// A name that a request passes, with the names one level below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedName {
    /// The name of a query parameter, property or header.
    pub name: ArcStr,
    /// The names of the properties of its value, if the value is an object literal or a list whose first element is
    /// one.
    pub within: Box<[ArcStr]>,
    /// True if the value may have properties that the code does not show.
    pub is_open: bool,
}

/// A route: an HTTP method and a path that a server handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRoute {
    /// The file that defines the route.
    pub file: FileId,
    /// The line of the definition of the route, from 1.
    pub line: u32,
    /// The HTTP method in capital letters; `None` if the route handles every method.
    pub method: Option<ArcStr>,
    /// The template of the path, with the prefixes under which its router is mounted.
    pub path: ArcStr,
    /// The function that handles the requests, if it has a name.
    pub handler: Option<DefinitionId>,
}

/// The calls of HTTP APIs and the routes in the sources, each sorted by file, line and column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpUses {
    /// The calls of HTTP APIs.
    pub calls: Box<[HttpCall]>,
    /// The routes of servers.
    pub routes: Box<[HttpRoute]>,
}

apidisc_base::packed::packed_structs! {
    HttpCall { file, line, col, caller, request }
    HttpRequest { method, url, query, body, headers }
    PassedNames { names, is_open }
    PassedName { name, within, is_open }
    HttpRoute { file, line, method, path, handler }
    HttpUses { calls, routes }
}
