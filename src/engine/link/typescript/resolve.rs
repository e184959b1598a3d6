//! Call sites to definitions.

use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    resolved_names::ResolvedName,
    types::{InternedType, TypeKind},
};
use crate::{
    program::UnresolvedReason,
    syntax::typescript::facts::{DefBody, Expr, ExprId, FunctionKind, MemberKind, SiteId, SiteKind, TypeId, TypeNode},
};

/// What a call site calls: functions and classes, or why there are none. Arguments are bound to `bound`, where that
/// is not the definition itself: a class's constructor.
#[derive(Clone, Debug)]
pub(super) struct ResolvedCall {
    pub(super) candidates: SmallVec<[GlobalDef; 1]>,
    pub(super) why: UnresolvedReason,
}

impl Linker<'_> {
    /// Resolves one call site.
    pub(super) fn resolve_call(&mut self, file: FileIndex, site: SiteId) -> ResolvedCall {
        let row = self.program.facts(file).site(site);
        let callee = self.expr_type(file, row.callee);
        let mut found = CalleeSearch::default();
        let is_new = row.kind == SiteKind::New || matches!(self.program.facts(file).expr(row.callee), Expr::Super(_));
        self.search_callee(callee, is_new, row.kind == SiteKind::Jsx, &mut found, 0);
        if found.candidates.is_empty()
            && !is_new
            && found.is_value
            && !found.is_anonymous
            && let Some(def) = self.declared_function(file, row.callee)
            && !self.program.is_platform(def)
            && self.program.def(def).name.is_some()
        {
            found.candidates.push(def);
        }
        let why = if found.is_outside {
            UnresolvedReason::External
        } else if found.is_value || found.is_anonymous {
            UnresolvedReason::Dynamic
        } else {
            self.unresolved_reason(file, row.callee)
        };
        ResolvedCall { candidates: found.candidates, why }
    }

    fn search_callee(
        &mut self,
        callee: InternedType,
        is_new: bool,
        is_component: bool,
        found: &mut CalleeSearch,
        depth: u32,
    ) {
        if depth > 8 {
            return;
        }
        match self.types.kind(callee).clone() {
            TypeKind::External => found.is_outside = true,
            TypeKind::ClassConstructor(def, _) if is_new || is_component => found.add(self, def),
            TypeKind::Function(def, _) => self.search_function(def, is_new, found),
            TypeKind::Union(constituents) | TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.search_callee(constituent, is_new, is_component, found, depth + 1);
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => match self.constraint(callee) {
                Some(constraint) => self.search_callee(constraint, is_new, is_component, found, depth + 1),
                None => found.is_value = true,
            },
            TypeKind::Reference(..) | TypeKind::Anonymous(..) => {
                for signature in self.signatures(callee, is_new) {
                    if self.program.is_platform(signature.def) {
                        found.is_outside = true;
                    } else {
                        found.is_value = true;
                    }
                }
                // An object that cannot be called, or a constructor that the platform describes.
                if let TypeKind::Reference(symbol, _) = *self.types.kind(callee)
                    && self.program.definitions(symbol).iter().any(|def| self.program.is_platform(*def))
                {
                    found.is_outside = true;
                }
            }
            TypeKind::Any | TypeKind::Unknown => {}
            _ => found.is_value = true,
        }
    }

    fn search_function(&mut self, def: GlobalDef, is_new: bool, found: &mut CalleeSearch) {
        if self.program.is_platform(def) {
            found.is_outside = true;
            return;
        }
        let row = self.program.def(def);
        let Some(function) = row.function() else { return };
        match function.kind {
            FunctionKind::Type => self.search_function_type(def, found),
            FunctionKind::CallSignature | FunctionKind::ConstructSignature | FunctionKind::ConstructorType => {
                found.is_value = true;
            }
            _ if is_new => found.is_value = true,
            _ if row.name.is_none() => found.is_anonymous = true,
            _ => {
                let def = self.implementation(def);
                found.add(self, def);
            }
        }
    }

    /// A function type is a definition where a property is declared with it; a field holds a function of its own,
    /// or any.
    fn search_function_type(&mut self, def: GlobalDef, found: &mut CalleeSearch) {
        let row = self.program.def(def);
        let file = self.program.file_of(def);
        let holder = row.outer.map(|outer| self.program.facts(file).def(outer));
        match (row.name, holder) {
            (Some(name), Some(holder)) if matches!(holder.body, DefBody::Class(_)) => {
                let member = holder.members().iter().find(|m| m.name == Some(name));
                let own = member.and_then(|member| match &member.kind {
                    MemberKind::Property { value: Some((value, _)), .. } => {
                        match self.program.facts(file).expr(*value) {
                            Expr::Function(def) => Some(self.program.global_def(file, def)),
                            _ => None,
                        }
                    }
                    _ => None,
                });
                match own {
                    Some(own) => found.add(self, own),
                    None => found.is_value = true,
                }
            }
            (Some(name), Some(holder)) => {
                // Directly, or as an alternative: what a condition chooses is a value.
                let is_direct = holder.members().iter().any(|member| {
                    member.name == Some(name)
                        && matches!(&member.kind, MemberKind::Property { annotation: Some((ty, _)), .. }
                            if self.is_function_type_of(file, *ty, def))
                });
                if is_direct { found.add(self, def) } else { found.is_value = true }
            }
            _ => found.is_value = true,
        }
    }

    fn is_function_type_of(&self, file: FileIndex, ty: TypeId, def: GlobalDef) -> bool {
        let facts = self.program.facts(file);
        match facts.ty(ty) {
            TypeNode::Function(function) => self.program.global_def(file, *function) == def,
            TypeNode::Union(list) => facts.type_list(*list).iter().any(|ty| self.is_function_type_of(file, *ty, def)),
            _ => false,
        }
    }

    fn unresolved_reason(&mut self, file: FileIndex, callee: ExprId) -> UnresolvedReason {
        match self.program.facts(file).expr(callee) {
            Expr::Property { .. } => UnresolvedReason::UnknownReceiver,
            Expr::Name { symbol: None, .. } => UnresolvedReason::External,
            Expr::Name { symbol: Some(symbol), .. } => match self.resolve_symbol(file, symbol) {
                ResolvedName::Missing => UnresolvedReason::UnknownName,
                ResolvedName::External | ResolvedName::AmbientModule(_) => UnresolvedReason::External,
                _ => UnresolvedReason::Dynamic,
            },
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.unresolved_reason(file, inner),
            _ => UnresolvedReason::Dynamic,
        }
    }
}

/// What has been found of a callee.
#[derive(Debug, Default)]
struct CalleeSearch {
    candidates: SmallVec<[GlobalDef; 1]>,
    /// Part of it is from outside.
    is_outside: bool,
    /// Part of it is a function without a name: a parameter, a field, a result.
    is_value: bool,
    /// Part of it is a function expression that nothing names.
    is_anonymous: bool,
}

impl CalleeSearch {
    fn add(&mut self, linker: &Linker<'_>, def: GlobalDef) {
        if linker.program.is_platform(def) {
            self.is_outside = true;
        } else if !self.candidates.contains(&def) {
            self.candidates.push(def);
        }
    }
}
