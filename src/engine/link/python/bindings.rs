//! Type inference of bindings: imports, definitions, parameters, assignments, narrowings.

use super::{
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalBinding},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{
    Binding, BindingId, BindingKind, Expr, ExprId, Extraction, ScopeId, UnpackStep,
};

impl Linker<'_> {
    /// The type that a binding gives its name.
    pub(crate) fn binding_type(&mut self, file: FileIndex, binding: BindingId) -> TypeId {
        self.memoized(
            |this| &mut this.binding_types[file.index()][binding.index()],
            |this| this.infer_binding(file, binding),
        )
    }

    pub(super) fn infer_binding(&mut self, file: FileIndex, id: BindingId) -> TypeId {
        let facts = self.program.facts(file);
        let binding = &facts.bindings[id.index()];
        match &binding.kind {
            BindingKind::Import { module, whole } => {
                let dotted = facts.name(*module);
                let module_name = if *whole { dotted } else { dotted.split('.').next().unwrap_or(dotted) };
                self.imported_module_type(file, module_name)
            }
            BindingKind::ImportFrom { module, level, name } => {
                let imported = self.imported_name_type(file, *level, *module, *name);
                if imported.is_unknown() && self.imported_module(file, *level, *module).is_none() {
                    self.accelerated_definition(file, id)
                } else {
                    imported
                }
            }
            BindingKind::Def(def) => {
                let def = self.program.global_def(file, *def);
                if let Some(path) = self.program.declarations.path_of(def) {
                    return self.types.add(Type::ExternalName(path));
                }
                let def = self.program.stub_files.definition_of(def);
                match self.program.class_of(def) {
                    Some(class) => self.types.class(class),
                    None => self.types.add(Type::Function(def)),
                }
            }
            BindingKind::Parameter(def, position) => {
                let def = self.program.global_def(file, *def);
                self.parameter_type(def, *position as usize)
            }
            BindingKind::Assign { value, annotation, unpack, extraction } => {
                let declared = annotation.map_or(TypeId::UNKNOWN, |a| self.annotation_type(file, a));
                let Some(value) = value else { return declared };
                if *extraction == Extraction::Value && unpack.is_none() && self.is_type_variable(file, *value) {
                    return self.types.add(Type::Variable(GlobalBinding { file, binding: id }));
                }
                let steps = self.program.facts(file).steps(*unpack);
                let (value, steps) = match extraction {
                    Extraction::Value => self.item_of_display(file, *value, steps),
                    _ => (*value, steps),
                };
                let mut ty = self.expr_type(file, value);
                ty = self.extract(ty, *extraction);
                for step in steps {
                    ty = self.unpack(file, ty, *step);
                }
                // An assignment of an unknown value, or of an empty container, keeps the declaration that the scope
                // has for the name.
                if annotation.is_none() {
                    let is_open = ty.is_unknown() || ty == TypeId::EXTERNAL;
                    if is_open || self.has_unknown_items(ty) {
                        let declared = self.declaration_in_scope(file, binding);
                        let is_kept = is_open && !declared.is_unknown() || self.is_same_container(declared, ty);
                        return if is_kept { declared } else { ty };
                    }
                }
                let is_literal_none = facts.expr(value) == Expr::None;
                self.narrowed_to_assigned(declared, ty, is_literal_none)
            }
            BindingKind::Augmented { before, value } => {
                let mut parts: Vec<TypeId> =
                    facts.reaching(*before).iter().map(|&b| self.binding_type(file, b)).collect();
                // `x += [v]` adds its items to a list, tuple or set.
                let is_display = matches!(facts.expr(*value), Expr::List(_) | Expr::Tuple(_) | Expr::Set(_));
                if parts.is_empty() || is_display {
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
            BindingKind::TypeAlias { value, .. } => self.expr_type(file, *value),
            BindingKind::TypeParameter { .. } => self.types.add(Type::Variable(GlobalBinding { file, binding: id })),
            BindingKind::ImportStar { .. } | BindingKind::Unknown => TypeId::UNKNOWN,
        }
    }

    /// The type that a scope declares for the name of one of its bindings, by `x: T` or an annotated parameter.
    fn declaration_in_scope(&mut self, file: FileIndex, binding: &Binding) -> TypeId {
        let facts = self.program.facts(file);
        let mut bindings = facts.bindings_of(binding.scope, binding.name).iter();
        let declared = bindings.rfind(|b| match facts.bindings[b.index()].kind {
            BindingKind::Assign { annotation, .. } => annotation.is_some(),
            BindingKind::Parameter(def, position) => {
                let function = facts.def(def).function();
                function.is_some_and(|f| f.parameters[position as usize].annotation.is_some())
            }
            _ => false,
        });
        let Some(declared) = declared else { return TypeId::UNKNOWN };
        match facts.bindings[declared.index()].kind {
            BindingKind::Assign { annotation: Some(annotation), .. } => self.annotation_type(file, annotation),
            _ => self.binding_type(file, *declared),
        }
    }

    /// The Python definition that a later import replaces with the definition of a compiled module (PEP 399): `def f`,
    /// then `from ._speedups import f`.
    fn accelerated_definition(&mut self, file: FileIndex, import: BindingId) -> TypeId {
        let facts = self.program.facts(file);
        let Binding { scope, name, .. } = facts.bindings[import.index()];
        let mut same_name = facts.bindings_of(scope, name).iter();
        let definition = same_name.rfind(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Def(_)));
        definition.map_or(TypeId::UNKNOWN, |&definition| self.binding_type(file, definition))
    }

    /// The declared type, narrowed to the assigned type if the assigned type is fully known (PEP 526 lets a declaration
    /// be wider than the value). `is_literal_none` is true for the assignment of `None` itself.
    fn narrowed_to_assigned(&mut self, declared: TypeId, assigned: TypeId, is_literal_none: bool) -> TypeId {
        if declared.is_unknown() {
            return assigned;
        }
        // If the inferred type is only `None`, the other alternatives of the value are unknown:
        // `x: T | None = unknown.get(key)`.
        if assigned == TypeId::NONE && !is_literal_none {
            return declared;
        }
        let is_fully_known = |part: &TypeId| {
            matches!(
                self.types.get(*part),
                Type::Instance(..) | Type::Class(..) | Type::Function(_) | Type::Method(..) | Type::None
            )
        };
        if !self.types.parts(assigned).iter().all(is_fully_known) {
            return self.with_functions(declared, assigned);
        }
        match (self.types.get(declared).clone(), self.types.get(assigned).clone()) {
            // The value has no type arguments of its own: `x: Registry[Agent] = Registry()`.
            (Type::Instance(class, args), Type::Instance(made, made_args))
                if class == made && !args.is_empty() && made_args.iter().all(|arg| arg.is_unknown()) =>
            {
                declared
            }
            // The declaration may also be narrower: `x: Sub = make_base()`.
            (Type::Instance(sub, _), Type::Instance(base, _)) if sub != base && self.inherits(sub, base) => declared,
            _ => assigned,
        }
    }

    /// The declared type `Callable[…]`, with the functions of the sources among the assigned values:
    /// `emit: Callable[[str], None] = lines.append if lines else write`. Any other declared type stays as it is.
    fn with_functions(&mut self, declared: TypeId, assigned: TypeId) -> TypeId {
        let Type::ExternalInstance(path, _) = self.types.get(declared) else { return declared };
        if self.program.interner.text(*path) != "Callable" {
            return declared;
        }
        let is_function = |part: &TypeId| {
            matches!(self.types.get(*part), Type::Function(_) | Type::Method(..))
                || self.behind_partial(*part).is_some()
        };
        let functions: Vec<TypeId> = self.types.parts(assigned).iter().copied().filter(is_function).collect();
        self.types.union(std::iter::once(declared).chain(functions))
    }

    /// The type that an extraction (iteration, `with`, `except`) takes out of a value.
    fn extract(&mut self, value: TypeId, extraction: Extraction) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        match extraction {
            Extraction::Value => value,
            Extraction::Iteration => self.iteration_type(value),
            Extraction::AsyncIteration => self.async_iteration_type(value),
            Extraction::Enter => self.enter_type(value, "__enter__"),
            Extraction::AsyncEnter => self.enter_type(value, "__aenter__"),
            Extraction::Exception => self.map_union(value, |this, part| match this.types.get(part).clone() {
                Type::Tuple(items) => {
                    let parts: Vec<TypeId> = items.iter().map(|&item| this.instance_of_class(item)).collect();
                    this.types.union(parts)
                }
                _ => this.instance_of_class(part),
            }),
            Extraction::ExceptionGroup => {
                let exception = self.extract(value, Extraction::Exception);
                self.external_instance("ExceptionGroup", &[exception])
            }
        }
    }

    /// Follows the steps of unpacking into list and tuple displays: `a` of `[a, b] = [f, g]` is `f`. Returns the item
    /// that is reached, and the steps that are left.
    fn item_of_display<'u>(
        &self,
        file: FileIndex,
        mut value: ExprId,
        mut steps: &'u [UnpackStep],
    ) -> (ExprId, &'u [UnpackStep]) {
        let facts = self.program.facts(file);
        while let Some((step, rest)) = steps.split_first()
            && let Expr::List(items) | Expr::Tuple(items) = facts.expr(value)
        {
            let items = facts.list(items);
            let has_star = items.iter().any(|&item| matches!(facts.expr(item), Expr::Starred(_)));
            let position = match *step {
                UnpackStep::Item(at) => Some(usize::from(at)),
                UnpackStep::ItemFromEnd(at) => items.len().checked_sub(1 + usize::from(at)),
                // A sequence pattern matches the display itself.
                UnpackStep::Sequence { len, is_open: false } if usize::from(len) == items.len() && !has_star => {
                    steps = rest;
                    continue;
                }
                _ => None,
            };
            let Some(&item) = position.filter(|_| !has_star).and_then(|at| items.get(at)) else { break };
            (value, steps) = (item, rest);
        }
        (value, steps)
    }

    fn unpack(&mut self, file: FileIndex, ty: TypeId, step: UnpackStep) -> TypeId {
        if !matches!(step, UnpackStep::Item(_) | UnpackStep::ItemFromEnd(_) | UnpackStep::Rest { .. }) {
            return self.matched_part(file, ty, step);
        }
        self.map_union(ty, |this, part| {
            let part = this.tuple_of_instance(part).unwrap_or(part);
            match (this.types.get(part).clone(), step) {
                (Type::Tuple(items), UnpackStep::Item(n)) => items.get(usize::from(n)).copied().unwrap_or_default(),
                (Type::Tuple(items), UnpackStep::ItemFromEnd(n)) => {
                    items.iter().rev().nth(usize::from(n)).copied().unwrap_or_default()
                }
                (Type::Tuple(items), UnpackStep::Rest { before, after }) => {
                    let end = items.len().saturating_sub(usize::from(after));
                    let rest = items.get(usize::from(before)..end).unwrap_or_default();
                    let item = this.types.union(rest.iter().copied());
                    this.external_instance("list", &[item])
                }
                (_, UnpackStep::Rest { .. }) => {
                    let item = this.iteration_type(part);
                    this.external_instance("list", &[item])
                }
                _ => this.iteration_type(part),
            }
        })
    }
}
