//! The signature of one TypeScript function. In full it is written on one line if little of it is shown, else with one
//! line per parameter and one per property of an object parameter. [`super::short_form`] writes the shorter forms.
//! Arguments are passed by position, so a parameter can be hidden only if all parameters after it are hidden.

use super::{
    declaration::DeclarationWriter,
    generics::{ListKind, TypeParameter, TypeParameterList},
    parameters::{PrintedParameter, printed_parameters},
    results::PrintedResult,
    types::{PrintedType, TypeScope, print_return_type, type_text},
    values::any,
};
use crate::stub::{
    call_shape::{CallShape, DEPRECATED},
    doc_text::DocLines,
    node_text::{PricedLines, TypeReference},
    renderer::CallableRenderer,
    returned_members::items_of_tuple,
    text::{first_sentence, group_digits, pluralized},
    wording::Detail,
};
use apidisc_facts::program::{DefinitionKind, ParameterSet, Signature};
use apidisc_indexing::usage::Usage;
use apidisc_tokens::Tokenizer;

/// The largest number of parameters and properties of a signature on one line.
const INLINE_PARAMETERS: usize = 3;
/// The largest number of characters of a signature on one line, without its comment. A signature that shows no
/// parameter may be longer.
const INLINE_WIDTH: usize = 100;

/// A signature with every parameter that may be visible.
#[derive(Debug)]
pub(super) struct TypeScriptSignature {
    /// `export declare function get<T>`, indented.
    pub(super) opening: String,
    /// The length in bytes of the opening without its type parameters.
    callee_len: usize,
    /// The opening as a line, before parameters on lines of their own.
    opening_line: PricedLines,
    /// `: Promise<T>;`
    pub(super) closing: String,
    /// The object that the function returns, if its members are known. `closing` has it on one line.
    pub(super) result: Option<PrintedResult>,
    /// The elements of the returned tuple: `returns [state 100%, set 80%]`.
    pub(super) returned_elements: Option<String>,
    /// The end of a call shape after its parenthesis.
    pub(super) call_closing: &'static str,
    margin: String,
    calls: u32,
    /// `deprecated: since 2.0`, of an overload.
    pub(super) deprecation: Option<String>,
    /// True for an abstract method, which no keyword marks.
    is_abstract: bool,
    pub(super) parameters: Vec<PrintedParameter>,
    required: ParameterSet,
    /// The types that the type parameters and the return type name.
    fixed_references: Vec<TypeReference>,
}

/// A line between the parentheses.
enum SignatureLine<'a> {
    Parameter(&'a PricedLines),
    /// A comment with the number of hidden parameters or properties.
    HiddenNote(String),
}

impl TypeScriptSignature {
    /// The signature of a function or method, of one of its overloads, or of the constructor of a class, with the usage
    /// of its parameters.
    pub(super) fn new(declaration: &DeclarationWriter<'_>, signature: &Signature, usage: &Usage) -> Self {
        let is_constructor = declaration.definition.kind == DefinitionKind::Class;
        let enclosing = declaration.enclosing_type_parameters();
        let own = TypeParameterList::new(
            signature.type_parameters.as_deref(),
            declaration.type_scope(&enclosing),
            ListKind::Function,
        );
        let own = if is_constructor { TypeParameterList::default() } else { own };
        let type_parameters: Vec<TypeParameter> = enclosing.iter().chain(&own.parameters).cloned().collect();
        let scope = declaration.type_scope(&type_parameters);
        let indent = declaration.body_indent();
        let destructured_name = declaration.destructured_name();
        let parameters = printed_parameters(signature, usage, scope, destructured_name, indent);
        let returns = if is_constructor { None } else { Some(return_type(signature, &parameters, scope)) };
        let callee = declaration.callee();
        // A property whose type is a union with a function type: `validate?: boolean | ((value: string) => boolean);`.
        let definition = declaration.definition;
        let is_method = matches!(definition.kind, DefinitionKind::Method | DefinitionKind::StaticMethod);
        let alternatives = definition.annotation.as_deref().filter(|_| is_method && definition.overloads.is_empty());
        // The type parameters of the function are unknown outside of it.
        let outer = declaration.type_scope(&enclosing);
        let alternatives = alternatives.map(|text| type_text(text, outer).unwrap_or_else(any));
        let (before, sign, after) = match &alternatives {
            // A conditional type would take the rest of the union into its last branch.
            Some(alternatives) if alternatives.text.contains(" ? ") => {
                (format!(": ({}) | (", alternatives.text), " => ", ");")
            }
            Some(alternatives) => (format!(": {} | (", alternatives.text), " => ", ");"),
            None => (String::new(), ": ", ";"),
        };
        let opening = format!("{callee}{before}{}", own.printed.text);
        let result = Some(signature).filter(|_| !is_constructor && alternatives.is_none());
        let tuple = result.and_then(|signature| items_of_tuple(signature.result.as_deref()?, usage));
        let result = result.and_then(|signature| PrintedResult::new(signature, usage, scope, indent));
        let returns = match &result {
            Some(result) => {
                Some(PrintedType { text: result.inline.clone(), references: result.references.clone(), ..any() })
            }
            None => returns,
        };
        Self {
            opening_line: PricedLines::new(format!("{opening}(\n")),
            closing: returns
                .as_ref()
                .map_or_else(|| ";".to_owned(), |returns| format!("{sign}{}{after}", returns.text)),
            result,
            returned_elements: tuple.map(|elements| format!("returns [{elements}]")),
            call_closing: ";",
            margin: indent.margin(),
            calls: usage.total_calls,
            deprecation: signature.deprecated.as_deref().map(deprecation),
            is_abstract: declaration.is_abstract(),
            required: required_positions(&parameters),
            fixed_references: own
                .printed
                .references
                .into_iter()
                .chain(returns.into_iter().chain(alternatives).flat_map(|ty| ty.references))
                .collect(),
            callee_len: callee.len(),
            opening,
            parameters,
        }
    }

