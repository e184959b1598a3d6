//! Finds the client or router that an expression holds.

use compact_str::{CompactString, format_compact};

use super::HttpReader;
use crate::http::{self, Text};
use crate::typescript::{
    infer::{ResolvedModule, ResolvedName},
    program::{FileIndex, GlobalDef},
};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, Decl, DefId, Expr, ExprId, ExpressionContext, ImportId, ImportKind, MemberKind, NameId, PatternStep,
    SymbolId, TypeId, TypeNode, ValueSource,
};

/// The greatest number of names, calls and fields that lead to one client or router.
const MAX_STEPS: u32 = 10;
/// The greatest number of returned values of a function that are looked at.
const MAX_RETURNS: usize = 4;

/// The place that creates a client or router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CreationSite {
    /// A call.
    Call(FileIndex, CallExprId),
    /// A plugin of Fastify, which receives a server whose routes lie below the path at which the plugin is registered.
    Plugin(GlobalDef),
}

/// A function, client or router of a package or of the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HttpObject {
    /// A name of a package or of the platform: `axios#create`, `#fetch`.
    Outside(CompactString),
    /// A client or router: the result of a call of such a name, or a value of the type of that name.
    Instance {
        /// The name that is called, or that names the type.
        path: CompactString,
        /// The place that creates the client or router; `None` if only the type is known.
        created_at: Option<CreationSite>,
        /// The path below which its routes lie: `basePath` of Hono.
        prefix: Text,
        /// True if `prefix` is the whole path of its routes: `router.route("/x")` of Express.
        is_route: bool,
    },
}

impl HttpObject {
    /// A client or router, with the path below which its routes lie.
    fn instance(path: CompactString, created_at: Option<CreationSite>, prefix: Text) -> Self {
        Self::Instance { path, created_at, prefix, is_route: false }
    }
}

impl HttpReader<'_, '_> {
    /// The library object that an expression stands for: a name that another package exports, or the object that a call
    /// of such a name returns.
    pub(super) fn http_object(&mut self, file: FileIndex, expr: ExprId, depth: u32) -> Option<HttpObject> {
        if depth > MAX_STEPS {
            return None;
        }
        let _level = self.linker.descend()?;
        let facts = self.linker.program.facts(file);
        match facts.expr(expr) {
            Expr::Name { symbol: None, name } => {
                let resolved = self.linker.resolve_global(file, self.linker.program.name(file, name));
                let is_outside = match resolved {
                    ResolvedName::External => true,
                    ResolvedName::Symbol(symbol) => {
                        self.linker.program.symbol(symbol).0 == self.linker.program.platform()
                    }
                    _ => false,
                };
                is_outside.then(|| HttpObject::Outside(format_compact!("#{}", facts.name(name))))
            }
            Expr::Name { symbol: Some(symbol), .. } => self.http_object_of_symbol(file, symbol, depth),
            Expr::Require(specifier) => {
                if let Some(module) = self.module_name(file, specifier) {
                    return Some(HttpObject::Outside(module));
                }
                let required = self.linker.resolve_require(file, specifier);
                self.http_object_of_resolved(required, depth)
            }
            Expr::Property { object, name, .. } => {
                if let Expr::This(Some(def)) = facts.expr(object) {
                    return self.http_object_of_field(file, self.linker.program.global_def(file, def), name, depth);
                }
                match self.http_object(file, object, depth + 1) {
                    Some(HttpObject::Outside(path)) => Some(HttpObject::Outside(member(&path, facts.name(name)))),
                    Some(HttpObject::Instance { path, .. }) => http::made_by_property(&path, facts.name(name))
                        .map(|path| HttpObject::instance(path.into(), None, Text::default())),
                    // `import * as api from "./api"`, `module.exports = { client }`
                    None => {
                        let named = self.resolved_property(file, object, name)?;
                        self.http_object_of_resolved(named, depth)
                    }
                }
            }
            Expr::Call(site) => self.http_object_of_call(file, site, depth),
            Expr::Await(inner)
            | Expr::As(inner, _)
            | Expr::Satisfies(inner, _)
            | Expr::NonNull(inner)
            | Expr::Narrowed(inner, _) => self.http_object(file, inner, depth + 1),
            _ => None,
        }
    }

