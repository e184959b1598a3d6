//! Narrowing of types by conditions.

use super::{
    linker::Linker,
    members::MemberLookup,
    partial_objects::PARTIAL,
    program::{FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{BindingKind, Expr, ExprId, NarrowingTest};

impl Linker<'_> {
    /// The type of the expression `before` on one branch of the condition `test`, which tests that expression.
    /// `positive` is true for the branch on which the test has succeeded.
    pub(super) fn narrowed_type(
        &mut self,
        file: FileIndex,
        before: ExprId,
        test: NarrowingTest,
        positive: bool,
    ) -> TypeId {
        let ty = self.expr_type(file, before);
        match (test, positive) {
            // The branch adds nothing to a value of which nothing is known: its type may become known later.
            (NarrowingTest::IsNone, true) => {
                if ty.is_unknown() {
                    ty
                } else {
                    TypeId::NONE
                }
            }
            (NarrowingTest::IsNone, false) | (NarrowingTest::Truthy, true) => self.without_none(ty),
            (NarrowingTest::Instance(class), true) if self.is_receiver_read(file, before) => {
                let class = self.expr_type(file, class);
                let wanted = self.class_info_instances(class);
                // If neither class extends the other, the method belongs to a mixin, and the receiver is an instance of
                // a class that extends both.
                self.common_part(ty, wanted).unwrap_or_else(|| self.types.union([ty, wanted]))
            }
            (NarrowingTest::Instance(class), true) => {
                let class = self.expr_type(file, class);
                let wanted = self.class_info_instances(class);
                self.narrowed_to_instances(file, before, ty, wanted)
            }
            (NarrowingTest::ExactType(class), true) => {
                let class = self.expr_type(file, class);
                let wanted = self.class_info_instances(class);
                // `type(x) is type(y)` says nothing of `x` if nothing is known of `y`.
                if wanted.is_unknown() { ty } else { self.intersect(ty, wanted) }
            }
            (NarrowingTest::Instance(class), false) => {
                let class = self.expr_type(file, class);
                let excluded = self.class_info_instances(class);
                self.without(ty, excluded)
            }
            (NarrowingTest::Guard(call), _) => self.guarded_type(file, ty, call, positive),
            (NarrowingTest::Subclass(class), true) => {
                let class = self.expr_type(file, class);
                let wanted = self.class_info_instances(class);
                let is_instance = |part: &TypeId| matches!(self.types.get(*part), Type::Instance(..));
                if !self.types.parts(wanted).iter().all(is_instance) {
                    return ty;
                }
                let known = self.instance_of_class(ty);
                let narrowed = self.intersect(known, wanted);
                self.class_of_instance(narrowed)
            }
            (NarrowingTest::Subclass(class), false) => {
                let class = self.expr_type(file, class);
                let excluded = self.class_info_instances(class);
                self.without_subclasses(ty, excluded)
            }
            (NarrowingTest::Callable, _) => {
                let parts = self.types.parts(ty);
                let kept: Vec<TypeId> = parts
                    .iter()
                    .copied()
                    .filter(|&part| self.is_callable(part).is_none_or(|is| is == positive))
                    .collect();
                if kept.is_empty() { ty } else { self.types.union(kept) }
            }
            _ => ty,
        }
    }

    /// The type of the expression `value` of type `ty` after it has passed a test for instances of type `wanted`. If no
    /// part of one type is a subtype of a part of the other, the value is an instance of a class that extends both, of
    /// which each part of the union describes one base. That holds only for a value of a declared class: the inferred
    /// type of any other value may lack the class that the test finds.
    fn narrowed_to_instances(&mut self, file: FileIndex, value: ExprId, ty: TypeId, wanted: TypeId) -> TypeId {
        if let Some(common) = self.common_part(ty, wanted) {
            return common;
        }
        let parts = self.types.parts(ty);
        let declared: Vec<TypeId> =
            parts.iter().copied().filter(|&part| matches!(self.types.get(part), Type::Instance(..))).collect();
        let is_class = |part: &TypeId| match self.types.get(*part) {
            Type::Instance(..) => true,
            // Code that tests for a built-in type such as `str` usually does not trust the declaration, so the test
            // alone counts. The path of any other class has a dot, or is one word that begins with a capital:
            // `Iterable`.
            Type::ExternalInstance(path, _) => {
                let path = self.program.interner.text(*path);
                path.contains('.') || path.starts_with(|first: char| first.is_ascii_uppercase())
            }
            _ => false,
        };
        if declared.is_empty() || !self.types.parts(wanted).iter().all(is_class) || !self.has_declared_type(file, value)
        {
            return wanted;
        }
        self.types.union(declared.into_iter().chain([wanted]))
    }

    /// True for a name whose bindings all have an annotation, or narrow such a name.
    fn has_declared_type(&self, file: FileIndex, value: ExprId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let facts = self.program.facts(file);
        let Expr::Name { reaching, .. } = facts.expr(value) else { return false };
        let bindings = facts.reaching(reaching);
        !bindings.is_empty()
            && bindings.iter().all(|binding| match facts.bindings[binding.index()].kind {
                BindingKind::Parameter(def, position) => {
                    let function = facts.def(def).function();
                    function.is_some_and(|f| f.parameters[position as usize].annotation.is_some())
                }
                BindingKind::Assign { annotation, .. } => annotation.is_some(),
                BindingKind::Narrow { before, .. } => self.has_declared_type(file, before),
                _ => false,
            })
    }

    /// The instances of a class, or of the classes in a tuple or union, among the values of a type.
    pub(super) fn narrowed_to_class(&mut self, file: FileIndex, ty: TypeId, class: ExprId) -> TypeId {
        let class = self.expr_type(file, class);
        let wanted = self.class_info_instances(class);
        self.intersect(ty, wanted)
    }

    /// True if all values of a type are callable, false if none is; `None` if that is not known.
    fn is_callable(&mut self, ty: TypeId) -> Option<bool> {
        match self.types.get(ty).clone() {
            Type::Function(_) | Type::Method(..) | Type::Class(..) => Some(true),
            Type::Instance(class, _) => {
                let name = self.program.interner.intern("__call__");
                match self.lookup_member(class, name) {
                    MemberLookup::Found(_) => Some(true),
                    MemberLookup::External => None,
                    MemberLookup::Missing => Some(false),
                }
            }
            Type::ExternalInstance(path, _) => {
                Some(matches!(self.program.interner.text(path), "Callable" | "type" | PARTIAL))
            }
            Type::None => Some(false),
            _ => None,
        }
    }

    /// The type of the first argument of a call of a type guard. `TypeGuard` gives the type on the positive branch only
    /// (PEP 647); `TypeIs` narrows the type on both (PEP 742).
    fn guarded_type(&mut self, file: FileIndex, ty: TypeId, call: ExprId, positive: bool) -> TypeId {
        let facts = self.program.facts(file);
        let Expr::Call(site) = facts.expr(call) else { return ty };
        let callee = self.expr_type(file, facts.calls[site.index()].callee);
        let (Type::Function(def) | Type::Method(def, _)) = *self.types.get(callee) else { return ty };
        if !self.is_guard(def) {
            return ty;
        }
        let returned = self.expr_type(file, call);
        self.guarded_by(returned, ty, positive)
    }

    /// True if the annotation of a function names a type guard.
    fn is_guard(&self, def: GlobalDef) -> bool {
        let returns = self.program.function(def).and_then(|function| function.returns.as_ref());
        returns.is_some_and(|(_, text)| text.contains("TypeGuard[") || text.contains("TypeIs["))
    }

    /// The type of a value of type `ty` on one branch of a call of a type guard whose return type is `returned`.
    fn guarded_by(&mut self, returned: TypeId, ty: TypeId, positive: bool) -> TypeId {
        let Type::ExternalInstance(path, args) = self.types.get(returned) else { return ty };
        let &[wanted] = &args[..] else { return ty };
        let name = self.program.interner.text(*path).rsplit('.').next();
        if wanted.is_unknown() || self.types.has_variable(wanted) {
            return ty;
        }
        match (name, positive) {
            (Some("TypeGuard"), true) => wanted,
            (Some("TypeIs"), true) => self.intersect(ty, wanted),
            (Some("TypeIs"), false) => self.without(ty, wanted),
            _ => ty,
        }
    }

    /// The type of the items of `filter(accepts, items)`, where `item` is the type of the items of `items`: narrowed by
    /// `accepts` if that is a type guard (PEP 647, PEP 742), without `None` if `accepts` is `None`.
    pub(super) fn accepted_by(&mut self, accepts: TypeId, item: TypeId) -> TypeId {
        match *self.types.get(accepts) {
            Type::None => self.without_none(item),
            Type::Function(def) | Type::Method(def, _) if self.is_guard(def) => {
                let returned = self.return_type(def);
                self.guarded_by(returned, item, true)
            }
            _ => item,
        }
    }

    /// The parts of `ty` that are not subtypes of any part of `excluded`.
    fn without(&mut self, ty: TypeId, excluded: TypeId) -> TypeId {
        let excluded = self.types.parts(excluded);
        let parts = self.types.parts(ty);
        let kept: Vec<TypeId> =
            parts.iter().copied().filter(|&part| !excluded.iter().any(|&e| self.is_subtype(part, e))).collect();
        if kept.len() == parts.len() { ty } else { self.types.union(kept) }
    }

    /// The classes in `ty` that are not subclasses of the classes of the instances in `excluded`; `ty` itself if no
    /// class is left.
    fn without_subclasses(&mut self, ty: TypeId, excluded: TypeId) -> TypeId {
        let excluded = self.types.parts(excluded);
        let mut kept = Vec::new();
        for &part in self.types.parts(ty).iter() {
            let instances = match self.types.get(part).clone() {
                Type::Class(class, _) => self.types.instance(class),
                Type::ExternalInstance(path, args) if self.program.interner.text(path) == "type" && args.len() == 1 => {
                    args[0]
                }
                _ => {
                    kept.push(part);
                    continue;
                }
            };
            let all = self.types.parts(instances);
            let rest: Vec<TypeId> =
                all.iter().copied().filter(|&one| !excluded.iter().any(|&e| self.is_subtype(one, e))).collect();
            if rest.len() == all.len() {
                kept.push(part);
            } else if !rest.is_empty() {
                let rest = self.types.union(rest);
                kept.push(self.external_instance("type", &[rest]));
            }
        }
        if kept.is_empty() { ty } else { self.types.union(kept) }
    }

    /// The type of the values that pass `isinstance(x, info)`. `info` is a class, a tuple of classes or a union
    /// (PEP 604).
    fn class_info_instances(&mut self, info: TypeId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        self.map_union(info, |this, part| match this.types.get(part).clone() {
            Type::Tuple(items) => {
                let parts: Vec<TypeId> = items.iter().map(|&item| this.class_info_instances(item)).collect();
                this.types.union(parts)
            }
            _ => this.instance_of_class(part),
        })
    }

    /// The intersection of two types. Every part of `ty` is compared with every part of `wanted`; if one is a subtype
    /// of the other, the result contains the subtype. If there is no such pair, the result is `wanted`.
    fn intersect(&mut self, ty: TypeId, wanted: TypeId) -> TypeId {
        self.common_part(ty, wanted).unwrap_or(wanted)
    }

    /// Implements [`Self::intersect`]; `None` if no part of one type is a subtype of a part of the other.
    fn common_part(&mut self, ty: TypeId, wanted: TypeId) -> Option<TypeId> {
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
        if kept.is_empty() { None } else { Some(self.types.union(kept)) }
    }

    /// True for the receiver of a method: `self`.
    fn is_receiver_read(&self, file: FileIndex, value: ExprId) -> bool {
        match self.program.facts(file).only_binding(value) {
            Some(&BindingKind::Parameter(def, 0)) => {
                let def = self.program.global_def(file, def);
                self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod", "classmethod"])
            }
            _ => false,
        }
    }

    /// True if `a` is a nominal subtype of `b`.
    fn is_subtype(&mut self, a: TypeId, b: TypeId) -> bool {
        match (self.types.get(a).clone(), self.types.get(b).clone()) {
            (Type::Instance(a, _), Type::Instance(b, _)) => self.inherits(a, b),
            (Type::Instance(class, _), Type::ExternalInstance(base, _)) => self.inherits_external(class, base),
            (Type::ExternalInstance(a, _), Type::ExternalInstance(b, _)) => a == b,
            (Type::Tuple(_), Type::ExternalInstance(b, _)) => self.program.interner.text(b) == "tuple",
            (Type::Class(..), Type::ExternalInstance(b, _)) => self.program.interner.text(b) == "type",
            _ => false,
        }
    }
}
