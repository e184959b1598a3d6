//! Resolution of call sites: the definitions that a call may call.

use smallvec::SmallVec;

use super::{
    called_values::CalledValue,
    infer::Linker,
    program::{FileIndex, GlobalDef},
    resolved_names::ResolvedName,
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::UnresolvedReason,
    syntax::typescript::facts::{
        CallExprId, CallExprKind, DefBody, Expr, ExprId, FunctionKind, MemberKind, TypeId, TypeNode,
    },
};

/// The resolution of one call site.
#[derive(Clone, Debug)]
pub(super) struct ResolvedCall {
    /// The functions and classes that may be called.
    pub(super) candidates: SmallVec<[GlobalDef; 1]>,
    /// If there are no candidates: the declaration whose value is called.
    pub(super) value: Option<CalledValue>,
    /// The class or interface of the receiver, if there is exactly one candidate and the receiver has one.
    pub(super) receiver: Option<GlobalDef>,
    /// There is one candidate, but another constituent of the callee's type is a function that is not known or outside of
    /// the sources.
    pub(super) may_be_other: bool,
    /// Why there are no candidates; meaningless otherwise.
    pub(super) why: UnresolvedReason,
    /// The number of parameters that `bind` has bound before the call.
    pub(super) bound: usize,
}

impl Linker<'_> {
    /// Resolves one call site.
    pub(super) fn resolve_call(&mut self, file: FileIndex, site: CallExprId) -> ResolvedCall {
        self.budget.begin_query();
        let row = self.program.facts(file).site(site);
        let callee = self.expr_type(file, row.callee);
        let mut search = CalleeSearch::default();
        let is_new =
            row.kind == CallExprKind::New || matches!(self.program.facts(file).expr(row.callee), Expr::Super(_));
        self.search_callee(callee, is_new, row.kind == CallExprKind::Jsx, &mut search, 0);
        if search.candidates.is_empty()
            && !is_new
            && search.is_value
            && !search.is_anonymous
            && let Some(def) = self.declared_function(file, row.callee)
            && !self.program.is_platform(def)
            && self.program.def(def).name.is_some()
        {
            search.candidates.push(def);
        }
        let mut bound = 0;
        if callee == InternedType::ANY
            && !is_new
            && let Some((function, arguments)) = self.bound_callee(file, row.callee)
        {
            self.search_callee(function, false, false, &mut search, 0);
            bound = arguments;
        }
        let why = if search.is_outside {
            UnresolvedReason::External
        } else if search.is_value || search.is_anonymous {
            UnresolvedReason::Dynamic
        } else {
            self.unresolved_reason(file, row.callee)
        };
        if self.budget.is_exhausted() || (search.candidates.is_empty() && self.budget.has_used_cut()) {
            let why = UnresolvedReason::TooComplex;
            let candidates = SmallVec::new();
            return ResolvedCall { candidates, value: None, receiver: None, may_be_other: false, why, bound: 0 };
        }
        let is_value = search.candidates.is_empty() && search.is_value && !search.is_outside;
        let value = if is_value { self.called_value(file, row.callee) } else { None };
        let value = value.filter(|value| self.is_constructed(*value) == is_new);
        let has_one_candidate = !is_new && (search.candidates.len() == 1 || value.is_some());
        let receiver = if has_one_candidate { self.class_of_receiver(file, row.callee) } else { None };
        let is_union = matches!(self.types.kind(callee), TypeKind::Union(_));
        let has_other = search.is_value || search.is_anonymous || search.is_outside;
        let may_be_other = is_union && search.candidates.len() == 1 && has_other;
        let candidates = match self.types.kind(callee) {
            TypeKind::Intersection(_) => self.with_taken_only(search.candidates, file, site),
            _ => self.with_accepting_first(search.candidates, file, site),
        };
        ResolvedCall { candidates, value, receiver, may_be_other, why, bound }
    }

    /// Of candidates in several declarations of one class or interface, which are overloads of each other, the one that a
    /// call takes. Other candidates stay as they are.
    fn with_taken_only(
        &mut self,
        candidates: SmallVec<[GlobalDef; 1]>,
        file: FileIndex,
        site: CallExprId,
    ) -> SmallVec<[GlobalDef; 1]> {
        if candidates.len() > 1
            && self.are_of_one_symbol(&candidates)
            && let Some((signature, _)) = self.resolved_signature(file, site, u16::MAX)
        {
            let taken = self.implementation(signature.def);
            if candidates.contains(&taken) {
                return SmallVec::from_slice(&[taken]);
            }
        }
        self.with_accepting_first(candidates, file, site)
    }

    /// Whether all definitions are members of declarations of one symbol.
    fn are_of_one_symbol(&self, members: &[GlobalDef]) -> bool {
        let outer = members.first().and_then(|member| self.program.outer(*member));
        let Some(symbol) = outer.and_then(|outer| self.program.symbol_of(outer)) else { return false };
        let declarations = self.program.definitions(symbol);
        members.iter().all(|member| self.program.outer(*member).is_some_and(|outer| declarations.contains(&outer)))
    }

    /// Puts the candidates that accept the number of the arguments before the others: arguments are bound to the first.
    fn with_accepting_first(
        &mut self,
        candidates: SmallVec<[GlobalDef; 1]>,
        file: FileIndex,
        site: CallExprId,
    ) -> SmallVec<[GlobalDef; 1]> {
        if candidates.len() < 2 {
            return candidates;
        }
        let (mut accepting, others): (SmallVec<[GlobalDef; 1]>, SmallVec<[GlobalDef; 1]>) =
            candidates.into_iter().partition(|candidate| self.accepts_call(*candidate, file, site));
        accepting.extend(others);
        accepting
    }

    /// The class or interface of the receiver of a callee such as `receiver.method`.
    fn class_of_receiver(&mut self, file: FileIndex, callee: ExprId) -> Option<GlobalDef> {
        let _level = self.descend()?;
        match self.program.facts(file).expr(callee) {
            Expr::Property { object, .. } => {
                let receiver = self.expr_type(file, object);
                self.class_of_type(receiver)
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.class_of_receiver(file, inner),
            _ => None,
        }
    }

    /// The class or interface of the values of a type; the first one of a union.
    pub(super) fn class_of_type(&mut self, ty: InternedType) -> Option<GlobalDef> {
        let ty = self.constraint(ty).unwrap_or(ty);
        self.types.constituents(ty).into_iter().find_map(|part| match *self.types.kind(part) {
            TypeKind::Reference(symbol, _) | TypeKind::This(symbol) => {
                self.program.definitions(symbol).first().copied()
            }
            TypeKind::ClassConstructor(def, _) => Some(def),
            _ => None,
        })
    }

    /// Adds the candidates among the constituents of the type `callee` to `search`.
    fn search_callee(
        &mut self,
        callee: InternedType,
        is_new: bool,
        is_component: bool,
        search: &mut CalleeSearch,
        depth: u32,
    ) {
        let Some(_level) = self.descend() else { return };
        if depth > 8 {
            return;
        }
        match self.types.kind(callee).clone() {
            TypeKind::External => search.is_outside = true,
            TypeKind::ClassConstructor(def, _) if is_new || is_component => search.add(self, def),
            TypeKind::Function(def, _) => self.search_function(def, is_new, search),
            TypeKind::Union(constituents) | TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.search_callee(constituent, is_new, is_component, search, depth + 1);
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => match self.constraint(callee) {
                Some(constraint) => self.search_callee(constraint, is_new, is_component, search, depth + 1),
                None => search.is_value = true,
            },
            TypeKind::Reference(..) | TypeKind::Anonymous(..) => {
                for signature in self.signatures(callee, is_new) {
                    if self.program.is_platform(signature.def) {
                        search.is_outside = true;
                    } else {
                        search.is_value = true;
                    }
                }
                // A type of the platform counts as external even if its declaration has no signature.
                if let TypeKind::Reference(symbol, _) = *self.types.kind(callee)
                    && self.program.definitions(symbol).iter().any(|def| self.program.is_platform(*def))
                {
                    search.is_outside = true;
                }
            }
            TypeKind::Any | TypeKind::Unknown => {}
            _ => search.is_value = true,
        }
    }

    fn search_function(&mut self, def: GlobalDef, is_new: bool, search: &mut CalleeSearch) {
        if self.program.is_platform(def) {
            search.is_outside = true;
            return;
        }
        let row = self.program.def(def);
        let Some(function) = row.function() else { return };
        match function.kind {
            FunctionKind::Type => self.search_function_type(def, search),
            FunctionKind::CallSignature | FunctionKind::ConstructSignature | FunctionKind::ConstructorType => {
                search.is_value = true;
            }
            // A function of JavaScript that `new` calls is written for it.
            FunctionKind::Declaration | FunctionKind::Expression if is_new && row.name.is_some() => {
                let def = self.implementation(def);
                search.add(self, def);
            }
            _ if is_new => search.is_value = true,
            _ if row.name.is_none() => search.is_anonymous = true,
            _ => {
                let def = self.implementation(def);
                search.add(self, def);
            }
        }
    }

    /// Adds the candidate for a call of a value with a function type:
    ///
    /// - If the function type annotates a property of an interface or type literal, the candidate is the function type.
    /// - If it annotates a class field that is initialised with a function, the candidate is that function.
    /// - Otherwise there is no candidate, because the called value is not known.
    fn search_function_type(&mut self, def: GlobalDef, search: &mut CalleeSearch) {
        let row = self.program.def(def);
        let file = self.program.file_of(def);
        let holder = row.outer.map(|outer| self.program.facts(file).def(outer));
        match (row.name, holder) {
            (Some(name), Some(holder)) if matches!(holder.body, DefBody::Class(_)) => {
                let member = holder.members().iter().find(|m| m.name == Some(name));
                let initialiser = member.and_then(|member| match &member.kind {
                    MemberKind::Property { value: Some((value, _)), .. } => {
                        match self.program.facts(file).expr(*value) {
                            Expr::Function(def) => Some(self.program.global_def(file, def)),
                            _ => None,
                        }
                    }
                    _ => None,
                });
                match initialiser {
                    Some(initialiser) => search.add(self, initialiser),
                    None => search.is_value = true,
                }
            }
            (Some(name), Some(holder)) => {
                // The function type is the annotation itself or a constituent of it. Calls of a function type nested
                // deeper have no candidate.
                let is_direct = holder.members().iter().any(|member| {
                    member.name == Some(name)
                        && matches!(&member.kind, MemberKind::Property { annotation: Some((ty, _)), .. }
                            if self.is_function_type_of(file, *ty, def))
                });
                if is_direct { search.add(self, def) } else { search.is_value = true }
            }
            _ => search.is_value = true,
        }
    }

    /// Whether an annotation is the function type `def`, or a union with `def`.
    fn is_function_type_of(&self, file: FileIndex, ty: TypeId, def: GlobalDef) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let facts = self.program.facts(file);
        match facts.ty(ty) {
            TypeNode::Function(function) => self.program.global_def(file, *function) == def,
            TypeNode::Union(list) => facts.type_list(*list).iter().any(|ty| self.is_function_type_of(file, *ty, def)),
            _ => false,
        }
    }

    /// Why a callee of unknown type has no candidates.
    fn unresolved_reason(&mut self, file: FileIndex, callee: ExprId) -> UnresolvedReason {
        let Some(_level) = nesting::descend() else { return UnresolvedReason::Dynamic };
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

/// The result of searching the type of a callee.
#[derive(Debug, Default)]
struct CalleeSearch {
    candidates: SmallVec<[GlobalDef; 1]>,
    /// A constituent is external.
    is_outside: bool,
    /// A constituent is a value without a definition: a parameter, a field, a result.
    is_value: bool,
    /// A constituent is an anonymous function expression.
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
