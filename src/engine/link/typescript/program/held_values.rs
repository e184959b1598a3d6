//! The functions, classes and object literals that expressions hold, under the assertions and guards around them; and
//! the variables of the top level.

use super::{FileIndex, GlobalDef, ProgramFacts};
use apidisc_facts::syntax::typescript::facts::{Decl, Expr, ExprId, FileFacts, Symbol, ValueSource, VariableId};

impl ProgramFacts<'_> {
    /// Whether a variable is declared at the top level and exported.
    pub(in crate::typescript) fn is_exported(&self, file: FileIndex, variable: VariableId) -> bool {
        self.top_level_symbol(file, variable).is_some_and(|symbol| symbol.is_exported)
    }

    /// Whether a variable is a constant at the top level whose value is the result of a call.
    pub(in crate::typescript) fn is_made_by_call(&self, file: FileIndex, variable: VariableId) -> bool {
        let row = &self.facts(file).variables[variable.index()];
        let ValueSource::Value(value) = row.source else { return false };
        let value = self.without_assertions(file, value);
        let is_call = matches!(self.facts(file).expr(value), Expr::Call(_));
        is_call && row.is_const && self.top_level_symbol(file, variable).is_some()
    }

    fn top_level_symbol(&self, file: FileIndex, variable: VariableId) -> Option<&Symbol> {
        let facts = self.facts(file);
        let symbol = facts.symbol_in(facts.file_scope(), facts.variables[variable.index()].name)?;
        Some(facts.symbol(symbol)).filter(|symbol| symbol.decls.contains(&Decl::Variable(variable)))
    }

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
