//! The interner of an index: equal texts and equal signatures are stored once.

use std::sync::Arc;

use arcstr::ArcStr;
use rustc_hash::FxHashSet;

use apidisc_facts::program::{DefinitionId, Parameter, Signature};
use apidisc_link::linked::{LinkedParameter, LinkedSignature};

/// The texts and signatures that have been interned so far.
#[derive(Default)]
pub(super) struct Interner {
    texts: FxHashSet<ArcStr>,
    signatures: FxHashSet<Arc<Signature>>,
}

impl Interner {
    /// Interns a text.
    pub(super) fn text(&mut self, text: &str) -> ArcStr {
        if let Some(interned) = self.texts.get(text) {
            return interned.clone();
        }
        let text = ArcStr::from(text);
        self.texts.insert(text.clone());
        text
    }

    /// Interns an optional text.
    pub(super) fn optional_text(&mut self, text: Option<&str>) -> Option<ArcStr> {
        text.map(|text| self.text(text))
    }

    /// Interns a signature. For the constructor of a class, `declared_by` yields for each parameter the base class that
    /// declares the field of the parameter, if any.
    pub(super) fn signature(
        &mut self,
        linked: &LinkedSignature,
        declared_by: impl Iterator<Item = Option<DefinitionId>>,
    ) -> Arc<Signature> {
        let signature = self.unshared_signature(linked, declared_by);
        if let Some(interned) = self.signatures.get(&signature) {
            return Arc::clone(interned);
        }
        let signature = Arc::new(signature);
        self.signatures.insert(Arc::clone(&signature));
        signature
    }

    /// Converts a signature, with interned texts, but does not intern it: signatures of overloads are rarely equal.
    pub(super) fn unshared_signature(
        &mut self,
        linked: &LinkedSignature,
        declared_by: impl Iterator<Item = Option<DefinitionId>>,
    ) -> Signature {
        let declared_by = declared_by.chain(std::iter::repeat(None));
        let parameters = linked.parameters.iter().zip(declared_by);
        Signature {
            parameters: parameters.map(|(linked, base)| self.parameter(linked, base)).collect(),
            returns: self.optional_text(linked.returns.as_deref()),
            inferred_returns: self.optional_text(linked.inferred_returns.as_deref()),
            result: linked.result.clone(),
            is_async: linked.is_async,
            is_synthesized: linked.is_synthesized,
            receiver: self.optional_text(linked.receiver.as_deref()),
            type_parameters: self.optional_text(linked.type_parameters.as_deref()),
            is_incomplete: linked.is_incomplete,
            passed_on: linked.passed_on.iter().map(|name| self.text(name)).collect(),
            deprecated: self.optional_text(linked.deprecated.as_deref()),
        }
    }

    fn parameter(&mut self, linked: &LinkedParameter, inherited_from: Option<DefinitionId>) -> Parameter {
        Parameter {
            name: self.text(&linked.name),
            kind: linked.kind,
            annotation: self.optional_text(linked.annotation.as_deref()),
            meaning: self.optional_text(linked.meaning.as_deref()),
            default: self.optional_text(linked.default.as_deref()),
            required: linked.required,
            inherited_from,
            object: linked.within,
        }
    }
}
