//! Calls that send HTTP requests, and calls of functions of the sources that wrap such a call.

use compact_str::CompactString;

use super::{
    bind::ReceiverPassing,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    types::{Type, TypeId},
};
use crate::http::{
    self, FileRequests, METHODS, PassedArgument, RequestParts, Sender, Text, Value, WrapperCalls, Wrappers,
};
use crate::python::mro_table::Ancestor;
use apidisc_facts::{
    program::ParameterKind,
    syntax::python::facts::{CallExprId, Expr, ExprId},
};

impl Linker<'_> {
    /// The requests of all files. `fqns` are the names of all definitions.
    pub(super) fn http_requests(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        fqns: &[CompactString],
    ) -> Vec<FileRequests<CallExprId>> {
        let mut requests: Vec<FileRequests<CallExprId>> = vec![Vec::new(); resolved.len()];
        let mut wrappers = Wrappers::default();
        for (index, requests) in requests.iter_mut().enumerate() {
            let file = FileIndex::new(index);
            if self.program.files[index].is_installed {
                continue;
            }
            let facts = self.program.facts(file);
            for (at, site) in facts.calls.iter().enumerate() {
                if site.arguments.is_empty() {
                    continue;
                }
                self.begin_query();
                let Some((sender, base)) = self.sender(file, site.callee, fqns) else { continue };
                let passed = self.passed_values(file, CallExprId::new(at));
                let Some(parts) = http::parts(sender, base, &passed) else { continue };
                if let Some(wrapper) = self.function_taking_path(file, CallExprId::new(at), &parts) {
                    wrappers.add(wrapper, parts);
                } else if parts.url.is_written() {
                    requests.push((CallExprId::new(at), parts));
                }
            }
        }
        // Functions of a known HTTP library are senders themselves, also if the library is among the sources.
        wrappers.leave_out(|def| http::python_function(&fqns[def.index()]).is_some());
        wrappers.add_calls(&mut ResolvedCalls { linker: self, resolved }, &mut requests);
        requests
    }

    /// The function around a call, if one of its parameters is the path of the request that the call sends.
    fn function_taking_path(&self, file: FileIndex, site: CallExprId, parts: &RequestParts) -> Option<GlobalDef> {
        let facts = self.program.facts(file);
        let caller = facts.calls[site.index()].caller?;
        let function = facts.def(caller).function();
        let name = |at: u16| function?.parameters.get(usize::from(at)).map(|parameter| facts.name(parameter.name));
        parts.takes_path(name).then(|| self.program.global_def(file, caller))
    }

    /// The value that a call passes for each parameter of a function. The first `skipped` parameters are bound already.
    pub(super) fn parameter_values(
        &mut self,
        function: GlobalDef,
        skipped: usize,
        passed: &[PassedArgument],
    ) -> Vec<Value> {
        let count = self.program.function(function).map_or(0, |function| function.parameters.len());
        (0..count).map(|position| self.argument_of(function, position, skipped, passed)).collect()
    }

    /// The value that a call passes for the parameter at `position`, or its default. `skipped` parameters are bound
    /// already.
    fn argument_of(&mut self, def: GlobalDef, position: usize, skipped: usize, passed: &[PassedArgument]) -> Value {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let Some(parameter) = self.program.function(def).and_then(|f| f.parameters.get(position)) else {
            return Value::Unknown;
        };
        let name = facts.name(parameter.name);
        if let Some(named) = passed.iter().find(|argument| argument.keyword.as_deref() == Some(name)) {
            return named.value.clone();
        }
        let is_positional = |argument: &&PassedArgument| argument.keyword.is_none() && !argument.is_spread;
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

    /// The request that a call of `callee` sends, and the base URL of the client; `None` if the callee sends no
    /// request.
    fn sender(&mut self, file: FileIndex, callee: ExprId, fqns: &[CompactString]) -> Option<(Sender, Option<Text>)> {
        let facts = self.program.facts(file);
        if let Expr::Attribute { value, name, .. } = facts.expr(callee) {
            let name = facts.name(name);
            if !(METHODS.contains(&name) || matches!(name, "request" | "stream")) {
                return None;
            }
            let receiver = self.expr_type(file, value);
            if self.is_instance(receiver, fqns, http::is_client_class) || self.is_client_of_test(file, value, fqns) {
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

    /// True if `ty` is an instance of a class whose dotted path satisfies `is_known`, or of a subclass of such a class.
    pub(super) fn is_instance(&mut self, ty: TypeId, fqns: &[CompactString], is_known: fn(&str) -> bool) -> bool {
        let parts = self.types.parts(ty);
        parts.iter().any(|&part| match *self.types.get(part) {
            Type::ExternalInstance(path, _) => is_known(self.program.interner.text(path)),
            Type::Instance(class, _) => {
                let mro = self.mro(class);
                self.mro_table.iter(mro).any(|ancestor| match ancestor {
                    Ancestor::Class(class, _) => is_known(&fqns[self.program.class_def(*class).index()]),
                    Ancestor::External(path) => is_known(self.program.interner.text(*path)),
                    Ancestor::Unknown(_) => false,
                })
            }
            _ => false,
        })
    }

    /// True for `self.client` in a Django test, whose base class creates the client.
    fn is_client_of_test(&mut self, file: FileIndex, receiver: ExprId, fqns: &[CompactString]) -> bool {
        let facts = self.program.facts(file);
        let Expr::Attribute { value, name, .. } = facts.expr(receiver) else { return false };
        if !matches!(facts.name(name), "client" | "async_client") {
            return false;
        }
        let own = self.expr_type(file, receiver);
        let is_inherited = matches!(self.types.get(own), Type::Unknown | Type::External | Type::ExternalMethod(..));
        let test = self.expr_type(file, value);
        is_inherited && self.is_instance(test, fqns, http::is_test_with_client)
    }

    /// The base URL that the client `receiver` is constructed with.
    fn base_url(&mut self, file: FileIndex, receiver: ExprId) -> Option<Text> {
        let (file, made) = self.origin((file, receiver), 0)?;
        let Expr::Call(site) = self.program.facts(file).expr(made) else { return None };
        let passed = self.passed_values(file, site);
        let ty = self.expr_type(file, made);
        // `aiohttp.ClientSession("https://api.example.com")`
        let is_first = matches!(*self.types.get(ty), Type::ExternalInstance(path, _)
            if http::takes_base_first(self.program.interner.text(path)));
        let position = if is_first { 0 } else { usize::MAX };
        let base = super::http_routes::argument(&passed, &["base_url"], position)?;
        (*base != Value::Nothing).then(|| base.clone().into_text())
    }
}

/// The resolved calls of the program.
struct ResolvedCalls<'l, 'f> {
    linker: &'l mut Linker<'f>,
    resolved: &'l [Vec<ResolvedCall>],
}

impl WrapperCalls for ResolvedCalls<'_, '_> {
    type Site = CallExprId;
    type Function = GlobalDef;

    fn calls(&self, file: usize) -> Vec<(CallExprId, GlobalDef)> {
        let single = self.resolved[file].iter().enumerate().filter_map(|(at, call)| match &call.candidates[..] {
            [callee] => Some((CallExprId::new(at), callee.def)),
            _ => None,
        });
        single.collect()
    }

    fn values(&mut self, file: usize, site: CallExprId) -> Vec<Value> {
        let [callee] = &self.resolved[file][site.index()].candidates[..] else { return Vec::new() };
        let linker = &mut *self.linker;
        linker.begin_query();
        let passed = linker.passed_values(FileIndex::new(file), site);
        let is_static = linker.program.is_decorated(callee.def, &["staticmethod"]);
        let is_bound = match callee.passing {
            ReceiverPassing::Implicit => linker.program.owner(callee.def).is_some() && !is_static,
            ReceiverPassing::Argument => false,
            ReceiverPassing::FirstParameter => true,
        };
        linker.parameter_values(callee.def, usize::from(is_bound), &passed)
    }

    fn wrapper(&self, file: usize, site: CallExprId, parts: &RequestParts) -> Option<GlobalDef> {
        self.linker.function_taking_path(FileIndex::new(file), site, parts)
    }
}
