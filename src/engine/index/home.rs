//! Under which of its names a definition is offered.

use super::{Definition, Index};
use crate::language::QualifiedName;

impl Index {
    /// True for a name under which a definition is offered: its own, or one in a package above the module where it
    /// stands. What other modules import for themselves are names of it too, but nobody should import it from there.
    pub fn is_at_home(&self, definition: &Definition, name: &str) -> bool {
        let home = self.module(definition.module).fqn.as_str();
        let language = definition.language;
        let place = if let Some((module, _)) = QualifiedName::new(name, language).module_and_path() {
            // A package's name stands for its folder, an `index` for the folder that it stands in.
            let module = self.module_names.get(module).map_or(module, |&id| &self.module(id).fqn);
            module.strip_suffix("/index").unwrap_or(module)
        } else {
            let inner = definition.fqn.matches('.').count().saturating_sub(home.matches('.').count());
            name.rsplitn(inner + 1, '.').last().unwrap_or_default()
        };
        home == place || QualifiedName::new(home, language).is_below(place)
    }
}
