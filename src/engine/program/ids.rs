//! Typed positions in the tables of an index.

use crate::ids::id;

id! {
    /// A position in [`crate::index::Index::definitions`]; beyond its end, an inherited member: see
    /// [`crate::index::Index::inherited_members`].
    pub struct DefinitionId;
    /// A position in [`crate::index::Index::modules`].
    pub struct ModuleId;
    /// A position in [`crate::index::Index::files`].
    pub struct FileId;
    /// A position in [`crate::index::Index::calls`].
    pub struct CallId;
    /// A position in [`crate::index::Index::reads`].
    pub struct ReadId;
}
