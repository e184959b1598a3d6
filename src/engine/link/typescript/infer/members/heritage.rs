//! Heritage clauses: base types, instance types, constraints, and the polymorphic `this` type.

use crate::typescript::{
    infer::{Linker, TypeQuery, signatures::CallableSignature},
    program::{GlobalDef, GlobalSymbol},
    types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::DefBody;

impl Linker<'_> {
    /// The types in the `extends` clause of a class or interface, with its own type parameters left free. A class has
    /// at most one: the instance type of its base class.
    pub(in crate::typescript) fn base_types(&mut self, def: GlobalDef) -> InternedTypes {
        let file = self.program.file_of(def);
        if let Some((expr, args, _)) = self.program.def(def).class().and_then(|class| class.extends.as_ref()) {
            let base = self.query(TypeQuery::BaseClass(def), |linker| {
                let value = linker.expr_type(file, *expr);
                let args = linker.type_arguments(file, args);
                linker.instance_type(value, &args)
            });
            return InternedTypes::from_slice(&[base]);
        }
        match &self.program.def(def).body {
            DefBody::Interface(interface) => {
                interface.extends.iter().map(|(ty, _)| self.type_from_node(file, *ty)).collect()
            }
            _ => InternedTypes::new(),
        }
    }

    /// The base types of a class in a generic function, with the type arguments of that function. A mixin extends the
    /// class that the function is given: `class extends Base` for a parameter `Base: T`.
    pub(in crate::typescript) fn instantiated_base_types(
        &mut self,
        def: GlobalDef,
        substitution: Substitution,
    ) -> InternedTypes {
        if let Some((base, args, _)) = self.program.def(def).class().and_then(|class| class.extends.as_ref())
            && substitution != Substitution::EMPTY
        {
            let file = self.program.file_of(def);
            let value = self.expr_type(file, *base);
            let given = self.substitute(value, substitution);
            if matches!(self.types.kind(value), TypeKind::TypeParameter(_)) && given != value && given.is_known() {
                let args = self.type_arguments(file, args);
                return InternedTypes::from_slice(&[self.instance_type(given, &args)]);
            }
        }
        let bases = self.base_types(def);
        self.substitute_all(&bases, substitution)
    }

    /// The type of `new class<args>()`.
    pub(in super::super) fn instance_type(&mut self, class: InternedType, args: &[InternedType]) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        match self.types.kind(class).clone() {
            TypeKind::ClassConstructor(def, substitution) => {
                let file = self.program.file_of(def);
                let params = self.program.def(def).type_params();
                // A class inside a generic function depends on the type arguments of that function: a mixin.
                let is_bound = params.is_empty()
                    && substitution != Substitution::EMPTY
                    && !self.program.type_params_in_scope(def).is_empty();
                match self.program.symbol_of(def).filter(|_| !is_bound) {
                    Some(symbol) => {
                        let args = self.fill_missing_type_arguments(file, params, args);
                        self.types.intern(TypeKind::Reference(symbol, args))
                    }
                    None => self.types.intern(TypeKind::Anonymous(def, substitution)),
                }
            }
            TypeKind::Function(def, _) if self.program.def(def).class().is_some() => {
                self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY))
            }
            TypeKind::External => InternedType::EXTERNAL,
            TypeKind::Union(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.instance_type(*constituent, args)).collect();
                self.types.union(all)
            }
            TypeKind::Intersection(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.instance_type(*constituent, args)).collect();
                let known: InternedTypes = all.iter().copied().filter(|ty| ty.is_known()).collect();
                if known.is_empty() { InternedType::ANY } else { self.intersect(&known) }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => match self.constraint(class) {
                Some(constraint) => self.instance_type(constraint, args),
                None => InternedType::ANY,
            },
            _ => {
                let signatures = self.signatures(class, true);
                let takes_all = |signature: &&CallableSignature| self.own_type_params(**signature).len() == args.len();
                let Some(&signature) = signatures.iter().find(takes_all).or(signatures.first()) else {
                    return InternedType::ANY;
                };
                let params = self.own_type_params(signature);
                let mut bindings = TypeBindings::from_slice(self.types.bindings(signature.substitution));
                for (at, param) in params.iter().enumerate() {
                    let argument = args.get(at).copied().unwrap_or(InternedType::ANY);
                    bindings.push((TypeVariable::Parameter(*param), argument));
                }
                let substitution = self.types.intern_substitution(bindings);
                let generic = self.return_type(signature.def);
                self.substitute(generic, substitution)
            }
        }
    }

    /// The constraint of a type parameter, or of an indexed-access type that depends on one.
    pub(in crate::typescript) fn constraint(&mut self, ty: InternedType) -> Option<InternedType> {
        let _level = self.descend()?;
        match *self.types.kind(ty) {
            TypeKind::TypeParameter(param) => {
                let (file, row) = self.program.type_param(param);
                let constraint = row.constraint?;
                let ty = self.type_from_node(file, constraint);
                (!matches!(self.types.kind(ty), TypeKind::TypeParameter(other) if *other == param)).then_some(ty)
            }
            TypeKind::IndexedAccess(of, index) => {
                let base = if self.is_deferred(of) { self.constraint(of)? } else { of };
                let index = match self.types.kind(index) {
                    TypeKind::TypeParameter(_) => self.constraint(index)?,
                    _ => index,
                };
                let found = self.indexed_access(base, index);
                (found != ty && !self.is_deferred(found)).then_some(found)
            }
            TypeKind::This(symbol) => {
                let args = self.own_type_arguments(symbol);
                Some(self.types.intern(TypeKind::Reference(symbol, args)))
            }
            TypeKind::Conditional(file, id, substitution) => self.constrained_conditional(file, id, substitution, 0),
            _ => None,
        }
    }

    /// The type arguments of `target` for a type that is `target` or inherits from it; `None` if the type does neither.
    pub(in super::super) fn type_arguments_as(
        &mut self,
        ty: InternedType,
        target: GlobalSymbol,
        depth: u32,
    ) -> Option<InternedTypes> {
        if depth > 12 {
            return None;
        }
        let _level = self.descend()?;
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) => {
                if symbol == target {
                    return Some(args);
                }
                for def in self.program.definitions(symbol) {
                    let mut bases = self.base_types(def);
                    if let Some(class) = self.program.def(def).class() {
                        let file = self.program.file_of(def);
                        bases.extend(class.implements.iter().map(|(ty, _)| self.type_from_node(file, *ty)));
                    }
                    for base in bases {
                        let base = self.instantiate(base, def, &args, ty);
                        if let Some(found) = self.type_arguments_as(base, target, depth + 1) {
                            return Some(found);
                        }
                    }
                }
                // A class is an iterable by its method `[Symbol.iterator]`, without a declaration of `Iterable`.
                let is_iterable = depth == 0 && Some(target) == self.well_known.iterable;
                let element = if is_iterable { self.iterated_type(ty) } else { None };
                element.map(|element| InternedTypes::from_slice(&[element]))
            }
            TypeKind::This(symbol) => {
                let args = self.own_type_arguments(symbol);
                let named = self.types.intern(TypeKind::Reference(symbol, args));
                self.type_arguments_as(named, target, depth)
            }
            TypeKind::Tuple(..) | TypeKind::VariadicTuple(_) => {
                let element = self.element_type(ty);
                let array = self.platform_type(self.well_known.array, &[element]);
                self.type_arguments_as(array, target, depth + 1)
            }
            TypeKind::Intersection(constituents) => {
                constituents.iter().find_map(|constituent| self.type_arguments_as(*constituent, target, depth + 1))
            }
            TypeKind::TypeParameter(_) => {
                let constraint = self.constraint(ty)?;
                self.type_arguments_as(constraint, target, depth + 1)
            }
            _ => None,
        }
    }

    /// The type arguments of a class or interface inside its own body, which are its own type parameters.
    pub(in super::super) fn own_type_arguments(&mut self, symbol: GlobalSymbol) -> InternedTypes {
        let defs = self.program.definitions(symbol);
        let Some(def) = defs.iter().find(|def| !self.program.def(**def).type_params().is_empty()) else {
            return InternedTypes::new();
        };
        let file = self.program.file_of(*def);
        let params = self.program.def(*def).type_params();
        params.iter().map(|p| self.types.intern(TypeKind::TypeParameter(self.program.global_param(file, *p)))).collect()
    }

    /// The type `generic` in a declaration, with `args` for the type parameters of the declaration, and `receiver` for
    /// `this`.
    pub(super) fn instantiate(
        &mut self,
        generic: InternedType,
        def: GlobalDef,
        args: &[InternedType],
        receiver: InternedType,
    ) -> InternedType {
        if !self.types.is_generic(generic) {
            return generic;
        }
        let substitution = self.substitution_of(def, args, Some(receiver));
        self.substitute(generic, substitution)
    }

    /// The substitution of `args` for the type parameters of a declaration, and of `receiver` for `this`.
    pub(in crate::typescript) fn substitution_of(
        &mut self,
        def: GlobalDef,
        args: &[InternedType],
        receiver: Option<InternedType>,
    ) -> Substitution {
        let file = self.program.file_of(def);
        let params = self.program.def(def).type_params();
        let mut bindings: TypeBindings = params
            .iter()
            .zip(args)
            .map(|(param, arg)| (TypeVariable::Parameter(self.program.global_param(file, *param)), *arg))
            .collect();
        bindings.retain(|(variable, ty)| match (variable, self.types.kind(*ty)) {
            (TypeVariable::Parameter(param), TypeKind::TypeParameter(other)) => param != other,
            _ => true,
        });
        if let Some(receiver) = receiver {
            bindings.push((TypeVariable::This, receiver));
        }
        self.types.intern_substitution(bindings)
    }

    /// The type of `this` inside a class, interface or object literal.
    pub(in super::super) fn this_type(&mut self, def: GlobalDef) -> InternedType {
        match self.program.def(def).body {
            DefBody::Class(_) | DefBody::Interface(_) => match self.program.symbol_of(def) {
                Some(symbol) => self.types.intern(TypeKind::This(symbol)),
                None => self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY)),
            },
            DefBody::Object(_) | DefBody::TypeLiteral(_) => {
                self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY))
            }
            _ => InternedType::ANY,
        }
    }

    pub(in super::super) fn is_function_type(&self, ty: InternedType) -> bool {
        matches!(self.types.kind(ty), TypeKind::Function(..))
    }

    pub(in super::super) fn is_enum(&self, symbol: GlobalSymbol) -> bool {
        self.program.definitions(symbol).iter().any(|def| matches!(self.program.def(*def).body, DefBody::Enum(_)))
    }
}
