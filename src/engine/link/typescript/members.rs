//! Properties of types: where they are declared, and their types.

use smallvec::SmallVec;

use super::{
    infer::{Linker, Question},
    program::{EntityId, GlobalDef, Name},
    types::{Env, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{DefBody, FunctionKind, MemberKind};

/// Bases and parts are followed that deep.
const MAX_DEPTH: u32 = 24;

/// A property that was found: its type, and the member that declares it where that is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) ty: Ty,
    pub(super) member: Option<(GlobalDef, u16)>,
}

impl Found {
    fn bare(ty: Ty) -> Self {
        Self { ty, member: None }
    }
}

impl Linker<'_> {
    /// The type of `ty.name`; none where it has no such property.
    pub(super) fn property(&mut self, ty: Ty, name: Name) -> Option<Ty> {
        self.find_property(ty, name).map(|found| found.ty)
    }

    pub(super) fn find_property(&mut self, ty: Ty, name: Name) -> Option<Found> {
        self.property_of(ty, name, ty, 0)
    }

    /// `receiver` is what `this` means in the property's type.
    fn property_of(&mut self, ty: Ty, name: Name, receiver: Ty, depth: u32) -> Option<Found> {
        if depth > MAX_DEPTH {
            return Some(Found::bare(Ty::ANY));
        }
        let depth = depth + 1;
        match self.types.get(ty).clone() {
            Type::Any => Some(Found::bare(Ty::ANY)),
            Type::External => Some(Found::bare(Ty::EXTERNAL)),
            Type::Never | Type::Nothing | Type::Unknown | Type::Object => None,
            Type::String | Type::StringLiteral(_) | Type::KeyOf(_) => self.of_platform(self.known.string, name, depth),
            Type::Number | Type::NumberLiteral(_) | Type::BigInt => self.of_platform(self.known.number, name, depth),
            Type::Boolean | Type::BooleanLiteral(_) | Type::Predicate(..) => {
                self.of_platform(self.known.boolean, name, depth)
            }
            Type::Symbol => Some(Found::bare(Ty::EXTERNAL)),
            Type::EnumMember(..) => Some(Found::bare(Ty::EXTERNAL)),
            Type::Named(entity, args) => self.of_named(entity, &args, name, receiver, depth),
            Type::This(entity) => {
                let args = self.own_args(entity);
                self.of_named(entity, &args, name, receiver, depth)
            }
            Type::Literal(def, env) => self.of_literal(def, env, name, receiver, depth),
            Type::Class(def, env) => self.of_class(def, env, name, receiver, depth),
            Type::Function(def, _) => {
                if let Some(&(file, value)) = self.added.get(&(def, name)) {
                    return Some(Found::bare(self.expr(file, value)));
                }
                if let Some(entity) = self.program.entity_of(def)
                    && let Some(found) = self.of_merged(entity, name)
                {
                    return Some(found);
                }
                self.of_platform(self.known.function, name, depth)
            }
            Type::Enum(entity) => self
                .of_merged(entity, name)
                .or_else(|| Some(Found::bare(self.types.add(Type::EnumMember(entity, name))))),
            Type::Namespace(entity) => self.of_merged(entity, name),
            Type::Module(file) => {
                let meaning = self.exported(file, name)?;
                Some(Found::bare(self.value(meaning)))
            }
            Type::AmbientModule(module) => {
                let meaning = self.in_ambient(module, name);
                Some(Found::bare(self.value(meaning)))
            }
            Type::Tuple(items, has_rest) => {
                if let Ok(at) = self.program.names.text(name).parse::<usize>() {
                    let last = items.last().copied().filter(|_| has_rest);
                    return items.get(at).copied().or(last).map(Found::bare);
                }
                let element = self.types.union(items);
                let array = self.platform_type(self.known.array, &[element]);
                self.property_of(array, name, array, depth)
            }
            Type::Union(parts) => {
                let mut first = None;
                let mut all = Tys::new();
                for part in parts {
                    if let Some(found) = self.property_of(part, name, part, depth) {
                        all.push(found.ty);
                        first.get_or_insert(found);
                    }
                }
                let member = first?.member.filter(|_| all.len() == 1);
                Some(Found { ty: self.types.union(all), member })
            }
            Type::Intersection(parts) => {
                let mut all: SmallVec<[Found; 2]> = SmallVec::new();
                for part in parts {
                    if let Some(found) = self.property_of(part, name, receiver, depth)
                        && found.ty != Ty::ANY
                    {
                        all.push(found);
                    }
                }
                match all[..] {
                    [] => None,
                    [one] => Some(one),
                    _ => {
                        let tys: Tys = all.iter().map(|found| found.ty).collect();
                        Some(Found { ty: self.intersect(&tys), member: all[0].member })
                    }
                }
            }
            Type::Param(_) | Type::Indexed(..) => {
                let constraint = self.constraint(ty)?;
                self.property_of(constraint, name, receiver, depth)
            }
            Type::Mapped(file, id, env) => self.of_mapped(file, id, env, name).map(Found::bare),
            Type::Conditional(..) => Some(Found::bare(Ty::ANY)),
        }
    }

    fn of_platform(&mut self, entity: Option<EntityId>, name: Name, depth: u32) -> Option<Found> {
        let ty = self.platform_type(entity, &[]);
        if ty == Ty::EXTERNAL {
            return Some(Found::bare(ty));
        }
        // What the platform's description lacks is from outside all the same.
        self.property_of(ty, name, ty, depth).or(Some(Found::bare(Ty::EXTERNAL)))
    }

    /// Something in a namespace that is merged with a class, function or enum.
    fn of_merged(&mut self, entity: EntityId, name: Name) -> Option<Found> {
        for def in self.program.defs(entity) {
            if let Some(found) = self.program.in_namespace(def, name) {
                let meaning = self.meaning_of(found);
                return Some(Found::bare(self.value(meaning)));
            }
        }
        None
    }

    fn of_named(&mut self, entity: EntityId, args: &Tys, name: Name, receiver: Ty, depth: u32) -> Option<Found> {
        let defs = self.program.defs(entity);
        for &def in &defs {
            if let Some(at) = self.member_at(def, name, false) {
                let raw = self.member(def, at);
                let env = self.env_of(def, args, Some(receiver));
                return Some(Found { ty: self.substitute(raw, env), member: Some((def, at)) });
            }
        }
        let mut outside = None;
        for &def in &defs {
            let env = self.env_of(def, args, Some(receiver));
            for base in self.bases(def) {
                let base = self.substitute(base, env);
                match self.property_of(base, name, receiver, depth) {
                    Some(found) if found.ty.is_known() || found.member.is_some() => return Some(found),
                    Some(found) => outside = Some(found),
                    None => {}
                }
            }
        }
        if let Some(found) = outside {
            return Some(found);
        }
        for &def in &defs {
            if let Some(value) = self.index_of(def) {
                let env = self.env_of(def, args, Some(receiver));
                return Some(Found::bare(self.substitute(value, env)));
            }
        }
        // What the platform's description leaves out is there all the same.
        defs.iter().any(|def| self.program.is_platform(*def)).then(|| Found::bare(Ty::EXTERNAL))
    }

    fn of_literal(&mut self, def: GlobalDef, env: Env, name: Name, receiver: Ty, depth: u32) -> Option<Found> {
        if let Some(at) = self.member_at(def, name, false) {
            let raw = self.member(def, at);
            return Some(Found { ty: self.substitute(raw, env), member: Some((def, at)) });
        }
        if let Some(&(file, value)) = self.added.get(&(def, name)) {
            return Some(Found::bare(self.expr(file, value)));
        }
        let file = self.program.file_of(def);
        let mut outside = None;
        for member in self.program.members(def).iter().rev() {
            if let MemberKind::Spread(value) = member.kind {
                let raw = self.expr(file, value);
                let ty = self.substitute(raw, env);
                match self.property_of(ty, name, ty, depth) {
                    Some(found) if found.ty.is_known() => return Some(found),
                    Some(found) => outside = Some(found),
                    None => {}
                }
            }
        }
        if outside.is_some() {
            return outside;
        }
        for base in self.bases(def) {
            let base = self.substitute(base, env);
            if let Some(found) = self.property_of(base, name, receiver, depth) {
                return Some(found);
            }
        }
        let value = self.index_of(def)?;
        Some(Found::bare(self.substitute(value, env)))
    }

    fn of_class(&mut self, def: GlobalDef, env: Env, name: Name, receiver: Ty, depth: u32) -> Option<Found> {
        if let Some(at) = self.member_at(def, name, true) {
            let raw = self.member(def, at);
            return Some(Found { ty: self.substitute(raw, env), member: Some((def, at)) });
        }
        if name == self.known.prototype {
            let instance = self.types.add(Type::Class(def, env));
            return Some(Found::bare(self.instance_of(instance, &[])));
        }
        if let Some(entity) = self.program.entity_of(def)
            && let Some(found) = self.of_merged(entity, name)
        {
            return Some(found);
        }
        let file = self.program.file_of(def);
        if let Some((base, _, _)) = self.program.def(def).class().and_then(|class| class.extends.as_ref()) {
            let base = self.expr(file, *base);
            return self.property_of(base, name, receiver, depth);
        }
        self.of_platform(self.known.function, name, depth)
    }

    /// The member of a declaration under a name: of overloads the implementation, of accessors the getter.
    pub(super) fn member_at(&mut self, def: GlobalDef, name: Name, is_static: bool) -> Option<u16> {
        let table = if let Some(table) = self.member_tables.get(&def) {
            table
        } else {
            let table = self.member_table(def);
            self.member_tables.entry(def).or_insert(table)
        };
        table.get(&(name, is_static)).copied()
    }

    fn member_table(&self, def: GlobalDef) -> rustc_hash::FxHashMap<(Name, bool), u16> {
        let file = self.program.file_of(def);
        let mut table: rustc_hash::FxHashMap<(Name, bool), u16> = rustc_hash::FxHashMap::default();
        let members = self.program.members(def);
        let weight = |kind: &MemberKind| match kind {
            MemberKind::Function(function) => match self.program.facts(file).def(*function).function() {
                Some(f) if f.kind == FunctionKind::Setter => 0,
                Some(f) if f.has_body => 2,
                _ => 1,
            },
            _ => 2,
        };
        let is_object = matches!(self.program.def(def).body, DefBody::Object(_));
        for (at, member) in members.iter().enumerate() {
            let Some(name) = member.name else { continue };
            let name = self.program.name(file, name);
            let at = at as u16;
            table
                .entry((name, member.is_static))
                .and_modify(|old| {
                    let (new, before) = (weight(&member.kind), weight(&members[*old as usize].kind));
                    // Of an object literal the last counts, else the first.
                    if new > before || (is_object && new == before) {
                        *old = at;
                    }
                })
                .or_insert(at);
        }
        table
    }

    /// The type of a member, with the type parameters in sight left free.
    pub(super) fn member(&mut self, def: GlobalDef, at: u16) -> Ty {
        self.ask(Question::Member(def, at), |linker| linker.find_member(def, at))
    }

    fn find_member(&mut self, def: GlobalDef, at: u16) -> Ty {
        let file = self.program.file_of(def);
        match &self.program.members(def)[at as usize].kind {
            MemberKind::Property { annotation, value, parameter } => {
                if let Some((function, at)) = parameter {
                    return self.parameter(self.program.global(file, *function), *at);
                }
                let said = annotation.as_ref().map(|(ty, _)| self.annotation(file, *ty));
                match (said, value) {
                    (Some(ty), _) if ty.is_known() => ty,
                    (_, Some((value, _))) => {
                        let of_value = self.expr(file, *value);
                        match said {
                            // An annotation that says nothing that is known leaves functions their own type.
                            Some(said) if !self.is_function(of_value) => said,
                            _ => of_value,
                        }
                    }
                    (said, None) => said.unwrap_or(Ty::ANY),
                }
            }
            MemberKind::Function(function) => {
                let function = self.program.global(file, *function);
                match self.program.function(function).map(|f| f.kind) {
                    Some(FunctionKind::Getter) => self.returned(function),
                    Some(FunctionKind::Setter) => self.parameter(function, 0),
                    _ => self.types.add(Type::Function(function, Env::EMPTY)),
                }
            }
            MemberKind::Index { value, .. } => self.annotation(file, *value),
            MemberKind::Spread(value) => self.expr(file, *value),
        }
    }
}
