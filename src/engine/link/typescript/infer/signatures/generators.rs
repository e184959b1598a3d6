//! Iterators: the elements that iterables yield by `[Symbol.iterator]`, and the results that `yield*` gives.

use crate::typescript::{
    infer::Linker,
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::MemberKind;

/// The greatest number of iterables that lead from one to the next by `[Symbol.iterator]`.
const MAX_DEPTH: u32 = 4;

/// The greatest number of levels of bases in which the method `[Symbol.iterator]` is looked for.
const MAX_BASES: u32 = 12;

impl Linker<'_> {
    /// The type of `yield* value`: what the iterator of the value returns at its end.
    pub(in super::super) fn delegated_type(&mut self, value: InternedType) -> InternedType {
        if !value.is_known() {
            return value;
        }
        let constituents = self.types.constituents(value);
        let all: InternedTypes = constituents.into_iter().map(|part| self.iterator_result(part, 0)).collect();
        self.types.union(all)
    }

    /// The type that the iterator of a value returns at its end.
    fn iterator_result(&mut self, value: InternedType, depth: u32) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        let value = self.constraint(value).unwrap_or(value);
        for iterator in [self.well_known.iterator, self.well_known.async_iterator].into_iter().flatten() {
            if let Some(args) = self.type_arguments_as(value, iterator, 0) {
                return args.get(1).copied().unwrap_or(InternedType::ANY);
            }
        }
        if let Some(iterator) = self.made_iterator(value).filter(|_| depth < MAX_DEPTH) {
            return self.iterator_result(iterator, depth + 1);
        }
        self.result_of_next(value).unwrap_or(InternedType::ANY)
    }

    /// The type that the method `[Symbol.iterator]` of a value returns, as its class or interface, or a base of it,
    /// declares it.
    fn made_iterator(&mut self, value: InternedType) -> Option<InternedType> {
        let mut open: InternedTypes = self.types.constituents(value);
        for _ in 0..MAX_BASES {
            let mut bases = InternedTypes::new();
            for ty in open {
                let (defs, args) = match self.types.kind(ty).clone() {
                    TypeKind::Reference(symbol, args) => (self.program.definitions(symbol), args),
                    TypeKind::This(symbol) => (self.program.definitions(symbol), self.own_type_arguments(symbol)),
                    TypeKind::Intersection(parts) => {
                        bases.extend(parts);
                        continue;
                    }
                    // The value of a class inherits the properties of the value after `extends`:
                    // `class A extends Service<A>() {}`.
                    TypeKind::ClassConstructor(def, _) => {
                        let file = self.program.file_of(def);
                        if let Some((base, _, _)) = self.program.def(def).class().and_then(|c| c.extends.as_ref()) {
                            bases.push(self.expr_type(file, *base));
                        }
                        continue;
                    }
                    _ => continue,
                };
                for def in defs {
                    let file = self.program.file_of(def);
                    let substitution = self.substitution_of(def, &args, Some(value));
                    let methods = &self.program.facts(file).iterator_methods;
                    let method = self.program.members(def).iter().find_map(|member| match member.kind {
                        MemberKind::Function(method) => Some(method).filter(|method| methods.contains(method)),
                        _ => None,
                    });
                    if let Some(method) = method.filter(|_| !methods.is_empty()) {
                        let generic = self.return_type(self.program.global_def(file, method));
                        return Some(self.substitute(generic, substitution));
                    }
                    for base in self.base_types(def) {
                        let base = self.substitute(base, substitution);
                        if !bases.contains(&base) {
                            bases.push(base);
                        }
                    }
                }
            }
            open = bases;
        }
        None
    }

    /// The type of the elements that the iterator yields which the method `[Symbol.iterator]` of a value returns.
    pub(in super::super) fn iterated_type(&mut self, value: InternedType) -> Option<InternedType> {
        let iterator = self.made_iterator(value)?;
        if let Some(args) = self.type_arguments_as(iterator, self.well_known.iterable?, 1) {
            return args.first().copied();
        }
        let result = self.next_result(iterator)?;
        self.property_type(result, self.well_known.value)
    }

    /// The second type argument of the `IteratorResult` that the method `next` of an iterator returns.
    fn result_of_next(&mut self, iterator: InternedType) -> Option<InternedType> {
        let result = self.next_result(iterator)?;
        let args = self.type_arguments_as(result, self.well_known.iterator_result?, 0)?;
        args.get(1).copied()
    }

    /// The type that the method `next` of an iterator returns; of an asynchronous one, the type that it resolves to.
    fn next_result(&mut self, iterator: InternedType) -> Option<InternedType> {
        let next = self.find_property(iterator, self.well_known.next)?.ty;
        let signature = self.signatures(next, false).first().copied()?;
        let generic = self.return_type(signature.def);
        let result = self.substitute(generic, signature.substitution);
        Some(self.awaited_type(result))
    }
}
