//! Objects of `functools.partial`: `p = partial(f, 1, c=2)`. A call of such an object is a call of `f` with the
//! arguments that the object holds before its own ones, and with the keywords that it holds unless the call passes them
//! itself.
//!
//! Such an object is an instance from outside the sources. Its type arguments are the callable, `None` for each
//! positional argument that it holds, and the name of each keyword that it holds.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{
    bind::{ReceiverPassing, bind_held},
    calls::PassedArguments,
    linker::Linker,
    program::FileIndex,
    resolve::CallCandidate,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter},
    syntax::python::facts::CallExpr,
};

/// The path of the class.
pub(super) const PARTIAL: &str = "functools.partial";

/// The greatest number of arguments that an object holds. Objects with more are callables of unknown parameters.
const MAX_HELD: usize = 32;

impl Linker<'_> {
    /// The type of `functools.partial(callable, …)`. `None` if the sources do not define the callable, or if a spread
    /// hides which arguments the object holds.
    pub(super) fn partial_object(&mut self, passed: Option<PassedArguments>) -> Option<TypeId> {
        let passed = passed.filter(|passed| passed.decorated_function.is_none())?;
        let (first, held) = passed.arguments.split_first()?;
        let is_plain = |kind| matches!(kind, ArgumentKind::Positional | ArgumentKind::Keyword);
        if first.kind != ArgumentKind::Positional
            || held.len() > MAX_HELD
            || held.iter().any(|argument| !is_plain(argument.kind))
        {
            return None;
        }
        let callable = self.passed_type(passed, 0);
        let mut parts: SmallVec<[TypeId; 8]> = match self.types.get(callable) {
            Type::Class(..) | Type::Function(_) | Type::Method(..) | Type::Instance(..) => {
                SmallVec::from_iter([callable])
            }
            Type::ExternalInstance(path, parts) if self.program.interner.text(*path) == PARTIAL => {
                parts.iter().copied().collect()
            }
            _ => return None,
        };
        if parts.len() + held.len() > MAX_HELD {
            return None;
        }
        for argument in held {
            parts.push(match argument.keyword {
                Some(keyword) => {
                    let name = self.program.global_name(passed.file, keyword);
                    self.types.add(Type::ExternalName(name))
                }
                None => TypeId::NONE,
            });
        }
        Some(self.external_instance(PARTIAL, &parts))
    }

    /// The candidates of the callable of a new object of `functools.partial`; none for any other call.
    pub(super) fn partial_candidates(&mut self, file: FileIndex, site: &CallExpr) -> SmallVec<[CallCandidate; 2]> {
        let mut candidates = SmallVec::new();
        if site.arguments.len() < 2 || !self.program.facts(file).is_named(site.callee, "partial") {
            return candidates;
        }
        self.begin_query();
        let callee = self.expr_type(file, site.callee);
        let passed = PassedArguments { file, arguments: &site.arguments, types: &[], decorated_function: None };
        let is_partial =
            matches!(self.types.get(callee), Type::ExternalName(path) if self.program.interner.text(*path) == PARTIAL);
        if is_partial && self.partial_object(Some(passed)).is_some() {
            let callable = self.passed_type(passed, 0);
            self.add_candidates(callable, &mut candidates, &mut false);
        }
        candidates
    }

    /// The callable behind an object of `functools.partial`, and whether the object holds positional arguments. `None`
    /// for any other type.
    pub(super) fn behind_partial(&self, object: TypeId) -> Option<(TypeId, bool)> {
        match self.types.get(object) {
            Type::ExternalInstance(path, parts) if self.program.interner.text(*path) == PARTIAL => {
                let (callable, held) = parts.split_first()?;
                Some((*callable, held.contains(&TypeId::NONE)))
            }
            _ => None,
        }
    }

    /// The candidates of a call of an object of `functools.partial`.
    pub(super) fn add_partial_candidates(
        &mut self,
        object: TypeId,
        candidates: &mut SmallVec<[CallCandidate; 2]>,
        is_external: &mut bool,
    ) {
        let Some((callable, _)) = self.behind_partial(object) else { return };
        let mut behind = SmallVec::new();
        self.add_candidates(callable, &mut behind, is_external);
        let (positional, keywords) = self.held_arguments(object);
        let shifted = |candidate: CallCandidate| {
            let passing = match candidate.passing {
                // The call itself passes the receiver.
                ReceiverPassing::Argument if positional == 0 => ReceiverPassing::Argument,
                _ if positional == 0 && keywords.is_empty() => candidate.passing,
                ReceiverPassing::Argument => ReceiverPassing::Partial { positional: positional - 1, object },
                ReceiverPassing::FirstParameter => ReceiverPassing::Partial { positional: positional + 1, object },
                _ => ReceiverPassing::Partial { positional, object },
            };
            CallCandidate { passing, ..candidate }
        };
        for candidate in behind.into_iter().map(shifted) {
            if !candidates.iter().any(|known| known.def == candidate.def) {
                candidates.push(candidate);
            }
        }
    }

    /// The number of positional arguments that an object holds, and the names of its keywords.
    fn held_arguments(&self, object: TypeId) -> (u16, SmallVec<[CompactString; 4]>) {
        let Type::ExternalInstance(_, parts) = self.types.get(object) else { return (0, SmallVec::new()) };
        let held = parts.get(1..).unwrap_or_default();
        let positional = held.iter().filter(|part| **part == TypeId::NONE).count() as u16;
        let keyword = |part: &TypeId| match self.types.get(*part) {
            Type::ExternalName(name) => Some(CompactString::new(self.program.interner.text(*name))),
            _ => None,
        };
        (positional, held.iter().filter_map(keyword).collect())
    }

    /// The parameters that the called object passes, and the call itself does not: of `bounds`.
    pub(super) fn held_parameters(
        &self,
        callable: &CallableSignature,
        passing: ReceiverPassing,
        bounds: &[BoundParameter],
    ) -> Vec<BoundParameter> {
        let ReceiverPassing::Partial { positional, object } = passing else { return Vec::new() };
        let (_, keywords) = self.held_arguments(object);
        let mut held = bind_held(callable, positional, keywords.iter().map(CompactString::as_str));
        held.retain(|parameter| matches!(parameter, BoundParameter::Parameter(_)) && !bounds.contains(parameter));
        held
    }
}
