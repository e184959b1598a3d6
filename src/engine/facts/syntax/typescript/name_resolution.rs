//! Name resolution at the end of a file, when all declarations are known, and the steps that depend on resolved names.

use rustc_hash::FxHashSet;

use super::{
    assignments::AssignedField,
    conditions::NarrowingCondition,
    context::WellKnownNames,
    documented_types::Documented,
    facts::{
        CallExprId, Decl, DefBody, ExportKind, Expr, ExprId, FileFacts, GuardId, ImportKind, NameId, NarrowingTest,
        ScopeId, SymbolId, TypeNode, ValueSource,
    },
    lower::Lowering,
    narrowing::NarrowedRead,
    prototypes::AssignmentPlace,
};
use crate::syntax::typescript::Dialect;
use apidisc_base::{nesting, sort::SharedSort as _};

/// The greatest number of values that are kept from later assignments to a variable.
const MAX_ASSIGNED: usize = 8;

/// Work that is put off, most of it until the end of the file, because it needs resolved names.
#[derive(Debug, Default)]
pub(super) struct DeferredWork {
    /// The reads of names, with the scopes in which they occur.
    pub(super) reads: Vec<(ExprId, ScopeId)>,
    /// The names that are assigned to after their declaration, with the values; `None` for an unknown value.
    pub(super) reassigned: Vec<(ExprId, Option<ExprId>)>,
    /// Exports of names that may be declared later in the file.
    pub(super) local_exports: Vec<LocalExport>,
    /// Exports of namespaces, which may name declarations later in the file.
    pub(super) namespace_exports: Vec<NamespaceExport>,
    /// `CommonJS` exports: the row of each in the exports of the file, and the read of `exports` or `module`. The row
    /// is dropped if the file declares `exports` or `module` itself.
    pub(super) common_js: Vec<(usize, ExprId)>,
    /// Calls of `require` with one string: the call, its expression and the module.
    pub(super) require_calls: Vec<(CallExprId, ExprId, NameId)>,
    /// The fields that methods of the enclosing classes assign. The end of each class takes its own fields.
    pub(super) assigned_fields: Vec<AssignedField>,
    /// The places of the assignments in [`FileFacts::assigned_properties`].
    pub(super) assigned_properties: Vec<AssignmentPlace>,
    /// The declarations that have annotations from JSDoc comments.
    pub(super) documented: Vec<Documented>,
    /// The last call of an assertion function such as `assert`, and the condition that its first argument asserts. The
    /// end of the expression statement takes it.
    pub(super) asserted: Option<(CallExprId, NarrowingCondition)>,
}

/// `export { name }`, `export default name` at the top level of a file.
#[derive(Debug)]
pub(super) struct LocalExport {
    pub(super) name: NameId,
    /// The row of the export in [`FileFacts::exports`].
    pub(super) row: usize,
}

/// `export { name as exported }` in a namespace.
#[derive(Debug)]
pub(super) struct NamespaceExport {
    pub(super) scope: ScopeId,
    pub(super) name: NameId,
    pub(super) exported: NameId,
    /// The line, from 1.
    pub(super) line: u32,
}

/// The declaration spaces of a symbol (TypeScript specification 1.8, section 2.3): whether the name is visible as a
/// value, as a type and as a namespace.
#[derive(Clone, Copy, Debug, Default)]
struct DeclarationSpaces {
    value: bool,
    ty: bool,
    namespace: bool,
}

impl DeclarationSpaces {
    fn of(facts: &FileFacts, decls: &[Decl]) -> Self {
        let mut spaces = Self::default();
        for decl in decls {
            let (value, ty, namespace) = match decl {
                Decl::Import(_) => (true, true, true),
                Decl::TypeParam(_) => (false, true, false),
                // In a comment of JavaScript, a constant that holds a class is a type, and so is a function written for
                // `new`.
                Decl::Variable(variable) => {
                    (true, facts.has_comment_types && facts.variables[variable.index()].is_const, false)
                }
                Decl::Parameter(..) => (true, false, false),
                Decl::Def(def) => match facts.def(*def).body {
                    DefBody::Function(_) => (true, facts.has_comment_types, false),
                    DefBody::Class(_) => (true, true, false),
                    DefBody::Enum(_) => (true, true, true),
                    DefBody::Namespace => (true, false, true),
                    _ => (false, true, false),
                },
            };
            spaces.value |= value;
            spaces.ty |= ty;
            spaces.namespace |= namespace;
        }
        spaces
    }
}

