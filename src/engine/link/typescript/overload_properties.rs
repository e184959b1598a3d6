//! The properties of the objects that calls pass to overloads. The implementation of overloads often declares a wider
//! type, which has fewer properties, or none.

use compact_str::CompactString;

use super::{
    infer::Linker,
    program::GlobalDef,
    signatures::{MAX_PROPERTIES, ObjectProperty},
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::program::ParameterKind;

impl Linker<'_> {
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
                .map(|&overload| self.properties_of_parameter(overload, at))
                .filter(|list| !list.is_empty())
                .collect();
            let within = |parameter: &LinkedParameter| parameter.within == Some(object as u16);
            let has_own = signature.parameters.iter().any(within);
            for property in lists.iter().flatten().take(MAX_PROPERTIES) {
                let name = CompactString::new(self.program.names.text(property.name));
                if signature.parameters.iter().any(|parameter| within(parameter) && parameter.name == name) {
                    continue;
                }
                let requires =
                    |list: &Vec<ObjectProperty>| list.iter().any(|p| p.name == property.name && !p.is_optional);
                signature.parameters.push(LinkedParameter {
                    name,
                    kind: ParameterKind::Property,
                    annotation: property.annotation.clone(),
                    default: None,
                    // An overload without the property takes objects without it.
                    required: !has_own && lists.iter().all(requires),
                    within: Some(object as u16),
                    summary: self.property_summary(property.member),
                });
            }
        }
    }

    /// The properties of an object that a function takes as its argument at the position `at`.
    fn properties_of_parameter(&mut self, def: GlobalDef, at: u16) -> Vec<ObjectProperty> {
        let mut properties = Vec::new();
        if self.program.function(def).is_some_and(|f| f.params.get(usize::from(at)).is_some_and(|p| !p.is_rest)) {
            let ty = self.parameter_type(def, at);
            self.collect_properties(ty, &mut properties, 0);
        }
        properties
    }
}
