//! Fallback definitions of names that are imported from outside the sources:
//!
//! ```python
//! try:
//!     from fast import dumps
//! except ImportError:
//!     def dumps(value): ...
//! ```

use smallvec::SmallVec;

use super::{
    bind::ReceiverPassing,
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalDef, GlobalName, ModuleNodeId},
    resolve::CallCandidate,
    types::Type,
};
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind, Expr, ExprId, NameId, ScopeId};

/// The greatest number of modules through which a name is imported.
const MAX_IMPORTS: usize = 8;

impl Linker<'_> {
    /// The fallback definitions of a callee that is imported from outside the sources: `def f`, or the function `g`, in
    /// `try: from m import f`, `except ImportError: f = g`. Other modules may import `f` from there.
    pub(super) fn fallback_definitions(&mut self, file: FileIndex, callee: ExprId) -> SmallVec<[CallCandidate; 2]> {
        let mut candidates = SmallVec::new();
        let Some((file, name)) = self.module_name(file, callee) else { return candidates };
        let facts = self.program.facts(file);
        for &alternative in facts.alternatives_of(name) {
            if let BindingKind::Def(def) = facts.bindings[alternative.index()].kind {
                let def = self.program.global_def(file, def);
                candidates.push(CallCandidate { def, passing: ReceiverPassing::Implicit, receiver: None });
            } else {
                let ty = self.binding_type(file, alternative);
                self.add_candidates(ty, &mut candidates, &mut false);
            }
        }
        candidates
    }

    /// The module that defines alternatives for the name of a callee, and that name. Imports are followed.
    fn module_name(&mut self, file: FileIndex, callee: ExprId) -> Option<(FileIndex, NameId)> {
        let facts = self.program.facts(file);
        let mut next = match facts.expr(callee) {
            Expr::Name { name, scope, reaching } => match facts.reaching(reaching) {
                [] => {
                    let (owner, _) = facts.scopes_binding(scope, name).next()?;
                    (owner.index() == MODULE).then_some((file, name))
                }
                &[binding] => self.imported_name(file, binding),
                _ => None,
            },
            Expr::Attribute { value, name, .. } => {
                let name = self.program.global_name(file, name);
                let receiver = self.expr_type(file, value);
                let Type::Module(node) = *self.types.get(receiver) else { return None };
                self.name_in_module(node, name)
            }
            _ => None,
        };
        for _ in 0..MAX_IMPORTS {
            let (file, name) = next?;
            let facts = self.program.facts(file);
            if !facts.alternatives_of(name).is_empty() {
                return next;
            }
            let &[binding] = facts.bindings_of(ScopeId::new(MODULE), name) else { return None };
            next = self.imported_name(file, binding);
        }
        None
    }

    /// The module of the sources and the name in it that a binding imports.
    fn imported_name(&self, file: FileIndex, binding: BindingId) -> Option<(FileIndex, NameId)> {
        let facts = self.program.facts(file);
        let BindingKind::ImportFrom { level, module, name } = facts.bindings[binding.index()].kind else { return None };
        self.name_of_import(file, level, module, name)
    }

    /// The module's file and its name, if the module binds a name itself.
    pub(super) fn name_in_module(&self, node: ModuleNodeId, name: GlobalName) -> Option<(FileIndex, NameId)> {
        let file = self.program.modules.get(node).file?;
        Some((file, self.program.bound_name(file, ScopeId::new(MODULE), name)?))
    }

    /// True if `def` is the fallback definition of a name that is imported from outside the sources, and the callee has
    /// that name.
    pub(super) fn may_be_imported(&mut self, file: FileIndex, callee: ExprId, def: GlobalDef) -> bool {
        let (own_file, own) = (self.program.file_of(def), self.program.def(def));
        let own_facts = self.program.facts(own_file);
        if own_facts.alternatives.is_empty() || !self.program.facts(file).is_named(callee, own_facts.name(own.name)) {
            return false;
        }
        let alternatives = own_facts.alternatives_of(own.name);
        let is_definition = |binding: &BindingId| match own_facts.bindings[binding.index()].kind {
            BindingKind::Def(definition) => self.program.global_def(own_file, definition) == def,
            _ => false,
        };
        alternatives.iter().any(is_definition)
            && alternatives.iter().any(|&binding| {
                let imported = self.binding_type(own_file, binding);
                matches!(self.types.get(imported), Type::ExternalName(_) | Type::External)
            })
    }
}
