//! One `def`: which parameters are visible decides how it is written and what it costs.
//!
//! A definition is written on one line where little is shown of it, and a line a parameter otherwise. Lines
//! are counted once; their counts add up.

use std::sync::OnceLock;

use super::{NEW, expression::plain, name::is_name};
use crate::{
    index::Definition,
    program::{Parameter, ParameterKind, ParameterSet},
    stub::{
        pieces::Piece,
        text::{counted, grouped},
    },
    tokens::Tokenizer,
    usage::{Usage, percent},
};

/// Up to that many parameters stand on one line.
const INLINE_PARAMETERS: usize = 3;
/// A line of code, its comment not counted, is at most that long, in characters.
const INLINE_WIDTH: usize = 100;
/// An argument is rare when fewer calls than one in that many pass it.
const RARE: u32 = 5;

/// A `def` with all that may be visible of it.
#[derive(Debug)]
pub(crate) struct Callable {
    indent: usize,
    /// `async def name`
    opening: String,
    receiver: Option<String>,
    /// ` -> Type`, or nothing.
    returns: String,
    calls: u32,
    is_constructor: bool,
    parameters: Vec<Row>,
    /// Positions in the order in which they are given by keyword: required ones first, then by frequency.
    keyword_order: Vec<usize>,
    required: ParameterSet,
    fixed: OnceLock<Fixed>,
}

/// What is written of one parameter.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // four facts, every mix of them occurs
struct Row {
    kind: ParameterKind,
    required: bool,
    /// Known to be passed by few calls only.
    is_rare: bool,
    /// False where its name cannot be written.
    showable: bool,
    names_calls: bool,
    /// What is said of it on one line for all: how many calls pass it, in percent.
    share: Option<u32>,
    /// Calls that pass it.
    count: u32,
    /// Bytes of `name`, with its stars.
    name: u32,
    /// Bytes of `name: Type = default`.
    text: u32,
    /// That on a line of its own, with its comment, which may name the number of calls.
    line: Piece,
}

/// Tokens of the lines that every form has.
#[derive(Debug, Default)]
struct Fixed {
    open: u32,
    receiver: u32,
    slash: u32,
    star: u32,
}

/// A place between the brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Row(usize),
    Slash,
    Star,
}

impl Callable {
    /// The `def` of a function, method or property, or the constructor of a class.
    pub(crate) fn new(definition: &Definition, name: &str, indent: usize) -> Self {
        let is_constructor = definition.kind == crate::program::DefinitionKind::Class;
        let signature = definition.signature.as_ref();
        let usage = &definition.usage;
        let receiver = signature.and_then(|s| s.receiver.as_deref()).filter(|receiver| is_name(receiver));
        let needs_receiver = is_constructor || definition.kind == crate::program::DefinitionKind::Property;
        let receiver = receiver.or(needs_receiver.then_some("self")).map(str::to_owned);
        let returns = signature.and_then(|s| s.returns.as_deref()).or(definition.annotation.as_deref());
        let returns = match name {
            NEW if is_constructor => None,
            _ if is_constructor => Some("None"),
            _ => returns.and_then(plain),
        };
        let is_async = !is_constructor && signature.is_some_and(|s| s.is_async);

        let parameters = signature.map_or(&[][..], |s| &s.parameters);
        let showable = showable(parameters, receiver.as_deref());
        let margin = " ".repeat(indent + 4);
        let rows: Vec<Row> = parameters
            .iter()
            .enumerate()
            .map(|(i, parameter)| Row::new(parameter, i, showable.contains(i), usage, &margin))
            .collect();
        let required = (0..rows.len()).filter(|&i| rows[i].required && rows[i].showable).collect();
        Self {
            indent,
            opening: format!("{}def {name}", if is_async { "async " } else { "" }),
            receiver,
            returns: returns.map(|text| format!(" -> {text}")).unwrap_or_default(),
            calls: usage.total_calls,
            is_constructor,
            keyword_order: keyword_order(parameters, usage),
            parameters: rows,
            required,
            fixed: OnceLock::new(),
        }
    }

    fn fixed(&self, tokenizer: &Tokenizer) -> &Fixed {
        self.fixed.get_or_init(|| {
            if self.parameters.is_empty() {
                return Fixed::default();
            }
            let margin = " ".repeat(self.indent + 4);
            let count = |text: &str| tokenizer.count_line(&format!("{margin}{text},\n")) as u32;
            Fixed {
                open: tokenizer.count_line(&self.open()) as u32,
                receiver: self.receiver.as_deref().map_or(0, count),
                slash: count("/"),
                star: count("*"),
            }
        })
    }

