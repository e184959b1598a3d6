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

    /// Tokens of its text. At most what counting the text gives where lines add up; blank lines are taken for
    /// one token each.
    pub(crate) fn price(&self, sheet: &Sheet) -> usize {
        let mut tokens = 0;
        for node in 0..sheet.nodes.len() {
            if let Some(row) = &self.rows[node] {
                tokens += sheet.price(node, &row.parameters, row.summary);
            }
            if sheet.has_body(node) && self.reaches(sheet, node) {
                let members = sheet.children(Some(node)).filter(|&child| self.reaches(sheet, child)).count();
                tokens += sheet.head_price(node) + sheet.hidden_price(node, members, self.rows[node].is_some());
            }
        }
        tokens + sheet.tokenizer.count_line(&self.title(sheet, self.covered(sheet)))
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
        let is_top = sheet.is_top(node);
        let unit = match &sheet.nodes[node].kind {
            NodeKind::Group(_) => Unit::Group,
            NodeKind::Container(_) => Unit::Class,
            NodeKind::Definition(_) if sheet.is_class(node) => Unit::Class,
            NodeKind::Definition(_) => Unit::Line,
        };
        if is_top && previous.needs_blank_before(unit) {
            stub.text.push('\n');
        }
        if is_top {
            *previous = unit;
        }
        let start = stub.text.len();
        let Pieces { head, docstring, body } = sheet.pieces(node);
        let row = self.rows[node].as_ref();
        stub.text.push_str(&head.text);
        let docstring = docstring.as_ref().filter(|_| row.is_some_and(|row| row.summary));
        let in_body = docstring.filter(|_| !sheet.is_class(node));
        if let Some(docstring) = docstring.filter(|_| in_body.is_none()) {
            stub.text.push_str(&docstring.text);
        }
        match (body, row) {
            (Body::Callable(callable), Some(row)) => callable.write(&row.parameters, in_body, &mut stub.text),
            (Body::Opaque(line), Some(_)) => stub.text.push_str(&line.text),
            _ => {}
        }
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
        None => "no calls known".to_owned(),
    };
    let separator = if sheet.subject.contains(':') { "," } else { ":" };
    if sheet.symbols == 0 {
        format!("# {}{separator} {coverage}\n", sheet.subject)
    } else {
        let symbols = counted(sheet.symbols as u32, "symbol");
        format!("# {}{separator} {} of {symbols}, {coverage}\n", sheet.subject, grouped(shown as u32))
    }
}
