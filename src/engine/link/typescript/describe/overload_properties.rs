//! What overloads declare and their implementation does not: the properties of the objects that calls pass to them. The
//! implementation often declares a wider type, which has fewer properties, or none, or only `...args`.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::Describer;
use crate::linked::{LinkedParameter, LinkedSignature};
use crate::typescript::{
    callees::{Callees, MAX_PROPERTIES, ObjectProperty},
    program::GlobalDef,
};
use apidisc_facts::{
    program::ParameterKind,
    syntax::typescript::facts::{FileFacts, Function, Param},
};

/// True for an implementation that declares nothing but an array `...args`: only its overloads say what callers pass. A
/// tuple says what each argument is.
pub(super) fn takes_any_arguments(implementation: &Function) -> bool {
    let is_array =
        |text: &str| text.ends_with("[]") || text.starts_with("Array<") || text.starts_with("ReadonlyArray<");
    let takes_any = |parameter: &Param| {
        parameter.is_rest && parameter.annotation.as_ref().is_none_or(|(_, text)| is_array(text.as_str()))
    };
    implementation.has_body && implementation.params.first().is_some_and(takes_any)
}

/// The only parameter of such an implementation as it is written: `...args`.
pub(super) fn any_arguments(facts: &FileFacts, implementation: &Function) -> Option<ArcStr> {
    let name = implementation.params.first().filter(|_| takes_any_arguments(implementation))?.name?;
    Some(arcstr::format!("...{}", facts.name(name)))
}

impl Describer<'_, '_> {
    /// Adds the properties of the overloads' parameters at the positions `objects` to the signature of the
    /// implementation, as far as its own types do not have them.
    pub(super) fn add_overload_properties(
        &mut self,
        overloads: &[GlobalDef],
        objects: &[u16],
        signature: &mut LinkedSignature,
    ) {
        let declared = signature.parameters.iter().enumerate().filter(|(_, parameter)| parameter.within.is_none());
        let declared: Vec<usize> = declared.map(|(position, _)| position).collect();
        for &at in objects {
            let Some(&object) = declared.get(usize::from(at)) else { continue };
            let lists: Vec<Vec<ObjectProperty>> = overloads
                .iter()
                .map(|&overload| Callees::of(self.linker).properties_of_parameter(overload, at))
                .filter(|list| !list.is_empty())
                .collect();
            let within = |parameter: &LinkedParameter| parameter.within == Some(object as u16);
            let has_own = signature.parameters.iter().any(within);
            for property in lists.iter().flatten().take(MAX_PROPERTIES) {
                let name = CompactString::new(self.linker.program.names.text(property.name));
                if signature.parameters.iter().any(|parameter| within(parameter) && parameter.name == name) {
                    continue;
                }
                let requires =
                    |list: &Vec<ObjectProperty>| list.iter().any(|p| p.name == property.name && !p.is_optional);
                signature.parameters.push(LinkedParameter {
                    name,
                    kind: ParameterKind::Property,
                    annotation: self.property_annotation(property.member),
                    meaning: self.meaning_of_property(property.member),
                    default: None,
                    // An overload without the property takes objects without it.
                    required: !has_own && lists.iter().all(requires),
                    within: Some(object as u16),
                    summary: self.property_summary(property.member),
                });
            }
        }
    }
}
