//! What of a tree is shown, and the text that it makes.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{
    DeliveredSymbol,
    needs::{Need, Needed},
    part::{Kept, Part},
    pieces::Body,
    priced_tree::{NodeKind, PricedTree},
    reached::Reached,
    text::{counted, grouped},
};
use crate::{language::Language, program::ParameterSet, usage::percent};

/// The part of a tree that stays: a row a node that is shown. Most of a large scope is not, and many selections of it
/// are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    rows: BTreeMap<usize, Shown>,
}

/// How a node is shown. A class is where its constructor is; its first line also stands above its members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) parameters: ParameterSet,
    pub(crate) summary: bool,
    /// The types that it names.
    pub(crate) needs: Box<[Need]>,
    tokens: OnceLock<u32>,
}

impl Shown {
    pub(crate) fn new(part: &Part<'_>, parameters: ParameterSet, summary: bool) -> Self {
        Self { needs: part.needs(&parameters), parameters, summary, tokens: OnceLock::new() }
    }

    /// Without its summary, where the price is known.
    pub(crate) fn priced(parameters: ParameterSet, tokens: usize, needs: Box<[Need]>) -> Self {
        Self { parameters, summary: false, needs, tokens: OnceLock::from(tokens as u32) }
    }

    /// In its required form.
    pub(crate) fn required(part: &Part<'_>) -> Self {
        Self::new(part, part.complete(&ParameterSet::new()), false)
    }

    /// With everything that can be shown, save the summary.
    pub(crate) fn whole(part: &Part<'_>) -> Self {
        Self::new(part, part.complete(&ParameterSet::full(part.parameters())), false)
    }

    /// Its price, as [`Part::price`] gives it; `node` is that which is shown so.
    pub(crate) fn tokens(&self, tree: &PricedTree, node: usize) -> usize {
        *self.tokens.get_or_init(|| tree.part(node).price(&self.parameters, self.summary) as u32) as usize
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
    /// How a node is shown; `None` where it is not.
    pub(crate) fn get(&self, node: usize) -> Option<&Shown> {
        self.rows.get(&node)
    }

    /// Shows a node so. Returns how it was shown.
    pub(crate) fn show(&mut self, node: usize, shown: Shown) -> Option<Shown> {
        self.rows.insert(node, shown)
    }

    /// No longer shows a node.
    pub(crate) fn hide(&mut self, node: usize) {
        self.rows.remove(&node);
    }

    /// True where nothing is shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What is shown, in the order of the text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Shown)> {
        self.rows.iter().map(|(&node, row)| (node, row))
    }

    /// Shows what is not shown of a node and of what stands in it.
    pub(crate) fn write_out(&mut self, tree: &PricedTree, node: usize) {
        for inner in node..tree.nodes[node].end {
            self.rows.entry(inner).or_insert_with(|| Shown::whole(&tree.part(inner)));
        }
    }

    /// True where the node or something below it is shown.
    pub(crate) fn reaches(&self, tree: &PricedTree, node: usize) -> bool {
        self.rows.range(node..tree.nodes[node].end).next().is_some()
    }

    /// Calls that can be written from it.
    pub(crate) fn covered(&self, tree: &PricedTree) -> u32 {
        self.iter().map(|(node, row)| tree.covered(node, &row.parameters)).sum()
    }

    /// Tokens of its text where lines add up; see [`crate::tokens`].
    pub(crate) fn price(&self, tree: &PricedTree) -> usize {
        let reached = Reached::new(tree, self);
        let mut tokens = self.iter().map(|(node, row)| row.tokens(tree, node)).sum::<usize>();
        for (node, members) in reached.iter().filter(|&(node, _)| tree.has_body(node)) {
            tokens += tree.frame_price(node) + tree.hidden_price(node, members, self.get(node).is_some());
        }
        let title = title(tree, reached.symbols(tree), self.covered(tree));
        let types = Needed::of(tree, self, &reached).lines(tree, &reached);
        let units = Self::units(tree, &reached, !types.is_empty());
        let count = |line: &str| tree.tokenizer.count_line(line);
        tokens += types.iter().map(|line| count(line)).sum::<usize>() + count(&title);
        tokens += if units.contains(&(Unit::Types, None)) { count(&tree.types_line()) } else { 0 };
        tokens.saturating_add_signed(self.seams(tree, &title, &units))
    }

