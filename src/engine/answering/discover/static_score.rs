//! The static score of an entry: the part of its score that is the same for every intent. It is computed once and takes
//! a few bytes. A table has the static scores of all entries in their order, so ranking reads no definitions.

use rustc_hash::FxHashMap;

use super::{
    corpus::public_name,
    decorators::Decorators,
    inner::InnerSymbols,
    names::first_word,
    prior::{prior, prior_of_fixture, prior_of_use},
    reliability,
    sections::Section,
    subclasses::Subclasses,
};
use crate::{answers::FixtureUses, recipes::Recipe};
use apidisc_base::{language::Origin, packed_list::PackedList};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};

/// The prior of a section of a document that shows symbols.
pub(super) const PRIOR_OF_A_SECTION: f64 = 0.3;
/// The prior of a section that shows none: it may be about anything, such as how to contribute.
const PRIOR_WITHOUT_SYMBOLS: f64 = 0.15;
/// A deprecation counts as this number of uses that expect an error.
pub(super) const USES_OF_A_DEPRECATION: u32 = 3;

/// The part of an entry's score that does not depend on the intent.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct StaticScore {
    /// The prior: how likely it is that a search looks for the entry, from 0 to 1.
    pub(super) prior: f32,
    /// The reliability: see [`super::reliability`].
    pub(super) reliability: f32,
    /// The entry whose result contains this entry, for the reason `grouping`; this entry itself if it has a result of
    /// its own. For a recipe, the number of its first symbol.
    other: u32,
    grouping: Grouping,
    /// The kind of a symbol; `None` for recipes and sections.
    pub(super) kind: Option<DefinitionKind>,
    /// True for a symbol that is neither public nor inherited by a public class.
    pub(super) is_private: bool,
    /// True for a symbol that is a decorator.
    pub(super) is_decorator: bool,
    /// True for a class that others extend.
    pub(super) is_base: bool,
    /// True for a symbol that no user of the library imports: see [`InnerSymbols`].
    pub(super) is_inner: bool,
    /// True for a symbol that tests define.
    pub(super) is_of_tests: bool,
    /// The hash of the first word of the name of a symbol: see [`first_word`].
    pub(super) first_word: u32,
    /// How much it says of an intent that a section shows the symbol, from 0 to 1: little for a symbol that many
    /// sections show.
    pub(super) specificity: f32,
}

/// The reason why the result of another entry contains an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grouping {
    /// The entry has a result of its own.
    None,
    /// The symbol is a member of the class `other`. If the class that declares the member is not public, `other` is a
    /// public class that inherits the member.
    Member,
    /// The other symbol is the first one with the same name and kind outside of classes, such as a function that a
    /// library has once for each platform.
    SameName,
}

/// The static scores of all entries of a corpus.
#[derive(Debug)]
pub(super) struct StaticScores(Box<[StaticScore]>);

impl StaticScores {
    /// The static scores of symbols, of recipes, and of sections.
    pub(super) fn new(
        index: &Index,
        symbols: &[DefinitionId],
        recipes: impl Iterator<Item = Recipe>,
        sections: &PackedList<Section>,
    ) -> Self {
        let decorators = Decorators::new(index);
        let subclasses = Subclasses::new(index);
        let inner = InnerSymbols::new(index);
        let fixtures = FixtureUses::new(index);
        let shown = shown_by_sections(sections);
        let by_id: FxHashMap<DefinitionId, u32> = symbols.iter().copied().zip(0..).collect();
        let mut first_of_name: FxHashMap<(&str, DefinitionKind), u32> = FxHashMap::default();
        let of_symbol = |(at, &id): (u32, &DefinitionId)| {
            let (own, public) = (index.definition(id), public_name(index, id));
            let definition = index.definition(public);
            let mut static_score = StaticScore {
                kind: Some(if index.is_enum(id) { DefinitionKind::Enum } else { own.kind }),
                is_private: !definition.is_public,
                is_decorator: decorators.has(own),
                is_base: subclasses.uses(public) > 0,
                is_inner: inner.has(index, public),
                is_of_tests: is_of_tests(index, own),
                first_word: first_word(&own.name),
                other: at,
                specificity: specificity(shown.get(&id).copied().unwrap_or(1)),
                ..StaticScore::new(
                    prior(index, public, definition.usage.uses().saturating_add(subclasses.uses(public)))
                        + prior_of_fixture(fixtures.of(own)),
                    with_more(uses(index, id), subclasses.uses(id)),
                )
            };
            if let Some(&class) = definition.parent.and_then(|parent| by_id.get(&parent)) {
                (static_score.other, static_score.grouping) = (class, Grouping::Member);
            } else if static_score.may_share_name() {
                let first = *first_of_name.entry((&*own.name, own.kind)).or_insert(at);
                (static_score.other, static_score.grouping) =
                    (first, if first == at { Grouping::None } else { Grouping::SameName });
            }
            static_score
        };
        let of_recipe = |recipe: Recipe| StaticScore {
            other: recipe.symbols.first().map_or(u32::MAX, |id| id.index() as u32),
            ..StaticScore::new(prior_of_use(recipe.usage_count), (recipe.successes(), recipe.usage_count))
        };
        let static_scores = (0..).zip(symbols).map(of_symbol).chain(recipes.map(of_recipe));
        let of_section = |section: Option<Section>| {
            let shows = section.is_some_and(|section| !section.symbols.is_empty());
            StaticScore::new(if shows { PRIOR_OF_A_SECTION } else { PRIOR_WITHOUT_SYMBOLS }, (0, 0))
        };
        Self(static_scores.chain(sections.iter().map(of_section)).collect())
    }

