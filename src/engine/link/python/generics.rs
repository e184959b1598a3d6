//! Type variables (PEP 484): type parameters of classes, unification with argument types, substitution.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    calls::PassedArguments,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    mro::Ancestor,
    names::MODULE,
    program::{ClassId, FileIndex, GlobalBinding, GlobalDef},
    types::{Type, TypeId, TypeList},
};
use crate::{
    program::ArgumentKind,
    syntax::python::facts::{BindingKind, Expr, ExprId, ScopeId},
};

impl Linker<'_> {
    /// The type variables of a class in order: those of `Generic[…]` or `Protocol[…]` if present, else those of its
    /// bases.
    pub(super) fn type_parameters(&mut self, class: ClassId) -> Vec<GlobalBinding> {
        let (file, _, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let mut found: Vec<GlobalBinding> = Vec::new();
        for (base, text) in &body.bases {
            let Expr::Subscript { index, .. } = facts.expr(*base) else { continue };
            let mut own_variables = Vec::new();
            let items: Vec<_> = match facts.expr(index) {
                Expr::Tuple(list) => facts.list(list).to_vec(),
                _ => vec![index],
            };
            for item in items {
                let ty = self.expr_type(file, item);
                if let Type::Variable(variable) = self.types.get(ty) {
                    own_variables.push(*variable);
                }
            }
            let head = text.split('[').next().unwrap_or(text);
            if matches!(head.rsplit('.').next(), Some("Generic" | "Protocol")) {
                return own_variables;
            }
            for variable in own_variables {
                if !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        found
    }

    /// The type arguments of `class` and of `owner`, by type variable, for an instance of `class` with the type
    /// arguments `args`. `owner` is `class` or one of its bases.
    pub(super) fn arguments_of(
        &mut self,
        class: ClassId,
        args: &TypeList,
        owner: ClassId,
    ) -> FxHashMap<GlobalBinding, TypeId> {
        let mut map: FxHashMap<GlobalBinding, TypeId> = FxHashMap::default();
        if !args.is_empty() {
            map.extend(self.type_parameters(class).into_iter().zip(args.iter().copied()));
        }
        if owner != class {
            let mro = self.mro(class);
            let inherited = mro.iter().find_map(|a| match a {
                Ancestor::Class(c, args) if *c == owner && !args.is_empty() => Some(Arc::clone(args)),
                _ => None,
            });
            if let Some(inherited) = inherited {
                let inherited: Vec<TypeId> = inherited.iter().map(|&ty| self.substitute(ty, &map)).collect();
                map.extend(self.type_parameters(owner).into_iter().zip(inherited));
            }
        }
        map
    }

    /// True for `TypeVar("T", …)`, `ParamSpec(…)` (PEP 612) and `TypeVarTuple(…)` (PEP 646).
    pub(super) fn is_type_variable(&mut self, file: FileIndex, value: ExprId) -> bool {
        let facts = self.program.facts(file);
        let Expr::Call(site) = facts.expr(value) else { return false };
        let callee = facts.calls[site.index()].callee;
        let (Expr::Name { name, .. } | Expr::Attribute { name, .. }) = facts.expr(callee) else { return false };
        matches!(facts.name(name), "TypeVar" | "ParamSpec" | "TypeVarTuple")
    }

    /// The bound of a type variable, or the union of its constraints, as an instance.
    pub(super) fn type_variable_bound(&mut self, variable: GlobalBinding) -> TypeId {
        let facts = self.program.facts(variable.file);
        let BindingKind::Assign { value: Some(value), .. } = facts.bindings[variable.binding.index()].kind else {
            return TypeId::UNKNOWN;
        };
        let Expr::Call(site) = facts.expr(value) else { return TypeId::UNKNOWN };
        let site = &facts.calls[site.index()];
        let bound = site.arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == "bound"));
        if let Some(argument) = bound {
            match facts.expr(argument.value) {
                Expr::Str(Some(name)) => {
                    let class = self.lookup_name(variable.file, ScopeId::new(MODULE), name);
                    self.instance_of_class(class)
                }
                _ => self.annotation_type(variable.file, argument.value),
            }
        } else {
            let constraints: Vec<ExprId> =
                site.arguments.iter().skip(1).filter(|a| a.keyword.is_none()).map(|a| a.value).collect();
            let parts: Vec<TypeId> = constraints.into_iter().map(|c| self.annotation_type(variable.file, c)).collect();
            self.types.union(parts)
        }
    }

    /// Replaces the type variables in a type by their types in `map`. A variable that is not in `map` is kept.
    pub(super) fn substitute(&mut self, ty: TypeId, map: &FxHashMap<GlobalBinding, TypeId>) -> TypeId {
        if map.is_empty() {
            return ty;
        }
        let all = |this: &mut Self, items: &TypeList| -> TypeList {
            items.iter().map(|&item| this.nested(|this| this.substitute(item, map))).collect::<Vec<_>>().into()
        };
        let replaced = match self.types.get(ty).clone() {
            Type::Variable(variable) => return map.get(&variable).copied().unwrap_or(ty),
            Type::Union(parts) => {
                let parts = all(self, &parts);
                return self.types.union(parts.iter().copied());
            }
            Type::ExternalInstance(path, args) if !args.is_empty() => Type::ExternalInstance(path, all(self, &args)),
            Type::Instance(class, args) if !args.is_empty() => Type::Instance(class, all(self, &args)),
            Type::Class(class, args) if !args.is_empty() => Type::Class(class, all(self, &args)),
            Type::Tuple(items) => Type::Tuple(all(self, &items)),
            _ => return ty,
        };
        self.types.add(replaced)
    }

    /// Replaces the type variables in the result of a call by their types. The types come from `map`, and from the
    /// unification of the parameters with the call's arguments.
    pub(super) fn specialize_result(
        &mut self,
        result: TypeId,
        def: GlobalDef,
        is_bound: bool,
        mut map: FxHashMap<GlobalBinding, TypeId>,
        passed: Option<PassedArguments>,
    ) -> TypeId {
        if !self.has_type_variable(result) {
            return result;
        }
        if let Some(passed) = passed {
            self.unify_arguments(def, is_bound, passed, &mut map);
        }
        self.substitute(result, &map)
    }

    fn unify_arguments(
        &mut self,
        def: GlobalDef,
        is_bound: bool,
        passed: PassedArguments,
        map: &mut FxHashMap<GlobalBinding, TypeId>,
    ) {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return };
        let mut position = usize::from(is_bound);
        for argument in passed.arguments {
            let parameter = match argument.kind {
                ArgumentKind::Positional => {
                    position += 1;
                    function.parameters.get(position - 1)
                }
                ArgumentKind::Keyword => {
                    let name = argument.keyword.map(|k| self.program.global_name(passed.file, k));
                    function.parameters.iter().find(|p| Some(self.program.global_name(file, p.name)) == name)
                }
                _ => None,
            };
            let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { continue };
            let annotation = self.annotation_type(file, *annotation);
            if self.has_type_variable(annotation) {
                let actual = self.expr_type(passed.file, argument.value);
                self.unify(annotation, actual, map);
            }
        }
        if let Some(actual) = passed.decorated_function
            && let Some((annotation, _)) = function.parameters.get(position).and_then(|p| p.annotation.as_ref())
        {
            let annotation = self.annotation_type(file, *annotation);
            self.unify(annotation, actual, map);
        }
    }

    /// The type arguments of an instance, inferred from the arguments of the constructor call.
    pub(super) fn inferred_type_arguments(&mut self, class: ClassId, passed: Option<PassedArguments>) -> Vec<TypeId> {
        let Some(passed) = passed else { return Vec::new() };
        let parameters = self.type_parameters(class);
        if parameters.is_empty() {
            return Vec::new();
        }
        let init = self.program.interner.intern("__init__");
        let mut map = FxHashMap::default();
        if let MemberLookup::Found(ClassMember::Function { def, .. }) = self.lookup_member(class, init) {
            self.unify_arguments(def, true, passed, &mut map);
        }
        if map.is_empty() {
            return Vec::new();
        }
        parameters.into_iter().map(|p| map.get(&p).copied().unwrap_or_default()).collect()
    }

    pub(super) fn has_type_variable(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Variable(_) => true,
            Type::Union(items)
            | Type::Tuple(items)
            | Type::ExternalInstance(_, items)
            | Type::Instance(_, items)
            | Type::Class(_, items)
            | Type::ExternalClass(_, items) => items.iter().any(|&i| self.has_type_variable(i)),
            _ => false,
        }
    }

    /// Matches `actual` against `pattern`, and adds to `map` the type that each type variable of `pattern` stands for.
    /// A variable that is already in `map` keeps its type.
    pub(super) fn unify(&mut self, pattern: TypeId, actual: TypeId, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        if actual == TypeId::UNKNOWN || actual == TypeId::EXTERNAL {
            return;
        }
        match (self.types.get(pattern).clone(), self.types.get(actual).clone()) {
            (Type::Variable(variable), _) => {
                map.entry(variable).or_insert(actual);
            }
            (Type::Union(parts), _) => {
                let actual = self.without_none(actual);
                for &part in parts.iter() {
                    self.unify(part, actual, map);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalInstance(b, items)) => {
                let iterable = self.program.interner.text(a) == "Iterable";
                if a == b || iterable {
                    for (&p, &g) in pattern.iter().zip(items.iter()) {
                        self.unify(p, g, map);
                    }
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(..) | Type::Function(_) | Type::Method(..))
                if self.program.interner.text(a) == "Callable" =>
            {
                let result = self.call_type(actual);
                if let [p] = pattern[..] {
                    self.unify(p, result, map);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(class, args))
                if self.program.interner.text(a) == "type" =>
            {
                let instance = self.types.add(Type::Instance(class, args));
                if let [p] = pattern[..] {
                    self.unify(p, instance, map);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if a == b => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify(p, g, map);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(items)) => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify(p, g, map);
                }
            }
            _ => {}
        }
    }

    /// Replaces `Self` (PEP 673) by the receiver's type.
    pub(super) fn bind_self_type(&mut self, ty: TypeId, receiver: TypeId) -> TypeId {
        match self.types.get(ty).clone() {
            Type::ExternalInstance(path, args) => {
                if self.program.interner.text(path) == "typing.Self" {
                    return match self.types.get(receiver) {
                        Type::Class(..) => self.instance_of_class(receiver),
                        _ => receiver,
                    };
                }
                if args.is_empty() {
                    return ty;
                }
                let args: Vec<TypeId> = args.iter().map(|&arg| self.bind_self_type(arg, receiver)).collect();
                self.types.add(Type::ExternalInstance(path, args.into()))
            }
            Type::Union(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|&part| self.bind_self_type(part, receiver)).collect();
                self.types.union(parts)
            }
            _ => ty,
        }
    }
}
