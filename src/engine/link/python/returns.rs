//! Return types of functions: annotated, or inferred from `return` and `yield`.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    linker::Linker,
    members::MemberLookup,
    program::{FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{Arg, BindingKind, Expr, ExprId, Extraction};

/// The greatest number of variables and calls between a returned value and the receiver that its class comes from.
const MAX_STEPS: u32 = 8;

/// A method, with its file.
#[derive(Clone, Copy)]
struct Method {
    file: FileIndex,
    def: GlobalDef,
}

impl Linker<'_> {
    /// The type of the result of a call of a function; for an `async` function, an awaitable.
    pub(super) fn return_type(&mut self, def: GlobalDef) -> TypeId {
        self.memoized(|this| &mut this.return_types[def.index()], |this| this.infer_return_type(def))
    }

    fn infer_return_type(&mut self, def: GlobalDef) -> TypeId {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return TypeId::UNKNOWN };
        let declared = function.returns.as_ref().map(|(annotation, _)| self.annotation_type(file, *annotation));
        let mut ty = match declared {
            // The declaration names the class of the yielded value, by mistake.
            Some(declared) if function.is_generator && self.is_no_iterator(declared) => {
                self.infer_return_from_body(file, def)
            }
            Some(declared) => declared,
            None => {
                let inferred = self.infer_return_from_body(file, def);
                if self.is_open_to_stub(inferred)
                    && let Some(declared) = self.result_in_stub(def)
                {
                    return declared;
                }
                inferred
            }
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

    /// True for an instance of a class of the sources that cannot be iterated over.
    fn is_no_iterator(&mut self, ty: TypeId) -> bool {
        let Type::Instance(class, _) = *self.types.get(ty) else { return false };
        ["__iter__", "__aiter__"].into_iter().all(|method| {
            let method = self.program.interner.intern(method);
            matches!(self.lookup_member(class, method), MemberLookup::Missing)
        })
    }

    /// The return type that a function with the return type `ty` has after a decorator whose annotation returns a
    /// `Callable`: `Manager[T]` for `def d(f: Callable[P, Iterator[T]]) -> Callable[P, Manager[T]]`, and for a call of
    /// a function that returns a `Callable` of such a type. `None` if the annotation does not determine the type.
    fn result_through_decorator(&mut self, file: FileIndex, decorator: ExprId, ty: TypeId) -> Option<TypeId> {
        let decorator = self.expr_type(file, decorator);
        let function = self.external_instance("Callable", &[ty]);
        let (declared, decorated) = match self.types.get(decorator).clone() {
            Type::Function(def) => {
                let passed = PassedArguments { file, arguments: &[], types: &[], decorated_function: Some(function) };
                let def = self.select_overload(def, false, Some(passed));
                let (returns, text) = self.program.function(def)?.returns.as_ref()?;
                if !text.contains("Callable[") {
                    return None;
                }
                let decorated = self.call_type_with(decorator, Some(passed));
                (self.annotation_type(self.program.file_of(def), *returns), decorated)
            }
            Type::ExternalInstance(path, parts) if self.program.interner.text(path) == "Callable" => {
                let &[result, parameter] = &parts[..] else { return None };
                let mut map = FxHashMap::default();
                self.unify(parameter, function, &mut map);
                (result, self.substitute(result, &map))
            }
            _ => return None,
        };
        match self.types.get(decorated) {
            Type::ExternalInstance(path, parts) if self.program.interner.text(*path) == "Callable" => {
                let result = *parts.first()?;
                let result = self.without_variables_of(declared, result);
                // A type with unknown parts, such as `Awaitable[Any]`, is less precise than the return type of the
                // function.
                let is_known = |ty: TypeId| !ty.is_unknown() && ty != TypeId::EXTERNAL;
                let items = match self.types.get(result) {
                    Type::ExternalInstance(_, items) => &items[..],
                    _ => &[],
                };
                let is_precise = is_known(result) && items.iter().all(|item| is_known(*item));
                (is_precise && !self.types.has_variable(result)).then_some(result)
            }
            _ => None,
        }
    }

    /// The type `ty` with an unknown type in the place of each type variable of a declared type. A variable is left in
    /// the type of a decorated function, such as `T` in `Deferred[T]`, if the result of the function has no known type.
    fn without_variables_of(&mut self, declared: TypeId, ty: TypeId) -> TypeId {
        if !self.types.has_variable(ty) {
            return ty;
        }
        let mut variables = Vec::new();
        self.collect_variables(declared, &mut variables);
        let map = variables.into_iter().map(|variable| (variable, TypeId::UNKNOWN)).collect();
        self.substitute(ty, &map)
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
            if function.is_async {
                return self.external_instance("AsyncIterable", &[item]);
            }
            if function.return_values.is_empty() {
                return self.external_instance("Generator", &[item]);
            }
            // `Generator[item, sent, result]`; the result is what `yield from` and `await` give.
            let results: Vec<TypeId> =
                function.return_values.iter().take(16).map(|&value| self.return_value_type(file, def, value)).collect();
            let result = self.types.union(results);
            return self.external_instance("Generator", &[item, TypeId::UNKNOWN, result]);
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

    /// The type of one returned value. It is `Self` (PEP 673) if the value has the class of the receiver, so that a
    /// call on a subclass gives an instance of the subclass.
    pub(super) fn return_value_type(&mut self, file: FileIndex, def: GlobalDef, value: ExprId) -> TypeId {
        let is_method = self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        if is_method && self.is_receiver(Method { file, def }, value, MAX_STEPS) {
            return self.external_instance("typing.Self", &[]);
        }
        // The class of the receiver: `self.__class__`, `type(self)`.
        if is_method && self.is_class_of_receiver(Method { file, def }, value, MAX_STEPS) {
            let receiver = self.external_instance("typing.Self", &[]);
            return self.external_instance("type", &[receiver]);
        }
        let unbound = if is_method { self.unbound_result(Method { file, def }, value, MAX_STEPS) } else { None };
        unbound.unwrap_or_else(|| self.expr_type(file, value))
    }

    /// The type of a value that a method of the receiver returns, with `Self` for the class of the receiver: an
    /// awaitable of `Self` for `self.start()`, if `start` is asynchronous and returns `self`. `None` for any other
    /// value, and if `Self` does not occur in the type.
    fn unbound_result(&mut self, method: Method, value: ExprId, steps: u32) -> Option<TypeId> {
        let _level = self.descend()?;
        let steps = steps.checked_sub(1)?;
        let facts = self.program.facts(method.file);
        let site = match facts.expr(value) {
            Expr::Await(awaited) => {
                let awaited = self.unbound_result(method, awaited, steps)?;
                return Some(self.awaited_type(awaited));
            }
            Expr::Call(site) => &facts.calls[site.index()],
            _ => {
                let value = self.assigned_value(method, value)?;
                return self.unbound_result(method, value, steps);
            }
        };
        let Expr::Attribute { value: receiver, name, .. } = facts.expr(site.callee) else { return None };
        if facts.name(name) == "__await__" {
            let awaited = self.unbound_result(method, receiver, steps)?;
            let name = self.program.global_name(method.file, name);
            return Some(self.external_method_call_type(name, awaited, None));
        }
        if !self.is_super(method.file, receiver) && !self.is_receiver(method, receiver, steps) {
            return None;
        }
        let callee = self.expr_type(method.file, site.callee);
        let Type::Method(def, _) = *self.types.get(callee) else { return None };
        let is_plain = self.is_undecorated(def);
        let mut result = self.return_type(def);
        if is_plain && !self.types.has_self_type(result) {
            result = self.result_of_passed_methods(method, def, &site.arguments)?;
        }
        (is_plain && self.types.has_self_type(result) && !self.types.has_variable(result)).then_some(result)
    }

    /// The type of a call of the method `def` of the receiver, to which the call passes other methods of the receiver:
    /// `self.run(self.start)`. `None` if it passes none, or if its type does not depend on them.
    fn result_of_passed_methods(&mut self, method: Method, def: GlobalDef, arguments: &[Arg]) -> Option<TypeId> {
        let facts = self.program.facts(method.file);
        let mut types: SmallVec<[Option<TypeId>; 4]> = SmallVec::new();
        for argument in arguments {
            let is_on_receiver = match facts.expr(argument.value) {
                Expr::Attribute { value, .. } => self.is_first_parameter(method, value),
                _ => false,
            };
            let ty = if is_on_receiver { self.expr_type(method.file, argument.value) } else { TypeId::UNKNOWN };
            types.push(match *self.types.get(ty) {
                Type::Method(passed, _) => {
                    let receiver = self.external_instance("typing.Self", &[]);
                    Some(self.types.add(Type::Method(passed, receiver)))
                }
                _ => None,
            });
        }
        if types.iter().all(Option::is_none) {
            return None;
        }
        let passed = PassedArguments { file: method.file, arguments, types: &types, decorated_function: None };
        self.return_type_of_call(def, true, Some(passed))
    }

    /// True for a function that no decorator changes.
    fn is_undecorated(&mut self, def: GlobalDef) -> bool {
        self.decorated_type(def) == self.types.add(Type::Function(def))
    }

    /// True for a call `super()`.
    fn is_super(&self, file: FileIndex, value: ExprId) -> bool {
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::Call(site) => facts.is_named(facts.calls[site.index()].callee, "super"),
            _ => false,
        }
    }

    /// True if a value certainly has the class of a method's receiver. Such values are:
    ///
    /// - `self`;
    /// - a new instance: `cls()`, `type(self)()`, `cls.__new__(cls)`;
    /// - a copy: `copy.copy(self)`, `dataclasses.replace(self)`;
    /// - the result of a method that returns `Self`, called on such a value or on `super()`;
    /// - a variable whose only assignment is such a value.
    fn is_receiver(&mut self, method: Method, value: ExprId, steps: u32) -> bool {
        let Some(_level) = self.descend() else { return false };
        let Some(steps) = steps.checked_sub(1) else { return false };
        let facts = self.program.facts(method.file);
        let site = match facts.expr(value) {
            Expr::Call(site) => &facts.calls[site.index()],
            _ if self.is_first_parameter(method, value) => return !self.is_class_method(method),
            _ => return self.assigned_value(method, value).is_some_and(|value| self.is_receiver(method, value, steps)),
        };
        if self.is_class_of_receiver(method, site.callee, steps) {
            return true;
        }
        let first = site.arguments.first().map(|argument| argument.value);
        if first.is_some_and(|first| self.is_receiver(method, first, steps)) && self.is_copy(method.file, site.callee) {
            return true;
        }
        let Expr::Attribute { value: receiver, name, .. } = facts.expr(site.callee) else { return false };
        if facts.name(name) == "__new__" {
            return first.is_some_and(|first| self.is_class_of_receiver(method, first, steps));
        }
        let is_on_receiver = self.is_super(method.file, receiver)
            || self.is_first_parameter(method, receiver)
            || self.is_receiver(method, receiver, steps);
        is_on_receiver && self.returns_self(method.file, site.callee)
    }

    /// True for the class of a method's receiver: `cls`, `type(self)`, `self.__class__`.
    fn is_class_of_receiver(&mut self, method: Method, value: ExprId, steps: u32) -> bool {
        let facts = self.program.facts(method.file);
        match facts.expr(value) {
            Expr::Name { .. } => self.is_class_method(method) && self.is_first_parameter(method, value),
            Expr::Attribute { value, name, .. } => {
                facts.name(name) == "__class__" && self.is_receiver(method, value, steps)
            }
            Expr::Call(site) => {
                let site = &facts.calls[site.index()];
                match site.arguments[..] {
                    [ref only] if facts.is_named(site.callee, "type") => self.is_receiver(method, only.value, steps),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// True for a declared function of a library that returns its first argument or a copy of it:
    /// `def copy[T](x: T) -> T`.
    fn is_copy(&mut self, file: FileIndex, callee: ExprId) -> bool {
        let callee = self.expr_type(file, callee);
        let Some((def, false)) = self.library_function(callee) else { return false };
        let first = self.program.function(def).and_then(|function| function.parameters.first());
        let first = first.filter(|first| !first.kind.is_variadic());
        let Some((annotation, _)) = first.and_then(|first| first.annotation.as_ref()) else { return false };
        let returned = self.return_type(def);
        matches!(self.types.get(returned), Type::Variable(_))
            && self.annotation_type(self.program.file_of(def), *annotation) == returned
            && self.overloads(def).is_empty()
    }

    /// True for a bound method that no decorator changes and that returns `Self`, or the type variable that annotates
    /// its receiver: `def copy(self: T) -> T`.
    fn returns_self(&mut self, file: FileIndex, callee: ExprId) -> bool {
        let callee = self.expr_type(file, callee);
        let Type::Method(method, _) = *self.types.get(callee) else { return false };
        if !self.is_undecorated(method) {
            return false;
        }
        let self_type = self.external_instance("typing.Self", &[]);
        let returned = self.return_type(method);
        returned == self_type
            || matches!(self.types.get(returned), Type::Variable(_)) && {
                let receiver = self.program.function(method).and_then(|function| function.parameters.first());
                let annotation = receiver.and_then(|receiver| receiver.annotation.as_ref());
                let file = self.program.file_of(method);
                annotation.is_some_and(|(annotation, _)| self.annotation_type(file, *annotation) == returned)
            }
    }

    /// True for a method whose first parameter is the class.
    fn is_class_method(&self, method: Method) -> bool {
        self.program.is_decorated(method.def, &["classmethod"]) || self.program.name_of(method.def) == "__new__"
    }

    /// True for the first parameter of a method, unless the method assigns another value to it.
    fn is_first_parameter(&self, method: Method, value: ExprId) -> bool {
        let facts = self.program.facts(method.file);
        let Expr::Name { reaching, .. } = facts.expr(value) else { return false };
        let &[only] = facts.reaching(reaching) else { return false };
        match facts.bindings[only.index()].kind {
            BindingKind::Parameter(def, 0) => self.program.global_def(method.file, def) == method.def,
            _ => false,
        }
    }

    /// The value of the only assignment that reaches the read of a variable.
    fn assigned_value(&self, method: Method, variable: ExprId) -> Option<ExprId> {
        let facts = self.program.facts(method.file);
        let Expr::Name { reaching, .. } = facts.expr(variable) else { return None };
        let &[only] = facts.reaching(reaching) else { return None };
        match &facts.bindings[only.index()].kind {
            BindingKind::Assign { value, annotation: None, unpack, extraction: Extraction::Value }
                if unpack.is_none() =>
            {
                *value
            }
            _ => None,
        }
    }
}
