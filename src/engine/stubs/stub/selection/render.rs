//! The text of a selection.

use super::{NodeForm, ReferencedTypes, Selection, WrittenNodes, layout, layout::Block};
use crate::stub::{
    DeliveredSymbol,
    node_text::NodeBody,
    priced_tree::{NodeTextCache, PricedNode, PricedTree},
    text::{group_digits, pluralized, uses_in_words},
    wording::{Detail, HIDDEN_SIGN},
};
use apidisc_facts::program::UseKind;
use apidisc_indexing::{
    index::{UseCounts, use_counts_in_words},
    usage::{Uses, WrittenShare},
};

/// The text of a stub and its counts.
#[derive(Debug, Default)]
pub(crate) struct RenderedStub {
    pub(crate) text: String,
    pub(crate) symbols: Vec<DeliveredSymbol>,
    pub(crate) covered: Uses,
    pub(crate) hidden_members: usize,
}

impl Selection {
    /// Renders the stub.
    pub(crate) fn render(&self, tree: &PricedTree) -> RenderedStub {
        let covered = self.covered(tree);
        let written = WrittenNodes::new(tree, self);
        let symbols = written.symbol_count(tree);
        let heading = heading(tree, symbols, covered, self.legend(tree, &written));
        let types = ReferencedTypes::of(tree, self, &written).lines(tree, &written);
        let hidden_members = tree.symbols.saturating_sub(symbols);
        let mut stub = RenderedStub { covered, hidden_members, ..RenderedStub::default() };
        let mut above = Block::Heading;
        for block in layout::blocks(tree, self, &written, &types) {
            if above.needs_blank_before(block) {
                stub.text.push('\n');
            }
            above = block;
            match block {
                Block::Heading => stub.text.push_str(&heading),
                Block::Imports => stub.text.extend(types.imports.iter().map(String::as_str)),
                Block::TypesHeading => stub.text.push_str(&tree.types_heading()),
                Block::Node { node, .. } => self.write_node(tree, node, &mut stub),
            }
        }
        stub.text.extend(types.declarations);
        stub
    }

    fn write_node(&self, tree: &PricedTree, node: usize, stub: &mut RenderedStub) {
        let start = stub.text.len();
        let form = self.get(node);
        let is_large = self.forms.len() > NodeTextCache::CAPACITY;
        let priced = if is_large { tree.priced_uncached(node) } else { tree.priced(node) };
        self.write_before_members(tree, node, &priced, &mut stub.text);
        let symbol = tree.definition(node).map(|(id, _)| {
            let visible = form.map(|form| form.parameters.clone());
            let (holder, detail) = (tree.holder(node), form.map_or_else(Detail::default, |form| form.detail));
            let on_class = tree.usage_on_class(node);
            stub.symbols.push(DeliveredSymbol { id, holder, on_class, visible, detail, range: 0..0 });
            stub.symbols.len() - 1
        });
        let mut members = 0;
        // The definitions of an import group are written at the left margin, as separate blocks.
        let inner = tree.children(Some(node)).filter(|&child| !tree.is_top_level(child));
        for child in inner.filter(|&child| self.shows_within(tree, child)) {
            members += 1;
            if !self.get(child).is_some_and(|form| form.is_listed) {
                self.write_node(tree, child, stub);
            }
        }
        self.write_listed(tree, node, stub);
        if self.tokens_alone(tree, node).is_none() {
            let hidden = tree.hidden_line(node, members, form.is_some(), self.detail());
            stub.text.push_str(&hidden.unwrap_or_default());
            if tree.has_frame(node) {
                stub.text.push_str(&priced.foot.text);
            }
        }
        if let Some(symbol) = symbol {
            stub.symbols[symbol].range = start..stub.text.len();
        }
    }

