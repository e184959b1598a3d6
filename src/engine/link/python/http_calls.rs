//! Calls that send HTTP requests, and calls of functions of the sources that wrap one.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    types::{Type, TypeId},
};
use crate::{
    link::{
        http::{self, METHODS, Passed, RequestParts, Sender, Text, Value},
        python::mro_table::Ancestor,
    },
    program::ParameterKind,
    syntax::python::facts::{CallExprId, Expr, ExprId},
};

/// Per file, the calls that send requests, in the order of the facts.
pub(super) type FileRequests = Vec<(CallExprId, RequestParts)>;

impl Linker<'_> {
    /// The requests of all files. `fqns` are the names of all definitions.
    pub(super) fn http_requests(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        fqns: &[CompactString],
    ) -> Vec<FileRequests> {
        let mut requests: Vec<FileRequests> = vec![Vec::new(); resolved.len()];
        let mut wrappers: FxHashMap<GlobalDef, Option<RequestParts>> = FxHashMap::default();
        for (index, requests) in requests.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            for (at, site) in facts.calls.iter().enumerate() {
                if site.line == 0 || site.arguments.is_empty() {
                    continue;
                }
                self.begin_question();
                let Some((sender, base)) = self.sender(file, site.callee, fqns) else { continue };
                let passed = self.passed_values(file, CallExprId::new(at));
                let Some(parts) = http::parts(sender, base, &passed) else { continue };
                let caller = site.caller.map(|def| facts.def(def)).and_then(|def| def.function());
                let name =
                    |at: u16| caller?.parameters.get(usize::from(at)).map(|parameter| facts.name(parameter.name));
                if let Some(caller) = site.caller.filter(|_| parts.takes_path(name)) {
                    let def = self.program.global_def(file, caller);
                    // A function that sends several such requests is no wrapper of one.
                    wrappers.entry(def).and_modify(|known| *known = None).or_insert(Some(parts));
                } else if parts.url.is_written() {
                    requests.push((CallExprId::new(at), parts));
                }
            }
        }
        // The senders of a library that is among the sources are known already.
        wrappers.retain(|def, parts| parts.is_some() && http::python_function(&fqns[def.index()]).is_none());
        if !wrappers.is_empty() {
            self.add_wrapped(resolved, &wrappers, &mut requests);
        }
        requests
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
                let Some(Some(parts)) = wrappers.get(&callee.def) else { continue };
                let site = CallExprId::new(at);
                let is_named = self.program.facts(file).calls[at].line > 0;
                if !is_named || requests[..direct].iter().any(|(known, _)| *known == site) {
                    continue;
                }
                self.begin_question();
                let passed = self.passed_values(file, site);
                let is_bound = self.program.owner(callee.def).is_some() && !callee.explicit_receiver;
                let is_static = self.program.is_decorated(callee.def, &["staticmethod"]);
                let skipped = usize::from(is_bound && !is_static);
                let mut values = Vec::new();
                let count = self.program.function(callee.def).map_or(0, |function| function.parameters.len());
                for position in 0..count {
                    values.push(self.argument_of(callee.def, position, skipped, &passed));
                }
                let value = |position: u16| values.get(usize::from(position)).cloned().unwrap_or_default();
                let parts = parts.with_arguments(&value);
                if parts.url.is_written() {
                    requests.push((site, parts));
                }
            }
            requests.sort_by_key(|(site, _)| *site);
        }
    }

    /// The value that a call passes for the parameter at `position`, or its default. `skipped` parameters are bound
    /// already.
    fn argument_of(&mut self, def: GlobalDef, position: usize, skipped: usize, passed: &[Passed]) -> Value {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let Some(parameter) = self.program.function(def).and_then(|f| f.parameters.get(position)) else {
            return Value::Unknown;
        };
        let name = facts.name(parameter.name);
        if let Some(named) = passed.iter().find(|argument| argument.keyword.as_deref() == Some(name)) {
            return named.value.clone();
        }
        let is_positional = |argument: &&Passed| argument.keyword.is_none() && !argument.is_spread;
        let may_be_spread = passed.iter().any(|argument| argument.is_spread);
        let by_position =
            position.checked_sub(skipped).filter(|_| !matches!(parameter.kind, ParameterKind::KeywordOnly));
        if let Some(argument) = by_position.and_then(|at| passed.iter().take_while(is_positional).nth(at)) {
            return argument.value.clone();
        }
        match &parameter.default {
            Some((default, _)) if !may_be_spread => self.literal_value((file, *default), None, 0),
            _ => Value::Unknown,
        }
    }

    /// What a callee sends, and the base of the client's URLs.
    fn sender(&mut self, file: FileIndex, callee: ExprId, fqns: &[CompactString]) -> Option<(Sender, Option<Text>)> {
        let facts = self.program.facts(file);
        if let Expr::Attribute { value, name, .. } = facts.expr(callee) {
            let name = facts.name(name);
            if !(METHODS.contains(&name) || matches!(name, "request" | "stream")) {
                return None;
            }
            let receiver = self.expr_type(file, value);
            if self.is_client(receiver, fqns) {
                let base = self.base_url(file, value);
                return Some((http::python_method(name)?, base));
            }
            if !matches!(self.types.get(receiver), Type::Module(_) | Type::ExternalName(_)) {
                return None;
            }
        }
        let function = self.expr_type(file, callee);
        let path = match *self.types.get(function) {
            Type::ExternalName(path) => self.program.interner.text(path),
            Type::Function(def) if self.program.owner(def).is_none() => &fqns[def.index()],
            _ => return None,
        };
        Some((http::python_function(path)?, None))
    }

    /// True if an instance of a type sends requests: its class, or a base of it, is a client.
    fn is_client(&mut self, ty: TypeId, fqns: &[CompactString]) -> bool {
        let parts = self.types.parts(ty);
        parts.iter().any(|&part| match *self.types.get(part) {
            Type::ExternalInstance(path, _) => http::is_client_class(self.program.interner.text(path)),
            Type::Instance(class, _) => {
                let mro = self.mro(class);
                self.mro_table.iter(mro).any(|ancestor| match ancestor {
                    Ancestor::Class(class, _) => http::is_client_class(&fqns[self.program.class_def(*class).index()]),
                    Ancestor::External(path) => http::is_client_class(self.program.interner.text(*path)),
                    Ancestor::Unknown(_) => false,
                })
            }
            _ => false,
        })
    }

    /// The base URL that the client `receiver` is made with.
    fn base_url(&mut self, file: FileIndex, receiver: ExprId) -> Option<Text> {
        let (file, made) = self.origin((file, receiver), 0)?;
        let Expr::Call(site) = self.program.facts(file).expr(made) else { return None };
        let passed = self.passed_values(file, site);
        let base = passed.into_iter().find(|argument| argument.keyword.as_deref() == Some("base_url"))?;
        (base.value != Value::Nothing).then(|| base.value.into_text())
    }
}
