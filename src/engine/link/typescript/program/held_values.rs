//! The functions, classes and object literals that expressions hold, under the assertions and guards around them.

use smallvec::SmallVec;

use super::{FileIndex, GlobalDef, ProgramFacts};
use apidisc_facts::syntax::typescript::facts::{
    Decl, Expr, ExprId, FileFacts, Member, MemberKind, SymbolId, ValueSource,
};

/// The greatest number of values of one property that are visited.
const MAX_VALUES: usize = 16;

/// The values that a property may have, without type assertions: both of `a` and `b` if either is assigned to it.
pub(super) fn alternatives(facts: &FileFacts, value: ExprId) -> SmallVec<[ExprId; 1]> {
    let mut found = SmallVec::new();
    let mut pending: SmallVec<[ExprId; 1]> = SmallVec::from_slice(&[value]);
    while let Some(value) = pending.pop() {
        let value = without_assertions(facts, value);
        match facts.expr(value) {
            Expr::Either(a, b) if found.len() + pending.len() < MAX_VALUES => pending.extend([b, a]),
            _ => found.push(value),
        }
    }
    found
}

impl ProgramFacts<'_> {
    pub(in crate::typescript) fn held_function(&self, file: FileIndex, value: ExprId) -> Option<GlobalDef> {
        match self.facts(file).expr(self.without_assertions(file, value)) {
            Expr::Function(def) => Some(self.global_def(file, def)),
            _ => None,
        }
    }

    /// The expression `value` without type assertions around it, if it is a function, class or object literal.
    pub(in crate::typescript) fn held_value(&self, file: FileIndex, value: ExprId) -> Option<ExprId> {
        let value = self.without_assertions(file, value);
        let is_definition =
            matches!(self.facts(file).expr(value), Expr::Function(_) | Expr::Class(_) | Expr::Object(_));
        is_definition.then_some(value)
    }

    /// Whether one of the values of a property is a function expression.
    pub(in crate::typescript) fn holds_functions(&self, file: FileIndex, property: &Member) -> bool {
        let MemberKind::Property { value: Some((value, _)), .. } = property.kind else { return false };
        let facts = self.facts(file);
        alternatives(facts, value).iter().any(|value| matches!(facts.expr(*value), Expr::Function(_)))
    }

    /// The expression `value` without `as`, `satisfies`, `as const` and `!` around it.
    pub(in crate::typescript) fn without_assertions(&self, file: FileIndex, value: ExprId) -> ExprId {
        without_assertions(self.facts(file), value)
    }

    /// The symbol of the function or class that a variable names: that of `f` for `_default` in `var _default = f`. Any
    /// other symbol stays.
    pub(in crate::typescript) fn named_value(&self, file: FileIndex, symbol: SymbolId) -> SymbolId {
        let facts = self.facts(file);
        let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return symbol };
        let row = &facts.variables[variable.index()];
        let ValueSource::Value(value) = row.source else { return symbol };
        match facts.expr(value) {
            Expr::Name { symbol: Some(named), .. }
                if row.path.is_empty()
                    && row.assigned.is_empty()
                    && row.annotation.is_none()
                    && facts.symbol(named).decls.iter().all(|decl| matches!(decl, Decl::Def(_))) =>
            {
                named
            }
            _ => symbol,
        }
    }

    /// The expression without the type guards, casts and `!` around it.
    pub(in crate::typescript) fn without_guards_and_assertions(&self, file: FileIndex, expr: ExprId) -> ExprId {
        let facts = self.facts(file);
        let mut expr = expr;
        while let Expr::Narrowed(inner, _)
        | Expr::NonNull(inner)
        | Expr::As(inner, _)
        | Expr::Satisfies(inner, _)
        | Expr::AsConst(inner)
        | Expr::Instantiated(inner, _) = facts.expr(expr)
        {
            expr = inner;
        }
        expr
    }
}

/// The expression `value` without `as`, `satisfies`, `as const` and `!` around it.
fn without_assertions(facts: &FileFacts, mut value: ExprId) -> ExprId {
    while let Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::NonNull(inner) | Expr::AsConst(inner) =
        facts.expr(value)
    {
        value = inner;
    }
    value
}
