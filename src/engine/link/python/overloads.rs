//! Overload resolution (PEP 484): the first overload that accepts the arguments, as far as their types are known.
//!
//! [`Applicability`] says whether an overload accepts the arguments of a call certainly, possibly or not at all. The
//! result of a call has the type of the first overload that may accept its arguments; a call counts for an overload
//! only if no other may accept them.

use crate::linked::shared_text;
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    bind::ReceiverPassing,
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use crate::{limits::MAX_OVERLOADS, linked::LinkedSignature};
use apidisc_facts::{
    program::{ArgumentKind, OverloadChoice, ParameterKind},
    syntax::python::facts::{BindingKind, Param},
};

/// The certainty with which a value or a list of arguments is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Applicability {
    /// Certainly not.
    Excluded,
    /// Not known, because the types that decide it are not known.
    Possible,
    /// Certainly.
    Certain,
}

impl Applicability {
    fn possible_if(may_accept: bool) -> Self {
        if may_accept { Self::Possible } else { Self::Excluded }
    }

    fn certain_if(accepts: bool) -> Self {
        if accepts { Self::Certain } else { Self::Excluded }
    }

    /// At most `Possible` if `is_unsure`.
    fn unless(self, is_unsure: bool) -> Self {
        if is_unsure { self.min(Self::Possible) } else { self }
    }
}

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
        let row = self.program.def(def);
        if self.program.facts(self.program.file_of(def)).bindings_of(row.outer, row.name).len() == 1 {
            return def;
        }
        let overloads = self.overloads(def);
        let may_accept =
            |overload: &GlobalDef| self.applicability(*overload, is_bound, passed) > Applicability::Excluded;
        overloads.into_iter().find(may_accept).unwrap_or(def)
    }

    /// True if it is not known which overload a call takes.
    pub(super) fn is_overload_unsure(&mut self, def: GlobalDef, is_bound: bool, passed: PassedArguments) -> bool {
        let mut possible = 0;
        for overload in self.overloads(def) {
            match self.applicability(overload, is_bound, passed) {
                Applicability::Excluded => {}
                Applicability::Possible => possible += 1,
                Applicability::Certain => return possible > 0,
            }
        }
        possible > 1
    }

    /// The signatures of overloads, as the index describes them. The receiver of an overload has its annotation,
    /// `self: Box[int]`, if the annotations of the receivers differ, unless another overload is equal but for it.
    pub(super) fn overloads_with_receivers(
        &self,
        overloads: Vec<(GlobalDef, LinkedSignature)>,
    ) -> Vec<LinkedSignature> {
        let annotation = |def: GlobalDef| {
            let (_, text) = self.program.function(def)?.parameters.first()?.annotation.as_ref()?;
            Some(text.as_str()).filter(|text| !text.is_empty())
        };
        let first = overloads.first().and_then(|(def, _)| annotation(*def));
        let differ = overloads.len() <= MAX_OVERLOADS
            && overloads.iter().any(|(def, signature)| signature.receiver.is_some() && annotation(*def) != first);
        let text = |(def, signature): &(GlobalDef, LinkedSignature)| {
            let is_only = || overloads.iter().filter(|(_, other)| other == signature).count() == 1;
            let (name, annotation) = (signature.receiver.as_ref()?, annotation(*def)?);
            (differ && is_only()).then(|| shared_text(format!("{name}: {annotation}")))
        };
        let receivers: Vec<Option<ArcStr>> = overloads.iter().map(text).collect();
        let signatures = overloads.into_iter().map(|(_, signature)| signature).zip(receivers);
        signatures
            .map(|(signature, receiver)| LinkedSignature { receiver: receiver.or(signature.receiver), ..signature })
            .collect()
    }

    /// The overloads that the calls of a file take, by call site. A call with several candidates has none.
    pub(super) fn taken_overloads(
        &mut self,
        file: FileIndex,
        resolved: &[ResolvedCall],
        callables: &[CallableSignature],
    ) -> FxHashMap<usize, OverloadChoice> {
        let mut taken = FxHashMap::default();
        for (at, (site, resolved)) in self.program.facts(file).calls.iter().zip(resolved).enumerate() {
            let [candidate] = resolved.candidates[..] else { continue };
            let callable = &callables[candidate.def.index()];
            if callable.overloads.is_empty() {
                continue;
            }
            self.begin_query();
            let has_receiver = callable.signature.as_ref().is_some_and(|signature| signature.receiver.is_some());
            let is_bound = match candidate.passing {
                ReceiverPassing::Implicit => has_receiver,
                ReceiverPassing::Argument => false,
                ReceiverPassing::FirstParameter => true,
            };
            let passed = PassedArguments { file, arguments: &site.arguments, types: &[], decorated_function: None };
            taken.extend(self.overload_choice(&callable.overloads, is_bound, passed).map(|choice| (at, choice)));
        }
        taken
    }

    /// The overload that a call takes; `None` if none accepts the arguments.
    fn overload_choice(
        &mut self,
        overloads: &[(GlobalDef, LinkedSignature)],
        is_bound: bool,
        passed: PassedArguments,
    ) -> Option<OverloadChoice> {
        let mut first = None;
        for (at, &(def, _)) in overloads.iter().enumerate() {
            let applicability = self.applicability(def, is_bound, passed);
            match first {
                _ if applicability == Applicability::Excluded => {}
                Some(first) => return Some(OverloadChoice::Open(first)),
                None if applicability == Applicability::Certain => return Some(OverloadChoice::Taken(at as u16)),
                None => first = Some(at as u16),
            }
        }
        first.map(OverloadChoice::Taken)
    }

    /// The certainty with which an overload accepts the arguments of a call.
    fn applicability(&mut self, def: GlobalDef, is_bound: bool, passed: PassedArguments) -> Applicability {
        let Some(function) = self.program.function(def) else { return Applicability::Excluded };
        let parameters: &[Param] = &function.parameters;
        let receiver_count = usize::from(is_bound && parameters.first().is_some_and(|p| is_positional(p.kind)));
        let parameters = &parameters[receiver_count.min(parameters.len())..];
        let file = self.program.file_of(def);
        let mut is_passed = vec![false; parameters.len()];
        let mut position = 0;
        let mut has_spread = false;
        let mut applicability = Applicability::Certain;
        let facts = self.program.facts(passed.file);
        let literal = |argument| facts.literal(argument).map(ArcStr::as_str);
        let values = passed.arguments.iter().map(|a| (a.kind, a.keyword, Some(a.value), literal(a)));
        let decorated = passed.decorated_function.map(|_| (ArgumentKind::Positional, None, None, None));
        for (kind, keyword, value, literal) in values.chain(decorated) {
            let index = match kind {
                ArgumentKind::Star | ArgumentKind::DoubleStar => {
                    has_spread = true;
                    continue;
                }
                ArgumentKind::Positional | ArgumentKind::Decorated => {
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
                return Applicability::Excluded;
            };
            is_passed[index] = true;
            // A parameter that takes any value accepts also a value of unknown type.
            let Some((annotation, text)) = parameters[index].annotation.as_ref().filter(|(_, text)| !is_any(text))
            else {
                continue;
            };
            if parameters[index].kind.is_variadic() {
                applicability = Applicability::Possible;
                continue;
            }
            if text.contains("Literal[") && !text.contains('|') {
                if literal.is_some_and(|literal| lists_literal(text, literal)) {
                    continue;
                }
                return Applicability::Excluded;
            }
            let wanted = self.annotation_type(file, *annotation);
            let value = match value {
                Some(value) => self.expr_type(passed.file, value),
                None => passed.decorated_function.unwrap_or_default(),
            };
            applicability = applicability.min(self.accepts(wanted, value));
            if applicability == Applicability::Excluded {
                return applicability;
            }
        }
        let has_all = parameters
            .iter()
            .zip(&is_passed)
            .all(|(p, is_passed)| *is_passed || p.default.is_some() || p.kind.is_variadic());
        if has_spread || has_all { applicability.unless(has_spread) } else { Applicability::Excluded }
    }

    /// The certainty with which a value of type `value` is accepted where type `wanted` is declared.
    fn accepts(&mut self, wanted: TypeId, value: TypeId) -> Applicability {
        let wanted_parts = self.types.parts(wanted);
        let value_parts = self.types.parts(value);
        let best = |v: &TypeId| wanted_parts.iter().map(|&w| self.part_accepts(w, *v)).max();
        let of_parts: SmallVec<[Applicability; 4]> = value_parts.iter().filter_map(best).collect();
        match of_parts[..] {
            [first, ref others @ ..] if others.iter().all(|other| *other == first) => first,
            _ => Applicability::Possible,
        }
    }

    fn part_accepts(&mut self, wanted: TypeId, value: TypeId) -> Applicability {
        // Type arguments are not compared one by one.
        let of_class = |accepts, wanted: &[TypeId], value: &[TypeId]| {
            Applicability::certain_if(accepts).unless(!wanted.is_empty() && wanted != value)
        };
        match (self.types.get(wanted).clone(), self.types.get(value).clone()) {
            (Type::Unknown | Type::TooComplex | Type::External | Type::Variable(_), _) => Applicability::Possible,
            (
                _,
                Type::Unknown
                | Type::TooComplex
                | Type::External
                | Type::Variable(_)
                | Type::ExternalName(_)
                | Type::ExternalMethod(..),
            ) => Applicability::Possible,
            (Type::None, _) => Applicability::certain_if(value == TypeId::NONE),
            (_, Type::None) => Applicability::Excluded,
            (Type::ExternalInstance(w, wanted), Type::ExternalInstance(v, value)) if w == v => {
                of_class(true, &wanted, &value)
            }
            (Type::ExternalInstance(w, _), Type::ExternalInstance(v, _)) => {
                let (w, v) = (self.program.interner.text(w), self.program.interner.text(v));
                let is_open = !is_builtin_value(w) && w != "Callable";
                Applicability::possible_if(is_open || !is_builtin_value(v))
            }
            (Type::ExternalInstance(w, _), Type::Function(_) | Type::Method(..)) => {
                let w = self.program.interner.text(w);
                Applicability::possible_if(
                    w == "Callable" || !is_builtin_value(w) && w != "type" && !is_abstract_collection(w),
                )
            }
            (Type::ExternalInstance(w, _), Type::Class(..)) => {
                let w = self.program.interner.text(w);
                Applicability::possible_if(matches!(w, "Callable" | "type") || !is_builtin_value(w))
            }
            (Type::ExternalInstance(w, _), Type::Instance(..)) => {
                Applicability::possible_if(!is_builtin_value(self.program.interner.text(w)))
            }
            (Type::Instance(w, wanted), Type::Instance(v, value)) => of_class(self.inherits(v, w), &wanted, &value),
            (Type::Instance(..), Type::ExternalInstance(v, _)) => {
                Applicability::possible_if(!is_builtin_value(self.program.interner.text(v)))
            }
            (Type::Instance(..), Type::Function(_) | Type::Method(..) | Type::Class(..)) => Applicability::Excluded,
            (Type::Class(w, wanted), Type::Class(v, value)) => of_class(self.inherits(v, w), &wanted, &value),
            _ => Applicability::Possible,
        }
    }
}

/// True for the annotation of a parameter that takes any value.
fn is_any(annotation: &str) -> bool {
    matches!(annotation, "Any" | "typing.Any" | "object")
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
    matches!(
        path,
        "str" | "int" | "slice" | "float" | "bool" | "bytes" | "list" | "dict" | "set" | "tuple" | "frozenset"
    )
}

fn is_abstract_collection(path: &str) -> bool {
    matches!(path, "Iterable" | "AsyncIterable" | "Generator" | "Awaitable" | "Callable")
}
