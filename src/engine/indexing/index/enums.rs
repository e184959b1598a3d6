//! Enums of both languages.

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind};

use super::Index;

/// The classes of the standard library whose subclasses are enums.
const ENUMS: [&str; 5] = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"];

impl Index {
    /// True for an enum of TypeScript, and for a class of Python with an enum of the standard library above it.
    pub fn is_enum(&self, id: DefinitionId) -> bool {
        let class = self.definition(id);
        let is_enum = |base: &str| base.rsplit('.').next().is_some_and(|name| ENUMS.contains(&name));
        let ancestors = class.ancestors.iter().map(|id| self.definition(*id));
        class.kind == DefinitionKind::Enum
            || class.language == Language::Python
                && class.kind == DefinitionKind::Class
                && std::iter::once(class).chain(ancestors).any(|class| class.bases.iter().any(|base| is_enum(base)))
    }
}