    /// Number of parameters, those that cannot be written included.
    pub(crate) fn len(&self) -> usize {
        self.parameters.len()
    }

    /// True where the parameter can be written.
    pub(crate) fn is_showable(&self, position: usize) -> bool {
        self.parameters.get(position).is_some_and(|row| row.showable)
    }

    /// Tokens of a parameter's own line.
    pub(crate) fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        self.parameters.get(position).map_or(0, |row| row.line.tokens(tokenizer))
    }

    /// The set with everything that must be visible together with it: required parameters; before a
    /// positional-only one, those that stand before it; before `*args`, every positional one.
    pub(crate) fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let mut whole: ParameterSet = set.iter().filter(|&position| self.is_showable(position)).collect();
        whole.extend_with(&self.required);
        let last_of = |kind, whole: &ParameterSet| {
            (0..self.len()).rev().find(|&i| whole.contains(i) && self.parameters[i].kind == kind)
        };
        let args = last_of(ParameterKind::VarPositional, &whole);
        let positional = last_of(ParameterKind::PositionalOnly, &whole);
        for (position, row) in self.parameters.iter().enumerate().filter(|(_, row)| row.showable) {
            let before_args =
                args.is_some() && matches!(row.kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
            let before_positional =
                row.kind == ParameterKind::PositionalOnly && positional.is_some_and(|last| position < last);
            if before_args || before_positional {
                whole.insert(position);
            }
        }
        whole
    }

    /// Tokens of the text that [`Self::write`] gives; `docstring` is the summary's line.
    pub(crate) fn price(&self, visible: &ParameterSet, docstring: Option<&Piece>, tokenizer: &Tokenizer) -> usize {
        let docstring_tokens = docstring.map_or(0, |piece| piece.tokens(tokenizer));
        let slots = self.slots(visible);
        if let Some(line) = self.inline(visible, &slots, docstring.is_some()) {
            return tokenizer.count_line(&line) + docstring_tokens;
        }
        let fixed = self.fixed(tokenizer);
        let lines: usize = slots
            .iter()
            .map(|slot| match slot {
                Slot::Row(position) => self.parameters[*position].line.tokens(tokenizer),
                Slot::Slash => fixed.slash as usize,
                Slot::Star => fixed.star as usize,
            })
            .sum();
        let hidden = self.hidden_line(visible).map_or(0, |line| tokenizer.count_line(&line));
        let close = tokenizer.count_line(&self.close(visible, docstring.is_some()));
        (fixed.open + fixed.receiver) as usize + lines + hidden + close + docstring_tokens
    }

    /// Adds the text to `out`.
    pub(crate) fn write(&self, visible: &ParameterSet, docstring: Option<&Piece>, out: &mut String) {
        let slots = self.slots(visible);
        if let Some(line) = self.inline(visible, &slots, docstring.is_some()) {
            out.push_str(&line);
        } else {
            let margin = " ".repeat(self.indent + 4);
            out.push_str(&self.open());
            if let Some(receiver) = &self.receiver {
                out.extend([&margin, receiver.as_str(), ",\n"]);
            }
            for slot in slots {
                match slot {
                    Slot::Row(position) => out.push_str(&self.parameters[position].line.text),
                    Slot::Slash => out.extend([&margin, "/,\n"]),
                    Slot::Star => out.extend([&margin, "*,\n"]),
                }
            }
            out.push_str(&self.hidden_line(visible).unwrap_or_default());
            out.push_str(&self.close(visible, docstring.is_some()));
        }
        out.push_str(docstring.map_or("", |piece| &piece.text));
    }

    /// What stands between the brackets, in an order that makes a valid signature: positional parameters as
    /// declared up to the first hidden one, since later ones can only be given by keyword then.
    fn slots(&self, visible: &ParameterSet) -> Vec<Slot> {
        use ParameterKind::{KeywordOnly, PositionalOnly, Standard, VarKeyword, VarPositional};
        let mut slots = Vec::new();
        let mut by_keyword = ParameterSet::new();
        let (mut broken, mut optional) = (false, false);
        for (position, row) in self.parameters.iter().enumerate() {
            let is_visible = visible.contains(position) && row.showable;
            match row.kind {
                PositionalOnly if is_visible => slots.push(Slot::Row(position)),
                Standard if is_visible && !broken && !(optional && row.required) => {
                    slots.push(Slot::Row(position));
                }
                KeywordOnly if is_visible => by_keyword.insert(position),
                Standard if is_visible => {
                    broken = true;
                    by_keyword.insert(position);
                }
                PositionalOnly | Standard => broken = true,
                _ => {}
            }
            optional |= is_visible && !row.required && matches!(row.kind, PositionalOnly | Standard);
        }
        let positional_only = slots
            .iter()
            .take_while(|slot| matches!(slot, Slot::Row(i) if self.parameters[*i].kind == PositionalOnly))
            .count();
        if positional_only > 0 {
            slots.insert(positional_only, Slot::Slash);
        }
        let variadic = |kind| {
            (0..self.len()).find(|&i| self.parameters[i].kind == kind && visible.contains(i) && self.is_showable(i))
        };
        if let Some(args) = variadic(VarPositional) {
            slots.push(Slot::Row(args));
        } else if !by_keyword.is_empty() {
            slots.push(Slot::Star);
        }
        slots.extend(self.keyword_order.iter().filter(|&&i| by_keyword.contains(i)).map(|&i| Slot::Row(i)));
        slots.extend(variadic(VarKeyword).map(Slot::Row));
        slots
    }

    /// `    def run(self, message: str) -> Result: ...  # 12 calls`, where it is short enough.
    ///
    /// A constructor is written so only when nothing is hidden and everything required.
    fn inline(&self, visible: &ParameterSet, slots: &[Slot], has_docstring: bool) -> Option<String> {
        let shown = || {
            slots.iter().filter_map(|slot| match slot {
                Slot::Row(position) => Some(&self.parameters[*position]),
                _ => None,
            })
        };
        let count = shown().count();
        if count > INLINE_PARAMETERS || self.is_constructor && (count < self.len() || shown().any(|row| !row.required))
        {
            return None;
        }
        let margin = self.indent + 4;
        let mut items: Vec<&str> = self.receiver.as_deref().into_iter().collect();
        items.extend(slots.iter().map(|slot| match slot {
            Slot::Row(position) => self.parameters[*position].text(margin),
            Slot::Slash => "/",
            Slot::Star => "*",
        }));
        let body = if has_docstring { "" } else { " ..." };
        let mut line =
            format!("{}{}({}){}:{body}", " ".repeat(self.indent), self.opening, items.join(", "), self.returns);
        if count > 0 && line.chars().count() > INLINE_WIDTH {
            return None;
        }
        let mut notes = Vec::new();
        if self.calls > 0 {
            notes.push(counted(self.calls, "call"));
        }
        notes.extend(shown().filter_map(|row| row.share(margin)));
        notes.extend(self.hidden_note(visible));
        if !notes.is_empty() {
            line.push_str("  # ");
            line.push_str(&notes.join(", "));
        }
        line.push('\n');
        Some(line)
    }

    fn open(&self) -> String {
        format!("{}{}(\n", " ".repeat(self.indent), self.opening)
    }

    /// The last line names the calls where no parameter's comment does.
    fn close(&self, visible: &ParameterSet, has_docstring: bool) -> String {
        let body = if has_docstring { "" } else { " ..." };
        let named = visible.iter().any(|i| self.parameters.get(i).is_some_and(|row| row.names_calls));
        let note =
            if self.calls > 0 && !named { format!("  # {}", counted(self.calls, "call")) } else { String::new() };
        format!("{}){}:{body}{note}\n", " ".repeat(self.indent), self.returns)
    }

    fn hidden_line(&self, visible: &ParameterSet) -> Option<String> {
        self.hidden_note(visible).map(|note| format!("{}# {note}\n", " ".repeat(self.indent + 4)))
    }

    /// `... + 15 rare arguments hidden`; not called rare where one of them is not, or where it is not known.
    fn hidden_note(&self, visible: &ParameterSet) -> Option<String> {
        let hidden = || {
            let is_hidden = |(i, row): &(usize, &Row)| !(visible.contains(*i) && row.showable);
            self.parameters.iter().enumerate().filter(is_hidden).map(|(_, row)| row)
        };
        let count = hidden().count() as u32;
        let rare = if hidden().all(|row| row.is_rare) { "rare " } else { "" };
        (count > 0).then(|| format!("... + {} {rare}argument{} hidden", grouped(count), plural(count)))
    }
}

fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Row {
    fn new(parameter: &Parameter, position: usize, showable: bool, usage: &Usage, margin: &str) -> Self {
        let stars = match parameter.kind {
            ParameterKind::VarPositional => "*",
            ParameterKind::VarKeyword => "**",
            _ => "",
        };
        let mut line = [margin, stars, &parameter.name].concat();
        let name = line.len() - margin.len();
        let annotation = parameter.annotation.as_deref().and_then(plain);
        if let Some(annotation) = annotation {
            line.extend([": ", annotation]);
        }
        if !parameter.required && !parameter.is_variadic() {
            let sign = if annotation.is_some() { " = " } else { "=" };
            line.extend([sign, parameter.default.as_deref().and_then(plain).unwrap_or("...")]);
        }
        let text = line.len() - margin.len();
        let (count, unknown) = usage.parameters.get(position).map_or((0, usage.total_calls), |p| (p.count, p.unknown));
        let known = usage.total_calls.saturating_sub(unknown);
        let share = percent(count, known).filter(|_| count > 0);
        let (note, names_calls) = match share {
            _ if parameter.required => (Some("REQUIRED".to_owned()), false),
            Some(0) => (Some(format!("used in {} of {}", grouped(count), counted(known, "call"))), true),
            Some(share) => (Some(format!("used in {share}% of {}", counted(known, "call"))), true),
            None if known == 0 && usage.total_calls > 0 => {
                (Some(format!("{} through spreads", counted(usage.total_calls, "call"))), true)
            }
            None => (None, false),
        };
        line.push(',');
        if let Some(note) = note {
            line.extend(["  # ", &note]);
        }
        line.push('\n');
        Self {
            kind: parameter.kind,
            required: parameter.required,
            is_rare: known > 0 && !parameter.required && u64::from(count) * u64::from(RARE) < u64::from(known),
            showable,
            names_calls,
            share: share.filter(|_| !parameter.required),
            count,
            name: name as u32,
            text: text as u32,
            line: Piece::new(line),
        }
    }

    /// `name: Type = default`; its line begins with so many blanks.
    fn text(&self, margin: usize) -> &str {
        &self.line.text[margin..margin + self.text as usize]
    }

    /// `timeout in 25%`
    fn share(&self, margin: usize) -> Option<String> {
        let name = self.text(margin)[..self.name as usize].trim_start_matches('*');
        self.share.map(|share| match share {
            0 => format!("{name} in {}", counted(self.count, "call")),
            share => format!("{name} in {share}%"),
        })
    }
}