    /// The static score of each entry.
    pub(super) fn all(&self) -> &[StaticScore] {
        &self.0
    }

    pub(super) fn of(&self, entry: u32) -> &StaticScore {
        &self.0[entry as usize]
    }

    /// The entry of the class of a member; `None` for other entries.
    pub(super) fn class(&self, entry: u32) -> Option<u32> {
        self.of(entry).class()
    }

    /// The entry whose result an entry belongs to: a class for itself and its members, and the first symbol for all
    /// symbols of one name and their members.
    pub(super) fn group(&self, entry: u32) -> u32 {
        let static_score = self.of(entry);
        match static_score.grouping {
            Grouping::None => entry,
            Grouping::SameName => static_score.other,
            Grouping::Member => {
                let class = self.of(static_score.other);
                if class.grouping == Grouping::SameName { class.other } else { static_score.other }
            }
        }
    }
}

impl StaticScore {
    /// The static score of an entry with a prior and with its uses: the number of those that expect no error, and of
    /// all.
    fn new(prior: f64, (successes, uses): (u32, u32)) -> Self {
        Self {
            prior: prior as f32,
            reliability: reliability::factor(successes, uses) as f32,
            other: 0,
            grouping: Grouping::None,
            kind: None,
            is_private: false,
            is_decorator: false,
            is_base: false,
            is_inner: false,
            is_of_tests: false,
            first_word: 0,
            specificity: 1.0,
        }
    }

    /// The number of the first symbol of a recipe: recipes that begin with the same symbol have the same number.
    pub(super) fn first_symbol(&self) -> u32 {
        self.other
    }

    /// The entry of the class of a member; `None` for other entries.
    pub(super) fn class(&self) -> Option<u32> {
        (self.grouping == Grouping::Member).then_some(self.other)
    }

    /// True for a symbol that is one result with others of the same name: a function or constant outside of classes.
    pub(super) fn may_share_name(&self) -> bool {
        self.grouping != Grouping::Member
            && matches!(self.kind, Some(DefinitionKind::Function | DefinitionKind::Constant))
    }
}

fn is_of_tests(index: &Index, definition: &Definition) -> bool {
    index.files.get(definition.place.file.index()).is_some_and(|file| file.origin == Origin::Tests)
}

/// The specificity of a symbol that a number of sections show.
fn specificity(sections: u32) -> f32 {
    1.0 / (1.0 + (sections.max(1) as f32).ln())
}

/// The number of sections that show each symbol.
fn shown_by_sections(sections: &PackedList<Section>) -> FxHashMap<DefinitionId, u32> {
    let mut counts: FxHashMap<DefinitionId, u32> = FxHashMap::default();
    for id in sections.iter().flatten().flat_map(|section| section.symbols) {
        *counts.entry(id).or_default() += 1;
    }
    counts
}

/// Uses that expect no error, and all uses, with a number of more uses that expect none.
fn with_more((successes, uses): (u32, u32), more: u32) -> (u32, u32) {
    (successes.saturating_add(more), uses.saturating_add(more))
}

/// The number of uses of a symbol that expect no error, and of all its uses. Every use of a deprecated symbol counts as
/// one that expects an error, and the deprecation itself counts as [`USES_OF_A_DEPRECATION`] more such uses.
pub(super) fn uses(index: &Index, id: DefinitionId) -> (u32, u32) {
    let definition = index.definition(id);
    let uses = definition.usage.uses();
    if definition.deprecation().is_some() {
        return (0, uses.saturating_add(USES_OF_A_DEPRECATION));
    }
    let calls = &definition.usage.calls;
    let failures = calls.iter().filter(|call| index.call(**call).syntax.expects_error).count() as f64;
    // Calls may count several times, by the weights of their origins.
    let share = failures / calls.len().max(1) as f64;
    (uses - (f64::from(definition.usage.total_calls) * share).round() as u32, uses)
}
