//! Which overload a call means: the first that its arguments fit, as far as their types are known.

use super::{
    infer::Linker,
    program::GlobalDef,
    results::PassedArguments,
    types::{Type, TypeId},
};
use crate::{
    program::{ArgumentKind, ParameterKind},
    syntax::python::facts::{BindingKind, Param},
};

/// Further definitions of one name are not looked at.
const MAX_OVERLOADS: usize = 128;

impl Linker<'_> {
    /// The `@overload`s of a function, in order; none where it has none.
    pub(super) fn overloads(&self, def: GlobalDef) -> Vec<GlobalDef> {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        facts
            .bindings_of(row.outer, row.name)
            .iter()
            .take(MAX_OVERLOADS)
            .filter_map(|b| match facts.bindings[b.index()].kind {
                BindingKind::Def(def) => Some(self.program.global(file, def)),
                _ => None,
            })
            .filter(|&other| self.program.is_decorated(other, &["overload"]))
            .collect()
    }

    /// The overload that a call means; the function itself where there is none or none fits.
    pub(super) fn select_overload(
        &mut self,
        def: GlobalDef,
        bound: bool,
        passed: Option<PassedArguments>,
    ) -> GlobalDef {
        let Some(passed) = passed else { return def };
        let overloads = self.overloads(def);
        overloads.into_iter().find(|&overload| self.overload_accepts(overload, bound, passed)).unwrap_or(def)
    }

    fn overload_accepts(&mut self, def: GlobalDef, bound: bool, passed: PassedArguments) -> bool {
        let Some(function) = self.program.function(def) else { return false };
        let parameters: &[Param] = &function.parameters;
        let drops = usize::from(bound && parameters.first().is_some_and(|p| is_positional(p.kind)));
        let parameters = &parameters[drops.min(parameters.len())..];
        let file = self.program.file_of(def);
        let mut given = vec![false; parameters.len()];
        let mut position = 0;
        let mut spread = false;
        let values = passed.arguments.iter().map(|a| (a.kind, a.keyword, Some(a.value), a.literal.as_deref()));
        let extra = passed.decorated_function.map(|_| (ArgumentKind::Positional, None, None, None));
        for (kind, keyword, value, literal) in values.chain(extra) {
            let place = match kind {
                ArgumentKind::Star | ArgumentKind::DoubleStar => {
                    spread = true;
                    continue;
                }
                ArgumentKind::Positional => {
                    let place = parameters.iter().position(|p| p.kind == ParameterKind::VarPositional);
                    let at =
                        (position < parameters.len() && is_positional(parameters[position].kind)).then_some(position);
                    position += 1;
                    at.or(place)
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
            let Some(place) = place else {
                if spread {
                    continue;
                }
                return false;
            };
            given[place] = true;
            if matches!(parameters[place].kind, ParameterKind::VarPositional | ParameterKind::VarKeyword) {
                continue;
            }
            if let Some((annotation, text)) = &parameters[place].annotation {
                if text.contains("Literal[") && !text.contains('|') && !literal.is_some_and(|l| mentions(text, l)) {
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
        spread
            || parameters.iter().zip(&given).all(|(p, given)| {
                *given
                    || p.default.is_some()
                    || matches!(p.kind, ParameterKind::VarPositional | ParameterKind::VarKeyword)
            })
    }

    /// False where a value of one type can surely not be given for another.
    fn may_accept(&mut self, wanted: TypeId, value: TypeId) -> bool {
        let wanted_parts = self.types.parts(wanted);
        let value_parts = self.types.parts(value);
        value_parts.iter().any(|&v| wanted_parts.iter().any(|&w| self.part_may_accept(w, v)))
    }

    fn part_may_accept(&mut self, wanted: TypeId, value: TypeId) -> bool {
        match (self.types.get(wanted).clone(), self.types.get(value).clone()) {
            (Type::Unknown | Type::External | Type::Variable(_), _) => true,
            (
                _,
                Type::Unknown | Type::External | Type::Variable(_) | Type::ExternalName(_) | Type::ExternalMethod(..),
            ) => true,
            (Type::None, _) => value == TypeId::NONE,
            (_, Type::None) => false,
            (Type::ExternalInstance(w, _), Type::ExternalInstance(v, _)) => {
                let (w, v) = (self.program.interner.text(w), self.program.interner.text(v));
                let is_open = !is_plain(w) && w != "Callable";
                w == v || is_open || !is_plain(v)
            }
            (Type::ExternalInstance(w, _), Type::Function(_) | Type::Method(..)) => {
                let w = self.program.interner.text(w);
                w == "Callable" || !is_plain(w) && w != "type" && !is_abstract(w)
            }
            (Type::ExternalInstance(w, _), Type::Class(..)) => {
                let w = self.program.interner.text(w);
                matches!(w, "Callable" | "type") || !is_plain(w)
            }
            (Type::ExternalInstance(w, _), Type::Instance(..)) => !is_plain(self.program.interner.text(w)),
            (Type::Instance(w, _), Type::Instance(v, _)) => self.inherits(v, w),
            (Type::Instance(..), Type::ExternalInstance(v, _)) => !is_plain(self.program.interner.text(v)),
            (Type::Instance(..), Type::Function(_) | Type::Method(..) | Type::Class(..)) => false,
            (Type::Class(w, _), Type::Class(v, _)) => self.inherits(v, w),
            _ => true,
        }
    }
}

/// True where a `Literal[…]` lists that literal, in whichever quotes.
fn mentions(annotation: &str, literal: &str) -> bool {
    annotation.contains(literal) || annotation.contains(&literal.replace('\'', "\""))
}

fn is_positional(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::PositionalOnly | ParameterKind::Standard)
}

/// Built-in types that nothing else is.
fn is_plain(path: &str) -> bool {
    matches!(path, "str" | "int" | "float" | "bool" | "bytes" | "list" | "dict" | "set" | "tuple" | "frozenset")
}

fn is_abstract(path: &str) -> bool {
    matches!(path, "Iterable" | "AsyncIterable" | "Generator" | "Awaitable" | "Callable")
}
