//! Resolution of names: scopes, modules, imports.

use super::{
    linker::{Linker, MAX_DISCARDS},
    program::{FileIndex, GlobalName, ModuleNodeId},
    standard_library,
    types::{Type, TypeId},
};
use crate::{linked::Content, memo::MemoRequest};
use apidisc_facts::syntax::python::facts::{Binding, BindingId, BindingKind, NameId, ScopeId, ScopeKind};

/// The scope id of every file's module scope.
pub(super) const MODULE: usize = 0;

/// The greatest number of bindings of a name whose types are joined.
const MAX_BINDINGS: usize = 24;

impl Linker<'_> {
    /// The type of a name that is read in `scope` without a reaching binding. The name is looked up in `scope`, in the
    /// enclosing scopes, and among the built-ins (the LEGB rule).
    pub(crate) fn lookup_name(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> TypeId {
        let facts = self.program.facts(file);
        if scope.index() == MODULE && self.is_bound_later(file, name) {
            return self.external_name(facts.name(name));
        }
        let mut next = Some(scope);
        while let Some(current) = next {
            let current_scope = &facts.scopes[current.index()];
            // Names of a class body are not visible in scopes nested in it. The body itself runs from top to bottom: a
            // name that no binding of the body reaches is looked up in the outer scopes, as in `Agent = Agent`.
            if current_scope.kind != ScopeKind::Class
                && let Some(ty) = self.lookup_in_scope(file, current, name)
            {
                return ty;
            }
            next = current_scope.parent;
        }
        let text = facts.name(name);
        if standard_library::is_builtin(text) {
            return self.external_name(text);
        }
        // An annotation may name a class that is declared further down in the body.
        let is_class = facts.scopes[scope.index()].kind == ScopeKind::Class;
        if is_class { self.lookup_in_scope(file, scope, name).unwrap_or_default() } else { TypeId::UNKNOWN }
    }

    /// True for a name that is a built-in one where the module reads it, because no binding of the module reaches the
    /// read: `_open = open` above `def open`.
    fn is_bound_later(&self, file: FileIndex, name: NameId) -> bool {
        let facts = self.program.facts(file);
        let is_global =
            |binding: &Binding| binding.name == name && matches!(binding.kind, BindingKind::OuterScope { .. });
        !facts.bindings_of(ScopeId::new(MODULE), name).is_empty()
            && standard_library::is_builtin(facts.name(name))
            // A function that assigns the name may have been called.
            && !facts.bindings.iter().any(is_global)
    }

    pub(super) fn lookup_in_scope(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> Option<TypeId> {
        let facts = self.program.facts(file);
        let bindings = facts.bindings_of(scope, name);
        if !bindings.is_empty() {
            let star = (scope.index() == MODULE).then(|| self.starred_over(file, bindings, None)).flatten();
            return star.or_else(|| Some(self.declared_type(file, bindings)));
        }
        if scope.index() == MODULE {
            let global_name = self.program.global_name(file, name);
            return self.star_imported_type(file, global_name).or_else(|| self.name_of_examples(file, global_name));
        }
        None
    }

    /// The type of a name that examples use without binding it: doctests run with the names of their module.
    fn name_of_examples(&mut self, file: FileIndex, name: GlobalName) -> Option<TypeId> {
        if self.program.source_file(file).is_none_or(|file| file.content != Content::Examples) {
            return None;
        }
        self.module_attribute(self.program.modules.node_of_file(file), name)
    }

    /// The type of a name regardless of control flow, for reads from another scope: the annotated type, else the type
    /// of its definition or import, else the union of the types of all its bindings.
    pub(super) fn declared_type(&mut self, file: FileIndex, bindings: &[BindingId]) -> TypeId {
        let facts = self.program.facts(file);
        let kind = |b: &BindingId| &facts.bindings[b.index()].kind;
        let is_fallback = |b: &BindingId| facts.bindings[b.index()].is_fallback;
        let annotated = bindings.iter().rev().find_map(|b| match kind(b) {
            BindingKind::Assign { annotation: Some(annotation), .. } => Some((*annotation, *b)),
            _ => None,
        });
        // A function or class that follows the declaration replaces it.
        let is_replaced = |declaration: BindingId| {
            let is_def = |b: &&BindingId| matches!(kind(b), BindingKind::Def(_)) && !is_fallback(b);
            bindings.iter().rfind(is_def).is_some_and(|def| *def > declaration)
        };
        if let Some((annotation, binding)) = annotated.filter(|&(_, binding)| !is_replaced(binding)) {
            let ty = self.annotation_type(file, annotation);
            return if ty.is_unknown() { self.binding_type(file, binding) } else { ty };
        }
        // A definition or import declares the name. The last one wins, except for fallbacks such as an import in an
        // `except ImportError` clause.
        let declares = |b: &&BindingId| {
            matches!(
                kind(b),
                BindingKind::Def(_) | BindingKind::ImportFrom { .. } | BindingKind::Import { whole: true, .. }
            )
        };
        let last = bindings.iter().rev().filter(declares).find(|b| !is_fallback(b));
        let fallback = bindings.iter().rev().find(declares);
        // `if TYPE_CHECKING: x = Context()`, `else: from m import x`
        if last.is_none()
            && fallback.is_some()
            && let Some(assigned) = self.assigned_before_fallbacks(file, bindings)
        {
            return assigned;
        }
        if let Some(&last) = last.or(fallback) {
            let ty = self.binding_type(file, last);
            if !ty.is_unknown() {
                return ty;
            }
        }
        let parts: Vec<TypeId> = bindings.iter().take(MAX_BINDINGS).map(|&b| self.binding_type(file, b)).collect();
        self.types.union(parts)
    }

    /// The type of a name with imports as fallbacks, if its other bindings assign values whose types the sources
    /// define.
    fn assigned_before_fallbacks(&mut self, file: FileIndex, bindings: &[BindingId]) -> Option<TypeId> {
        let facts = self.program.facts(file);
        let is_fallback = |b: &BindingId| facts.bindings[b.index()].is_fallback;
        let is_definition = |b: &BindingId| matches!(facts.bindings[b.index()].kind, BindingKind::Def(_));
        if bindings.iter().any(is_definition) {
            return None;
        }
        let assigned = bindings.iter().filter(|b| !is_fallback(b)).take(MAX_BINDINGS);
        let parts: Vec<TypeId> = assigned.map(|&b| self.binding_type(file, b)).collect();
        let ty = self.types.union(parts);
        (ty != TypeId::NONE && self.is_defined_in_sources(ty)).then_some(ty)
    }

    /// The type of the module `dotted` in `import dotted`.
    pub(super) fn imported_module_type(&mut self, file: FileIndex, dotted: &str) -> TypeId {
        match self.module_named(file, dotted) {
            Some(node) => self.types.add(Type::Module(node)),
            None => self.external_name(dotted),
        }
    }

    pub(super) fn imported_name_type(&mut self, file: FileIndex, level: u32, module: NameId, name: NameId) -> TypeId {
        let facts = self.program.facts(file);
        let dotted = facts.name(module);
        let node = self.imported_module(file, level, module);
        let global_name = self.program.global_name(file, name);
        match node {
            Some(node) => match self.module_attribute(node, global_name) {
                Some(ty) => ty,
                // The name may exist outside the sources: a namespace package has portions in several places
                // (PEP 420).
                None if self.program.modules.get(node).file.is_none() => self.external_member(dotted, facts.name(name)),
                None => self.module_getattr(node, global_name),
            },
            None if level == 0 => self.external_member(dotted, facts.name(name)),
            None => TypeId::UNKNOWN,
        }
    }

    fn external_member(&mut self, module: &str, name: &str) -> TypeId {
        let path = compact_str::format_compact!("{module}.{name}");
        self.external_name(&path)
    }

    /// The module of the sources that `from module import …` names; `level` is the number of leading dots.
    pub(super) fn imported_module(&self, file: FileIndex, level: u32, module: NameId) -> Option<ModuleNodeId> {
        self.program.imported_modules.get(file, level, module)
    }

    /// The module of the sources that a file would import by this name. Declaration files of libraries import from
    /// libraries only.
    pub(crate) fn module_named(&self, file: FileIndex, dotted: &str) -> Option<ModuleNodeId> {
        self.program.modules.resolve_absolute(self.program.source_file(file)?, dotted)
    }

    /// The type of a module's attribute, or `None` if the module has no attribute of that name.
    pub(crate) fn module_attribute(&mut self, node: ModuleNodeId, name: GlobalName) -> Option<TypeId> {
        let depth = self.recursion.depth();
        match self.module_attributes.slot((node, name)).request(depth) {
            MemoRequest::Computed(ty) => return Some(ty),
            // Modules import the name from each other. To end the cycle, this module counts as a module without the
            // name.
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                return None;
            }
            MemoRequest::Started => {}
        }
        let found = self.nested(|this| this.infer_module_attribute(node, name));
        let is_provisional = self.recursion.end(depth);
        let slot = self.module_attributes.slot((node, name));
        match found {
            Some(ty) if is_provisional => slot.discard(ty, MAX_DISCARDS),
            Some(ty) => slot.keep(ty),
            None => slot.clear(),
        }
        found
    }

    /// The type of a name of a module that has a stub (PEP 561): the type in the stub, if the stub defines the name and
    /// the value in the module is unknown or comes from outside the sources; else `by_module`, the type in the module.
    fn declared_by_stub(&mut self, stub: FileIndex, name: GlobalName, by_module: TypeId) -> TypeId {
        let is_outside =
            matches!(self.types.get(by_module), Type::External | Type::ExternalInstance(..) | Type::ExternalMethod(..));
        if !is_outside && !by_module.is_unknown() {
            return by_module;
        }
        let bindings = self.program.bindings(stub, ScopeId::new(MODULE), name);
        let facts = self.program.facts(stub);
        let is_def = bindings.iter().any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Def(_)));
        if is_def { self.declared_type(stub, bindings) } else { by_module }
    }

    fn infer_module_attribute(&mut self, node: ModuleNodeId, name: GlobalName) -> Option<TypeId> {
        let module_node = self.program.modules.get(node);
        let stub = module_node.stub;
        let files = [module_node.file, stub];
        let module_scope = ScopeId::new(MODULE);
        for file in files.into_iter().flatten() {
            let bindings = self.program.bindings(file, module_scope, name);
            if !bindings.is_empty() {
                let starred = self.starred_over(file, bindings, None);
                let mut declared = starred.unwrap_or_else(|| self.declared_type(file, bindings));
                if let Some(stub) = stub.filter(|&stub| stub != file) {
                    declared = self.declared_by_stub(stub, name, declared);
                }
                // A package may import `x` from itself (`from . import x`): the name is then its submodule `x`.
                if declared.is_unknown()
                    && let Some(child) = self.program.modules.child(node, self.program.interner.text(name))
                {
                    return Some(self.types.add(Type::Module(child)));
                }
                return Some(declared);
            }
        }
        for file in files.into_iter().flatten() {
            // A name that a star import may bind may also be a submodule. It is taken for the submodule, unless a star
            // import from the sources binds the name to a value of known type.
            if let Some(ty) = self.star_imported_type(file, name)
                && (!ty.is_unknown() && self.is_star_imported(file, name)
                    || self.program.modules.child(node, self.program.interner.text(name)).is_none())
            {
                return Some(ty);
            }
        }
        let child = self.program.modules.child(node, self.program.interner.text(name))?;
        Some(self.types.add(Type::Module(child)))
    }
}
