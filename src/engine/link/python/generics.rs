//! Type variables (PEP 484): type parameters of classes, bounds, substitution.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    linker::Linker,
    mro_table::Ancestor,
    names::MODULE,
    program::{ClassId, FileIndex, GlobalBinding},
    types::{Type, TypeId, TypeList},
};
use apidisc_facts::syntax::python::facts::{BindingKind, Expr, ExprId, ScopeId};

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
        let mut open = vec![ty];
        // A type may occur in several parts of another one, on each level of it.
        let mut seen = FxHashSet::default();
        while let Some(ty) = open.pop() {
            if !self.types.has_variable(ty) || !seen.insert(ty) {
                continue;
            }
            match self.types.get(ty) {
                Type::Variable(variable) if !found.contains(variable) => found.push(*variable),
                Type::Union(parts)
                | Type::Tuple(parts)
                | Type::ExternalClass(_, parts)
                | Type::ExternalInstance(_, parts)
                | Type::Class(_, parts)
                | Type::Instance(_, parts) => open.extend(parts.iter().rev()),
                _ => {}
            }
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
                let is_imported = |kind: &BindingKind| match kind {
                    BindingKind::ImportFrom { name, .. } => is_constructor(facts.name(*name)),
                    _ => false,
                };
                is_constructor(facts.name(name)) || imported.is_some_and(is_imported)
            }
            _ => false,
        }
    }

    /// The bound of a type variable, or the union of its constraints, as an instance.
    pub(super) fn type_variable_bound(&mut self, variable: GlobalBinding) -> TypeId {
        let facts = self.program.facts(variable.file);
        if let BindingKind::TypeParameter { bound, .. } = facts.bindings[variable.binding.index()].kind {
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
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        let ty = self.with_spliced_items(ty, map);
        let result = self.map_parts(ty, |linker, part| linker.substitute_parts(part, map, replaced));
        replaced.insert(ty, result);
        result
    }

    /// A type with the results of `map` in place of its parts: the type arguments, the items of a tuple, the
    /// alternatives of a union. A type without parts stays as it is.
    fn map_parts(&mut self, ty: TypeId, mut map: impl FnMut(&mut Self, TypeId) -> TypeId) -> TypeId {
        let mut all =
            |linker: &mut Self, parts: &TypeList| -> TypeList { parts.iter().map(|&part| map(linker, part)).collect() };
        let mapped = match self.types.get(ty).clone() {
            Type::Union(parts) => {
                let parts = all(self, &parts);
                return self.types.union(parts.iter().copied());
            }
            Type::ExternalInstance(path, args) => Type::ExternalInstance(path, all(self, &args)),
            Type::Instance(class, args) => Type::Instance(class, all(self, &args)),
            Type::Class(class, args) => Type::Class(class, all(self, &args)),
            Type::ExternalClass(path, args) => Type::ExternalClass(path, all(self, &args)),
            Type::Tuple(items) => Type::Tuple(all(self, &items)),
            _ => return ty,
        };
        self.types.add(mapped)
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
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        let result = match self.types.get(ty) {
            Type::ExternalInstance(path, _) if self.program.interner.text(*path) == "typing.Self" => {
                match self.types.get(receiver) {
                    Type::Class(..) => self.instance_of_class(receiver),
                    _ => receiver,
                }
            }
            _ => self.map_parts(ty, |linker, part| linker.bind_self_type_in_parts(part, receiver, bound)),
        };
        bound.insert(ty, result);
        result
    }
}
