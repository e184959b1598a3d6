//! What can be told when a whole file is read: what names mean, and with it what depends on that.

use rustc_hash::FxHashSet;

use super::{
    assignments::AssignedField,
    conditions::Condition,
    facts::{
        Decl, DefBody, ExportKind, Expr, ExprId, FileFacts, NameId, ScopeId, SiteId, SymbolId, TypeNode, ValueSource,
    },
    frame::Words,
    lower::Lowering,
};

/// Values kept that are assigned to a variable later.
const MAX_ASSIGNED: usize = 8;

/// What waits for the end of the file.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// Names that are read, and from where.
    pub(super) reads: Vec<(ExprId, ScopeId)>,
    /// Names that are given a value after their declaration.
    pub(super) assigned: Vec<(ExprId, Option<ExprId>)>,
    /// Exports of names that may be declared below.
    pub(super) exports: Vec<LocalExport>,
    /// Rows of exports that assign to `exports` or `module`, which the name must mean.
    pub(super) common_js: Vec<(usize, ExprId)>,
    /// Calls of `require` with the module.
    pub(super) required: Vec<(SiteId, ExprId, NameId)>,
    /// What methods assign to fields of the classes that are being read.
    pub(super) fields: Vec<AssignedField>,
    /// What the last call of an `assert` says.
    pub(super) asserted: Option<(SiteId, Condition)>,
}

/// `export { name }`
#[derive(Debug)]
pub(super) struct LocalExport {
    pub(super) scope: ScopeId,
    pub(super) name: NameId,
    /// Its row, in the file's scope.
    pub(super) at: usize,
}

/// What a name can be.
#[derive(Clone, Copy, Debug, Default)]
struct Meaning {
    value: bool,
    ty: bool,
    namespace: bool,
}

impl Meaning {
    fn of(facts: &FileFacts, decls: &[Decl]) -> Self {
        let mut meaning = Self::default();
        for decl in decls {
            let (value, ty, namespace) = match decl {
                Decl::Import(_) => (true, true, true),
                Decl::TypeParam(_) => (false, true, false),
                Decl::Variable(_) | Decl::Parameter(..) => (true, false, false),
                Decl::Def(def) => match facts.def(*def).body {
                    DefBody::Function(_) => (true, false, false),
                    DefBody::Class(_) => (true, true, false),
                    DefBody::Enum(_) => (true, true, true),
                    DefBody::Namespace => (true, false, true),
                    _ => (false, true, false),
                },
            };
            meaning.value |= value;
            meaning.ty |= ty;
            meaning.namespace |= namespace;
        }
        meaning
    }
}

