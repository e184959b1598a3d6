//! What calls give: returns, decorators, iteration, awaiting.

use rustc_hash::FxHashMap;

use super::{
    infer::{Asked, Linker},
    known,
    members::{Lookup, Member},
    program::{ClassId, FileIndex, GlobalBinding, GlobalDef, decorator_name},
    types::{Ty, Type},
};
use crate::engine::{
    index::ParameterKind,
    syntax::facts::{Arg, ScopeKind, SiteId},
    usage::ArgumentKind,
};

/// Decorators that leave what is called, and how, as it is.
const TRANSPARENT: &[&str] = &[
    "abstractmethod",
    "abstractclassmethod",
    "abstractstaticmethod",
    "asynccontextmanager",
    "cache",
    "classmethod",
    "contextmanager",
    "deprecated",
    "final",
    "fixture",
    "lru_cache",
    "no_type_check",
    "overload",
    "override",
    "property",
    "staticmethod",
    "wraps",
];

/// The arguments of a call that is being evaluated.
#[derive(Clone, Copy)]
pub(super) struct Passed<'a> {
    pub(super) file: FileIndex,
    pub(super) arguments: &'a [Arg],
    /// A further positional argument that no expression stands for: what a decorator is given.
    pub(super) extra: Option<Ty>,
}

impl<'f> Linker<'f> {
    /// The type of a call expression.
    pub(super) fn call_result(&mut self, file: FileIndex, site: SiteId) -> Ty {
        let facts = self.program.facts(file);
        let site = &facts.calls[site.index()];
        let callee = self.expr(file, site.callee);
        let passed = Passed { file, arguments: &site.arguments, extra: None };
        if let Type::Outside(path) = *self.types.get(callee)
            && self.program.symbols.text(path) == "super"
        {
            return self.super_value(file, site.scope, passed);
        }
        self.each_part(callee, |this, part| this.called_with(part, Some(passed)))
    }

    /// What calling a value gives, whatever is passed.
    pub(super) fn called(&mut self, callee: Ty) -> Ty {
        self.each_part(callee, |this, part| this.called_with(part, None))
    }

