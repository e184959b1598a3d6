//! The signature of one Python function. In full it is written on one line if it is short and few parameters are
//! visible, else with one parameter per line. [`super::short_form`] writes the shorter forms. A signature on several
//! lines costs the sum of the tokens of its lines; the tokens of a parameter's line are counted once.

use std::{borrow::Cow, sync::OnceLock};

use super::{
    declaration::{NEW, base_classes},
    expression::plain_expression,
    keywords::PassedKeywords,
    parameters::{PrintedParameter, keyword_order, showable_positions, written_receiver},
    results::{PrintedResult, is_async_iterable, is_context_manager},
    unpacked::is_typed_dict,
};
use crate::stub::{
    call_shape::CallShape,
    doc_text::DocLines,
    node_text::PricedLines,
    renderer::{CallableRenderer, Indentation, PlacedDefinition},
    text::{group_digits, pluralized},
    wording::Detail,
};
use apidisc_facts::program::{DefinitionKind, ParameterKind, ParameterSet, Signature};
use apidisc_indexing::{index::Definition, usage::Usage};
use apidisc_tokens::Tokenizer;

/// The largest number of parameters of a signature on one line.
const INLINE_PARAMETERS: usize = 3;
/// The largest number of characters of a signature on one line, without its comment.
const INLINE_WIDTH: usize = 100;

/// A `def` with all its parameters, from which the text for any set of visible parameters is written.
#[derive(Debug)]
pub(super) struct PythonSignature {
    pub(super) indent: Indentation,
    /// `def name` or `async def name`.
    pub(super) opening: String,
    /// `self`, or `self: Type` in an overload that its receiver distinguishes from others.
    pub(super) receiver: Option<String>,
    /// The line that states that it is a property; empty for anything else.
    pub(super) decorator: String,
    /// ` -> Type`, or empty.
    pub(super) returns: String,
    /// The members of the returned tuple or dict.
    pub(super) result: Option<PrintedResult>,
    /// True if the result is iterated with `async for`.
    pub(super) is_async_iterable: bool,
    pub(super) calls: u32,
    pub(super) is_constructor: bool,
    /// The line `class Name(Base): ...` for a constructor that is written as a function of the name of its class; empty
    /// for anything else, and without base classes.
    class_line: String,
    /// True for a constructor that is written as a function of the name of its class.
    pub(super) stands_alone: bool,
    pub(super) parameters: Vec<PrintedParameter>,
    /// The positions of the parameters in the order of [`keyword_order`].
    keyword_order: Vec<usize>,
    pub(super) keywords: PassedKeywords,
    /// Positions of the required parameters that can be written.
    required: ParameterSet,
    frame_tokens: OnceLock<FrameTokens>,
}

/// The tokens of the lines of a signature on several lines that never change: the opening line and the lines of the
/// receiver, `/` and `*`.
#[derive(Debug, Default)]
struct FrameTokens {
    open: u32,
    receiver: u32,
    slash: u32,
    star: u32,
}

/// An entry between the parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignatureSlot {
    /// A parameter, by position.
    Parameter(usize),
    /// `/`, after the positional-only parameters (PEP 570).
    Slash,
    /// `*`, before the keyword-only parameters (PEP 3102).
    Star,
}

