//! Symbols that no user of a library imports.

use rustc_hash::FxHashSet;

use super::prior::is_re_exported;
use apidisc_base::language::Language;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{File, Index};

/// The symbols that users of a library do not import, although they are public: in TypeScript what no package exports;
/// in Python, where every module can be imported, what the library alone calls and no package re-exports.
pub(super) struct InnerSymbols {
    /// The classes, and the definitions outside of classes, that code outside of the library calls, or whose members it
    /// calls. Without any, nothing is known of what users call.
    called_outside: FxHashSet<DefinitionId>,
}

impl InnerSymbols {
    pub(super) fn new(index: &Index) -> Self {
        let is_outside = |call| !index.files.get(index.call(call).file.index()).is_none_or(File::is_library);
        let definitions = index.definitions_with_ids();
        let called = definitions.filter(|(_, definition)| definition.usage.calls.iter().copied().any(is_outside));
        Self { called_outside: called.map(|(id, _)| owner(index, id)).collect() }
    }

    pub(super) fn has(&self, index: &Index, id: DefinitionId) -> bool {
        let definition = index.definition(id);
        match definition.language {
            Language::TypeScript => !index.is_importable(definition),
            Language::Python => {
                definition.usage.total_calls > 0
                    && !self.called_outside.is_empty()
                    && !self.called_outside.contains(&owner(index, id))
                    && !is_re_exported(index, definition)
            }
        }
    }
}

/// The class of a member; another definition itself.
fn owner(index: &Index, id: DefinitionId) -> DefinitionId {
    index.definition(id).parent.unwrap_or(id)
}
