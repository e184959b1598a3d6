//! Captured variables: the values of a function's variables where nested functions and classes read them.
//!
//! A nested function runs later than its definition. If a variable is not assigned after the definition of the nested
//! function, the nested function reads the value, and the narrowed type, that the variable has at the definition.

use rustc_hash::FxHashSet;

use super::{
    facts::{BindingId, BindingKind, DefBody, Expr, ExprId, NameId, ReachingBindings, ScopeId, ScopeKind},
    flow::FlowState,
    lower::Lowering,
};

/// A read of a variable of an enclosing function.
#[derive(Debug)]
pub(super) struct CapturedRead {
    expr: ExprId,
    name: NameId,
    /// The scope that contains the read.
    scope: ScopeId,
    /// The bindings that reach the definition of the nested function.
    reaching: ReachingBindings,
    /// The number of bindings before the definition of the nested function.
    bindings_before: usize,
}

impl Lowering<'_> {
    /// Records that `expr` reads `name` if a function around the current one binds the name.
    pub(super) fn note_captured_read(&mut self, expr: ExprId, name: NameId) {
        let mut inner = &self.flow;
        for flow in self.outer_flows.iter().rev() {
            let reaching = flow.get(name);
            if !reaching.is_empty() && self.is_function(flow) {
                self.captured_reads.push(CapturedRead {
                    expr,
                    name,
                    scope: self.flow.scope,
                    reaching,
                    bindings_before: inner.bindings_before,
                });
                return;
            }
            inner = flow;
        }
    }

    fn is_function(&self, flow: &FlowState) -> bool {
        flow.def.is_some_and(|def| matches!(self.facts.def(def).body, DefBody::Function(_)))
    }

    /// Gives captured reads the bindings that reach the nested function, if the variable is never assigned after it.
    /// Bindings have to be sorted.
    pub(super) fn resolve_captured_reads(&mut self) {
        let reads = std::mem::take(&mut self.captured_reads);
        if reads.is_empty() {
            return;
        }
        let shared = self.variables_of_inner_functions();
        let facts = &mut self.facts;
        for read in reads {
            let variable = facts.scopes_binding(read.scope, read.name).next();
            // An annotated assignment narrows the declared type, which other reads have.
            let is_annotated = |b: &BindingId| {
                matches!(facts.bindings[b.index()].kind, BindingKind::Assign { annotation: Some(_), .. })
            };
            let is_settled = variable.is_some_and(|(scope, bindings)| {
                facts.scopes[scope.index()].kind == ScopeKind::Function
                    && !shared.contains(&(scope, read.name))
                    && (facts.reaching(read.reaching) != bindings || bindings.iter().any(is_annotated))
                    && bindings.iter().all(|b| {
                        let kind = &facts.bindings[b.index()].kind;
                        b.index() < read.bindings_before
                            && matches!(kind, BindingKind::Assign { .. } | BindingKind::Parameter(..))
                    })
            });
            if is_settled && let Expr::Name { reaching, .. } = &mut facts.exprs[read.expr.index()] {
                *reaching = read.reaching;
            }
        }
    }

    /// The variables that nested functions declare `nonlocal` or `global`, and so may assign, each with the scope that
    /// owns the variable.
    fn variables_of_inner_functions(&self) -> FxHashSet<(ScopeId, NameId)> {
        let facts = &self.facts;
        let declarations = facts.bindings.iter().filter(|b| matches!(b.kind, BindingKind::OuterScope { .. }));
        let variables = declarations.flat_map(|b| {
            let enclosing = facts.scopes[b.scope.index()].parent.into_iter();
            enclosing.flat_map(|scope| facts.scopes_binding(scope, b.name)).map(|(scope, _)| (scope, b.name))
        });
        variables.collect()
    }
}
