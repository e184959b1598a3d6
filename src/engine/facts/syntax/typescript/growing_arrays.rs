//! The values that are added to arrays which variables are declared with as `[]`.

use rustc_hash::FxHashMap;

use super::{
    facts::{AddedItem, Decl, Expr, ExprId, SymbolId, ValueSource, VariableId},
    lower::Lowering,
};

/// The greatest number of values that are kept of those added to one array.
const MAX_ITEMS: usize = 8;

impl Lowering<'_> {
    /// Collects the values that `push`, `unshift` and assignments to items add. Runs after names are resolved.
    pub(super) fn collect_added_items(&mut self) {
        let arrays = self.empty_arrays();
        if arrays.is_empty() {
            return;
        }
        let mut items = Vec::new();
        for site in &self.facts.calls {
            let Expr::Property { object, name, .. } = self.facts.expr(self.without_guards(site.callee)) else {
                continue;
            };
            let Some(variable) = self.held_by(object, &arrays) else { continue };
            if matches!(self.facts.name(name), "push" | "unshift") {
                let added = site.arguments.iter();
                items.extend(added.map(|arg| AddedItem { variable, value: arg.value, is_spread: arg.is_spread }));
            }
        }
        for &(target, value) in &self.facts.assigned_properties {
            if let Expr::Item { object, .. } | Expr::Index { object, .. } = self.facts.expr(target)
                && let Some(variable) = self.held_by(object, &arrays)
            {
                items.push(AddedItem { variable, value, is_spread: false });
            }
        }
        items.sort_by_key(|item| item.variable);
        let mut last = (None, 0);
        items.retain(|item| {
            last = if last.0 == Some(item.variable) { (last.0, last.1 + 1) } else { (Some(item.variable), 1) };
            last.1 <= MAX_ITEMS
        });
        self.facts.added_items = items;
    }

    /// The variables that are declared with `[]` and without an annotation, by symbol.
    fn empty_arrays(&self) -> FxHashMap<SymbolId, VariableId> {
        let mut arrays = FxHashMap::default();
        for (at, symbol) in self.facts.symbols.iter().enumerate() {
            let [Decl::Variable(variable)] = symbol.decls[..] else { continue };
            let row = &self.facts.variables[variable.index()];
            if let (ValueSource::Value(value), None, true) = (row.source, row.annotation, row.path.is_empty())
                && let Expr::Array(list) = self.facts.expr(value)
                && self.facts.list(list).is_empty()
            {
                arrays.insert(SymbolId::new(at), variable);
            }
        }
        arrays
    }

    /// The variable among `arrays` that an expression names.
    fn held_by(&self, expr: ExprId, arrays: &FxHashMap<SymbolId, VariableId>) -> Option<VariableId> {
        match self.facts.expr(self.without_guards(expr)) {
            Expr::Name { symbol: Some(symbol), .. } => arrays.get(&symbol).copied(),
            _ => None,
        }
    }
}
