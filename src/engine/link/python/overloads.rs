//! Overload resolution (PEP 484): the first overload that accepts the arguments, as far as their types are known.

use rustc_hash::FxHashMap;

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use crate::{
    link::limits::MAX_OVERLOADS,
    program::{ArgumentKind, ParameterKind},
    syntax::python::facts::{BindingKind, Param},
};

impl Linker<'_> {
    /// The `@overload`s of a function in source order.
    pub(super) fn overloads(&self, def: GlobalDef) -> Vec<GlobalDef> {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        facts
            .bindings_of(row.outer, row.name)
            .iter()
            .take(MAX_OVERLOADS)
            .filter_map(|b| match facts.bindings[b.index()].kind {
                BindingKind::Def(def) => Some(self.program.global_def(file, def)),
                _ => None,
            })
            .filter(|&other| self.program.is_decorated(other, &["overload"]))
            .collect()
    }

    /// The overload that a call selects, or the function itself if no overload accepts the arguments.
    pub(super) fn select_overload(
        &mut self,
        def: GlobalDef,
        is_bound: bool,
        passed: Option<PassedArguments>,
    ) -> GlobalDef {
        let Some(passed) = passed else { return def };
        let overloads = self.overloads(def);
        overloads.into_iter().find(|&overload| self.overload_accepts(overload, is_bound, passed)).unwrap_or(def)
    }

    /// The overloads that the calls of a file take, by call site. A call with several candidates counts for none.
    pub(super) fn taken_overloads(
        &mut self,
        file: FileIndex,
        resolved: &[ResolvedCall],
        callables: &[CallableSignature],
    ) -> FxHashMap<usize, u16> {
        let mut taken = FxHashMap::default();
        for (at, (site, resolved)) in self.program.facts(file).calls.iter().zip(resolved).enumerate() {
            let [candidate] = resolved.candidates[..] else { continue };
            let callable = &callables[candidate.def.index()];
            if callable.overloads.is_empty() {
                continue;
            }
            self.begin_question();
            let has_receiver = callable.signature.as_ref().is_some_and(|signature| signature.receiver.is_some());
            let is_bound = has_receiver && !candidate.explicit_receiver;
            let passed = PassedArguments { file, arguments: &site.arguments, decorated_function: None };
            let accepts = |linker: &mut Self, def| linker.overload_accepts(def, is_bound, passed);
            if let Some(overload) = callable.overloads.iter().position(|&(def, _)| accepts(self, def)) {
                taken.insert(at, overload as u16);
            }
        }
        taken
    }

    fn overload_accepts(&mut self, def: GlobalDef, is_bound: bool, passed: PassedArguments) -> bool {
        let Some(function) = self.program.function(def) else { return false };
        let parameters: &[Param] = &function.parameters;
        let receiver_count = usize::from(is_bound && parameters.first().is_some_and(|p| is_positional(p.kind)));
        let parameters = &parameters[receiver_count.min(parameters.len())..];
        let file = self.program.file_of(def);
        let mut is_passed = vec![false; parameters.len()];
        let mut position = 0;
        let mut has_spread = false;
        let values = passed.arguments.iter().map(|a| (a.kind, a.keyword, Some(a.value), a.literal.as_deref()));
        let decorated = passed.decorated_function.map(|_| (ArgumentKind::Positional, None, None, None));
        for (kind, keyword, value, literal) in values.chain(decorated) {
            let index = match kind {
                ArgumentKind::Star | ArgumentKind::DoubleStar => {
                    has_spread = true;
                    continue;
                }
                ArgumentKind::Positional => {
                    let index = parameters.iter().position(|p| p.kind == ParameterKind::VarPositional);
                    let positional =
                        (position < parameters.len() && is_positional(parameters[position].kind)).then_some(position);
                    position += 1;
                    positional.or(index)
                }
                ArgumentKind::Keyword => {
                    let name = keyword.map(|k| self.program.global_name(passed.file, k));
                    let named = parameters.iter().position(|p| {
                        Some(self.program.global_name(file, p.name)) == name
                            && matches!(p.kind, ParameterKind::Standard | ParameterKind::KeywordOnly)
                    });
                    named.or_else(|| parameters.iter().position(|p| p.kind == ParameterKind::VarKeyword))
                }
            };
            let Some(index) = index else {
                if has_spread {
                    continue;
                }
                return false;
            };
            is_passed[index] = true;
            if parameters[index].kind.is_variadic() {
                continue;
            }
            if let Some((annotation, text)) = &parameters[index].annotation {
                if text.contains("Literal[") && !text.contains('|') && !literal.is_some_and(|l| lists_literal(text, l))
                {
                    return false;
                }
                let wanted = self.annotation_type(file, *annotation);
                let value = match value {
                    Some(value) => self.expr_type(passed.file, value),
                    None => passed.decorated_function.unwrap_or_default(),
                };
                if !self.may_accept(wanted, value) {
                    return false;
                }
            }
        }
        has_spread
            || parameters
                .iter()
                .zip(&is_passed)
                .all(|(p, is_passed)| *is_passed || p.default.is_some() || p.kind.is_variadic())
    }

    /// False only if a value of type `value` certainly cannot be passed for type `wanted`.
    fn may_accept(&mut self, wanted: TypeId, value: TypeId) -> bool {
        let wanted_parts = self.types.parts(wanted);
        let value_parts = self.types.parts(value);
        value_parts.iter().any(|&v| wanted_parts.iter().any(|&w| self.part_may_accept(w, v)))
    }

    fn part_may_accept(&mut self, wanted: TypeId, value: TypeId) -> bool {
        match (self.types.get(wanted).clone(), self.types.get(value).clone()) {
            (Type::Unknown | Type::TooComplex | Type::External | Type::Variable(_), _) => true,
            (
                _,
                Type::Unknown
                | Type::TooComplex
                | Type::External
                | Type::Variable(_)
                | Type::ExternalName(_)
                | Type::ExternalMethod(..),
            ) => true,
            (Type::None, _) => value == TypeId::NONE,
            (_, Type::None) => false,
            (Type::ExternalInstance(w, _), Type::ExternalInstance(v, _)) => {
                let (w, v) = (self.program.interner.text(w), self.program.interner.text(v));
                let is_open = !is_builtin_value(w) && w != "Callable";
                w == v || is_open || !is_builtin_value(v)
            }
            (Type::ExternalInstance(w, _), Type::Function(_) | Type::Method(..)) => {
                let w = self.program.interner.text(w);
                w == "Callable" || !is_builtin_value(w) && w != "type" && !is_abstract_collection(w)
            }
            (Type::ExternalInstance(w, _), Type::Class(..)) => {
                let w = self.program.interner.text(w);
                matches!(w, "Callable" | "type") || !is_builtin_value(w)
            }
            (Type::ExternalInstance(w, _), Type::Instance(..)) => !is_builtin_value(self.program.interner.text(w)),
            (Type::Instance(w, _), Type::Instance(v, _)) => self.inherits(v, w),
            (Type::Instance(..), Type::ExternalInstance(v, _)) => !is_builtin_value(self.program.interner.text(v)),
            (Type::Instance(..), Type::Function(_) | Type::Method(..) | Type::Class(..)) => false,
            (Type::Class(w, _), Type::Class(v, _)) => self.inherits(v, w),
            _ => true,
        }
    }
}

/// True if `annotation` lists the literal in `Literal[…]` (PEP 586), in either kind of quotes.
fn lists_literal(annotation: &str, literal: &str) -> bool {
    annotation.contains(literal) || annotation.contains(&literal.replace('\'', "\""))
}

fn is_positional(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::PositionalOnly | ParameterKind::Standard)
}

/// Built-in types that have no relevant subclasses.
fn is_builtin_value(path: &str) -> bool {
    matches!(path, "str" | "int" | "float" | "bool" | "bytes" | "list" | "dict" | "set" | "tuple" | "frozenset")
}

fn is_abstract_collection(path: &str) -> bool {
    matches!(path, "Iterable" | "AsyncIterable" | "Generator" | "Awaitable" | "Callable")
}
