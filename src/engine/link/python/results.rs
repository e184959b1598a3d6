//! What calls give: returns, decorators, iteration, awaiting.

use rustc_hash::FxHashMap;

use super::{
    infer::Linker,
    members::MemberLookup,
    program::{ClassId, FileIndex, GlobalDef, decorator_name},
    types::{Type, TypeId},
};
use crate::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, BindingKind, Expr, ExprId, ScopeKind, SiteId},
};

/// The arguments of a call that is being evaluated.
#[derive(Clone, Copy)]
pub(super) struct PassedArguments<'a> {
    pub(super) file: FileIndex,
    pub(super) arguments: &'a [Arg],
    /// A further positional argument that no expression stands for: what a decorator is given.
    pub(super) decorated_function: Option<TypeId>,
}

impl Linker<'_> {
    /// The type of a call expression.
    pub(super) fn call_expr_type(&mut self, file: FileIndex, site: SiteId) -> TypeId {
        let facts = self.program.facts(file);
        let site = &facts.calls[site.index()];
        let callee = self.expr_type(file, site.callee);
        let passed = PassedArguments { file, arguments: &site.arguments, decorated_function: None };
        if let Type::ExternalName(path) = *self.types.get(callee)
            && self.program.interner.text(path) == "super"
        {
            return self.super_type(file, site.scope, passed);
        }
        self.map_union(callee, |this, part| this.call_type_with(part, Some(passed)))
    }

    /// What calling a value gives, whatever is passed.
    pub(super) fn call_type(&mut self, callee: TypeId) -> TypeId {
        self.map_union(callee, |this, part| this.call_type_with(part, None))
    }

    pub(super) fn call_type_with(&mut self, callee: TypeId, passed: Option<PassedArguments>) -> TypeId {
        match self.types.get(callee).clone() {
            Type::Class(class, args) => {
                let args = if args.is_empty() { self.inferred_type_arguments(class, passed).into() } else { args };
                self.types.add(Type::Instance(class, args))
            }
            Type::Function(def) => {
                let decorated = self.decorated_type(def);
                if decorated == callee {
                    let def = self.select_overload(def, false, passed);
                    let mut result = self.return_type(def);
                    if let Some(owner) = self.program.owner(def) {
                        let receiver = self.types.instance(owner);
                        result = self.bind_self_type(result, receiver);
                    }
                    self.specialize_result(result, def, false, FxHashMap::default(), passed)
                } else {
                    self.nested(|this| this.call_type_with(decorated, passed))
                }
            }
            Type::Method(def, receiver) => {
                let decorated = self.decorated_type(def);
                if !matches!(self.types.get(decorated), Type::Function(d) if *d == def) {
                    return self.nested(|this| this.call_type_with(decorated, passed));
                }
                let def = self.select_overload(def, true, passed);
                let result = self.return_type(def);
                let mut map = match (self.types.get(receiver).clone(), self.program.owner(def)) {
                    (Type::Instance(class, args) | Type::Class(class, args), Some(owner)) => {
                        self.arguments_of(class, &args, owner)
                    }
                    _ => FxHashMap::default(),
                };
                let result = self.bind_self_type(result, receiver);
                // `def m(self: T) -> T`
                if self.has_type_variable(result)
                    && let Some(first) = self.program.function(def).and_then(|f| f.parameters.first())
                    && let Some((annotation, _)) = first.annotation
                {
                    let annotation = self.annotation_type(self.program.file_of(def), annotation);
                    self.unify(annotation, receiver, &mut map);
                }
                self.specialize_result(result, def, true, map, passed)
            }
            Type::Instance(class, _) => {
                let name = self.program.interner.intern("__call__");
                match self.lookup_member(class, name) {
                    MemberLookup::Found(_) => {
                        let method = self.attribute_type(callee, name);
                        self.nested(|this| this.call_type_with(method, passed))
                    }
                    MemberLookup::External => TypeId::EXTERNAL,
                    MemberLookup::Missing => TypeId::UNKNOWN,
                }
            }
            Type::ExternalName(path) => self.external_call_type(path, passed),
            Type::ExternalClass(..) => self.instantiated(callee),
            Type::ExternalMethod(name, receiver) => self.external_method_call_type(name, receiver, passed),
            Type::ExternalInstance(path, args) => match (self.program.interner.text(path), &args[..]) {
                ("Callable" | "type", &[result]) => result,
                _ => TypeId::EXTERNAL,
            },
            Type::Variable(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound == TypeId::UNKNOWN { bound } else { self.nested(|this| this.call_type_with(bound, passed)) }
            }
            Type::External => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        }
    }

    /// `super()` and `super(C, self)`.
    fn super_type(
        &mut self,
        file: FileIndex,
        scope: crate::syntax::python::facts::ScopeId,
        passed: PassedArguments,
    ) -> TypeId {
        if let [class, receiver] = passed.arguments {
            let class = self.expr_type(file, class.value);
            let receiver = self.expr_type(file, receiver.value);
            return match *self.types.get(class) {
                Type::Class(class, _) => self.types.add(Type::Super(class, receiver)),
                _ => TypeId::EXTERNAL,
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
        let Some(method) = method.map(|def| self.program.global(file, def)) else { return TypeId::UNKNOWN };
        let Some(class) = self.program.owner(method) else { return TypeId::UNKNOWN };
        let receiver = self.receiver_type(method, class);
        self.types.add(Type::Super(class, receiver))
    }

    fn receiver_type(&mut self, method: GlobalDef, class: ClassId) -> TypeId {
        let has_receiver = self.program.function(method).is_some_and(|f| !f.parameters.is_empty());
        if has_receiver { self.parameter_type(method, 0) } else { self.types.class(class) }
    }

    /// What a function returns when it is called: of an `async` one something to await.
    pub(super) fn return_type(&mut self, def: GlobalDef) -> TypeId {
        self.memoized(|this| &mut this.return_types[def.index()], |this| this.infer_return_type(def))
    }

    fn infer_return_type(&mut self, def: GlobalDef) -> TypeId {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return TypeId::UNKNOWN };
        let mut ty = match &function.returns {
            Some((annotation, _)) => self.annotation_type(file, *annotation),
            None => self.infer_return_from_body(file, def),
        };
        if function.is_async && !function.is_generator {
            ty = self.external_instance("Awaitable", &[ty]);
        }
        for (_, text) in &self.program.def(def).decorators {
            match decorator_name(text) {
                "contextmanager" => {
                    let item = self.any_iteration_type(ty);
                    ty = self.external_instance("ContextManager", &[item]);
                }
                "asynccontextmanager" => {
                    let item = self.any_iteration_type(ty);
                    ty = self.external_instance("AsyncContextManager", &[item]);
                }
                _ => {}
            }
        }
        ty
    }

    fn infer_return_from_body(&mut self, file: FileIndex, def: GlobalDef) -> TypeId {
        let Some(function) = self.program.function(def) else { return TypeId::UNKNOWN };
        if function.is_generator {
            let mut parts = Vec::new();
            for &value in function.yields.iter().take(16) {
                // `yield from x` is kept starred, and so evaluates to what x yields.
                parts.push(self.return_value_type(file, def, value));
            }
            let item = self.types.union(parts);
            return self.external_instance(if function.is_async { "AsyncIterable" } else { "Generator" }, &[item]);
        }
        if function.is_declared || self.program.is_decorated(def, &["abstractmethod"]) {
            return TypeId::UNKNOWN;
        }
        let mut parts: Vec<TypeId> = Vec::new();
        for &value in function.return_values.iter().take(16) {
            parts.push(self.return_value_type(file, def, value));
        }
        if function.falls_through && !function.is_lambda {
            parts.push(TypeId::NONE);
        }
        self.types.union(parts)
    }

    /// What a function returns by one of its `return`s: `Self` where that is its receiver, so that subclasses
    /// get back themselves.
    fn return_value_type(&mut self, file: FileIndex, def: GlobalDef, value: ExprId) -> TypeId {
        if self.is_receiver(file, def, value) {
            return self.external_instance("typing.Self", &[]);
        }
        self.expr_type(file, value)
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
        let callee = self.expr_type(file, site.callee);
        let Type::Method(method, _) = *self.types.get(callee) else { return false };
        let kept = self.decorated_type(method);
        let own = self.types.add(Type::Function(method));
        let itself = self.external_instance("typing.Self", &[]);
        kept == own && self.return_type(method) == itself
    }

    /// The values of positional arguments.
    pub(super) fn positional_types(&mut self, passed: Option<PassedArguments>) -> Vec<TypeId> {
        let Some(passed) = passed else { return Vec::new() };
        let values: Vec<_> =
            passed.arguments.iter().take_while(|a| a.kind == ArgumentKind::Positional).map(|a| a.value).collect();
        values.into_iter().map(|value| self.expr_type(passed.file, value)).collect()
    }
}
