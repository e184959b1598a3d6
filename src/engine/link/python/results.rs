//! What calls give: returns, decorators, iteration, awaiting.

use rustc_hash::FxHashMap;

use super::{
    infer::Linker,
    members::Lookup,
    program::{ClassId, FileIndex, GlobalDef, decorator_name},
    types::{Ty, Type},
};
use crate::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, BindingKind, Expr, ExprId, ScopeKind, SiteId},
};

/// The arguments of a call that is being evaluated.
#[derive(Clone, Copy)]
pub(super) struct Passed<'a> {
    pub(super) file: FileIndex,
    pub(super) arguments: &'a [Arg],
    /// A further positional argument that no expression stands for: what a decorator is given.
    pub(super) extra: Option<Ty>,
}

impl Linker<'_> {
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
                    let mut result = self.returned(def);
                    if let Some(owner) = self.program.owner(def) {
                        let receiver = self.types.instance(owner);
                        result = self.with_self(result, receiver);
                    }
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
                let mut map = match (self.types.get(receiver).clone(), self.program.owner(def)) {
                    (Type::Instance(class, args) | Type::Class(class, args), Some(owner)) => {
                        self.arguments_of(class, &args, owner)
                    }
                    _ => FxHashMap::default(),
                };
                let result = self.with_self(result, receiver);
                // `def m(self: T) -> T`
                if self.mentions_variable(result)
                    && let Some(first) = self.program.function(def).and_then(|f| f.parameters.first())
                    && let Some((annotation, _)) = first.annotation
                {
                    let annotation = self.annotation(self.program.file_of(def), annotation);
                    self.solve(annotation, receiver, &mut map);
                }
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
            Type::OutsideClass(..) => self.instantiated(callee),
            Type::OutsideMethod(name, receiver) => self.outside_method_result(name, receiver, passed),
            Type::OutsideInstance(path, args) => match (self.program.symbols.text(path), &args[..]) {
                ("Callable" | "type", &[result]) => result,
                _ => Ty::EXTERNAL,
            },
            Type::Variable(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound == Ty::UNKNOWN { bound } else { self.nested(|this| this.called_with(bound, passed)) }
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        }
    }

    /// `super()` and `super(C, self)`.
    fn super_value(&mut self, file: FileIndex, scope: crate::syntax::python::facts::ScopeId, passed: Passed) -> Ty {
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
        self.memoized(|this| &mut this.returns[def.index()], |this| this.find_returned(def))
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
                parts.push(self.returned_value(file, def, value));
            }
            let item = self.types.union(parts);
            return self.outside_instance(if function.is_async { "AsyncIterable" } else { "Generator" }, &[item]);
        }
        if function.is_declared || self.program.is_decorated(def, &["abstractmethod"]) {
            return Ty::UNKNOWN;
        }
        let mut parts: Vec<Ty> = Vec::new();
        for &value in function.return_values.iter().take(16) {
            parts.push(self.returned_value(file, def, value));
        }
        if function.falls_through && !function.is_lambda {
            parts.push(Ty::NONE);
        }
        self.types.union(parts)
    }

    /// What a function returns by one of its `return`s: `Self` where that is its receiver, so that subclasses
    /// get back themselves.
    fn returned_value(&mut self, file: FileIndex, def: GlobalDef, value: ExprId) -> Ty {
        if self.is_receiver(file, def, value) {
            return self.outside_instance("typing.Self", &[]);
        }
        self.expr(file, value)
    }

    /// True for `self`, for `cls()`, and for what a method of either that returns its receiver returns.
    fn is_receiver(&mut self, file: FileIndex, def: GlobalDef, value: ExprId) -> bool {
        let facts = self.program.facts(file);
        let on_class = self.program.is_decorated(def, &["classmethod"]);
        let is_parameter = |expr| match facts.expr(expr) {
            Expr::Name { reach, .. } => match facts.reach(reach) {
                [one] => match facts.bindings[one.index()].kind {
                    BindingKind::Parameter(method, 0) => self.program.global(file, method) == def,
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        if self.program.owner(def).is_none() || self.program.is_decorated(def, &["staticmethod"]) {
            return false;
        }
        let site = match facts.expr(value) {
            Expr::Call(site) => &facts.calls[site.index()],
            _ => return !on_class && is_parameter(value),
        };
        if on_class && is_parameter(site.callee) {
            return true;
        }
        let Expr::Attribute { value: receiver, .. } = facts.expr(site.callee) else { return false };
        if !(is_parameter(receiver) || self.nested(|this| this.is_receiver(file, def, receiver))) {
            return false;
        }
        let callee = self.expr(file, site.callee);
        let Type::Method(method, _) = *self.types.get(callee) else { return false };
        let kept = self.decorated(method);
        let own = self.types.add(Type::Function(method));
        let itself = self.outside_instance("typing.Self", &[]);
        kept == own && self.returned(method) == itself
    }

    /// The values of positional arguments.
    pub(super) fn positional(&mut self, passed: Option<Passed>) -> Vec<Ty> {
        let Some(passed) = passed else { return Vec::new() };
        let values: Vec<_> =
            passed.arguments.iter().take_while(|a| a.kind == ArgumentKind::Positional).map(|a| a.value).collect();
        values.into_iter().map(|value| self.expr(passed.file, value)).collect()
    }
}
