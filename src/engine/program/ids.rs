//! Typed positions in the index's tables.

use crate::ids::id;

id! {
    /// A row of [`crate::index::Index::definitions`].
    pub struct DefinitionId;
    /// A row of [`crate::index::Index::modules`].
    pub struct ModuleId;
    /// A row of [`crate::index::Index::files`].
    pub struct FileId;
    /// A row of [`crate::index::Index::calls`].
    pub struct CallId;
}
