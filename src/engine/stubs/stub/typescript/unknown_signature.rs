//! The constructor of a class that inherits its constructor from code outside of the sources, and a function
//! that a call of outside code returns, such as `debounce(…)`: each takes any arguments, and a comment lists those that
//! calls pass.

use super::{declaration::DeclarationWriter, signature::TypeScriptSignature};
use crate::stub::{
    call_shape::CallShape,
    doc_text::DocLines,
    node_text::{PricedLines, TypeReference},
    renderer::CallableRenderer,
    text::{group_digits, pluralized},
    wording::Detail,
};
use apidisc_facts::program::{DefinitionKind, ParameterSet, Signature};
use apidisc_tokens::Tokenizer;

/// The declaration of a constructor that is not known.
pub(super) const ANY_ARGUMENTS: &str = "constructor(...args: any[]);";

/// A constructor or function that is not known, with the arguments that calls pass.
#[derive(Debug)]
pub(super) struct UnknownSignature {
    /// The signature with a parameter for each argument, for the call shape.
    arguments: TypeScriptSignature,
    /// The text of each argument and property with its calls, by position: ` 1st argument 12×,`, ` timeout 3×,`.
    texts: Vec<PricedLines>,
    /// The declaration: `export declare function save(...args: any[]): any;`.
    declaration: String,
}

impl UnknownSignature {
    pub(super) fn new(declaration: &DeclarationWriter<'_>, signature: &Signature) -> Self {
        let definition = declaration.definition;
        let usage = &definition.usage;
        let arguments = TypeScriptSignature::new(declaration, signature, usage);
        let declaration = match definition.kind {
            DefinitionKind::Class => format!("{}{ANY_ARGUMENTS}", declaration.body_indent().margin()),
            _ => format!("{}(...args: any[]): any;", declaration.callee()),
        };
        let mut number = 0;
        let parameters = arguments.parameters.iter().enumerate();
        let texts = parameters.map(|(at, parameter)| {
            let name = if parameter.within.is_some() {
                parameter.name.trim_end_matches(": ").trim_end_matches('?').to_owned()
            } else {
                number += 1;
                format!("{} argument", ordinal(number))
            };
            let calls = usage.parameters.get(at).map_or(0, |parameter| parameter.count);
            PricedLines::new(format!(" {name} {}×,\n", group_digits(calls)))
        });
        Self { texts: texts.collect(), declaration, arguments }
    }

    /// `constructor(...args: any[]); // 3 calls, not known; passed here: 1st argument 3× (key 2×, icon 1×)`
    fn line(&self, visible: &ParameterSet) -> String {
        let mut notes: Vec<String> = self.arguments.call_note().into_iter().collect();
        let mut passed: Vec<String> = Vec::new();
        for at in self.arguments.shown_within(None, visible) {
            let properties = self.arguments.shown_within(Some(at), visible).map(|property| self.text(property));
            let properties = properties.collect::<Vec<_>>().join(", ");
            let opening = self.text(at);
            passed.push(if properties.is_empty() { opening.to_owned() } else { format!("{opening} ({properties})") });
        }
        let is_hidden = |at: &usize| self.arguments.is_showable(*at) && !visible.contains(*at);
        let hidden = (0..self.texts.len()).filter(is_hidden).count() as u32;
        notes.push(match (passed.is_empty(), hidden) {
            (true, 0) => "not known".to_owned(),
            (true, _) => {
                let arguments = self.arguments.parameters.iter().filter(|parameter| parameter.within.is_none());
                format!("not known, {} hidden", pluralized(arguments.count() as u32, "argument"))
            }
            (false, 0) => format!("not known; passed here: {}", passed.join(", ")),
            (false, _) => format!("not known; passed here: {} and {} more", passed.join(", "), group_digits(hidden)),
        });
        format!("{} // {}\n", self.declaration, notes.join(", "))
    }

    fn text(&self, position: usize) -> &str {
        self.texts[position].text.trim_matches([' ', ',', '\n'])
    }
}

/// `1st`, for a number from 1.
fn ordinal(number: usize) -> String {
    let ending = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

impl CallableRenderer for UnknownSignature {
    fn parameter_count(&self) -> usize {
        self.texts.len()
    }

    fn is_showable(&self, position: usize) -> bool {
        self.arguments.is_showable(position)
    }

    fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        self.texts.get(position).map_or(0, |text| text.tokens(tokenizer))
    }

    fn complete(&self, set: &ParameterSet) -> ParameterSet {
        self.arguments.complete(set)
    }

    fn call_shape(&self, visible: &ParameterSet, _: bool) -> Option<CallShape> {
        Some(self.arguments.shape(visible))
    }

    fn references(&self, _: &ParameterSet, _: Detail) -> Vec<TypeReference> {
        Vec::new()
    }

    fn price(&self, visible: &ParameterSet, detail: Detail, _: Option<DocLines<'_>>, tokenizer: &Tokenizer) -> usize {
        match detail {
            Detail::Calls => tokenizer.count_line(&self.arguments.shape(visible).line()),
            Detail::Lean | Detail::Full => tokenizer.count_line(&self.line(visible)),
        }
    }

    fn write(&self, visible: &ParameterSet, detail: Detail, _: Option<DocLines<'_>>, out: &mut String) {
        match detail {
            Detail::Calls => out.push_str(&self.arguments.shape(visible).line()),
            Detail::Lean | Detail::Full => out.push_str(&self.line(visible)),
        }
    }
}
