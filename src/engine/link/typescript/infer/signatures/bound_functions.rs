//! Functions that `bind`, `call` and `apply` use.

use crate::typescript::{
    infer::Linker,
    program::FileIndex,
    types::{InternedType, InternedTypes, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{CallExpr, CallExprId, Decl, Expr, ExprId, ValueSource};

impl Linker<'_> {
    /// The result of `f.bind(this)`, which is `f`, and of `f.call(…)` and `f.apply(…)`, which is that of `f`. `None`
    /// for any other call. A function with bound arguments has no type: see [`Self::bound_callee`].
    pub(super) fn function_method_result(&mut self, file: FileIndex, row: &CallExpr) -> Option<InternedType> {
        let facts = self.program.facts(file);
        let Expr::Property { object, name, .. } =
            facts.expr(self.program.without_guards_and_assertions(file, row.callee))
        else {
            return None;
        };
        let method = facts.name(name);
        if !matches!(method, "bind" | "call" | "apply") {
            return None;
        }
        let ty = self.expr_type(file, object);
        let mut results = InternedTypes::new();
        for constituent in self.types.constituents(ty) {
            let TypeKind::Function(def, substitution) = *self.types.kind(constituent) else { return None };
            if method == "bind" {
                continue;
            }
            // The compiler takes type parameters for their constraints here, whatever the arguments are.
            let file = self.program.file_of(def);
            let mut bindings = TypeBindings::from_slice(self.types.bindings(substitution));
            for &param in self.program.def(def).type_params() {
                let param = self.program.global_param(file, param);
                let ty = self.fallback_type_argument(param, &bindings);
                bindings.push((TypeVariable::Parameter(param), ty));
            }
            let substitution = self.types.intern_substitution(bindings);
            let generic = self.return_type(def);
            results.push(self.substitute(generic, substitution));
        }
        if method == "bind" {
            let is_whole = row.arguments.len() < 2 && row.arguments.iter().all(|argument| !argument.is_spread);
            return Some(if is_whole { ty } else { InternedType::ANY });
        }
        Some(self.types.union(results))
    }

    /// The function that a constant with bound arguments calls, and the number of its bound arguments: `f` and 1 for
    /// `g` in `const g = f.bind(this, 1)`.
    pub(in crate::typescript) fn bound_callee(
        &mut self,
        file: FileIndex,
        callee: ExprId,
    ) -> Option<(InternedType, usize)> {
        let facts = self.program.facts(file);
        let Expr::Name { symbol: Some(symbol), .. } =
            facts.expr(self.program.without_guards_and_assertions(file, callee))
        else {
            return None;
        };
        let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return None };
        let variable = &facts.variables[variable.index()];
        let ValueSource::Value(value) = variable.source else { return None };
        let Expr::Call(site) = facts.expr(value) else { return None };
        if !variable.is_const || !variable.path.is_empty() || variable.annotation.is_some() {
            return None;
        }
        self.bound_by(file, site)
    }

    fn bound_by(&mut self, file: FileIndex, site: CallExprId) -> Option<(InternedType, usize)> {
        let facts = self.program.facts(file);
        let row = facts.site(site);
        let Expr::Property { object, name, .. } = facts.expr(row.callee) else { return None };
        let is_bound = facts.name(name) == "bind" && row.arguments.iter().all(|argument| !argument.is_spread);
        let ty = self.expr_type(file, object);
        let is_function = is_bound && matches!(self.types.kind(ty), TypeKind::Function(..));
        is_function.then(|| (ty, row.arguments.len().saturating_sub(1)))
    }
}
