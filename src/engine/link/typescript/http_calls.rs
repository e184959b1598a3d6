//! Calls that send HTTP requests, and calls of functions of the sources that wrap one.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    http_values::{EntryNames, Thing},
    infer::Linker,
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    rows::DefinitionRows,
};
use crate::{
    link::{
        http::{self, METHODS, RequestParts, Sender, Text, Value},
        linked::LinkedRequest,
    },
    syntax::typescript::facts::{CallExprId, CallExprKind, Expr, ExprId},
};

/// Per file, the calls that send requests, in the order of the facts.
type FileRequests = Vec<(CallExprId, RequestParts)>;

/// The packages whose files are taken for the package itself if they are among the sources.
const PACKAGES: [&str; 8] = ["axios", "ky", "got", "express", "fastify", "hono", "@koa/router", "koa-router"];

/// The files of the sources that the specifiers of known packages name.
pub(super) fn entry_names(entries: &[(CompactString, usize)]) -> EntryNames {
    let known = entries.iter().filter(|(specifier, _)| PACKAGES.contains(&specifier.as_str()));
    known.map(|(specifier, file)| (FileIndex::new(*file), specifier.clone())).collect()
}

impl Linker<'_> {
    /// The requests of all files, with the rows of their callers.
    pub(super) fn http_requests(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        entries: &EntryNames,
        rows: &DefinitionRows,
    ) -> Vec<Vec<LinkedRequest>> {
        let mut requests: Vec<FileRequests> = vec![Vec::new(); resolved.len()];
        let mut wrappers: FxHashMap<GlobalDef, Option<RequestParts>> = FxHashMap::default();
        for (index, requests) in requests.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            for (at, site) in facts.calls.iter().enumerate() {
                if site.line == 0 || site.kind != CallExprKind::Call || site.arguments.is_empty() {
                    continue;
                }
                self.budget.begin_question();
                let Some((sender, base)) = self.sender(file, site.callee, entries) else { continue };
                let passed = self.passed_values(file, CallExprId::new(at));
                let Some(parts) = http::parts(sender, base, &passed) else { continue };
                let caller = site.caller.map(|def| facts.def(def)).and_then(|def| def.function());
                let name = |at: u16| caller?.params.get(usize::from(at))?.name.map(|name| facts.name(name));
                if let Some(caller) = site.caller.filter(|_| parts.takes_path(name)) {
                    let def = self.program.global_def(file, caller);
                    // A function that sends several such requests is no wrapper of one.
                    wrappers.entry(def).and_modify(|known| *known = None).or_insert(Some(parts));
                } else if parts.url.is_written() {
                    requests.push((CallExprId::new(at), parts));
                }
            }
        }
        wrappers.retain(|_, parts| parts.is_some());
        if !wrappers.is_empty() {
            self.add_wrapped(resolved, &wrappers, &mut requests);
        }
        let files = requests.into_iter().enumerate();
        files.map(|(file, requests)| self.linked_requests(FileIndex::new(file), requests, rows)).collect()
    }

    fn linked_requests(&self, file: FileIndex, requests: FileRequests, rows: &DefinitionRows) -> Vec<LinkedRequest> {
        let facts = self.program.facts(file);
        let mut linked: Vec<LinkedRequest> = Vec::with_capacity(requests.len());
        for (site, parts) in requests {
            let site = facts.site(site);
            let caller = site.caller.and_then(|def| self.caller_row(self.program.global_def(file, def), rows));
            linked.push(LinkedRequest { line: site.line, col: site.col, caller, request: parts.request() });
        }
        linked.sort_by_key(|request| (request.line, request.col));
        linked
    }

    /// Adds the calls of functions that send one request with a path from a parameter.
    fn add_wrapped(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        wrappers: &FxHashMap<GlobalDef, Option<RequestParts>>,
        requests: &mut [FileRequests],
    ) {
        for (index, (resolved, requests)) in resolved.iter().zip(requests).enumerate() {
            let file = FileIndex::new(index);
            let direct = requests.len();
            for (at, call) in resolved.iter().enumerate() {
                let [callee] = call.candidates[..] else { continue };
                let Some(Some(parts)) = wrappers.get(&callee) else { continue };
                let site = CallExprId::new(at);
                let is_named = self.program.facts(file).site(site).line > 0;
                if !is_named || requests[..direct].iter().any(|(known, _)| *known == site) {
                    continue;
                }
                self.budget.begin_question();
                let passed = self.passed_values(file, site);
                let count = self.program.function(callee).map_or(0, |function| function.params.len());
                let mut values = Vec::new();
                for position in 0..count {
                    let may_be_spread = passed.iter().take(position + 1).any(|argument| argument.is_spread);
                    values.push(match passed.get(position) {
                        _ if may_be_spread => Value::Unknown,
                        Some(argument) => argument.value.clone(),
                        None => self.default_value(callee, position),
                    });
                }
                let value = |position: u16| values.get(usize::from(position)).cloned().unwrap_or_default();
                let parts = parts.with_arguments(&value);
                if parts.url.is_written() {
                    requests.push((site, parts));
                }
            }
        }
    }

    /// The value of a parameter that is not passed.
    fn default_value(&mut self, def: GlobalDef, position: usize) -> Value {
        let file = self.program.file_of(def);
        let default = self.program.function(def).and_then(|f| f.params.get(position)?.default.as_ref());
        default.map_or(Value::Nothing, |(default, _)| self.literal_value(file, *default, None, 0))
    }

    /// What a callee sends, and the base of the client's URLs.
    fn sender(&mut self, file: FileIndex, callee: ExprId, entries: &EntryNames) -> Option<(Sender, Option<Text>)> {
        let facts = self.program.facts(file);
        match facts.expr(callee) {
            Expr::Property { object, name, .. } => {
                let name = facts.name(name);
                if !(METHODS.contains(&name) || matches!(name, "request" | "inject" | "fetch" | "axios")) {
                    return None;
                }
                match self.thing(file, object, entries, 0)? {
                    Thing::Outside(path) => {
                        let separator = if path.contains('#') { '.' } else { '#' };
                        let sender = http::typescript_function(&format!("{path}{separator}{name}"))?;
                        Some((sender, None))
                    }
                    Thing::Made { path, made, .. } => {
                        let sender = http::typescript_method(&path, Some(name))?;
                        Some((sender, self.base_url(made)))
                    }
                }
            }
            Expr::Name { name, .. } if facts.name(name) == "fetch" || self.has_client_package() => match self
                .thing(file, callee, entries, 0)?
            {
                Thing::Outside(path) => Some((http::typescript_function(&path)?, None)),
                Thing::Made { path, made, .. } => Some((http::typescript_method(&path, None)?, self.base_url(made))),
            },
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.sender(file, inner, entries),
            _ => None,
        }
    }

    /// True if a file names a package whose functions or clients are called by a name of the file: `axios(config)`. Most
    /// programs have none, and then no such call is looked at.
    fn has_client_package(&self) -> bool {
        http::CALLED_PACKAGES.iter().any(|package| self.program.names.find(package).is_some())
    }

    /// The base URL that a client is made with: `baseURL`, `prefixUrl`.
    fn base_url(&mut self, made: Option<(FileIndex, CallExprId)>) -> Option<Text> {
        let (file, site) = made?;
        let passed = self.passed_values(file, site);
        let options = &passed.first()?.value;
        let base = ["baseURL", "prefixUrl", "prefix"].into_iter().find_map(|name| options.entry(name))?;
        Some(base.clone().into_text())
    }
}
