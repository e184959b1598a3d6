//! The public import path of a Python definition.

use arcstr::ArcStr;

use super::identifiers::is_dotted_name;
use crate::stub::{renderer::ImportPath, text::sanitized};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Index;

/// The preferred public name. These criteria decide, the first one first:
///
/// 1. No part of the name is private.
/// 2. The name is in the requested module.
/// 3. The name is the displayed one, or in a module that offers the definition, not in one that only imports it.
/// 4. The last part is the name by which the definition is defined.
/// 5. The name is short.
pub(super) fn import_path(index: &Index, id: DefinitionId, requested_module: Option<&str>) -> ImportPath {
    let definition = index.definition(id);
    let rank = |path: &&ArcStr| {
        let (module, name) = split(path);
        let is_private = path.split('.').any(|part| part.starts_with('_'));
        let is_elsewhere = requested_module.is_some_and(|requested| !is_within(module, requested));
        let is_other_name = path.as_str() != definition.alias.as_str();
        let is_only_imported = is_other_name && !index.is_offered_as(definition, path);
        let depth = module.split('.').count();
        let is_renamed = name != definition.name;
        (is_private, is_elsewhere, is_only_imported, is_other_name, is_renamed, depth, module.len(), (*path).clone())
    };
    let names = [&definition.alias, &definition.fqn].into_iter().chain(&definition.aliases);
    let (module, name) = split(names.min_by_key(rank).unwrap_or(&definition.fqn));
    ImportPath { module: module.to_owned(), name: name.into(), inner: name.into() }
}

fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

/// True if `module` is `package` or below it.
fn is_within(module: &str, package: &str) -> bool {
    module.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// True for a module that an `import` statement can name.
pub(super) fn is_importable(module: &str) -> bool {
    is_dotted_name(&sanitized(module))
}

/// `# google.adk.agents:`
pub(super) fn import_comment(module: &str) -> String {
    format!("# {}:", sanitized(module))
}
