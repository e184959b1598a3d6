//! Routes that are items of lists: `Route` and `Mount` of Starlette, `path` and `re_path` of Django, and the view sets
//! of its REST framework.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    http_routes::{FoundRoute, argument},
    http_values::GlobalExpr,
    linker::Linker,
    program::FileIndex,
    types::Type,
};
use crate::http::{self, PassedArgument, ROUTE_MAKERS, RouteMaker, Text, Value};
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{BinaryOperator, CallExprId, Expr, ExprId};

/// The greatest nesting of lists of routes.
const MAX_LISTS: u32 = 6;

/// A call site of the program.
type Site = (FileIndex, CallExprId);

/// The calls that make routes, and the nesting of their paths.
#[derive(Default)]
struct RouteCalls {
    made: Vec<(Site, RouteMaker)>,
    /// The calls whose paths are patterns.
    patterns: FxHashSet<Site>,
    /// The calls that register a view set, with the router.
    registered: Vec<(Site, GlobalExpr)>,
    /// For each call, the call that puts it below a path.
    above: FxHashMap<Site, Site>,
    /// For each router of view sets, the call that puts it below a path.
    routers: FxHashMap<GlobalExpr, Site>,
    /// For each file that is included as a whole, the call that puts its routes below a path.
    included: FxHashMap<FileIndex, Site>,
}

