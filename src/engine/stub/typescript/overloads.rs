//! Overloads: the signatures that callers see.
//!
//! Calls are counted for the parameters of the implementation, so only these parameters are shown or hidden. A
//! parameter of an overload is visible if the implementation's parameter at its position is visible. The required
//! parameters of an overload are always written.

use super::{
    declaration::DeclarationWriter,
    generics::{TypeParameter, TypeParameterList},
    parameters::{PrintedParameter, printed_parameters},
    signature::return_type,
    types::can_be_spread,
};
use crate::{
    program::{DefinitionKind, ParameterSet, Signature},
    stub::node_text::TypeReference,
    usage::Usage,
};

/// One overload.
#[derive(Debug)]
pub(super) struct PrintedOverload {
    opening: String,
    closing: String,
    parameters: Vec<OverloadParameter>,
    fixed_references: Vec<TypeReference>,
}

/// A parameter of an overload.
#[derive(Debug)]
struct OverloadParameter {
    text: String,
    required: bool,
    references: Vec<TypeReference>,
    /// The position of the corresponding parameter of the implementation.
    position: Option<usize>,
}

impl PrintedOverload {
    /// The maximum number of overloads that are shown.
    pub(super) const MAX_SHOWN: usize = 4;

    /// The line of the overload, without the line break at its end.
    pub(super) fn text(&self, visible: &ParameterSet) -> String {
        let parameters: Vec<&str> = self.shown(visible).iter().map(|parameter| parameter.text.as_str()).collect();
        format!("{}({}){}", self.opening, parameters.join(", "), self.closing)
    }

    /// The types that the overload names.
    pub(super) fn references(&self, visible: &ParameterSet) -> impl Iterator<Item = TypeReference> + '_ {
        self.fixed_references
            .iter()
            .copied()
            .chain(self.shown(visible).iter().flat_map(|parameter| parameter.references.iter().copied()))
    }

    /// The parameters up to the last one that must be written.
    fn shown(&self, visible: &ParameterSet) -> &[OverloadParameter] {
        let is_shown = |p: &OverloadParameter| p.required || p.position.is_some_and(|at| visible.contains(at));
        &self.parameters[..self.parameters.iter().rposition(is_shown).map_or(0, |last| last + 1)]
    }
}

/// The overloads of a function or constructor. `implementation` are the parameters of its implementation, for which
/// calls are counted.
pub(super) fn overloads(
    declaration: &DeclarationWriter<'_>,
    callee: &str,
    enclosing: &[TypeParameter],
    implementation: &[PrintedParameter],
) -> Vec<PrintedOverload> {
    let is_constructor = declaration.definition.kind == DefinitionKind::Class;
    let positions: Vec<usize> =
        (0..implementation.len()).filter(|&position| implementation[position].within.is_none()).collect();
    let overload = |signature: &Signature| {
        let own =
            TypeParameterList::new(signature.type_parameters.as_deref(), declaration.type_scope(enclosing), false);
        let own = if is_constructor { TypeParameterList::default() } else { own };
        let type_parameters: Vec<TypeParameter> = enclosing.iter().chain(&own.parameters).cloned().collect();
        let scope = declaration.type_scope(&type_parameters);
        let plain = Signature {
            parameters: signature.parameters.iter().filter(|p| p.object.is_none()).cloned().collect(),
            ..signature.clone()
        };
        let printed = printed_parameters(&plain, &Usage::default(), scope, declaration.destructured_name(), 0);
        let returned = return_type(&plain, &printed, scope);
        let last = positions.last().copied().filter(|&last| implementation[last].is_rest);
        let parameters = printed.iter().enumerate().map(|(at, parameter)| OverloadParameter {
            text: parameter.text(),
            required: parameter.required && !parameter.is_rest,
            references: parameter.references().to_vec(),
            position: positions.get(at).copied().or(last),
        });
        let parameters = parameters.collect();
        debug_assert!(printed.iter().all(|p| !p.is_rest || can_be_spread(&p.ty.text, p.ty.shape)));
        PrintedOverload {
            opening: format!("{callee}{}", own.printed.text),
            closing: if is_constructor { ";".to_owned() } else { format!(": {};", returned.text) },
            parameters,
            fixed_references: own.printed.references.into_iter().chain(returned.references).collect(),
        }
    };
    declaration.definition.overloads.iter().map(overload).collect()
}