    /// The constructor of a class, with the class around it on one line.
    pub(super) fn alone(class: &DeclarationWriter<'_>, signature: &Signature, usage: &Usage) -> Self {
        let opening = format!("export class {} {{ constructor", class.name);
        Self { callee_len: opening.len(), opening, call_closing: "; }", ..Self::new(class, signature, usage) }
    }

    /// Passes the lines of the visible properties of `object` to `out`; for `None`, those of the parameters.
    fn write_lines(&self, object: Option<usize>, visible: &ParameterSet, out: &mut impl FnMut(SignatureLine<'_>)) {
        for position in self.shown_within(object, visible) {
            let parameter = &self.parameters[position];
            if self.shown_within(Some(position), visible).next().is_none() {
                out(SignatureLine::Parameter(&parameter.line));
                if let Some(note) = self.hidden_note(Some(position), visible) {
                    out(SignatureLine::HiddenNote(format!("{}// {note}\n", self.margin_of(position))));
                }
                continue;
            }
            out(SignatureLine::Parameter(&parameter.opening_line));
            self.write_lines(Some(position), visible, out);
            out(SignatureLine::Parameter(&parameter.closing_line));
        }
        if let Some(note) = self.hidden_note(object, visible) {
            let margin = object.map_or(&self.margin[..], |object| self.margin_of(object));
            out(SignatureLine::HiddenNote(format!("{margin}  // {note}\n")));
        }
    }

    fn margin_of(&self, position: usize) -> &str {
        let text = &self.parameters[position].line.text;
        &text[..text.len() - text.trim_start().len()]
    }

    /// The opening without its type parameters.
    pub(super) fn callee(&self) -> &str {
        &self.opening[..self.callee_len]
    }

    /// The visible properties of an object in the order of the text; for `None`, the visible parameters.
    pub(super) fn shown_within<'a>(
        &'a self,
        object: Option<usize>,
        visible: &'a ParameterSet,
    ) -> impl Iterator<Item = usize> + 'a {
        let parameters = (0..self.parameters.len())
            .filter(move |&position| object.is_none() && self.parameters[position].within.is_none());
        let properties = object.into_iter().flat_map(|object| self.parameters[object].properties.iter().copied());
        parameters
            .chain(properties)
            .filter(|&position| visible.contains(position) && self.parameters[position].is_showable)
    }

    /// `... + 15 rare arguments hidden`, `... + 5 properties hidden`. The word "rare" is used only if all of them are
    /// known to be rare.
    fn hidden_note(&self, object: Option<usize>, visible: &ParameterSet) -> Option<String> {
        let hidden = || {
            let inner = self.parameters.iter().enumerate().filter(|(_, parameter)| parameter.within == object);
            inner
                .filter(|(position, parameter)| !(visible.contains(*position) && parameter.is_showable))
                .map(|(_, parameter)| parameter)
        };
        let count = hidden().count() as u32;
        let rare = if hidden().all(|parameter| parameter.is_rare) { "rare " } else { "" };
        let noun = match (object.is_some(), count) {
            (false, 1) => "argument",
            (false, _) => "arguments",
            (true, 1) => "property",
            (true, _) => "properties",
        };
        (count > 0).then(|| format!("... + {} {rare}{noun} hidden", group_digits(count)))
    }

    /// The notes on hidden properties, one for each shown object parameter that has any, then the note on hidden
    /// parameters.
    pub(super) fn hidden_notes(&self, visible: &ParameterSet) -> Vec<String> {
        let is_shown = |position: &usize| visible.contains(*position) && self.parameters[*position].is_showable;
        let objects = (0..self.parameters.len()).filter(is_shown);
        objects.map(Some).chain([None]).filter_map(|object| self.hidden_note(object, visible)).collect()
    }

    /// `get(url: string, options?: { timeout?: number }): Response; // 12 calls, timeout in 25%`, if it is short
    /// enough.
    fn one_line(&self, visible: &ParameterSet) -> Option<String> {
        let is_shown = |position: &usize| visible.contains(*position) && self.parameters[*position].is_showable;
        let shown = || (0..self.parameters.len()).filter(is_shown).map(|position| &self.parameters[position]);
        let count = shown().count();
        if count > INLINE_PARAMETERS {
            return None;
        }
        let parameters: Vec<String> =
            self.shown_within(None, visible).map(|position| self.inline_parameter(position, visible)).collect();
        let closing =
            self.result.as_ref().map_or_else(|| self.closing.clone(), |result| format!(": {}", result.opening));
        let mut line = format!("{}({}){closing}", self.opening, parameters.join(", "));
        if count > 0 && line.chars().count() > INLINE_WIDTH {
            return None;
        }
        let mut notes: Vec<String> = self.call_note().into_iter().filter(|_| self.result.is_none()).collect();
        notes.extend(shown().filter_map(|parameter| parameter.share_note.clone()));
        notes.extend(self.returned_elements.clone());
        notes.extend(self.hidden_notes(visible));
        if !notes.is_empty() {
            line.push_str(" // ");
            line.push_str(&notes.join(", "));
        }
        line.push('\n');
        Some(line)
    }

    /// A parameter or property as it is written on one line with others.
    fn inline_parameter(&self, position: usize, visible: &ParameterSet) -> String {
        let parameter = &self.parameters[position];
        let inner: Vec<String> =
            self.shown_within(Some(position), visible).map(|inner| self.inline_parameter(inner, visible)).collect();
        if inner.is_empty() {
            return parameter.text();
        }
        format!("{}{}{{ {} }}", parameter.name, parameter.other_types.text, inner.join("; "))
    }

    /// `12 calls`, `deprecated: since 2.0; 12 calls`; `None` if there is nothing to say.
    pub(super) fn call_note(&self) -> Option<String> {
        let calls = (self.calls > 0).then(|| pluralized(self.calls, "call"));
        let is_abstract = self.is_abstract.then(|| "abstract".to_owned());
        let notes: Vec<String> = self.deprecation.iter().cloned().chain(is_abstract).chain(calls).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// The line after parameters on lines of their own.
    fn closing_line(&self) -> String {
        match &self.result {
            Some(result) => format!("{}): {}\n", self.margin, result.opening),
            None => format!("{}){}{}\n", self.margin, self.closing, self.call_comment()),
        }
    }

    /// The line after the members of the returned object.
    fn result_end(&self, result: &PrintedResult) -> String {
        format!("{}{};{}\n", self.margin, result.closing, self.call_comment())
    }

    fn call_comment(&self) -> String {
        let notes: Vec<String> = self.call_note().into_iter().chain(self.returned_elements.clone()).collect();
        if notes.is_empty() { String::new() } else { format!(" // {}", notes.join(", ")) }
    }
}

