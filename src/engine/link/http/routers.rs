//! The routers of frameworks, and normal forms of paths.

use std::fmt::Write;

use compact_str::CompactString;

use super::{
    clients::ends,
    value::{Piece, Text, Value},
};

/// The classes of Python whose instances hold routes, by the package and the name of the class.
const PYTHON_ROUTERS: [(&str, &str); 19] = [
    ("fastapi", "FastAPI"),
    ("fastapi", "APIRouter"),
    ("starlette", "Starlette"),
    ("starlette", "Router"),
    ("flask", "Flask"),
    ("flask", "Blueprint"),
    ("quart", "Quart"),
    ("quart", "Blueprint"),
    ("sanic", "Sanic"),
    ("sanic", "Blueprint"),
    ("ninja", "NinjaAPI"),
    ("ninja", "Router"),
    ("aiohttp", "RouteTableDef"),
    ("flask_openapi3", "OpenAPI"),
    ("flask_restful", "Api"),
    ("flask_restx", "Api"),
    ("flask_smorest", "Blueprint"),
    ("apiflask", "APIFlask"),
    ("apiflask", "APIBlueprint"),
];

/// The functions, classes and types of TypeScript that make routers.
const TYPESCRIPT_ROUTERS: [&str; 20] = [
    "express",
    "express#Router",
    "express#express",
    "express#Express",
    "express#Application",
    "express#IRouter",
    "fastify",
    "fastify#fastify",
    "fastify#FastifyInstance",
    "hono#Hono",
    "hono/tiny#Hono",
    "hono/quick#Hono",
    "@hono/zod-openapi#OpenAPIHono",
    "koa-router",
    "@koa/router",
    "@koa/router#Router",
    "koa-router#Router",
    "itty-router#Router",
    "polka",
    "restify#createServer",
];

/// A function or class of Python whose calls stand in lists of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteMaker {
    /// `Route("/x", endpoint, methods=["POST"])` of Starlette.
    Route,
    /// `Mount("/x", routes=[…])` of Starlette: the routes are below its path.
    Mount,
    /// `path("x/", view)` of Django, for every HTTP method. If the view is `include(…)`, the included routes are below
    /// the path.
    Path,
    /// `re_path(r"^x/$", view)` of Django: as [`Self::Path`], with a regular expression.
    Pattern,
}

/// The last names of the [`RouteMaker`]s: the types of calls of other names need not be inferred.
pub(crate) const ROUTE_MAKERS: [&str; 5] = ["Route", "Mount", "path", "re_path", "url"];

/// The function or class with a dotted path, if its calls stand in lists of routes.
pub(crate) fn python_route_maker(path: &str) -> Option<RouteMaker> {
    let (root, name) = ends(path);
    let is_of_urls = path.starts_with("django.urls.") || path.starts_with("django.conf.urls.");
    match (root, name) {
        ("starlette", "Route") => Some(RouteMaker::Route),
        ("starlette", "Mount") => Some(RouteMaker::Mount),
        ("django", "path") if is_of_urls => Some(RouteMaker::Path),
        ("django", "re_path" | "url") if is_of_urls => Some(RouteMaker::Pattern),
        _ => None,
    }
}

/// True for a class whose instances hold routes. `path` is its dotted path.
pub(crate) fn is_python_router(path: &str) -> bool {
    PYTHON_ROUTERS.contains(&ends(path))
}

/// True for a function, class or type that makes routers.
pub(crate) fn is_typescript_router(path: &str) -> bool {
    TYPESCRIPT_ROUTERS.contains(&path)
}

/// The type of the server that a Fastify plugin receives, as a path in [`TYPESCRIPT_ROUTERS`].
pub(crate) const PLUGIN_SERVER: &str = "fastify#FastifyInstance";

/// True for the type of the server that a plugin receives: its routes are below the path at which the plugin is
/// registered.
pub(crate) fn has_plugins(router: &str) -> bool {
    matches!(router.split_once('#'), Some(("fastify", "FastifyInstance")))
}

/// True for the type of a plugin: `FastifyPluginAsync` of `fastify`, `FastifyPluginAsyncTypebox` of a package for it.
pub(crate) fn is_plugin_type(path: &str) -> bool {
    let (module, name) = path.split_once('#').unwrap_or((path, ""));
    name.starts_with("FastifyPlugin")
        && module
            .rsplit('/')
            .next()
            .is_some_and(|package| package.starts_with("fastify") || module.starts_with("@fastify/"))
}

/// True for a router whose `route("/x")` returns an object with the HTTP methods: `router.route("/x").get(handler)`.
pub(crate) fn chains_methods(router: &str) -> bool {
    is_typescript_router(router) && router.split('#').next() == Some("express")
}

/// The path prefix that the options of a router give its routes: `new Router({ prefix: "/x" })` of Koa.
pub(crate) fn router_prefix(router: &str, options: &Value) -> Option<Text> {
    let is_koa = matches!(router.split('#').next(), Some("@koa/router" | "koa-router"));
    options.entry("prefix").filter(|_| is_koa).map(|prefix| prefix.clone().into_text())
}

/// True for a function that creates a `NestJS` application, or for the type of the application.
pub(crate) fn is_nest_application(path: &str) -> bool {
    let is_type = |name: &str| matches!(name, "INestApplication" | "NestExpressApplication" | "NestFastifyApplication");
    match path.split_once('#') {
        Some(("@nestjs/core", name)) => name == "NestFactory.create",
        Some((module, name)) => module.starts_with("@nestjs/") && is_type(name),
        None => false,
    }
}

/// True for the function that creates the description of a route: `createRoute({ method, path })` of Hono.
pub(crate) fn makes_route(path: &str) -> bool {
    path == "@hono/zod-openapi#createRoute"
}

/// A path below another one, with one slash between the two.
pub(crate) fn joined(base: Text, path: Text) -> Text {
    let mut pieces = base.0;
    if let Some(Piece::Literal(last)) = pieces.last_mut() {
        let kept = last.trim_end_matches('/').len();
        last.truncate(kept);
    }
    let mut rest = path.0;
    if let Some(Piece::Literal(first)) = rest.first_mut() {
        *first = first.trim_start_matches('/').into();
    }
    let first = match rest.first() {
        Some(Piece::Literal(first)) => first.as_str(),
        Some(Piece::Hole(_)) => "{}",
        None => "",
    };
    if !first.starts_with('?') && (!first.is_empty() || rest.len() > 1) {
        pieces.push(Piece::Literal("/".into()));
    }
    pieces.extend(rest);
    Text(pieces)
}

/// The path of a route in normal form: it begins with a slash, and a parameter is written `{name}`, for each notation
/// of a framework: `<int:id>`, `:id`, `:id{[0-9]+}`, `{path:path}`.
pub(crate) fn route_path(path: &str) -> CompactString {
    let mut normal = CompactString::default();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        normal.push('/');
        let parameter = if let Some(inner) = segment.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')) {
            Some(inner.rsplit(':').next().unwrap_or(inner))
        } else if let Some(inner) = segment.strip_prefix(':') {
            Some(inner.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(inner))
        } else {
            let inner = segment.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
            inner.filter(|inner| !inner.contains('}')).map(|inner| inner.split(':').next().unwrap_or(inner))
        };
        match parameter {
            Some(name) => {
                let _ = write!(normal, "{{{name}}}");
            }
            None => normal.push_str(segment),
        }
    }
    if normal.is_empty() { CompactString::const_new("/") } else { normal }
}
