//! Resolution of call sites: the definitions that a call may call.

use smallvec::SmallVec;

use crate::typescript::{
    callees::{CalledValue, Callees},
    infer::{Linker, ResolvedName},
    program::{FileIndex, GlobalDef},
    rows::{DeclaredRows, DefinitionRows},
    source_file::SourceFile,
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
pub(in crate::typescript) struct ResolvedCall {
    /// The functions and classes that may be called.
    pub(in crate::typescript) candidates: SmallVec<[GlobalDef; 1]>,
    /// The declaration whose value is called. Without candidates, the call counts for it; else it is a constant that
    /// holds the only candidate.
    pub(in crate::typescript) value: Option<CalledValue>,
    /// The signature or function type of an installed package by which the constant `value` is called, if there are no
    /// candidates.
    pub(in crate::typescript) signature: Option<GlobalDef>,
    /// The constant on whose value a member is called. Without candidates it is a constant of a package.
    pub(in crate::typescript) instance: Option<CalledValue>,
    /// The class or interface of the receiver, if there is exactly one candidate and the receiver has one.
    pub(in crate::typescript) receiver: Option<GlobalDef>,
    /// There is one candidate, but another constituent of the callee's type is a function that is not known or outside
    /// of the sources.
    pub(in crate::typescript) may_be_other: bool,
    /// Why there are no candidates; meaningless otherwise.
    pub(in crate::typescript) why: UnresolvedReason,
    /// The number of parameters that `bind` has bound before the call.
    pub(in crate::typescript) bound: usize,
}

impl ResolvedCall {
    fn unresolved(why: UnresolvedReason) -> Self {
        Self {
            candidates: SmallVec::new(),
            value: None,
            signature: None,
            instance: None,
            receiver: None,
            may_be_other: false,
            why,
            bound: 0,
        }
    }
}

/// Resolves the calls of a program.
pub(in crate::typescript) struct CallResolver<'l, 'f> {
    pub(in crate::typescript) linker: &'l mut Linker<'f>,
    pub(in crate::typescript) files: &'l [SourceFile],
}

impl CallResolver<'_, '_> {
    /// The resolutions of all calls, by file; `None` if linking was cancelled.
    pub(in crate::typescript) fn resolve_all(&mut self) -> Option<Vec<Vec<ResolvedCall>>> {
        let mut resolved: Vec<Vec<ResolvedCall>> = Vec::with_capacity(self.files.len());
        for (i, file) in self.files.iter().enumerate() {
            if file.is_installed {
                resolved.push(Vec::new());
                continue;
            }
            let sites = 0..file.facts.calls.len();
            resolved.push(sites.map(|site| self.resolve_call(FileIndex::new(i), CallExprId::new(site))).collect());
        }
        if self.linker.budget.is_cancelled() {
            return None;
        }
        self.resolve_with_passed_values(&mut resolved);
        self.resolve_passed_functions(&mut resolved);
        Some(resolved)
    }

    /// Resolves one call site.
    pub(in crate::typescript) fn resolve_call(&mut self, file: FileIndex, site: CallExprId) -> ResolvedCall {
        self.linker.budget.begin_query();
        let row = self.linker.program.facts(file).site(site);
        let callee = self.linker.expr_type(file, row.callee);
        let mut search = CalleeSearch::default();
        let is_new =
            row.kind == CallExprKind::New || matches!(self.linker.program.facts(file).expr(row.callee), Expr::Super(_));
        self.search_callee(callee, is_new, row.kind == CallExprKind::Jsx, &mut search, 0);
        if search.candidates.is_empty()
            && !is_new
            && (search.is_value || search.is_outside)
            && !search.is_anonymous
            && let Some(def) = Callees::of(self.linker).declared_function(file, row.callee)
            && !self.linker.program.is_platform(def)
            && self.linker.program.def(def).name.is_some()
        {
            search.candidates.push(def);
        }
        let mut bound = 0;
        if callee == InternedType::ANY
            && !is_new
            && let Some((function, arguments)) = self.linker.bound_callee(file, row.callee)
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
        if self.linker.budget.is_exhausted() || (search.candidates.is_empty() && self.linker.budget.has_used_cut()) {
            let why = UnresolvedReason::TooComplex;
            return ResolvedCall::unresolved(why);
        }
        let value = match search.candidates[..] {
            [] => self.value_that_is_called(file, site, is_new, &search),
            [_] => self.constant(file, row.callee),
            _ => None,
        };
        // A call of a constant counts for the constant, and so does a component. Any other value of a package is called
        // by the signature that the package declares.
        let signature = search.installed_signature.filter(|_| search.candidates.is_empty());
        let is_constant = matches!(value, Some(CalledValue::Variable(..)));
        let is_counted = is_constant || value.is_some_and(|value| self.is_of_program(value));
        if row.kind != CallExprKind::Jsx && !is_counted {
            search.candidates.extend(signature);
        }
        let signature = signature.or(search.installed_function_type.filter(|_| is_constant));
        let has_one_candidate =
            !is_new && (search.candidates.len() == 1 || search.candidates.is_empty() && value.is_some());
        let receiver = if has_one_candidate { self.class_of_receiver(file, row.callee) } else { None };
        // A package may compute the members of a constant, as of `<motion.div>`: then the constant alone has a name.
        let is_member_computed = search.candidates.is_empty() && value.is_none() && why == UnresolvedReason::Dynamic;
        let instance = if receiver.is_some() || is_member_computed {
            let constant = self.constant_of_receiver(file, row.callee);
            constant.filter(|constant| !is_member_computed || !self.is_of_program(*constant))
        } else {
            None
        };
        let is_union = matches!(self.linker.types.kind(callee), TypeKind::Union(_));
        let has_other = search.is_value || search.is_anonymous || search.is_outside;
        let may_be_other = is_union && search.candidates.len() == 1 && has_other;
        let candidates = match self.linker.types.kind(callee) {
            TypeKind::Intersection(_) => self.with_taken_only(search.candidates, file, site),
            _ => self.with_accepting_first(search.candidates, file, site),
        };
        ResolvedCall { candidates, value, signature, instance, receiver, may_be_other, why, bound }
    }

    /// The declaration whose value a call without candidates calls. Its type has signatures for such a call; or, if a
    /// call from outside the sources has made the value, the type may be unknown.
    fn value_that_is_called(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        is_new: bool,
        search: &CalleeSearch,
    ) -> Option<CalledValue> {
        let row = self.linker.program.facts(file).site(site);
        let value = Callees::of(self.linker).called_value(file, row.callee)?;
        let signatures = Callees::of(self.linker).value_signatures(value);
        if let Some(first) = signatures.first() {
            let is_constructed = Callees::of(self.linker).is_construct_signature(*first);
            let takes_call = is_constructed == is_new || row.kind == CallExprKind::Jsx;
            return Some(value).filter(|_| search.is_called_value() && takes_call);
        }
        let is_element = row.kind == CallExprKind::Jsx;
        // A component that a field or property declares, such as `Context.Provider` of React.
        let is_component = || {
            matches!(value, CalledValue::Member(..))
                && search.platform_signature.or(search.installed_signature).is_some()
        };
        (self.may_be_made_outside(value, is_element) || is_element && is_component()).then_some(value)
    }

    /// Whether a function is a call or construct signature of an interface or object type of an installed package.
    fn is_installed_signature(&self, def: GlobalDef) -> bool {
        let program = &self.linker.program;
        let is_installed = self.files.get(program.file_of(def).index()).is_some_and(|file| file.is_installed);
        is_installed
            && program.function(def).is_some_and(|function| {
                matches!(function.kind, FunctionKind::CallSignature | FunctionKind::ConstructSignature)
            })
    }

    /// Whether a value is declared in a file of the program itself.
    fn is_of_program(&self, value: CalledValue) -> bool {
        let file = match value {
            CalledValue::Variable(file, _) => file,
            CalledValue::Member(holder, _) => self.linker.program.file_of(holder),
        };
        self.files.get(file.index()).is_some_and(|file| !file.is_installed)
    }

    /// Whether a declaration that may have a row takes its value from a call, so that the value may be anything.
    fn may_be_made_outside(&self, value: CalledValue, is_element: bool) -> bool {
        match value {
            CalledValue::Variable(file, variable) => {
                let program = &self.linker.program;
                program.is_exported(file, variable) || is_element && program.is_made_by_call(file, variable)
            }
            CalledValue::Member(holder, at) => match self.linker.program.members(holder)[usize::from(at)].kind {
                MemberKind::Property { annotation: None, value: Some((value, _)), .. } => {
                    let file = self.linker.program.file_of(holder);
                    let value = self.linker.program.without_assertions(file, value);
                    matches!(self.linker.program.facts(file).expr(value), Expr::Call(_))
                }
                _ => false,
            },
        }
    }

    /// The constant that an expression names.
    fn constant(&mut self, file: FileIndex, name: ExprId) -> Option<CalledValue> {
        let name = self.linker.program.without_guards_and_assertions(file, name);
        self.linker.called_constant(file, name).map(|(file, variable)| CalledValue::Variable(file, variable))
    }

    /// The constant that is the receiver of a callee such as `receiver.method`.
    fn constant_of_receiver(&mut self, file: FileIndex, callee: ExprId) -> Option<CalledValue> {
        let callee = self.linker.program.without_guards_and_assertions(file, callee);
        let Expr::Property { object, .. } = self.linker.program.facts(file).expr(callee) else { return None };
        self.constant(file, object)
    }

    /// Of candidates in several declarations of one class or interface, which are overloads of each other, the one that
    /// a call takes. Other candidates stay as they are.
    fn with_taken_only(
        &mut self,
        candidates: SmallVec<[GlobalDef; 1]>,
        file: FileIndex,
        site: CallExprId,
    ) -> SmallVec<[GlobalDef; 1]> {
        if candidates.len() > 1
            && self.are_of_one_symbol(&candidates)
            && let Some((signature, _)) = self.linker.resolved_signature(file, site, u16::MAX)
        {
            let taken = self.linker.program.implementation(signature.def);
            if candidates.contains(&taken) {
                return SmallVec::from_slice(&[taken]);
            }
        }
        self.with_accepting_first(candidates, file, site)
    }

    /// Whether all definitions are members of declarations of one symbol.
    fn are_of_one_symbol(&self, members: &[GlobalDef]) -> bool {
        let outer = members.first().and_then(|member| self.linker.program.outer(*member));
        let Some(symbol) = outer.and_then(|outer| self.linker.program.symbol_of(outer)) else { return false };
        let declarations = self.linker.program.definitions(symbol);
        members
            .iter()
            .all(|member| self.linker.program.outer(*member).is_some_and(|outer| declarations.contains(&outer)))
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
            candidates.into_iter().partition(|candidate| Callees::of(self.linker).accepts_call(*candidate, file, site));
        accepting.extend(others);
        accepting
    }

    /// The class or interface of the receiver of a callee such as `receiver.method`.
    fn class_of_receiver(&mut self, file: FileIndex, callee: ExprId) -> Option<GlobalDef> {
        let _level = self.linker.descend()?;
        match self.linker.program.facts(file).expr(callee) {
            Expr::Property { object, .. } => {
                let receiver = self.linker.expr_type(file, object);
                Callees::of(self.linker).class_of_type(receiver)
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.class_of_receiver(file, inner),
            _ => None,
        }
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
        let Some(_level) = self.linker.descend() else { return };
        if depth > 8 {
            return;
        }
        match self.linker.types.kind(callee).clone() {
            TypeKind::External => search.is_outside = true,
            TypeKind::ClassConstructor(def, _) if is_new || is_component => search.add(self.linker, def),
            TypeKind::Function(def, _) => self.search_function(def, is_new, search),
            TypeKind::Union(constituents) | TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.search_callee(constituent, is_new, is_component, search, depth + 1);
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => match self.linker.constraint(callee) {
                Some(constraint) => self.search_callee(constraint, is_new, is_component, search, depth + 1),
                None => search.is_value = true,
            },
            TypeKind::Reference(..) | TypeKind::Anonymous(..) => {
                for signature in self.linker.signatures(callee, is_new) {
                    if self.linker.program.is_platform(signature.def) {
                        search.is_outside = true;
                        search.platform_signature.get_or_insert(signature.def);
                    } else {
                        search.is_value = true;
                    }
                    if self.is_installed_signature(signature.def) {
                        search.installed_signature.get_or_insert(signature.def);
                    }
                }
                // A type of the platform counts as external even if its declaration has no signature.
                if let TypeKind::Reference(symbol, _) = *self.linker.types.kind(callee)
                    && self.linker.program.definitions(symbol).iter().any(|def| self.linker.program.is_platform(*def))
                {
                    search.is_outside = true;
                }
            }
            TypeKind::Any | TypeKind::Unknown => {}
            _ => search.is_value = true,
        }
    }

    fn search_function(&mut self, def: GlobalDef, is_new: bool, search: &mut CalleeSearch) {
        if self.linker.program.is_platform(def) {
            search.is_outside = true;
            return;
        }
        let row = self.linker.program.def(def);
        let Some(function) = row.function() else { return };
        match function.kind {
            FunctionKind::Type => self.search_function_type(def, search),
            FunctionKind::CallSignature | FunctionKind::ConstructSignature | FunctionKind::ConstructorType => {
                search.is_value = true;
            }
            // A function of JavaScript that `new` calls is written for it.
            FunctionKind::Declaration | FunctionKind::Expression if is_new && row.name.is_some() => {
                let def = self.linker.program.implementation(def);
                search.add(self.linker, def);
            }
            _ if is_new => search.is_value = true,
            _ if self.linker.program.name_of(def).is_none() => search.is_anonymous = true,
            _ => {
                let def = self.linker.program.implementation(def);
                search.add(self.linker, def);
            }
        }
    }

    /// Adds the candidate for a call of a value with a function type:
    ///
    /// - If the function type annotates a property of an interface or type literal, the candidate is the function type.
    /// - If it annotates a class field that is initialised with a function, the candidate is that function.
    /// - Otherwise there is no candidate, because the called value is not known.
    fn search_function_type(&mut self, def: GlobalDef, search: &mut CalleeSearch) {
        let row = self.linker.program.def(def);
        let file = self.linker.program.file_of(def);
        let holder = row.outer.map(|outer| self.linker.program.facts(file).def(outer));
        match (row.name, holder) {
            (Some(name), Some(holder)) if matches!(holder.body, DefBody::Class(_)) => {
                let member = holder.members().iter().find(|m| m.name == Some(name));
                let initialiser = member.and_then(|member| match &member.kind {
                    MemberKind::Property { value: Some((value, _)), .. } => {
                        match self.linker.program.facts(file).expr(*value) {
                            Expr::Function(def) => Some(self.linker.program.global_def(file, def)),
                            _ => None,
                        }
                    }
                    _ => None,
                });
                match initialiser {
                    Some(initialiser) => search.add(self.linker, initialiser),
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
                if is_direct { search.add(self.linker, def) } else { search.is_value = true }
            }
            _ => {
                search.is_value = true;
                if self.files.get(file.index()).is_some_and(|file| file.is_installed) {
                    search.installed_function_type.get_or_insert(def);
                }
            }
        }
    }

    /// Whether an annotation is the function type `def`, or a union with `def`.
    fn is_function_type_of(&self, file: FileIndex, ty: TypeId, def: GlobalDef) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let facts = self.linker.program.facts(file);
        match facts.ty(ty) {
            TypeNode::Function(function) => self.linker.program.global_def(file, *function) == def,
            TypeNode::Union(list) => facts.type_list(*list).iter().any(|ty| self.is_function_type_of(file, *ty, def)),
            // The grammar takes the union in `readonly A[] | (() => B)` for the operand.
            TypeNode::Operator(inner) => self.is_function_type_of(file, *inner, def),
            _ => false,
        }
    }

    /// Why a callee of unknown type has no candidates.
    fn unresolved_reason(&mut self, file: FileIndex, callee: ExprId) -> UnresolvedReason {
        let Some(_level) = nesting::descend() else { return UnresolvedReason::Dynamic };
        match self.linker.program.facts(file).expr(callee) {
            Expr::Property { .. } => UnresolvedReason::UnknownReceiver,
            Expr::Name { symbol: None, .. } => UnresolvedReason::External,
            Expr::Name { symbol: Some(symbol), .. } => match self.linker.resolve_symbol(file, symbol) {
                ResolvedName::Missing => UnresolvedReason::UnknownName,
                ResolvedName::External | ResolvedName::AmbientModule(_) => UnresolvedReason::External,
                _ => UnresolvedReason::Dynamic,
            },
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.unresolved_reason(file, inner),
            _ => UnresolvedReason::Dynamic,
        }
    }
}

/// Counts the calls of JavaScript definitions for their declarations, where these can be called.
pub(in crate::typescript) fn redirect_calls(
    resolved: &mut [Vec<ResolvedCall>],
    declared: &DeclaredRows,
    rows: &DefinitionRows,
) {
    if declared.is_empty() {
        return;
    }
    let redirect = |def: &mut GlobalDef| *def = declared.declaring(*def, rows);
    for call in resolved.iter_mut().flatten() {
        call.candidates.iter_mut().for_each(redirect);
        call.receiver.iter_mut().for_each(redirect);
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
    /// The first signature of a constituent that is an interface or object type of the platform.
    platform_signature: Option<GlobalDef>,
    /// The first signature of a constituent that is an interface or object type of an installed package.
    installed_signature: Option<GlobalDef>,
    /// The first constituent that is a function type of an installed package, as a type alias may declare it.
    installed_function_type: Option<GlobalDef>,
}

impl CalleeSearch {
    /// Whether a value or an anonymous function is called, and nothing from outside.
    fn is_called_value(&self) -> bool {
        (self.is_value || self.is_anonymous) && !self.is_outside
    }

    fn add(&mut self, linker: &Linker<'_>, def: GlobalDef) {
        if linker.program.is_platform(def) {
            self.is_outside = true;
        } else if !self.candidates.contains(&def) {
            self.candidates.push(def);
        }
    }
}
