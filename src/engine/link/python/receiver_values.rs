//! The origins of the receivers of calls: an earlier call of the file, or a variable that is the receiver of several
//! calls.
//!
//! No type is needed, because only names are followed to their bindings: a name with one reaching binding has the value
//! of that binding.

use crate::receiver_links::{self as links, ReceiverOrigin};
use apidisc_base::nesting;
use apidisc_facts::{
    program::ReceiverLink,
    syntax::python::facts::{
        BindingId, BindingKind, CallExprId, Expr, ExprId, Extraction, FileFacts, ScopeId, ScopeKind,
    },
};

/// The greatest number of assignments between a receiver and the call that returns its value.
const MAX_STEPS: u32 = 8;

/// The origin of the receiver of a call.
type Value = ReceiverOrigin<CallExprId, BindingId>;

/// Links each call in `order` to an earlier call in `order` on the same value, if there is one. `order` holds calls of
/// one file in the order of the text.
pub(super) fn receiver_links(facts: &FileFacts, order: &[CallExprId]) -> Vec<ReceiverLink> {
    links::receiver_links(order, |call| match facts.expr(facts.calls[call.index()].callee) {
        Expr::Attribute { value: receiver, .. } => value_of(facts, receiver, MAX_STEPS),
        _ => None,
    })
}

/// The origin of the value of an expression; `None` if the file does not show it.
fn value_of(facts: &FileFacts, expr: ExprId, steps: u32) -> Option<Value> {
    let _level = nesting::descend()?;
    let steps = steps.checked_sub(1)?;
    match facts.expr(expr) {
        Expr::Call(call) => (!facts.is_named(facts.calls[call.index()].callee, "super")).then_some(Value::Result(call)),
        Expr::Await(inner) => value_of(facts, inner, steps),
        Expr::Attribute { reaching, .. } => bound_value(facts, facts.reaching(reaching), steps),
        Expr::Name { reaching, .. } if !reaching.is_empty() => bound_value(facts, facts.reaching(reaching), steps),
        Expr::Name { name, scope, .. } => {
            let outer = |scope: ScopeId| facts.scopes[scope.index()].parent;
            let binds = |scope: &ScopeId| {
                facts.scopes[scope.index()].kind != ScopeKind::Class && !facts.bindings_of(*scope, name).is_empty()
            };
            let scope = std::iter::successors(outer(scope), |&scope| outer(scope)).find(binds)?;
            bound_value(facts, facts.bindings_of(scope, name), steps)
        }
        _ => None,
    }
}

/// The origin of the value of a name or access path that these bindings reach. `None` if there are several, or if the
/// binding holds a module, function or class.
fn bound_value(facts: &FileFacts, bindings: &[BindingId], steps: u32) -> Option<Value> {
    let &[binding] = bindings else { return None };
    match &facts.bindings[binding.index()].kind {
        BindingKind::Assign { value, unpack, extraction, .. } => {
            let is_whole = unpack.is_none()
                && matches!(extraction, Extraction::Value | Extraction::Enter | Extraction::AsyncEnter);
            let value = value.filter(|_| is_whole).and_then(|value| value_of(facts, value, steps));
            Some(value.unwrap_or(Value::Variable(binding)))
        }
        BindingKind::Parameter(..) => Some(Value::Variable(binding)),
        BindingKind::Narrow { before, .. } => value_of(facts, *before, steps),
        _ => None,
    }
}
