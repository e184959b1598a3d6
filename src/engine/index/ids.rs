//! Typed positions in the index's tables.

use crate::ids::id;

id! {
    /// A row of [`super::Index::definitions`].
    pub struct DefinitionId;
    /// A row of [`super::Index::modules`].
    pub struct ModuleId;
    /// A row of [`super::Index::files`].
    pub struct FileId;
    /// A row of [`super::Index::calls`].
    pub struct CallId;
}
