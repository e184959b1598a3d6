//! Type variables that stand for any number of types (PEP 646): `Ts` in `*args: *Ts` and `tuple[*Ts]`.
//!
//! `*Ts` and `Unpack[Ts]` are the external class `typing.Unpack` with the variable as its type argument. A variadic
//! variable is bound to a tuple, whose items replace `*Ts` in the items of another tuple.

use rustc_hash::FxHashMap;

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{ClassId, GlobalBinding, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::{ArgumentKind, ParameterKind},
    syntax::python::facts::{BindingKind, Expr},
};

/// The path of the class.
const UNPACK: &str = "typing.Unpack";

impl Linker<'_> {
    /// The type of `*Ts` for the type of `Ts`. `None` if it is no variadic type variable.
    pub(super) fn unpacked(&mut self, variable: TypeId) -> Option<TypeId> {
        let Type::Variable(binding) = *self.types.get(variable) else { return None };
        self.is_variadic(binding).then(|| self.external_class(UNPACK, &[variable]))
    }

    /// The variable of the type `*Ts`; `None` for any other type.
    pub(super) fn unpacked_variable(&self, ty: TypeId) -> Option<GlobalBinding> {
        let Type::ExternalInstance(path, parts) = self.types.get(ty) else { return None };
        match (self.program.interner.text(*path), &parts[..]) {
            (UNPACK, [variable]) => match *self.types.get(*variable) {
                Type::Variable(variable) => Some(variable),
                _ => None,
            },
            _ => None,
        }
    }

    /// True for `Ts = TypeVarTuple("Ts")`, and for the type parameter `*Ts`.
    fn is_variadic(&self, variable: GlobalBinding) -> bool {
        let facts = self.program.facts(variable.file);
        match &facts.bindings[variable.binding.index()].kind {
            BindingKind::TypeParameter { is_variadic, .. } => *is_variadic,
            BindingKind::Assign { value: Some(value), .. } => match facts.expr(*value) {
                Expr::Call(site) => facts.is_named(facts.calls[site.index()].callee, "TypeVarTuple"),
                _ => false,
            },
            _ => false,
        }
    }

    /// Binds the variable of `*args: *Ts` to the types of the arguments that `*args` receives. If a spread hides them,
    /// the variable is bound to the unknown type.
    pub(super) fn bind_variadic(
        &mut self,
        def: GlobalDef,
        is_bound: bool,
        passed: PassedArguments,
        map: &mut FxHashMap<GlobalBinding, TypeId>,
    ) {
        let Some(function) = self.program.function(def) else { return };
        let mut parameters = function.parameters.iter().enumerate();
        let Some((at, rest)) = parameters.find(|(_, parameter)| parameter.kind == ParameterKind::VarPositional) else {
            return;
        };
        let Some((annotation, text)) = rest.annotation.as_ref() else { return };
        // Most annotations need no look at their types.
        if !text.starts_with('*') && !text.contains("Unpack[") {
            return;
        }
        let annotation = self.annotation_type(self.program.file_of(def), *annotation);
        let Some(variable) = self.unpacked_variable(annotation) else { return };
        let is_spread = passed.arguments.iter().any(|argument| argument.kind == ArgumentKind::Star);
        let bound = if is_spread || passed.decorated_function.is_some() {
            TypeId::UNKNOWN
        } else {
            let arguments = passed.arguments.iter().enumerate();
            let positional = arguments.filter(|(_, argument)| argument.kind == ArgumentKind::Positional);
            let received: Vec<usize> =
                positional.map(|(at, _)| at).skip(at.saturating_sub(usize::from(is_bound))).collect();
            let items: Vec<TypeId> = received.into_iter().map(|at| self.passed_type(passed, at)).collect();
            self.types.add(Type::Tuple(items.into()))
        };
        map.entry(variable).or_insert(bound);
    }

    /// A tuple type with the items of the tuples that variadic variables stand for. Any other type stays as it is. If
    /// it is not known what a variable stands for, nothing is known of the items.
    pub(super) fn with_spliced_items(&mut self, ty: TypeId, map: &FxHashMap<GlobalBinding, TypeId>) -> TypeId {
        let Type::Tuple(items) = self.types.get(ty) else { return ty };
        let bound = |item: &TypeId| self.unpacked_variable(*item).and_then(|variable| map.get(&variable).copied());
        if !items.iter().any(|item| bound(item).is_some()) {
            return ty;
        }
        let mut spliced = Vec::with_capacity(items.len());
        for item in items.iter() {
            match bound(item).map(|bound| self.types.get(bound)) {
                Some(Type::Tuple(inner)) => spliced.extend(inner.iter().copied()),
                Some(_) => return self.external_instance("tuple", &[]),
                None => spliced.push(*item),
            }
        }
        self.types.add(Type::Tuple(spliced.into()))
    }

    /// The type arguments of a class, with a tuple of those that its variadic type parameter takes.
    pub(super) fn with_variadic_argument(&mut self, class: ClassId, arguments: Vec<TypeId>) -> Vec<TypeId> {
        let parameters = self.type_parameters(class);
        let Some(at) = parameters.iter().position(|&parameter| self.is_variadic(parameter)) else { return arguments };
        let after = parameters.len() - at - 1;
        let Some(end) = arguments.len().checked_sub(after).filter(|end| *end >= at) else { return arguments };
        let taken = self.types.add(Type::Tuple(arguments[at..end].into()));
        let before = arguments[..at].iter().copied();
        before.chain([taken]).chain(arguments[end..].iter().copied()).collect()
    }
}
