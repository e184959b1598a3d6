//! The prior of a definition: how likely it is that a search looks for it, before the words of the intent are known.

use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{Definition, File, Index};

/// The share of the prior for a public name with fewer parts than the FQN: a package re-exports the definition.
const FOR_RE_EXPORT: f64 = 0.35;
/// The share for uses. [`USES_FOR_ALL`] uses or more earn all of it, fewer uses a part that grows with their logarithm.
const FOR_USE: f64 = 0.3;
/// The share for a definition of the public API.
const FOR_PUBLIC_API: f64 = 0.2;
/// The share for a definition of the library itself, not of its tests, examples or scripts.
const FOR_LIBRARY: f64 = 0.15;
/// The number of uses that earns all of [`FOR_USE`].
const USES_FOR_ALL: f64 = 200.0;

/// The prior of a definition with a number of uses, from 0 to 1.
pub(super) fn prior(index: &Index, id: DefinitionId, uses: u32) -> f64 {
    let definition = index.definition(id);
    let file = index.files.get(definition.place.file.index());
    if !file.is_none_or(File::is_library) {
        return 0.0;
    }
    FOR_LIBRARY
        + FOR_USE * prior_of_use(uses)
        + if definition.is_public { FOR_PUBLIC_API } else { 0.0 }
        + if definition.is_public && is_re_exported(index, definition) { FOR_RE_EXPORT } else { 0.0 }
}

/// The prior of an operation of an API document with a number of calls, from 0 to 1: that of a public definition which
/// no package re-exports.
pub(super) fn prior_of_operation(calls: u32) -> f64 {
    FOR_LIBRARY + FOR_PUBLIC_API + FOR_USE * prior_of_use(calls)
}

/// The prior of a fixture of pytest that a number of functions take: no code calls it.
pub(super) fn prior_of_fixture(takers: u32) -> f64 {
    FOR_USE * prior_of_use(takers)
}

/// The prior by a number of uses, from 0 to 1.
pub(super) fn prior_of_use(uses: u32) -> f64 {
    (f64::from(uses.saturating_add(1)).ln() / USES_FOR_ALL.ln()).min(1.0)
}

/// True if the public name of the definition, or of the class around it, has fewer parts than its FQN.
pub(super) fn is_re_exported(index: &Index, definition: &Definition) -> bool {
    let is_shorter = |definition: &Definition| {
        let depth = |name| QualifiedName::new(name, definition.language).depth();
        depth(&definition.alias) < depth(&definition.fqn)
    };
    is_shorter(definition) || definition.parent.is_some_and(|parent| is_shorter(index.definition(parent)))
}
