//! The functions, classes and object literals that expressions hold, under the assertions and guards around them.

use super::{FileIndex, GlobalDef, ProgramFacts};
use apidisc_facts::syntax::typescript::facts::{Expr, ExprId, FileFacts};

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

    /// The expression `value` without `as`, `satisfies`, `as const` and `!` around it.
    pub(in crate::typescript) fn without_assertions(&self, file: FileIndex, value: ExprId) -> ExprId {
        without_assertions(self.facts(file), value)
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
pub(in crate::typescript) fn without_assertions(facts: &FileFacts, mut value: ExprId) -> ExprId {
    while let Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::NonNull(inner) | Expr::AsConst(inner) =
        facts.expr(value)
    {
        value = inner;
    }
    value
}
