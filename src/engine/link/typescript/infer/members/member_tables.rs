//! Look-up of the members that one declaration itself has, and the types of these members.

use rustc_hash::FxHashMap;

use crate::typescript::{
    infer::{Linker, TypeQuery},
    program::{GlobalDef, InternedName},
    types::{InternedType, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, FunctionKind, MemberKind};

/// The positions of members by name and by whether they are static, sorted by both.
pub(in super::super) type MemberTable = Box<[((InternedName, bool), u16)]>;

impl Linker<'_> {
    /// The position of the member `name`. For overloads it is the position of the implementation, for accessors that of
    /// the getter.
    pub(super) fn member_index(&mut self, def: GlobalDef, name: InternedName, is_static: bool) -> Option<u16> {
        if self.program.members(def).is_empty() {
            return None;
        }
        let table = self.member_table(def);
        let at = table.binary_search_by_key(&(name, is_static), |(key, _)| *key).ok()?;
        Some(table[at].1)
    }

    /// The positions of the members of a declaration.
    pub(super) fn member_table(&mut self, def: GlobalDef) -> &MemberTable {
        if self.member_tables.contains_key(&def) {
            return &self.member_tables[&def];
        }
        let mut table: Vec<_> = self.build_member_table(def).into_iter().collect();
        table.sort_unstable();
        self.member_tables.entry(def).or_insert(table.into())
    }

    fn build_member_table(&mut self, def: GlobalDef) -> FxHashMap<(InternedName, bool), u16> {
        let facts = self.program.facts(self.program.file_of(def));
        let mut table: FxHashMap<(InternedName, bool), u16> = FxHashMap::default();
        let members = facts.def(self.program.local_def(def)).members();
        let precedence = |kind: &MemberKind| match kind {
            MemberKind::Function(function) => match facts.def(*function).function() {
                Some(f) if f.kind == FunctionKind::Setter => 0,
                Some(f) if f.has_body => 2,
                _ => 1,
            },
            _ => 2,
        };
        let is_object = matches!(self.program.def(def).body, DefBody::Object(_));
        for (at, member) in members.iter().enumerate() {
            let Some(name) = self.member_name(def, at) else { continue };
            let at = at as u16;
            table
                .entry((name, member.is_static))
                .and_modify(|old| {
                    let (new, before) = (precedence(&member.kind), precedence(&members[*old as usize].kind));
                    // Of several members with the same name, the last one counts in an object literal and among
                    // methods with a body, and the first one elsewhere.
                    let is_method = |at: u16| matches!(members[usize::from(at)].kind, MemberKind::Function(_));
                    let are_methods = new == 2 && is_method(at) && is_method(*old);
                    if new > before || (new == before && (is_object || are_methods)) {
                        *old = at;
                    }
                })
                .or_insert(at);
        }
        table
    }

    /// The type of a member, with the type parameters in scope left free.
    pub(in crate::typescript) fn member_type(&mut self, def: GlobalDef, at: u16) -> InternedType {
        self.query(TypeQuery::Member(def, at), |linker| linker.find_member_type(def, at))
    }

    /// The type `ty` of a field of a class. If the values of `ty` are functions, the result also contains the types of
    /// the values that assignments such as `instance.done = f` give the field.
    fn with_assigned_functions(&mut self, class: GlobalDef, at: u16, ty: InternedType) -> InternedType {
        let is_class = matches!(self.program.def(class).body, DefBody::Class(_));
        let are_functions = self.types.constituents(ty).iter().all(|part| self.is_function_value(*part));
        if !is_class || !are_functions {
            return ty;
        }
        let Some(name) = self.member_name(class, usize::from(at)) else { return ty };
        let assigned = self.assigned_to_instances(class, name);
        self.types.union(std::iter::once(ty).chain(assigned))
    }

    fn find_member_type(&mut self, def: GlobalDef, at: u16) -> InternedType {
        let file = self.program.file_of(def);
        match &self.program.members(def)[at as usize].kind {
            MemberKind::Property { annotation, value, parameter } => {
                if let Some((function, at)) = parameter {
                    return self.parameter_type(self.program.global_def(file, *function), *at);
                }
                if let Some((comment, _)) = annotation
                    && self.program.facts(file).has_comment_types
                    && let Some((value, _)) = value
                {
                    let ty = self.expr_type(file, *value);
                    if self.is_more_precise(ty, file, *comment) {
                        return ty;
                    }
                }
                let annotated = annotation.as_ref().map(|(ty, _)| self.type_from_node(file, *ty));
                match (annotated, value) {
                    (Some(ty), _) if ty.is_known() => ty,
                    (_, Some((value, _))) => {
                        let of_value = self.expr_type(file, *value);
                        match annotated {
                            // The type of the annotation is not known. It is used nevertheless, except for functions.
                            Some(annotated) if !self.is_function_type(of_value) => annotated,
                            None => self.with_assigned_functions(def, at, of_value),
                            _ => of_value,
                        }
                    }
                    (annotated, None) => annotated.unwrap_or(InternedType::ANY),
                }
            }
            MemberKind::Function(function) => {
                let function = self.program.global_def(file, *function);
                match self.program.function(function).map(|f| f.kind) {
                    Some(FunctionKind::Getter) => self.return_type(function),
                    Some(FunctionKind::Setter) => self.parameter_type(function, 0),
                    _ => self.types.intern(TypeKind::Function(function, Substitution::EMPTY)),
                }
            }
            MemberKind::Index { value, .. } => self.type_from_node(file, *value),
            MemberKind::Spread(value) => self.expr_type(file, *value),
        }
    }
}
