//! Where routers and plugins are mounted.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    HttpReader,
    objects::{CreationSite, HttpObject},
    routes::RouterCall,
};
use crate::http::{self, Text, Value};
use crate::typescript::{
    infer::ResolvedName,
    program::{FileIndex, GlobalDef},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{CallExprId, Decl, DefId, Expr, ExprId, ExpressionContext, ValueSource};

/// The greatest number of paths that one route has because its router is mounted several times.
const MAX_PREFIXES: usize = 8;
/// The greatest number of places that mount one router.
const MAX_MOUNTS: usize = 32;
/// The greatest nesting of routers.
const MAX_ROUTERS: u32 = 6;

/// A router that is mounted below another one.
#[derive(Clone, Debug)]
pub(super) struct Mount {
    parent: Option<CreationSite>,
    /// The path at which the router is mounted, below the prefix of the parent router.
    prefix: Text,
}

/// The mounts of each router.
pub(super) type Mounts = FxHashMap<CreationSite, Vec<Mount>>;

impl HttpReader<'_, '_> {
    /// The mounts of all routers and plugins: `app.use("/api", router)`, `app.route("/api", app2)`,
    /// `fastify.register(plugin, { prefix: "/api" })`. The plugins are kept.
    pub(super) fn mounts(&mut self, files: usize) -> Mounts {
        let mut mounts = Mounts::default();
        let mut registered: Vec<(FileIndex, CallExprId)> = Vec::new();
        for index in 0..files {
            let file = FileIndex::new(index);
            let facts = self.linker.program.facts(file);
            for (at, row) in facts.calls.iter().enumerate() {
                let Expr::Property { name, .. } = facts.expr(row.callee) else { continue };
                match facts.name(name) {
                    "use" | "route" => self.add_mounts(file, CallExprId::new(at), &mut mounts),
                    "register" if !row.arguments.is_empty() => registered.push((file, CallExprId::new(at))),
                    _ => {}
                }
            }
        }
        // A plugin registers further plugins, which are found in the next round.
        for _ in 0..MAX_ROUTERS {
            let before = registered.len();
            registered.retain(|&(file, site)| !self.add_plugin(file, site, &mut mounts));
            if registered.len() == before {
                break;
            }
        }
        mounts
    }

    /// Adds the routers that a call mounts.
    fn add_mounts(&mut self, file: FileIndex, site: CallExprId, mounts: &mut Mounts) {
        let Some(call) = self.router_call(file, site) else { return };
        let arguments: Vec<ExprId> =
            self.linker.program.facts(file).site(site).arguments.iter().map(|a| a.value).collect();
        for arguments in self.listed_arguments(file, &arguments) {
            let first = arguments.first().map(|(file, first)| self.literal_value(*file, *first, None, 0));
            let path = match first {
                Some(Value::Text(path)) => path,
                _ => Text::default(),
            };
            let prefix = http::joined(call.prefix.clone(), path);
            for (file, argument) in arguments {
                let router = self.without_routes(file, argument);
                if let Some(HttpObject::Instance { path, created_at: Some(child), .. }) =
                    self.http_object(file, router, 0)
                    && http::is_typescript_router(&path)
                {
                    mounts.entry(child).or_default().push(Mount { parent: call.created_at, prefix: prefix.clone() });
                }
            }
        }
    }

    /// The arguments of a call, once for each item of a list if they are properties of its items:
    /// `[{ path: "/pets", router: pets }].forEach((item) => app.use(item.path, item.router))`.
    fn listed_arguments(&mut self, file: FileIndex, arguments: &[ExprId]) -> Vec<Vec<(FileIndex, ExprId)>> {
        let facts = self.linker.program.facts(file);
        let as_written = || vec![arguments.iter().map(|argument| (file, *argument)).collect()];
        let item_of = |argument: &ExprId| match facts.expr(*argument) {
            Expr::Property { object, .. } => match facts.expr(object) {
                Expr::Name { symbol, .. } => symbol,
                _ => None,
            },
            _ => None,
        };
        let Some(item) = arguments.iter().find_map(item_of) else { return as_written() };
        let list = match facts.symbol(item).decls[..] {
            [Decl::Parameter(def, 0)] => self.list_of_callback(file, def),
            [Decl::Variable(variable)] => match facts.variables[variable.index()].source {
                ValueSource::ElementOf(list) => Some(list),
                _ => None,
            },
            _ => None,
        };
        let Some((list_file, list)) = list.map(|list| self.value_origin(file, list)) else { return as_written() };
        let Expr::Array(items) = self.linker.program.facts(list_file).expr(list) else { return as_written() };
        let mut all = Vec::new();
        for &element in self.linker.program.facts(list_file).list(items).iter().take(MAX_MOUNTS) {
            let mut of_item = Vec::with_capacity(arguments.len());
            for argument in arguments {
                let of_element = match facts.expr(*argument) {
                    Expr::Property { name, .. } if item_of(argument) == Some(item) => {
                        self.option(list_file, element, facts.name(name))
                    }
                    _ => Some((file, *argument)),
                };
                of_item.extend(of_element);
            }
            all.push(of_item);
        }
        all
    }

    /// The list for whose items a function is called: `list.forEach(function)`.
    fn list_of_callback(&self, file: FileIndex, function: DefId) -> Option<ExprId> {
        let facts = self.linker.program.facts(file);
        let ExpressionContext::Argument(site, 0) = facts.context(facts.def(function).expr?) else { return None };
        match facts.expr(facts.site(site).callee) {
            Expr::Property { object, name, .. } if matches!(facts.name(name), "forEach" | "map") => Some(object),
            _ => None,
        }
    }

    /// The router of `router.routes()` of Koa.
    fn without_routes(&self, file: FileIndex, expr: ExprId) -> ExprId {
        let facts = self.linker.program.facts(file);
        let Expr::Call(inner) = facts.expr(expr) else { return expr };
        match facts.expr(facts.site(inner).callee) {
            Expr::Property { object, name, .. } if facts.name(name) == "routes" => object,
            _ => expr,
        }
    }

    /// Adds the plugin that a call registers. Returns true if the call is one of a known server.
    fn add_plugin(&mut self, file: FileIndex, site: CallExprId, mounts: &mut Mounts) -> bool {
        let Some(call) = self.router_call(file, site) else { return false };
        let arguments = &self.linker.program.facts(file).site(site).arguments;
        let Some(first) = arguments.first().map(|argument| argument.value) else { return true };
        let Some(plugin) = self.plugin(file, first) else {
            if self.http_object(file, first, 0) == Some(HttpObject::Outside("@fastify/autoload".into())) {
                self.add_folder(file, site, &call, mounts);
            }
            return true;
        };
        let options = arguments.get(1).map(|options| self.literal_value(file, options.value, None, 0));
        let prefix = options.and_then(|options| options.entry("prefix").cloned());
        let prefix = http::joined(call.prefix, prefix.map_or(Text::default(), Value::into_text));
        self.plugins.insert(plugin);
        mounts.entry(CreationSite::Plugin(plugin)).or_default().push(Mount { parent: call.created_at, prefix });
        true
    }

    /// Adds the plugins in the folder that a call registers with `@fastify/autoload`:
    /// `{ dir: join(__dirname, "routes") }`. The names of the folders below it are the prefixes of the plugins in them.
    fn add_folder(&mut self, file: FileIndex, site: CallExprId, call: &RouterCall, mounts: &mut Mounts) {
        let Some(options) = self.linker.program.facts(file).site(site).arguments.get(1).map(|a| a.value) else {
            return;
        };
        let Some(folder) = self.folder_of_option(file, options) else { return };
        let has_folders = self
            .option(file, options, "dirNameRoutePrefix")
            .is_none_or(|(file, value)| self.linker.program.facts(file).expr(value) != Expr::Bool(false));
        let options = self.literal_value(file, options, None, 0);
        let given = options.entry("options").and_then(|options| options.entry("prefix")).cloned();
        let above = http::joined(call.prefix.clone(), given.map_or(Text::default(), Value::into_text));
        for index in 0..self.linker.program.file_count() {
            let file = FileIndex::new(index);
            let Some(path) = self.linker.resolver.path(index).strip_prefix(folder.as_str()) else { continue };
            let Some(path) = path.strip_prefix('/') else { continue };
            let below = path.rsplit_once('/').map_or("", |(below, _)| below);
            // A folder `_id` is a parameter of the path.
            let below: Vec<CompactString> = below
                .split('/')
                .map(|part| part.strip_prefix('_').map_or_else(|| part.into(), |name| format_compact!(":{name}")))
                .collect();
            let below = Text::literal(&below.join("/"));
            let Some(plugin) = self.exported_plugin(file) else { continue };
            let own = self.exported_text(file, "autoPrefix");
            let below = if has_folders { below } else { Text::default() };
            let prefix = match self.exported_text(file, "prefixOverride") {
                Some(prefix) => prefix,
                None => http::joined(above.clone(), own.unwrap_or(below)),
            };
            self.plugins.insert(plugin);
            let plugin = mounts.entry(CreationSite::Plugin(plugin)).or_default();
            plugin.push(Mount { parent: call.created_at, prefix });
        }
    }

    /// The folder that the option `dir` names: a call that joins the folder of the file with texts.
    fn folder_of_option(&mut self, file: FileIndex, options: ExprId) -> Option<CompactString> {
        let (_, dir) = self.option(file, options, "dir")?;
        let Expr::Call(site) = self.linker.program.facts(file).expr(dir) else { return None };
        let own = self.linker.resolver.path(file.index()).rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut parts: Vec<CompactString> = own.split('/').filter(|part| !part.is_empty()).map(Into::into).collect();
        let texts = self.passed_values(file, site).into_iter().skip(1).map(|passed| passed.value.known_text());
        for text in texts {
            for part in text?.split('/').filter(|part| !matches!(*part, "" | ".")) {
                if part == ".." {
                    parts.pop()?;
                } else {
                    parts.push(part.into());
                }
            }
        }
        Some(parts.join("/").into())
    }

    /// The plugin that a file exports as its default.
    fn exported_plugin(&mut self, file: FileIndex) -> Option<GlobalDef> {
        let exported = match self.linker.export_assignment(file) {
            Some(exported) => exported,
            None => self.linker.resolve_export(file, self.linker.program.names.find("default")?)?,
        };
        self.plugin_of(exported)
    }

    /// The text that a file exports as `name`.
    fn exported_text(&mut self, file: FileIndex, name: &str) -> Option<Text> {
        let exported = self.linker.resolve_export(file, self.linker.program.names.find(name)?)?;
        let (file, value) = self.constant(exported)?;
        match self.literal_value(file, value, None, 0) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The function that is a plugin: `plugin`, `fp(plugin)`, `require("./plugin")`, `import("./plugin.js")`.
    fn plugin(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        let _level = nesting::descend()?;
        let (file, value) = self.value_origin(file, expr);
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Function(def) => Some(self.linker.program.global_def(file, def)),
            Expr::Call(site) => {
                let row = facts.site(site);
                let inner = row.arguments.first()?.value;
                let wraps = self.http_object(file, row.callee, 0) == Some(HttpObject::Outside("fastify-plugin".into()));
                if wraps { self.plugin(file, inner) } else { None }
            }
            _ => {
                let named = self.resolved_value(file, value)?;
                self.plugin_of(named)
            }
        }
    }

    /// The plugin that a resolved name is.
    fn plugin_of(&mut self, named: ResolvedName) -> Option<GlobalDef> {
        let _level = nesting::descend()?;
        match self.constant(named) {
            Some((file, value)) => self.plugin(file, value),
            None => match named {
                // `require("./plugin")` of a module with a default export
                ResolvedName::File(file) => {
                    let default = self.linker.resolve_export(file, self.linker.program.names.find("default")?)?;
                    if default == named { None } else { self.plugin_of(default) }
                }
                _ => self.function_of_resolved(named),
            },
        }
    }
}

/// The prefixes of the paths of a router.
pub(super) fn prefixes(router: Option<CreationSite>, mounts: &Mounts, depth: u32) -> Vec<Text> {
    let Some(_level) = nesting::descend() else { return vec![Text::default()] };
    let mounted = router.and_then(|router| mounts.get(&router)).filter(|_| depth < MAX_ROUTERS);
    let Some(mounted) = mounted else { return vec![Text::default()] };
    let mut all = Vec::new();
    for mount in mounted.iter().take(MAX_MOUNTS) {
        let outer = prefixes(mount.parent, mounts, depth + 1).into_iter();
        all.extend(outer.map(|outer| http::joined(outer, mount.prefix.clone())));
    }
    // Tests register the plugins of a program once more.
    let mut known: FxHashSet<CompactString> = FxHashSet::default();
    all.retain(|prefix: &Text| known.insert(prefix.template()));
    all.truncate(MAX_PREFIXES);
    all
}
