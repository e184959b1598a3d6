//! What of a sheet is shown, and the text that it makes.

use super::{
    DeliveredSymbol,
    python::{counted, grouped},
    sheet::{Body, NodeKind, Pieces, Sheet},
};
use crate::engine::{
    index::{Definition, DefinitionId},
    usage::{ParameterSet, percent},
};

/// The part of a sheet that stays: a row a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) rows: Vec<Option<Shown>>,
}

/// How a node is shown. A class is where its constructor is; its first line also stands above its members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) parameters: ParameterSet,
    pub(crate) summary: bool,
    /// Its price, as [`Sheet::price`] gives it.
    pub(crate) tokens: usize,
}

impl Shown {
    pub(crate) fn new(sheet: &Sheet, node: usize, parameters: ParameterSet, summary: bool) -> Self {
        Self { tokens: sheet.price(node, &parameters, summary), parameters, summary }
    }
}

/// A stub and what is said about it.
#[derive(Debug, Default)]
pub(crate) struct Stub {
    pub(crate) text: String,
    pub(crate) symbols: Vec<DeliveredSymbol>,
    pub(crate) covered_calls: u32,
    pub(crate) hidden_members: usize,
}

impl Selection {
    pub(crate) fn empty(sheet: &Sheet) -> Self {
        Self { rows: vec![None; sheet.nodes.len()] }
    }

    /// True where the node or something below it is shown.
    pub(crate) fn reaches(&self, sheet: &Sheet, node: usize) -> bool {
        self.rows[node..sheet.nodes[node].end].iter().any(Option::is_some)
    }

    /// Calls that can be written from it.
    pub(crate) fn covered(&self, sheet: &Sheet) -> u32 {
        let shown = self.rows.iter().enumerate().filter_map(|(node, row)| Some((node, row.as_ref()?)));
        shown.map(|(node, row)| sheet.covered(node, &row.parameters)).sum()
    }

    /// Tokens of its text where lines add up; see [`crate::engine::tokens`].
    pub(crate) fn price(&self, sheet: &Sheet) -> usize {
        let mut reached: Vec<bool> = self.rows.iter().map(Option::is_some).collect();
        let mut members = vec![0; reached.len()];
        for node in (0..reached.len()).rev() {
            if let Some(parent) = sheet.nodes[node].parent.filter(|_| reached[node]) {
                reached[parent] = true;
                members[parent] += 1;
            }
        }
        let mut tokens = self.rows.iter().flatten().map(|row| row.tokens).sum::<usize>();
        for node in (0..reached.len()).filter(|&node| reached[node] && sheet.has_body(node)) {
            tokens +=
                sheet.pieces(node).head.tokens + sheet.hidden_price(node, members[node], self.rows[node].is_some());
        }
        tokens += self.blank_lines(sheet, &reached);
        let symbols = sheet.symbol_nodes().filter(|&node| reached[node]).count();
        tokens + sheet.tokenizer.count_line(&title(sheet, symbols, self.covered(sheet)))
    }

    /// What blank lines add to the lines that they follow: a token or none.
    fn blank_lines(&self, sheet: &Sheet, reached: &[bool]) -> usize {
        let mut tokens = 0;
        let mut previous = (Unit::Title, 0);
        for node in (0..reached.len()).filter(|&node| reached[node] && sheet.is_top(node)) {
            let unit = Unit::of(sheet, node);
            if previous.0.needs_blank_before(unit) {
                let line = self.last_line(sheet, previous.1);
                let count = |text: &str| sheet.tokenizer.count_line(text);
                tokens += count(&format!("{line}\n")).saturating_sub(count(&line));
            }
            previous = (unit, node);
        }
        tokens
    }

    /// The line that the text of a node ends with.
    fn last_line(&self, sheet: &Sheet, node: usize) -> String {
        let members = || sheet.children(Some(node)).filter(|&child| self.reaches(sheet, child));
        if let Some(line) = sheet.hidden_line(node, members().count(), self.rows[node].is_some()) {
            return line;
        }
        if let Some(last) = members().last() {
            return self.last_line(sheet, last);
        }
        let mut text = String::new();
        self.write_own(sheet, node, &mut text);
        let start = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        text.split_off(start)
    }

    /// Its first line.
    pub(crate) fn title(&self, sheet: &Sheet, covered: u32) -> String {
        title(sheet, self.shown_symbols(sheet), covered)
    }

    /// Definitions at the top that are shown, in part or whole.
    fn shown_symbols(&self, sheet: &Sheet) -> usize {
        sheet.symbol_nodes().filter(|&node| self.reaches(sheet, node)).count()
    }