    /// The HTTP object that a call returns. A method of a router returns the router, so calls that add routes can be
    /// chained.
    fn http_object_of_call(&mut self, file: FileIndex, site: CallExprId, depth: u32) -> Option<HttpObject> {
        let facts = self.linker.program.facts(file);
        let callee = facts.site(site).callee;
        if let Expr::Property { object, name, .. } = facts.expr(callee)
            && let Some(HttpObject::Instance { path, created_at, prefix, is_route }) =
                self.http_object(file, object, depth + 1)
        {
            return self.http_object_of_method(
                file,
                site,
                HttpObject::Instance { path, created_at, prefix, is_route },
                facts.name(name),
            );
        }
        match self.http_object(file, callee, depth + 1) {
            Some(HttpObject::Outside(path)) => {
                let first = self.passed_values(file, site).into_iter().next();
                let prefix = first.and_then(|options| http::router_prefix(&path, &options.value));
                Some(HttpObject::instance(path, Some(CreationSite::Call(file, site)), prefix.unwrap_or_default()))
            }
            Some(HttpObject::Instance { .. }) => None,
            None => {
                let named = self.linker.named_value(file, callee, depth)?;
                let function = self.function_of_resolved(named)?;
                let returned = self.linker.program.function(function)?.return_values.iter().copied();
                let declaring = self.linker.program.file_of(function);
                let mut returned = returned.take(MAX_RETURNS);
                returned.find_map(|value| self.http_object(declaring, value, depth + 2))
            }
        }
    }

    /// The HTTP object that the method `name` of a client or router returns.
    fn http_object_of_method(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        receiver: HttpObject,
        name: &str,
    ) -> Option<HttpObject> {
        let HttpObject::Instance { path, created_at, prefix, is_route } = receiver else { return None };
        let arguments = self.linker.program.facts(file).site(site).arguments.len();
        let first = |reader: &mut Self| reader.passed_values(file, site).into_iter().next().map(|passed| passed.value);
        let is_router = http::is_typescript_router(&path);
        let (created_at, prefix, is_route) = match name {
            "basePath" => (created_at, http::joined(prefix, first(self)?.into_text()), false),
            // `router.route("/x").get(handler)` of Express; with a router, `route` of Hono mounts it.
            "route" if http::chains_methods(&path) && arguments == 1 => {
                (created_at, http::joined(prefix, first(self)?.into_text()), true)
            }
            "extend" | "create" => (Some(CreationSite::Call(file, site)), prefix, is_route),
            "use" | "on" | "all" | "register" | "withTypeProvider" | "route" | "openapi" | "mount" => {
                (created_at, prefix, is_route)
            }
            name if http::METHODS.contains(&name) && is_router => (created_at, prefix, is_route),
            _ => return None,
        };
        Some(HttpObject::Instance { path, created_at, prefix, is_route })
    }

    /// The function that a resolved name is.
    pub(super) fn function_of_resolved(&mut self, named: ResolvedName) -> Option<GlobalDef> {
        let (file, value) = match named {
            ResolvedName::Symbol(symbol) => {
                let (file, row) = self.linker.program.symbol(symbol);
                let facts = self.linker.program.facts(file);
                let of_declaration = row.decls.iter().find_map(|decl| match decl {
                    Decl::Def(def) => Some(Ok(*def)),
                    Decl::Variable(variable) => match facts.variables[variable.index()].source {
                        ValueSource::Value(value) if facts.variables[variable.index()].path.is_empty() => {
                            Some(Err(value))
                        }
                        _ => None,
                    },
                    _ => None,
                });
                match of_declaration? {
                    Ok(def) => {
                        let is_function = facts.def(def).function().is_some();
                        return is_function.then(|| self.linker.program.global_def(file, def));
                    }
                    Err(value) => (file, value),
                }
            }
            ResolvedName::Expression(file, value) => (file, value),
            _ => return None,
        };
        match self.linker.program.facts(file).expr(self.linker.program.held_value(file, value)?) {
            Expr::Function(def) => Some(self.linker.program.global_def(file, def)),
            _ => None,
        }
    }

    fn http_object_of_symbol(&mut self, file: FileIndex, symbol: SymbolId, depth: u32) -> Option<HttpObject> {
        let row = self.linker.program.facts(file).symbol(symbol);
        if let [Decl::Import(import)] = row.decls[..]
            && let Some(path) = self.imported_path(file, import)
        {
            return Some(HttpObject::Outside(path));
        }
        let named = self.linker.resolve_symbol(file, symbol);
        self.http_object_of_resolved(named, depth)
    }