impl Lowering<'_> {
    /// Resolves the names of the file and completes its facts.
    pub(super) fn resolve_names(mut self) -> FileFacts {
        self.declare_namespace_exports();
        let spaces: Vec<DeclarationSpaces> =
            self.facts.symbols.iter().map(|symbol| DeclarationSpaces::of(&self.facts, &symbol.decls)).collect();
        self.resolve_reads(&spaces);
        self.resolve_type_references(&spaces);
        self.drop_unknown_annotations();
        self.resolve_exports();
        self.resolve_require_calls();
        self.add_compiled_exports();
        self.collect_added_items();
        self.facts.field_decorators.shared_sort_by_key(|(class, name, _)| (*class, *name));
        let reassigned = self.resolve_reassignments();
        self.drop_invalid_guards(&reassigned);
        for (&(scope, name), &symbol) in &self.symbols {
            self.facts.scopes[scope.index()].symbols.push((name, symbol));
        }
        for scope in &mut self.facts.scopes {
            scope.symbols.sort_unstable();
        }
        self.add_assigned_members();
        self.facts.contexts.shared_sort_by_key(|(expr, _)| *expr);
        self.prune_mentions();
        self.facts
    }

    /// The symbol of a name. Searches from `scope` outwards for the first symbol of the name that `accepts` allows.
    fn resolve(&self, scope: ScopeId, name: NameId, accepts: impl Fn(SymbolId) -> bool) -> Option<SymbolId> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(&symbol) = self.symbols.get(&(scope, name))
                && accepts(symbol)
            {
                return Some(symbol);
            }
            at = self.facts.scopes[scope.index()].parent;
        }
        None
    }

    /// For each name, whether the file declares it in any scope. Most names are only properties, which need no lookup.
    fn declared_names(&self) -> Vec<bool> {
        let mut declared = vec![false; self.facts.names.len()];
        for symbol in &self.facts.symbols {
            declared[symbol.name.index()] = true;
        }
        declared
    }

    fn resolve_reads(&mut self, spaces: &[DeclarationSpaces]) {
        let declared = self.declared_names();
        for (expr, scope) in std::mem::take(&mut self.pending.reads) {
            if let Expr::Name { name, .. } = self.facts.expr(expr)
                && declared[name.index()]
            {
                let symbol = self.resolve(scope, name, |symbol| spaces[symbol.index()].value);
                self.facts.exprs[expr.index()] = Expr::Name { name, symbol };
            }
        }
    }

    fn resolve_type_references(&mut self, spaces: &[DeclarationSpaces]) {
        let declared = self.declared_names();
        let mut types = std::mem::take(&mut self.facts.types);
        for ty in &mut types {
            if let TypeNode::Ref { symbol, path, scope, .. } = ty
                && let Some(&name) = path.first()
                && declared[name.index()]
            {
                let is_namespace = path.len() > 1;
                *symbol = self.resolve(*scope, name, |symbol| {
                    let spaces = spaces[symbol.index()];
                    if is_namespace { spaces.namespace } else { spaces.ty }
                });
            }
        }
        self.facts.types = types;
    }

    /// Declares the names that namespaces export by `export { … }`. A name that the namespace itself declares is marked
    /// as exported instead.
    fn declare_namespace_exports(&mut self) {
        for NamespaceExport { scope, name, exported, line } in std::mem::take(&mut self.pending.namespace_exports) {
            let Some(original) = self.resolve(scope, name, |_| true) else { continue };
            if let Some(declared) = self.symbols.get(&(scope, exported)) {
                self.facts.symbols[declared.index()].is_exported = true;
            } else {
                let alias = ImportKind::Local(original);
                self.declare_namespace_export(scope, exported, WellKnownNames::empty(), alias, line);
            }
        }
    }

    fn resolve_exports(&mut self) {
        for LocalExport { name, row } in std::mem::take(&mut self.pending.local_exports) {
            let Some(symbol) = self.resolve(ScopeId::new(0), name, |_| true) else { continue };
            self.facts.symbols[symbol.index()].is_exported = true;
            self.facts.exports[row].kind = ExportKind::Symbol(symbol);
        }
        let mut dropped = FxHashSet::default();
        for (row, root) in std::mem::take(&mut self.pending.common_js) {
            if let Expr::Name { symbol: None, .. } = self.facts.expr(root) {
                self.facts.is_module = true;
            } else {
                dropped.insert(row);
            }
        }
        if !dropped.is_empty() {
            let mut rows = 0..;
            self.facts.exports.retain(|_| rows.next().is_none_or(|row: usize| !dropped.contains(&row)));
        }
    }

    /// Turns the calls of the global `require` into [`Expr::Require`]. A file of JavaScript that has one is a module,
    /// so its declarations are not global.
    fn resolve_require_calls(&mut self) {
        for (site, expr, module) in std::mem::take(&mut self.pending.require_calls) {
            if let Expr::Name { name, symbol: None } = self.facts.expr(self.facts.site(site).callee)
                && name == WellKnownNames::require()
            {
                self.facts.exprs[expr.index()] = Expr::Require(module);
                self.facts.is_module |= self.dialect == Dialect::JavaScript;
            }
        }
    }

    /// Returns the symbols that are assigned to after their declaration. Adds the assigned values to variables whose
    /// declaration does not determine their type.
    fn resolve_reassignments(&mut self) -> FxHashSet<SymbolId> {
        let mut reassigned = FxHashSet::default();
        for (target, value) in std::mem::take(&mut self.pending.reassigned) {
            let Expr::Name { symbol: Some(symbol), .. } = self.facts.expr(target) else { continue };
            reassigned.insert(symbol);
            let variable = self.facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
                Decl::Variable(variable) => Some(*variable),
                _ => None,
            });
            let (Some(value), Some(variable)) = (value, variable) else { continue };
            let row = &self.facts.variables[variable.index()];
            let has_unknown_type = match row.source {
                ValueSource::None => true,
                ValueSource::Value(first) => match self.facts.expr(first) {
                    Expr::Null | Expr::Undefined => true,
                    Expr::Array(list) => self.facts.list(list).is_empty(),
                    // The value may be a function, and another function after the assignment.
                    Expr::Name { .. } | Expr::Property { .. } | Expr::Item { .. } | Expr::Narrowed(..) => true,
                    Expr::Function(_) | Expr::Class(_) => true,
                    _ => false,
                },
                _ => false,
            };
            if has_unknown_type && row.annotation.is_none() && row.path.is_empty() && row.assigned.len() < MAX_ASSIGNED
            {
                self.facts.variables[variable.index()].assigned.push(value);
            }
        }
        reassigned
    }

    /// Removes a guard from a read if the guard tests another variable of the same name, or if an assignment may come
    /// between the test and the read.
    fn drop_invalid_guards(&mut self, reassigned: &FxHashSet<SymbolId>) {
        for read in std::mem::take(&mut self.narrowing.reads) {
            let is_tested = |tested: &ExprId| match (self.facts.expr(read.root), self.facts.expr(*tested)) {
                (Expr::Name { symbol: a, .. }, Expr::Name { symbol: b, .. }) => {
                    a == b && !(read.needs_constant && a.is_some_and(|symbol| reassigned.contains(&symbol)))
                }
                (Expr::This(a), Expr::This(b)) => a == b,
                _ => false,
            };
            let is_same_variable = is_tested(&read.tested)
                && read.joined_roots.iter().all(is_tested)
                && self.has_constant_indices(&read, reassigned);
            if let Expr::Narrowed(inner, guard) = self.facts.expr(read.expr)
                && (!is_same_variable
                    || read.is_invalidated
                    || read.path.len() == 1 && self.is_redundant(guard, read.root, reassigned))
            {
                self.facts.exprs[read.expr.index()] = self.facts.expr(inner);
            }
        }
    }

    /// Whether the names in brackets in a read, such as `key` in `a[key]`, are those of the tested reference, and are
    /// never reassigned.
    fn has_constant_indices(&self, read: &NarrowedRead, reassigned: &FxHashSet<SymbolId>) -> bool {
        if read.indices.is_empty() {
            return true;
        }
        let names = self.index_names(&read.path, read.expr);
        let symbol = |expr: &ExprId| match self.facts.expr(*expr) {
            Expr::Name { symbol, .. } => symbol,
            _ => None,
        };
        names.len() == read.indices.len()
            && names.iter().zip(&read.indices).all(|(a, b)| {
                symbol(a).is_some_and(|constant| symbol(b) == Some(constant) && !reassigned.contains(&constant))
            })
    }

    /// Whether a guard is an assignment, or one assignment on each path to the read.
    fn is_assignment(&self, guard: GuardId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.facts.guards[guard.index()].test {
            NarrowingTest::Assigned(_) => true,
            NarrowingTest::Either(a, b) => self.is_assignment(a) && self.is_assignment(b),
            _ => false,
        }
    }

    /// Whether a guard is an assignment that tells no more than the declaration of the variable: the variable has no
    /// other value, or has an annotation that is no union.
    fn is_redundant(&self, guard: GuardId, root: ExprId, reassigned: &FxHashSet<SymbolId>) -> bool {
        let Expr::Name { symbol: Some(symbol), .. } = self.facts.expr(root) else { return false };
        if !self.is_assignment(guard) {
            return false;
        }
        let annotation = match self.facts.symbol(symbol).decls.first() {
            Some(Decl::Variable(variable)) => self.facts.variables[variable.index()].annotation,
            Some(&Decl::Parameter(def, at)) => {
                let parameter =
                    self.facts.def(def).function().and_then(|function| function.params.get(usize::from(at)));
                parameter.and_then(|parameter| parameter.annotation.as_ref()).map(|(ty, _)| *ty)
            }
            _ => None,
        };
        let may_be_union = |ty| matches!(self.facts.ty(ty), TypeNode::Union(_) | TypeNode::Ref { .. });
        !reassigned.contains(&symbol) || annotation.is_some_and(|ty| !may_be_union(ty))
    }
}