    /// Writes the line that lists members of a node by name. Each of these members has the whole line as its part of
    /// the stub.
    fn write_listed(&self, tree: &PricedTree, node: usize, stub: &mut RenderedStub) {
        let listed: Vec<usize> = self.listed_within(tree, node).collect();
        let start = stub.text.len();
        stub.text.push_str(&Self::list_of_names(tree, &listed));
        let range = start..stub.text.len();
        let symbol = |member: usize| {
            let (id, _) = tree.definition(member)?;
            let visible = self.get(member).map(|form| form.parameters.clone());
            let (holder, range) = (tree.holder(member), range.clone());
            let on_class = tree.usage_on_class(member);
            Some(DeliveredSymbol { id, holder, on_class, visible, detail: Detail::Calls, range })
        };
        stub.symbols.extend(listed.into_iter().filter_map(symbol));
    }

    /// Writes the text of a node up to its members; for a node without members, all of it.
    pub(super) fn write_before_members(
        &self,
        tree: &PricedTree,
        node: usize,
        priced: &PricedNode<'_>,
        out: &mut String,
    ) {
        let form = self.get(node);
        if self.tokens_alone(tree, node).is_some() {
            if let (Some(form), Some(constructor)) = (form, priced.constructor_alone()) {
                out.push_str(&priced.shown_call(&form.docs));
                constructor.write(&form.parameters, form.detail, None, out);
            }
            return;
        }
        let docs = form.and_then(|form: &NodeForm| priced.doc_lines(&form.docs));
        let in_body = docs.filter(|_| tree.has_docs_in_body(node));
        let outside = docs.filter(|_| in_body.is_none());
        if let Some(form) = form {
            out.push_str(&priced.shown_call(&form.docs));
        }
        let (before, after) = if tree.docs_precede_definition() { (outside, None) } else { (None, outside) };
        if let Some(lines) = before {
            lines.write(out);
        }
        out.push_str(&priced.head.text);
        if let Some(lines) = after {
            lines.write(out);
        }
        match (form, form.map(|_| priced.body())) {
            (Some(form), Some(NodeBody::Callable(callable))) => {
                callable.write(&form.parameters, form.detail, in_body, out);
            }
            (_, Some(NodeBody::UnknownConstructor(line))) => out.push_str(&line.text),
            _ => {}
        }
        if !tree.has_frame(node) {
            out.push_str(&priced.foot.text);
        }
    }
}

/// The properties of a stub that its legend explains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legend {
    /// The least detail of any member.
    pub(crate) detail: Detail,
    /// True if one line stands for a class.
    pub(crate) has_classes_alone: bool,
    /// True if the stub leaves out a parameter, an overload, a constructor or a member of a definition that it shows.
    pub(crate) hides_parts: bool,
}

impl Selection {
    /// The legend of the stub. `written` are the nodes that it writes.
    pub(crate) fn legend(&self, tree: &PricedTree, written: &WrittenNodes) -> Legend {
        let detail = self.detail();
        let is_alone = |(node, _)| self.tokens_alone(tree, node).is_some();
        let has_classes_alone = detail == Detail::Calls && written.iter().any(is_alone);
        let hides_parts = detail != Detail::Full && self.hides_parts(tree, written);
        Legend { detail, has_classes_alone, hides_parts }
    }

    /// True if the selection leaves out a part of a definition that it shows. `written` are the nodes that it writes.
    fn hides_parts(&self, tree: &PricedTree, written: &WrittenNodes) -> bool {
        let hides_members = |(node, members)| tree.hidden_members(node, members, self.get(node).is_some()).is_some();
        let hides_parameters =
            |(node, form): (usize, &NodeForm)| tree.priced_uncached(node).hides_parameters(&form.parameters);
        written.iter().any(hides_members) || self.iter().any(hides_parameters)
    }
}

impl Legend {
    /// The line of the legend; `None` if the stub has nothing to explain.
    fn line(self, tree: &PricedTree) -> Option<String> {
        let prefix = tree.comment_prefix();
        match self.detail {
            Detail::Calls => {
                let legend = tree.shape_legend(self.has_classes_alone);
                let rest = if self.hides_parts { "; more hidden" } else { "" };
                Some(format!("{prefix} {legend}{rest}\n"))
            }
            Detail::Lean if self.hides_parts => Some(format!("{prefix} \"{prefix} {HIDDEN_SIGN}\": more hidden\n")),
            Detail::Lean | Detail::Full => None,
        }
    }
}

