//! One signature: which parameters are visible decides how it is written and what it costs.
//!
//! A call is written on one line where little is shown of it, and a line a parameter otherwise; of a parameter that
//! is an object, a line a property. Position is what a call passes arguments by: a visible parameter makes those
//! before it visible, and those at the end can be left out.

use super::{
    fragments::any,
    generics::{Bound, TypeParameters},
    heads::Writer,
    overloads::{Overload, overloads},
    rows::{Row, rows},
    types::{Printed, World, print_returns, type_text},
};
use crate::{
    program::{DefinitionKind, ParameterSet, Signature},
    stub::{
        needs::Need,
        pieces::Piece,
        text::{counted, grouped},
    },
    tokens::Tokenizer,
};

/// Up to that many parameters and properties stand on one line.
const INLINE_PARAMETERS: usize = 3;
/// A line of code, its comment not counted, is at most that long, in characters.
const INLINE_WIDTH: usize = 100;

/// What is called, with all that may be visible of it.
#[derive(Debug)]
pub(crate) struct Callable {
    /// `export declare function get<T>`, moved in.
    opening: String,
    /// That as a line, before parameters on lines of their own.
    open: Piece,
    /// `: Promise<T>;`
    closing: String,
    margin: String,
    calls: u32,
    rows: Vec<Row>,
    required: ParameterSet,
    /// Of type parameters and the result.
    fixed_needs: Vec<Need>,
    /// What callers see instead of the signature.
    overloads: Vec<Overload>,
}

/// One line between the brackets.
enum Line<'a> {
    Known(&'a Piece),
    /// What is hidden there.
    Note(String),
}

impl Callable {
    /// The signature of a function or method, or the constructor of a class.
    pub(super) fn new(writer: &Writer<'_>) -> Self {
        let definition = writer.definition;
        let is_constructor = definition.kind == DefinitionKind::Class;
        let none = Signature::default();
        let signature = definition.signature.as_deref().unwrap_or(&none);
        let around = writer.bound_around();
        let own = TypeParameters::new(signature.type_parameters.as_deref(), writer.world(&around), false);
        let own = if is_constructor { TypeParameters::default() } else { own };
        let bound: Vec<Bound> = around.iter().chain(&own.bound).cloned().collect();
        let world = writer.world(&bound);
        let indent = writer.indent + if is_constructor { 2 } else { 0 };
        let rows = rows(signature, &definition.usage, world, writer.object_name(), indent);
        let returns = if is_constructor { None } else { Some(returns(signature, &rows, world)) };
        let callee = writer.callee();
        let opening = format!("{callee}{}", own.printed.text);
        let mut callable = Self {
            open: Piece::new(format!("{opening}(\n")),
            closing: returns.as_ref().map_or_else(|| ";".to_owned(), |returns| format!(": {};", returns.text)),
            margin: " ".repeat(indent),
            calls: definition.usage.total_calls,
            required: required(&rows),
            fixed_needs: own.printed.needs.into_iter().chain(returns.into_iter().flat_map(|r| r.needs)).collect(),
            overloads: overloads(writer, &callee, &around, &rows),
            opening,
            rows,
        };
        if !callable.overloads.is_empty() {
            callable.fixed_needs.clear();
        }
        callable
    }

    /// Number of parameters, those that cannot be written included.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where the parameter can be written.
    pub(crate) fn is_showable(&self, position: usize) -> bool {
        self.rows.get(position).is_some_and(|row| row.showable)
    }

