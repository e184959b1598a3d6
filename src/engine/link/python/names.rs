//! Names to types: bindings, scopes, modules.

use super::{
    infer::{Linker, MAX_DISCARDS},
    known,
    program::{FileIndex, GlobalBinding, GlobalName, ModuleNodeId},
    types::{Type, TypeId},
};
use crate::{
    link::memo::MemoRequest,
    syntax::python::facts::{BindingId, BindingKind, Expr, ExprId, Extraction, NameId, ScopeId, ScopeKind, UnpackStep},
};

/// The scope of a file's module.
pub(super) const MODULE: usize = 0;

impl Linker<'_> {
    /// What a binding gives its name.
    pub(super) fn infer_binding(&mut self, file: FileIndex, id: BindingId) -> TypeId {
        let facts = self.program.facts(file);
        let binding = &facts.bindings[id.index()];
        match &binding.kind {
            BindingKind::Import { module, whole } => {
                let dotted = facts.name(*module);
                let wanted = if *whole { dotted } else { dotted.split('.').next().unwrap_or(dotted) };
                self.imported_module(file, wanted)
            }
            BindingKind::ImportFrom { module, level, name } => self.imported_name(file, *level, *module, *name),
            BindingKind::Def(def) => {
                let def = self.program.global(file, *def);
                match self.program.class_of(def) {
                    Some(class) => self.types.class(class),
                    None => self.types.add(Type::Function(def)),
                }
            }
            BindingKind::Parameter(def, position) => {
                let def = self.program.global(file, *def);
                self.parameter_type(def, *position as usize)
            }
            BindingKind::Assign { value, annotation, unpack, extraction } => {
                let declared = annotation.map_or(TypeId::UNKNOWN, |a| self.annotation_type(file, a));
                let Some(value) = value else { return declared };
                if *extraction == Extraction::Value && unpack.is_empty() && self.is_type_variable(file, *value) {
                    return self.types.add(Type::Variable(GlobalBinding { file, binding: id }));
                }
                let mut ty = self.expr_type(file, *value);
                ty = self.extract(ty, *extraction);
                for step in unpack {
                    ty = self.unpack(ty, *step);
                }
                self.narrowed_to_assigned(declared, ty)
            }
            BindingKind::Augmented { before, value } => {
                let mut parts: Vec<TypeId> = facts.reach(*before).iter().map(|&b| self.binding_type(file, b)).collect();
                if parts.is_empty() {
                    parts.push(self.expr_type(file, *value));
                }
                self.types.union(parts)
            }
            BindingKind::Narrow { before, test, positive } => self.narrowed_type(file, *before, *test, *positive),
            BindingKind::OuterScope { global } => {
                if *global {
                    self.lookup_in_scope(file, ScopeId::new(MODULE), binding.name).unwrap_or_default()
                } else {
                    let parent = facts.scopes[binding.scope.index()].parent;
                    parent.map_or(TypeId::UNKNOWN, |scope| self.lookup_name(file, scope, binding.name))
                }
            }
            BindingKind::TypeAlias(value) => self.expr_type(file, *value),
            BindingKind::ImportStar { .. } | BindingKind::Unknown => TypeId::UNKNOWN,
        }
    }

    /// A declared name keeps what is assigned where that is known better than what is declared.
    fn narrowed_to_assigned(&mut self, declared: TypeId, assigned: TypeId) -> TypeId {
        if declared == TypeId::UNKNOWN {
            return assigned;
        }
        let tells = |part: &TypeId| {
            matches!(
                self.types.get(*part),
                Type::Instance(..) | Type::Class(..) | Type::Function(_) | Type::Method(..) | Type::None
            )
        };
        if self.types.parts(assigned).iter().all(tells) { assigned } else { declared }
    }

    /// What `via` takes out of a value.
    fn extract(&mut self, value: TypeId, extraction: Extraction) -> TypeId {
        match extraction {
            Extraction::Value => value,
            Extraction::Iteration => self.iteration_type(value),
            Extraction::AsyncIteration => self.async_iteration_type(value),
            Extraction::Enter => self.enter_type(value, "__enter__"),
            Extraction::AsyncEnter => self.enter_type(value, "__aenter__"),
            Extraction::Exception => self.map_union(value, |this, part| match this.types.get(part).clone() {
                Type::Tuple(items) => {
                    let parts: Vec<TypeId> = items.iter().map(|&item| this.instantiated(item)).collect();
                    this.types.union(parts)
                }
                _ => this.instantiated(part),
            }),
        }
    }

    fn unpack(&mut self, ty: TypeId, step: UnpackStep) -> TypeId {
        self.map_union(ty, |this, part| match (this.types.get(part).clone(), step) {
            (Type::Tuple(items), UnpackStep::Item(n)) => items.get(n as usize).copied().unwrap_or_default(),
            (_, UnpackStep::Rest) => {
                let item = this.iteration_type(part);
                this.external_instance("list", &[item])
            }
            _ => this.iteration_type(part),
        })
    }

    /// `TypeVar("T", …)`
    fn is_type_variable(&mut self, file: FileIndex, value: ExprId) -> bool {
        let facts = self.program.facts(file);
        let Expr::Call(site) = facts.expr(value) else { return false };
        let callee = facts.calls[site.index()].callee;
        let (Expr::Name { name, .. } | Expr::Attribute { name, .. }) = facts.expr(callee) else { return false };
        matches!(facts.name(name), "TypeVar" | "ParamSpec" | "TypeVarTuple")
    }

    /// The bound of a type variable, as an instance.
    pub(super) fn type_variable_bound(&mut self, variable: GlobalBinding) -> TypeId {
        let facts = self.program.facts(variable.file);
        let BindingKind::Assign { value: Some(value), .. } = facts.bindings[variable.binding.index()].kind else {
            return TypeId::UNKNOWN;
        };
        let Expr::Call(site) = facts.expr(value) else { return TypeId::UNKNOWN };
        let site = &facts.calls[site.index()];
        let bound = site.arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == "bound"));
        if let Some(argument) = bound {
            match facts.expr(argument.value) {
                Expr::Str(Some(name)) => {
                    let class = self.lookup_name(variable.file, ScopeId::new(MODULE), name);
                    self.instantiated(class)
                }
                _ => self.annotation_type(variable.file, argument.value),
            }
        } else {
            let constraints: Vec<ExprId> =
                site.arguments.iter().skip(1).filter(|a| a.keyword.is_none()).map(|a| a.value).collect();
            let parts: Vec<TypeId> = constraints.into_iter().map(|c| self.annotation_type(variable.file, c)).collect();
            self.types.union(parts)
        }
    }

    /// What a name means in a scope where no binding of that scope's flow reaches it.
    pub(crate) fn lookup_name(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> TypeId {
        let facts = self.program.facts(file);
        let mut at = Some(scope);
        while let Some(here) = at {
            let row = &facts.scopes[here.index()];
            if (row.kind != ScopeKind::Class || here == scope)
                && let Some(ty) = self.lookup_in_scope(file, here, name)
            {
                return ty;
            }
            // A class body inside a class sees the module, not the class around.
            at = row.parent;
        }
        let text = facts.name(name);
        if known::is_builtin(text) { self.external_name(text) } else { TypeId::UNKNOWN }
    }

    fn lookup_in_scope(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> Option<TypeId> {
        let facts = self.program.facts(file);
        let bindings = facts.bindings_of(scope, name);
        if !bindings.is_empty() {
            return Some(self.declared_type(file, bindings));
        }
        if scope.index() == MODULE {
            let global_name = self.program.global_name(file, name);
            return self.star_imported_type(file, global_name);
        }
        None
    }

    /// What a name is that is read from outside the flow of its scope: its declaration where there is one,
    /// else whatever is assigned to it.
    pub(super) fn declared_type(&mut self, file: FileIndex, bindings: &[BindingId]) -> TypeId {
        let facts = self.program.facts(file);
        let kind = |b: &BindingId| &facts.bindings[b.index()].kind;
        let annotated = bindings.iter().rev().find_map(|b| match kind(b) {
            BindingKind::Assign { annotation: Some(annotation), .. } => Some((*annotation, *b)),
            _ => None,
        });
        if let Some((annotation, binding)) = annotated {
            let ty = self.annotation_type(file, annotation);
            return if ty == TypeId::UNKNOWN { self.binding_type(file, binding) } else { ty };
        }
        // A definition or import says what the name is; the last one where there are several, but for those
        // that only stand in where another import fails.
        let declares = |b: &&BindingId| {
            matches!(
                kind(b),
                BindingKind::Def(_) | BindingKind::ImportFrom { .. } | BindingKind::Import { whole: true, .. }
            )
        };
        let is_fallback = |b: &BindingId| facts.bindings[b.index()].is_fallback;
        let last = bindings.iter().rev().filter(declares).find(|b| !is_fallback(b));
        if let Some(&last) = last.or_else(|| bindings.iter().rev().find(declares)) {
            let ty = self.binding_type(file, last);
            if ty != TypeId::UNKNOWN {
                return ty;
            }
        }
        let parts: Vec<TypeId> = bindings.iter().take(24).map(|&b| self.binding_type(file, b)).collect();
        self.types.union(parts)
    }

    /// What `import dotted` gives.
    pub(super) fn imported_module(&mut self, file: FileIndex, dotted: &str) -> TypeId {
        match self.program.modules.absolute(&self.program.files[file.index()], dotted) {
            Some(node) => self.types.add(Type::Module(node)),
            None => self.external_name(dotted),
        }
    }

    fn imported_name(&mut self, file: FileIndex, level: u32, module: NameId, name: NameId) -> TypeId {
        let facts = self.program.facts(file);
        let dotted = facts.name(module);
        let node = self.import_source(file, level, dotted);
        let global_name = self.program.global_name(file, name);
        match node {
            Some(node) => match self.module_attribute(node, global_name) {
                Some(ty) => ty,
                // What a package of the sources does not define may still lie outside: a namespace package
                // has parts in other places.
                None if self.program.modules.get(node).file.is_none() => self.external_member(dotted, facts.name(name)),
                None => TypeId::UNKNOWN,
            },
            None if level == 0 => self.external_member(dotted, facts.name(name)),
            None => TypeId::UNKNOWN,
        }
    }

    fn external_member(&mut self, module: &str, name: &str) -> TypeId {
        let path = compact_str::format_compact!("{module}.{name}");
        self.external_name(&path)
    }

    /// The module that a `from` import names.
    pub(crate) fn import_source(&self, file: FileIndex, level: u32, dotted: &str) -> Option<ModuleNodeId> {
        let modules = &self.program.modules;
        match level {
            0 => modules.absolute(&self.program.files[file.index()], dotted),
            _ => modules.relative(file, level, dotted),
        }
    }

    /// A name of a module; `None` where the module has no such name.
    pub(crate) fn module_attribute(&mut self, node: ModuleNodeId, name: GlobalName) -> Option<TypeId> {
        let depth = self.recursion.depth();
        match self.module_attributes.slot((node, name)).request(depth) {
            MemoRequest::Computed(ty) => return Some(ty),
            // ModuleTree that import each other: the caller looks for the name elsewhere.
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                return None;
            }
            MemoRequest::Started => {}
        }
        let found = self.nested(|this| this.find_module_attribute(node, name));
        let is_provisional = self.recursion.end(depth);
        let slot = self.module_attributes.slot((node, name));
        match found {
            Some(ty) if is_provisional => slot.discard(ty, MAX_DISCARDS),
            Some(ty) => slot.keep(ty),
            None => slot.clear(),
        }
        found
    }

    fn find_module_attribute(&mut self, node: ModuleNodeId, name: GlobalName) -> Option<TypeId> {
        let row = self.program.modules.get(node);
        let files = [row.file, row.stub];
        let module = ScopeId::new(MODULE);
        for file in files.into_iter().flatten() {
            let bindings = self.program.bindings(file, module, name);
            if !bindings.is_empty() {
                let own = self.declared_type(file, bindings);
                // `from . import x` in a package, where `x` is a module that is imported nowhere else.
                if own == TypeId::UNKNOWN
                    && let Some(child) = self.program.modules.child(node, self.program.interner.text(name))
                {
                    return Some(self.types.add(Type::Module(child)));
                }
                return Some(own);
            }
        }
        for file in files.into_iter().flatten() {
            if let Some(ty) = self.star_imported_type(file, name) {
                return Some(ty);
            }
        }
        let child = self.program.modules.child(node, self.program.interner.text(name))?;
        Some(self.types.add(Type::Module(child)))
    }
}
