//! Signatures on one line whatever their length: lean ones with types, and call shapes with names only.

use super::{parameters::PrintedParameter, signature::TypeScriptSignature};
use crate::stub::{
    call_shape::{CallShape, ShapeParameter, ShapeSigns},
    text::shape_comment,
    wording::HIDDEN_SIGN,
};
use apidisc_facts::program::ParameterSet;

impl TypeScriptSignature {
    /// `  get(url, options?: { timeout?, retries? });`
    ///
    /// Without annotations everything has the type `any`. Type parameters are left out.
    pub(super) fn shape(&self, visible: &ParameterSet) -> CallShape {
        let parameter = |position: usize| self.shape_parameter(position, visible);
        let parameters = self.shown_within(None, visible).map(parameter).collect();
        CallShape {
            opening: self.callee().to_owned(),
            parameters,
            keywords: Vec::new(),
            signs: ShapeSigns { optional: "?", closing: self.call_closing, comment: " // " },
            notes: Vec::new(),
            is_deprecated: self.deprecation.is_some(),
        }
    }

    fn shape_parameter(&self, position: usize, visible: &ParameterSet) -> ShapeParameter {
        let parameter = &self.parameters[position];
        let name = parameter.name.trim_end_matches(": ");
        let properties = self.shown_within(Some(position), visible);
        ShapeParameter {
            name: name.trim_end_matches('?').to_owned(),
            is_optional: name.ends_with('?'),
            is_rest: parameter.is_rest,
            properties: properties.map(|inner| self.shape_parameter(inner, visible)).collect(),
        }
    }

    /// The line of a lean signature.
    ///
    /// `  get(url: string, options?: { timeout?: number }): Response; // 204 calls: timeout 68%, ...`
    pub(super) fn lean_line(&self, visible: &ParameterSet) -> String {
        let parameters: Vec<String> =
            self.shown_within(None, visible).map(|position| self.lean_parameter(position, visible)).collect();
        let mut line = format!("{}({}){}", self.opening, parameters.join(", "), self.closing);
        let shown = |position: &usize| visible.contains(*position) && self.parameters[*position].is_showable;
        let shares = (0..self.parameters.len()).filter(shown).filter_map(|at| self.parameters[at].lean_share());
        let mut notes: Vec<String> = shares.collect();
        if let Some(result) = self.result.as_ref().filter(|result| !result.shares.is_empty()) {
            notes.push(format!("takes {}", result.shares.join(", ")));
        }
        notes.extend(self.returned_elements.clone());
        if !self.hidden_notes(visible).is_empty() {
            notes.push(HIDDEN_SIGN.to_owned());
        }
        if let Some(comment) = shape_comment(self.call_note(), &notes) {
            line.extend([" // ", &comment]);
        }
        line.push('\n');
        line
    }

    /// A parameter or property with its type, without `undefined` where its mark says it.
    fn lean_parameter(&self, position: usize, visible: &ParameterSet) -> String {
        let parameter = &self.parameters[position];
        let inner: Vec<String> =
            self.shown_within(Some(position), visible).map(|inner| self.lean_parameter(inner, visible)).collect();
        if inner.is_empty() {
            return parameter.lean_text();
        }
        format!("{}{}{{ {} }}", parameter.name, parameter.other_types.text, inner.join("; "))
    }
}

impl PrintedParameter {
    /// The frequency for a lean signature, such as `timeout 25%`.
    fn lean_share(&self) -> Option<String> {
        let note = self.share_note.as_deref()?;
        let short = note.rsplit_once(" in ").filter(|(_, share)| share.ends_with('%'));
        Some(short.map_or_else(|| note.to_owned(), |(name, share)| format!("{name} {share}")))
    }

    fn lean_text(&self) -> String {
        let text = self.text();
        let is_plain = self.name.ends_with("?: ") && !text.contains("=>");
        match text.strip_suffix(" | undefined").filter(|_| is_plain) {
            Some(rest) => rest.to_owned(),
            None => text,
        }
    }
}
