//! Routes that stand in lists: `Route` and `Mount` of Starlette, `path` of Django.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    http_routes::{FoundRoute, argument},
    linker::Linker,
    program::FileIndex,
    types::Type,
};
use crate::{
    link::http::{self, Passed, ROUTE_MAKERS, RouteMaker, Text, Value},
    syntax::python::facts::{CallExprId, Expr, ExprId},
};

/// The greatest nesting of lists of routes.
const MAX_LISTS: u32 = 6;

/// A call.
type Site = (FileIndex, CallExprId);

/// The calls that make routes.
#[derive(Default)]
struct Listed {
    made: Vec<(Site, RouteMaker)>,
    /// For each call, the call that puts it below a path.
    above: FxHashMap<Site, Site>,
    /// For each file that is included as a whole, the call that puts its routes below a path.
    included: FxHashMap<FileIndex, Site>,
}

impl Linker<'_> {
    /// Adds the routes that stand in lists.
    pub(super) fn add_listed_routes(&mut self, fqns: &[CompactString], routes: &mut [Vec<FoundRoute>]) {
        let listed = self.listed(fqns);
        for &(site, maker) in &listed.made {
            let (file, call) = site;
            let facts = self.program.facts(file);
            let row = &facts.calls[call.index()];
            if maker == RouteMaker::Mount || self.include_of(site).is_some() {
                continue;
            }
            self.begin_question();
            let Some(path) = self.path_of(site) else { continue };
            let is_view = |keyword| matches!(facts.name(keyword), "endpoint" | "view");
            let named = row.arguments.iter().find(|argument| argument.keyword.is_some_and(is_view));
            let view = named.or(row.arguments.get(1).filter(|argument| argument.keyword.is_none()));
            let handler = view.and_then(|view| self.function_of(file, view.value));
            // A class answers the methods that it defines.
            let is_any = maker == RouteMaker::Path || handler.is_none();
            let methods = if is_any { vec![None] } else { self.listed_methods(file, call) };
            let path = http::joined(self.path_above(site, &listed, 0), path);
            let path = http::route_path(&path.template());
            routes[file.index()].extend(methods.into_iter().map(|method| FoundRoute {
                line: row.line,
                method,
                path: path.clone(),
                handler,
            }));
        }
    }

    /// The calls that make routes, and which of them are below which.
    fn listed(&mut self, fqns: &[CompactString]) -> Listed {
        let mut listed = Listed::default();
        for index in 0..self.program.files.len() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            for (at, row) in facts.calls.iter().enumerate() {
                let name = match facts.expr(row.callee) {
                    Expr::Name { name, .. } | Expr::Attribute { name, .. } => facts.name(name),
                    _ => continue,
                };
                if row.line == 0 || !ROUTE_MAKERS.contains(&name) {
                    continue;
                }
                self.begin_question();
                if let Some(maker) = self.route_maker(file, row.callee, fqns) {
                    listed.made.push(((file, CallExprId::new(at)), maker));
                }
            }
        }
        for at in 0..listed.made.len() {
            let (site, maker) = listed.made[at];
            self.begin_question();
            match maker {
                RouteMaker::Route => {}
                RouteMaker::Mount => {
                    if let Some(list) = self.named_argument(site, "routes") {
                        self.put_below(site, list, &mut listed);
                    }
                }
                RouteMaker::Path => {
                    if let Some(include) = self.include_of(site) {
                        self.put_included(site, include, &mut listed);
                    }
                }
            }
        }
        listed
    }

    /// What a callee makes, if it makes a route.
    fn route_maker(&mut self, file: FileIndex, callee: ExprId, fqns: &[CompactString]) -> Option<RouteMaker> {
        let callee = self.expr_type(file, callee);
        http::python_route_maker(match *self.types.get(callee) {
            Type::ExternalName(path) | Type::ExternalClass(path, _) => self.program.interner.text(path),
            Type::Class(class, _) => &fqns[self.program.class_def(class).index()],
            Type::Function(def) => &fqns[def.index()],
            _ => return None,
        })
    }

    /// Puts the calls in a list below `above`.
    fn put_below(&mut self, above: Site, (file, list): (FileIndex, ExprId), listed: &mut Listed) {
        let Some((file, list)) = self.origin((file, list), 0) else { return };
        let facts = self.program.facts(file);
        let (Expr::List(items) | Expr::Tuple(items)) = facts.expr(list) else { return };
        for item in facts.list(items) {
            if let Expr::Call(call) = facts.expr(*item) {
                listed.above.entry((file, call)).or_insert(above);
            }
        }
    }

    /// Puts what `include` names below `above`: a list, or a module by its name.
    fn put_included(&mut self, above: Site, include: Site, listed: &mut Listed) {
        let (file, call) = include;
        let Some(first) = self.program.facts(file).calls[call.index()].arguments.first() else { return };
        let value = first.value;
        match self.passed_values(file, call).first().and_then(|passed| passed.value.known_text()) {
            Some(module) => {
                let node = self.import_source(file, 0, &module);
                if let Some(included) = node.and_then(|node| self.program.modules.get(node).file) {
                    listed.included.entry(included).or_insert(above);
                }
            }
            None => self.put_below(above, (file, value), listed),
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

    /// The argument of a call with a keyword.
    fn named_argument(&self, (file, call): Site, name: &str) -> Option<(FileIndex, ExprId)> {
        let facts = self.program.facts(file);
        let is_named = |keyword| facts.name(keyword) == name;
        let mut arguments = facts.calls[call.index()].arguments.iter();
        let named = arguments.find(|argument| argument.keyword.is_some_and(is_named))?;
        Some((file, named.value))
    }

    /// The path that a call is given.
    fn path_of(&mut self, (file, call): Site) -> Option<Text> {
        let passed: Vec<Passed> = self.passed_values(file, call);
        let path = argument(&passed, &["path", "route"], 0).and_then(Value::known_text)?;
        Some(Text::literal(&path))
    }

    /// The path above that of a call.
    fn path_above(&mut self, site: Site, listed: &Listed, depth: u32) -> Text {
        let above = listed.above.get(&site).or_else(|| listed.included.get(&site.0));
        let Some(&above) = above.filter(|above| depth < MAX_LISTS && **above != site) else { return Text::default() };
        let path = self.path_of(above).unwrap_or_default();
        http::joined(self.path_above(above, listed, depth + 1), path)
    }
}