impl PythonSignature {
    /// The `def` of a function, method or property, of one of its overloads, or of the constructor of a class, with the
    /// usage of its parameters.
    pub(super) fn new(
        definition: &Definition,
        signature: Option<&Signature>,
        usage: &Usage,
        name: &str,
        indent: Indentation,
    ) -> Self {
        let is_constructor = definition.kind == DefinitionKind::Class;
        let (receiver, receiver_text) = signature.and_then(written_receiver).unzip();
        let needs_receiver = is_constructor || definition.kind == DefinitionKind::Property;
        let receiver = receiver.or(needs_receiver.then_some("self"));
        let inferred = signature.and_then(|s| s.inferred_returns.as_deref());
        let returns = signature.and_then(|s| s.returns.as_deref()).or(definition.annotation.as_deref()).or(inferred);
        let returns = match name {
            NEW if is_constructor => None,
            _ if is_constructor => Some("None"),
            _ => returns.and_then(plain_expression),
        };
        let is_async = !is_constructor && signature.is_some_and(|s| s.is_async);

        let parameters = signature.map_or(&[][..], |s| &s.parameters);
        let showable = showable_positions(parameters, receiver);
        let margin = indent.inner().margin();
        let printed: Vec<PrintedParameter> = parameters
            .iter()
            .enumerate()
            .zip(signature.into_iter().cycle())
            .map(|((i, _), signature)| PrintedParameter::new(signature, i, showable.contains(i), usage, &margin))
            .collect();
        let keywords = signature.map_or_else(PassedKeywords::default, |s| PassedKeywords::new(s, &printed));
        let is_required = |i: usize| printed[i].required || keywords.is_all_unknown;
        let required = (0..printed.len())
            .filter(|&i| is_required(i) && printed[i].is_showable && printed[i].kind != ParameterKind::Property)
            .collect();
        Self {
            indent,
            decorator: if definition.kind == DefinitionKind::Property {
                format!("{}@property\n", indent.margin())
            } else {
                String::new()
            },
            opening: format!("{}def {name}", if is_async { "async " } else { "" }),
            receiver: receiver_text.or_else(|| receiver.map(str::to_owned)),
            result: signature.and_then(|signature| PrintedResult::new(signature, usage, &margin)),
            is_async_iterable: !is_async && returns.is_some_and(is_async_iterable) && !is_context_manager(definition),
            returns: returns.map(|text| format!(" -> {text}")).unwrap_or_default(),
            calls: usage.total_calls,
            is_constructor,
            class_line: String::new(),
            stands_alone: false,
            keyword_order: keyword_order(parameters, usage),
            parameters: printed,
            keywords,
            required,
            frame_tokens: OnceLock::new(),
        }
    }

    /// The constructor of a class, written as a function of the name of the class.
    pub(super) fn alone(placed: PlacedDefinition<'_>, signature: &Signature) -> Self {
        let PlacedDefinition { index, definition: class, name, indent, .. } = placed;
        let bases = base_classes(class);
        let class_line =
            if bases.is_empty() { bases } else { format!("{}class {name}{bases}: ...\n", indent.margin()) };
        let whole = Self::new(class, Some(signature), &class.usage, name, indent);
        // The keys of a record have an order that people know.
        let keyword_order = if is_typed_dict(index, class) {
            (0..whole.parameters.len()).collect()
        } else {
            whole.keyword_order.clone()
        };
        Self {
            class_line,
            keyword_order,
            opening: format!("def {name}"),
            receiver: None,
            returns: String::new(),
            stands_alone: true,
            ..whole
        }
    }

    fn frame_tokens(&self, tokenizer: &Tokenizer) -> &FrameTokens {
        self.frame_tokens.get_or_init(|| {
            if self.parameters.is_empty() {
                return FrameTokens::default();
            }
            let margin = self.indent.inner().margin();
            let count = |text: &str| tokenizer.count_line(&format!("{margin}{text},\n")) as u32;
            FrameTokens {
                open: tokenizer.count_line(&self.opening_line()) as u32,
                receiver: self.receiver.as_deref().map_or(0, count),
                slash: count("/"),
                star: count("*"),
            }
        })
    }

