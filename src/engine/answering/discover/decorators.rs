//! Which symbols are decorators.

use rustc_hash::FxHashSet;

use apidisc_facts::program::CallForm;
use apidisc_indexing::index::{Definition, Index};

/// The beginning of the type of a function in Python.
const FUNCTION: &str = "Callable[";
/// The last part of the names of decorator types in TypeScript, such as `MethodDecorator`.
const DECORATOR: &str = "Decorator";

/// Tells which definitions of an index are decorators.
pub(super) struct Decorators<'i> {
    index: &'i Index,
    /// The last names of decorators that the sources write without arguments.
    bare: FxHashSet<&'i str>,
}

impl<'i> Decorators<'i> {
    pub(super) fn new(index: &'i Index) -> Self {
        let texts = index.definitions.iter().flat_map(|definition| &definition.decorators);
        let bare = texts.filter(|text| !text.contains('('));
        Self { index, bare: bare.map(|text| text.rsplit('.').next().unwrap_or(text).trim()).collect() }
    }

    /// True for a callable definition that the sources use as a decorator, or whose return type is that of a decorator.
    pub(super) fn has(&self, definition: &Definition) -> bool {
        definition.kind.is_callable()
            && (definition.usage.calls.iter().any(|call| self.index.call(*call).syntax.form == CallForm::Decorator)
                || definition.is_public && self.bare.contains(&*definition.name)
                || returns_decorator(definition))
    }
}

/// True for a function that returns a decorator or a decorated function. Its result is a type such as
/// `MethodDecorator`, a function that takes a function or a class, or, if it takes a function itself, a function.
fn returns_decorator(definition: &Definition) -> bool {
    let Some(signature) = &definition.signature else { return false };
    let Some(returns) = signature.returns.as_deref() else { return false };
    let is_named = |part: &str| part.trim().ends_with(DECORATOR);
    if returns.split(['|', '&']).any(is_named) {
        return true;
    }
    let Some((_, returned)) = returns.split_once(FUNCTION) else { return false };
    if let Some((taken, result)) = returned.strip_prefix('[').and_then(|types| types.split_once(']')) {
        let result = result.trim_start_matches([',', ' ']);
        let is_same = !taken.is_empty() && result.strip_suffix(']') == Some(taken);
        if is_same || [FUNCTION, "type[", "Type["].iter().any(|name| taken.contains(name)) {
            return true;
        }
    }
    let takes = signature.parameters.first().and_then(|parameter| parameter.annotation.as_deref());
    takes.is_some_and(|annotation| annotation.contains(FUNCTION))
}
