//! Type variables (PEP 484): type parameters of classes, unification with argument types, substitution.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    mro_table::Ancestor,
    names::MODULE,
    program::{ClassId, FileIndex, GlobalBinding, GlobalDef},
    types::{Type, TypeId, TypeList},
};
use crate::{
    program::ArgumentKind,
    syntax::python::facts::{BindingKind, Expr, ExprId, Param, ScopeId},
};

impl Linker<'_> {
    /// The type variables of a class in order: its type parameters (PEP 695), those of `Generic[…]` or `Protocol[…]` if
    /// present, else those of its bases.
    pub(super) fn type_parameters(&mut self, class: ClassId) -> Vec<GlobalBinding> {
        let (file, def, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        if !def.type_parameters.is_empty() {
            return def.type_parameters.iter().map(|&binding| GlobalBinding { file, binding }).collect();
        }
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
                self.collect_variables(ty, &mut own_variables);
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

    /// Adds the type variables that occur in a type, in order and each once.
    pub(super) fn collect_variables(&self, ty: TypeId, found: &mut Vec<GlobalBinding>) {
        if !self.types.has_variable(ty) {
            return;
        }
        match self.types.get(ty) {
            Type::Variable(variable) if !found.contains(variable) => found.push(*variable),
            Type::Union(parts)
            | Type::Tuple(parts)
            | Type::ExternalClass(_, parts)
            | Type::ExternalInstance(_, parts)
            | Type::Class(_, parts)
            | Type::Instance(_, parts) => {
                for &part in parts.iter() {
                    self.collect_variables(part, found);
                }
            }
            _ => {}
        }
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
            let order = Some(mro).filter(|&mro| self.mro_table.get(mro).has_arguments());
            let inherited = self.mro_table.iter(order).find_map(|a| match a {
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
        let is_constructor = |name| matches!(name, "TypeVar" | "ParamSpec" | "TypeVarTuple");
        match facts.expr(callee) {
            Expr::Attribute { name, .. } => is_constructor(facts.name(name)),
            Expr::Name { name, reaching, .. } => {
                // `from typing import TypeVar as T`, which functions of the module read too.
                let bindings = match facts.reaching(reaching) {
                    [] => facts.bindings_of(ScopeId::new(MODULE), name),
                    reaching => reaching,
                };
                let imported = bindings.first().map(|b| &facts.bindings[b.index()].kind);
                is_constructor(facts.name(name))
                    || matches!(imported, Some(BindingKind::ImportFrom { name, .. }) if is_constructor(facts.name(*name)))
            }
            _ => false,
        }
    }

    /// The bound of a type variable, or the union of its constraints, as an instance.
    pub(super) fn type_variable_bound(&mut self, variable: GlobalBinding) -> TypeId {
        let facts = self.program.facts(variable.file);
        if let BindingKind::TypeParameter(bound) = facts.bindings[variable.binding.index()].kind {
            let Some(bound) = bound else { return TypeId::UNKNOWN };
            return match facts.expr(bound) {
                Expr::Tuple(constraints) => {
                    let constraints = facts.list(constraints).iter();
                    let parts: Vec<TypeId> = constraints.map(|&c| self.annotation_type(variable.file, c)).collect();
                    self.types.union(parts)
                }
                _ => self.annotation_type(variable.file, bound),
            };
        }
        let BindingKind::Assign { value: Some(value), .. } = facts.bindings[variable.binding.index()].kind else {
            return TypeId::UNKNOWN;
        };
        let Expr::Call(site) = facts.expr(value) else { return TypeId::UNKNOWN };
        let site = &facts.calls[site.index()];
        let bound = site.arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == "bound"));
        if let Some(argument) = bound {
            self.annotation_type(variable.file, argument.value)
        } else {
            let constraints: Vec<ExprId> =
                site.arguments.iter().skip(1).filter(|a| a.keyword.is_none()).map(|a| a.value).collect();
            let parts: Vec<TypeId> = constraints.into_iter().map(|c| self.annotation_type(variable.file, c)).collect();
            self.types.union(parts)
        }
    }

    /// Replaces the type variables in a type by their types in `map`. A variable that is not in `map` is kept.
    pub(super) fn substitute(&mut self, ty: TypeId, map: &FxHashMap<GlobalBinding, TypeId>) -> TypeId {
        if map.is_empty() { ty } else { self.substitute_parts(ty, map, &mut FxHashMap::default()) }
    }

    /// Implements [`Self::substitute`]. `replaced` holds the results for the parts that were met before: a part may
    /// occur many times in a type.
    fn substitute_parts(
        &mut self,
        ty: TypeId,
        map: &FxHashMap<GlobalBinding, TypeId>,
        replaced: &mut FxHashMap<TypeId, TypeId>,
    ) -> TypeId {
        if !self.types.has_variable(ty) {
            return ty;
        }
        if let Type::Variable(variable) = self.types.get(ty) {
            return map.get(variable).copied().unwrap_or(ty);
        }
        if let Some(&known) = replaced.get(&ty) {
            return known;
        }
        if !self.step() {
            return TypeId::TOO_COMPLEX;
        }
        let mut all = |this: &mut Self, items: &TypeList| -> TypeList {
            items.iter().map(|&item| this.substitute_parts(item, map, replaced)).collect()
        };
        let result = match self.types.get(ty).clone() {
            Type::Union(parts) => {
                let parts = all(self, &parts);
                self.types.union(parts.iter().copied())
            }
            Type::ExternalInstance(path, args) => {
                let args = all(self, &args);
                self.types.add(Type::ExternalInstance(path, args))
            }
            Type::Instance(class, args) => {
                let args = all(self, &args);
                self.types.add(Type::Instance(class, args))
            }
            Type::Class(class, args) => {
                let args = all(self, &args);
                self.types.add(Type::Class(class, args))
            }
            Type::ExternalClass(path, args) => {
                let args = all(self, &args);
                self.types.add(Type::ExternalClass(path, args))
            }
            Type::Tuple(items) => {
                let items = all(self, &items);
                self.types.add(Type::Tuple(items))
            }
            _ => ty,
        };
        replaced.insert(ty, result);
        result
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
        if !self.types.has_variable(result) {
            return result;
        }
        if let Some(passed) = passed {
            self.unify_arguments(def, is_bound, passed, &mut map);
        }
        self.substitute(result, &map)
    }

    /// The types of the type variables in the parameters of a function, by the receiver and the arguments of a call.
    pub(super) fn type_arguments_of_call(
        &mut self,
        callee: TypeId,
        def: GlobalDef,
        is_bound: bool,
        passed: PassedArguments,
    ) -> FxHashMap<GlobalBinding, TypeId> {
        let receiver = match *self.types.get(callee) {
            Type::Method(_, receiver) => self.types.get(receiver).clone(),
            _ => Type::Unknown,
        };
        let mut map = match (receiver, self.program.owner(def)) {
            (Type::Instance(class, args) | Type::Class(class, args), Some(owner)) => {
                self.arguments_of(class, &args, owner)
            }
            _ => FxHashMap::default(),
        };
        self.unify_arguments(def, is_bound, passed, &mut map);
        map
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
        let mut keywords: SmallVec<[usize; 4]> = SmallVec::new();
        let mut is_spread = false;
        let mut of_lambdas = Vec::new();
        for argument in passed.arguments {
            let parameter = match argument.kind {
                ArgumentKind::Positional => {
                    position += 1;
                    function.parameters.get(position - 1)
                }
                ArgumentKind::Keyword => {
                    let name = argument.keyword.map(|k| self.program.global_name(passed.file, k));
                    let is_named = |p: &Param| Some(self.program.global_name(file, p.name)) == name;
                    let at = function.parameters.iter().position(is_named);
                    keywords.extend(at);
                    at.map(|at| &function.parameters[at])
                }
                _ => {
                    is_spread = true;
                    None
                }
            };
            let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { continue };
            let annotation = self.annotation_type(file, *annotation);
            if self.types.has_variable(annotation) {
                let actual = self.expr_type(passed.file, argument.value);
                self.unify(annotation, actual, map);
                if matches!(self.program.facts(passed.file).expr(argument.value), Expr::Lambda(_)) {
                    self.collect_variables(annotation, &mut of_lambdas);
                }
            }
        }
        // The result of a lambda may become known when the types of its parameters are propagated.
        for variable in of_lambdas {
            map.entry(variable).or_insert(TypeId::UNKNOWN);
        }
        if let Some(actual) = passed.decorated_function
            && let Some((annotation, _)) = function.parameters.get(position).and_then(|p| p.annotation.as_ref())
        {
            let annotation = self.annotation_type(file, *annotation);
            self.unify(annotation, actual, map);
        }
        if is_spread || passed.decorated_function.is_some() {
            return;
        }
        // What is not passed has the type of its default: `def make(cls: type[T] = Agent) -> T`.
        for (at, parameter) in function.parameters.iter().enumerate().skip(position) {
            if let (Some((annotation, _)), Some((default, _))) = (&parameter.annotation, &parameter.default)
                && !keywords.contains(&at)
            {
                let annotation = self.annotation_type(file, *annotation);
                if self.types.has_variable(annotation) && self.program.facts(file).expr(*default) != Expr::None {
                    let actual = self.expr_type(file, *default);
                    self.unify(annotation, actual, map);
                }
            }
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
        if let MemberLookup::Found(ClassMember::Function { def, owner }) = self.lookup_member(class, init) {
            self.unify_arguments(def, true, passed, &mut map);
            if owner != class && !map.is_empty() {
                // The base binds its type variables to type variables of the class: `class C(Base[T])`.
                let none = self.types.no_arguments();
                for (inherited, argument) in self.arguments_of(class, &none, owner) {
                    if let (&Type::Variable(own), Some(&bound)) = (self.types.get(argument), map.get(&inherited)) {
                        map.entry(own).or_insert(bound);
                    }
                }
            }
        } else {
            self.unify_fields(class, passed, &mut map);
        }
        if map.is_empty() {
            return Vec::new();
        }
        parameters.into_iter().map(|p| map.get(&p).copied().unwrap_or_default()).collect()
    }

    /// Matches the annotations of the fields of a class with a synthesized constructor against the arguments of a call.
    fn unify_fields(&mut self, class: ClassId, passed: PassedArguments, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        let Some(signature) = self.constructor(class).signature.filter(|signature| signature.is_synthesized) else {
            return;
        };
        let (file, _, body) = self.program.class_facts(class);
        for (at, argument) in passed.arguments.iter().enumerate() {
            let name = match (argument.kind, argument.keyword) {
                (ArgumentKind::Positional, _) => signature.parameters.get(at).map(|p| p.name.as_str()),
                (ArgumentKind::Keyword, Some(keyword)) => Some(self.program.facts(passed.file).name(keyword)),
                _ => return,
            };
            let facts = self.program.facts(file);
            let field = body.fields.iter().find(|field| Some(facts.name(field.name)) == name);
            let Some((annotation, _)) = field.and_then(|field| field.annotation.as_ref()) else { continue };
            let annotation = self.annotation_type(file, *annotation);
            if self.types.has_variable(annotation) {
                let actual = self.expr_type(passed.file, argument.value);
                self.unify(annotation, actual, map);
            }
        }
    }

    /// Matches `actual` against `pattern`, and adds to `map` the type that each type variable of `pattern` stands for.
    /// A variable that is already in `map` keeps its type.
    pub(super) fn unify(&mut self, pattern: TypeId, actual: TypeId, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        self.unify_parts(pattern, actual, map, &mut FxHashSet::default());
    }

    /// Implements [`Self::unify`]. `unified` holds the pairs that were unified before: unifying a pair again adds
    /// nothing.
    fn unify_parts(
        &mut self,
        pattern: TypeId,
        actual: TypeId,
        map: &mut FxHashMap<GlobalBinding, TypeId>,
        unified: &mut FxHashSet<(TypeId, TypeId)>,
    ) {
        if actual.is_unknown() || actual == TypeId::EXTERNAL || !self.types.has_variable(pattern) {
            return;
        }
        let is_variable = matches!(self.types.get(pattern), Type::Variable(_));
        if !is_variable && (!unified.insert((pattern, actual)) || !self.step()) {
            return;
        }
        match (self.types.get(pattern).clone(), self.types.get(actual).clone()) {
            (Type::Variable(variable), _) => {
                map.entry(variable).or_insert(actual);
            }
            (Type::Union(parts), _) => {
                let actual = self.without_none(actual);
                let (variables, others): (Vec<TypeId>, Vec<TypeId>) =
                    parts.iter().partition(|&&part| matches!(self.types.get(part), Type::Variable(_)));
                // In `T | list[T]`, a variable alone stands for what no other part matches.
                let mut rest = Vec::new();
                for &value in self.types.parts(actual).iter() {
                    let known = map.len();
                    for &other in &others {
                        self.unify_parts(other, value, map, unified);
                    }
                    if map.len() == known && !others.contains(&value) {
                        rest.push(value);
                    }
                }
                let rest = self.types.union(rest);
                for variable in variables {
                    self.unify_parts(variable, rest, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalInstance(b, items)) => {
                let iterable = self.program.interner.text(a) == "Iterable";
                if a == b || iterable {
                    for (&p, &g) in pattern.iter().zip(items.iter()) {
                        self.unify_parts(p, g, map, unified);
                    }
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(..) | Type::Function(_) | Type::Method(..))
                if self.program.interner.text(a) == "Callable" =>
            {
                let result = self.call_type(actual);
                if let [p, ..] = pattern[..] {
                    self.unify_parts(p, result, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(class, args))
                if self.program.interner.text(a) == "type" =>
            {
                let instance = self.types.add(Type::Instance(class, args));
                if let [p] = pattern[..] {
                    self.unify_parts(p, instance, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalName(_) | Type::ExternalClass(..))
                if self.program.interner.text(a) == "type" =>
            {
                let instance = self.instance_of_class(actual);
                if let [p] = pattern[..] {
                    self.unify_parts(p, instance, map, unified);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if a == b => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify_parts(p, g, map, unified);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if self.inherits(b, a) => {
                let inherited = self.arguments_of(b, &items, a);
                for (p, parameter) in pattern.iter().zip(self.type_parameters(a)) {
                    if let Some(&g) = inherited.get(&parameter) {
                        self.unify_parts(*p, g, map, unified);
                    }
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Tuple(items))
                if matches!(self.program.interner.text(a), "tuple" | "Iterable") =>
            {
                let item = self.types.union(items.iter().copied());
                if let [p] = pattern[..] {
                    self.unify_parts(p, item, map, unified);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(items)) => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify_parts(p, g, map, unified);
                }
            }
            _ => {}
        }
    }

    /// Replaces `Self` (PEP 673) by the receiver's type.
    pub(super) fn bind_self_type(&mut self, ty: TypeId, receiver: TypeId) -> TypeId {
        self.bind_self_type_in_parts(ty, receiver, &mut FxHashMap::default())
    }

    /// Implements [`Self::bind_self_type`]. `bound` holds the results for the parts that were met before.
    fn bind_self_type_in_parts(
        &mut self,
        ty: TypeId,
        receiver: TypeId,
        bound: &mut FxHashMap<TypeId, TypeId>,
    ) -> TypeId {
        if !self.types.has_self_type(ty) {
            return ty;
        }
        if let Some(&known) = bound.get(&ty) {
            return known;
        }
        if !self.step() {
            return TypeId::TOO_COMPLEX;
        }
        let mut all = |this: &mut Self, parts: &TypeList| -> TypeList {
            parts.iter().map(|&part| this.bind_self_type_in_parts(part, receiver, bound)).collect()
        };
        let result = match self.types.get(ty).clone() {
            Type::ExternalInstance(path, _) if self.program.interner.text(path) == "typing.Self" => {
                match self.types.get(receiver) {
                    Type::Class(..) => self.instance_of_class(receiver),
                    _ => receiver,
                }
            }
            Type::ExternalInstance(path, args) => {
                let args = all(self, &args);
                self.types.add(Type::ExternalInstance(path, args))
            }
            Type::Instance(class, args) => {
                let args = all(self, &args);
                self.types.add(Type::Instance(class, args))
            }
            Type::Class(class, args) => {
                let args = all(self, &args);
                self.types.add(Type::Class(class, args))
            }
            Type::Tuple(items) => {
                let items = all(self, &items);
                self.types.add(Type::Tuple(items))
            }
            Type::Union(parts) => {
                let parts = all(self, &parts);
                self.types.union(parts.iter().copied())
            }
            _ => ty,
        };
        bound.insert(ty, result);
        result
    }
}
