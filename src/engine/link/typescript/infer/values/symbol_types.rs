//! The types of symbols, both as values and as types, with declaration merging.

use crate::typescript::{
    infer::{Linker, TypeQuery, names::ResolvedName},
    program::{FileIndex, GlobalDeclaration, GlobalSymbol},
    types::{InternedType, InternedTypes, Substitution, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{Decl, DefBody, ScopeKind, TypeParamId};

impl Linker<'_> {
    /// The type of a name used as a value.
    pub(in super::super) fn type_of_name(&mut self, name: ResolvedName) -> InternedType {
        match name {
            ResolvedName::Symbol(symbol) => {
                self.query(TypeQuery::Symbol(symbol), |linker| linker.type_of_symbol(symbol))
            }
            ResolvedName::File(file) => self.types.intern(TypeKind::ModuleNamespace(file)),
            ResolvedName::AmbientModule(name) => self.types.intern(TypeKind::AmbientModuleNamespace(name)),
            ResolvedName::Expression(file, expr) => self.expr_type(file, expr),
            ResolvedName::External => InternedType::EXTERNAL,
            ResolvedName::Missing => InternedType::ANY,
        }
    }

    /// The type of a symbol as a value. With merged declarations, a class or enum takes precedence over functions,
    /// functions over variables, and variables over namespaces.
    fn type_of_symbol(&mut self, symbol: GlobalSymbol) -> InternedType {
        let decls = self.program.declarations(symbol);
        let mut is_namespace = false;
        let mut function = None;
        let mut variables: InternedTypes = InternedTypes::new();
        for &(file, decl) in &decls {
            match decl {
                Decl::Def(local) => {
                    let def = self.program.global_def(file, local);
                    match self.program.def(def).body {
                        DefBody::Class(_) => {
                            return self.types.intern(TypeKind::ClassConstructor(def, Substitution::EMPTY));
                        }
                        // The implementation represents its overloads.
                        DefBody::Function(ref body) if function.is_none() || body.has_body => function = Some(def),
                        DefBody::Enum(_) => return self.types.intern(TypeKind::EnumObject(symbol)),
                        DefBody::Namespace => is_namespace = true,
                        _ => {}
                    }
                }
                Decl::Variable(variable) => {
                    let ty =
                        self.query(TypeQuery::Variable(file, variable), |linker| linker.variable_type(file, variable));
                    variables.push(ty);
                }
                Decl::Parameter(function, at) => {
                    let def = self.program.global_def(file, function);
                    let ty = self.parameter_type(def, at);
                    variables.push(ty);
                }
                Decl::Import(_) | Decl::TypeParam(_) => {}
            }
        }
        if let Some(def) = function {
            return self.types.intern(TypeKind::Function(def, Substitution::EMPTY));
        }
        match variables.first() {
            // `var` may be declared repeatedly: the first known type counts.
            Some(first) => variables.iter().copied().find(|ty| ty.is_known()).unwrap_or(*first),
            None if is_namespace => self.types.intern(TypeKind::NamespaceObject(symbol)),
            None => self.property_beside(symbol).unwrap_or(InternedType::ANY),
        }
    }

    /// The value that has the name of a type in a namespace, if a variable has the name of the namespace: the property
    /// of this name. `import { Request } from "m"` names both where `m` has `export = request`.
    fn property_beside(&mut self, symbol: GlobalSymbol) -> Option<InternedType> {
        let (file, row) = self.program.symbol(symbol);
        let scope = &self.program.facts(file).scopes[row.scope.index()];
        let namespace = scope.def.filter(|_| scope.kind == ScopeKind::Namespace)?;
        let holder = self.program.symbol_of(self.program.global_def(file, namespace))?;
        let is_variable = |(_, decl): &GlobalDeclaration| matches!(decl, Decl::Variable(_));
        if !self.program.declarations(holder).iter().any(is_variable) {
            return None;
        }
        let value = self.type_of_name(ResolvedName::Symbol(holder));
        self.property_type(value, self.program.name(file, row.name))
    }

    /// The type that a name denotes when used as a type, with type arguments.
    pub(in super::super) fn declared_type_of_name(
        &mut self,
        name: ResolvedName,
        args: &[InternedType],
    ) -> InternedType {
        match name {
            ResolvedName::Symbol(symbol) => self.declared_type_of_symbol(symbol, args),
            ResolvedName::External => InternedType::EXTERNAL,
            ResolvedName::Expression(file, expr) => {
                let class = self.expr_type(file, expr);
                self.instance_type(class, args)
            }
            ResolvedName::File(_) | ResolvedName::AmbientModule(_) | ResolvedName::Missing => InternedType::ANY,
        }
    }

    fn declared_type_of_symbol(&mut self, symbol: GlobalSymbol, args: &[InternedType]) -> InternedType {
        for (file, decl) in self.program.declarations(symbol) {
            match decl {
                Decl::TypeParam(param) => {
                    let param = self.program.global_param(file, param);
                    return self.types.intern(TypeKind::TypeParameter(param));
                }
                Decl::Def(local) => {
                    let def = self.program.global_def(file, local);
                    match &self.program.def(def).body {
                        DefBody::Class(_) | DefBody::Interface(_) => {
                            let params = self.program.def(def).type_params();
                            let args = self.fill_missing_type_arguments(file, params, args);
                            return self.types.intern(TypeKind::Reference(symbol, args));
                        }
                        DefBody::Enum(_) => {
                            return self.types.intern(TypeKind::Reference(symbol, InternedTypes::new()));
                        }
                        DefBody::TypeAlias(alias) => {
                            if let Some(mapping) = self.well_known.string_mapping(symbol) {
                                let mapped = args.first().copied().unwrap_or(InternedType::STRING);
                                return self.mapped_string(mapping, mapped);
                            }
                            let generic =
                                self.query(TypeQuery::Alias(symbol), |linker| linker.type_from_node(file, alias.ty));
                            if alias.type_params.is_empty() {
                                return generic;
                            }
                            let args = self.fill_missing_type_arguments(file, &alias.type_params, args);
                            let params = alias.type_params.iter().map(|p| self.program.global_param(file, *p));
                            let bindings =
                                params.zip(args).map(|(param, arg)| (TypeVariable::Parameter(param), arg)).collect();
                            let substitution = self.types.intern_substitution(bindings);
                            return self.substitute(generic, substitution);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        let (file, _) = self.program.symbol(symbol);
        if !self.program.facts(file).has_comment_types {
            return InternedType::ANY;
        }
        // In a comment of JavaScript: a constant that holds a class, or a function that is written for `new`.
        let value = self.type_of_name(ResolvedName::Symbol(symbol));
        match *self.types.kind(value) {
            TypeKind::ClassConstructor(..) => self.instance_type(value, args),
            TypeKind::Function(def, _) => self.instance_of_function(def).unwrap_or(InternedType::ANY),
            _ => InternedType::ANY,
        }
    }

    /// Completes type arguments with the defaults of the type parameters; type parameters without a default get `any`.
    pub(in super::super) fn fill_missing_type_arguments(
        &mut self,
        file: FileIndex,
        params: &[TypeParamId],
        args: &[InternedType],
    ) -> InternedTypes {
        let mut all: InternedTypes = args.iter().copied().take(params.len()).collect();
        for at in all.len()..params.len() {
            let row = &self.program.facts(file).type_params[params[at].index()];
            let ty = match row.default {
                Some(default) => {
                    let generic = self.type_from_node(file, default);
                    let bound = params.iter().zip(&all);
                    let bindings = bound
                        .map(|(p, ty)| (TypeVariable::Parameter(self.program.global_param(file, *p)), *ty))
                        .collect();
                    let substitution = self.types.intern_substitution(bindings);
                    self.substitute(generic, substitution)
                }
                None => InternedType::ANY,
            };
            all.push(ty);
        }
        all
    }
}
