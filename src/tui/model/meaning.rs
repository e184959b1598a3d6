//! The results of a search by meaning, which the finder lists below the names.

use std::sync::Arc;

use apidisc::{
    program::{CallId, DefinitionId},
    recipes::Recipe,
    search::SearchHit,
};

use super::{ApiPart, Topic};
use crate::tui::theme::SyntaxRuns;

/// Definitions that are among this many best names are not listed again.
const MAX_NAMES: usize = 8;

/// A result of a search by meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeaningHit {
    /// The target that Enter opens.
    pub target: MeaningTarget,
    /// The name of the definition or recipe, or the heading of the section.
    pub name: String,
    /// The description of the definition or recipe, or the path of the document.
    pub note: String,
    /// The number of uses of the definition or recipe.
    pub uses: u32,
}

/// The target to which a result leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeaningTarget {
    /// A definition.
    Definition(DefinitionId),
    /// A definition that a section of a document is about.
    Section(DefinitionId),
    /// A recipe.
    Recipe(Arc<RecipeText>),
    /// A part of API documents.
    Part(ApiPart),
}

/// A recipe with its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeText {
    /// The generation of the index whose recipe it is.
    pub generation: u64,
    /// The recipe.
    pub recipe: Recipe,
    /// The lines of the recipe's code with their syntax runs; empty if the sources cannot be read.
    pub lines: Vec<(String, SyntaxRuns)>,
    /// The number of lines at the beginning of `lines` that import names.
    pub imports: usize,
    /// The names that the code uses and does not bind.
    pub missing: Vec<String>,
    /// The calls that the code shows.
    pub shown: Vec<CallId>,
}

impl MeaningHit {
    /// The topic of the preview beside the list; `None` for a part of API documents, which is not a topic.
    pub fn topic(&self) -> Option<Topic> {
        match &self.target {
            MeaningTarget::Definition(id) | MeaningTarget::Section(id) => Some(Topic::Definition(*id)),
            MeaningTarget::Recipe(text) => text.recipe.symbols.first().map(|id| Topic::Definition(*id)),
            MeaningTarget::Part(_) => None,
        }
    }

    /// True for a definition that is among the best names already.
    pub fn repeats(&self, names: &[SearchHit]) -> bool {
        let MeaningTarget::Definition(id) = self.target else { return false };
        names.iter().take(MAX_NAMES).any(|hit| Topic::from(hit.target) == Topic::Definition(id))
    }
}

impl RecipeText {
    /// The code, to be copied.
    pub fn code(&self) -> String {
        self.lines.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect()
    }
}