    /// The text.
    pub(crate) fn stub(&self, sheet: &Sheet) -> Stub {
        let covered_calls = self.covered(sheet);
        let mut stub = Stub {
            text: self.title(sheet, covered_calls),
            covered_calls,
            hidden_members: sheet.symbols.saturating_sub(self.shown_symbols(sheet)),
            symbols: Vec::new(),
        };
        let mut previous = Unit::Title;
        for node in sheet.children(None) {
            self.write(sheet, node, &mut previous, &mut stub);
        }
        stub
    }

    fn write(&self, sheet: &Sheet, node: usize, previous: &mut Unit, stub: &mut Stub) {
        if !self.reaches(sheet, node) {
            return;
        }
        if sheet.is_top(node) {
            let unit = Unit::of(sheet, node);
            if previous.needs_blank_before(unit) {
                stub.text.push('\n');
            }
            *previous = unit;
        }
        let start = stub.text.len();
        let row = self.rows[node].as_ref();
        self.write_own(sheet, node, &mut stub.text);
        let symbol = sheet.definition(node).map(|(id, definition)| {
            stub.symbols.push(symbol(id, definition, row.map(|row| &row.parameters)));
            stub.symbols.len() - 1
        });
        let mut members = 0;
        for child in sheet.children(Some(node)) {
            if self.reaches(sheet, child) {
                members += 1;
                self.write(sheet, child, previous, stub);
            }
        }
        stub.text.push_str(&sheet.hidden_line(node, members, row.is_some()).unwrap_or_default());
        if let Some(symbol) = symbol {
            let text = stub.text[start..].to_owned();
            stub.symbols[symbol].text = text;
        }
    }

    /// The text of a node without what stands below it.
    fn write_own(&self, sheet: &Sheet, node: usize, out: &mut String) {
        let Pieces { head, docstring, body } = sheet.pieces(node);
        let row = self.rows[node].as_ref();
        out.push_str(&head.text);
        let docstring = docstring.as_ref().filter(|_| row.is_some_and(|row| row.summary));
        let in_body = docstring.filter(|_| !sheet.is_class(node));
        if let Some(docstring) = docstring.filter(|_| in_body.is_none()) {
            out.push_str(&docstring.text);
        }
        match (body, row) {
            (Body::Callable(callable), Some(row)) => callable.write(&row.parameters, in_body, out),
            (Body::Opaque(line), Some(_)) => out.push_str(&line.text),
            _ => {}
        }
    }
}

fn symbol(id: DefinitionId, definition: &Definition, visible: Option<&ParameterSet>) -> DeliveredSymbol {
    let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
    let names = |shown: bool| {
        let is_visible = |i: usize| visible.is_some_and(|set| set.contains(i));
        parameters.iter().enumerate().filter(|(i, _)| is_visible(*i) == shown).map(|(_, p)| p.label()).collect()
    };
    DeliveredSymbol {
        id,
        fqn: definition.fqn.clone(),
        alias: definition.alias.clone(),
        kind: definition.kind,
        total_calls: definition.usage.total_calls,
        shown: names(true),
        hidden: names(false),
        text: String::new(),
    }
}

/// What a top-level place holds: blank lines set classes and groups apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Title,
    Group,
    Class,
    Line,
}

impl Unit {
    fn of(sheet: &Sheet, node: usize) -> Self {
        match &sheet.nodes[node].kind {
            NodeKind::Group(_) => Self::Group,
            NodeKind::Container(_) => Self::Class,
            NodeKind::Definition(_) if sheet.is_class(node) => Self::Class,
            NodeKind::Definition(_) => Self::Line,
        }
    }

    fn needs_blank_before(self, next: Self) -> bool {
        match self {
            Self::Title | Self::Group => false,
            Self::Class => true,
            Self::Line => next != Self::Line,
        }
    }
}

/// `# google.adk.agents: 4 of 31 symbols, 92% of 1,204 calls`
pub(crate) fn title(sheet: &Sheet, shown: usize, covered: u32) -> String {
    let coverage = match percent(covered, sheet.known_calls) {
        // Neither none nor all where it is only nearly so.
        Some(0) if covered > 0 => format!("{} of {}", grouped(covered), counted(sheet.known_calls, "call")),
        Some(100) if covered < sheet.known_calls => {
            format!("{} of {}", grouped(covered), counted(sheet.known_calls, "call"))
        }
        Some(share) => format!("{share}% of {}", counted(sheet.known_calls, "call")),
        None if sheet.total_calls > 0 => "coverage not known".to_owned(),
        None => "no calls".to_owned(),
    };
    let separator = if sheet.subject.contains(':') { "," } else { ":" };
    if sheet.symbols == 0 {
        format!("# {}{separator} {coverage}\n", sheet.subject)
    } else {
        let symbols = counted(sheet.symbols as u32, "symbol");
        format!("# {}{separator} {} of {symbols}, {coverage}\n", sheet.subject, grouped(shown as u32))
    }
}
