//! Routes of `FastAPI`, Starlette, Flask and frameworks like them: decorators, and calls that add a route.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    http_values::GlobalExpr,
    http_views::HandledMethod,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    types::Type,
};
use crate::http::{self, METHODS, PassedArgument, Text, Value};
use apidisc_base::{nesting, sort::SharedSort as _};
use apidisc_facts::syntax::python::facts::{CallExprId, DefId, Expr, ExprId};

/// The greatest number of paths that one route has because its router is mounted several times.
const MAX_PREFIXES: usize = 8;
/// The greatest nesting of routers.
const MAX_ROUTERS: u32 = 4;

/// A route whose handler is named by its global id, before definitions have rows.
#[derive(Clone, Debug)]
pub(super) struct FoundRoute {
    pub(super) line: u32,
    pub(super) method: Option<CompactString>,
    pub(super) path: CompactString,
    pub(super) handler: Option<GlobalDef>,
}

/// A router that is mounted below another one.
#[derive(Clone, Debug)]
struct Mount {
    parent: Option<GlobalExpr>,
    prefix: Text,
    /// True if `prefix` replaces the router's own prefix, as in Flask.
    replaces: bool,
}

/// The mounts of each router. The key is the expression that creates the router.
type Mounts = FxHashMap<GlobalExpr, Vec<Mount>>;

