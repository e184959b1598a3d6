//! Tuple types with spread elements (`[A, ...T]`), and types that map the elements of tuples.

use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalTypeParam},
    types::{InternedType, InternedTypes, Substitution, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{TypeId, TypeNode};

/// The greatest number of elements of a tuple type. A tuple type with more is `any`.
const MAX_ELEMENTS: usize = 64;

impl Linker<'_> {
    /// The tuple type with the elements `parts`, in which a [`TypeKind::Spread`] stands for the elements of its type.
    /// The elements of tuples that are spread become elements of the type itself.
    pub(in super::super) fn tuple_type(&mut self, parts: impl IntoIterator<Item = InternedType>) -> InternedType {
        let mut all = InternedTypes::new();
        for part in parts {
            let TypeKind::Spread(spread) = *self.types.kind(part) else {
                all.push(part);
                continue;
            };
            match self.types.kind(spread).clone() {
                TypeKind::Tuple(mut items, has_rest) => {
                    let rest = if has_rest { items.pop() } else { None };
                    all.extend(items);
                    if let Some(rest) = rest {
                        let array = self.platform_type(self.well_known.array, &[rest]);
                        all.push(self.types.intern(TypeKind::Spread(array)));
                    }
                }
                TypeKind::VariadicTuple(items) => all.extend(items),
                _ => all.push(part),
            }
        }
        if all.len() > MAX_ELEMENTS {
            return InternedType::ANY;
        }
        match self.spread_position(&all) {
            None => self.types.intern(TypeKind::Tuple(all, false)),
            Some(at) if at + 1 == all.len() && !self.is_spread_deferred(all[at]) => {
                let rest = self.spread_element(all[at]);
                all[at] = rest;
                self.types.intern(TypeKind::Tuple(all, true))
            }
            Some(_) => self.types.intern(TypeKind::VariadicTuple(all)),
        }
    }

    /// The position of the first spread among the elements of a tuple type.
    fn spread_position(&self, items: &[InternedType]) -> Option<usize> {
        items.iter().position(|item| matches!(self.types.kind(*item), TypeKind::Spread(_)))
    }

    /// Whether the elements of a spread depend on type variables.
    fn is_spread_deferred(&self, spread: InternedType) -> bool {
        let TypeKind::Spread(of) = *self.types.kind(spread) else { return false };
        self.is_deferred(of) || matches!(self.types.kind(of), TypeKind::Mapped(..))
    }

    /// The type of an element of a tuple type; for a spread that of each of its elements.
    fn spread_element(&mut self, item: InternedType) -> InternedType {
        match *self.types.kind(item) {
            TypeKind::Spread(of) => self.element_type(of),
            _ => item,
        }
    }

    /// The union of the elements of a tuple type with spreads.
    pub(in super::super) fn variadic_element_type(&mut self, items: &[InternedType]) -> InternedType {
        let all: InternedTypes = items.iter().map(|item| self.spread_element(*item)).collect();
        self.types.union(all)
    }

    /// The type of the element at a position of a tuple type with spreads. Behind a spread it may be any of the
    /// remaining elements.
    pub(in super::super) fn variadic_item(&mut self, items: &[InternedType], at: usize) -> InternedType {
        match self.spread_position(items) {
            Some(spread) if at >= spread => self.variadic_element_type(&items[spread..]),
            _ => items.get(at).copied().unwrap_or(InternedType::ANY),
        }
    }

    /// Pairs the elements of a tuple type with spreads with the elements of a tuple: those before the first spread,
    /// those behind the last one, and a single spread with the tuple of what lies between. `None` if the tuple is too
    /// short.
    pub(in super::super) fn variadic_pairs(
        &mut self,
        items: &[InternedType],
        actual: &[InternedType],
        has_rest: bool,
    ) -> Option<SmallVec<[(InternedType, InternedType); 4]>> {
        let first = self.spread_position(items)?;
        let last = items.iter().rposition(|item| matches!(self.types.kind(*item), TypeKind::Spread(_)))?;
        let behind = items.len() - last - 1;
        let fixed = actual.len().checked_sub(usize::from(has_rest))?;
        if fixed < first || !has_rest && fixed < first + behind {
            return None;
        }
        let mut pairs: SmallVec<[_; 4]> = items[..first].iter().copied().zip(actual.iter().copied()).collect();
        let end = if has_rest { actual.len() } else { actual.len() - behind };
        if !has_rest {
            pairs.extend(items[last + 1..].iter().copied().zip(actual[end..].iter().copied()));
        }
        if first == last
            && let TypeKind::Spread(of) = *self.types.kind(items[first])
        {
            let between = self.types.intern(TypeKind::Tuple(actual[first..end].into(), has_rest));
            pairs.push((of, between));
        }
        Some(pairs)
    }

    /// The type parameter whose elements a mapped type maps: `T` of `{ [K in keyof T]: F<T[K]> }`.
    pub(in super::super) fn mapped_type_parameter(&mut self, file: FileIndex, id: TypeId) -> Option<GlobalTypeParam> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, renamed: None, .. } = *facts.ty(id) else { return None };
        let TypeNode::KeyOf(of) = *facts.ty(facts.type_params[key.index()].constraint?) else { return None };
        let of = self.type_from_node(file, of);
        match *self.types.kind(of) {
            TypeKind::TypeParameter(param) => Some(param),
            _ => None,
        }
    }

    /// A mapped type: a tuple if it maps the elements of a tuple that replaces a type parameter, and an array if it
    /// maps those of an array.
    pub(super) fn mapped_type(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> InternedType {
        self.mapped_list(file, id, substitution).unwrap_or_else(|| self.intern_mapped(file, id, substitution))
    }

    /// A mapped type that is not of an array or tuple.
    pub(super) fn intern_mapped(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> InternedType {
        let TypeNode::Mapped { scope, .. } = *self.program.facts(file).ty(id) else { return InternedType::ANY };
        let program = &self.program;
        let kind = TypeKind::Mapped(file, id, substitution);
        self.types.intern_in_scope(kind, || program.type_params_around_type(file, scope))
    }

    fn mapped_list(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> Option<InternedType> {
        let TypeNode::Mapped { value: Some(value), .. } = *self.program.facts(file).ty(id) else { return None };
        if substitution == Substitution::EMPTY {
            return None;
        }
        let param = self.mapped_type_parameter(file, id)?;
        let of = self.types.lookup(substitution, TypeVariable::Parameter(param))?;
        let (count, has_rest) = match self.types.kind(of) {
            TypeKind::Tuple(items, has_rest) => (items.len(), *has_rest),
            _ if self.is_array(of) => (1, true),
            _ => return None,
        };
        let is_tuple = !self.is_array(of);
        let generic = self.type_from_node(file, value);
        let mut items = InternedTypes::new();
        for at in 0..count {
            let key = if has_rest && at + 1 == count {
                InternedType::NUMBER
            } else {
                let name = self.program.names.intern(&at.to_string());
                self.string_literal_type(name)
            };
            let inner = self.substitution_of_key(file, id, substitution, key)?;
            items.push(self.substitute(generic, inner));
        }
        Some(if is_tuple {
            self.types.intern(TypeKind::Tuple(items, has_rest))
        } else {
            self.platform_type(self.well_known.array, &items)
        })
    }
}
