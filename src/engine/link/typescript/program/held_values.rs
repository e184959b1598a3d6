//! The functions, classes and object literals that expressions hold, under the assertions and guards around them; and
//! the variables of the top level.

use smallvec::SmallVec;

use super::{FileIndex, GlobalDef, ProgramFacts};
use apidisc_facts::syntax::typescript::facts::{
    Decl, DefBody, Expr, ExprId, FileFacts, Member, MemberKind, Symbol, SymbolId, TypeId, TypeNode, ValueSource,
    VariableId,
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
    /// Whether a variable is declared at the top level and exported.
    pub(in crate::typescript) fn is_exported(&self, file: FileIndex, variable: VariableId) -> bool {
        self.top_level_symbol(file, variable).is_some_and(|symbol| symbol.is_exported)
    }

    /// The variable in whose annotation the outermost type literal around a definition stands, as a whole or as a part
    /// of an intersection: `Menu` for `const Menu: FC<Props> & { Item: FC<Props> }`.
    pub(in crate::typescript) fn constant_of_literal(&self, def: GlobalDef) -> Option<VariableId> {
        let mut outermost = def;
        while let Some(outer) = self.outer(outermost) {
            outermost = outer;
        }
        let (facts, outermost) = (self.facts(self.file_of(def)), self.local_def(outermost));
        if !matches!(facts.def(outermost).body, DefBody::TypeLiteral(_)) {
            return None;
        }
        let is_literal = |ty: TypeId| matches!(*facts.ty(ty), TypeNode::Literal(def) if def == outermost);
        let holds = |annotation: TypeId| match *facts.ty(annotation) {
            TypeNode::Intersection(list) => facts.type_list(list).iter().any(|part| is_literal(*part)),
            _ => is_literal(annotation),
        };
        let variable = facts.variables.iter().position(|variable| variable.annotation.is_some_and(holds));
        variable.map(VariableId::new)
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