    fn http_object_of_resolved(&mut self, named: ResolvedName, depth: u32) -> Option<HttpObject> {
        match named {
            ResolvedName::Symbol(symbol) => {
                let (declaring, row) = self.linker.program.symbol(symbol);
                if row.decls.iter().any(|decl| matches!(decl, Decl::Import(_))) {
                    return None;
                }
                row.decls.iter().find_map(|decl| self.http_object_of_declaration(declaring, *decl, depth))
            }
            ResolvedName::Expression(file, value) => self.http_object(file, value, depth + 1),
            _ => None,
        }
    }

    fn http_object_of_declaration(&mut self, file: FileIndex, decl: Decl, depth: u32) -> Option<HttpObject> {
        let _level = self.linker.descend()?;
        let facts = self.linker.program.facts(file);
        match decl {
            Decl::Variable(variable) => {
                let variable = &facts.variables[variable.index()];
                let value = match variable.source {
                    ValueSource::Value(value) => Some(value),
                    // `test("…", async ({ request }) => …)`
                    ValueSource::Parameter(def, 0) => {
                        let [PatternStep::Property(name)] = variable.path[..] else { return None };
                        return self.http_object_of_fixture(file, def, facts.name(name), depth);
                    }
                    _ => None,
                };
                let typed = variable.annotation.filter(|_| variable.path.is_empty());
                // `let app; beforeEach(() => { app = express() })`
                let values = value.into_iter().chain(variable.assigned.iter().copied());
                let found = values.into_iter().find_map(|value| self.http_object(file, value, depth + 1));
                let found = found.or_else(|| self.http_object_of_type(file, typed?));
                match (&variable.path[..], found) {
                    ([], found) => found,
                    ([PatternStep::Property(name)], Some(HttpObject::Outside(path))) => {
                        Some(HttpObject::Outside(member(&path, facts.name(*name))))
                    }
                    // `const { api } = require("./api")`
                    ([PatternStep::Property(name)], None) => {
                        let Expr::Require(specifier) = facts.expr(value?) else { return None };
                        let module = self.linker.resolve_require(file, specifier);
                        let named = self.linker.resolve_member(module, self.linker.program.name(file, *name))?;
                        self.http_object_of_resolved(named, depth + 1)
                    }
                    _ => None,
                }
            }
            Decl::Parameter(def, at) => self.http_object_of_parameter(file, def, at),
            // A class of a library that is among the sources.
            Decl::Def(def) => {
                let row = facts.def(def);
                let (Some(_), Some(name)) = (row.class(), row.name) else { return None };
                let package = self.linker.resolver.package_name(file.index())?;
                Some(HttpObject::Outside(format_compact!("{package}#{}", facts.name(name))))
            }
            _ => None,
        }
    }

    /// The HTTP object that a parameter receives: an object of the annotated type, or the server if the function is a
    /// plugin of Fastify.
    fn http_object_of_parameter(&mut self, file: FileIndex, def: DefId, at: u16) -> Option<HttpObject> {
        let facts = self.linker.program.facts(file);
        let row = facts.def(def);
        let annotation = row.function()?.params.get(usize::from(at))?.annotation.as_ref();
        let typed = annotation.and_then(|(ty, _)| self.http_object_of_type(file, *ty));
        let plugin = self.linker.program.global_def(file, def);
        let is_plugin = at == 0 && annotation.is_none() && {
            self.plugins.contains(&plugin)
                || matches!(row.expr.map(|expr| facts.context(expr)), Some(ExpressionContext::Typed(ty))
                    if self.type_name(file, ty).is_some_and(|name| http::is_plugin_type(&name)))
        };
        match typed {
            Some(HttpObject::Instance { path, prefix, .. }) if at == 0 && http::has_plugins(&path) => {
                Some(HttpObject::instance(path, Some(CreationSite::Plugin(plugin)), prefix))
            }
            None if is_plugin => Some(HttpObject::instance(
                http::PLUGIN_SERVER.into(),
                Some(CreationSite::Plugin(plugin)),
                Text::default(),
            )),
            typed => typed,
        }
    }

