//! The interner of names, shared by all files.

use compact_str::CompactString;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use apidisc_base::ids::id;

id! {
    /// A name in the [`GlobalNameInterner`]. Equal names have equal handles in every file.
    pub(in crate::typescript) struct InternedName;
}

/// Interns names. Equal names get equal handles.
#[derive(Debug, Default)]
pub(in crate::typescript) struct GlobalNameInterner {
    /// The names; the index of a name is its handle.
    texts: IndexSet<CompactString, FxBuildHasher>,
}

impl GlobalNameInterner {
    pub(in crate::typescript) fn intern(&mut self, text: &str) -> InternedName {
        let known = self.texts.get_index_of(text);
        InternedName::new(known.unwrap_or_else(|| self.texts.insert_full(CompactString::new(text)).0))
    }

    /// The handle of a name; `None` if the name is not interned.
    pub(in crate::typescript) fn find(&self, text: &str) -> Option<InternedName> {
        self.texts.get_index_of(text).map(InternedName::new)
    }

    #[inline]
    pub(in crate::typescript) fn text(&self, name: InternedName) -> &str {
        &self.texts[name.index()]
    }
}