    /// Tokens of a parameter's own lines.
    pub(crate) fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        self.rows.get(position).map_or(0, |row| row.line.tokens(tokenizer) + row.close.tokens(tokenizer))
    }

    /// The set with everything that must be visible together with it: what is required, what stands before a visible
    /// parameter, the object of a visible property.
    pub(crate) fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let mut whole: ParameterSet = set.iter().filter(|&position| self.is_showable(position)).collect();
        whole.extend_with(&self.required);
        for position in (0..self.len()).rev().filter(|&position| set.contains(position)) {
            let objects = std::iter::successors(self.rows[position].within, |&object| self.rows[object].within);
            objects.filter(|&object| self.is_showable(position) && object < position).for_each(|at| whole.insert(at));
        }
        let is_top = |position: &usize| self.rows[*position].within.is_none();
        let last = (0..self.len()).rev().filter(is_top).find(|&position| whole.contains(position));
        (0..last.unwrap_or(0)).filter(is_top).for_each(|position| whole.insert(position));
        // An object is not whole without the properties that it requires.
        for (position, row) in self.rows.iter().enumerate() {
            if row.required && row.showable && row.within.is_some_and(|object| whole.contains(object)) {
                whole.insert(position);
            }
        }
        whole
    }

    /// The types that its text names.
    pub(crate) fn needs(&self, visible: &ParameterSet) -> Vec<Need> {
        let mut needs = self.fixed_needs.clone();
        if self.overloads.is_empty() {
            for position in visible.iter().filter(|&position| self.is_showable(position)) {
                let row = &self.rows[position];
                needs.extend(row.needs());
            }
        } else {
            self.shown_overloads(visible).for_each(|overload| needs.extend(overload.needs(visible)));
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// Tokens of the text that [`Self::write`] gives.
    pub(crate) fn price(&self, visible: &ParameterSet, tokenizer: &Tokenizer) -> usize {
        let count = |text: &str| tokenizer.count_line(text);
        if let Some(lines) = self.overloaded(visible) {
            return lines.iter().map(|line| count(line)).sum();
        }
        if let Some(line) = self.inline(visible) {
            return count(&line);
        }
        let mut tokens = self.open.tokens(tokenizer) + count(&self.close());
        self.lines(None, visible, &mut |line| {
            tokens += match line {
                Line::Known(piece) => piece.tokens(tokenizer),
                Line::Note(note) => count(&note),
            }
        });
        tokens
    }

    /// Adds the text to `out`.
    pub(crate) fn write(&self, visible: &ParameterSet, out: &mut String) {
        if let Some(lines) = self.overloaded(visible) {
            out.extend(lines);
        } else if let Some(line) = self.inline(visible) {
            out.push_str(&line);
        } else {
            out.push_str(&self.open.text);
            self.lines(None, visible, &mut |line| match line {
                Line::Known(piece) => out.push_str(&piece.text),
                Line::Note(note) => out.push_str(&note),
            });
            out.push_str(&self.close());
        }
    }

    /// The lines of the visible rows in `object`, or of the parameters.
    fn lines(&self, object: Option<usize>, visible: &ParameterSet, out: &mut impl FnMut(Line<'_>)) {
        for position in self.shown(object, visible) {
            let row = &self.rows[position];
            if self.shown(Some(position), visible).next().is_none() {
                out(Line::Known(&row.line));
                if let Some(note) = self.hidden(Some(position), visible) {
                    out(Line::Note(format!("{}// {note}\n", self.margin_of(position))));
                }
                continue;
            }
            out(Line::Known(&row.open));
            self.lines(Some(position), visible, out);
            out(Line::Known(&row.close));
        }
        if let Some(note) = self.hidden(object, visible) {
            let margin = object.map_or(&self.margin[..], |object| self.margin_of(object));
            out(Line::Note(format!("{margin}  // {note}\n")));
        }
    }

    fn margin_of(&self, position: usize) -> &str {
        let text = &self.rows[position].line.text;
        &text[..text.len() - text.trim_start().len()]
    }

    /// The visible rows in an object, or parameters, in the order of the text.
    fn shown<'a>(&'a self, object: Option<usize>, visible: &'a ParameterSet) -> impl Iterator<Item = usize> + 'a {
        let tops =
            (0..self.rows.len()).filter(move |&position| object.is_none() && self.rows[position].within.is_none());
        let inner = object.into_iter().flat_map(|object| self.rows[object].properties.iter().copied());
        tops.chain(inner).filter(|&position| visible.contains(position) && self.rows[position].showable)
    }

    /// `... + 15 rare arguments hidden`, `... + 5 properties hidden`; not called rare where one of them is not, or
    /// where it is not known.
    fn hidden(&self, object: Option<usize>, visible: &ParameterSet) -> Option<String> {
        let hidden = || {
            let rows = self.rows.iter().enumerate().filter(|(_, row)| row.within == object);
            rows.filter(|(position, row)| !(visible.contains(*position) && row.showable)).map(|(_, row)| row)
        };
        let count = hidden().count() as u32;
        let rare = if hidden().all(|row| row.is_rare) { "rare " } else { "" };
        let what = match (object.is_some(), count) {
            (false, 1) => "argument",
            (false, _) => "arguments",
            (true, 1) => "property",
            (true, _) => "properties",
        };
        (count > 0).then(|| format!("... + {} {rare}{what} hidden", grouped(count)))
    }

    /// What the objects that are shown hide, and what is hidden beside them.
    fn all_hidden(&self, visible: &ParameterSet) -> Vec<String> {
        let is_shown = |position: &usize| visible.contains(*position) && self.rows[*position].showable;
        let objects = (0..self.rows.len()).filter(is_shown);
        objects.map(Some).chain([None]).filter_map(|object| self.hidden(object, visible)).collect()
    }

    /// `get(url: string, options?: { timeout?: number }): Response; // 12 calls, timeout in 25%`, where it is short
    /// enough.
    fn inline(&self, visible: &ParameterSet) -> Option<String> {
        let is_shown = |position: &usize| visible.contains(*position) && self.rows[*position].showable;
        let shown = || (0..self.rows.len()).filter(is_shown).map(|position| &self.rows[position]);
        let count = shown().count();
        if count > INLINE_PARAMETERS {
            return None;
        }
        let items: Vec<String> = self.shown(None, visible).map(|position| self.item(position, visible)).collect();
        let mut line = format!("{}({}){}", self.opening, items.join(", "), self.closing);
        if count > 0 && line.chars().count() > INLINE_WIDTH {
            return None;
        }
        let mut notes = self.said_of_calls();
        notes.extend(shown().filter_map(|row| row.share.clone()));
        notes.extend(self.all_hidden(visible));
        if !notes.is_empty() {
            line.push_str(" // ");
            line.push_str(&notes.join(", "));
        }
        line.push('\n');
        Some(line)
    }

    /// A parameter or property between others on one line.
    fn item(&self, position: usize, visible: &ParameterSet) -> String {
        let row = &self.rows[position];
        let inner: Vec<String> = self.shown(Some(position), visible).map(|inner| self.item(inner, visible)).collect();
        if inner.is_empty() {
            return row.text();
        }
        format!("{}{}{{ {} }}", row.name, row.beside.text, inner.join("; "))
    }

    fn said_of_calls(&self) -> Vec<String> {
        (self.calls > 0).then(|| counted(self.calls, "call")).into_iter().collect()
    }

    fn close(&self) -> String {
        let note = self.said_of_calls().first().map_or_else(String::new, |calls| format!(" // {calls}"));
        format!("{}){}{note}\n", self.margin, self.closing)
    }

    fn shown_overloads<'a>(&'a self, visible: &'a ParameterSet) -> impl Iterator<Item = &'a Overload> + 'a {
        let mut seen: Vec<String> = Vec::new();
        self.overloads
            .iter()
            .filter(move |overload| {
                let text = overload.text(visible);
                let is_fresh = !seen.contains(&text);
                if is_fresh {
                    seen.push(text);
                }
                is_fresh
            })
            .take(Overload::MOST)
    }

    /// A line an overload, the last of them with what is to be said; `None` where there is one signature only.
    fn overloaded(&self, visible: &ParameterSet) -> Option<Vec<String>> {
        let mut lines: Vec<String> =
            self.shown_overloads(visible).map(|overload| format!("{}\n", overload.text(visible))).collect();
        let hidden = self.overloads.len().saturating_sub(lines.len());
        let last = lines.last_mut()?;
        let mut notes = self.said_of_calls();
        let is_shown = |position: &usize| visible.contains(*position) && self.rows[*position].showable;
        notes.extend((0..self.rows.len()).filter(is_shown).filter_map(|position| self.rows[position].share.clone()));
        notes.extend(self.all_hidden(visible));
        notes.extend((hidden > 0).then(|| format!("... + {} hidden", counted(hidden as u32, "overload"))));
        if !notes.is_empty() {
            last.truncate(last.len() - 1);
            *last = format!("{last} // {}\n", notes.join(", "));
        }
        Some(lines)
    }
}

/// Parameters that every call gives: a rest takes none.
fn required(rows: &[Row]) -> ParameterSet {
    let is_required = |row: &Row| row.required && row.showable && row.within.is_none() && !row.is_rest;
    rows.iter().enumerate().filter(|(_, row)| is_required(row)).map(|(position, _)| position).collect()
}

/// What comes back. Where that is not written, it is not known.
pub(super) fn returns(signature: &Signature, rows: &[Row], world: World<'_>) -> Printed {
    let parameters: Vec<(String, String)> = rows
        .iter()
        .filter(|row| row.within.is_none() && row.properties.is_empty() && row.required)
        .map(|row| (row.name.trim_end_matches([':', ' ']).to_owned(), row.ty.text.clone()))
        .collect();
    let written = signature.returns.as_deref();
    let printed = written.and_then(|text| print_returns(text, world, &parameters));
    let promised = || type_text("Promise<any>", world).filter(|_| signature.is_async);
    printed.or_else(promised).unwrap_or_else(any)
}
