//! The documentation of one definition as the lines of a docstring or comment, each with its price.

use super::{
    docs::ShownDocs,
    node_text::PricedLines,
    text::{first_sentence, sanitized},
};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};
use apidisc_tokens::Tokenizer;

/// The syntax of documentation in a language. Every text that a method takes is on one line and printable; the method
/// replaces the characters that would end the docstring or comment. Every method returns whole lines.
pub(crate) trait DocSyntax {
    /// A docstring or comment with this text alone.
    fn alone(&self, text: &str) -> String;

    /// The first line of documentation on several lines; `text` follows on the same line.
    fn opening(&self, text: Option<&str>) -> String;

    /// A paragraph below the first line.
    fn paragraph(&self, text: &str) -> String;

    /// The line above the descriptions of parameters; empty if the language needs none.
    fn heading(&self) -> String;

    /// The description of the parameter at `position`. `None` if its name cannot be written.
    fn parameter(&self, position: usize, text: &str) -> Option<String>;

    /// The description of the value that a call returns.
    fn returns(&self, text: &str) -> String;

    /// The errors that a call raises, each with a type or a text.
    fn raises(&self, errors: &[(String, String)]) -> String;

    /// The last line of documentation on several lines.
    fn closing(&self) -> String;
}

/// The documentation of a definition, as parts that a stub shows or hides separately.
#[derive(Debug, Default)]
pub(crate) struct DocText {
    /// The whole text if only the summary is written, and the first line if more follows; `None` without a summary.
    summary: Option<(PricedLines, PricedLines)>,
    opening: PricedLines,
    /// The paragraphs after the summary.
    details: PricedLines,
    heading: PricedLines,
    /// The descriptions of parameters in the order of their positions.
    parameters: Vec<(usize, PricedLines)>,
    results: PricedLines,
    closing: PricedLines,
}

/// The shown lines of a documentation: at least one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocLines<'a> {
    text: &'a DocText,
    shown: &'a ShownDocs,
}

impl DocText {
    /// The documentation of a definition: whole texts, or first sentences.
    pub(crate) fn new(index: &Index, id: DefinitionId, is_whole: bool, syntax: &dyn DocSyntax) -> Self {
        let definition = index.definition(id);
        let text = |text: &str| {
            if is_whole { Some(sanitized(text)).filter(|text| !text.is_empty()) } else { first_sentence(text) }
        };
        let summary =
            definition.summary.as_deref().filter(|_| !is_said_by_constructor(index, definition)).and_then(text);
        let positions = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        let parameter = |position| {
            let said = text(definition.parameter_documentation(position)?)?;
            Some((position, PricedLines::new(syntax.parameter(position, &said)?)))
        };
        let details = definition.documentation.as_ref().and_then(|documentation| documentation.details.as_deref());
        let paragraphs = details.filter(|_| is_whole && summary.is_some()).into_iter().flat_map(str::lines);
        let paragraphs = paragraphs.map(sanitized).filter(|text| !text.is_empty());
        let mut results = String::new();
        if let Some(documentation) = &definition.documentation {
            results.extend(documentation.returns.as_deref().and_then(text).map(|said| syntax.returns(&said)));
            let errors = documentation.raises.iter().map(|error| (sanitized(&error.name), sanitized(&error.text)));
            let errors: Vec<_> = errors.filter(|(name, text)| !name.is_empty() || !text.is_empty()).collect();
            results.extend((!errors.is_empty()).then(|| syntax.raises(&errors)));
        }
        Self {
            summary: summary
                .as_ref()
                .map(|text| (PricedLines::new(syntax.alone(text)), PricedLines::new(syntax.opening(Some(text))))),
            opening: PricedLines::new(syntax.opening(None)),
            details: PricedLines::new(paragraphs.map(|text| syntax.paragraph(&text)).collect()),
            heading: PricedLines::new(syntax.heading()),
            parameters: (0..positions).filter_map(parameter).collect(),
            results: PricedLines::new(results),
            closing: PricedLines::new(syntax.closing()),
        }
    }

    pub(crate) fn has_summary(&self) -> bool {
        self.summary.is_some()
    }

    /// The positions of the described parameters, each with the tokens of its description.
    pub(crate) fn parameters<'a>(&'a self, tokenizer: &'a Tokenizer) -> impl Iterator<Item = (usize, usize)> + 'a {
        self.parameters.iter().map(|(position, lines)| (*position, lines.tokens(tokenizer)))
    }

    /// Tokens of the summary; 0 without one.
    pub(crate) fn summary_tokens(&self, tokenizer: &Tokenizer) -> usize {
        self.summary.as_ref().map_or(0, |(alone, _)| alone.tokens(tokenizer))
    }

    /// Tokens of the paragraphs after the summary; 0 if there are none.
    pub(crate) fn detail_tokens(&self, tokenizer: &Tokenizer) -> usize {
        self.details.tokens(tokenizer)
    }

    /// Tokens of the documentation of results and errors; 0 if there is none.
    pub(crate) fn result_tokens(&self, tokenizer: &Tokenizer) -> usize {
        self.results.tokens(tokenizer)
    }

    /// The shown lines; `None` if there are none.
    pub(crate) fn lines<'a>(&'a self, shown: &'a ShownDocs) -> Option<DocLines<'a>> {
        let lines = DocLines { text: self, shown };
        (shown.summary && self.summary.is_some() || lines.is_long()).then_some(lines)
    }
}

/// True for an attribute that the constructor of its class sets: its documentation describes the parameter.
fn is_said_by_constructor(index: &Index, attribute: &Definition) -> bool {
    let holder = attribute.parent.filter(|_| attribute.kind.is_readable()).map(|id| index.definition(id));
    let Some(holder) = holder.filter(|holder| holder.kind == DefinitionKind::Class) else { return false };
    let parameters = holder.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    parameters.iter().any(|parameter| parameter.name == attribute.name)
}

impl DocLines<'_> {
    /// True if more than the summary is shown.
    fn is_long(self) -> bool {
        self.parameters().next().is_some()
            || self.shown.details && !self.text.details.text.is_empty()
            || self.shown.results && !self.text.results.text.is_empty()
    }

    fn parameters(&self) -> impl Iterator<Item = &PricedLines> {
        let shown = &self.shown.parameters;
        self.text.parameters.iter().filter(|(position, _)| shown.contains(*position)).map(|(_, lines)| lines)
    }

    /// Passes the lines to `out` in the order of the text.
    fn each(self, out: &mut impl FnMut(&PricedLines)) {
        let summary = self.text.summary.as_ref().filter(|_| self.shown.summary);
        if !self.is_long() {
            if let Some((alone, _)) = summary {
                out(alone);
            }
            return;
        }
        out(summary.map_or(&self.text.opening, |(_, opening)| opening));
        if self.shown.details {
            out(&self.text.details);
        }
        for (at, lines) in self.parameters().enumerate() {
            if at == 0 {
                out(&self.text.heading);
            }
            out(lines);
        }
        if self.shown.results {
            out(&self.text.results);
        }
        out(&self.text.closing);
    }

    pub(crate) fn tokens(self, tokenizer: &Tokenizer) -> usize {
        let mut tokens = 0;
        self.each(&mut |lines| tokens += lines.tokens(tokenizer));
        tokens
    }

    pub(crate) fn write(self, out: &mut String) {
        self.each(&mut |lines| out.push_str(&lines.text));
    }
}
