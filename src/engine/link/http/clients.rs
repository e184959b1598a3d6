//! The functions and clients of libraries that send HTTP requests.
//!
//! A name from outside a file is written as a path. In Python, dots separate its parts: `requests.get`. In TypeScript,
//! `#` follows the module, and a name of the platform has no module: `axios#create`, `#fetch`.

use super::METHODS;

/// The convention by which the arguments of a call give the parts of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// `get(url, params=…, json=…, headers=…)`: `requests`, `httpx`, `aiohttp`, `urllib3` and test clients of Python.
    Keywords,
    /// `fetch(url, { method, body, headers })` (WHATWG Fetch).
    Fetch,
    /// `get(url, config)`, `post(url, data, config)`, `request(config)`: axios and clients like it.
    Axios,
    /// `get(url, { searchParams, json, headers })`: ky and got.
    Options,
    /// `request(app).post(url).send(body).query(query).set(header, value)`: supertest and superagent.
    Chain,
    /// `inject({ method, url, payload })`: Fastify.
    Inject,
    /// `client.request({ method, path, body })`: undici.
    Dispatcher,
}

/// The request that calls of a function or method send: the convention of the arguments, and the source of the HTTP
/// method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sender {
    pub(crate) client: Client,
    pub(crate) method: MethodSource,
}

/// The source of the HTTP method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodSource {
    /// The name of the callee, which is this method.
    Name(&'static str),
    /// The first argument.
    FirstArgument,
    /// The option `method`; GET if the call does not pass it.
    Option,
}

/// The classes of Python whose instances send requests, by the package and the name of the class.
const PYTHON_CLIENTS: [(&str, &str); 21] = [
    ("requests", "Session"),
    ("requests", "session"),
    ("httpx", "Client"),
    ("httpx", "AsyncClient"),
    ("aiohttp", "ClientSession"),
    ("aiohttp", "TestClient"),
    ("urllib3", "PoolManager"),
    ("urllib3", "ProxyManager"),
    ("fastapi", "TestClient"),
    ("starlette", "TestClient"),
    ("litestar", "TestClient"),
    ("litestar", "AsyncTestClient"),
    ("flask", "FlaskClient"),
    ("werkzeug", "Client"),
    ("django", "Client"),
    ("django", "AsyncClient"),
    ("rest_framework", "APIClient"),
    ("ninja", "TestClient"),
    ("ninja", "TestAsyncClient"),
    ("async_asgi_testclient", "TestClient"),
    ("requests_oauthlib", "OAuth2Session"),
];

/// The packages of Python whose functions send requests.
const PYTHON_FUNCTIONS: [&str; 4] = ["requests", "httpx", "aiohttp", "urllib3"];

/// The functions of TypeScript that take the arguments of `fetch`.
const FETCH_FUNCTIONS: [&str; 16] = [
    "#fetch",
    "#$fetch",
    "#window.fetch",
    "#globalThis.fetch",
    "#self.fetch",
    "#global.fetch",
    "node-fetch",
    "undici#fetch",
    "undici#request",
    "undici#stream",
    "ofetch#$fetch.raw",
    "cross-fetch",
    "cross-fetch#fetch",
    "isomorphic-fetch",
    "isomorphic-unfetch",
    "node-fetch-native",
];

/// The packages of TypeScript whose functions and clients are called directly under other names than `fetch`, as in
/// `axios(url)`. Calls of plain names are examined only if the sources import one of these packages.
pub(crate) const CALLED_PACKAGES: [&str; 11] = [
    "axios",
    "undici",
    "ky",
    "ky-universal",
    "got",
    "ofetch",
    "node-fetch",
    "node-fetch-native",
    "cross-fetch",
    "isomorphic-fetch",
    "isomorphic-unfetch",
];

/// The functions and types of TypeScript that create clients, each with the convention of the client's methods.
const MAKERS: [(&str, Client); 36] = [
    ("axios#create", Client::Axios),
    ("axios#Axios", Client::Axios),
    ("axios#AxiosInstance", Client::Axios),
    ("axios#AxiosStatic", Client::Axios),
    ("@nestjs/axios#HttpService", Client::Axios),
    ("@angular/common/http#HttpClient", Client::Axios),
    ("ky#create", Client::Options),
    ("ky#extend", Client::Options),
    ("ky#KyInstance", Client::Options),
    ("got#extend", Client::Options),
    ("got#Got", Client::Options),
    (PLAYWRIGHT_REQUEST, Client::Options),
    ("playwright#APIRequestContext", Client::Options),
    ("playwright-core#APIRequestContext", Client::Options),
    ("@playwright/test#request.newContext", Client::Options),
    ("playwright#request.newContext", Client::Options),
    ("supertest", Client::Chain),
    ("supertest#agent", Client::Chain),
    ("supertest#Agent", Client::Chain),
    ("supertest#SuperTest", Client::Chain),
    ("supertest#SuperAgentTest", Client::Chain),
    ("supertest/lib/agent", Client::Chain),
    ("superagent#agent", Client::Chain),
    ("chai#request", Client::Chain),
    ("chai-http#request.execute", Client::Chain),
    ("fastify", Client::Inject),
    ("fastify#fastify", Client::Inject),
    ("fastify#FastifyInstance", Client::Inject),
    ("undici#Client", Client::Dispatcher),
    ("undici#Pool", Client::Dispatcher),
    ("hono#Hono", Client::Fetch),
    ("@hono/zod-openapi#OpenAPIHono", Client::Fetch),
    ("ofetch#create", Client::Fetch),
    ("ofetch#ofetch.create", Client::Fetch),
    ("ofetch#$fetch.create", Client::Fetch),
    ("#$fetch.create", Client::Fetch),
];

