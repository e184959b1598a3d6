//! Defaults of type parameters (PEP 696).

use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    program::{ClassId, GlobalBinding, GlobalDef},
    types::{Type, TypeId, TypeList},
};
use apidisc_facts::syntax::python::facts::{BindingKind, Expr, ExprId};

impl Linker<'_> {
    /// The type arguments of a class, with the defaults of the type parameters for which `args` has none. Without
    /// defaults they are `args`.
    pub(super) fn with_default_arguments(&mut self, class: ClassId, args: TypeList) -> TypeList {
        let parameters = self.type_parameters(class);
        let Some(missing) = parameters.get(args.len()..) else { return args };
        if !missing.iter().any(|&parameter| self.has_default(parameter)) {
            return args;
        }
        let mut map: FxHashMap<GlobalBinding, TypeId> = parameters.iter().copied().zip(args.iter().copied()).collect();
        let mut all = args.to_vec();
        for &parameter in missing {
            let default = self.default_of(parameter, &map);
            map.insert(parameter, default);
            all.push(default);
        }
        all.into()
    }

    /// An instance of a class without type arguments as an annotation means it: with the defaults of its type
    /// parameters.
    pub(super) fn with_defaults(&mut self, instance: TypeId) -> TypeId {
        match self.types.get(instance).clone() {
            Type::Instance(class, args) if args.is_empty() => {
                let args = self.with_default_arguments(class, args);
                self.types.add(Type::Instance(class, args))
            }
            _ => instance,
        }
    }

    /// Adds the defaults of the type variables in the result of a function that no argument has bound. The variables of
    /// an enclosing class or function are not the function's own.
    pub(super) fn add_defaults(&mut self, result: TypeId, def: GlobalDef, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        let owner = self.program.owner(def);
        if owner.is_none() && self.program.parent(def).is_some() {
            return;
        }
        let mut variables = Vec::new();
        self.collect_variables(result, &mut variables);
        variables.retain(|variable| !map.contains_key(variable) && self.has_default(*variable));
        if variables.is_empty() {
            return;
        }
        let of_class = owner.map(|owner| self.type_parameters(owner)).unwrap_or_default();
        for variable in variables.into_iter().filter(|variable| !of_class.contains(variable)) {
            let default = self.default_of(variable, map);
            map.insert(variable, default);
        }
    }

    /// True for a type variable with a default.
    pub(super) fn has_default(&self, variable: GlobalBinding) -> bool {
        self.default_expr(variable).is_some()
    }

    /// The default of a type variable, which may name the variables of `map`; without a default, the variable itself.
    pub(super) fn default_of(&mut self, variable: GlobalBinding, map: &FxHashMap<GlobalBinding, TypeId>) -> TypeId {
        let Some(default) = self.default_expr(variable) else { return self.types.add(Type::Variable(variable)) };
        // A class in the default stays without arguments, since the default may name the class of the variable.
        let class = self.type_expr(variable.file, default);
        let default = self.instance_of_class(class);
        self.substitute(default, map)
    }

    fn default_expr(&self, variable: GlobalBinding) -> Option<ExprId> {
        let facts = self.program.facts(variable.file);
        match facts.bindings[variable.binding.index()].kind {
            BindingKind::TypeParameter { default, .. } => default,
            BindingKind::Assign { value: Some(value), .. } => {
                let Expr::Call(site) = facts.expr(value) else { return None };
                let arguments = &facts.calls[site.index()].arguments;
                arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == "default")).map(|a| a.value)
            }
            _ => None,
        }
    }
}
