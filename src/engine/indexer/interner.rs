//! What an index is put together with: texts and signatures, each kept once however often it is written.

use std::sync::Arc;

use arcstr::ArcStr;
use rustc_hash::FxHashSet;

use crate::link::linked::{LinkedParameter, LinkedSignature};
use crate::program::{DefinitionId, Parameter, Signature};

/// Interner and signatures so far.
#[derive(Default)]
pub(super) struct Interner {
    texts: FxHashSet<ArcStr>,
    signatures: FxHashSet<Arc<Signature>>,
}

impl Interner {
    /// The shared text of these letters.
    pub(super) fn text(&mut self, text: &str) -> ArcStr {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let text = ArcStr::from(text);
        self.texts.insert(text.clone());
        text
    }

    /// The same, where there is one.
    pub(super) fn option(&mut self, text: Option<&str>) -> Option<ArcStr> {
        text.map(|text| self.text(text))
    }

    /// The shared signature; `declared_by` has the base that declares each parameter.
    pub(super) fn signature(
        &mut self,
        linked: &LinkedSignature,
        declared_by: impl Iterator<Item = Option<DefinitionId>>,
    ) -> Arc<Signature> {
        let signature = self.own_signature(linked, declared_by);
        if let Some(known) = self.signatures.get(&signature) {
            return Arc::clone(known);
        }
        let signature = Arc::new(signature);
        self.signatures.insert(Arc::clone(&signature));
        signature
    }

    /// A signature that is seldom that of another; its texts are shared.
    pub(super) fn own_signature(
        &mut self,
        linked: &LinkedSignature,
        declared_by: impl Iterator<Item = Option<DefinitionId>>,
    ) -> Signature {
        let declared_by = declared_by.chain(std::iter::repeat(None));
        let parameters = linked.parameters.iter().zip(declared_by);
        Signature {
            parameters: parameters.map(|(linked, by)| self.parameter(linked, by)).collect(),
            returns: self.option(linked.returns.as_deref()),
            is_async: linked.is_async,
            is_synthesized: linked.is_synthesized,
            receiver: self.option(linked.receiver.as_deref()),
            type_parameters: self.option(linked.type_parameters.as_deref()),
        }
    }

    fn parameter(&mut self, linked: &LinkedParameter, inherited_from: Option<DefinitionId>) -> Parameter {
        Parameter {
            name: self.text(&linked.name),
            kind: linked.kind,
            annotation: self.option(linked.annotation.as_deref()),
            default: self.option(linked.default.as_deref()),
            required: linked.required,
            inherited_from,
            object: linked.within,
        }
    }
}
