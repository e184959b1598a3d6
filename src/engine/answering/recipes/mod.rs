//! Recipes: ways of calling an API that the repository uses again and again.
//!
//! A recipe is an argument set that several calls of a definition pass, such as `Client(base, timeout)`, or a sequence
//! of calls on one value, such as `client = Client(…)`, `client.get(…)`, `reply.raise_for_status()`. At least two files
//! use it: one file may repeat itself for reasons of its own. Of recipes that differ little, the most used one stands
//! for the others.
//!
//! [`recipes()`] finds the recipes from the calls of an index, without reading a file. Its work is bounded, and its
//! result depends on the index alone. [`snippet()`] reads the code of one recipe from one of its places.
//!
//! | module | content |
//! | --- | --- |
//! | `argument_sets` | recipes of one call: the sets of arguments that calls of a definition often pass together |
//! | `values` | the calls that a function makes on one value |
//! | `sequences` | recipes of several calls: the sequences in which functions often call a value |
//! | `variants` | recipes that differ little, of which one stands for the others |
//! | `related` | the definitions that are called before and after another one |
//! | `together` | the definitions that functions use together with another one |
//! | `snippet` | the code of a recipe |
//! | `wording` | names and descriptions |
//! | `packed` | recipes as bytes, which take little memory |

mod argument_sets;
mod packed;
mod related;
mod sequences;
mod snippet;
#[cfg(test)]
mod tests;
mod together;
mod values;
mod variants;
mod wording;

use apidisc_base::hash::ContentHash;
use apidisc_facts::{
    program::{CallId, DefinitionId, FileId},
    source::Origin,
};
use apidisc_indexing::index::{Index, Teaching};

pub(crate) use packed::PackedRecipes;
pub use related::{CallsAround, related};
pub use snippet::{RecipeSnippet, snippet};
pub use together::{How, Together, together};

/// The greatest number of recipes of an index; the most used ones are kept.
pub const MAX_RECIPES: usize = 10_000;
/// The greatest number of places of a recipe that are kept; the best ones to read.
pub const MAX_PLACES: usize = 24;
/// The least number of files in which a recipe is used.
const MIN_FILES: u32 = 2;
/// A recipe is left out if at least this share of its uses, in percent, are uses of a longer recipe too.
const ABSORBING_SHARE: u32 = 80;
/// The number of hexadecimal digits of an id.
const ID_DIGITS: usize = 12;

/// A way of calling an API that the repository uses again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// `recipe:` and 12 hexadecimal digits. It depends on the names of the symbols and parameters alone, so it stays
    /// the same while the code around the calls changes.
    pub id: String,
    /// The symbols with the parameters that are passed: `Client(base_url, timeout)`, `Client → Client.get`.
    pub name: String,
    /// A description of the calls, with the numbers of uses and files, on one line.
    pub description: String,
    /// The definitions that are called, in the order of the calls.
    pub symbols: Vec<DefinitionId>,
    /// For an argument set, the positions of the passed parameters in the signature. Empty for a sequence.
    pub parameters: Vec<usize>,
    /// Where the recipe is used: the best places to read first.
    pub places: Vec<RecipePlace>,
    /// The number of uses of the recipe.
    pub usage_count: u32,
    /// The number of files that use the recipe.
    pub files: u32,
    /// The part of `usage_count` in which the code around a call expects that the call fails.
    pub expected_failures: u32,
    /// True if one of the symbols is deprecated.
    pub is_deprecated: bool,
    /// The number of recipes that differ little from this one and are left out: calls in another order, rare arguments.
    pub variants: u32,
}

/// A use of a recipe: its calls in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipePlace {
    /// The calls, one for each symbol of the recipe.
    pub calls: Vec<CallId>,
}

apidisc_base::packed::packed_structs! {
    Recipe {
        id, name, description, symbols, parameters, places, usage_count, files, expected_failures, is_deprecated,
        variants,
    }
    RecipePlace { calls }
}

