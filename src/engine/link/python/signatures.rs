//! What a call of a function or class can pass.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    infer::Linker,
    program::{ClassId, GlobalDef},
};
use crate::{
    link::linked::{LinkedParameter, LinkedSignature},
    program::ParameterKind,
};

/// What calls of a definition are bound to.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallableSignature {
    /// `None` where the constructor comes from outside the sources.
    pub(crate) signature: Option<LinkedSignature>,
    /// Further keywords that mean a parameter, by its position.
    pub(crate) keywords: FxHashMap<CompactString, u16>,
    /// Fields may also be given by their camel-case names.
    pub(crate) takes_camel_case: bool,
    /// A keyword that is no parameter belongs to a base from outside.
    pub(crate) takes_any_keyword: bool,
    /// The class that declares each parameter, where that is a base.
    pub(crate) declared_by: Vec<Option<ClassId>>,
}

impl Linker<'_> {
    /// The signature of a function; its receiver is no parameter. TypeInterner that an implementation leaves to its
    /// overloads are theirs, joined.
    pub(crate) fn function_signature(&self, def: GlobalDef) -> LinkedSignature {
        let drops = self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        let mut signature = self.signature_of(def, drops);
        let overloads = self.overloads(def);
        if overloads.is_empty() || overloads.contains(&def) {
            return signature;
        }
        let overloads: Vec<LinkedSignature> = overloads.into_iter().map(|o| self.signature_of(o, drops)).collect();
        for parameter in signature.parameters.iter_mut().filter(|p| p.annotation.is_none()) {
            let same = overloads.iter().flat_map(|o| &o.parameters).filter(|p| p.name == parameter.name);
            parameter.annotation = joined(same.map(|p| p.annotation.as_ref()));
        }
        if signature.returns.is_none() {
            signature.returns = joined(overloads.iter().map(|o| o.returns.as_ref()));
        }
        signature
    }

    pub(super) fn signature_of(&self, def: GlobalDef, drops_receiver: bool) -> LinkedSignature {
        let facts = self.program.facts(self.program.file_of(def));
        let Some(function) = self.program.function(def) else { return LinkedSignature::default() };
        let mut parameters: Vec<LinkedParameter> = function
            .parameters
            .iter()
            .map(|p| {
                let text = |source: &Option<(_, CompactString)>| {
                    source.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty())
                };
                let is_variadic = matches!(p.kind, ParameterKind::VarPositional | ParameterKind::VarKeyword);
                LinkedParameter {
                    name: CompactString::new(facts.name(p.name)),
                    kind: p.kind,
                    annotation: text(&p.annotation),
                    default: text(&p.default),
                    required: p.default.is_none() && !is_variadic,
                    within: None,
                }
            })
            .collect();
        let has_receiver = drops_receiver && parameters.first().is_some_and(|p| !p.is_variadic());
        let receiver = has_receiver.then(|| parameters.remove(0).name);
        LinkedSignature {
            parameters,
            returns: function.returns.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()),
            is_async: function.is_async,
            is_synthesized: false,
            receiver,
            type_parameters: None,
        }
    }

    /// What calls of a definition are bound to.
    pub(crate) fn callable_signature(&mut self, def: GlobalDef) -> CallableSignature {
        match self.program.class_of(def) {
            Some(class) => self.constructor(class),
            None => CallableSignature { signature: Some(self.function_signature(def)), ..CallableSignature::default() },
        }
    }
}

/// Annotations as one union, each once; nothing where one of them is not written.
fn joined<'t>(annotations: impl Iterator<Item = Option<&'t CompactString>>) -> Option<CompactString> {
    let mut seen: Vec<&CompactString> = Vec::new();
    for annotation in annotations {
        let annotation = annotation?;
        if !seen.contains(&annotation) {
            seen.push(annotation);
        }
    }
    (!seen.is_empty()).then(|| seen.iter().map(|t| t.as_str()).collect::<Vec<_>>().join(" | ").into())
}
