//! Calls that send HTTP requests, and calls of functions of the sources that wrap one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    HttpReader,
    objects::{CreationSite, HttpObject},
};
use crate::typescript::{
    call_sites::ResolvedCall,
    program::{FileIndex, GlobalDef},
};
use crate::{
    http::{self, FileRequests, METHODS, PassedArgument, RequestParts, Sender, Text, Value, WrapperCalls, Wrappers},
    linked::LinkedRequest,
};
use apidisc_base::{nesting, sort::SharedSort as _};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, CallExprKind, Def, Expr, ExprId, FileFacts, NameId, ValueSource,
};

/// The calls of a file that are made on the results of other calls.
#[derive(Default)]
struct Chains {
    /// The call that is made on the result of a call, with the name of its method.
    next: FxHashMap<ExprId, (CallExprId, NameId)>,
    /// The expressions that variables hold or functions return.
    held: FxHashSet<ExprId>,
}

impl Chains {
    fn of(facts: &FileFacts) -> Self {
        let mut chains = Self::default();
        for (at, site) in facts.calls.iter().enumerate() {
            if let Expr::Property { object, name, .. } = facts.expr(site.callee)
                && let Expr::Call(_) = facts.expr(object)
            {
                chains.next.insert(object, (CallExprId::new(at), name));
            }
        }
        for variable in &facts.variables {
            chains.held.extend(variable.assigned.iter().copied());
            if let ValueSource::Value(value) = variable.source {
                chains.held.insert(value);
            }
        }
        let returned = facts.definitions.iter().filter_map(Def::function).flat_map(|function| &function.return_values);
        chains.held.extend(returned.copied());
        chains
    }
}