    /// What stands at the left margin, in order.
    fn units(tree: &PricedTree, reached: &Reached, names_types: bool) -> Vec<(Unit, Option<usize>)> {
        let mut units = vec![(Unit::Title, None)];
        let mut has_types = false;
        for (node, _) in reached.iter().filter(|&(node, _)| tree.is_top(node)) {
            if tree.nodes[node].is_named_type && !std::mem::replace(&mut has_types, true) {
                units.push((Unit::Types, None));
            }
            units.push((Unit::of(tree, node), Some(node)));
        }
        if names_types && !has_types {
            units.push((Unit::Types, None));
        }
        units
    }

    /// What blank lines add to the lines that they follow, and what is saved or lost where the tokenizer takes the
    /// end of a line together with a `/` at the beginning of the next.
    fn seams(&self, tree: &PricedTree, title: &str, units: &[(Unit, Option<usize>)]) -> isize {
        let count = |text: &str| tree.tokenizer.count_line(text).cast_signed();
        let seam = |pair: &[(Unit, Option<usize>)]| {
            let [above, next] = [pair[0], pair[1]];
            let blank = if above.0.needs_blank_before(next.0) { "\n" } else { "" };
            let slashed = self.slashed(tree, next);
            if blank.is_empty() && slashed.is_empty() {
                return 0;
            }
            let last = match above {
                (_, Some(node)) => self.last_line(tree, node),
                (Unit::Types, None) => tree.types_line(),
                _ => title.to_owned(),
            };
            count(&format!("{last}{blank}{slashed}"))
                - count(&last)
                - if slashed.is_empty() { 0 } else { count(&slashed) }
        };
        units.windows(2).map(seam).sum()
    }

    /// The first line of a unit where that begins with `/`.
    fn slashed(&self, tree: &PricedTree, (unit, node): (Unit, Option<usize>)) -> String {
        let line = match node {
            None if unit == Unit::Types => tree.types_line(),
            None => String::new(),
            Some(node) => {
                let part = tree.part(node);
                let has_summary = self.get(node).is_some_and(|row| row.summary) && !tree.is_in_body(node);
                let docstring = part.docstring.as_ref();
                let first = docstring.filter(|_| has_summary && tree.language == Language::TypeScript);
                first.unwrap_or(&part.head).text.to_string()
            }
        };
        if line.starts_with('/') { line } else { String::new() }
    }

    /// The line that the text of a node ends with.
    fn last_line(&self, tree: &PricedTree, node: usize) -> String {
        let part = tree.part(node);
        if !part.foot.text.is_empty() {
            return part.foot.text.to_string();
        }
        let members = || tree.children(Some(node)).filter(|&child| self.reaches(tree, child));
        if let Some(line) = tree.hidden_line(node, members().count(), self.get(node).is_some()) {
            return line;
        }
        if let Some(last) = members().last() {
            return self.last_line(tree, last);
        }
        let mut text = String::new();
        self.write_own(tree, node, &part, &mut text);
        let start = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        text.split_off(start)
    }

    /// The text.
    pub(crate) fn stub(&self, tree: &PricedTree) -> Stub {
        let covered_calls = self.covered(tree);
        let reached = Reached::new(tree, self);
        let symbols = reached.symbols(tree);
        let title = title(tree, symbols, covered_calls);
        let types = Needed::of(tree, self, &reached).lines(tree, &reached);
        let mut stub = Stub { covered_calls, hidden_members: tree.symbols.saturating_sub(symbols), ..Stub::default() };
        let mut above = Unit::Title;
        for (unit, node) in Self::units(tree, &reached, !types.is_empty()) {
            if above.needs_blank_before(unit) {
                stub.text.push('\n');
            }
            above = unit;
            match node {
                Some(node) => self.write(tree, node, &mut stub),
                None if unit == Unit::Types => stub.text.push_str(&tree.types_line()),
                None => stub.text.push_str(&title),
            }
        }
        stub.text.extend(types);
        stub
    }

