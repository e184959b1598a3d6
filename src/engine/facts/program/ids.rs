//! Typed positions in the tables of an index.

use apidisc_base::ids::id;

id! {
    /// A position in `index::Index::definitions`; beyond its end, an inherited member: see
    /// `index::Index::inherited_members`.
    pub struct DefinitionId;
    /// A position in `index::Index::modules`.
    pub struct ModuleId;
    /// A position in `index::Index::files`.
    pub struct FileId;
    /// A position in `index::Index::calls`.
    pub struct CallId;
    /// A position in `index::Index::reads`.
    pub struct ReadId;
}
