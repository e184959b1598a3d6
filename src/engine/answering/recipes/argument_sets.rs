//! The frequent argument sets of each definition.
//!
//! A set of required parameters alone, or of these and `*args`, states no more than the signature, so the set is no
//! recipe. Neither is an open set, whose calls may pass further arguments. Calls of the library on `self` or `this` are
//! left out, because they are implementation details of a class.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{MIN_FILES, Recipe, RecipeUses, is_api};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{CallId, DefinitionId, Parameter, ParameterSet},
    source::Origin,
};
use apidisc_indexing::{
    index::{Definition, Index},
    usage::CallReader,
};

/// The greatest number of argument sets of one definition.
const MAX_SETS: usize = 4;
/// An argument set is a recipe only if at least one in this many calls of the definition passes it.
const MAX_CALLS_PER_USE: u32 = 20;

/// The recipes of all definitions.
pub(super) fn mine(index: &Index) -> Vec<Recipe> {
    let definitions: Vec<(DefinitionId, &Definition)> = index.every_definition().collect();
    definitions.into_par_iter().filter(|(id, _)| is_api(index, *id)).flat_map_iter(|(id, _)| of(index, id)).collect()
}

/// The recipes of one definition, the most used ones first.
fn of(index: &Index, id: DefinitionId) -> Vec<Recipe> {
    let definition = index.definition(id);
    let Some(signature) = definition.signature.as_deref() else { return Vec::new() };
    // A recipe is used in at least [`MIN_FILES`] files, so a definition with fewer calls has none.
    if definition.usage.total_calls < MIN_FILES {
        return Vec::new();
    }
    let reader = CallReader::new(Some(signature), definition.overloads.len());
    let mut sets: FxHashMap<ParameterSet, RecipeUses> = FxHashMap::default();
    let mut last: Option<CallId> = None;
    for &call in &definition.usage.calls {
        // A call that a weight counts several times is one use.
        if last.replace(call) == Some(call) {
            continue;
        }
        let site = index.call(call);
        if site.is_on_own_object() && index.file(site.file).origin == Origin::Src {
            continue;
        }
        let read = reader.read(&index.calls, call);
        let is_choice = |parameter: &Parameter| !parameter.required && !parameter.is_variadic();
        let chooses = |position: usize| signature.parameters.get(position).is_some_and(is_choice);
        if !read.open && !read.spread && read.passed.iter().any(chooses) {
            sets.entry(read.passed).or_default().add(index, &[call]);
        }
    }
    let is_frequent =
        |uses: &RecipeUses| uses.files >= MIN_FILES && uses.count * MAX_CALLS_PER_USE >= definition.usage.total_calls;
    let mut frequent: Vec<(ParameterSet, RecipeUses)> =
        sets.into_iter().filter(|(_, uses)| is_frequent(uses)).collect();
    frequent.shared_sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(&b.0)));
    frequent.truncate(MAX_SETS);
    frequent.into_iter().map(|(set, uses)| uses.recipe(index, vec![id], set.iter().collect())).collect()
}
