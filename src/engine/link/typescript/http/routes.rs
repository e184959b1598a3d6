//! Routes of Express, Fastify, Koa and Hono.

use compact_str::CompactString;

use super::{
    HttpReader,
    mounts::{Mounts, prefixes},
    objects::{CreationSite, HttpObject},
};
use crate::typescript::{
    callees::Callees,
    program::{FileIndex, GlobalDef},
    types::TypeKind,
};
use crate::{
    http::{self, METHODS, PassedArgument, Text, Value},
    linked::LinkedRoute,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::syntax::typescript::facts::{CallExprId, DefId, Expr, ExprId};

/// A method of a router that is called.
pub(super) struct RouterCall {
    pub(in crate::typescript) name: CompactString,
    pub(super) created_at: Option<CreationSite>,
    pub(super) prefix: Text,
    /// True if `prefix` is the whole path.
    is_route: bool,
}

impl HttpReader<'_, '_> {
    /// The routes of all files, with the rows of their handlers. The functions that are registered as plugins are kept.
    pub(in crate::typescript) fn http_routes(&mut self, files: usize) -> Vec<Vec<LinkedRoute>> {
        let mounts = self.mounts(files);
        let nest = self.nest_settings(files);
        let mut routes: Vec<Vec<LinkedRoute>> = (0..files).map(|_| Vec::new()).collect();
        for (index, routes) in routes.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            for at in 0..self.linker.program.facts(file).calls.len() {
                self.add_route(file, CallExprId::new(at), &mounts, routes);
            }
            for at in 0..self.linker.program.facts(file).definitions.len() {
                self.add_controller(file, DefId::new(at), &nest, routes);
            }
            routes.shared_sort_by_key(|route| route.line);
        }
        routes
    }

    /// The router whose method a call calls.
    pub(super) fn router_call(&mut self, file: FileIndex, site: CallExprId) -> Option<RouterCall> {
        let facts = self.linker.program.facts(file);
        let row = facts.site(site);
        let Expr::Property { object, name, .. } = facts.expr(row.callee) else { return None };
        let name = facts.name(name);
        let is_route =
            METHODS.contains(&name) || matches!(name, "all" | "del" | "route" | "use" | "on" | "register" | "openapi");
        if !is_route || row.line == 0 || row.arguments.is_empty() {
            return None;
        }
        self.linker.budget.begin_query();
        match self.http_object(file, object, 0)? {
            HttpObject::Instance { path, created_at, prefix, is_route } if http::is_typescript_router(&path) => {
                Some(RouterCall { name: name.into(), created_at, prefix, is_route })
            }
            _ => None,
        }
    }

    /// Adds the routes that a call defines.
    fn add_route(&mut self, file: FileIndex, site: CallExprId, mounts: &Mounts, routes: &mut Vec<LinkedRoute>) {
        let Some(call) = self.router_call(file, site) else { return };
        let passed = self.passed_values(file, site);
        let arguments = &self.linker.program.facts(file).site(site).arguments;
        let options = passed.first().map(|argument| &argument.value);
        let last = arguments.get(1..).and_then(<[_]>::last).map(|argument| argument.value);
        let (path, methods, handler) = match call.name.as_str() {
            "use" | "register" => return,
            // `fastify.route({ method, url, handler })`
            "route" => {
                let Some(path) = options.and_then(|o| o.entry("url").or_else(|| o.entry("path"))) else { return };
                let methods = self.listed_methods(file, arguments.first().map(|argument| argument.value));
                (path.clone(), methods, None)
            }
            // `app.openapi(createRoute({ method, path }), handler)` of Hono
            "openapi" => {
                let Some((file, options)) = self.created_route(file, arguments.first().map(|a| a.value)) else {
                    return;
                };
                let Some(path) = self.literal_value(file, options, None, 0).entry("path").cloned() else { return };
                (path, self.listed_methods(file, Some(options)), last)
            }
            // `app.on(["PUT", "DELETE"], "/x", handler)` of Hono
            "on" => {
                let (Some(methods), Some(path)) = (arguments.first(), passed.get(1)) else { return };
                let methods = self.listed_texts(file, methods.value).into_iter().map(Some).collect();
                (path.value.clone(), methods, last)
            }
            name => {
                let method = (name != "all").then(|| CompactString::new(if name == "del" { "delete" } else { name }));
                if call.is_route {
                    (Value::Text(Text::default()), vec![method], arguments.last().map(|argument| argument.value))
                } else {
                    // A single argument is a setting in Express: `app.get("env")`.
                    let (Some(PassedArgument { value, .. }), Some(last)) = (passed.first(), last) else { return };
                    (value.clone(), vec![method], Some(last))
                }
            }
        };
        let paths = match (path, arguments.first()) {
            (Value::Text(path), _) => vec![path],
            // `app.get(["/a", "/b"], handler)`
            (Value::List(_), Some(argument)) => {
                self.listed_texts(file, argument.value).iter().map(|path| Text::literal(path)).collect()
            }
            _ => return,
        };
        let line = self.linker.program.facts(file).site(site).line;
        let handler = handler.and_then(|handler| self.handler_of(file, handler));
        let handler = handler.and_then(|def| self.rows.of_def.get(&def).copied());
        for prefix in prefixes(call.created_at, mounts, 0) {
            let prefix = http::joined(prefix, call.prefix.clone());
            for path in &paths {
                let path = http::route_path(&http::joined(prefix.clone(), path.clone()).template());
                for method in &methods {
                    let method = method.as_ref().map(CompactString::to_ascii_uppercase);
                    routes.push(LinkedRoute { line, method, path: path.clone(), handler });
                }
            }
        }
    }

    /// The options of `createRoute(options)`, if `route` is the result.
    fn created_route(&mut self, file: FileIndex, route: Option<ExprId>) -> Option<(FileIndex, ExprId)> {
        let (file, made) = self.value_origin(file, route?);
        let Expr::Call(site) = self.linker.program.facts(file).expr(made) else { return None };
        let site = self.linker.program.facts(file).site(site);
        let (callee, options) = (site.callee, site.arguments.first()?.value);
        match self.http_object(file, callee, 0)? {
            HttpObject::Outside(path) if http::makes_route(&path) => Some((file, options)),
            _ => None,
        }
    }

    /// The methods in the option `method` of an object literal; every method without it.
    fn listed_methods(&mut self, file: FileIndex, options: Option<ExprId>) -> Vec<Option<CompactString>> {
        let every = vec![None];
        let Some((file, value)) = options.and_then(|options| self.option(file, options, "method")) else {
            return every;
        };
        let listed = self.listed_texts(file, value);
        if listed.is_empty() { every } else { listed.into_iter().map(Some).collect() }
    }

    /// The named function that an expression is or names.
    fn handler_of(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        match self.linker.program.facts(file).expr(expr) {
            Expr::Function(def) => Some(self.linker.program.global_def(file, def)),
            _ => Callees::of(self.linker).declared_function(file, expr).or_else(|| {
                let ty = self.linker.expr_type(file, expr);
                match *self.linker.types.kind(ty) {
                    TypeKind::Function(def, _) => Some(def),
                    _ => None,
                }
            }),
        }
    }
}