impl Linker<'_> {
    /// Adds the routes that stand in lists.
    pub(super) fn add_listed_routes(&mut self, fqns: &[CompactString], routes: &mut [Vec<FoundRoute>]) {
        let route_calls = self.route_calls(fqns);
        for &(site, maker) in &route_calls.made {
            if maker != RouteMaker::Mount && self.include_of(site).is_none() {
                self.add_listed_route(site, maker, &route_calls, fqns, routes);
            }
        }
        for &((file, call), router) in &route_calls.registered {
            self.begin_query();
            let row = &self.program.facts(file).calls[call.index()];
            let passed = self.passed_values(file, call);
            let Some(prefix) = argument(&passed, &["prefix"], 0).and_then(Value::known_text) else { continue };
            let Some(prefix) = http::path_of_pattern(&prefix) else { continue };
            let Some(class) = row.arguments.get(1).and_then(|view| self.view_class(file, view.value)) else { continue };
            let above = match route_calls.routers.get(&router) {
                Some(&above) => {
                    let path = self.path_or_unknown(above, &route_calls);
                    http::joined(self.path_above(above, &route_calls, 0), path)
                }
                None => self.path_above((file, call), &route_calls, 0),
            };
            let above = http::joined(above, Text::literal(&prefix));
            for (path, (method, handler)) in self.handled_paths(class, fqns) {
                let path = http::route_path(&http::joined(above.clone(), path).template());
                routes[file.index()].push(FoundRoute { line: row.line, method, path, handler });
            }
        }
    }

    /// Adds the route that a call in a list makes.
    fn add_listed_route(
        &mut self,
        site: Site,
        maker: RouteMaker,
        route_calls: &RouteCalls,
        fqns: &[CompactString],
        routes: &mut [Vec<FoundRoute>],
    ) {
        let (file, call) = site;
        let facts = self.program.facts(file);
        let row = &facts.calls[call.index()];
        self.begin_query();
        let Some(path) = self.path_of(site, route_calls) else { return };
        let is_view = |keyword| matches!(facts.name(keyword), "endpoint" | "view");
        let named = row.arguments.iter().find(|argument| argument.keyword.is_some_and(is_view));
        let view = named.or(row.arguments.get(1).filter(|argument| argument.keyword.is_none()));
        // `path("admin/", admin.site.urls)` includes routes that are not known.
        if view.is_some_and(
            |view| matches!(facts.expr(view.value), Expr::Attribute { name, .. } if facts.name(name) == "urls"),
        ) {
            return;
        }
        let handler = view.and_then(|view| self.function_of(file, view.value));
        let class = view.filter(|_| handler.is_none()).and_then(|view| self.view_class(file, view.value));
        let handled = match class {
            // A view class handles the HTTP methods that it defines.
            Some(class) => self.handled_methods(class, fqns),
            None if maker == RouteMaker::Route && handler.is_some() => {
                self.listed_methods(file, call).into_iter().map(|method| (method, handler)).collect()
            }
            None => vec![(None, handler)],
        };
        let path = http::joined(self.path_above(site, route_calls, 0), path);
        let path = http::route_path(&path.template());
        routes[file.index()].extend(handled.into_iter().map(|(method, handler)| FoundRoute {
            line: row.line,
            method,
            path: path.clone(),
            handler,
        }));
    }

    /// Collects the calls that make routes, and for each of them the call that puts its path below another path.
    fn route_calls(&mut self, fqns: &[CompactString]) -> RouteCalls {
        let mut route_calls = RouteCalls::default();
        for index in 0..self.program.files.len() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            for (at, row) in facts.calls.iter().enumerate() {
                let (receiver, name) = match facts.expr(row.callee) {
                    Expr::Name { name, .. } => (None, facts.name(name)),
                    Expr::Attribute { value, name, .. } => (Some(value), facts.name(name)),
                    _ => continue,
                };
                let site = (file, CallExprId::new(at));
                if ROUTE_MAKERS.contains(&name) {
                    self.begin_query();
                    let Some(maker) = self.route_maker(file, row.callee, fqns) else { continue };
                    route_calls.made.push((site, maker));
                    if maker == RouteMaker::Pattern {
                        route_calls.patterns.insert(site);
                    }
                } else if let ("register", Some(router)) = (name, receiver) {
                    self.begin_query();
                    let ty = self.expr_type(file, router);
                    if self.is_instance(ty, fqns, http::is_view_set_router)
                        && let Some(router) = self.origin((file, router), 0)
                    {
                        route_calls.registered.push((site, router));
                    }
                }
            }
        }
        for at in 0..route_calls.made.len() {
            let (site, maker) = route_calls.made[at];
            self.begin_query();
            match maker {
                RouteMaker::Route => {}
                RouteMaker::Mount => {
                    if let Some(list) = self.named_argument(site, "routes") {
                        self.put_below(site, list, &mut route_calls, 0);
                    }
                }
                RouteMaker::Path | RouteMaker::Pattern => {
                    if let Some(include) = self.include_of(site) {
                        self.put_included(site, include, &mut route_calls);
                    }
                }
            }
        }
        route_calls
    }

    /// The kind of route that a call of `callee` makes; `None` if the callee makes no route.
    fn route_maker(&mut self, file: FileIndex, callee: ExprId, fqns: &[CompactString]) -> Option<RouteMaker> {
        let callee = self.expr_type(file, callee);
        http::python_route_maker(match *self.types.get(callee) {
            Type::ExternalName(path) | Type::ExternalClass(path, _) => self.program.interner.text(path),
            Type::Class(class, _) => &fqns[self.program.class_def(class).index()],
            Type::Function(def) => &fqns[def.index()],
            _ => return None,
        })
    }

    /// Puts the calls and routers in a list below `above`.
    fn put_below(&mut self, above: Site, (file, list): GlobalExpr, route_calls: &mut RouteCalls, depth: u32) {
        let Some(_level) = nesting::descend() else { return };
        if depth > MAX_LISTS {
            return;
        }
        let (file, list) = self.origin((file, list), 0).unwrap_or((file, list));
        let facts = self.program.facts(file);
        match facts.expr(list) {
            Expr::List(items) | Expr::Tuple(items) => {
                for item in facts.list(items) {
                    match facts.expr(*item) {
                        Expr::Call(call) => {
                            route_calls.above.entry((file, call)).or_insert(above);
                        }
                        Expr::Starred(inner) => self.put_below(above, (file, inner), route_calls, depth + 1),
                        // `include(([…], "namespace"))`
                        Expr::List(_) | Expr::Name { .. } | Expr::Attribute { .. } => {
                            self.put_below(above, (file, *item), route_calls, depth + 1);
                        }
                        _ => {}
                    }
                }
            }
            // `router.urls`
            Expr::Attribute { value, name, .. } if facts.name(name) == "urls" => {
                if let Some(router) = self.origin((file, value), 0) {
                    route_calls.routers.entry(router).or_insert(above);
                }
            }
            Expr::Binary { operator: BinaryOperator::Add, left, right } => {
                self.put_below(above, (file, left), route_calls, depth + 1);
                self.put_below(above, (file, right), route_calls, depth + 1);
            }
            _ => {}
        }
    }

    /// Puts the routes that a call of `include` names below `above`. They are named by a list, a router or a module.
    fn put_included(&mut self, above: Site, include: Site, route_calls: &mut RouteCalls) {
        let (file, call) = include;
        let Some(first) = self.program.facts(file).calls[call.index()].arguments.first() else { return };
        let value = first.value;
        let module = self.passed_values(file, call).first().and_then(|passed| passed.value.known_text());
        let node = if let Some(module) = module {
            self.module_named(file, &module)
        } else {
            let ty = self.expr_type(file, value);
            match *self.types.get(ty) {
                Type::Module(node) => Some(node),
                _ => return self.put_below(above, (file, value), route_calls, 0),
            }
        };
        if let Some(included) = node.and_then(|node| self.program.modules.get(node).file) {
            route_calls.included.entry(included).or_insert(above);
        }
    }

    /// The call of `include` that is the second argument of a call.
    fn include_of(&self, (file, call): Site) -> Option<Site> {
        let facts = self.program.facts(file);
        let Expr::Call(include) = facts.expr(facts.calls[call.index()].arguments.get(1)?.value) else { return None };
        let is_include = match facts.expr(facts.calls[include.index()].callee) {
            Expr::Name { name, .. } | Expr::Attribute { name, .. } => facts.name(name) == "include",
            _ => false,
        };
        is_include.then_some((file, include))
    }

    /// The value of the keyword argument `name` of a call.
    fn named_argument(&self, (file, call): Site, name: &str) -> Option<GlobalExpr> {
        let facts = self.program.facts(file);
        let is_named = |keyword| facts.name(keyword) == name;
        let mut arguments = facts.calls[call.index()].arguments.iter();
        let named = arguments.find(|argument| argument.keyword.is_some_and(is_named))?;
        Some((file, named.value))
    }

    /// The path argument of a call; `None` if it is not known.
    fn path_of(&mut self, site: Site, route_calls: &RouteCalls) -> Option<Text> {
        let passed: Vec<PassedArgument> = self.passed_values(site.0, site.1);
        let path = argument(&passed, &["path", "route", "regex"], 0).and_then(Value::known_text)?;
        if route_calls.patterns.contains(&site) {
            return http::path_of_pattern(&path).map(|path| Text::literal(&path));
        }
        Some(Text::literal(&path))
    }

    /// The path argument of a call, or one unknown piece if the path is not known.
    fn path_or_unknown(&mut self, site: Site, route_calls: &RouteCalls) -> Text {
        self.path_of(site, route_calls).unwrap_or_else(Text::unknown)
    }

    /// The path below which the routes of a call are: the paths of all enclosing calls, joined.
    fn path_above(&mut self, site: Site, route_calls: &RouteCalls, depth: u32) -> Text {
        let Some(_level) = nesting::descend() else { return Text::default() };
        let above = route_calls.above.get(&site).or_else(|| route_calls.included.get(&site.0));
        let Some(&above) = above.filter(|above| depth < MAX_LISTS && **above != site) else { return Text::default() };
        let path = self.path_or_unknown(above, route_calls);
        http::joined(self.path_above(above, route_calls, depth + 1), path)
    }
}