impl CallableRenderer for TypeScriptSignature {
    fn parameter_count(&self) -> usize {
        self.parameters.len()
    }

    fn is_showable(&self, position: usize) -> bool {
        self.parameters.get(position).is_some_and(|parameter| parameter.is_showable)
    }

    fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        self.parameters
            .get(position)
            .map_or(0, |parameter| parameter.line.tokens(tokenizer) + parameter.closing_line.tokens(tokenizer))
    }

    /// Adds the required parameters, the parameters before a visible one, the object parameters of visible properties,
    /// and the required properties of visible object parameters.
    fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let mut whole: ParameterSet = set.iter().filter(|&position| self.is_showable(position)).collect();
        whole.extend_with(&self.required);
        for position in (0..self.parameters.len()).rev().filter(|&position| set.contains(position)) {
            let objects =
                std::iter::successors(self.parameters[position].within, |&object| self.parameters[object].within);
            objects.filter(|&object| self.is_showable(position) && object < position).for_each(|at| whole.insert(at));
        }
        let is_top_level = |position: &usize| self.parameters[*position].within.is_none();
        let last = (0..self.parameters.len()).rev().filter(is_top_level).find(|&position| whole.contains(position));
        (0..last.unwrap_or(0)).filter(is_top_level).for_each(|position| whole.insert(position));
        for (position, parameter) in self.parameters.iter().enumerate() {
            if parameter.required
                && parameter.is_showable
                && parameter.within.is_some_and(|object| whole.contains(object))
            {
                whole.insert(position);
            }
        }
        whole
    }

    fn call_shape(&self, visible: &ParameterSet, _: bool) -> Option<CallShape> {
        Some(self.shape(visible))
    }

    fn references(&self, visible: &ParameterSet, detail: Detail) -> Vec<TypeReference> {
        if detail == Detail::Calls {
            return Vec::new();
        }
        let mut references = self.fixed_references.clone();
        for position in visible.iter().filter(|&position| self.is_showable(position)) {
            references.extend(self.parameters[position].references());
        }
        references.sort_unstable();
        references.dedup();
        references
    }

    fn price(&self, visible: &ParameterSet, detail: Detail, _: Option<DocLines<'_>>, tokenizer: &Tokenizer) -> usize {
        let count = |text: &str| tokenizer.count_line(text);
        match detail {
            Detail::Calls => return count(&self.shape(visible).line()),
            Detail::Lean => return count(&self.lean_line(visible)),
            Detail::Full => {}
        }
        let of_result = |result: &PrintedResult| result.lines.tokens(tokenizer) + count(&self.result_end(result));
        let result = self.result.as_ref().map_or(0, of_result);
        if let Some(line) = self.one_line(visible) {
            return count(&line) + result;
        }
        let mut tokens = result + self.opening_line.tokens(tokenizer) + count(&self.closing_line());
        self.write_lines(None, visible, &mut |line| {
            tokens += match line {
                SignatureLine::Parameter(lines) => lines.tokens(tokenizer),
                SignatureLine::HiddenNote(note) => count(&note),
            }
        });
        tokens
    }

    fn write(&self, visible: &ParameterSet, detail: Detail, _: Option<DocLines<'_>>, out: &mut String) {
        match detail {
            Detail::Calls => return out.push_str(&self.shape(visible).line()),
            Detail::Lean => return out.push_str(&self.lean_line(visible)),
            Detail::Full => {}
        }
        if let Some(line) = self.one_line(visible) {
            out.push_str(&line);
        } else {
            out.push_str(&self.opening_line.text);
            self.write_lines(None, visible, &mut |line| match line {
                SignatureLine::Parameter(lines) => out.push_str(&lines.text),
                SignatureLine::HiddenNote(note) => out.push_str(&note),
            });
            out.push_str(&self.closing_line());
        }
        if let Some(result) = &self.result {
            out.push_str(&result.lines.text);
            out.push_str(&self.result_end(result));
        }
    }
}

