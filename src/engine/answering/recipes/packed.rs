//! The recipes of an index in little memory.

use super::{Recipe, wording};
use apidisc_base::{
    packed::{PackReader, PackWriter, Packed},
    packed_list::PackedList,
};
use apidisc_indexing::index::Index;

/// The recipes of an index, as bytes. Each access reads one recipe, and makes its name and description from the index.
#[derive(Debug)]
pub(crate) struct PackedRecipes(PackedList<Recipe>);

impl PackedRecipes {
    pub(crate) fn new(mut recipes: Vec<Recipe>) -> Self {
        for recipe in &mut recipes {
            (recipe.name, recipe.description) = (String::new(), String::new());
        }
        Self(PackedList::new(&recipes))
    }

    /// The number of recipes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The recipe at a position.
    pub(crate) fn get(&self, index: &Index, at: usize) -> Option<Recipe> {
        let mut recipe = self.0.get(at)?;
        recipe.name = wording::name(index, &recipe.symbols, &recipe.parameters);
        recipe.description = wording::description(index, &recipe);
        Some(recipe)
    }

    /// The position of the recipe with an id.
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.0.iter().position(|recipe| recipe.is_some_and(|recipe| recipe.id == id))
    }

    /// The recipe at a position, without its name and its description.
    pub(crate) fn without_texts(&self, at: usize) -> Option<Recipe> {
        self.0.get(at)
    }

    /// All recipes, without their names and their descriptions; `None` for one that the bytes do not have.
    pub(crate) fn all_without_texts(&self) -> impl Iterator<Item = Option<Recipe>> {
        self.0.iter()
    }
}

impl Packed for PackedRecipes {
    fn pack(&self, to: &mut PackWriter) {
        self.0.pack(to);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        Packed::unpack(from).map(Self)
    }
}
