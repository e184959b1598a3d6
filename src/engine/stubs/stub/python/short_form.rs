//! Signatures on one line whatever their length: lean ones with types, and call shapes with names only.

use super::{
    parameters::PrintedParameter,
    signature::{PythonSignature, SignatureSlot},
};
use crate::stub::{
    call_shape::{CallShape, ShapeParameter, ShapeSigns},
    text::{pluralized, shape_comment},
    wording::{Detail, HIDDEN_SIGN},
};
use apidisc_facts::program::{ParameterKind, ParameterSet};

impl PythonSignature {
    /// A property as an attribute: `    timeout: Timeout  # property`. `None` in full and with a docstring, which need
    /// the function.
    pub(super) fn property_line(&self, detail: Detail, has_docstring: bool) -> Option<String> {
        if self.decorator.is_empty() || detail == Detail::Full || has_docstring {
            return None;
        }
        let name = self.opening.rsplit(' ').next()?;
        let ty = self.returns.strip_prefix(" -> ").map_or_else(|| " = ...".to_owned(), |ty| format!(": {ty}"));
        Some(format!("{}{name}{ty}  # property\n", self.indent.margin()))
    }

    /// `    def get(self, url, *, timeout=...): ...`
    ///
    /// The comment names the keywords that `**kwargs` receives: `# verify=, cert=`. It also names the kind, if the name
    /// looks like one of another kind (see [`Self::unexpected_kind`]), and says that the result of an asynchronous
    /// generator is iterated with `async for`, since the line has no result type.
    pub(super) fn shape(&self, visible: &ParameterSet, has_docstring: bool) -> CallShape {
        let margin = self.parameter_margin();
        let separator = |name: &str| ShapeParameter {
            name: name.to_owned(),
            is_optional: false,
            is_rest: true,
            properties: Vec::new(),
        };
        let receiver = self.receiver.iter().filter_map(|receiver| receiver.split(':').next());
        let receiver = receiver.map(|name| ShapeParameter { is_rest: false, ..separator(name) });
        let (mut parameters, mut keywords): (Vec<ShapeParameter>, Vec<ShapeParameter>) =
            (receiver.collect(), Vec::new());
        let mut is_by_name = false;
        for slot in self.slots(visible) {
            match slot {
                SignatureSlot::Parameter(position) => {
                    let parameter = &self.parameters[position];
                    let written = parameter.shape(margin);
                    let list = if is_by_name || parameter.kind == ParameterKind::VarKeyword {
                        &mut keywords
                    } else {
                        &mut parameters
                    };
                    list.push(written);
                    is_by_name |= parameter.kind == ParameterKind::VarPositional;
                }
                SignatureSlot::Slash => parameters.push(separator("/")),
                SignatureSlot::Star => is_by_name = true,
            }
        }
        let kind = self.unexpected_kind().map(str::to_owned);
        let iteration = self.is_async_iterable.then(|| "async for".to_owned());
        let is_unknown = self.keywords.is_all_unknown.then(|| "not known".to_owned());
        CallShape {
            opening: format!("{}{}", self.indent.margin(), self.opening),
            parameters,
            keywords,
            signs: ShapeSigns { optional: "=...", closing: if has_docstring { ":" } else { ": ..." }, comment: " # " },
            notes: kind.into_iter().chain(iteration).chain(is_unknown).chain(self.keywords.names(visible)).collect(),
            is_deprecated: false,
        }
    }

    /// The kind of a definition at the top level whose name looks like that of another kind: the legend says that a
    /// name with a capital is a class (PEP 8), and any other one a function.
    fn unexpected_kind(&self) -> Option<&'static str> {
        let name = self.opening.rsplit(' ').next().filter(|_| self.indent.columns == 0)?;
        match (self.stands_alone, name.starts_with(|first: char| first.is_uppercase())) {
            (true, false) => Some("class"),
            (false, true) => Some("function"),
            _ => None,
        }
    }

    /// `    def get(self, url: str, *, timeout: float = 5.0) -> Response: ... # 204 calls: timeout 68%, ...`
    pub(super) fn lean_line(&self, visible: &ParameterSet, has_docstring: bool) -> String {
        let margin = self.parameter_margin();
        let returns = if self.is_constructor { "" } else { &self.returns };
        let mut line = self.short_line(visible, has_docstring, returns, |parameter| parameter.lean_text(margin));
        let share = |slot: &SignatureSlot| match slot {
            SignatureSlot::Parameter(position) => self.parameters[*position].lean_share(margin),
            SignatureSlot::Slash | SignatureSlot::Star => None,
        };
        let mut notes = if self.keywords.is_all_unknown {
            vec![self.keywords.unknown_note(&self.parameters, visible)]
        } else {
            let shares = self.slots(visible).iter().filter_map(share).collect::<Vec<_>>();
            shares.into_iter().chain(self.keywords.visible(visible).into_iter().map(str::to_owned)).collect()
        };
        notes.extend(self.result.as_ref().and_then(|result| result.note.clone()));
        let calls = (self.calls > 0).then(|| pluralized(self.calls, "call"));
        notes.extend(self.hides_parameters(visible).then(|| HIDDEN_SIGN.to_owned()));
        if let Some(comment) = shape_comment(calls, &notes) {
            line.extend([" # ", &comment]);
        }
        line.push('\n');
        line
    }

    /// The signature on one line, without a comment and without the line break.
    fn short_line<'a>(
        &'a self,
        visible: &ParameterSet,
        has_docstring: bool,
        returns: &str,
        text: impl Fn(&'a PrintedParameter) -> String,
    ) -> String {
        let mut entries: Vec<String> = self.receiver.clone().into_iter().collect();
        entries.extend(self.slots(visible).iter().map(|slot| match slot {
            SignatureSlot::Parameter(position) => text(&self.parameters[*position]),
            SignatureSlot::Slash => "/".to_owned(),
            SignatureSlot::Star => "*".to_owned(),
        }));
        let body = if has_docstring { "" } else { " ..." };
        format!("{}{}({}){returns}:{body}", self.indent.margin(), self.opening, entries.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_facts::program::{Parameter, ParameterKind, Signature};
    use apidisc_indexing::usage::Usage;

    #[test]
    fn a_lean_parameter_has_its_whole_type_and_a_short_default() {
        let lean = |annotation: &str, default: &str| {
            let parameter = Parameter {
                name: "a".into(),
                kind: ParameterKind::Standard,
                annotation: Some(annotation.into()),
                meaning: None,
                default: Some(default.into()),
                required: false,
                inherited_from: None,
                object: None,
            };
            let signature = Signature { parameters: vec![parameter].into(), ..Signature::default() };
            PrintedParameter::new(&signature, 0, true, &Usage::default(), "    ").lean_text(4)
        };
        for (annotation, default, expected) in [
            ("str | None", "None", "a: str | None = None"),
            ("Optional[dict[str, int]]", "None", "a: Optional[dict[str, int]] = None"),
            ("str | None", "'x'", "a: str | None = 'x'"),
            ("Timeout", "DEFAULT_TIMEOUT_CONFIG", "a: Timeout = ..."),
            ("float", "5.0", "a: float = 5.0"),
        ] {
            assert_eq!(lean(annotation, default), expected);
        }
    }
}