impl HttpReader<'_, '_> {
    /// The requests of all files, with the rows of their callers.
    pub(in crate::typescript) fn http_requests(&mut self, resolved: &[Vec<ResolvedCall>]) -> Vec<Vec<LinkedRequest>> {
        let mut requests: Vec<FileRequests<CallExprId>> = vec![Vec::new(); resolved.len()];
        let mut wrappers = Wrappers::default();
        for (index, requests) in requests.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            let facts = self.linker.program.facts(file);
            let mut chains = None;
            for (at, site) in facts.calls.iter().enumerate() {
                if site.line == 0 || site.kind != CallExprKind::Call || site.arguments.is_empty() {
                    continue;
                }
                self.linker.budget.begin_query();
                let Some((sender, base)) = self.sender(file, site.callee) else { continue };
                let passed = self.passed_values(file, CallExprId::new(at));
                let Some(mut parts) = http::parts(sender, base, &passed) else { continue };
                if sender.client == http::Client::Chain {
                    let chains = chains.get_or_insert_with(|| Chains::of(facts));
                    self.add_steps(file, CallExprId::new(at), chains, &mut parts);
                }
                if let Some(wrapper) = self.function_taking_path(file, CallExprId::new(at), &parts) {
                    wrappers.add(wrapper, parts);
                } else if parts.url.is_written() {
                    requests.push((CallExprId::new(at), parts));
                }
            }
        }
        wrappers.add_calls(&mut ResolvedCalls { reader: self, resolved }, &mut requests);
        let files = requests.into_iter().enumerate();
        files.map(|(file, requests)| self.linked_requests(FileIndex::new(file), requests)).collect()
    }

    fn linked_requests(&self, file: FileIndex, requests: FileRequests<CallExprId>) -> Vec<LinkedRequest> {
        let facts = self.linker.program.facts(file);
        let mut linked: Vec<LinkedRequest> = Vec::with_capacity(requests.len());
        for (site, parts) in requests {
            let site = facts.site(site);
            let caller = site
                .caller
                .and_then(|def| self.rows.caller(&self.linker.program, self.linker.program.global_def(file, def)));
            linked.push(LinkedRequest { line: site.line, col: site.col, caller, request: parts.request() });
        }
        linked.shared_sort_by_key(|request| (request.line, request.col));
        linked
    }

    /// Adds the calls that follow the call `at` of a request that is built step by step.
    fn add_steps(&mut self, file: FileIndex, at: CallExprId, chains: &Chains, parts: &mut RequestParts) {
        let facts = self.linker.program.facts(file);
        let mut made = facts.site(at).expr;
        let mut is_sent = false;
        while let Some((next, name)) = chains.next.get(&made) {
            made = facts.site(*next).expr;
            let name = facts.name(*name);
            is_sent |= matches!(name, "expect" | "then" | "end");
            let passed = self.passed_values(file, *next);
            parts.add_step(name, &passed);
        }
        // Code elsewhere may add further parts.
        parts.is_open |= !is_sent && chains.held.contains(&made);
    }

    /// The function around a call, if it takes the path of the request that the call sends.
    fn function_taking_path(&self, file: FileIndex, site: CallExprId, parts: &RequestParts) -> Option<GlobalDef> {
        let facts = self.linker.program.facts(file);
        let caller = facts.site(site).caller?;
        let function = facts.def(caller).function();
        let name = |at: u16| function?.params.get(usize::from(at))?.name.map(|name| facts.name(name));
        parts.takes_path(name).then(|| self.linker.program.global_def(file, caller))
    }

    /// The values that arguments have for the parameters of a function.
    pub(super) fn parameter_values(&mut self, function: GlobalDef, passed: &[PassedArgument]) -> Vec<Value> {
        let count = self.linker.program.function(function).map_or(0, |function| function.params.len());
        let mut values = Vec::with_capacity(count);
        for position in 0..count {
            let may_be_spread = passed.iter().take(position + 1).any(|argument| argument.is_spread);
            values.push(match passed.get(position) {
                _ if may_be_spread => Value::Unknown,
                Some(argument) => argument.value.clone(),
                None => self.default_value(function, position),
            });
        }
        values
    }

    /// The value of a parameter that is not passed.
    fn default_value(&mut self, def: GlobalDef, position: usize) -> Value {
        let file = self.linker.program.file_of(def);
        let default = self.linker.program.function(def).and_then(|f| f.params.get(position)?.default.as_ref());
        default.map_or(Value::Nothing, |(default, _)| self.literal_value(file, *default, None, 0))
    }

    /// The convention by which a callee sends a request, and the base URL of its client.
    fn sender(&mut self, file: FileIndex, callee: ExprId) -> Option<(Sender, Option<Text>)> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        match facts.expr(callee) {
            Expr::Property { object, name, .. } => {
                let name = facts.name(name);
                if !(METHODS.contains(&name) || matches!(name, "request" | "inject" | "fetch" | "axios")) {
                    return None;
                }
                match self.http_object(file, object, 0)? {
                    HttpObject::Outside(path) => {
                        let separator = if path.contains('#') { '.' } else { '#' };
                        let sender = http::typescript_function(&format!("{path}{separator}{name}"))?;
                        Some((sender, None))
                    }
                    HttpObject::Instance { path, created_at, .. } => {
                        let sender = http::typescript_method(&path, Some(name))?;
                        Some((sender, self.base_url(sender.client, created_at)))
                    }
                }
            }
            Expr::Name { name, .. } if matches!(facts.name(name), "fetch" | "$fetch") || self.has_client_package() => {
                match self.http_object(file, callee, 0)? {
                    HttpObject::Outside(path) => Some((http::typescript_function(&path)?, None)),
                    HttpObject::Instance { path, created_at, .. } => {
                        let sender = http::typescript_method(&path, None)?;
                        Some((sender, self.base_url(sender.client, created_at)))
                    }
                }
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.sender(file, inner),
            _ => None,
        }
    }

    /// True if a file names a package whose functions or clients are called by a name of the file: `axios(config)`.
    /// Most programs have none, and then no such call is looked at.
    fn has_client_package(&self) -> bool {
        http::CALLED_PACKAGES.iter().any(|package| self.linker.program.names.find(package).is_some())
    }

    /// The base URL that a client is created with: `baseURL`, `prefixUrl`.
    fn base_url(&mut self, client: http::Client, created_at: Option<CreationSite>) -> Option<Text> {
        let CreationSite::Call(file, site) = created_at? else { return None };
        let passed = self.passed_values(file, site);
        let options = &passed.first()?.value;
        let base = match (client, options) {
            // `new Pool("https://api.example.com")`
            (http::Client::Dispatcher, Value::Text(_)) => options,
            _ => http::BASE_OPTIONS.into_iter().find_map(|name| options.entry(name))?,
        };
        (*base != Value::Nothing).then(|| base.clone().into_text())
    }
}

/// The resolved calls of the program.
struct ResolvedCalls<'r, 'l, 'f> {
    reader: &'r mut HttpReader<'l, 'f>,
    resolved: &'r [Vec<ResolvedCall>],
}

impl WrapperCalls for ResolvedCalls<'_, '_, '_> {
    type Site = CallExprId;
    type Function = GlobalDef;

    fn calls(&self, file: usize) -> Vec<(CallExprId, GlobalDef)> {
        let facts = self.reader.linker.program.facts(FileIndex::new(file));
        let single = self.resolved[file].iter().enumerate().filter_map(|(at, call)| match call.candidates[..] {
            [callee] if facts.calls[at].line > 0 => Some((CallExprId::new(at), callee)),
            _ => None,
        });
        single.collect()
    }

    fn values(&mut self, file: usize, site: CallExprId) -> Vec<Value> {
        // The calls in installed packages are not resolved.
        let Some(&[callee]) = self.resolved[file].get(site.index()).map(|call| &call.candidates[..]) else {
            return Vec::new();
        };
        let reader = &mut *self.reader;
        reader.linker.budget.begin_query();
        let passed = reader.passed_values(FileIndex::new(file), site);
        reader.parameter_values(callee, &passed)
    }

    fn wrapper(&self, file: usize, site: CallExprId, parts: &RequestParts) -> Option<GlobalDef> {
        self.reader.function_taking_path(FileIndex::new(file), site, parts)
    }
}
