//! Exceptions of both languages.

use apidisc_facts::program::{DefinitionId, DefinitionKind};

use super::{Definition, Index};

/// How the names of exceptions end, by convention of both languages.
const ENDINGS: [&str; 3] = ["Error", "Exception", "Warning"];

impl Index {
    /// True for a class whose name, or that of a class above it, ends like the name of an exception.
    pub fn is_exception(&self, id: DefinitionId) -> bool {
        let class = self.definition(id);
        let ends_like_one = |name: &str| ENDINGS.iter().any(|ending| name.ends_with(ending));
        let is_exception =
            |class: &Definition| ends_like_one(&class.name) || class.bases.iter().any(|base| ends_like_one(base));
        let ancestors = class.ancestors.iter().map(|id| self.definition(*id));
        class.kind == DefinitionKind::Class && std::iter::once(class).chain(ancestors).any(is_exception)
    }
}
