//! Types of call expressions: constructors, functions, methods, `super()`.

use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    members::MemberLookup,
    partial_objects::PARTIAL,
    program::{ClassId, FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, CallExprId, ScopeKind},
};

/// The arguments of a call, from which the type of its result is inferred.
#[derive(Clone, Copy)]
pub(super) struct PassedArguments<'a> {
    pub(super) file: FileIndex,
    pub(super) arguments: &'a [Arg],
    /// The types of the arguments that are known only for this call, in the order of `arguments`; empty if there are
    /// none.
    pub(super) types: &'a [Option<TypeId>],
    /// If the call applies a decorator: the type of the decorated function, which is passed without an expression.
    pub(super) decorated_function: Option<TypeId>,
}

impl PassedArguments<'_> {
    /// The type of the argument at a position, if it is known only for this call.
    fn type_in_call(&self, at: usize) -> Option<TypeId> {
        self.types.get(at).copied().flatten()
    }
}

impl Linker<'_> {
    /// The type of the argument at a position of a call.
    pub(super) fn passed_type(&mut self, passed: PassedArguments, at: usize) -> TypeId {
        match passed.type_in_call(at) {
            Some(ty) => ty,
            None => self.expr_type(passed.file, passed.arguments[at].value),
        }
    }

    /// The type of a call expression.
    pub(super) fn call_expr_type(&mut self, file: FileIndex, site: CallExprId) -> TypeId {
        let facts = self.program.facts(file);
        let site = &facts.calls[site.index()];
        if let Some(value) = self.requested_value(file, site) {
            return value;
        }
        let callee = self.expr_type(file, site.callee);
        let passed = PassedArguments { file, arguments: &site.arguments, types: &[], decorated_function: None };
        if let Type::ExternalName(path) = *self.types.get(callee)
            && self.program.interner.text(path) == "super"
        {
            return self.super_type(file, site.scope, passed);
        }
        self.map_union(callee, |this, part| this.call_type_with(part, Some(passed)))
    }

    /// The type of a call of `callee` with unknown arguments.
    pub(super) fn call_type(&mut self, callee: TypeId) -> TypeId {
        self.map_union(callee, |this, part| this.call_type_with(part, None))
    }

    pub(super) fn call_type_with(&mut self, callee: TypeId, passed: Option<PassedArguments>) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        match self.types.get(callee).clone() {
            Type::Class(class, args) => {
                if let Some(result) = self.result_of_metaclass(class).or_else(|| self.result_of_new(class)) {
                    return result;
                }
                let args = if args.is_empty() { self.inferred_type_arguments(class, passed).into() } else { args };
                self.types.add(Type::Instance(class, args))
            }
            Type::Function(def) => {
                let decorated = self.decorated_type(def);
                if decorated == callee {
                    let def = self.select_overload(def, false, passed);
                    let mut result = match self.return_type_of_call(def, false, passed) {
                        Some(result) => result,
                        None => self.return_type(def),
                    };
                    if result.is_unknown()
                        && self.program.owner(def).is_some()
                        && self.program.name_of(def) == "__new__"
                    {
                        let class = self.positional_types(passed).first().copied().unwrap_or_default();
                        result = self.instance_of_class(class);
                    }
                    if let Some(owner) = self.program.owner(def) {
                        let receiver = self.types.instance(owner);
                        result = self.bind_self_type(result, receiver);
                    }
                    self.specialize_result(result, def, false, FxHashMap::default(), passed)
                } else {
                    self.nested_type(|this| this.call_type_with(decorated, passed))
                }
            }
            Type::Method(def, receiver) => {
                let decorated = self.decorated_type(def);
                if !matches!(self.types.get(decorated), Type::Function(d) if *d == def) {
                    return self.nested_type(|this| this.call_type_with(decorated, passed));
                }
                let def = self.select_overload(def, true, passed);
                let result = match self.return_type_of_call(def, true, passed) {
                    Some(result) => result,
                    None => self.return_type(def),
                };
                let mut map = self.arguments_of_receiver(receiver, def);
                let result = self.bind_self_type(result, receiver);
                // `def m(self: T) -> T`: the receiver binds the type variable.
                if self.types.has_variable(result)
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
                        self.nested_type(|this| this.call_type_with(method, passed))
                    }
                    MemberLookup::External => TypeId::EXTERNAL,
                    MemberLookup::Missing => TypeId::UNKNOWN,
                }
            }
            Type::ExternalName(path) => self.external_call_type(path, passed),
            Type::ExternalClass(..) => self.instance_of_class(callee),
            Type::ExternalMethod(name, receiver) => self.external_method_call_type(name, receiver, passed),
            Type::ExternalInstance(path, args) => match (self.program.interner.text(path), &args[..]) {
                ("type" | "weakref.ref", &[result]) | ("Callable", &[result, ..]) => result,
                (PARTIAL, &[callable, ..]) => self.nested_type(|this| this.call_type_with(callable, None)),
                ("staticmethod", &[function]) => self.nested_type(|this| this.call_type_with(function, passed)),
                _ => TypeId::EXTERNAL,
            },
            Type::Variable(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound.is_unknown() { bound } else { self.nested_type(|this| this.call_type_with(bound, passed)) }
            }
            Type::External => TypeId::EXTERNAL,
            Type::TooComplex => callee,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type of `super()` or `super(C, self)` (PEP 3135).
    fn super_type(
        &mut self,
        file: FileIndex,
        scope: apidisc_facts::syntax::python::facts::ScopeId,
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
        let mut next = Some(scope);
        let mut method = None;
        while let Some(current) = next {
            let current_scope = &facts.scopes[current.index()];
            if current_scope.kind == ScopeKind::Class {
                break;
            }
            method = current_scope.def.or(method);
            next = current_scope.parent;
        }
        let Some(method) = method.map(|def| self.program.global_def(file, def)) else { return TypeId::UNKNOWN };
        let Some(class) = self.program.owner(method) else { return TypeId::UNKNOWN };
        let receiver = self.receiver_type(method, class);
        self.types.add(Type::Super(class, receiver))
    }

    fn receiver_type(&mut self, method: GlobalDef, class: ClassId) -> TypeId {
        let has_receiver = self.program.function(method).is_some_and(|f| !f.parameters.is_empty());
        if has_receiver { self.parameter_type(method, 0) } else { self.types.class(class) }
    }

    /// The types of the leading positional arguments.
    pub(super) fn positional_types(&mut self, passed: Option<PassedArguments>) -> Vec<TypeId> {
        let Some(passed) = passed else { return Vec::new() };
        let count = passed.arguments.iter().take_while(|a| a.kind == ArgumentKind::Positional).count();
        (0..count).map(|at| self.passed_type(passed, at)).collect()
    }
}
