//! Mapped types, and the property names of types.

use crate::typescript::{
    infer::{Linker, members::FoundProperty, names::ResolvedName},
    program::{FileIndex, GlobalDef, InternedName},
    types::{InternedType, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{Decl, DefBody, FunctionKind, MemberKind, TypeId, TypeNode};

impl Linker<'_> {
    /// The property that a mapped type has for a key. The member that declares it is that of the mapped type's source,
    /// as the `T` of `Partial<T>` and `Pick<T, K>`.
    pub(super) fn property_of_key(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        key: InternedType,
    ) -> Option<FoundProperty> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key: param, value, .. } = *facts.ty(id) else { return None };
        let value = value?;
        let constraint = facts.type_params[param.index()].constraint?;
        let inner = self.substitution_of_key(file, id, substitution, key)?;
        let name = match *self.types.kind(key) {
            TypeKind::StringLiteral(name) | TypeKind::UniqueSymbol(name) => Some(name),
            TypeKind::EnumMember(symbol, member) => self.property_of_enum_member(symbol, member),
            _ => None,
        };
        let mut member = None;
        if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
            let generic = self.type_from_node(file, of);
            let of_type = self.substitute(generic, substitution);
            let source_property = self.find_property(of_type, name?)?;
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
                || self.types.constituents(key).into_iter().all(|key| self.allows_key(keys, key, name));
            if !allowed {
                return None;
            }
            if let TypeKind::TypeParameter(param) = *self.types.kind(generic) {
                let (declaring_file, row) = self.program.type_param(param);
                let of = row.constraint.map(|constraint| self.program.facts(declaring_file).ty(constraint));
                if let Some(&TypeNode::KeyOf(of)) = of {
                    let generic = self.type_from_node(declaring_file, of);
                    let of_type = self.substitute(generic, substitution);
                    member = name.and_then(|name| self.find_property(of_type, name)).and_then(|found| found.member);
                }
            }
        }
        let generic = self.type_from_node(file, value);
        let ty = self.substitute(generic, inner);
        let member = member.filter(|member| !self.is_other_function(*member, ty));
        Some(FoundProperty { ty, member })
    }

    /// True if a member is a function with a body, and `ty` the type of another function: the action creators that a
    /// library makes of reducers are not the reducers.
    fn is_other_function(&mut self, (def, at): (GlobalDef, u16), ty: InternedType) -> bool {
        let file = self.program.file_of(def);
        let Some(function) = self.member_function(file, &self.program.members(def)[usize::from(at)].kind) else {
            return false;
        };
        let function = self.program.global_def(file, function);
        if !ty.is_known() || !self.program.function(function).is_some_and(|function| function.has_body) {
            return false;
        }
        let signatures = self.signatures(ty, false);
        !signatures.is_empty() && signatures.iter().all(|signature| signature.def != function)
    }

    /// Whether a key is among the keys that a mapped type maps.
    fn allows_key(&mut self, keys: InternedType, key: InternedType, name: Option<InternedName>) -> bool {
        self.types.constituents(keys).into_iter().any(|allowed| match *self.types.kind(allowed) {
            TypeKind::String => true,
            TypeKind::NumberLiteral(number) => Some(number) == name,
            TypeKind::Template(_) => self.is_assignable(key, allowed),
            TypeKind::EnumMember(..) | TypeKind::Reference(..) if allowed != key && name.is_some() => {
                self.members_of_enum(allowed).into_iter().any(|member| match *self.types.kind(member) {
                    TypeKind::EnumMember(symbol, member) => self.property_of_enum_member(symbol, member) == name,
                    _ => false,
                })
            }
            _ => allowed == key,
        })
    }

    /// The array type that a mapped type over the keys of a type parameter yields, if the type parameter stands for an
    /// array type or has an array type as constraint (TypeScript 3.1, "Mapped types on tuples and arrays").
    pub(in super::super) fn mapped_array(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
    ) -> Option<InternedType> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, renamed: None, .. } = *facts.ty(id) else { return None };
        let TypeNode::KeyOf(of) = *facts.ty(facts.type_params[key.index()].constraint?) else { return None };
        if !matches!(facts.ty(of), TypeNode::Ref { .. }) {
            return None;
        }
        let generic = self.type_from_node(file, of);
        let TypeKind::TypeParameter(_) = self.types.kind(generic) else { return None };
        let of = self.substitute(generic, substitution);
        let of = if let TypeKind::TypeParameter(_) = self.types.kind(of) { self.constraint(of)? } else { of };
        if !self.is_array(of) {
            return None;
        }
        let element = self.mapped_element(file, id, substitution);
        Some(self.platform_type(self.well_known.array, &[element]))
    }

    /// The element type of a mapped type. If the type maps the keys of an array type and its value is `T[K]`, this is
    /// the element type of the array.
    pub(in super::super) fn mapped_element(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
    ) -> InternedType {
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
        let Some(inner) = self.substitution_of_key(file, id, substitution, InternedType::NUMBER) else {
            return InternedType::ANY;
        };
        let generic = self.type_from_node(file, value);
        self.substitute(generic, inner)
    }

    /// The names of all properties of a type; `None` if not all names are known.
    pub(in crate::typescript) fn property_names(&mut self, ty: InternedType, depth: u32) -> Option<Vec<InternedName>> {
        if depth > 8 {
            return None;
        }
        let _level = self.descend()?;
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
                let TypeNode::Mapped { renamed, .. } = *self.program.facts(file).ty(id) else { return None };
                if renamed.is_some() {
                    names.extend(self.renamed_keys(file, id, substitution)?.keys());
                } else {
                    let keys = self.keys_before_renaming(file, id, substitution, depth)?;
                    names.extend(
                        keys.into_iter().filter(|name| self.mapped_property(file, id, substitution, *name).is_some()),
                    );
                }
            }
            TypeKind::ReverseMapped(source, _) => return self.property_names(source, depth + 1),
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

    fn add_own_property_names(&mut self, def: GlobalDef, names: &mut Vec<InternedName>) {
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
