//! The values that calls are made on: the result of an earlier call of the file, or a variable that several calls
//! share.
//!
//! A name is followed to its only declaration. A variable that is assigned to later holds no known value.

use crate::receiver_links::{self as links, ReceiverOrigin};
use apidisc_base::nesting;
use apidisc_facts::{
    program::ReceiverLink,
    syntax::typescript::facts::{CallExprId, Decl, Expr, ExprId, FileFacts, SymbolId, ValueSource},
};

/// The greatest number of declarations and wrappers between a receiver and the call that makes its value.
const MOST_STEPS: u32 = 16;

/// A value that a call is made on.
type Value = ReceiverOrigin<CallExprId, SymbolId>;

/// The links of some calls of a file to earlier ones of them. `order` names the calls in the order of the text.
pub(in crate::typescript) fn receiver_links(facts: &FileFacts, order: &[CallExprId]) -> Vec<ReceiverLink> {
    links::receiver_links(order, |call| value_of(facts, receiver(facts, facts.site(call).callee)?, MOST_STEPS))
}

/// The receiver of a callee.
fn receiver(facts: &FileFacts, mut callee: ExprId) -> Option<ExprId> {
    for _ in 0..MOST_STEPS {
        match facts.expr(callee) {
            Expr::Property { object, .. } => return Some(object),
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) | Expr::Instantiated(inner, _) => {
                callee = inner;
            }
            _ => return None,
        }
    }
    None
}

/// The value of an expression; `None` if it has no known origin in the file.
fn value_of(facts: &FileFacts, expr: ExprId, steps: u32) -> Option<Value> {
    let _level = nesting::descend()?;
    let steps = steps.checked_sub(1)?;
    match facts.expr(expr) {
        Expr::Call(call) => Some(Value::Result(call)),
        Expr::Await(inner)
        | Expr::As(inner, _)
        | Expr::AsConst(inner)
        | Expr::Satisfies(inner, _)
        | Expr::NonNull(inner)
        | Expr::Narrowed(inner, _) => value_of(facts, inner, steps),
        Expr::Name { symbol: Some(symbol), .. } => declared_value(facts, symbol, steps),
        _ => None,
    }
}

/// The value of a name with one declaration. `None` for an imported name, function or class.
fn declared_value(facts: &FileFacts, symbol: SymbolId, steps: u32) -> Option<Value> {
    let [declaration] = facts.symbol(symbol).decls[..] else { return None };
    match declaration {
        Decl::Variable(variable) => {
            let variable = &facts.variables[variable.index()];
            let value = match variable.source {
                ValueSource::Value(value) if variable.path.is_empty() && variable.is_const => {
                    value_of(facts, value, steps)
                }
                _ => None,
            };
            Some(value.unwrap_or(Value::Variable(symbol)))
        }
        Decl::Parameter(..) => Some(Value::Variable(symbol)),
        Decl::Def(_) | Decl::Import(_) | Decl::TypeParam(_) => None,
    }
}