    pub(super) fn called_with(&mut self, callee: Ty, passed: Option<Passed>) -> Ty {
        match self.types.get(callee).clone() {
            Type::Class(class, args) => {
                let args = if args.is_empty() { self.solved_arguments(class, passed).into() } else { args };
                self.types.add(Type::Instance(class, args))
            }
            Type::Function(def) => {
                let decorated = self.decorated(def);
                if decorated == callee {
                    let def = self.chosen_overload(def, false, passed);
                    let result = self.returned(def);
                    self.solved(result, def, false, FxHashMap::default(), passed)
                } else {
                    self.nested(|this| this.called_with(decorated, passed))
                }
            }
            Type::Method(def, receiver) => {
                let decorated = self.decorated(def);
                if !matches!(self.types.get(decorated), Type::Function(d) if *d == def) {
                    return self.nested(|this| this.called_with(decorated, passed));
                }
                let def = self.chosen_overload(def, true, passed);
                let result = self.returned(def);
                let map = match (self.types.get(receiver).clone(), self.program.owner(def)) {
                    (Type::Instance(class, args) | Type::Class(class, args), Some(owner)) => {
                        self.arguments_of(class, &args, owner)
                    }
                    _ => FxHashMap::default(),
                };
                let result = self.with_self(result, receiver);
                self.solved(result, def, true, map, passed)
            }
            Type::Instance(class, _) => {
                let name = self.program.symbols.intern("__call__");
                match self.member(class, name) {
                    Lookup::Found(_) => {
                        let method = self.attribute(callee, name);
                        self.nested(|this| this.called_with(method, passed))
                    }
                    Lookup::Outside => Ty::EXTERNAL,
                    Lookup::Missing => Ty::UNKNOWN,
                }
            }
            Type::Outside(path) => self.outside_result(path, passed),
            Type::OutsideClass(path, args) => self.types.add(Type::OutsideInstance(path, args)),
            Type::OutsideMethod(name, receiver) => self.outside_method_result(name, receiver, passed),
            Type::OutsideInstance(path, args) => match (self.program.symbols.text(path), &args[..]) {
                ("Callable", &[result]) | ("type", &[result]) => result,
                _ => Ty::EXTERNAL,
            },
            Type::TypeVar(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound == Ty::UNKNOWN { bound } else { self.nested(|this| this.called_with(bound, passed)) }
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        }
    }

    /// `super()` and `super(C, self)`.
    fn super_value(&mut self, file: FileIndex, scope: crate::engine::syntax::facts::ScopeId, passed: Passed) -> Ty {
        if let [class, receiver] = passed.arguments {
            let class = self.expr(file, class.value);
            let receiver = self.expr(file, receiver.value);
            return match *self.types.get(class) {
                Type::Class(class, _) => self.types.add(Type::Super(class, receiver)),
                _ => Ty::EXTERNAL,
            };
        }
        let facts = self.program.facts(file);
        let mut at = Some(scope);
        let mut method = None;
        while let Some(here) = at {
            let row = &facts.scopes[here.index()];
            if row.kind == ScopeKind::Class {
                break;
            }
            method = row.def.or(method);
            at = row.parent;
        }
        let Some(method) = method.map(|def| self.program.global(file, def)) else { return Ty::UNKNOWN };
        let Some(class) = self.program.owner(method) else { return Ty::UNKNOWN };
        let receiver = self.parameter_of_receiver(method, class);
        self.types.add(Type::Super(class, receiver))
    }

    fn parameter_of_receiver(&mut self, method: GlobalDef, class: ClassId) -> Ty {
        let has_receiver = self.program.function(method).is_some_and(|f| !f.parameters.is_empty());
        if has_receiver { self.parameter(method, 0) } else { self.types.class(class) }
    }

    /// What a function returns when it is called: of an `async` one something to await.
    pub(super) fn returned(&mut self, def: GlobalDef) -> Ty {
        let busy = match self.ask(self.returns[def.index()]) {
            Asked::Answer(ty) => return ty,
            Asked::Open(busy) => busy,
        };
        self.returns[def.index()] = busy;
        let ty = self.nested(|this| this.find_returned(def));
        self.returns[def.index()] = self.settle(busy, ty);
        ty
    }

    fn find_returned(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return Ty::UNKNOWN };
        let mut ty = match &function.returns {
            Some((annotation, _)) => self.annotation(file, *annotation),
            None => self.inferred_return(file, def),
        };
        if function.is_async && !function.is_generator {
            ty = self.outside_instance("Awaitable", &[ty]);
        }
        for (_, text) in &self.program.def(def).decorators {
            match decorator_name(text) {
                "contextmanager" => {
                    let item = self.iterated_any(ty);
                    ty = self.outside_instance("ContextManager", &[item]);
                }
                "asynccontextmanager" => {
                    let item = self.iterated_any(ty);
                    ty = self.outside_instance("AsyncContextManager", &[item]);
                }
                _ => {}
            }
        }
        ty
    }

    fn inferred_return(&mut self, file: FileIndex, def: GlobalDef) -> Ty {
        let Some(function) = self.program.function(def) else { return Ty::UNKNOWN };
        if function.is_generator {
            let mut parts = Vec::new();
            for &value in function.yields.iter().take(16) {
                // `yield from x` is kept starred, and so evaluates to what x yields.
                parts.push(self.expr(file, value));
            }
            let item = self.types.union(parts);
            return self.outside_instance(if function.is_async { "AsyncIterable" } else { "Generator" }, &[item]);
        }
        if function.is_declared || self.program.is_decorated(def, &["abstractmethod"]) {
            return Ty::UNKNOWN;
        }
        let mut parts: Vec<Ty> = Vec::new();
        for &value in function.return_values.iter().take(16) {
            parts.push(self.expr(file, value));
        }
        if function.falls_through && !function.is_lambda {
            parts.push(Ty::NONE);
        }
        self.types.union(parts)
    }

