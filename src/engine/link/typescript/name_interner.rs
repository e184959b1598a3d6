//! The interner of names, shared by all files.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::ids::id;

id! {
    /// A name in the [`GlobalNameInterner`]. Equal names have equal handles in every file.
    pub(super) struct InternedName;
}

/// Interns names. Equal names get equal handles.
#[derive(Debug, Default)]
pub(super) struct GlobalNameInterner {
    texts: Vec<CompactString>,
    ids: FxHashMap<CompactString, InternedName>,
}

impl GlobalNameInterner {
    pub(super) fn intern(&mut self, text: &str) -> InternedName {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = InternedName::new(self.texts.len());
        self.texts.push(CompactString::new(text));
        self.ids.insert(CompactString::new(text), id);
        id
    }

    /// The handle of a name; `None` if the name is not interned.
    pub(super) fn find(&self, text: &str) -> Option<InternedName> {
        self.ids.get(text).copied()
    }

    #[inline]
    pub(super) fn text(&self, name: InternedName) -> &str {
        &self.texts[name.index()]
    }
}
