//! Property look-up: the type of `x.name`, and the member that declares it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    program::{GlobalDef, GlobalSymbol, InternedName},
    types::{InternedType, InternedTypes, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::MemberKind;

/// The greatest nesting of base types and constituents that is searched.
const MAX_DEPTH: u32 = 24;

/// The number of base types without the property that a search remembers in a list; further ones are in a table.
const FEW_FUTILE: usize = 16;

/// A base type and a receiver.
type BaseAndReceiver = (InternedType, InternedType);

/// Pairs of a base type and a receiver whose search found no declaration, each with its result: an undeclared property
/// of unknown type, or `None`.
#[derive(Debug, Default)]
pub(super) struct FutileBases {
    few: SmallVec<[(BaseAndReceiver, Option<FoundProperty>); 4]>,
    many: FxHashMap<BaseAndReceiver, Option<FoundProperty>>,
}

impl FutileBases {
    fn get(&self, key: BaseAndReceiver) -> Option<&Option<FoundProperty>> {
        let known = self.few.iter().find(|(known, _)| *known == key).map(|(_, found)| found);
        known.or_else(|| self.many.get(&key))
    }

    fn insert(&mut self, key: BaseAndReceiver, found: Option<FoundProperty>) {
        if self.few.len() < FEW_FUTILE {
            self.few.push((key, found));
        } else {
            self.many.insert(key, found);
        }
    }
}

/// The result of a property look-up.
#[derive(Clone, Copy, Debug)]
pub(in crate::typescript) struct FoundProperty {
    pub(in super::super) ty: InternedType,
    /// The member that declares the property, as its declaration and position; `None` for an index signature, a merged
    /// namespace, a tuple element and other properties without a declaration.
    pub(in crate::typescript) member: Option<(GlobalDef, u16)>,
}

impl FoundProperty {
    pub(in super::super) fn undeclared(ty: InternedType) -> Self {
        Self { ty, member: None }
    }
}

impl Linker<'_> {
    /// The type of `ty.name`; `None` if there is no property of that name.
    pub(in crate::typescript) fn property_type(
        &mut self,
        ty: InternedType,
        name: InternedName,
    ) -> Option<InternedType> {
        self.find_property(ty, name).map(|found| found.ty)
    }

    pub(in crate::typescript) fn find_property(
        &mut self,
        ty: InternedType,
        name: InternedName,
    ) -> Option<FoundProperty> {
        self.find_property_of(ty, name, ty)
    }

    /// Finds a property in whose type `receiver` replaces the polymorphic `this` type.
    pub(in super::super) fn find_property_of(
        &mut self,
        ty: InternedType,
        name: InternedName,
        receiver: InternedType,
    ) -> Option<FoundProperty> {
        self.find_property_at_depth(ty, name, receiver, &mut FutileBases::default(), 0)
    }

    /// `receiver` is the type that replaces the polymorphic `this` type in the type of the property.
    fn find_property_at_depth(
        &mut self,
        ty: InternedType,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        if depth > MAX_DEPTH {
            self.budget.note_too_deep(MAX_DEPTH);
            return Some(FoundProperty::undeclared(InternedType::ANY));
        }
        // The search in one type may begin a search in another one, as that for a property of `{ [K in keyof T]: X }`
        // does in `T`, and types may lead back to themselves.
        let Some(_level) = self.descend() else { return Some(FoundProperty::undeclared(InternedType::ANY)) };
        self.search_property(ty, name, receiver, futile, depth + 1)
    }

    /// Finds a property by the kind of the type. `depth` is the depth of nested searches.
    fn search_property(
        &mut self,
        ty: InternedType,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        match self.types.kind(ty).clone() {
            TypeKind::Any => Some(FoundProperty::undeclared(InternedType::ANY)),
            TypeKind::External => Some(FoundProperty::undeclared(InternedType::EXTERNAL)),
            TypeKind::Never | TypeKind::Nullish | TypeKind::Unknown | TypeKind::Object | TypeKind::Spread(_) => None,
            TypeKind::String
            | TypeKind::StringLiteral(_)
            | TypeKind::Template(_)
            | TypeKind::StringMapping(..)
            | TypeKind::KeyOf(_) => self.platform_property(self.well_known.string, name, futile, depth),
            TypeKind::Number | TypeKind::NumberLiteral(_) | TypeKind::BigInt => {
                self.platform_property(self.well_known.number, name, futile, depth)
            }
            TypeKind::Boolean | TypeKind::BooleanLiteral(_) | TypeKind::Predicate(..) => {
                self.platform_property(self.well_known.boolean, name, futile, depth)
            }
            TypeKind::Symbol | TypeKind::UniqueSymbol(_) => Some(FoundProperty::undeclared(InternedType::EXTERNAL)),
            TypeKind::EnumMember(..) => Some(FoundProperty::undeclared(InternedType::EXTERNAL)),
            TypeKind::Reference(symbol, args) => self.reference_property(symbol, &args, name, receiver, futile, depth),
            TypeKind::This(symbol) => {
                let args = self.own_type_arguments(symbol);
                self.reference_property(symbol, &args, name, receiver, futile, depth)
            }
            TypeKind::Anonymous(def, substitution) => {
                self.anonymous_property(def, substitution, name, receiver, futile, depth)
            }
            TypeKind::ClassConstructor(def, substitution) => {
                self.static_property(def, substitution, name, receiver, futile, depth)
            }
            TypeKind::Function(def, _) => self.static_property(def, Substitution::EMPTY, name, receiver, futile, depth),
            TypeKind::EnumObject(symbol) => self
                .merged_namespace_member(symbol, name)
                .or_else(|| Some(FoundProperty::undeclared(self.types.intern(TypeKind::EnumMember(symbol, name))))),
            TypeKind::NamespaceObject(symbol) => self.merged_namespace_member(symbol, name),
            TypeKind::ModuleNamespace(file) => {
                let resolved = self.resolve_export(file, name)?;
                Some(FoundProperty::undeclared(self.type_of_name(resolved)))
            }
            TypeKind::AmbientModuleNamespace(module) => {
                let resolved = self.resolve_in_ambient_module(module, name);
                Some(FoundProperty::undeclared(self.type_of_name(resolved)))
            }
            TypeKind::Tuple(items, has_rest) => {
                if let Ok(at) = self.program.names.text(name).parse::<usize>() {
                    let last = items.last().copied().filter(|_| has_rest);
                    return items.get(at).copied().or(last).map(FoundProperty::undeclared);
                }
                let element = self.types.union(items);
                let array = self.platform_type(self.well_known.array, &[element]);
                self.find_property_at_depth(array, name, array, futile, depth)
            }
            TypeKind::VariadicTuple(items) => {
                if let Ok(at) = self.program.names.text(name).parse::<usize>() {
                    return Some(FoundProperty::undeclared(self.variadic_item(&items, at)));
                }
                let element = self.variadic_element_type(&items);
                let array = self.platform_type(self.well_known.array, &[element]);
                self.find_property_at_depth(array, name, array, futile, depth)
            }
            TypeKind::Union(constituents) => {
                let mut members: SmallVec<[_; 2]> = SmallVec::new();
                let mut all = InternedTypes::new();
                for constituent in constituents {
                    if let Some(found) = self.find_property_at_depth(constituent, name, constituent, futile, depth) {
                        all.push(found.ty);
                        members.push(found.member);
                    }
                }
                let member = members.first()?.filter(|first| members.iter().all(|member| *member == Some(*first)));
                Some(FoundProperty { ty: self.types.union(all), member })
            }
            TypeKind::Intersection(constituents) => {
                let mut all: SmallVec<[(InternedType, FoundProperty); 2]> = SmallVec::new();
                for constituent in constituents {
                    if let Some(found) = self.find_property_at_depth(constituent, name, receiver, futile, depth)
                        && found.ty != InternedType::ANY
                    {
                        all.push((constituent, found));
                    }
                }
                self.drop_undeclared_properties(&mut all);
                match all[..] {
                    [] => None,
                    [(_, one)] => Some(one),
                    _ => {
                        let tys: InternedTypes = all.iter().map(|(_, found)| found.ty).collect();
                        Some(FoundProperty { ty: self.intersect(&tys), member: all[0].1.member })
                    }
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => {
                let constraint = self.constraint(ty)?;
                self.find_property_at_depth(constraint, name, receiver, futile, depth)
            }
            TypeKind::Mapped(file, id, substitution) => match self.mapped_array(file, id, substitution) {
                Some(array) => self.find_property_at_depth(array, name, array, futile, depth),
                None => self.mapped_property(file, id, substitution, name),
            },
            TypeKind::ReverseMapped(source, mapped) => {
                let found = self.find_property_at_depth(source, name, source, futile, depth)?;
                Some(FoundProperty { ty: self.reverse_mapped_value(mapped, found.ty), ..found })
            }
            TypeKind::Conditional(..) => match self.constraint(ty) {
                Some(constraint) => self.find_property_at_depth(constraint, name, receiver, futile, depth),
                None => Some(FoundProperty::undeclared(InternedType::ANY)),
            },
        }
    }

    /// Drops the properties of an intersection that no declaration shows, if another constituent declares the property:
    /// those of external constituents, which may have any, and those that only index signatures allow. So
    /// `Service & Record<string, never>` has the methods of `Service`.
    fn drop_undeclared_properties(&mut self, all: &mut SmallVec<[(InternedType, FoundProperty); 2]>) {
        let is_declared = |(_, found): &(InternedType, FoundProperty)| found.member.is_some();
        if all.len() < 2 || !all.iter().any(is_declared) {
            return;
        }
        all.retain(|(constituent, found)| {
            found.member.is_some() || found.ty != InternedType::EXTERNAL && !self.has_index_signature(*constituent)
        });
    }

    /// Finds a property of a base type or of a spread object. The types that a search has reached and that do not
    /// declare the property are searched once: in a chain of diamonds their number of occurrences is exponential.
    pub(super) fn find_base_property(
        &mut self,
        base: InternedType,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        if let Some(found) = futile.get((base, receiver)) {
            return *found;
        }
        let found = self.find_property_at_depth(base, name, receiver, futile, depth);
        if found.is_none_or(|found| !found.ty.is_known() && found.member.is_none()) {
            futile.insert((base, receiver), found);
        }
        found
    }

    fn platform_property(
        &mut self,
        symbol: Option<GlobalSymbol>,
        name: InternedName,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        let ty = self.platform_type(symbol, &[]);
        if ty == InternedType::EXTERNAL {
            return Some(FoundProperty::undeclared(ty));
        }
        // The description of the platform is incomplete: a property that it lacks is external.
        self.find_property_at_depth(ty, name, ty, futile, depth)
            .or(Some(FoundProperty::undeclared(InternedType::EXTERNAL)))
    }

    /// An export of a namespace that is merged with a class, function or enum.
    fn merged_namespace_member(&mut self, symbol: GlobalSymbol, name: InternedName) -> Option<FoundProperty> {
        for def in self.program.definitions(symbol) {
            if let Some(found) = self.program.namespace_member(def, name) {
                let resolved = self.resolve_alias(found);
                return Some(FoundProperty::undeclared(self.type_of_name(resolved)));
            }
        }
        None
    }

    fn reference_property(
        &mut self,
        symbol: GlobalSymbol,
        args: &InternedTypes,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        if let Some(wide) = self.known_wide_symbol(symbol) {
            return self.wide_property(&wide, args, name, receiver, futile, depth);
        }
        let defs = self.program.definitions(symbol);
        if let Some(wide) = self.wide_symbol(symbol, &defs) {
            return self.wide_property(&wide, args, name, receiver, futile, depth);
        }
        let mut declared: SmallVec<[(GlobalDef, u16); 2]> = SmallVec::new();
        for &def in &defs {
            if declared.is_empty()
                && let Some(found) = self.mixed_in_property(def, name)
            {
                return Some(found);
            }
            declared.extend(self.member_index(def, name, false).map(|at| (def, at)));
        }
        if !declared.is_empty() {
            return self.merged_property(&declared, args, receiver);
        }
        let mut outside = None;
        for &def in &defs {
            let bases: SmallVec<[_; 4]> = self.base_types(def).into_iter().map(|base| (def, base)).collect();
            match self.property_of_bases(&bases, args, name, receiver, futile, depth) {
                Ok(declared) => return Some(declared),
                Err(other) => outside = other.or(outside),
            }
        }
        for &def in &defs {
            if let Some(found) = self.prototype_property(def, name, receiver, futile, depth) {
                return Some(found);
            }
        }
        if outside.is_some() {
            return outside;
        }
        for &def in &defs {
            if let Some(found) = self.indexed_property(def, args, receiver) {
                return Some(found);
            }
        }
        // The description of the platform is incomplete: a property that it lacks is external.
        defs.iter().any(|def| self.program.is_platform(*def)).then(|| FoundProperty::undeclared(InternedType::EXTERNAL))
    }

    /// The property that members of one name in several declarations of a class or interface declare. Methods are
    /// overloads of each other, those of later declarations first (TypeScript handbook, "Merging Interfaces").
    fn merged_property(
        &mut self,
        declared: &[(GlobalDef, u16)],
        args: &InternedTypes,
        receiver: InternedType,
    ) -> Option<FoundProperty> {
        let first = self.declared_property(*declared.first()?, args, receiver);
        let is_function = |ty| matches!(self.types.kind(ty), TypeKind::Function(..));
        if declared.len() == 1 || !is_function(first.ty) {
            return Some(first);
        }
        let all: SmallVec<[_; 2]> =
            declared.iter().rev().map(|member| self.declared_property(*member, args, receiver)).collect();
        let overloads: InternedTypes = all.iter().map(|found| found.ty).collect();
        Some(FoundProperty { ty: self.intersect(&overloads), member: all[0].member })
    }

    /// The property that the member at position `at` of `def` declares. `args` are the type arguments of `def`.
    pub(super) fn declared_property(
        &mut self,
        (def, at): (GlobalDef, u16),
        args: &InternedTypes,
        receiver: InternedType,
    ) -> FoundProperty {
        let generic = self.member_type(def, at);
        FoundProperty { ty: self.instantiate(generic, def, args, receiver), member: Some((def, at)) }
    }

    /// Looks a property up in base types, in their order; each comes with the declaration that extends it. The first
    /// result with a declaration or a known type is returned.
    ///
    /// # Errors
    /// The result for the last base of unknown type, if no base has the property.
    pub(super) fn property_of_bases(
        &mut self,
        bases: &[(GlobalDef, InternedType)],
        args: &InternedTypes,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Result<FoundProperty, Option<FoundProperty>> {
        let mut outside = None;
        for &(def, base) in bases {
            let base = self.instantiate(base, def, args, receiver);
            match self.find_base_property(base, name, receiver, futile, depth) {
                Some(found) if found.ty.is_known() || found.member.is_some() => return Ok(found),
                Some(found) => outside = Some(found),
                None => {}
            }
        }
        Err(outside)
    }

    /// A property that the index signature of a declaration allows.
    pub(super) fn indexed_property(
        &mut self,
        def: GlobalDef,
        args: &InternedTypes,
        receiver: InternedType,
    ) -> Option<FoundProperty> {
        let value = self.declared_index_type(def)?;
        Some(FoundProperty::undeclared(self.instantiate(value, def, args, receiver)))
    }

    fn anonymous_property(
        &mut self,
        def: GlobalDef,
        substitution: Substitution,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        if let Some(found) = self.mixed_in_property(def, name) {
            return Some(found);
        }
        if let Some(at) = self.member_index(def, name, false) {
            let generic = self.member_type(def, at);
            return Some(FoundProperty { ty: self.substitute(generic, substitution), member: Some((def, at)) });
        }
        // What is assigned to a function itself is not a property of its instances.
        let is_instance = self.program.function(def).is_some();
        if !is_instance && let Some(ty) = self.assigned_property(def, name) {
            return Some(FoundProperty::undeclared(ty));
        }
        if let Some(found) = self.prototype_property(def, name, receiver, futile, depth) {
            return Some(found);
        }
        let file = self.program.file_of(def);
        let mut outside = None;
        for member in self.program.members(def).iter().rev().filter(|_| !is_instance) {
            if let MemberKind::Spread(value) = member.kind {
                let generic = self.expr_type(file, value);
                let ty = self.substitute(generic, substitution);
                match self.find_base_property(ty, name, ty, futile, depth) {
                    Some(found) if found.ty.is_known() => return Some(found),
                    Some(found) => outside = Some(found),
                    None => {}
                }
            }
        }
        if outside.is_some() {
            return outside;
        }
        for base in self.instantiated_base_types(def, substitution) {
            if let Some(found) = self.find_base_property(base, name, receiver, futile, depth) {
                return Some(found);
            }
        }
        let value = self.declared_index_type(def)?;
        Some(FoundProperty::undeclared(self.substitute(value, substitution)))
    }

    fn static_property(
        &mut self,
        def: GlobalDef,
        substitution: Substitution,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        if let Some(at) = self.member_index(def, name, true) {
            let generic = self.member_type(def, at);
            return Some(FoundProperty { ty: self.substitute(generic, substitution), member: Some((def, at)) });
        }
        if name == self.well_known.prototype {
            let of_function = self.instance_of_function(def);
            if of_function.is_some() || self.program.function(def).is_none() {
                let class = self.types.intern(TypeKind::ClassConstructor(def, substitution));
                let instance = of_function.unwrap_or_else(|| self.instance_type(class, &[]));
                return Some(FoundProperty::undeclared(instance));
            }
        }
        if let Some(ty) = self.assigned_property(def, name) {
            return Some(FoundProperty::undeclared(ty));
        }
        if let Some(symbol) = self.program.symbol_of(def)
            && let Some(found) = self.merged_namespace_member(symbol, name)
        {
            return Some(found);
        }
        let file = self.program.file_of(def);
        if let Some((base, _, _)) = self.program.def(def).class().and_then(|class| class.extends.as_ref()) {
            let base = self.expr_type(file, *base);
            return self.find_property_at_depth(base, name, receiver, futile, depth);
        }
        self.platform_property(self.well_known.function, name, futile, depth)
    }
}