/// The note of a deprecated overload.
fn deprecation(text: &str) -> String {
    first_sentence(text).map_or_else(|| DEPRECATED.to_owned(), |text| format!("{DEPRECATED}: {text}"))
}

/// The positions of the parameters that every call must pass. Rest parameters are left out, since they need no
/// argument.
fn required_positions(parameters: &[PrintedParameter]) -> ParameterSet {
    let is_required = |p: &PrintedParameter| p.required && p.is_showable && p.within.is_none() && !p.is_rest;
    parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| is_required(parameter))
        .map(|(position, _)| position)
        .collect()
}

/// The annotated return type, else the one that the returned expressions determine. If neither can be written,
/// `Promise<any>` for an async function, else `any`.
pub(super) fn return_type(signature: &Signature, parameters: &[PrintedParameter], scope: TypeScope<'_>) -> PrintedType {
    let named: Vec<(String, String)> = parameters
        .iter()
        .filter(|parameter| parameter.within.is_none() && parameter.properties.is_empty() && parameter.required)
        .map(|parameter| (parameter.name.trim_end_matches([':', ' ']).to_owned(), parameter.ty.text.clone()))
        .collect();
    let written = |text| print_return_type(text, scope, &named);
    // An inferred union of which the stub cannot write a part says nothing.
    let is_known = |ty: &PrintedType| !ty.text.split(" | ").any(|part| part == "any");
    let written = match (signature.returns.as_ref(), signature.inferred_returns.as_ref()) {
        (Some(declared), _) => written(declared),
        (None, Some(inferred)) => written(inferred).filter(is_known),
        (None, None) => None,
    };
    let promise = || type_text("Promise<any>", scope).filter(|_| signature.is_async);
    written.or_else(promise).unwrap_or_else(any)
}