impl Recipe {
    /// The number of uses that are meant to succeed: without those whose failure the code around them expects. A recipe
    /// with a deprecated symbol has none.
    pub fn successes(&self) -> u32 {
        if self.is_deprecated { 0 } else { self.usage_count - self.expected_failures }
    }
}

/// The recipes of an index, the most used ones first, then by name. Empty if the index was read from a file.
pub fn recipes(index: &Index) -> Vec<Recipe> {
    let mut recipes = argument_sets::mine(index);
    recipes.extend(sequences::mine(index));
    recipes.sort_by(|a, b| b.usage_count.cmp(&a.usage_count).then_with(|| a.name.cmp(&b.name)).then(a.id.cmp(&b.id)));
    // Two definitions of one name on different branches have one id; the id belongs to the more used definition.
    let mut known = rustc_hash::FxHashSet::default();
    recipes.retain(|recipe| known.insert(recipe.id.clone()));
    let mut recipes = variants::merged(index, recipes);
    recipes.truncate(MAX_RECIPES);
    for recipe in &mut recipes {
        recipe.description = wording::description(index, recipe);
    }
    recipes
}

/// The id of a recipe with these symbols and parameters.
fn id(index: &Index, symbols: &[DefinitionId], parameters: &[usize]) -> String {
    let mut parts: Vec<String> = symbols.iter().map(|&id| index.definition(id).fqn.to_string()).collect();
    if let [only] = symbols
        && let Some(signature) = &index.definition(*only).signature
    {
        parts.extend(parameters.iter().map(|&at| signature.label(at).to_string()));
    }
    let parts: Vec<&[u8]> = parts.iter().map(String::as_bytes).collect();
    format!("recipe:{}", &ContentHash::of_parts(&parts).to_string()[..ID_DIGITS])
}

/// True for a definition whose calls may form recipes: users import it.
fn is_api(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    let file = index.file(definition.place.file);
    definition.is_public && file.origin == Origin::Src && !file.is_document()
}

/// The rank of a use among the places of a recipe. The least rank is the best to read: a use that works, in a document
/// or example, on few lines.
type PlaceRank = (bool, Teaching, u32, CallId);

fn rank(index: &Index, calls: &[CallId]) -> Option<PlaceRank> {
    let (&first, &last) = (calls.first()?, calls.last()?);
    let fails = calls.iter().any(|&call| index.call(call).syntax.expects_error);
    let lines = index.call(last).line.saturating_sub(index.call(first).line);
    Some((fails, index.teaching(index.call(first)), lines, first))
}

/// The uses of one recipe, while they are counted.
#[derive(Debug, Default)]
struct RecipeUses {
    count: u32,
    files: u32,
    failures: u32,
    last_file: Option<FileId>,
    places: Vec<(PlaceRank, Vec<CallId>)>,
}

impl RecipeUses {
    /// Adds a use. The uses in one file must be added one after the other.
    fn add(&mut self, index: &Index, calls: &[CallId]) {
        let Some(rank) = rank(index, calls) else { return };
        let file = index.call(rank.3).file;
        self.count += 1;
        self.failures += u32::from(rank.0);
        // The examples in a file are a file of their own in the index, with the same path.
        let last = self.last_file.replace(file);
        if last.is_none_or(|last| index.file(last).path != index.file(file).path) {
            self.files += 1;
        }
        let at = self.places.partition_point(|(other, _)| *other < rank);
        if at < MAX_PLACES {
            self.places.insert(at, (rank, calls.to_vec()));
            self.places.truncate(MAX_PLACES);
        }
    }

    /// The recipe of these uses.
    fn recipe(self, index: &Index, symbols: Vec<DefinitionId>, parameters: Vec<usize>) -> Recipe {
        Recipe {
            id: id(index, &symbols, &parameters),
            name: wording::name(index, &symbols, &parameters),
            description: String::new(),
            is_deprecated: symbols.iter().any(|&id| index.definition(id).deprecation().is_some()),
            symbols,
            parameters,
            places: self.places.into_iter().map(|(_, calls)| RecipePlace { calls }).collect(),
            usage_count: self.count,
            files: self.files,
            expected_failures: self.failures,
            variants: 0,
        }
    }
}
