//! What modules export: the definition, and the class, that a name in a text means.

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ModuleId};
use apidisc_indexing::index::{Definition, Index};

/// The definition that a module of this name exports as `name`.
pub fn exported_by(index: &Index, module: &str, name: &str) -> Option<DefinitionId> {
    exported(index, *index.module_names.get(module)?, name)
}

/// The definition that a module exports as `name`.
pub(crate) fn exported(index: &Index, module: ModuleId, name: &str) -> Option<DefinitionId> {
    let exports = &index.module(module).exports;
    let at = exports.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
    Some(exports[at].1)
}

/// The public enum or class that a name in a text of a definition means: one of the types of the definition, or what a
/// package around the definition exports under the name.
pub(crate) fn class_named(index: &Index, definition: &Definition, name: &str) -> Option<DefinitionId> {
    let own = definition.type_names.iter().find(|(other, _)| other == name).and_then(|(_, id)| *id);
    own.or_else(|| exported_around(index, definition, name)).filter(|id| {
        let class = index.definition(*id);
        class.is_public && matches!(class.kind, DefinitionKind::Class | DefinitionKind::Enum) && !is_marker(index, *id)
    })
}

/// The public enums and classes that an annotation of a definition names.
pub(crate) fn classes_in(
    index: &Index,
    definition: &Definition,
    annotation: &str,
) -> impl Iterator<Item = DefinitionId> {
    let words = annotation.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$'));
    words.filter_map(move |word| class_named(index, definition, word))
}

/// What a package around a definition exports under a name: the innermost package that exports the name decides.
pub(crate) fn exported_around(index: &Index, definition: &Definition, name: &str) -> Option<DefinitionId> {
    let module = &index.module(definition.module).fqn;
    let separator = separator(definition.language);
    let packages = std::iter::successors(Some(module.as_str()), |module| Some(module.rsplit_once(separator)?.0));
    packages.into_iter().find_map(|module| exported_by(index, module, name))
}

/// The special methods of a class whose instances only mark the absence of a value.
const OF_A_MARKER: [&str; 10] = [
    "__new__",
    "__init__",
    "__slots__",
    "__repr__",
    "__str__",
    "__bool__",
    "__copy__",
    "__deepcopy__",
    "__reduce__",
    "__getstate__",
];

/// True for a class whose instances say nothing but that there is no value: it extends no class, its constructor takes
/// nothing, and it has no members but special methods that every object has.
pub(crate) fn is_marker(index: &Index, id: DefinitionId) -> bool {
    let class = index.definition(id);
    let takes_nothing = class.signature.as_ref().is_none_or(|signature| signature.parameters.is_empty());
    let mut members = class.members.iter().map(|member| index.definition(*member).name.as_str());
    class.kind == DefinitionKind::Class
        && class.language == Language::Python
        && class.bases.is_empty()
        && class.decorators.is_empty()
        && takes_nothing
        && members.all(|member| OF_A_MARKER.contains(&member))
}

/// The separator of the parts of a module's name.
pub(crate) fn separator(language: Language) -> char {
    if language == Language::TypeScript { '/' } else { '.' }
}