impl Linker<'_> {
    /// The routes of all files.
    pub(super) fn http_routes(&mut self, fqns: &[CompactString]) -> Vec<Vec<FoundRoute>> {
        let files = self.program.files.len();
        let mounts = self.mounts(fqns);
        let mut routes: Vec<Vec<FoundRoute>> = vec![Vec::new(); files];
        for (index, routes) in routes.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            if self.program.files[index].is_installed {
                continue;
            }
            let facts = self.program.facts(file);
            for (at, def) in facts.definitions.iter().enumerate() {
                for (decorator, _) in &def.decorators {
                    if let Expr::Call(site) = facts.expr(*decorator) {
                        let handler = self.program.global_def(file, DefId::new(at));
                        self.add_routes(file, site, Some(handler), fqns, &mounts, routes);
                    }
                }
            }
            for at in 0..facts.calls.len() {
                let name = match facts.expr(facts.calls[at].callee) {
                    Expr::Attribute { name, .. } => facts.name(name),
                    _ => continue,
                };
                if matches!(name, "add_api_route" | "add_route" | "add_url_rule" | "add_resource") {
                    self.add_routes(file, CallExprId::new(at), None, fqns, &mounts, routes);
                }
            }
        }
        self.add_listed_routes(fqns, &mut routes);
        for routes in &mut routes {
            routes.shared_sort_by_key(|route| route.line);
        }
        routes
    }

    /// Adds the routes that a call such as `router.get("/x")` defines. If the call is a decorator, `decorated` is the
    /// function that it decorates, which handles the requests.
    fn add_routes(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        decorated: Option<GlobalDef>,
        fqns: &[CompactString],
        mounts: &Mounts,
        routes: &mut Vec<FoundRoute>,
    ) {
        let facts = self.program.facts(file);
        let row = &facts.calls[site.index()];
        let Expr::Attribute { value: router, name, .. } = facts.expr(row.callee) else { return };
        let name = facts.name(name);
        let is_adding = decorated.is_none();
        if !(is_adding || METHODS.contains(&name) || matches!(name, "route" | "api_route")) {
            return;
        }
        self.begin_query();
        if !self.is_router(file, router, fqns) {
            return;
        }
        let passed = self.passed_values(file, site);
        // `api.add_resource(View, "/x", "/y")`
        let is_resource = name == "add_resource";
        let paths: Vec<CompactString> = if is_resource {
            passed.iter().skip(1).filter(|a| a.keyword.is_none()).filter_map(|a| a.value.known_text()).collect()
        } else {
            argument(&passed, &["path", "rule"], 0).and_then(Value::known_text).into_iter().collect()
        };
        if paths.is_empty() {
            return;
        }
        let view = passed.iter().position(|a| a.keyword.as_deref() == Some("view_func")).unwrap_or(1);
        let view = row.arguments.get(if is_resource { 0 } else { view }).map(|argument| argument.value);
        let class = match decorated {
            Some(def) => self.program.class_of(def),
            None => view.and_then(|view| self.view_class(file, view)),
        };
        let handler = decorated.or_else(|| self.function_of(file, view?));
        let is_listed = row.arguments.iter().any(|a| a.keyword.is_some_and(|keyword| facts.name(keyword) == "methods"));
        let handled: Vec<HandledMethod> = match class {
            // A view class handles the HTTP methods that it defines.
            Some(class) if !is_listed && !METHODS.contains(&name) => self.handled_methods(class, fqns),
            _ if METHODS.contains(&name) => vec![(Some(name.to_ascii_uppercase().into()), handler)],
            _ => self.listed_methods(file, site).into_iter().map(|method| (method, handler)).collect(),
        };
        let router = self.origin((file, router), 0);
        for prefix in self.prefixes(router, mounts, 0) {
            for path in &paths {
                let path = http::route_path(&http::joined(prefix.clone(), Text::literal(path)).template());
                for (method, handler) in &handled {
                    let (method, path) = (method.clone(), path.clone());
                    routes.push(FoundRoute { line: row.line, method, path, handler: *handler });
                }
            }
        }
    }

    /// The HTTP methods in `methods=[…]`; GET if the call has no such argument.
    pub(super) fn listed_methods(&mut self, file: FileIndex, site: CallExprId) -> Vec<Option<CompactString>> {
        let facts = self.program.facts(file);
        let is_methods = |keyword| facts.name(keyword) == "methods";
        let mut arguments = facts.calls[site.index()].arguments.iter();
        let Some(argument) = arguments.find(|argument| argument.keyword.is_some_and(is_methods)) else {
            return vec![Some(CompactString::const_new("GET"))];
        };
        match facts.expr(argument.value) {
            Expr::List(list) | Expr::Tuple(list) | Expr::Set(list) => facts
                .list(list)
                .iter()
                .map(|item| self.literal_value((file, *item), None, 0).known_text())
                .map(|method| method.map(|method| method.to_ascii_uppercase()))
                .collect(),
            _ => vec![None],
        }
    }

    /// True if an expression is a router.
    fn is_router(&mut self, file: FileIndex, router: ExprId, fqns: &[CompactString]) -> bool {
        let ty = self.expr_type(file, router);
        self.is_instance(ty, fqns, http::is_python_router)
    }

    /// The function that an expression names.
    pub(super) fn function_of(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        let ty = self.expr_type(file, expr);
        match *self.types.get(ty) {
            Type::Function(def) | Type::Method(def, _) => Some(def),
            _ => None,
        }
    }

    /// Collects the mounts of all routers: `include_router`, `register_blueprint`, `mount`, `add_router`.
    fn mounts(&mut self, fqns: &[CompactString]) -> Mounts {
        let mut mounts = Mounts::default();
        for index in 0..self.program.files.len() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            for (at, site) in facts.calls.iter().enumerate() {
                let Expr::Attribute { value: parent, name, .. } = facts.expr(site.callee) else { continue };
                let name = facts.name(name);
                let child = match name {
                    "include_router" | "register_blueprint" => 0,
                    "mount" | "add_router" => 1,
                    _ => continue,
                };
                let Some(child) = site.arguments.get(child) else { continue };
                self.begin_query();
                if !self.is_router(file, parent, fqns) {
                    continue;
                }
                let passed = self.passed_values(file, CallExprId::new(at));
                let by_position = if matches!(name, "mount" | "add_router") { 0 } else { usize::MAX };
                let prefix = argument(&passed, &["prefix", "url_prefix", "path"], by_position);
                let mount = Mount {
                    parent: self.origin((file, parent), 0),
                    prefix: prefix.map_or(Text::default(), |prefix| prefix.clone().into_text()),
                    replaces: name == "register_blueprint" && prefix.is_some(),
                };
                if let Some(child) = self.origin((file, child.value), 0) {
                    mounts.entry(child).or_default().push(mount);
                }
            }
        }
        mounts
    }

    /// The prefixes that the routes of a router have, one for each mount.
    fn prefixes(&mut self, router: Option<GlobalExpr>, mounts: &Mounts, depth: u32) -> Vec<Text> {
        let Some(_level) = nesting::descend() else { return vec![Text::default()] };
        let Some(router) = router else { return vec![Text::default()] };
        let own = match self.program.facts(router.0).expr(router.1) {
            Expr::Call(site) => {
                let passed = self.passed_values(router.0, site);
                argument(&passed, &["prefix", "url_prefix"], usize::MAX).cloned()
            }
            _ => None,
        };
        let own = own.map_or(Text::default(), Value::into_text);
        let Some(mounted) = mounts.get(&router).filter(|_| depth < MAX_ROUTERS) else { return vec![own] };
        let mut prefixes = Vec::new();
        for mount in mounted.iter().take(MAX_PREFIXES) {
            for outer in self.prefixes(mount.parent, mounts, depth + 1) {
                let below = http::joined(outer, mount.prefix.clone());
                prefixes.push(if mount.replaces { below } else { http::joined(below, own.clone()) });
            }
        }
        prefixes.truncate(MAX_PREFIXES);
        prefixes
    }
}

/// The argument with one of `names`, or at `position`.
pub(super) fn argument<'v>(passed: &'v [PassedArgument], names: &[&str], position: usize) -> Option<&'v Value> {
    let named =
        |argument: &&PassedArgument| argument.keyword.as_deref().is_some_and(|keyword| names.contains(&keyword));
    let by_name = passed.iter().find(named);
    let by_position = || passed.get(position).filter(|argument| argument.keyword.is_none() && !argument.is_spread);
    by_name.or_else(by_position).map(|argument| &argument.value)
}