impl Lowering<'_> {
    /// Ends the file.
    pub(super) fn finish(mut self) -> FileFacts {
        let meanings: Vec<Meaning> =
            self.facts.symbols.iter().map(|symbol| Meaning::of(&self.facts, &symbol.decls)).collect();
        self.resolve_reads(&meanings);
        self.resolve_types(&meanings);
        self.resolve_exports();
        self.resolve_required();
        let assigned = self.resolve_assigned();
        self.check_narrowed(&assigned);
        for (&(scope, name), &symbol) in &self.symbols {
            self.facts.scopes[scope.index()].symbols.push((name, symbol));
        }
        for scope in &mut self.facts.scopes {
            scope.symbols.sort_unstable();
        }
        self.facts.contexts.sort_unstable_by_key(|(expr, _)| *expr);
        self.facts
    }

    /// What a name means, looked up from `scope` outwards.
    fn resolve(&self, scope: ScopeId, name: NameId, fits: impl Fn(SymbolId) -> bool) -> Option<SymbolId> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(&symbol) = self.symbols.get(&(scope, name))
                && fits(symbol)
            {
                return Some(symbol);
            }
            at = self.facts.scopes[scope.index()].parent;
        }
        None
    }

    /// For each name, whether the file declares it anywhere: most names are properties of others.
    fn declared(&self) -> Vec<bool> {
        let mut declared = vec![false; self.facts.names.len()];
        for symbol in &self.facts.symbols {
            declared[symbol.name.index()] = true;
        }
        declared
    }

    fn resolve_reads(&mut self, meanings: &[Meaning]) {
        let declared = self.declared();
        for (expr, scope) in std::mem::take(&mut self.pending.reads) {
            if let Expr::Name { name, .. } = self.facts.expr(expr)
                && declared[name.index()]
            {
                let symbol = self.resolve(scope, name, |symbol| meanings[symbol.index()].value);
                self.facts.exprs[expr.index()] = Expr::Name { name, symbol };
            }
        }
    }

    fn resolve_types(&mut self, meanings: &[Meaning]) {
        let declared = self.declared();
        let mut types = std::mem::take(&mut self.facts.types);
        for ty in &mut types {
            if let TypeNode::Ref { symbol, path, scope, .. } = ty
                && let Some(&name) = path.first()
                && declared[name.index()]
            {
                let is_namespace = path.len() > 1;
                *symbol = self.resolve(*scope, name, |symbol| {
                    let meaning = meanings[symbol.index()];
                    if is_namespace { meaning.namespace } else { meaning.ty }
                });
            }
        }
        self.facts.types = types;
    }

    fn resolve_exports(&mut self) {
        for LocalExport { scope, name, at } in std::mem::take(&mut self.pending.exports) {
            let Some(symbol) = self.resolve(scope, name, |_| true) else { continue };
            self.facts.symbols[symbol.index()].is_exported = true;
            if scope == ScopeId::new(0)
                && let Some(export) = self.facts.exports.get_mut(at)
            {
                export.kind = ExportKind::Symbol(symbol);
            }
        }
        let mut others = FxHashSet::default();
        for (at, root) in std::mem::take(&mut self.pending.common_js) {
            if let Expr::Name { symbol: None, .. } = self.facts.expr(root) {
                self.facts.is_module = true;
            } else {
                others.insert(at);
            }
        }
        if !others.is_empty() {
            let mut at = 0;
            self.facts.exports.retain(|_| {
                at += 1;
                !others.contains(&(at - 1))
            });
        }
    }

    fn resolve_required(&mut self) {
        for (site, expr, module) in std::mem::take(&mut self.pending.required) {
            let call = &mut self.facts.calls[site.index()];
            if let Expr::Name { name, symbol: None } = self.facts.exprs[call.callee.index()]
                && name == Words::require()
            {
                call.line = 0;
                self.facts.exprs[expr.index()] = Expr::Require(module);
            }
        }
    }

    /// The symbols that anything is assigned to, variables among them having been given those values.
    fn resolve_assigned(&mut self) -> FxHashSet<SymbolId> {
        let mut assigned = FxHashSet::default();
        for (target, value) in std::mem::take(&mut self.pending.assigned) {
            let Expr::Name { symbol: Some(symbol), .. } = self.facts.expr(target) else { continue };
            assigned.insert(symbol);
            let variable = self.facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
                Decl::Variable(variable) => Some(*variable),
                _ => None,
            });
            let (Some(value), Some(variable)) = (value, variable) else { continue };
            let row = &self.facts.variables[variable.index()];
            let says_nothing = match row.source {
                ValueSource::None => true,
                ValueSource::Value(first) => match self.facts.expr(first) {
                    Expr::Null | Expr::Undefined => true,
                    Expr::Array(list) => self.facts.list(list).is_empty(),
                    _ => false,
                },
                _ => false,
            };
            if says_nothing && row.annotation.is_none() && row.path.is_empty() && row.assigned.len() < MAX_ASSIGNED {
                self.facts.variables[variable.index()].assigned.push(value);
            }
        }
        assigned
    }

    /// Takes guards off reads of another variable of the same name, and off those that may run after an assignment.
    fn check_narrowed(&mut self, assigned: &FxHashSet<SymbolId>) {
        for read in std::mem::take(&mut self.known.narrowed) {
            let holds = match (self.facts.expr(read.root), self.facts.expr(read.tested)) {
                (Expr::Name { symbol: a, .. }, Expr::Name { symbol: b, .. }) => {
                    a == b && !(read.in_closure && a.is_some_and(|symbol| assigned.contains(&symbol)))
                }
                (Expr::This(a), Expr::This(b)) => a == b,
                _ => false,
            };
            if (!holds || read.is_ended)
                && let Expr::Narrowed(inner, _) = self.facts.expr(read.expr)
            {
                self.facts.exprs[read.expr.index()] = self.facts.expr(inner);
            }
        }
    }
}
