//! Names to types: bindings, scopes, modules.

use super::{
    infer::{Linker, MAX_DISCARDS},
    known,
    program::{FileIndex, GlobalBinding, NodeId, Symbol},
    types::{Ty, Type},
};
use crate::{
    link::memo::MemoRequest,
    syntax::python::facts::{BindingId, BindingKind, Expr, ExprId, NameId, ScopeId, ScopeKind, UnpackStep, Via},
};

/// The scope of a file's module.
pub(super) const MODULE: usize = 0;

impl Linker<'_> {
    /// What a binding gives its name.
    pub(super) fn bound(&mut self, file: FileIndex, id: BindingId) -> Ty {
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
                self.parameter(def, *position as usize)
            }
            BindingKind::Assign { value, annotation, path, via } => {
                let declared = annotation.map_or(Ty::UNKNOWN, |a| self.annotation(file, a));
                let Some(value) = value else { return declared };
                if *via == Via::Value && path.is_empty() && self.is_type_variable(file, *value) {
                    return self.types.add(Type::Variable(GlobalBinding { file, binding: id }));
                }
                let mut ty = self.expr(file, *value);
                ty = self.taken(ty, *via);
                for step in path {
                    ty = self.unpacked(ty, *step);
                }
                self.narrowed_to_assigned(declared, ty)
            }
            BindingKind::Augmented { before, value } => {
                let mut parts: Vec<Ty> = facts.reach(*before).iter().map(|&b| self.binding(file, b)).collect();
                if parts.is_empty() {
                    parts.push(self.expr(file, *value));
                }
                self.types.union(parts)
            }
            BindingKind::Narrow { before, test, positive } => self.narrowed(file, *before, *test, *positive),
            BindingKind::Outer { global } => {
                if *global {
                    self.lookup_in(file, ScopeId::new(MODULE), binding.name).unwrap_or_default()
                } else {
                    let parent = facts.scopes[binding.scope.index()].parent;
                    parent.map_or(Ty::UNKNOWN, |scope| self.lookup(file, scope, binding.name))
                }
            }
            BindingKind::TypeAlias(value) => self.expr(file, *value),
            BindingKind::ImportStar { .. } | BindingKind::Unknown => Ty::UNKNOWN,
        }
    }

    /// A declared name keeps what is assigned where that is known better than what is declared.
    fn narrowed_to_assigned(&mut self, declared: Ty, assigned: Ty) -> Ty {
        if declared == Ty::UNKNOWN {
            return assigned;
        }
        let tells = |part: &Ty| {
            matches!(
                self.types.get(*part),
                Type::Instance(..) | Type::Class(..) | Type::Function(_) | Type::Method(..) | Type::None
            )
        };
        if self.types.parts(assigned).iter().all(tells) { assigned } else { declared }
    }

    /// What `via` takes out of a value.
    fn taken(&mut self, value: Ty, via: Via) -> Ty {
        match via {
            Via::Value => value,
            Via::Iteration => self.iterated(value),
            Via::AsyncIteration => self.async_iterated(value),
            Via::Enter => self.entered(value, "__enter__"),
            Via::AsyncEnter => self.entered(value, "__aenter__"),
            Via::Exception => self.each_part(value, |this, part| match this.types.get(part).clone() {
                Type::Tuple(items) => {
                    let parts: Vec<Ty> = items.iter().map(|&item| this.instantiated(item)).collect();
                    this.types.union(parts)
                }
                _ => this.instantiated(part),
            }),
        }
    }

    fn unpacked(&mut self, ty: Ty, step: UnpackStep) -> Ty {
        self.each_part(ty, |this, part| match (this.types.get(part).clone(), step) {
            (Type::Tuple(items), UnpackStep::Item(n)) => items.get(n as usize).copied().unwrap_or_default(),
            (_, UnpackStep::Rest) => {
                let item = this.iterated(part);
                this.outside_instance("list", &[item])
            }
            _ => this.iterated(part),
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
    pub(super) fn type_variable_bound(&mut self, variable: GlobalBinding) -> Ty {
        let facts = self.program.facts(variable.file);
        let BindingKind::Assign { value: Some(value), .. } = facts.bindings[variable.binding.index()].kind else {
            return Ty::UNKNOWN;
        };
        let Expr::Call(site) = facts.expr(value) else { return Ty::UNKNOWN };
        let site = &facts.calls[site.index()];
        let bound = site.arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == "bound"));
        if let Some(argument) = bound {
            match facts.expr(argument.value) {
                Expr::Str(Some(name)) => {
                    let class = self.lookup(variable.file, ScopeId::new(MODULE), name);
                    self.instantiated(class)
                }
                _ => self.annotation(variable.file, argument.value),
            }
        } else {
            let constraints: Vec<ExprId> =
                site.arguments.iter().skip(1).filter(|a| a.keyword.is_none()).map(|a| a.value).collect();
            let parts: Vec<Ty> = constraints.into_iter().map(|c| self.annotation(variable.file, c)).collect();
            self.types.union(parts)
        }
    }

    /// What a name means in a scope where no binding of that scope's flow reaches it.
    pub(crate) fn lookup(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> Ty {
        let facts = self.program.facts(file);
        let mut at = Some(scope);
        while let Some(here) = at {
            let row = &facts.scopes[here.index()];
            if (row.kind != ScopeKind::Class || here == scope)
                && let Some(ty) = self.lookup_in(file, here, name)
            {
                return ty;
            }
            // A class body inside a class sees the module, not the class around.
            at = row.parent;
        }
        let text = facts.name(name);
        if known::is_builtin(text) { self.outside(text) } else { Ty::UNKNOWN }
    }

    fn lookup_in(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> Option<Ty> {
        let facts = self.program.facts(file);
        let bindings = facts.bindings_of(scope, name);
        if !bindings.is_empty() {
            return Some(self.declared(file, bindings));
        }
        if scope.index() == MODULE {
            let symbol = self.program.symbol(file, name);
            return self.star_imported(file, symbol);
        }
        None
    }

    /// What a name is that is read from outside the flow of its scope: its declaration where there is one,
    /// else whatever is assigned to it.
    pub(super) fn declared(&mut self, file: FileIndex, bindings: &[BindingId]) -> Ty {
        let facts = self.program.facts(file);
        let kind = |b: &BindingId| &facts.bindings[b.index()].kind;
        let annotated = bindings.iter().rev().find_map(|b| match kind(b) {
            BindingKind::Assign { annotation: Some(annotation), .. } => Some((*annotation, *b)),
            _ => None,
        });
        if let Some((annotation, binding)) = annotated {
            let ty = self.annotation(file, annotation);
            return if ty == Ty::UNKNOWN { self.binding(file, binding) } else { ty };
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
            let ty = self.binding(file, last);
            if ty != Ty::UNKNOWN {
                return ty;
            }
        }
        let parts: Vec<Ty> = bindings.iter().take(24).map(|&b| self.binding(file, b)).collect();
        self.types.union(parts)
    }

    /// What `import dotted` gives.
    pub(super) fn imported_module(&mut self, file: FileIndex, dotted: &str) -> Ty {
        match self.program.modules.absolute(&self.program.files[file.index()], dotted) {
            Some(node) => self.types.add(Type::Module(node)),
            None => self.outside(dotted),
        }
    }

    fn imported_name(&mut self, file: FileIndex, level: u32, module: NameId, name: NameId) -> Ty {
        let facts = self.program.facts(file);
        let dotted = facts.name(module);
        let node = self.import_source(file, level, dotted);
        let symbol = self.program.symbol(file, name);
        match node {
            Some(node) => match self.module_attribute(node, symbol) {
                Some(ty) => ty,
                // What a package of the sources does not define may still lie outside: a namespace package
                // has parts in other places.
                None if self.program.modules.get(node).file.is_none() => self.outside_of(dotted, facts.name(name)),
                None => Ty::UNKNOWN,
            },
            None if level == 0 => self.outside_of(dotted, facts.name(name)),
            None => Ty::UNKNOWN,
        }
    }

    fn outside_of(&mut self, module: &str, name: &str) -> Ty {
        let path = compact_str::format_compact!("{module}.{name}");
        self.outside(&path)
    }

    /// The module that a `from` import names.
    pub(crate) fn import_source(&self, file: FileIndex, level: u32, dotted: &str) -> Option<NodeId> {
        let modules = &self.program.modules;
        match level {
            0 => modules.absolute(&self.program.files[file.index()], dotted),
            _ => modules.relative(file, level, dotted),
        }
    }

    /// A name of a module; `None` where the module has no such name.
    pub(crate) fn module_attribute(&mut self, node: NodeId, name: Symbol) -> Option<Ty> {
        let depth = self.recursion.depth();
        match self.module_attributes.slot((node, name)).request(depth) {
            MemoRequest::Computed(ty) => return Some(ty),
            // Modules that import each other: the caller looks for the name elsewhere.
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

    fn find_module_attribute(&mut self, node: NodeId, name: Symbol) -> Option<Ty> {
        let row = self.program.modules.get(node);
        let files = [row.file, row.stub];
        let module = ScopeId::new(MODULE);
        for file in files.into_iter().flatten() {
            let bindings = self.program.bindings(file, module, name);
            if !bindings.is_empty() {
                let own = self.declared(file, bindings);
                // `from . import x` in a package, where `x` is a module that is imported nowhere else.
                if own == Ty::UNKNOWN
                    && let Some(child) = self.program.modules.child(node, self.program.symbols.text(name))
                {
                    return Some(self.types.add(Type::Module(child)));
                }
                return Some(own);
            }
        }
        for file in files.into_iter().flatten() {
            if let Some(ty) = self.star_imported(file, name) {
                return Some(ty);
            }
        }
        let child = self.program.modules.child(node, self.program.symbols.text(name))?;
        Some(self.types.add(Type::Module(child)))
    }
}
