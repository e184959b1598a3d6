//! Types of calls of the standard library that take items out of collections: `itertools`, `heapq`, `random`, `dict`.

use super::{
    calls::PassedArguments,
    linker::Linker,
    types::{Type, TypeId},
};
use apidisc_facts::program::ArgumentKind;

impl Linker<'_> {
    /// The type of a call of the function or class `path` with positional arguments of the types `args`. `None` if its
    /// result does not follow from their items.
    pub(super) fn item_call_type(&mut self, path: &str, args: &[TypeId]) -> Option<TypeId> {
        let first = args.first().copied().unwrap_or_default();
        let second = args.get(1).copied().unwrap_or_default();
        let items = match path {
            "itertools.combinations"
            | "itertools.combinations_with_replacement"
            | "itertools.permutations"
            | "itertools.batched" => {
                let item = self.iteration_type(first);
                self.external_instance("tuple", &[item])
            }
            "itertools.pairwise" => {
                let item = self.iteration_type(first);
                self.types.add(Type::Tuple([item, item].into()))
            }
            "itertools.groupby" => {
                let item = self.iteration_type(first);
                let group = self.external_instance("Iterable", &[item]);
                let key = if args.len() > 1 { self.call_type(second) } else { item };
                self.types.add(Type::Tuple([key, group].into()))
            }
            "itertools.chain.from_iterable" => {
                let part = self.iteration_type(first);
                self.iteration_type(part)
            }
            "itertools.accumulate" | "itertools.compress" => self.iteration_type(first),
            "itertools.filterfalse" => self.iteration_type(second),
            "itertools.repeat" => first,
            "itertools.starmap" => self.call_type(first),
            "heapq.merge" => {
                let items: Vec<TypeId> = args.iter().map(|&arg| self.iteration_type(arg)).collect();
                self.types.union(items)
            }
            "itertools.tee" => {
                let item = self.iteration_type(first);
                let copy = self.external_instance("Iterable", &[item]);
                return Some(self.external_instance("tuple", &[copy]));
            }
            "heapq.nlargest" | "heapq.nsmallest" | "random.sample" | "random.choices" => {
                let source = if path.starts_with("heapq") { second } else { first };
                let item = self.iteration_type(source);
                return Some(self.external_instance("list", &[item]));
            }
            "heapq.heappop" | "heapq.heappushpop" | "heapq.heapreplace" | "random.choice" => {
                return Some(self.iteration_type(first));
            }
            "sum" => {
                let item = self.iteration_type(first);
                return Some(self.types.union([item, second]));
            }
            "functools.reduce" => {
                let result = self.call_type(first);
                let item = if self.is_defined_in_sources(result) { result } else { self.iteration_type(second) };
                let initial = args.get(2).copied().unwrap_or_default();
                return Some(self.types.union([item, initial]));
            }
            "dict.fromkeys" => {
                let key = self.iteration_type(first);
                return Some(self.external_instance("dict", &[key, second]));
            }
            _ => return None,
        };
        Some(self.external_instance("Iterable", &[items]))
    }

    /// The types of the keys and of the values of a `dict`.
    pub(super) fn arguments_of_dict(&self, ty: TypeId) -> Option<(TypeId, TypeId)> {
        match self.types.get(ty) {
            Type::ExternalInstance(path, args) if self.program.interner.text(*path) == "dict" => match args[..] {
                [key, value] => Some((key, value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a call of `dict` or of a class that counts as one: a copy of a dict, a dict of pairs or of keywords,
    /// or a `defaultdict` with the values that its factory makes.
    pub(super) fn dict_call_type(&mut self, args: &[TypeId], passed: Option<PassedArguments>) -> TypeId {
        let first = args.first().copied().unwrap_or_default();
        match self.types.get(first).clone() {
            Type::ExternalInstance(path, _) if self.program.interner.text(path) == "dict" => return first,
            Type::Function(_)
            | Type::Method(..)
            | Type::Class(..)
            | Type::ExternalName(_)
            | Type::ExternalClass(..) => {
                let value = self.call_type(first);
                return self.external_instance("dict", &[TypeId::UNKNOWN, value]);
            }
            _ => {}
        }
        let (mut key, mut value) = (TypeId::UNKNOWN, TypeId::UNKNOWN);
        let item = self.iteration_type(first);
        match self.types.get(item).clone() {
            Type::Tuple(pair) if pair.len() == 2 => (key, value) = (pair[0], pair[1]),
            // `Counter(items)` counts them.
            Type::Instance(..) => key = item,
            _ => {}
        }
        if let Some(passed) = passed {
            let keywords = passed.arguments.iter().filter(|argument| argument.kind == ArgumentKind::Keyword);
            let values: Vec<TypeId> =
                keywords.take(32).map(|argument| self.expr_type(passed.file, argument.value)).collect();
            if !values.is_empty() {
                key = self.external_instance("str", &[]);
                value = self.types.union(values.into_iter().chain([value]));
            }
            let spreads = passed.arguments.iter().filter(|argument| argument.kind == ArgumentKind::DoubleStar);
            for spread in spreads.take(32) {
                let spread = self.expr_type(passed.file, spread.value);
                if let Some((spread_key, spread_value)) = self.arguments_of_dict(spread) {
                    key = self.types.union([key, spread_key]);
                    value = self.types.union([value, spread_value]);
                }
            }
        }
        if key.is_unknown() && value.is_unknown() {
            return self.external_instance("dict", &[]);
        }
        self.external_instance("dict", &[key, value])
    }
}