/// The client that Playwright passes to a test as `request`.
const PLAYWRIGHT_REQUEST: &str = "@playwright/test#APIRequestContext";
/// A page of a browser, which Playwright passes to a test as `page`.
const PLAYWRIGHT_PAGE: &str = "@playwright/test#Page";

/// The method in [`METHODS`] with this name.
fn method(name: &str) -> Option<&'static str> {
    METHODS.into_iter().find(|method| *method == name)
}

/// True for a class whose instances send requests: [`PYTHON_CLIENTS`]. `path` is its dotted path.
pub(crate) fn is_client_class(path: &str) -> bool {
    let (root, name) = ends(path);
    PYTHON_CLIENTS.contains(&(root, name))
}

/// True for a client class whose constructor takes the base URL as its first argument.
pub(crate) fn takes_base_first(path: &str) -> bool {
    ends(path) == ("aiohttp", "ClientSession")
}

/// The first and the last part of a dotted path.
pub(super) fn ends(path: &str) -> (&str, &str) {
    let first = path.split('.').next().unwrap_or(path);
    (first, path.rsplit('.').next().unwrap_or(path))
}

/// The sender for a Python function with this dotted path; `None` if the function sends no request.
pub(crate) fn python_function(path: &str) -> Option<Sender> {
    let (root, name) = ends(path);
    // `requests.api.get`, `httpx._api.get`; a deeper path is no function of the package's interface.
    let is_function = PYTHON_FUNCTIONS.contains(&root) && path.split('.').count() <= 3;
    is_function.then(|| python_method(name)).flatten()
}

/// The sender for the method `name` of a Python client; `None` if the method sends no request.
pub(crate) fn python_method(name: &str) -> Option<Sender> {
    let method = match name {
        "request" | "stream" => MethodSource::FirstArgument,
        _ => MethodSource::Name(method(name)?),
    };
    Some(Sender { client: Client::Keywords, method })
}

/// The sender for a TypeScript function with this path; `None` if the function sends no request.
pub(crate) fn typescript_function(path: &str) -> Option<Sender> {
    if FETCH_FUNCTIONS.contains(&path) {
        return Some(Sender { client: Client::Fetch, method: MethodSource::Option });
    }
    let (module, name) = path.split_once('#').unwrap_or((path, ""));
    let client = match module {
        "axios" => Client::Axios,
        "ky" | "ky-universal" | "got" => Client::Options,
        "superagent" => Client::Chain,
        "ofetch" if matches!(name, "ofetch" | "$fetch") => {
            return Some(Sender { client: Client::Fetch, method: MethodSource::Option });
        }
        _ => return None,
    };
    let name = name.strip_prefix(module).map_or(name, |rest| rest.trim_start_matches('.'));
    match name {
        "" | "request" if client != Client::Chain => Some(Sender { client, method: MethodSource::Option }),
        name => Some(Sender { client, method: MethodSource::Name(method(name)?) }),
    }
}

/// The sender for the method `name` of the client that `maker` creates, or for a call of the client itself if `name` is
/// `None`. `None` if the call sends no request.
pub(crate) fn typescript_method(maker: &str, name: Option<&str>) -> Option<Sender> {
    let client = MAKERS.iter().find(|(path, _)| *path == maker)?.1;
    let method = match (client, name) {
        (Client::Axios | Client::Options, None) | (Client::Axios, Some("request")) => MethodSource::Option,
        (Client::Inject, Some("inject")) => MethodSource::Option,
        (Client::Fetch, None) | (Client::Fetch | Client::Dispatcher, Some("request")) => MethodSource::Option,
        (Client::Options, Some("fetch")) => MethodSource::Option,
        (Client::Axios | Client::Options | Client::Chain, Some(name)) => MethodSource::Name(method(name)?),
        _ => return None,
    };
    Some(Sender { client, method })
}

/// True for the path of a TypeScript function or type that creates a client: [`MAKERS`].
pub(crate) fn is_maker(path: &str) -> bool {
    MAKERS.iter().any(|(maker, _)| *maker == path)
}

/// The type of the property `name` of the object that `maker` creates, as a path in [`MAKERS`]; `None` if the property
/// is no client.
pub(crate) fn made_by_property(maker: &str, name: &str) -> Option<&'static str> {
    (maker == PLAYWRIGHT_PAGE && name == "request").then_some(PLAYWRIGHT_REQUEST)
}

/// The type of the fixture `name` that the test runner `test` passes to a test: a path in [`MAKERS`], or the path of a
/// page.
pub(crate) fn fixture(test: &str, name: &str) -> Option<&'static str> {
    match (test.starts_with("@playwright/test#test"), name) {
        (true, "request") => Some(PLAYWRIGHT_REQUEST),
        (true, "page") => Some(PLAYWRIGHT_PAGE),
        _ => None,
    }
}