    /// The entries between the parentheses, in an order that makes a valid signature. Positional parameters are written
    /// as declared, up to the first one that is hidden, or that is required and follows an optional one. Standard
    /// parameters from there on are written as keyword-only parameters.
    pub(super) fn slots(&self, visible: &ParameterSet) -> Vec<SignatureSlot> {
        use ParameterKind::{KeywordOnly, PositionalOnly, Standard, VarKeyword, VarPositional};
        let mut slots = Vec::new();
        let mut by_keyword = ParameterSet::new();
        let (mut has_gap, mut has_optional) = (false, false);
        for (position, parameter) in self.parameters.iter().enumerate() {
            let is_visible = visible.contains(position) && parameter.is_showable;
            match parameter.kind {
                PositionalOnly if is_visible => slots.push(SignatureSlot::Parameter(position)),
                Standard if is_visible && !has_gap && !(has_optional && parameter.required) => {
                    slots.push(SignatureSlot::Parameter(position));
                }
                KeywordOnly if is_visible => by_keyword.insert(position),
                Standard if is_visible => {
                    has_gap = true;
                    by_keyword.insert(position);
                }
                PositionalOnly | Standard => has_gap = true,
                _ => {}
            }
            has_optional |= is_visible && !parameter.required && matches!(parameter.kind, PositionalOnly | Standard);
        }
        let positional_only = slots
            .iter()
            .take_while(
                |slot| matches!(slot, SignatureSlot::Parameter(i) if self.parameters[*i].kind == PositionalOnly),
            )
            .count();
        if positional_only > 0 {
            slots.insert(positional_only, SignatureSlot::Slash);
        }
        let variadic = |kind| {
            (0..self.parameters.len())
                .find(|&i| self.parameters[i].kind == kind && visible.contains(i) && self.is_showable(i))
        };
        if let Some(args) = variadic(VarPositional) {
            slots.push(SignatureSlot::Parameter(args));
        } else if !by_keyword.is_empty() {
            slots.push(SignatureSlot::Star);
        }
        slots.extend(
            self.keyword_order.iter().filter(|&&i| by_keyword.contains(i)).map(|&i| SignatureSlot::Parameter(i)),
        );
        slots.extend(variadic(VarKeyword).map(SignatureSlot::Parameter));
        slots
    }

    /// `    def run(self, message: str) -> Result: ...  # 12 calls`, if it is short enough.
    ///
    /// A constructor is written like this only if every parameter is shown and required.
    fn one_line(&self, visible: &ParameterSet, slots: &[SignatureSlot], has_docstring: bool) -> Option<String> {
        let shown = || {
            slots.iter().filter_map(|slot| match slot {
                SignatureSlot::Parameter(position) => Some(&self.parameters[*position]),
                _ => None,
            })
        };
        let count = shown().count();
        let is_simple = || count == self.parameters.len() && shown().all(|parameter| parameter.required);
        if count > INLINE_PARAMETERS || self.is_constructor && !self.keywords.is_all_unknown && !is_simple() {
            return None;
        }
        let margin = self.parameter_margin();
        let mut entries: Vec<&str> = self.receiver.as_deref().into_iter().collect();
        entries.extend(slots.iter().map(|slot| match slot {
            SignatureSlot::Parameter(position) => self.parameters[*position].text(margin),
            SignatureSlot::Slash => "/",
            SignatureSlot::Star => "*",
        }));
        let body = if has_docstring { "" } else { " ..." };
        let mut line =
            format!("{}{}({}){}:{body}", self.indent.margin(), self.opening, entries.join(", "), self.returns);
        if count > 0 && line.chars().count() > INLINE_WIDTH {
            return None;
        }
        let mut notes = Vec::new();
        if self.calls > 0 {
            notes.push(pluralized(self.calls, "call"));
        }
        if self.keywords.is_all_unknown {
            notes.push(self.keywords.unknown_note(&self.parameters, visible));
        } else {
            notes.extend(slots.iter().filter_map(|slot| match slot {
                SignatureSlot::Parameter(position) => self.share_note(*position, margin, visible),
                _ => None,
            }));
        }
        notes.extend(self.result_note());
        notes.extend(self.hidden_note(visible));
        if !notes.is_empty() {
            line.push_str("  # ");
            line.push_str(&notes.join(", "));
        }
        line.push('\n');
        Some(line)
    }

    /// The frequency of a parameter on one line, with the visible keywords that it receives.
    fn share_note(&self, position: usize, margin: usize, visible: &ParameterSet) -> Option<String> {
        let note = self.parameters[position].share_note(margin)?;
        Some(note + &self.keywords.note(position, visible))
    }

