//! Objects of `functools.partial`: `p = partial(f, 1, c=2)`. A call of such an object has the result of a call of `f`,
//! but is not a call of `f`: the call counts for the constant that holds the object.
//!
//! Such an object is an instance from outside the sources. Its type arguments are the callable and, if the object holds
//! positional arguments, `None`.

use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::FileIndex,
    resolve::CallCandidate,
    types::{Type, TypeId},
};
use apidisc_facts::{program::ArgumentKind, syntax::python::facts::CallExpr};

/// The path of the class.
pub(super) const PARTIAL: &str = "functools.partial";

impl Linker<'_> {
    /// The type of `functools.partial(callable, …)`. `None` if the sources do not define the callable, or if a spread
    /// hides which arguments the object holds.
    pub(super) fn partial_object(&mut self, passed: Option<PassedArguments>) -> Option<TypeId> {
        let passed = passed.filter(|passed| passed.decorated_function.is_none())?;
        let (first, held) = passed.arguments.split_first()?;
        let is_plain = |kind| matches!(kind, ArgumentKind::Positional | ArgumentKind::Keyword);
        if first.kind != ArgumentKind::Positional || held.iter().any(|argument| !is_plain(argument.kind)) {
            return None;
        }
        let passed_callable = self.passed_type(passed, 0);
        let (callable, holds_positional) = match self.types.get(passed_callable) {
            Type::Class(..) | Type::Function(_) | Type::Method(..) | Type::Instance(..) => (passed_callable, false),
            _ => self.behind_partial(passed_callable)?,
        };
        let holds_positional =
            holds_positional || held.iter().any(|argument| argument.kind == ArgumentKind::Positional);
        let parts = [callable, TypeId::NONE];
        Some(self.external_instance(PARTIAL, if holds_positional { &parts } else { &parts[..1] }))
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
}
