//! Return types of functions, and the types of awaited values.

use crate::typescript::{
    infer::{Linker, TypeQuery},
    program::{FileIndex, GlobalDef},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Expr, FunctionKind, GuardId, TypeId};

impl Linker<'_> {
    /// The return type of a function, with its type parameters left free. If no return type is annotated, it is
    /// inferred from the `return` and `yield` expressions.
    pub(in crate::typescript) fn return_type(&mut self, def: GlobalDef) -> InternedType {
        self.query(TypeQuery::Return(def), |linker| linker.find_return_type(def))
    }

    fn find_return_type(&mut self, def: GlobalDef) -> InternedType {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return InternedType::ANY };
        let Some((ty, _)) = &function.returns else { return self.inferred_return_type(def) };
        if self.program.facts(file).has_comment_types && function.has_body {
            let inferred = self.inferred_return_type(def);
            let is_more_precise = if function.is_async {
                let awaited = self.awaited_type(inferred);
                self.tells_members(awaited)
            } else {
                self.is_more_precise(inferred, file, *ty)
            };
            if is_more_precise {
                return inferred;
            }
        }
        self.type_from_node(file, *ty)
    }

    /// Whether a type tells the members of its values, so that a type in a JSDoc comment is not needed. A comment may
    /// name a base class or the type of a function, where the code has the class and the function itself.
    fn tells_members(&self, ty: InternedType) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.types.kind(ty) {
            TypeKind::Function(..) | TypeKind::ClassConstructor(..) | TypeKind::ModuleNamespace(_) => true,
            TypeKind::Anonymous(def, _) => !self.program.members(*def).is_empty(),
            TypeKind::Reference(symbol, _) => !self.is_platform_symbol(*symbol),
            TypeKind::Union(parts) => parts.iter().all(|part| self.tells_members(*part)),
            _ => false,
        }
    }

    /// Whether the type `of_code`, which is inferred from JavaScript code, is more precise than the type in the JSDoc
    /// comment: see [`Self::tells_members`]. It is not if only the comment gives the type arguments of the same class.
    pub(in super::super) fn is_more_precise(
        &mut self,
        of_code: InternedType,
        file: FileIndex,
        comment: TypeId,
    ) -> bool {
        if !self.tells_members(of_code) {
            return false;
        }
        let TypeKind::Reference(symbol, ref args) = *self.types.kind(of_code) else { return true };
        if args.iter().all(|argument| argument.is_known() && *argument != InternedType::UNKNOWN) {
            return true;
        }
        let stated = self.type_from_node(file, comment);
        !matches!(*self.types.kind(stated), TypeKind::Reference(other, _) if other == symbol)
    }

    /// The return type that the `return` and `yield` expressions of a function give.
    fn inferred_return_type(&mut self, def: GlobalDef) -> InternedType {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return InternedType::ANY };
        if function.kind == FunctionKind::Setter || !function.has_body {
            return if function.kind == FunctionKind::Setter { InternedType::NULLISH } else { InternedType::ANY };
        }
        if function.is_generator {
            let mut all = InternedTypes::new();
            for value in &function.yields {
                let ty = match self.program.facts(file).expr(*value) {
                    Expr::Spread(inner) => {
                        let inner = self.expr_type(file, inner);
                        self.element_type(inner)
                    }
                    _ => self.expr_type(file, *value),
                };
                all.push(ty);
            }
            let element = self.types.union(all);
            let mut returned: InternedTypes = function.return_values.iter().map(|v| self.expr_type(file, *v)).collect();
            if function.falls_through || returned.is_empty() {
                returned.push(InternedType::NULLISH);
            }
            let returned = self.types.union(returned);
            let symbol = if function.is_async { self.well_known.async_generator } else { self.well_known.generator };
            return self.platform_type(symbol, &[element, returned, InternedType::ANY]);
        }
        let mut all: InternedTypes = InternedTypes::new();
        for value in &function.return_values {
            all.push(self.expr_type(file, *value));
        }
        if function.falls_through || all.is_empty() {
            all.push(InternedType::NULLISH);
        }
        if let Some((at, guard)) = function.tested
            && let Some(predicate) = self.inferred_predicate(def, at, guard)
        {
            return predicate;
        }
        let ty = self.types.union(all);
        if function.is_async {
            let inner = self.awaited_type(ty);
            return self.platform_type(self.well_known.promise, &[inner]);
        }
        ty
    }

    /// The type predicate of a function that only tests its parameter `at`; `None` if the test does not narrow the type
    /// of the parameter.
    fn inferred_predicate(&mut self, def: GlobalDef, at: u16, guard: GuardId) -> Option<InternedType> {
        let file = self.program.file_of(def);
        let name = self.program.function(def)?.params.get(usize::from(at))?.name?;
        let declared = self.parameter_type(def, at);
        let narrowed = self.narrow(file, declared, guard);
        if narrowed == declared || !narrowed.is_known() || narrowed == InternedType::NEVER {
            return None;
        }
        let name = self.program.name(file, name);
        Some(self.types.intern(TypeKind::Predicate(Some(name), narrowed)))
    }

    /// The type of `await value`, where the value has type `ty`.
    pub(in super::super) fn awaited_type(&mut self, ty: InternedType) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) if Some(symbol) == self.well_known.promise => {
                let inner = args.first().copied().unwrap_or(InternedType::ANY);
                if inner == ty { InternedType::ANY } else { self.awaited_type(inner) }
            }
            TypeKind::Union(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.awaited_type(*constituent)).collect();
                self.types.union(all)
            }
            TypeKind::Reference(..) | TypeKind::Intersection(_) => {
                let Some(promise) = self.well_known.promise else { return ty };
                match self.type_arguments_as(ty, promise, 0).and_then(|args| args.first().copied()) {
                    Some(inner) => self.awaited_type(inner),
                    None => self.awaited_by_then(ty),
                }
            }
            _ => ty,
        }
    }

    /// The awaited type of a thenable that is not a `Promise`: the type that `then` passes to its callback.
    fn awaited_by_then(&mut self, ty: InternedType) -> InternedType {
        let then = self.well_known.then;
        let Some(found) = self.find_property(ty, then).filter(|found| found.member.is_some()) else { return ty };
        let signatures = self.signatures(found.ty, false);
        let Some(signature) = signatures.first().copied() else { return ty };
        let Some(generic) = self.argument_parameter_type(signature.def, 0) else { return ty };
        let callback = self.substitute(generic, signature.substitution);
        let inner = self.signatures(callback, false);
        let Some(inner) = inner.first().copied() else { return ty };
        let Some(generic) = self.argument_parameter_type(inner.def, 0) else { return ty };
        self.substitute(generic, inner.substitution)
    }
}
