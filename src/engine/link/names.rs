//! Names to types: bindings, scopes, modules.

use super::{
    infer::{Asked, Linker, Slot},
    known,
    program::{FileIndex, GlobalBinding, NodeId, Symbol},
    types::{Ty, Type},
};
use crate::engine::{
    index::ParameterKind,
    syntax::facts::{BindingId, BindingKind, DefBody, Expr, ExprId, NameId, ScopeId, ScopeKind, Test, UnpackStep, Via},
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
                    return self.types.add(Type::TypeVar(GlobalBinding { file, binding: id }));
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
        match bound {
            Some(argument) => match facts.expr(argument.value) {
                Expr::Str(Some(name)) => {
                    let class = self.lookup(variable.file, ScopeId::new(MODULE), name);
                    self.instantiated(class)
                }
                _ => self.annotation(variable.file, argument.value),
            },
            None => {
                let constraints: Vec<ExprId> =
                    site.arguments.iter().skip(1).filter(|a| a.keyword.is_none()).map(|a| a.value).collect();
                let parts: Vec<Ty> = constraints.into_iter().map(|c| self.annotation(variable.file, c)).collect();
                self.types.union(parts)
            }
        }
    }

    /// What a name means in a scope where no binding of that scope's flow reaches it.
    pub(crate) fn lookup(&mut self, file: FileIndex, scope: ScopeId, name: NameId) -> Ty {
        let facts = self.program.facts(file);
        let mut at = Some(scope);
        while let Some(here) = at {
            let row = &facts.scopes[here.index()];
            if row.kind != ScopeKind::Class || here == scope {
                if let Some(ty) = self.lookup_in(file, here, name) {
                    return ty;
                }
                // A class body inside a class sees the module, not the class around.
            }
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
        let slot = self.module_attributes.get(&(node, name)).copied().unwrap_or(Slot::NEW);
        // Modules that import each other: a name that is being looked for is looked for elsewhere.
        let is_busy = matches!(slot, Slot::Busy { .. });
        let busy = match self.ask(slot) {
            Asked::Answer(ty) => return (!is_busy).then_some(ty),
            Asked::Open(busy) => busy,
        };
        self.module_attributes.insert((node, name), busy);
        let found = self.nested(|this| this.find_module_attribute(node, name));
        let slot = self.settle(busy, found.unwrap_or_default());
        match found {
            Some(_) => self.module_attributes.insert((node, name), slot),
            None => self.module_attributes.remove(&(node, name)),
        };
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

    /// A name that a file has from `from m import *`.
    fn star_imported(&mut self, file: FileIndex, name: Symbol) -> Option<Ty> {
        let star = self.program.symbols.intern("*");
        let module = ScopeId::new(MODULE);
        let facts = self.program.facts(file);
        let mut outside = false;
        for &binding in self.program.bindings(file, module, star).iter().rev() {
            let BindingKind::ImportStar { module, level } = facts.bindings[binding.index()].kind else { continue };
            match self.import_source(file, level, facts.name(module)) {
                Some(node) if self.star_offers(node, name) => {
                    if let Some(ty) = self.module_attribute(node, name) {
                        return Some(ty);
                    }
                }
                Some(_) => {}
                None => outside = true,
            }
        }
        let is_builtin = known::is_builtin(self.program.symbols.text(name));
        (outside && !is_builtin).then_some(Ty::EXTERNAL)
    }

    /// True where `from module import *` takes that name.
    fn star_offers(&self, node: NodeId, name: Symbol) -> bool {
        let row = self.program.modules.get(node);
        let Some(file) = row.file.or(row.stub) else { return false };
        let text = self.program.symbols.text(name);
        match &self.program.facts(file).all {
            Some(all) => all.iter().any(|&n| self.program.symbol(file, n) == name),
            None => !text.starts_with('_'),
        }
    }

    /// The type of a parameter inside its function.
    pub(super) fn parameter(&mut self, def: super::program::GlobalDef, position: usize) -> Ty {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return Ty::UNKNOWN };
        let parameter = &function.parameters[position];
        if let Some((annotation, _)) = &parameter.annotation {
            let ty = self.annotation(file, *annotation);
            return match parameter.kind {
                ParameterKind::VarPositional => self.outside_instance("tuple", &[ty]),
                ParameterKind::VarKeyword => {
                    let key = self.outside_instance("str", &[]);
                    self.outside_instance("dict", &[key, ty])
                }
                _ => ty,
            };
        }
        match parameter.kind {
            ParameterKind::VarPositional => return self.outside_instance("tuple", &[]),
            ParameterKind::VarKeyword => return self.outside_instance("dict", &[]),
            _ => {}
        }
        if let Some(owner) = self.program.owner(def) {
            let is_static = self.program.is_decorated(def, &["staticmethod"]);
            if position == 0 && !is_static {
                let name = self.program.name_of(def);
                let on_class = self.program.is_decorated(def, &["classmethod"])
                    || matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__");
                // The receiver of a metaclass's methods is a class.
                return if on_class { self.types.class(owner) } else { self.types.instance(owner) };
            }
            if let Some(inherited) = self.inherited_parameter(owner, def, position) {
                return inherited;
            }
        }
        if let Some(fixture) = self.fixture(def, position) {
            return fixture;
        }
        match &parameter.default {
            Some((default, _)) => {
                let ty = self.expr(file, *default);
                if ty == Ty::NONE { Ty::UNKNOWN } else { ty }
            }
            None => Ty::UNKNOWN,
        }
    }

    /// What a test leaves of a type.
    fn narrowed(&mut self, file: FileIndex, before: ExprId, test: Test, positive: bool) -> Ty {
        let ty = self.expr(file, before);
        match (test, positive) {
            (Test::IsNone, true) => Ty::NONE,
            (Test::IsNone, false) | (Test::Truthy, true) => self.without_none(ty),
            (Test::Instance(class) | Test::ExactType(class), true) => {
                let class = self.expr(file, class);
                let wanted = self.class_info(class);
                self.intersected(ty, wanted)
            }
            (Test::Instance(class), false) => {
                let class = self.expr(file, class);
                let excluded = self.class_info(class);
                let excluded = self.types.parts(excluded);
                let parts = self.types.parts(ty);
                let kept: Vec<Ty> =
                    parts.iter().copied().filter(|&part| !excluded.iter().any(|&e| self.is_subtype(part, e))).collect();
                if kept.len() == parts.len() { ty } else { self.types.union(kept) }
            }
            (Test::Subclass(class), true) => {
                let class = self.expr(file, class);
                match (self.types.get(class).clone(), self.types.get(ty).clone()) {
                    (Type::Class(wanted, _), Type::Class(known, _)) if self.inherits(known, wanted) => ty,
                    (Type::Class(..), _) => class,
                    _ => ty,
                }
            }
            (Test::Callable, true) => {
                let kept: Vec<Ty> = self
                    .types
                    .parts(ty)
                    .iter()
                    .copied()
                    .filter(|&p| !matches!(self.types.get(p), Type::None | Type::OutsideInstance(..)))
                    .collect();
                if kept.is_empty() { ty } else { self.types.union(kept) }
            }
            _ => ty,
        }
    }

    /// The instances that `isinstance(x, info)` takes.
    fn class_info(&mut self, info: Ty) -> Ty {
        self.each_part(info, |this, part| match this.types.get(part).clone() {
            Type::Tuple(items) => {
                let parts: Vec<Ty> = items.iter().map(|&item| this.class_info(item)).collect();
                this.types.union(parts)
            }
            _ => this.instantiated(part),
        })
    }

    /// The parts of `ty` that are of `wanted`, or `wanted` itself where `ty` is wider.
    fn intersected(&mut self, ty: Ty, wanted: Ty) -> Ty {
        let wanted_parts = self.types.parts(wanted);
        let parts = self.types.parts(ty);
        let mut kept = Vec::new();
        for &part in parts.iter() {
            for &want in wanted_parts.iter() {
                if self.is_subtype(part, want) {
                    kept.push(part);
                } else if self.is_subtype(want, part) {
                    kept.push(want);
                }
            }
        }
        if kept.is_empty() { wanted } else { self.types.union(kept) }
    }

    /// True where every instance of `a` is one of `b`, as far as classes tell.
    fn is_subtype(&mut self, a: Ty, b: Ty) -> bool {
        match (self.types.get(a).clone(), self.types.get(b).clone()) {
            (Type::Instance(a, _), Type::Instance(b, _)) => self.inherits(a, b),
            (Type::OutsideInstance(a, _), Type::OutsideInstance(b, _)) => a == b,
            (Type::Tuple(_), Type::OutsideInstance(b, _)) => self.program.symbols.text(b) == "tuple",
            _ => false,
        }
    }

    /// Notes pytest fixtures by the name that they are requested by.
    pub(super) fn find_fixtures(&mut self) {
        for (i, file) in self.program.files.iter().enumerate() {
            let file_index = FileIndex::new(i);
            for (d, def) in file.facts.definitions.iter().enumerate() {
                let fixture = def.decorators.iter().find(|(_, text)| is_fixture(text));
                let (Some((decorator, _)), DefBody::Function(_)) = (fixture, &def.body) else { continue };
                let mut name = self.program.symbol(file_index, def.name);
                if let Expr::Call(site) = file.facts.expr(*decorator) {
                    let given = file.facts.calls[site.index()]
                        .arguments
                        .iter()
                        .find(|a| a.keyword.is_some_and(|k| file.facts.name(k) == "name"));
                    if let Some(Expr::Str(Some(text))) = given.map(|a| file.facts.expr(a.value)) {
                        name = self.program.symbol(file_index, text);
                    }
                }
                let def = self.program.global(file_index, crate::engine::syntax::facts::DefId::new(d));
                self.fixtures.entry(name).or_default().push(def);
            }
        }
    }

    /// The value of the fixture that a test's parameter asks for: the nearest one of that name, in its class,
    /// its file, or a `conftest.py` above.
    fn fixture(&mut self, def: super::program::GlobalDef, position: usize) -> Option<Ty> {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        let is_requester =
            facts.name(row.name).starts_with("test") || row.decorators.iter().any(|(_, t)| is_fixture(t));
        if !is_requester {
            return None;
        }
        let name = self.program.symbol(file, row.function()?.parameters[position].name);
        let path = &self.program.files[file.index()].path;
        let nearest = self.fixtures.get(&name)?.iter().copied().filter(|&f| f != def).filter_map(|fixture| {
            let other = self.program.file_of(fixture);
            let other_path = &self.program.files[other.index()].path;
            let same_class =
                self.program.owner(fixture).is_some() && self.program.owner(fixture) == self.program.owner(def);
            let distance = if same_class {
                usize::MAX
            } else if self.program.owner(fixture).is_some() {
                return None;
            } else if other == file {
                usize::MAX - 1
            } else {
                let folder = other_path.strip_suffix("conftest.py")?;
                path.starts_with(folder).then_some(folder.len())?
            };
            Some((distance, fixture))
        });
        let (_, fixture) = nearest.max_by_key(|&(distance, _)| distance)?;
        let ty = self.returned(fixture);
        // A fixture that yields gives what it yields.
        let function = self.program.function(fixture)?;
        Some(if function.is_generator { self.iterated_any(ty) } else { self.awaited_any(ty) })
    }
}

fn is_fixture(decorator: &str) -> bool {
    let path = decorator.split('(').next().unwrap_or(decorator).trim();
    matches!(path, "pytest.fixture" | "fixture" | "pytest_asyncio.fixture")
}
