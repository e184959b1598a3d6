//! The fields of a `TypedDict`: its body declares them, in their order, and no constructor (PEP 589).

use super::{expression::plain_expression, identifiers::is_name, unpacked::names_typed_dict};
use crate::stub::{
    doc_text::DocLines,
    node_text::PricedLines,
    renderer::{CallableRenderer, Indentation},
    text::{PassedShare, pluralized},
    wording::Detail,
};
use apidisc_facts::program::{Parameter, ParameterSet, Signature};
use apidisc_indexing::{index::Definition, usage::Usage};
use apidisc_tokens::Tokenizer;

/// The fields, by the position of the parameter that takes them.
#[derive(Debug)]
pub(super) struct RecordFields {
    fields: Vec<RecordField>,
    margin: String,
}

/// A field with its line, `    name: str  # used in 50% of 12 calls`.
#[derive(Debug)]
struct RecordField {
    line: PricedLines,
    is_required: bool,
    is_showable: bool,
}

impl RecordFields {
    /// The fields of a class with this constructor. `indent` is the indentation of its body.
    pub(super) fn new(class: &Definition, signature: &Signature, indent: Indentation) -> Self {
        // The head of a class says `total=False` only if the class names `TypedDict` itself; the keys of other records
        // say `NotRequired`.
        let (margin, is_total) = (indent.margin(), !names_typed_dict(class) || is_total(class));
        let field = |(at, parameter): (usize, &Parameter)| RecordField {
            line: PricedLines::new(line(parameter, is_total, &margin, &class.usage, at)),
            is_required: parameter.required,
            is_showable: is_name(&parameter.name),
        };
        let fields = signature.parameters.iter().enumerate().map(field).collect();
        Self { fields, margin }
    }

    /// The lines of the visible fields.
    fn lines<'a>(&'a self, visible: &'a ParameterSet) -> impl Iterator<Item = &'a PricedLines> + 'a {
        let fields = self.fields.iter().enumerate();
        fields.filter(|(at, field)| field.is_showable && visible.contains(*at)).map(|(_, field)| &field.line)
    }

    /// The line below the fields: how many are hidden. A body without a field is `...`.
    fn last_line(&self, visible: &ParameterSet) -> Option<String> {
        let shown = self.lines(visible).count();
        let hidden = (self.fields.len() - shown) as u32;
        let body = if shown == 0 { "...  " } else { "" };
        match hidden {
            0 if shown > 0 => None,
            0 => Some(format!("{}...\n", self.margin)),
            hidden => Some(format!("{}{body}# ... + {} hidden\n", self.margin, pluralized(hidden, "key"))),
        }
    }
}

/// True if the keys of a class are required unless they say otherwise: `total=False` is not written in its head.
pub(super) fn is_total(class: &Definition) -> bool {
    let parameters = class.signature.iter().flat_map(|signature| &signature.parameters);
    let is_partial = |parameter: &Parameter| {
        parameter.inherited_from.is_none() && !parameter.required && !has_qualifier(parameter, "NotRequired")
    };
    !parameters.into_iter().any(is_partial)
}

/// True for an annotation such as `NotRequired[str]` (PEP 655).
fn has_qualifier(parameter: &Parameter, qualifier: &str) -> bool {
    let annotation = parameter.annotation.as_deref().unwrap_or_default();
    let name = annotation.split('[').next().unwrap_or_default();
    name.rsplit('.').next() == Some(qualifier)
}

fn line(parameter: &Parameter, is_total: bool, margin: &str, usage: &Usage, at: usize) -> String {
    let annotation = parameter.annotation.as_deref().and_then(plain_expression).unwrap_or("...");
    let qualifier = match (is_total, parameter.required) {
        (true, false) if !has_qualifier(parameter, "NotRequired") => "NotRequired",
        (false, true) if !has_qualifier(parameter, "Required") => "Required",
        _ => "",
    };
    let annotation = if qualifier.is_empty() { annotation.to_owned() } else { format!("{qualifier}[{annotation}]") };
    let (count, known) = usage.passed_and_known(at);
    let share = PassedShare::new(count, known).filter(|_| !parameter.required);
    let noun = if known < usage.total_calls { "known call" } else { "call" };
    let note = share.map_or_else(String::new, |share| format!("  # used in {}", share.of_calls(noun)));
    format!("{margin}{}: {annotation}{note}\n", parameter.name)
}

impl CallableRenderer for RecordFields {
    fn parameter_count(&self) -> usize {
        self.fields.len()
    }

    fn is_showable(&self, position: usize) -> bool {
        self.fields.get(position).is_some_and(|field| field.is_showable)
    }

    fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        self.fields.get(position).map_or(0, |field| field.line.tokens(tokenizer))
    }

    /// Adds the required keys, without which no value of the type can be written.
    fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let fields = self.fields.iter().enumerate();
        let shown = fields.filter(|(at, field)| field.is_showable && (field.is_required || set.contains(*at)));
        shown.map(|(at, _)| at).collect()
    }

    fn price(&self, visible: &ParameterSet, _: Detail, docs: Option<DocLines<'_>>, tokenizer: &Tokenizer) -> usize {
        let last = self.last_line(visible).map_or(0, |line| tokenizer.count_line(&line));
        let docs = docs.map_or(0, |docs| docs.tokens(tokenizer));
        self.lines(visible).map(|line| line.tokens(tokenizer)).sum::<usize>() + last + docs
    }

    fn write(&self, visible: &ParameterSet, _: Detail, docs: Option<DocLines<'_>>, out: &mut String) {
        if let Some(docs) = docs {
            docs.write(out);
        }
        self.lines(visible).for_each(|line| out.push_str(&line.text));
        out.push_str(&self.last_line(visible).unwrap_or_default());
    }
}