    /// The HTTP object that Playwright passes to a test as the fixture `name`: `request`, or `page`, whose property
    /// `request` is a client.
    fn http_object_of_fixture(&mut self, file: FileIndex, test: DefId, name: &str, depth: u32) -> Option<HttpObject> {
        let facts = self.linker.program.facts(file);
        let ExpressionContext::Argument(site, _) = facts.context(facts.def(test).expr?) else { return None };
        let mut callee = facts.site(site).callee;
        // `test.beforeEach`, `test.only`
        while let Expr::Property { object, .. } = facts.expr(callee) {
            callee = object;
        }
        let test = match self.http_object(file, callee, depth + 1)? {
            HttpObject::Outside(path) | HttpObject::Instance { path, .. } => path,
        };
        http::fixture(&test, name).map(|path| HttpObject::instance(path.into(), None, Text::default()))
    }

    /// The HTTP object in the field `name` of the class `def`, or of the class around the function `def`.
    fn http_object_of_field(
        &mut self,
        file: FileIndex,
        def: GlobalDef,
        name: NameId,
        depth: u32,
    ) -> Option<HttpObject> {
        let facts = self.linker.program.facts(file);
        let class =
            if self.linker.program.def(def).class().is_some() { def } else { self.linker.program.outer(def)? };
        let member = self.linker.program.members(class).iter().find(|member| member.name == Some(name))?;
        let MemberKind::Property { annotation, value, parameter } = &member.kind else { return None };
        let value = value.as_ref().and_then(|(value, _)| self.http_object(file, *value, depth + 1));
        let of_parameter = |(def, at): (_, u16)| {
            facts.def(def).function()?.params.get(usize::from(at))?.annotation.as_ref().map(|(ty, _)| *ty)
        };
        let typed = annotation.as_ref().map(|(ty, _)| *ty).or_else(|| of_parameter((*parameter)?));
        value.or_else(|| self.http_object_of_type(file, typed?))
    }

    /// The HTTP object of a type, if the type is a client, router or application of a package.
    fn http_object_of_type(&mut self, file: FileIndex, ty: TypeId) -> Option<HttpObject> {
        let named = self.type_name(file, ty)?;
        let is_known =
            http::is_maker(&named) || http::is_typescript_router(&named) || http::is_nest_application(&named);
        is_known.then(|| HttpObject::instance(named, None, Text::default()))
    }

    /// The name of a type that is imported from a package.
    fn type_name(&mut self, file: FileIndex, ty: TypeId) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Ref { symbol: Some(symbol), path, .. } = facts.ty(ty) else { return None };
        let [Decl::Import(import)] = facts.symbol(*symbol).decls[..] else { return None };
        let mut named = self.imported_path(file, import)?;
        for name in path.iter().skip(1) {
            named = member(&named, facts.name(*name));
        }
        Some(named)
    }

    /// The name that an import takes from a package; `None` for a name of the sources.
    fn imported_path(&mut self, file: FileIndex, import: ImportId) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let row = &facts.imports[import.index()];
        let module = match row.kind {
            ImportKind::Named(_) | ImportKind::Namespace | ImportKind::Required => {
                self.module_name(file, row.specifier)?
            }
            ImportKind::Entity | ImportKind::Local(_) => return None,
        };
        Some(match row.kind {
            ImportKind::Named(name) if facts.name(name) != "default" => member(&module, facts.name(name)),
            _ => module,
        })
    }

    /// The name of a package that a specifier names, also if the package is among the sources.
    fn module_name(&mut self, file: FileIndex, specifier: NameId) -> Option<CompactString> {
        match self.linker.resolve_module(file, specifier) {
            ResolvedModule::External => Some(self.linker.program.facts(file).name(specifier).into()),
            ResolvedModule::File(target) => self.packages.get(&target).cloned(),
            // `declare module "fastify"` adds to the types of the package.
            ResolvedModule::AmbientModule(_) => Some(self.linker.program.facts(file).name(specifier).into()),
            ResolvedModule::Missing => None,
        }
    }
}

/// The path of a member of a name: `axios#create` of `axios`, `#window.fetch` of `#window`.
fn member(path: &str, name: &str) -> CompactString {
    let separator = if path.contains('#') { '.' } else { '#' };
    if name == "default" { path.into() } else { format_compact!("{path}{separator}{name}") }
}
