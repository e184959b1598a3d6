//! Types of decorated functions.

use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    linker::Linker,
    partial_objects::PARTIAL,
    program::{FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ParameterKind,
    syntax::python::facts::{BindingKind, Expr, ExprId},
};

/// Decorators that change neither the callee nor its signature.
const TRANSPARENT_DECORATORS: &[&str] = &[
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

impl Linker<'_> {
    /// The type of a decorated function's name; the function itself if its decorators preserve it.
    pub(super) fn decorated_type(&mut self, def: GlobalDef) -> TypeId {
        match self.request(|this| &mut this.decorated_types[def.index()]) {
            Some(ty) if ty.is_unknown() => self.types.add(Type::Function(def)),
            Some(ty) => ty,
            None => self.compute(|this| &mut this.decorated_types[def.index()], |this| this.apply_decorators(def)),
        }
    }

    fn apply_decorators(&mut self, def: GlobalDef) -> TypeId {
        self.applied_decorators(def).1
    }

    /// The decorators of a definition that may change its type, innermost first, each as the type of the decorator and
    /// the type of its argument; and the type that the outermost decorator returns.
    pub(super) fn applied_decorators(&mut self, def: GlobalDef) -> (SmallVec<[(TypeId, TypeId); 2]>, TypeId) {
        let file = self.program.file_of(def);
        let mut ty = match self.program.class_of(def) {
            Some(class) => self.types.class(class),
            None => self.types.add(Type::Function(def)),
        };
        let mut applied = SmallVec::new();
        for (decorator, text) in self.program.def(def).decorators.iter().rev() {
            let name = self.program.decorator_aliases.name(file, text);
            if TRANSPARENT_DECORATORS.contains(&name) || text.starts_with("pytest.") {
                continue;
            }
            if name == "register" && self.is_registration(file, *decorator) {
                continue;
            }
            let decorator = self.expr_type(file, *decorator);
            applied.push((decorator, ty));
            let after = self.map_union(decorator, |this, part| this.apply_decorator(part, ty));
            if !after.is_unknown() {
                ty = after;
            }
        }
        (applied, ty)
    }

    /// The type of applying a decorator to a function; unknown if the decorator preserves the function.
    fn apply_decorator(&mut self, decorator: TypeId, function: TypeId) -> TypeId {
        let file = FileIndex::new(0);
        let passed = Some(PassedArguments { file, arguments: &[], types: &[], decorated_function: Some(function) });
        if let Some(inner) = self.decorator_without_arguments(decorator) {
            return self.nested_type(|this| this.apply_decorator(inner, function));
        }
        let result = match self.types.get(decorator).clone() {
            Type::Function(_) | Type::Method(..) | Type::Instance(..) => self.call_type_with(decorator, passed),
            Type::Class(..) => return self.call_type_with(decorator, passed),
            Type::ExternalName(path) => {
                if let Some(result) = self.declared_call_type(path, passed) {
                    return result;
                }
                let name = self.program.interner.text(path);
                return if name.starts_with("pytest.") || name.starts_with("typing") {
                    TypeId::UNKNOWN
                } else {
                    TypeId::EXTERNAL
                };
            }
            Type::ExternalInstance(path, args) => match (self.program.interner.text(path), &args[..]) {
                ("Callable", &[result, ..]) => result,
                // The arguments that the object holds come before the function.
                (PARTIAL, _) => match self.behind_partial(decorator) {
                    Some((callable, false)) => {
                        return self.nested_type(|this| this.apply_decorator(callable, function));
                    }
                    _ => return TypeId::UNKNOWN,
                },
                // The result of a function with `@contextmanager` decorates functions without changing their result.
                ("ContextManager" | "AsyncContextManager", _) => return TypeId::UNKNOWN,
                _ => return TypeId::EXTERNAL,
            },
            Type::External | Type::ExternalMethod(..) => return TypeId::EXTERNAL,
            _ => return TypeId::UNKNOWN,
        };
        match self.types.get(result).clone() {
            // A wrapper that accepts any arguments is assumed to forward them to the function.
            Type::Function(inner) if self.forwards_all_arguments(inner) => TypeId::UNKNOWN,
            Type::Instance(..) | Type::Function(_) => result,
            Type::Union(parts) if parts.iter().all(|&part| matches!(self.types.get(part), Type::Instance(..))) => {
                result
            }
            _ => TypeId::UNKNOWN,
        }
    }

    /// True for `@f.register` and `@f.register(T)`, where `f` is a generic function of `functools.singledispatch`
    /// (PEP 443): such a decorator returns the decorated function.
    fn is_registration(&mut self, file: FileIndex, decorator: ExprId) -> bool {
        let facts = self.program.facts(file);
        let callee = match facts.expr(decorator) {
            Expr::Call(site) => facts.calls[site.index()].callee,
            _ => decorator,
        };
        let Expr::Attribute { value, .. } = facts.expr(callee) else { return false };
        let generic = self.expr_type(file, value);
        match *self.types.get(generic) {
            Type::Function(def) => self.program.is_decorated(def, &["singledispatch", "singledispatchmethod"]),
            _ => false,
        }
    }

    /// The inner decorator that a decorator with optional arguments applies if it is used without arguments: `wrap` for
    ///
    /// ```python
    /// def task(function=None, *, name=None):
    ///     def wrap(function): ...
    ///     return wrap if function is None else wrap(function)
    /// ```
    fn decorator_without_arguments(&mut self, decorator: TypeId) -> Option<TypeId> {
        let Type::Function(def) = *self.types.get(decorator) else { return None };
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let body = self.program.def(def).scope;
        let values = self.program.function(def)?.return_values.iter().flat_map(|&value| match facts.expr(value) {
            Expr::Conditional(a, b) => [Some(a), Some(b)],
            _ => [Some(value), None],
        });
        let inner = values.flatten().find_map(|value| {
            let Expr::Call(site) = facts.expr(value) else { return None };
            let site = &facts.calls[site.index()];
            let [argument] = &site.arguments[..] else { return None };
            let is_first = match facts.only_binding(argument.value)? {
                BindingKind::Parameter(function, 0) => self.program.global_def(file, *function) == def,
                _ => false,
            };
            match facts.only_binding(site.callee)? {
                BindingKind::Def(inner) if is_first && facts.def(*inner).outer == body => Some(*inner),
                _ => None,
            }
        })?;
        Some(self.types.add(Type::Function(self.program.global_def(file, inner))))
    }

    fn forwards_all_arguments(&self, def: GlobalDef) -> bool {
        self.program.is_decorated(def, &["wraps", "update_wrapper"])
            || self.program.function(def).is_some_and(|f| {
                f.parameters.iter().any(|p| p.kind == ParameterKind::VarPositional && p.annotation.is_none())
                    || f.parameters.iter().any(|p| p.kind == ParameterKind::VarKeyword)
            })
    }
}