    fn write(&self, tree: &PricedTree, node: usize, stub: &mut Stub) {
        let start = stub.text.len();
        let row = self.get(node);
        let part = if self.rows.len() > Kept::MOST { tree.part_once(node) } else { tree.part(node) };
        self.write_own(tree, node, &part, &mut stub.text);
        let symbol = tree.definition(node).map(|(id, _)| {
            stub.symbols.push(DeliveredSymbol { id, visible: row.map(|row| row.parameters.clone()), range: 0..0 });
            stub.symbols.len() - 1
        });
        let mut members = 0;
        // What a group holds stands at the left margin, too.
        let inner = tree.children(Some(node)).filter(|&child| !tree.is_top(child));
        for child in inner.filter(|&child| self.reaches(tree, child)) {
            members += 1;
            self.write(tree, child, stub);
        }
        stub.text.push_str(&tree.hidden_line(node, members, row.is_some()).unwrap_or_default());
        if tree.has_body(node) {
            stub.text.push_str(&part.foot.text);
        }
        if let Some(symbol) = symbol {
            stub.symbols[symbol].range = start..stub.text.len();
        }
    }

    /// The text of a node without what stands below it and after that.
    fn write_own(&self, tree: &PricedTree, node: usize, part: &Part<'_>, out: &mut String) {
        let row = self.get(node);
        let docstring = part.docstring.as_ref().filter(|_| row.is_some_and(|row| row.summary));
        let in_body = docstring.filter(|_| tree.is_in_body(node));
        let beside = docstring.filter(|_| in_body.is_none()).map_or("", |piece| &piece.text);
        let head = &part.head.text;
        out.extend(if tree.renderer.summary_stands_before() { [beside, head] } else { [head, beside] });
        match (row, row.map(|_| part.body())) {
            (Some(row), Some(Body::Callable(callable))) => callable.write(&row.parameters, in_body, out),
            (_, Some(Body::Opaque(line))) => out.push_str(&line.text),
            _ => {}
        }
        if !tree.has_body(node) {
            out.push_str(&part.foot.text);
        }
    }
}

/// What a top-level place holds: blank lines set classes and groups apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Title,
    Group,
    Class,
    Line,
    /// The line above the types that are no part of the scope.
    Types,
    /// One of these.
    Type,
}

impl Unit {
    fn of(tree: &PricedTree, node: usize) -> Self {
        match &tree.nodes[node].kind {
            _ if tree.nodes[node].is_named_type => Self::Type,
            NodeKind::Group(_) => Self::Group,
            NodeKind::Container(_) => Self::Class,
            NodeKind::Definition(_) if tree.is_class(node) => Self::Class,
            NodeKind::Definition(_) => Self::Line,
        }
    }

    fn needs_blank_before(self, next: Self) -> bool {
        match self {
            Self::Title | Self::Group | Self::Types | Self::Type => false,
            Self::Class => true,
            Self::Line => next != Self::Line,
        }
    }
}

/// `# google.adk.agents: 4 of 31 symbols, 92% of 1,204 calls`
pub(crate) fn title(tree: &PricedTree, shown: usize, covered: u32) -> String {
    let coverage = match percent(covered, tree.known_calls) {
        // Neither none nor all where it is only nearly so.
        Some(0) if covered > 0 => format!("{} of {}", grouped(covered), counted(tree.known_calls, "call")),
        Some(100) if covered < tree.known_calls => {
            format!("{} of {}", grouped(covered), counted(tree.known_calls, "call"))
        }
        Some(share) => format!("{share}% of {}", counted(tree.known_calls, "call")),
        None if tree.total_calls > 0 => "coverage not known".to_owned(),
        None => "no calls".to_owned(),
    };
    let note = tree.index.weights.note();
    let coverage = if note.is_empty() { coverage } else { format!("{coverage} ({note})") };
    let separator = if tree.subject.contains(':') { "," } else { ":" };
    let symbols = if tree.symbols == 0 {
        String::new()
    } else {
        format!("{} of {}, ", grouped(shown as u32), counted(tree.symbols as u32, "symbol"))
    };
    let others = tree.left_out.map_or_else(String::new, |(language, symbols)| {
        format!(", {} of {} in stubs of their own", counted(symbols as u32, "symbol"), language.name())
    });
    let comment = tree.renderer.comment();
    format!("{comment} {}{separator} {symbols}{coverage}{others}\n", tree.subject)
}
