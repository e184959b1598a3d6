//! Routes of Express, Fastify, Koa, Hono and `NestJS`.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    http_values::{EntryNames, Thing},
    infer::Linker,
    program::{FileIndex, GlobalDef},
    rows::DefinitionRows,
};
use crate::{
    link::{
        http::{self, METHODS, Passed, Text, Value},
        linked::LinkedRoute,
    },
    syntax::typescript::facts::{CallExprId, DefId, Expr, ExprId, MemberKind},
};

/// The greatest number of paths that one route has because its router is mounted several times.
const MAX_PREFIXES: usize = 8;
/// The greatest nesting of routers.
const MAX_ROUTERS: u32 = 4;

/// The call that makes a router.
type Router = (FileIndex, CallExprId);

/// A router that is mounted below another one.
#[derive(Clone, Debug)]
struct Mount {
    parent: Option<Router>,
    /// The path of the router, with what the parent itself puts before it.
    prefix: Text,
}

/// Where routers are mounted.
type Mounts = FxHashMap<Router, Vec<Mount>>;

/// A method of a router that is called.
struct RouterCall {
    name: CompactString,
    made: Option<Router>,
    prefix: Text,
}

impl Linker<'_> {
    /// The routes of all files, with the rows of their handlers.
    pub(super) fn http_routes(
        &mut self,
        files: usize,
        entries: &EntryNames,
        rows: &DefinitionRows,
    ) -> Vec<Vec<LinkedRoute>> {
        let mut mounts = Mounts::default();
        for index in 0..files {
            self.add_mounts(FileIndex::new(index), entries, &mut mounts);
        }
        let mut routes: Vec<Vec<LinkedRoute>> = (0..files).map(|_| Vec::new()).collect();
        for (index, routes) in routes.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            for at in 0..self.program.facts(file).calls.len() {
                self.add_route(file, CallExprId::new(at), entries, &mounts, rows, routes);
            }
            for at in 0..self.program.facts(file).definitions.len() {
                self.add_controller(file, DefId::new(at), entries, rows, routes);
            }
            routes.sort_by_key(|route| route.line);
        }
        routes
    }

    /// The router whose method a call calls.
    fn router_call(&mut self, file: FileIndex, site: CallExprId, entries: &EntryNames) -> Option<RouterCall> {
        let facts = self.program.facts(file);
        let row = facts.site(site);
        let Expr::Property { object, name, .. } = facts.expr(row.callee) else { return None };
        let name = facts.name(name);
        let is_route = METHODS.contains(&name) || matches!(name, "all" | "del" | "route" | "use");
        if !is_route || row.line == 0 || row.arguments.is_empty() {
            return None;
        }
        self.budget.begin_question();
        match self.thing(file, object, entries, 0)? {
            Thing::Made { path, made, prefix } if http::is_typescript_router(&path) => {
                Some(RouterCall { name: name.into(), made, prefix })
            }
            _ => None,
        }
    }

    /// Adds where the routers of a file are mounted: `app.use("/api", router)`, `app.route("/api", app2)`.
    fn add_mounts(&mut self, file: FileIndex, entries: &EntryNames, mounts: &mut Mounts) {
        for at in 0..self.program.facts(file).calls.len() {
            let site = CallExprId::new(at);
            let Some(call) = self.router_call(file, site, entries) else { continue };
            if !matches!(call.name.as_str(), "use" | "route") {
                continue;
            }
            let passed = self.passed_values(file, site);
            let path = match passed.first().map(|argument| &argument.value) {
                Some(Value::Text(path)) => path.clone(),
                _ => Text::default(),
            };
            let arguments: Vec<ExprId> =
                self.program.facts(file).site(site).arguments.iter().map(|a| a.value).collect();
            for argument in arguments {
                // `app.use("/api", router.routes())` of Koa.
                let argument = match self.program.facts(file).expr(argument) {
                    Expr::Call(inner) => {
                        match self.program.facts(file).expr(self.program.facts(file).site(inner).callee) {
                            Expr::Property { object, name, .. } if self.program.facts(file).name(name) == "routes" => {
                                object
                            }
                            _ => argument,
                        }
                    }
                    _ => argument,
                };
                if let Some(Thing::Made { path: maker, made: Some(child), .. }) = self.thing(file, argument, entries, 0)
                    && http::is_typescript_router(&maker)
                {
                    let prefix = http::joined(call.prefix.clone(), path.clone());
                    mounts.entry(child).or_default().push(Mount { parent: call.made, prefix });
                }
            }
        }
    }

    /// Adds the routes that a call defines.
    fn add_route(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        entries: &EntryNames,
        mounts: &Mounts,
        rows: &DefinitionRows,
        routes: &mut Vec<LinkedRoute>,
    ) {
        let Some(call) = self.router_call(file, site, entries) else { return };
        let passed = self.passed_values(file, site);
        let row = self.program.facts(file).site(site);
        let options = passed.first().map(|argument| &argument.value);
        let (path, methods, handler) = match call.name.as_str() {
            "use" => return,
            // `fastify.route({ method, url, handler })`
            "route" => {
                let Some(path) = options.and_then(|o| o.entry("url").or_else(|| o.entry("path"))) else { return };
                (path.clone(), listed_methods(options.and_then(|options| options.entry("method"))), None)
            }
            name => {
                // A single argument is a setting in Express: `app.get("env")`.
                let (Some(Passed { value, .. }), Some(last)) =
                    (passed.first(), row.arguments.get(1..).and_then(<[_]>::last))
                else {
                    return;
                };
                let method = (name != "all").then(|| CompactString::new(if name == "del" { "delete" } else { name }));
                (value.clone(), vec![method], Some(last.value))
            }
        };
        let Value::Text(path) = path else { return };
        let handler = handler.and_then(|handler| self.handler_of(file, handler));
        let handler = handler.and_then(|def| rows.of_def.get(&def).copied());
        for prefix in prefixes(call.made, mounts, 0) {
            let prefix = http::joined(prefix, call.prefix.clone());
            let path = http::route_path(&http::joined(prefix, path.clone()).template());
            for method in &methods {
                let method = method.as_ref().map(CompactString::to_ascii_uppercase);
                routes.push(LinkedRoute { line: row.line, method, path: path.clone(), handler });
            }
        }
    }

    /// The named function that an expression is or names.
    fn handler_of(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        match self.program.facts(file).expr(expr) {
            Expr::Function(def) => Some(self.program.global_def(file, def)),
            _ => self.declared_function(file, expr).or_else(|| {
                let ty = self.expr_type(file, expr);
                match *self.types.kind(ty) {
                    super::types::TypeKind::Function(def, _) => Some(def),
                    _ => None,
                }
            }),
        }
    }

    /// Adds the routes of a class with `@Controller("path")`, whose methods have `@Get(":id")`, of `NestJS`.
    fn add_controller(
        &mut self,
        file: FileIndex,
        class: DefId,
        entries: &EntryNames,
        rows: &DefinitionRows,
        routes: &mut Vec<LinkedRoute>,
    ) {
        let facts = self.program.facts(file);
        let row = facts.def(class);
        if row.class().is_none() || row.decorators.is_empty() {
            return;
        }
        self.budget.begin_question();
        let decorators = row.decorators.iter().map(|(decorator, _)| *decorator);
        let mut controller = decorators.filter_map(|decorator| self.nest_decorator(file, decorator, entries));
        let Some((_, prefix)) = controller.find(|(name, _)| name == "Controller") else { return };
        for member in row.members() {
            let MemberKind::Function(method) = member.kind else { continue };
            for (decorator, _) in &facts.def(method).decorators {
                let Some((name, path)) = self.nest_decorator(file, *decorator, entries) else { continue };
                let name = name.to_ascii_lowercase();
                if name != "all" && !METHODS.contains(&name.as_str()) {
                    continue;
                }
                let handler = rows.of_def.get(&self.program.global_def(file, method)).copied();
                routes.push(LinkedRoute {
                    line: member.line,
                    method: (name != "all").then(|| name.to_ascii_uppercase()),
                    path: http::route_path(&http::joined(prefix.clone(), path).template()),
                    handler,
                });
            }
        }
    }

    /// The name and the path of a decorator of `NestJS`.
    fn nest_decorator(
        &mut self,
        file: FileIndex,
        decorator: ExprId,
        entries: &EntryNames,
    ) -> Option<(CompactString, Text)> {
        let Expr::Call(site) = self.program.facts(file).expr(decorator) else { return None };
        let callee = self.program.facts(file).site(site).callee;
        let Thing::Outside(path) = self.thing(file, callee, entries, 0)? else { return None };
        let name = path.strip_prefix("@nestjs/common#")?;
        let first = self.passed_values(file, site).into_iter().next();
        let value = first.map_or(Value::Nothing, |argument| argument.value);
        let path = value.entry("path").cloned().unwrap_or(value);
        let path = match path {
            Value::List(first) => *first,
            Value::Object(_) | Value::Nothing => Value::Text(Text::default()),
            path => path,
        };
        Some((name.into(), path.into_text()))
    }
}

/// The prefixes of the paths of a router.
fn prefixes(router: Option<Router>, mounts: &Mounts, depth: u32) -> Vec<Text> {
    let mounted = router.and_then(|router| mounts.get(&router)).filter(|_| depth < MAX_ROUTERS);
    let Some(mounted) = mounted else { return vec![Text::default()] };
    let mut all = Vec::new();
    for mount in mounted.iter().take(MAX_PREFIXES) {
        let outer = prefixes(mount.parent, mounts, depth + 1).into_iter();
        all.extend(outer.map(|outer| http::joined(outer, mount.prefix.clone())));
    }
    all.truncate(MAX_PREFIXES);
    all
}

/// The methods of an option `method`; every method without it.
fn listed_methods(value: Option<&Value>) -> Vec<Option<CompactString>> {
    let value = match value {
        Some(Value::List(first)) => Some(&**first),
        value => value,
    };
    vec![value.and_then(Value::known_text)]
}
