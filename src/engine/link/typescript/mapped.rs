//! Mapped types, and the property names of types.

use super::{
    infer::Linker,
    members::FoundProperty,
    name_interner::InternedName,
    program::{FileIndex, GlobalDef},
    resolved_names::ResolvedName,
    types::{InternedType, Substitution, TypeKind, TypeVariable},
};
use crate::syntax::typescript::facts::{Decl, DefBody, FunctionKind, MemberKind, TypeId, TypeNode};

impl Linker<'_> {
    /// A property of a mapped type. The member that declares it is that of the mapped type's source, as the `T` of
    /// `Partial<T>` and `Pick<T, K>`.
    pub(super) fn mapped_property(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        name: InternedName,
    ) -> Option<FoundProperty> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, value, renamed, .. } = *facts.ty(id) else { return None };
        let value = value?;
        let param = self.program.global_param(file, key);
        let constraint = facts.type_params[key.index()].constraint?;
        let literal = self.key_type(name);
        let mut bindings = self.types.bindings(substitution).clone();
        bindings.push((TypeVariable::Parameter(param), literal));
        let inner = self.types.intern_substitution(bindings);
        if let Some(renamed) = renamed {
            let generic = self.type_from_node(file, renamed);
            if self.substitute(generic, inner) == InternedType::NEVER {
                return None;
            }
        }
        let mut member = None;
        if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
            let generic = self.type_from_node(file, of);
            let of_type = self.substitute(generic, substitution);
            let source_property = self.find_property(of_type, name)?;
            member = source_property.member;
            // A homomorphic mapped type with the value `T[K]`, as in `Partial`.
            if let TypeNode::Indexed(inner_of, _) = *facts.ty(value) {
                let generic = self.type_from_node(file, inner_of);
                if self.substitute(generic, substitution) == of_type {
                    return Some(source_property);
                }
            }
        } else {
            let generic = self.type_from_node(file, constraint);
            let keys = self.substitute(generic, substitution);
            let allowed = keys == InternedType::STRING
                || keys == InternedType::ANY
                || self.is_deferred(keys)
                || self.types.constituents(keys).iter().any(|key| *key == literal || *key == InternedType::STRING);
            if !allowed {
                return None;
            }
            if let TypeKind::TypeParameter(param) = *self.types.kind(generic) {
                let (declaring_file, row) = self.program.type_param(param);
                let of = row.constraint.map(|constraint| self.program.facts(declaring_file).ty(constraint));
                if let Some(&TypeNode::KeyOf(of)) = of {
                    let generic = self.type_from_node(declaring_file, of);
                    let of_type = self.substitute(generic, substitution);
                    member = self.find_property(of_type, name).and_then(|found| found.member);
                }
            }
        }
        let generic = self.type_from_node(file, value);
        Some(FoundProperty { ty: self.substitute(generic, inner), member })
    }

    /// The element type of a mapped type. If the type maps the keys of an array type and its value is `T[K]`, this is
    /// the element type of the array.
    pub(super) fn mapped_element(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> InternedType {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, value, .. } = *facts.ty(id) else { return InternedType::ANY };
        let constraint = facts.type_params[key.index()].constraint;
        if let Some(constraint) = constraint
            && let TypeNode::KeyOf(of) = *facts.ty(constraint)
            && let Some(value) = value
            && matches!(facts.ty(value), TypeNode::Indexed(..))
        {
            let generic = self.type_from_node(file, of);
            let of = self.substitute(generic, substitution);
            return self.element_type(of);
        }
        let Some(value) = value else { return InternedType::ANY };
        // The key is bound to `number`, which selects any element of an array.
        let mut bindings = self.types.bindings(substitution).clone();
        bindings.push((TypeVariable::Parameter(self.program.global_param(file, key)), InternedType::NUMBER));
        let substitution = self.types.intern_substitution(bindings);
        let generic = self.type_from_node(file, value);
        self.substitute(generic, substitution)
    }

    /// The names of all properties of a type; `None` if not all names are known.
    pub(super) fn property_names(&mut self, ty: InternedType, depth: u32) -> Option<Vec<InternedName>> {
        if depth > 8 || !self.budget.step() {
            return None;
        }
        let mut names = Vec::new();
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) => {
                for def in self.program.definitions(symbol) {
                    self.add_own_property_names(def, &mut names);
                    let substitution = self.substitution_of(def, &args, None);
                    for base in self.base_types(def) {
                        let base = self.substitute(base, substitution);
                        names.extend(self.property_names(base, depth + 1)?);
                    }
                }
            }
            TypeKind::Anonymous(def, substitution) => {
                self.add_own_property_names(def, &mut names);
                let file = self.program.file_of(def);
                for member in self.program.members(def) {
                    if let MemberKind::Spread(value) = member.kind {
                        let generic = self.expr_type(file, value);
                        let ty = self.substitute(generic, substitution);
                        names.extend(self.property_names(ty, depth + 1)?);
                    }
                }
            }
            TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    names.extend(self.property_names(constituent, depth + 1)?);
                }
            }
            TypeKind::Mapped(file, id, substitution) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, .. } = *facts.ty(id) else { return None };
                let constraint = facts.type_params[key.index()].constraint?;
                let candidates = if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
                    let generic = self.type_from_node(file, of);
                    let of = self.substitute(generic, substitution);
                    self.property_names(of, depth + 1)?
                } else {
                    let generic = self.type_from_node(file, constraint);
                    let keys = self.substitute(generic, substitution);
                    let constituents = self.types.constituents(keys);
                    let literal = |key: &InternedType| match *self.types.kind(*key) {
                        TypeKind::StringLiteral(name) | TypeKind::UniqueSymbol(name) => Some(name),
                        _ => None,
                    };
                    constituents.iter().map(literal).collect::<Option<Vec<_>>>()?
                };
                names.extend(
                    candidates.into_iter().filter(|name| self.mapped_property(file, id, substitution, *name).is_some()),
                );
            }
            TypeKind::EnumObject(symbol) => {
                for def in self.program.definitions(symbol) {
                    let file = self.program.file_of(def);
                    if let DefBody::Enum(body) = &self.program.def(def).body {
                        names.extend(body.members.iter().map(|(name, ..)| self.program.name(file, *name)));
                    }
                }
            }
            TypeKind::ModuleNamespace(file) => {
                let exports = self.file_exports(file);
                names
                    .extend(exports.into_iter().filter(|(_, resolved)| self.is_value(*resolved)).map(|(name, _)| name));
            }
            TypeKind::TypeParameter(_) => {
                let constraint = self.constraint(ty)?;
                return self.property_names(constraint, depth + 1);
            }
            _ => return None,
        }
        let mut seen = rustc_hash::FxHashSet::default();
        names.retain(|name| seen.insert(*name));
        Some(names)
    }

    /// Whether a name denotes a value, and not only a type.
    fn is_value(&self, resolved: ResolvedName) -> bool {
        let ResolvedName::Symbol(symbol) = resolved else { return true };
        let (file, symbol) = self.program.symbol(symbol);
        symbol.decls.iter().any(|decl| match decl {
            Decl::TypeParam(_) => false,
            Decl::Def(def) => {
                let body = &self.program.facts(file).def(*def).body;
                matches!(body, DefBody::Function(_) | DefBody::Class(_) | DefBody::Enum(_) | DefBody::Namespace)
            }
            Decl::Variable(_) | Decl::Parameter(..) | Decl::Import(_) => true,
        })
    }

    pub(super) fn add_own_property_names(&mut self, def: GlobalDef, names: &mut Vec<InternedName>) {
        let facts = self.program.facts(self.program.file_of(def));
        for at in 0..self.program.members(def).len() {
            let member = &self.program.members(def)[at];
            let is_property = match member.kind {
                MemberKind::Function(function) => {
                    facts.def(function).function().is_some_and(|f| f.kind != FunctionKind::Constructor)
                }
                _ => true,
            };
            if is_property && !member.is_static {
                names.extend(self.member_name(def, at));
            }
        }
    }
}
