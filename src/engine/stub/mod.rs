//! What a stub may show, in the syntax of each language, and how many tokens each part costs.

mod build;
mod check;
pub(crate) mod display;
pub(crate) mod needs;
pub(crate) mod part;
pub(crate) mod pieces;
pub(crate) mod priced_tree;
mod python;
pub(crate) mod reached;
mod renderer;
pub(crate) mod selection;
mod text;
mod typescript;

use std::ops::Range;

use compact_str::CompactString;

use crate::{
    index::Index,
    program::{DefinitionId, ParameterSet},
};

/// One definition in a delivered stub: what else is known of it, the index knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveredSymbol {
    /// Which.
    pub id: DefinitionId,
    /// The parameters that stay, by position; `None` of a class where only its first line does.
    pub visible: Option<ParameterSet>,
    /// Its part of the stub, in bytes; that of a class holds those of its members.
    pub range: Range<usize>,
}

impl DeliveredSymbol {
    /// Names of the parameters that stay.
    pub fn shown(&self, index: &Index) -> Vec<CompactString> {
        self.labels(index, true)
    }

    /// Names of the parameters that are hidden.
    pub fn hidden(&self, index: &Index) -> Vec<CompactString> {
        self.labels(index, false)
    }

    fn labels(&self, index: &Index, shown: bool) -> Vec<CompactString> {
        let is_visible = |at: usize| self.visible.as_ref().is_some_and(|visible| visible.contains(at));
        let signature = index.definition(self.id).signature.iter();
        let labels = signature.flat_map(|s| (0..s.parameters.len()).map(move |at| (at, s)));
        labels.filter(|&(at, _)| is_visible(at) == shown).map(|(at, s)| s.label(at)).collect()
    }
}
