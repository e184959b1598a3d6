//! Resolution of call sites to definitions.

use smallvec::SmallVec;

use super::{
    bind::ReceiverPassing,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{ClassId, FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::UnresolvedReason,
    syntax::python::facts::{BindingKind, CallExpr, Expr, ExprId},
};

/// A definition that a call may resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallCandidate {
    pub(crate) def: GlobalDef,
    pub(crate) passing: ReceiverPassing,
    /// For a method, the class through which the call reaches it; `None` if the class is not known.
    pub(crate) receiver: Option<ClassId>,
}

/// The candidates of a call site, or the reason why there are none.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedCall {
    pub(crate) candidates: SmallVec<[CallCandidate; 2]>,
    pub(crate) unresolved_reason: UnresolvedReason,
    /// True if the callee may also be a function or class from outside the sources.
    pub(crate) may_be_outside: bool,
}

impl Linker<'_> {
    /// Resolves one call site.
    pub(crate) fn resolve_call(&mut self, file: FileIndex, site: &CallExpr) -> ResolvedCall {
        self.begin_query();
        let facts = self.program.facts(file);
        let mut callee = site.callee;
        // `Box[int](…)` is a call of `Box`; `table[k](…)` is a call of an item of `table`.
        if let Expr::Subscript { value, .. } = facts.expr(callee) {
            let inner = self.expr_type(file, value);
            if matches!(self.types.get(inner), Type::Class(..)) {
                callee = value;
            }
        }
        let ty = self.expr_type(file, callee);
        let mut candidates: SmallVec<[CallCandidate; 2]> = SmallVec::new();
        let mut is_external = false;
        self.add_candidates(ty, &mut candidates, &mut is_external);
        if self.is_exhausted() {
            candidates.clear();
            is_external = false;
        }
        let is_fallback = candidates.is_empty() && is_external;
        if is_fallback {
            candidates = self.fallback_definitions(file, callee);
        }
        // A static method, or a method that is called through its class, is a plain function.
        if let [candidate] = &mut candidates[..]
            && candidate.receiver.is_none()
            && self.program.owner(candidate.def).is_some()
            && let Expr::Attribute { value, .. } = facts.expr(callee)
        {
            let receiver = self.expr_type(file, value);
            candidate.receiver = self.class_of_receiver(receiver);
        }
        let unresolved_reason = if is_external {
            UnresolvedReason::External
        } else if ty == TypeId::TOO_COMPLEX || self.is_limited() {
            UnresolvedReason::TooComplex
        } else {
            self.unresolved_reason(file, callee)
        };
        let is_name = matches!(facts.expr(callee), Expr::Name { .. });
        let mut may_be_outside = (is_name || is_fallback) && is_external && !candidates.is_empty();
        if let [candidate] = candidates[..]
            && !may_be_outside
        {
            may_be_outside = self.may_be_imported(file, callee, candidate.def);
        }
        ResolvedCall { candidates, unresolved_reason, may_be_outside }
    }

    pub(super) fn add_candidates(
        &mut self,
        ty: TypeId,
        candidates: &mut SmallVec<[CallCandidate; 2]>,
        is_external: &mut bool,
    ) {
        let Some(_level) = self.descend() else { return };
        let parts = self.types.parts(ty);
        for &part in parts.iter() {
            let candidate = match *self.types.get(part) {
                Type::Class(class, _) => Some(CallCandidate {
                    def: self.program.class_def(class),
                    passing: ReceiverPassing::Implicit,
                    receiver: None,
                }),
                Type::Function(def) => self.function_candidate(def),
                Type::Method(def, receiver) => {
                    let receiver = self.class_of_receiver(receiver);
                    Some(self.method_candidate(def, receiver))
                }
                Type::Instance(class, _) => {
                    let name = self.program.interner.intern("__call__");
                    match self.lookup_member(class, name) {
                        MemberLookup::Found(ClassMember::Function { def, .. }) => {
                            Some(self.method_candidate(def, Some(class)))
                        }
                        MemberLookup::External => {
                            *is_external = true;
                            None
                        }
                        _ => None,
                    }
                }
                Type::Variable(variable) => {
                    let bound = self.type_variable_bound(variable);
                    if !bound.is_unknown() && !matches!(self.types.get(bound), Type::Variable(_)) {
                        self.add_candidates(bound, candidates, is_external);
                    }
                    None
                }
                // `cls: type[T]`: the class is the bound of `T`.
                Type::ExternalInstance(path, ref args)
                    if self.program.interner.text(path) == "type" && args.len() == 1 =>
                {
                    let instance = args[0];
                    let class = self.class_of_instance(instance);
                    if matches!(self.types.get(class), Type::Class(..)) {
                        self.add_candidates(class, candidates, is_external);
                    } else {
                        *is_external = true;
                    }
                    None
                }
                Type::ExternalInstance(..) if let Some(function) = self.static_function(part) => {
                    self.add_candidates(function, candidates, is_external);
                    None
                }
                Type::ExternalName(_)
                | Type::ExternalClass(..)
                | Type::ExternalInstance(..)
                | Type::ExternalMethod(..)
                | Type::External
                | Type::Tuple(_) => {
                    *is_external = true;
                    None
                }
                Type::Unknown | Type::TooComplex | Type::None | Type::Module(_) | Type::Super(..) | Type::Union(_) => {
                    None
                }
            };
            if let Some(candidate) = candidate
                && !candidates.iter().any(|c| c.def == candidate.def)
            {
                candidates.push(candidate);
            }
        }
    }

    /// The class of a receiver that is an instance of a class, or a class itself.
    fn class_of_receiver(&self, receiver: TypeId) -> Option<ClassId> {
        match *self.types.get(receiver) {
            Type::Class(class, _) | Type::Instance(class, _) => Some(class),
            _ => None,
        }
    }

    fn function_candidate(&self, def: GlobalDef) -> Option<CallCandidate> {
        let is_lambda = self.program.function(def).is_some_and(|f| f.is_lambda);
        let in_class = self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        let passing = if in_class { ReceiverPassing::Argument } else { ReceiverPassing::Implicit };
        (!is_lambda).then_some(CallCandidate { def, passing, receiver: None })
    }

    /// The candidate for a function that an instance of `receiver`, or that class itself, has as a bound method.
    fn method_candidate(&self, def: GlobalDef, receiver: Option<ClassId>) -> CallCandidate {
        match self.program.owner(def) {
            Some(_) => CallCandidate { def, passing: ReceiverPassing::Implicit, receiver },
            None => CallCandidate { def, passing: ReceiverPassing::FirstParameter, receiver: None },
        }
    }

    fn unresolved_reason(&self, file: FileIndex, callee: ExprId) -> UnresolvedReason {
        let facts = self.program.facts(file);
        match facts.expr(callee) {
            Expr::Attribute { .. } => UnresolvedReason::UnknownReceiver,
            Expr::Name { name, scope, reaching } => {
                let mut bound = facts.reaching(reaching);
                let mut enclosing = Some(scope);
                while let (true, Some(scope)) = (bound.is_empty(), enclosing) {
                    bound = facts.bindings_of(scope, name);
                    enclosing = facts.scopes[scope.index()].parent;
                }
                let is_value = bound.iter().any(|b| {
                    !matches!(
                        facts.bindings[b.index()].kind,
                        BindingKind::Import { .. } | BindingKind::ImportFrom { .. } | BindingKind::OuterScope { .. }
                    )
                });
                if is_value { UnresolvedReason::Dynamic } else { UnresolvedReason::UnknownName }
            }
            _ => UnresolvedReason::Dynamic,
        }
    }
}