/// The title line of a stub, and the legend if the stub needs one.
pub(crate) fn heading(tree: &PricedTree, shown_symbols: usize, covered: Uses, legend: Legend) -> String {
    title(tree, shown_symbols, covered) + &legend.line(tree).unwrap_or_default()
}

/// The known uses of the scope in words: `204 calls`, `204 known calls` if there are more, and
/// `204 known calls of 1,204` if the known ones are few.
fn known_in_words(tree: &PricedTree) -> String {
    let Uses { calls, reads } = tree.known;
    if calls >= tree.total_calls {
        return uses_in_words(tree.known);
    }
    let known = pluralized(calls, "known call");
    let are_few = u64::from(calls) * 10 < u64::from(tree.total_calls) * 9;
    let read = pluralized(reads, "read");
    match (are_few, reads) {
        (true, 0) => format!("{known} of {}", group_digits(tree.total_calls)),
        // The reads come first, since `of 226 and 3 reads` would be read as one number of uses.
        (true, _) => format!("{read} and {known} of {}", group_digits(tree.total_calls)),
        (false, 0) => known,
        (false, _) => format!("{known} and {read}"),
    }
}

/// The title line of a stub, such as `# google.adk.agents: 4 of 31 symbols, 92% of 1,204 calls and 310 reads`. The
/// title of a class says whether the numbers include uses of inherited members, because any other scope counts these
/// uses for the base.
///
/// Coverage is a share of the uses that are known in full: see [`known_in_words`]. A title says that there are no calls
/// only if no call was found that may be one.
fn title(tree: &PricedTree, shown_symbols: usize, covered: Uses) -> String {
    let (known, all) = (known_in_words(tree), tree.known.total());
    let coverage = match WrittenShare::new(covered.total(), all) {
        Some(WrittenShare::Percent(share)) => format!("{share}% of {known}"),
        Some(WrittenShare::NearlyNone) => format!("only {} of {known}", group_digits(covered.total())),
        Some(WrittenShare::NearlyAll) => format!("all but {} of {known}", group_digits(all - covered.total())),
        None if tree.total_calls > 0 => "coverage not known".to_owned(),
        None if tree.uses_through > 0 => format!("{} through constants", pluralized(tree.uses_through, "use")),
        None if tree.has_uncertain_calls => "no known calls".to_owned(),
        None if !tree.has_counted_definitions => "uses not counted".to_owned(),
        None => "no calls".to_owned(),
    };
    let coverage = match tree.calls_of_subclasses {
        0 => coverage,
        1 => format!("{coverage}, 1 call makes a subclass"),
        calls => format!("{coverage}, {} make subclasses", pluralized(calls, "call")),
    };
    let weights = tree.index.weights.note();
    let coverage = if weights.is_empty() { coverage } else { format!("{coverage} ({weights})") };
    let others: UseCounts = UseKind::ALL.into_iter().zip(tree.other_uses).filter(|(_, count)| *count > 0).collect();
    let coverage = match others.iter().map(|(_, count)| *count).sum() {
        0 => coverage,
        all => format!("{coverage}, {}: {}", pluralized(all, "use"), use_counts_in_words(&others)),
    };
    let separator = if tree.subject.contains(':') { "," } else { ":" };
    let symbols = if tree.symbols == 0 {
        String::new()
    } else {
        format!("{} of {}, ", group_digits(shown_symbols as u32), pluralized(tree.symbols as u32, "symbol"))
    };
    let others = tree.other_language.map_or_else(String::new, |(language, symbols)| {
        format!(", {} of {} in stubs of their own", pluralized(symbols as u32, "symbol"), language.name())
    });
    let inherited = if tree.inherited.total() > 0 { " with inherited members" } else { "" };
    format!("{} {}{inherited}{separator} {symbols}{coverage}{others}\n", tree.comment_prefix(), tree.subject)
}
