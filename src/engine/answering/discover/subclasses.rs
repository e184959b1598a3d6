//! Uses of classes as bases of other classes.

use rustc_hash::FxHashMap;

use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{Definition, Index};

/// A subclass counts as this number of uses of its base: code extends a base class once, but calls a function many
/// times.
const USES_OF_A_SUBCLASS: u32 = 3;

/// The number of direct subclasses of each class that has one.
pub(super) struct Subclasses(FxHashMap<DefinitionId, u32>);

impl Subclasses {
    pub(super) fn new(index: &Index) -> Self {
        let mut counts: FxHashMap<DefinitionId, u32> = FxHashMap::default();
        for class in index.definitions.iter().filter(|definition| !definition.bases.is_empty()) {
            bases(index, class).for_each(|base| *counts.entry(base).or_default() += 1);
        }
        Self(counts)
    }

    /// The uses of a class as the base of others.
    pub(super) fn uses(&self, class: DefinitionId) -> u32 {
        self.0.get(&class).map_or(0, |count| count.saturating_mul(USES_OF_A_SUBCLASS))
    }
}

/// The classes and interfaces that the sources define and a class names as its bases, or implements. An ancestor that
/// is not named is the base of a base.
fn bases<'a>(index: &'a Index, class: &'a Definition) -> impl Iterator<Item = DefinitionId> + 'a {
    let is_base = |name: &str| class.bases.iter().any(|base| last_name(base) == Some(name));
    let ancestors =
        class.ancestors.iter().copied().filter(move |ancestor| index.definition(*ancestor).last_names().any(is_base));
    let implemented = class.type_names.iter().filter(move |(name, _)| is_base(name)).filter_map(|(_, id)| *id);
    let is_new = |id: &DefinitionId| !class.ancestors.contains(id);
    ancestors.chain(implemented.filter(is_new))
}

/// The last part of the name that a base is written with: `Generic` of `typing.Generic[T]`.
fn last_name(base: &str) -> Option<&str> {
    let name = base.split(['[', '(', '<']).next().unwrap_or(base).trim();
    QualifiedName::guess(name).identifiers().last()
}