    /// What a decorated function's name stands for as a value; the function itself where its decorators keep it.
    pub(super) fn decorated(&mut self, def: GlobalDef) -> Ty {
        let busy = match self.ask(self.decorated[def.index()]) {
            Asked::Answer(Ty::UNKNOWN) => return self.types.add(Type::Function(def)),
            Asked::Answer(ty) => return ty,
            Asked::Open(busy) => busy,
        };
        self.decorated[def.index()] = busy;
        let ty = self.nested(|this| this.find_decorated(def));
        self.decorated[def.index()] = self.settle(busy, ty);
        ty
    }

    fn find_decorated(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let own = self.types.add(Type::Function(def));
        let mut ty = own;
        for (decorator, text) in self.program.def(def).decorators.iter().rev() {
            if TRANSPARENT.contains(&decorator_name(text)) || text.starts_with("pytest.") {
                continue;
            }
            let decorator = self.expr(file, *decorator);
            let after = self.each_part(decorator, |this, part| this.applied(part, ty));
            if after != Ty::UNKNOWN {
                ty = after;
            }
        }
        ty
    }

    /// What a decorator makes of a function; unknown where it keeps it.
    fn applied(&mut self, decorator: Ty, function: Ty) -> Ty {
        let file = FileIndex::new(0);
        let passed = Some(Passed { file, arguments: &[], extra: Some(function) });
        let result = match self.types.get(decorator).clone() {
            Type::Function(_) | Type::Method(..) | Type::Instance(..) => self.called_with(decorator, passed),
            Type::Class(..) => return self.called_with(decorator, None),
            Type::Outside(path) => {
                let name = self.program.symbols.text(path);
                return if name.starts_with("pytest.") || name.starts_with("typing") {
                    Ty::UNKNOWN
                } else {
                    Ty::EXTERNAL
                };
            }
            Type::OutsideInstance(path, args) => match (self.program.symbols.text(path), &args[..]) {
                ("Callable", &[result]) => result,
                _ => return Ty::EXTERNAL,
            },
            Type::External | Type::OutsideMethod(..) => return Ty::EXTERNAL,
            _ => return Ty::UNKNOWN,
        };
        match self.types.get(result).clone() {
            // A wrapper that takes anything is taken to pass everything on.
            Type::Function(inner) if self.passes_everything(inner) => Ty::UNKNOWN,
            Type::Instance(..) | Type::Function(_) => result,
            _ => Ty::UNKNOWN,
        }
    }

    fn passes_everything(&self, def: GlobalDef) -> bool {
        self.program.is_decorated(def, &["wraps", "update_wrapper"])
            || self.program.function(def).is_some_and(|f| {
                f.parameters.iter().any(|p| p.kind == ParameterKind::VarPositional && p.annotation.is_none())
                    || f.parameters.iter().any(|p| p.kind == ParameterKind::VarKeyword)
            })
    }

    /// Replaces a function's type variables by what the arguments say they are.
    fn solved(
        &mut self,
        result: Ty,
        def: GlobalDef,
        bound: bool,
        mut map: FxHashMap<GlobalBinding, Ty>,
        passed: Option<Passed>,
    ) -> Ty {
        if !self.mentions_variable(result) {
            return result;
        }
        if let Some(passed) = passed {
            self.solve_arguments(def, bound, passed, &mut map);
        }
        self.substituted(result, &map)
    }

