//! Renders the parts that a stub may show, in the syntax of each language, with the tokens that each part takes.
//!
//! Each module uses only those before it: `text`, `decorators`, `wording`, `docs`, `returned_members`, `call_shape`,
//! `doc_text` and `node_text` with `renderer`, `uncalled`, the languages, `language`, `display`, `import_line`,
//! `priced_tree`, `selection`.

mod call_shape;
mod decorators;
pub(crate) mod display;
pub(crate) mod doc_text;
mod docs;
mod import_line;
mod language;
pub(crate) mod node_text;
mod overloads;
pub(crate) mod priced_tree;
mod python;
mod renderer;
mod returned_members;
pub(crate) mod selection;
mod text;
mod typescript;
mod uncalled;
mod wording;

use std::{ops::Range, sync::Arc};

use compact_str::CompactString;

pub use crate::exports::exported_by;
pub use display::argument_text;
pub use docs::{Docs, ShownDocs, Style, UnknownDocs};
pub use import_line::{import_of, imports_of_example};
pub use priced_tree::{TYPES_HEADING, Unshown, UnshownReason};
pub(crate) use renderer::Layout;
pub use text::uses_in_words;
pub use typescript::without_hidden_types;
pub use wording::{Detail, UnknownWording, Wording};

use apidisc_facts::program::{DefinitionId, ParameterSet};
use apidisc_indexing::{index::Index, usage::Usage};

/// One definition in a delivered stub. The index holds all its other properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveredSymbol {
    /// The definition.
    pub id: DefinitionId,
    /// The definition whose part of the stub contains the part of this definition; `None` at the top level. The holder
    /// is not the parent if a class is shown with members of its bases.
    pub holder: Option<DefinitionId>,
    /// For a member that the class `holder` inherits from a public base: the usage of the member on this class. `None`
    /// for any other definition: its usage is in the index.
    pub on_class: Option<Arc<Usage>>,
    /// The parameters that are shown, by position; `None` for a class if only its first line is shown.
    pub visible: Option<ParameterSet>,
    /// The level of detail of the definition; for a class, of its constructor.
    pub detail: Detail,
    /// The byte range of the definition's part of the stub. The part of a class contains the parts of its members.
    /// Attributes that are listed by name share a line.
    pub range: Range<usize>,
}

impl DeliveredSymbol {
    /// The usage that the stub states.
    pub fn usage<'u>(&'u self, index: &'u Index) -> &'u Usage {
        self.on_class.as_deref().unwrap_or_else(|| index.usage(self.id))
    }

    /// Names of the parameters that are shown.
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
