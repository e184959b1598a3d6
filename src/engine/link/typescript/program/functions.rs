//! The declarations of functions: overloads, implementations and accessors.

use smallvec::SmallVec;

use super::{FileIndex, GlobalDef, ProgramFacts, held_values::alternatives};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Decl, DefId, FunctionKind, Member, MemberKind, TypeId, TypeNode};

impl<'f> ProgramFacts<'f> {
    /// All declarations of a function: its overloads and its implementation.
    pub(in crate::typescript) fn declarations_of_function(&self, def: GlobalDef) -> SmallVec<[GlobalDef; 2]> {
        let Some(function) = self.function(def) else { return SmallVec::from_slice(&[def]) };
        let file = self.file_of(def);
        let row = self.def(def);
        match function.kind {
            FunctionKind::Declaration => match self.symbol_of(def) {
                Some(symbol) => {
                    let (declaring_file, symbol) = self.symbol(symbol);
                    let all = symbol.decls.iter().filter_map(|decl| match decl {
                        Decl::Def(def) => Some(self.global_def(declaring_file, *def)),
                        _ => None,
                    });
                    let all: SmallVec<[GlobalDef; 2]> = all.filter(|def| self.function(*def).is_some()).collect();
                    if all.contains(&def) { all } else { SmallVec::from_slice(&[def]) }
                }
                None => SmallVec::from_slice(&[def]),
            },
            FunctionKind::Method | FunctionKind::Constructor => {
                let Some(outer) = row.outer else { return SmallVec::from_slice(&[def]) };
                let local = self.local_def(def);
                // A member has the name of its function, so the functions of members with another name are not read.
                let members = self.facts(file).def(outer).members();
                let same_name: SmallVec<[&Member; 4]> = match self.member_positions(file, outer) {
                    Some(positions) => positions.named(row.name).iter().map(|at| &members[*at as usize]).collect(),
                    None => members.iter().filter(|m| m.name == row.name).collect(),
                };
                let functions = same_name.into_iter().filter_map(|member| match member.kind {
                    MemberKind::Function(function) => Some((function, member.is_static)),
                    _ => None,
                });
                let Some((_, own_is_static)) = functions.clone().find(|(function, _)| *function == local) else {
                    return SmallVec::from_slice(&[def]);
                };
                functions
                    .filter(|(_, is_static)| *is_static == own_is_static)
                    .map(|(other, _)| self.global_def(file, other))
                    .filter(|other| self.function(*other).is_some_and(|f| f.kind == function.kind))
                    .collect()
            }
            _ => SmallVec::from_slice(&[def]),
        }
    }

    /// The declaration of a function that has a body, else the function itself. Of several declarations with a body,
    /// which JavaScript allows, the last one replaces the others.
    pub(in crate::typescript) fn implementation(&self, def: GlobalDef) -> GlobalDef {
        if self.function(def).is_none_or(|f| f.has_body) {
            return def;
        }
        let all = self.declarations_of_function(def);
        all.iter().rev().copied().find(|d| self.function(*d).is_some_and(|f| f.has_body)).unwrap_or(def)
    }

    /// The named function type that an annotation is, or the first one of a union.
    pub(in crate::typescript) fn function_type(&self, file: FileIndex, ty: TypeId) -> Option<DefId> {
        let _level = nesting::descend()?;
        let facts = self.facts(file);
        match facts.ty(ty) {
            TypeNode::Function(function) => facts.def(*function).name.map(|_| *function),
            TypeNode::Union(list) => facts.type_list(*list).iter().find_map(|ty| self.function_type(file, *ty)),
            _ => None,
        }
    }

    /// True if a value can be assigned to the property of an accessor.
    pub(in crate::typescript) fn has_setter(&self, def: GlobalDef) -> bool {
        self.accessor(def, FunctionKind::Setter).is_some()
    }

    /// The accessor of this kind with the name of an accessor.
    pub(in crate::typescript) fn accessor(&self, def: GlobalDef, kind: FunctionKind) -> Option<GlobalDef> {
        let file = self.file_of(def);
        let row = self.def(def);
        let members = self.facts(file).def(row.outer?).members();
        members.iter().find_map(|member| match member.kind {
            MemberKind::Function(f) => {
                let other = self.facts(file).def(f);
                let is_kind = other.function().is_some_and(|f| f.kind == kind);
                (is_kind && other.name == row.name).then(|| self.global_def(file, f))
            }
            _ => None,
        })
    }

    /// The member that a definition belongs to: the method itself, or the property whose value or annotation it is.
    pub(in crate::typescript) fn member_holding(&self, def: GlobalDef) -> Option<&'f Member> {
        let file = self.file_of(def);
        let local = self.local_def(def);
        let facts = self.facts(file);
        let expr = self.def(def).expr;
        let outer = self.def(def).outer?;
        let name = self.def(def).name;
        let members = facts.def(outer).members();
        if let Some(positions) = self.member_positions(file, outer) {
            return Some(&members[positions.holding(local, expr, name)?]);
        }
        members.iter().find(|member| match &member.kind {
            MemberKind::Function(function) => *function == local,
            MemberKind::Property { value: Some((value, _)), .. } => {
                expr.is_some_and(|expr| alternatives(facts, *value).contains(&expr))
            }
            MemberKind::Property { annotation: Some(_), .. } => {
                expr.is_none() && member.name.is_some() && member.name == name
            }
            _ => false,
        })
    }
}