    /// The line of a parameter in a signature on several lines.
    fn line(&self, position: usize, visible: &ParameterSet) -> Cow<'_, str> {
        let line = &self.parameters[position].line.text;
        let note = self.keywords.note(position, visible);
        match (note.is_empty(), self.parameters[position].has_comment) {
            (true, _) => Cow::Borrowed(line),
            (false, true) => Cow::Owned(format!("{}{note}\n", line.trim_end())),
            (false, false) => {
                let note = note.trim_start_matches([':', ';', ',', ' ']);
                Cow::Owned(format!("{}  # {note}\n", line.trim_end()))
            }
        }
    }

    fn line_tokens(&self, position: usize, visible: &ParameterSet, tokenizer: &Tokenizer) -> usize {
        match self.line(position, visible) {
            Cow::Borrowed(_) => self.parameters[position].line.tokens(tokenizer),
            Cow::Owned(line) => tokenizer.count_line(&line),
        }
    }

    /// The first line of a signature on several lines.
    fn opening_line(&self) -> String {
        format!("{}{}(\n", self.indent.margin(), self.opening)
    }

    /// The last line of a signature on several lines. Its comment gives the number of calls, unless the comment of a
    /// visible parameter does.
    fn closing_line(&self, visible: &ParameterSet, has_docstring: bool) -> String {
        let body = if has_docstring { "" } else { " ..." };
        let is_named = visible.iter().any(|i| self.parameters.get(i).is_some_and(|parameter| parameter.names_calls));
        let calls = (self.calls > 0 && !is_named).then(|| pluralized(self.calls, "call"));
        let notes: Vec<String> = calls.into_iter().chain(self.result_note()).collect();
        let note = if notes.is_empty() { String::new() } else { format!("  # {}", notes.join(", ")) };
        format!("{}){}:{body}{note}\n", self.indent.margin(), self.returns)
    }

    /// The items of the returned tuple, for the comment of the line that ends the signature.
    fn result_note(&self) -> Option<String> {
        self.result.as_ref().filter(|result| result.lines.is_none())?.note.clone()
    }

    /// The lines below the signature: the keys of the returned dict.
    fn result_lines(&self) -> Option<&PricedLines> {
        self.result.as_ref()?.lines.as_ref()
    }

    fn hidden_line(&self, visible: &ParameterSet) -> Option<String> {
        self.hidden_note(visible).map(|note| format!("{}# {note}\n", self.indent.inner().margin()))
    }

    /// The columns by which the lines of parameters are indented.
    pub(super) fn parameter_margin(&self) -> usize {
        self.indent.inner().columns
    }

    /// True if some parameter is not written.
    pub(super) fn hides_parameters(&self, visible: &ParameterSet) -> bool {
        !self.parameters.iter().enumerate().all(|(i, parameter)| visible.contains(i) && parameter.is_showable)
    }

    /// The short form of a detail; `None` in full. Of a class whose constructor the sources do not declare, the base
    /// classes say more than a constructor that takes anything.
    fn short_form(&self, visible: &ParameterSet, detail: Detail, has_docstring: bool) -> Option<String> {
        let is_unknown = self.keywords.is_all_unknown && self.keywords.visible(visible).is_empty();
        match detail {
            Detail::Calls if is_unknown && !self.class_line.is_empty() && !has_docstring => {
                Some(self.class_line.clone())
            }
            Detail::Calls => Some(self.shape(visible, has_docstring).line()),
            Detail::Lean => Some(self.lean_line(visible, has_docstring)),
            Detail::Full => None,
        }
    }

    /// `... + 15 rare arguments hidden`. The word "rare" is used only if all hidden arguments are known to be rare.
    fn hidden_note(&self, visible: &ParameterSet) -> Option<String> {
        let hidden = || {
            // The comment of `**kwargs` says how many of its keywords are hidden.
            let is_hidden = |(i, parameter): &(usize, &PrintedParameter)| {
                parameter.kind != ParameterKind::Property && !(visible.contains(*i) && parameter.is_showable)
            };
            self.parameters.iter().enumerate().filter(is_hidden).map(|(_, parameter)| parameter)
        };
        let count = hidden().count() as u32;
        let rare = if hidden().all(|parameter| parameter.is_rare) { "rare " } else { "" };
        (count > 0).then(|| format!("... + {} {rare}argument{} hidden", group_digits(count), plural(count)))
    }
}

impl CallableRenderer for PythonSignature {
    fn parameter_count(&self) -> usize {
        self.parameters.len()
    }

    fn is_showable(&self, position: usize) -> bool {
        self.parameters.get(position).is_some_and(|parameter| parameter.is_showable)
    }

    fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        let line = self.parameters.get(position).map(|parameter| &parameter.line);
        self.keywords.text(position).or(line).map_or(0, |line| line.tokens(tokenizer))
    }

    /// Adds the parameters without which the signature would not be valid:
    ///
    /// - the required parameters;
    /// - every positional-only parameter before one in the set;
    /// - every positional parameter, if the set contains `*args`.
    fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let mut whole: ParameterSet = set.iter().filter(|&position| self.is_showable(position)).collect();
        whole.extend_with(&self.required);
        let last_of = |kind, whole: &ParameterSet| {
            (0..self.parameters.len()).rev().find(|&i| whole.contains(i) && self.parameters[i].kind == kind)
        };
        let args = last_of(ParameterKind::VarPositional, &whole);
        let positional = last_of(ParameterKind::PositionalOnly, &whole);
        for (position, parameter) in self.parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_showable) {
            let before_args =
                args.is_some() && matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
            let before_positional =
                parameter.kind == ParameterKind::PositionalOnly && positional.is_some_and(|last| position < last);
            if before_args || before_positional {
                whole.insert(position);
            }
        }
        whole
    }

    fn call_shape(&self, visible: &ParameterSet, has_docstring: bool) -> Option<CallShape> {
        Some(self.shape(visible, has_docstring))
    }

    fn price(
        &self,
        visible: &ParameterSet,
        detail: Detail,
        docs: Option<DocLines<'_>>,
        tokenizer: &Tokenizer,
    ) -> usize {
        if let Some(line) = self.property_line(detail, docs.is_some()) {
            return tokenizer.count_line(&line);
        }
        let above = tokenizer.count_line(&self.decorator);
        let doc_tokens = above + docs.map_or(0, |lines| lines.tokens(tokenizer));
        if let Some(line) = self.short_form(visible, detail, docs.is_some()) {
            return tokenizer.count_line(&line) + doc_tokens;
        }
        let below = self.result_lines().map_or(0, |lines| lines.tokens(tokenizer)) + doc_tokens;
        let slots = self.slots(visible);
        if let Some(line) = self.one_line(visible, &slots, docs.is_some()) {
            return tokenizer.count_line(&line) + below;
        }
        let frame_tokens = self.frame_tokens(tokenizer);
        let slot_tokens: usize = slots
            .iter()
            .map(|slot| match slot {
                SignatureSlot::Parameter(position) => self.line_tokens(*position, visible, tokenizer),
                SignatureSlot::Slash => frame_tokens.slash as usize,
                SignatureSlot::Star => frame_tokens.star as usize,
            })
            .sum();
        let hidden = self.hidden_line(visible).map_or(0, |line| tokenizer.count_line(&line));
        let close = tokenizer.count_line(&self.closing_line(visible, docs.is_some()));
        (frame_tokens.open + frame_tokens.receiver) as usize + slot_tokens + hidden + close + below
    }

    fn write(&self, visible: &ParameterSet, detail: Detail, docs: Option<DocLines<'_>>, out: &mut String) {
        if let Some(line) = self.property_line(detail, docs.is_some()) {
            return out.push_str(&line);
        }
        out.push_str(&self.decorator);
        let slots = self.slots(visible);
        let short = self.short_form(visible, detail, docs.is_some());
        if let Some(line) = short.or_else(|| self.one_line(visible, &slots, docs.is_some())) {
            out.push_str(&line);
        } else {
            let margin = self.indent.inner().margin();
            out.push_str(&self.opening_line());
            if let Some(receiver) = &self.receiver {
                out.extend([&margin, receiver.as_str(), ",\n"]);
            }
            for slot in slots {
                match slot {
                    SignatureSlot::Parameter(position) => out.push_str(&self.line(position, visible)),
                    SignatureSlot::Slash => out.extend([&margin, "/,\n"]),
                    SignatureSlot::Star => out.extend([&margin, "*,\n"]),
                }
            }
            out.push_str(&self.hidden_line(visible).unwrap_or_default());
            out.push_str(&self.closing_line(visible, docs.is_some()));
        }
        if let Some(lines) = self.result_lines().filter(|_| detail == Detail::Full) {
            out.push_str(&lines.text);
        }
        if let Some(lines) = docs {
            lines.write(out);
        }
    }
}

fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}