    fn solve_arguments(&mut self, def: GlobalDef, bound: bool, passed: Passed, map: &mut FxHashMap<GlobalBinding, Ty>) {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return };
        let mut position = usize::from(bound);
        for argument in passed.arguments {
            let parameter = match argument.kind {
                ArgumentKind::Positional => {
                    position += 1;
                    function.parameters.get(position - 1)
                }
                ArgumentKind::Keyword => {
                    let name = argument.keyword.map(|k| self.program.symbol(passed.file, k));
                    function.parameters.iter().find(|p| Some(self.program.symbol(file, p.name)) == name)
                }
                _ => None,
            };
            let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { continue };
            let annotation = self.annotation(file, *annotation);
            if self.mentions_variable(annotation) {
                let given = self.expr(passed.file, argument.value);
                self.solve(annotation, given, map);
            }
        }
        if let Some(given) = passed.extra
            && let Some((annotation, _)) = function.parameters.get(position).and_then(|p| p.annotation.as_ref())
        {
            let annotation = self.annotation(file, *annotation);
            self.solve(annotation, given, map);
        }
    }

    /// Type arguments of an instance that a constructor's arguments give away.
    fn solved_arguments(&mut self, class: ClassId, passed: Option<Passed>) -> Vec<Ty> {
        let Some(passed) = passed else { return Vec::new() };
        let parameters = self.type_parameters(class);
        if parameters.is_empty() {
            return Vec::new();
        }
        let init = self.program.symbols.intern("__init__");
        let mut map = FxHashMap::default();
        if let Lookup::Found(Member::Function { def, .. }) = self.member(class, init) {
            self.solve_arguments(def, true, passed, &mut map);
        }
        if map.is_empty() {
            return Vec::new();
        }
        parameters.into_iter().map(|p| map.get(&p).copied().unwrap_or_default()).collect()
    }

    fn mentions_variable(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::TypeVar(_) => true,
            Type::Union(items)
            | Type::Tuple(items)
            | Type::OutsideInstance(_, items)
            | Type::Instance(_, items)
            | Type::Class(_, items)
            | Type::OutsideClass(_, items) => items.iter().any(|&i| self.mentions_variable(i)),
            _ => false,
        }
    }

    /// Finds what the type variables of `pattern` stand for in `given`.
    fn solve(&mut self, pattern: Ty, given: Ty, map: &mut FxHashMap<GlobalBinding, Ty>) {
        if given == Ty::UNKNOWN || given == Ty::EXTERNAL {
            return;
        }
        match (self.types.get(pattern).clone(), self.types.get(given).clone()) {
            (Type::TypeVar(variable), _) => {
                map.entry(variable).or_insert(given);
            }
            (Type::Union(parts), _) => {
                let given = self.without_none(given);
                for &part in parts.iter() {
                    self.solve(part, given, map);
                }
            }
            (Type::OutsideInstance(a, pattern), Type::OutsideInstance(b, items)) => {
                let iterable = self.program.symbols.text(a) == "Iterable";
                if a == b || iterable {
                    for (&p, &g) in pattern.iter().zip(items.iter()) {
                        self.solve(p, g, map);
                    }
                }
            }
            (Type::OutsideInstance(a, pattern), Type::Class(..) | Type::Function(_) | Type::Method(..))
                if self.program.symbols.text(a) == "Callable" =>
            {
                let result = self.called(given);
                if let [p] = pattern[..] {
                    self.solve(p, result, map);
                }
            }
            (Type::OutsideInstance(a, pattern), Type::Class(class, args)) if self.program.symbols.text(a) == "type" => {
                let instance = self.types.add(Type::Instance(class, args));
                if let [p] = pattern[..] {
                    self.solve(p, instance, map);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if a == b => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.solve(p, g, map);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(items)) => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.solve(p, g, map);
                }
            }
            _ => {}
        }
    }

    /// Replaces `Self` by the receiver.
    pub(super) fn with_self(&mut self, ty: Ty, receiver: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::OutsideInstance(path, args) => {
                if self.program.symbols.text(path) == "typing.Self" {
                    return match self.types.get(receiver) {
                        Type::Class(..) => self.instantiated(receiver),
                        _ => receiver,
                    };
                }
                if args.is_empty() {
                    return ty;
                }
                let args: Vec<Ty> = args.iter().map(|&arg| self.with_self(arg, receiver)).collect();
                self.types.add(Type::OutsideInstance(path, args.into()))
            }
            Type::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|&part| self.with_self(part, receiver)).collect();
                self.types.union(parts)
            }
            _ => ty,
        }
    }

    /// What iterating over a value gives.
    pub(super) fn iterated(&mut self, ty: Ty) -> Ty {
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::Tuple(items) => this.types.union(items.iter().copied()),
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("list" | "set" | "frozenset" | "tuple" | "Iterable" | "Generator" | "dict", [item, ..]) => *item,
                ("str", _) => part,
                _ => Ty::EXTERNAL,
            },
            Type::Instance(..) => {
                let iter = this.program.symbols.intern("__iter__");
                let method = this.attribute(part, iter);
                let iterator = this.called(method);
                match this.types.get(iterator) {
                    Type::Instance(..) => {
                        let next = this.program.symbols.intern("__next__");
                        let method = this.attribute(iterator, next);
                        this.called(method)
                    }
                    Type::OutsideInstance(..) => this.nested(|this| this.iterated(iterator)),
                    _ => Ty::UNKNOWN,
                }
            }
            Type::Class(class, _) if this.is_enum(class) => this.types.instance(class),
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        })
    }

    pub(super) fn async_iterated(&mut self, ty: Ty) -> Ty {
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("AsyncIterable", [item, ..]) => *item,
                _ => Ty::EXTERNAL,
            },
            Type::Instance(..) => {
                let iter = this.program.symbols.intern("__aiter__");
                let method = this.attribute(part, iter);
                let iterator = this.called(method);
                match this.types.get(iterator) {
                    Type::Instance(..) => {
                        let next = this.program.symbols.intern("__anext__");
                        let method = this.attribute(iterator, next);
                        let item = this.called(method);
                        this.awaited(item)
                    }
                    Type::OutsideInstance(..) => this.nested(|this| this.async_iterated(iterator)),
                    _ => Ty::UNKNOWN,
                }
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        })
    }

    /// What a generator of either kind yields.
    pub(super) fn iterated_any(&mut self, ty: Ty) -> Ty {
        let item = self.iterated(ty);
        if matches!(item, Ty::UNKNOWN | Ty::EXTERNAL) { self.async_iterated(ty) } else { item }
    }

    /// What awaiting a value gives.
    pub(super) fn awaited(&mut self, ty: Ty) -> Ty {
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("Awaitable" | "asyncio.Future" | "asyncio.Task", &[item]) => item,
                _ => Ty::EXTERNAL,
            },
            Type::External => Ty::EXTERNAL,
            Type::Instance(..) => {
                let name = this.program.symbols.intern("__await__");
                let method = this.attribute(part, name);
                let generator = this.called(method);
                match this.types.get(generator).clone() {
                    Type::OutsideInstance(_, args) if args.len() == 3 => args[2],
                    _ => Ty::UNKNOWN,
                }
            }
            _ => Ty::UNKNOWN,
        })
    }

    /// Awaited where it can be, else itself.
    pub(super) fn awaited_any(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty) {
            Type::OutsideInstance(path, _) if self.program.symbols.text(*path) == "Awaitable" => self.awaited(ty),
            _ => ty,
        }
    }

    /// What `with value as x` binds.
    pub(super) fn entered(&mut self, ty: Ty, method: &str) -> Ty {
        let is_async = method == "__aenter__";
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("ContextManager", [item, ..]) if !is_async => *item,
                ("AsyncContextManager", [item, ..]) if is_async => *item,
                (text, _) if is_self_entering(text) => part,
                _ => Ty::EXTERNAL,
            },
            Type::Instance(..) => {
                let name = this.program.symbols.intern(method);
                let entered = this.attribute(part, name);
                if entered == Ty::EXTERNAL {
                    // A base from outside enters: by far most return themselves.
                    return part;
                }
                let result = this.called(entered);
                if is_async { this.awaited(result) } else { result }
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        })
    }

    /// The values of positional arguments.
    pub(super) fn positional(&mut self, passed: Option<Passed>) -> Vec<Ty> {
        let Some(passed) = passed else { return Vec::new() };
        let values: Vec<_> =
            passed.arguments.iter().take_while(|a| a.kind == ArgumentKind::Positional).map(|a| a.value).collect();
        values.into_iter().map(|value| self.expr(passed.file, value)).collect()
    }
}

fn is_self_entering(path: &str) -> bool {
    path.ends_with("ExitStack") || known::canonical(path) == "contextlib.ExitStack"
}
