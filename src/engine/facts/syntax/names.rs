//! The interned names of one file.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use apidisc_base::ids::id;

id! {
    /// A row of the `names` of a file's facts.
    pub struct NameId;
}

/// Gives each distinct name of a file one id.
#[derive(Debug, Default)]
pub(super) struct NameInterner {
    ids: FxHashMap<CompactString, NameId>,
}

impl NameInterner {
    /// Makes room for this many names.
    pub(super) fn reserve(&mut self, names: usize) {
        self.ids.reserve(names);
    }

    /// The id of `text`, if it has one.
    pub(super) fn find(&self, text: &str) -> Option<NameId> {
        self.ids.get(text).copied()
    }

    /// The id of `text`, which is added to `names` if it is new.
    pub(super) fn intern(&mut self, names: &mut Vec<CompactString>, text: &str) -> NameId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = NameId::new(names.len());
        let name = CompactString::new(text);
        names.push(name.clone());
        self.ids.insert(name, id);
        id
    }
}