/// The parameters that can be written: their names are names and stand there once, and what is given by
/// position comes in an order that Python takes.
fn showable(parameters: &[Parameter], receiver: Option<&str>) -> ParameterSet {
    use ParameterKind::{PositionalOnly, Standard, VarKeyword, VarPositional};
    let mut set = ParameterSet::new();
    let mut names: Vec<&str> = receiver.into_iter().collect();
    let (mut positions_hold, mut optional, mut args, mut kwargs) = (true, false, false, false);
    for (position, parameter) in parameters.iter().enumerate() {
        let is_positional = matches!(parameter.kind, PositionalOnly | Standard);
        let is_writable = is_name(&parameter.name) && !names.contains(&parameter.name.as_str());
        let in_order = !(is_positional && optional && parameter.required);
        let fits = match parameter.kind {
            PositionalOnly => positions_hold && in_order,
            VarPositional => positions_hold && !std::mem::replace(&mut args, true),
            VarKeyword => !std::mem::replace(&mut kwargs, true),
            _ => true,
        };
        positions_hold &= !is_positional || is_writable && in_order;
        optional |= is_positional && !parameter.required;
        if is_writable && fits {
            names.push(&parameter.name);
            set.insert(position);
        }
    }
    set
}

/// Required ones first, then by descending frequency, ties by name.
fn keyword_order(parameters: &[Parameter], usage: &Usage) -> Vec<usize> {
    let share = |position: usize| {
        let row = usage.parameters.get(position);
        let (count, unknown) = row.map_or((0, 0), |row| (u64::from(row.count), row.unknown));
        (count, u64::from(usage.total_calls.saturating_sub(unknown)).max(1))
    };
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.sort_by(|&a, &b| {
        let ((count_a, known_a), (count_b, known_b)) = (share(a), share(b));
        let frequency = (count_b * known_a).cmp(&(count_a * known_b));
        let name = parameters[a].name.cmp(&parameters[b].name);
        parameters[b].required.cmp(&parameters[a].required).then(frequency).then(name)
    });
    order
}
