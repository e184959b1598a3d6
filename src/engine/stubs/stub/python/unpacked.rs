//! The `TypedDict` whose fields are the keywords of a function: `**kwargs: Unpack[Options]` (PEP 692).

use super::identifiers::is_dotted_name;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterKind, Signature};
use apidisc_indexing::index::{Definition, Index};

/// The class that the `**kwargs` of a function or of one of its overloads unpack. `None` if the `**kwargs` unpack no
/// class, or if the sources do not define the class.
pub(super) fn unpacked_class(index: &Index, function: DefinitionId) -> Option<DefinitionId> {
    let definition = index.definition(function);
    let mut signatures = definition.signature.as_deref().into_iter().chain(&definition.overloads);
    let name = signatures.find_map(unpacked_name)?;
    let module = index.module(definition.module);
    let exported = || {
        let at = module.exports.binary_search_by(|(exported, _)| exported.as_str().cmp(name)).ok()?;
        Some(module.exports[at].1)
    };
    let class = index.definition_of(&format!("{}.{name}", module.fqn)).or_else(exported)?;
    is_typed_dict(index, index.definition(class)).then_some(class)
}

/// The name in the annotation `Unpack[Name]` of `**kwargs`.
fn unpacked_name(signature: &Signature) -> Option<&str> {
    let keywords = signature.parameters.iter().find(|parameter| parameter.kind == ParameterKind::VarKeyword)?;
    let annotation = keywords.annotation.as_deref()?.trim_matches(['"', '\'']);
    let (callee, rest) = annotation.split_once('[')?;
    let name = rest.strip_suffix(']')?.trim_matches([' ', '"', '\'']);
    let is_unpack = callee.rsplit('.').next() == Some("Unpack");
    Some(name).filter(|name| is_unpack && is_dotted_name(name))
}

/// True for a class that `TypedDict` is a base of, or a base of one of its bases.
pub(super) fn is_typed_dict(index: &Index, class: &Definition) -> bool {
    let mut ancestors = class.ancestors.iter().map(|&id| index.definition(id));
    class.kind == DefinitionKind::Class && (names_typed_dict(class) || ancestors.any(names_typed_dict))
}

/// True for a class that has `TypedDict` among its own bases.
pub(super) fn names_typed_dict(class: &Definition) -> bool {
    class.bases.iter().any(|base| base.rsplit('.').next() == Some("TypedDict"))
}
