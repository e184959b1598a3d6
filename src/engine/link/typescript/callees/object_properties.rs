//! The properties that an object literal of a type may have.

use super::Callees;
use crate::typescript::{
    program::{FileIndex, GlobalDef, InternedName},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    Access, Expr, FunctionKind, MemberKind, OptionalityModifier, TypeId, TypeNode,
};

/// The greatest number of properties that are listed for one parameter.
pub(in crate::typescript) const MAX_PROPERTIES: usize = 200;

/// The classes of errors of the language.
const ERRORS: [&str; 8] =
    ["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"];
/// The properties of an error: those of ECMAScript, and the `stack` that every engine adds.
const ERROR_PROPERTIES: [&str; 4] = ["name", "message", "stack", "cause"];

/// A property of an object type.
pub(in crate::typescript) struct ObjectProperty {
    pub(in crate::typescript) name: InternedName,
    pub(in crate::typescript) is_optional: bool,
    /// The member that declares the property, as its declaration and position; `None` if there is none.
    pub(in crate::typescript) member: Option<(GlobalDef, u32)>,
}

impl Callees<'_, '_> {
    /// Collects the properties that an object literal of a type may have, in order of declaration. Classes and types of
    /// the platform are left out.
    pub(in crate::typescript) fn collect_properties(
        &mut self,
        ty: InternedType,
        all: &mut Vec<ObjectProperty>,
        depth: u32,
    ) {
        let Some(_level) = nesting::descend() else { return };
        if depth > 8 || all.len() > MAX_PROPERTIES {
            return;
        }
        match self.linker.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) => {
                for def in self.linker.program.definitions(symbol) {
                    if self.linker.program.is_platform(def) || self.linker.program.def(def).class().is_some() {
                        continue;
                    }
                    self.add_own_properties(def, all);
                    let substitution = self.linker.substitution_of(def, &args, None);
                    for base in self.linker.base_types(def) {
                        let base = self.linker.substitute(base, substitution);
                        self.collect_properties(base, all, depth + 1);
                    }
                }
            }
            TypeKind::Anonymous(def, _) if self.linker.program.def(def).class().is_none() => {
                self.add_own_properties(def, all);
            }
            TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.collect_properties(constituent, all, depth + 1);
                }
            }
            // A property is required only if every constituent that has properties requires it.
            TypeKind::Union(constituents) => {
                let mut lists: Vec<Vec<ObjectProperty>> = Vec::new();
                for constituent in constituents {
                    let mut list = Vec::new();
                    self.collect_properties(constituent, &mut list, depth + 1);
                    if !list.is_empty() {
                        lists.push(list);
                    }
                }
                let is_required_everywhere =
                    |name: InternedName| lists.iter().all(|list| list.iter().any(|p| p.name == name && !p.is_optional));
                let required: Vec<InternedName> =
                    lists.iter().flatten().map(|p| p.name).filter(|name| is_required_everywhere(*name)).collect();
                for property in lists.into_iter().flatten() {
                    if !all.iter().any(|p| p.name == property.name) {
                        let is_optional = !required.contains(&property.name);
                        all.push(ObjectProperty { is_optional, ..property });
                    }
                }
            }
            TypeKind::Mapped(file, id, substitution) => {
                let facts = self.linker.program.facts(file);
                let TypeNode::Mapped { key, optional, .. } = *facts.ty(id) else { return };
                let names = self.linker.property_names(ty, depth);
                let mut known_properties = Vec::new();
                let mut has_all_keys = false;
                if let Some(constraint) = facts.type_params[key.index()].constraint {
                    let of = match *facts.ty(constraint) {
                        TypeNode::KeyOf(of) => {
                            has_all_keys = true;
                            Some(self.linker.type_from_node(file, of))
                        }
                        _ => self.indexed_object_type(file, id),
                    };
                    if let Some(of) = of {
                        let of = self.linker.substitute(of, substitution);
                        self.collect_members(of, &mut known_properties, depth + 1);
                    }
                }
                // If a class above cannot be read, the keys are at least the members that can be.
                let known_names = || known_properties.iter().map(|known| known.name).collect();
                let Some(names) = names.or_else(|| has_all_keys.then(known_names)) else { return };
                for name in names.into_iter().filter(|name| !self.linker.is_unique_symbol(*name)).collect::<Vec<_>>() {
                    let known = known_properties.iter().find(|p| p.name == name);
                    let is_optional = match optional {
                        OptionalityModifier::Added => true,
                        OptionalityModifier::Removed => false,
                        OptionalityModifier::Kept => known.is_some_and(|p| p.is_optional),
                    };
                    all.push(ObjectProperty { name, is_optional, member: known.and_then(|p| p.member) });
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => {
                if let Some(constraint) = self.linker.constraint(ty) {
                    self.collect_properties(constraint, all, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Collects the properties of a type of which a mapped type such as `Partial<T>` has the keys: as
    /// [`Self::collect_properties`] does, and the public members of classes as far as their bases can be read.
    fn collect_members(&mut self, ty: InternedType, all: &mut Vec<ObjectProperty>, depth: u32) {
        let Some(_level) = nesting::descend() else { return };
        if depth > 8 || all.len() > MAX_PROPERTIES {
            return;
        }
        match self.linker.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) => {
                for def in self.linker.program.definitions(symbol) {
                    if self.linker.program.is_platform(def) {
                        continue;
                    }
                    self.add_own_properties(def, all);
                    let substitution = self.linker.substitution_of(def, &args, None);
                    for base in self.linker.base_types(def) {
                        let base = self.linker.substitute(base, substitution);
                        self.collect_members(base, all, depth + 1);
                    }
                    if self.extends_error(def) {
                        let names = ERROR_PROPERTIES.map(|name| self.linker.program.names.intern(name));
                        all.extend(names.map(|name| ObjectProperty { name, is_optional: false, member: None }));
                    }
                }
            }
            TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.collect_members(constituent, all, depth + 1);
                }
            }
            _ => self.collect_properties(ty, all, depth),
        }
    }

    /// True for a class that extends an error of the language.
    fn extends_error(&mut self, def: GlobalDef) -> bool {
        let facts = self.linker.program.facts(self.linker.program.file_of(def));
        let extends = self.linker.program.def(def).class().and_then(|class| class.extends.as_ref());
        let is_error = extends.is_some_and(|(base, ..)| match facts.expr(*base) {
            Expr::Name { name, .. } => ERRORS.contains(&facts.name(name)),
            _ => false,
        });
        is_error && self.linker.base_types(def).contains(&InternedType::EXTERNAL)
    }

    /// The object type `T` of `{ [P in K]: T[P] }`, as in `Pick`.
    fn indexed_object_type(&mut self, file: FileIndex, id: TypeId) -> Option<InternedType> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Mapped { value: Some(value), .. } = *facts.ty(id) else { return None };
        match *facts.ty(value) {
            TypeNode::Indexed(of, _) => Some(self.linker.type_from_node(file, of)),
            _ => None,
        }
    }

    fn add_own_properties(&mut self, def: GlobalDef, all: &mut Vec<ObjectProperty>) {
        let file = self.linker.program.file_of(def);
        let facts = self.linker.program.facts(file);
        for (at, member) in self.linker.program.members(def).iter().enumerate() {
            if all.len() > MAX_PROPERTIES {
                break;
            }
            let Some(name) = member.name.filter(|_| !member.is_static && member.access == Access::Public) else {
                continue;
            };
            let is_value = match &member.kind {
                MemberKind::Property { .. } => true,
                MemberKind::Function(function) => {
                    let kind = facts.def(*function).function().map(|function| function.kind);
                    matches!(kind, Some(FunctionKind::Method | FunctionKind::Getter))
                }
                MemberKind::Index { .. } | MemberKind::Spread(_) => false,
            };
            if !is_value {
                continue;
            }
            let name = self.linker.program.name(file, name);
            if !all.iter().any(|p| p.name == name) {
                all.push(ObjectProperty { name, is_optional: member.is_optional, member: Some((def, at as u32)) });
            }
        }
    }

    /// The properties of an object that a function takes as its argument at the position `at`.
    pub(in crate::typescript) fn properties_of_parameter(&mut self, def: GlobalDef, at: u16) -> Vec<ObjectProperty> {
        let mut properties = Vec::new();
        if self.linker.program.function(def).is_some_and(|f| f.params.get(usize::from(at)).is_some_and(|p| !p.is_rest))
        {
            let ty = self.linker.parameter_type(def, at);
            self.collect_properties(ty, &mut properties, 0);
        }
        properties
    }
}
