//! Return types of functions: annotated, or inferred from `return` and `yield`.

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use crate::syntax::python::facts::{BindingKind, Expr, ExprId};

impl Linker<'_> {
    /// The type of the result of a call of a function; for an `async` function, an awaitable.
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
        for (decorator, text) in self.program.def(def).decorators.iter().rev() {
            match self.program.decorator_aliases.name(file, text) {
                "contextmanager" => {
                    let item = self.any_iteration_type(ty);
                    ty = self.external_instance("ContextManager", &[item]);
                }
                "asynccontextmanager" => {
                    let item = self.any_iteration_type(ty);
                    ty = self.external_instance("AsyncContextManager", &[item]);
                }
                _ => ty = self.result_through_decorator(file, *decorator, ty).unwrap_or(ty),
            }
        }
        ty
    }

    /// The type of the result of a function with the result `ty` behind a decorator that is annotated to return a
    /// `Callable`: `def d(f: Callable[P, Iterator[T]]) -> Callable[P, Manager[T]]`. `None` if the decorator does not say.
    fn result_through_decorator(&mut self, file: FileIndex, decorator: ExprId, ty: TypeId) -> Option<TypeId> {
        let decorator = self.expr_type(file, decorator);
        let Type::Function(def) = *self.types.get(decorator) else { return None };
        let (_, returns) = self.program.function(def)?.returns.as_ref()?;
        if !returns.contains("Callable[") {
            return None;
        }
        let function = self.external_instance("Callable", &[ty]);
        let passed = PassedArguments { file, arguments: &[], decorated_function: Some(function) };
        let decorated = self.call_type_with(decorator, Some(passed));
        match self.types.get(decorated) {
            Type::ExternalInstance(path, parts) if self.program.interner.text(*path) == "Callable" => {
                let result = *parts.first()?;
                // `Awaitable[Any]` says less than the function itself.
                let is_known = |ty: TypeId| !ty.is_unknown() && ty != TypeId::EXTERNAL;
                let items = match self.types.get(result) {
                    Type::ExternalInstance(_, items) => &items[..],
                    _ => &[],
                };
                let says = is_known(result) && items.iter().all(|item| is_known(*item));
                (says && !self.types.has_variable(result)).then_some(result)
            }
            _ => None,
        }
    }

    fn infer_return_from_body(&mut self, file: FileIndex, def: GlobalDef) -> TypeId {
        let Some(function) = self.program.function(def) else { return TypeId::UNKNOWN };
        if function.is_generator {
            let mut parts = Vec::new();
            for &value in function.yields.iter().take(16) {
                // `yield from x` is kept as `Expr::Starred(x)`, whose type is the type of the items of `x`.
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

    /// The type of one returned value. It is `Self` (PEP 673) if the value is the receiver, so that a call on a
    /// subclass gives an instance of the subclass.
    fn return_value_type(&mut self, file: FileIndex, def: GlobalDef, value: ExprId) -> TypeId {
        if self.is_receiver(file, def, value) {
            return self.external_instance("typing.Self", &[]);
        }
        self.expr_type(file, value)
    }

    /// True for `self`, for `cls()`, and for calls of methods on the receiver that return `Self`.
    fn is_receiver(&mut self, file: FileIndex, def: GlobalDef, value: ExprId) -> bool {
        let facts = self.program.facts(file);
        let on_class = self.program.is_decorated(def, &["classmethod"]);
        let is_parameter = |expr| match facts.expr(expr) {
            Expr::Name { reaching, .. } => match facts.reaching(reaching) {
                [one] => match facts.bindings[one.index()].kind {
                    BindingKind::Parameter(method, 0) => self.program.global_def(file, method) == def,
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
        let decorated = self.decorated_type(method);
        let undecorated = self.types.add(Type::Function(method));
        let self_type = self.external_instance("typing.Self", &[]);
        decorated == undecorated && self.return_type(method) == self_type
    }
}
