//! The part of a priced tree that a stub shows, with its price and its text.

mod declared_types;
mod layout;
mod referenced_types;
mod render;
mod written_nodes;

use std::{collections::BTreeMap, sync::OnceLock};

use super::{
    docs::ShownDocs,
    node_text::TypeReference,
    priced_tree::{PricedNode, PricedTree},
    wording::Detail,
};
use apidisc_facts::program::ParameterSet;
use apidisc_indexing::usage::Uses;
pub(crate) use declared_types::{DeclaredTypes, NewTypes};
pub(crate) use referenced_types::ReferencedTypes;
pub(crate) use render::{Legend, heading};
pub(crate) use written_nodes::WrittenNodes;

/// The nodes that are shown, each with its form. The storage is sparse, since most nodes of a large scope are not shown
/// and many selections are kept in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    forms: BTreeMap<usize, NodeForm>,
    /// The number of forms by detail.
    counts: [usize; Detail::ALL.len()],
}

/// The form of a shown node. The form of a class is the form of its constructor; the frame of a class is also written
/// if only its members are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeForm {
    pub(crate) parameters: ParameterSet,
    pub(crate) detail: Detail,
    /// The documentation that is written, of shown parameters only.
    pub(crate) docs: ShownDocs,
    /// True if the node is written as a name in the list of its holder's attributes.
    pub(crate) is_listed: bool,
    /// The types that the body names.
    pub(crate) references: Box<[TypeReference]>,
    tokens: OnceLock<u32>,
    /// See [`NodeForm::tokens_alone`].
    tokens_alone: OnceLock<Option<u32>>,
}

impl NodeForm {
    pub(crate) fn new(priced: &PricedNode<'_>, parameters: ParameterSet, detail: Detail, mut docs: ShownDocs) -> Self {
        let references = priced.body_references(&parameters, detail);
        let is_listed = priced.is_listed(detail);
        if is_listed {
            // A name in a list has no documentation.
            docs = ShownDocs::default();
        }
        docs.parameters = docs.parameters.iter().filter(|&position| parameters.contains(position)).collect();
        let is_of_result = |position: usize| position >= priced.parameter_count();
        let is_shown = |position: &usize| parameters.contains(*position) || is_of_result(*position);
        docs.values = docs.values.iter().filter(is_shown).collect();
        Self { parameters, detail, docs, is_listed, references, ..Self::default() }
    }

    /// A form without documentation, with a known price in tokens.
    pub(crate) fn with_price(
        parameters: ParameterSet,
        detail: Detail,
        is_listed: bool,
        tokens: usize,
        references: Box<[TypeReference]>,
    ) -> Self {
        Self { parameters, detail, is_listed, references, tokens: OnceLock::from(tokens as u32), ..Self::default() }
    }

    /// The form with only the required parameters.
    pub(crate) fn required(priced: &PricedNode<'_>, detail: Detail) -> Self {
        Self::new(priced, priced.complete(&ParameterSet::new()), detail, ShownDocs::default())
    }

    /// The form with every parameter in full, without documentation.
    pub(crate) fn full(priced: &PricedNode<'_>) -> Self {
        let parameters = priced.complete(&ParameterSet::full(priced.parameter_count()));
        Self::new(priced, parameters, Detail::Full, ShownDocs::default())
    }

    /// The price of `node` in this form: see [`PricedNode::price`].
    pub(crate) fn tokens(&self, tree: &PricedTree, node: usize) -> usize {
        *self.tokens.get_or_init(|| tree.priced(node).price(&self.parameters, self.detail, &self.docs) as u32) as usize
    }

    /// The price of a class in this form if nothing else of it is shown and one line stands for it: see
    /// [`Renderer::constructor_alone`](super::renderer::Renderer::constructor_alone).
    pub(crate) fn tokens_alone(&self, tree: &PricedTree, node: usize) -> Option<usize> {
        if self.detail != Detail::Calls || !tree.has_constructor(node) {
            return None;
        }
        let tokens = *self.tokens_alone.get_or_init(|| {
            let priced = tree.priced(node);
            let is_documented = priced.doc_lines(&self.docs).is_some();
            let alone = priced.constructor_alone().filter(|_| !is_documented)?;
            let line = alone.price(&self.parameters, Detail::Calls, None, &tree.tokenizer);
            Some((line + priced.call_tokens(&self.docs, None)) as u32)
        });
        tokens.map(|tokens| tokens as usize)
    }
}

impl Selection {
    /// The form of a node; `None` if it is not shown.
    pub(crate) fn get(&self, node: usize) -> Option<&NodeForm> {
        self.forms.get(&node)
    }

    /// Shows a node in a form. Returns its previous form.
    pub(crate) fn show(&mut self, node: usize, form: NodeForm) -> Option<NodeForm> {
        self.counts[form.detail as usize] += 1;
        let previous = self.forms.insert(node, form);
        if let Some(previous) = &previous {
            self.counts[previous.detail as usize] -= 1;
        }
        previous
    }

    pub(crate) fn hide(&mut self, node: usize) {
        self.forms.remove(&node).iter().for_each(|previous| self.counts[previous.detail as usize] -= 1);
    }

    /// The least detail of any form. It decides how hidden members are stated.
    pub(crate) fn detail(&self) -> Detail {
        let least = Detail::ALL.into_iter().find(|&detail| self.counts[detail as usize] > 0);
        least.unwrap_or_default()
    }

    /// The same selection for another tree of the same scope, in which texts have other prices.
    pub(crate) fn repriced(&self, tree: &PricedTree) -> Self {
        let mut repriced = Self::default();
        for (node, form) in self.iter() {
            let NodeForm { parameters, detail, docs, .. } = form.clone();
            repriced.show(node, NodeForm::new(&tree.priced(node), parameters, detail, docs));
        }
        repriced
    }

    /// The same nodes and parameters in full. `tree` is of [`Detail::Full`].
    pub(crate) fn in_full(&self, tree: &PricedTree) -> Self {
        let mut full = Self::default();
        for (node, form) in self.iter() {
            let NodeForm { parameters, docs, .. } = form.clone();
            full.show(node, NodeForm::new(&tree.priced(node), parameters, Detail::Full, docs));
        }
        full
    }

    /// True if nothing is shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The nodes that are shown, in the order of the text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &NodeForm)> {
        self.forms.iter().map(|(&node, form)| (node, form))
    }

    /// Shows a node and its descendants in full, unless they are already shown.
    pub(crate) fn show_subtree(&mut self, tree: &PricedTree, node: usize) {
        for descendant in node..tree.nodes[node].end {
            if self.get(descendant).is_none() {
                self.show(descendant, NodeForm::full(&tree.priced(descendant)));
            }
        }
    }

    /// True if the node or a descendant of it is shown.
    pub(crate) fn shows_within(&self, tree: &PricedTree, node: usize) -> bool {
        self.forms.range(node..tree.nodes[node].end).next().is_some()
    }

    /// The tokens of the one line that stands for a class of which only the constructor is shown.
    pub(crate) fn tokens_alone(&self, tree: &PricedTree, node: usize) -> Option<usize> {
        let has_members = self.forms.range(node + 1..tree.nodes[node].end).next().is_some();
        self.get(node).filter(|_| !has_members)?.tokens_alone(tree, node)
    }

    /// The listed members of each holder, in the order of the text.
    fn listed_members(&self, tree: &PricedTree) -> BTreeMap<usize, Vec<usize>> {
        let mut listed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (node, _) in self.iter().filter(|(_, form)| form.is_listed) {
            if let Some(holder) = tree.nodes[node].parent {
                listed.entry(holder).or_default().push(node);
            }
        }
        listed
    }

    /// The listed ones among the members of a node.
    fn listed_within<'a>(&'a self, tree: &'a PricedTree, node: usize) -> impl Iterator<Item = usize> + 'a {
        tree.children(Some(node)).filter(|&child| self.get(child).is_some_and(|form| form.is_listed))
    }

    /// The line that lists these members by name.
    fn list_of_names(tree: &PricedTree, members: &[usize]) -> String {
        let priced: Vec<PricedNode<'_>> = members.iter().map(|&member| tree.priced(member)).collect();
        let names: Vec<&str> = priced.iter().filter_map(|member| member.listed_name.as_deref()).collect();
        members.first().map_or_else(String::new, |&member| tree.list_names(&names, member))
    }

    /// The uses that can be written from the selection alone.
    pub(crate) fn covered(&self, tree: &PricedTree) -> Uses {
        self.iter().map(|(node, form)| tree.covered(node, &form.parameters)).sum()
    }

    /// The number of tokens of the text. It is exact if the counts of lines add up (see [`apidisc_tokens`]).
    pub(crate) fn price(&self, tree: &PricedTree) -> usize {
        let written = WrittenNodes::new(tree, self);
        let unlisted = self.iter().filter(|(_, form)| !form.is_listed);
        let mut tokens = unlisted.map(|(node, form)| form.tokens(tree, node)).sum::<usize>();
        for members in self.listed_members(tree).values() {
            tokens += tree.tokenizer.count_line(&Self::list_of_names(tree, members));
        }
        for (node, members) in written.iter().filter(|&(node, _)| tree.has_frame(node)) {
            if let Some(alone) = self.tokens_alone(tree, node) {
                let within_frame = self.get(node).map_or(0, |form| form.tokens(tree, node));
                tokens = tokens + alone - within_frame;
                continue;
            }
            let hidden = tree.hidden_price(node, members, self.get(node).is_some(), self.detail());
            tokens += tree.frame_price(node) + hidden;
        }
        let heading = heading(tree, written.symbol_count(tree), self.covered(tree), self.legend(tree, &written));
        let types = ReferencedTypes::of(tree, self, &written).lines(tree, &written);
        let blocks = layout::blocks(tree, self, &written, &types);
        let count = |line: &str| tree.tokenizer.count_line(line);
        let lines = types.imports.iter().chain(&types.declarations);
        tokens += lines.map(|line| count(line)).sum::<usize>() + count(&heading);
        tokens += if blocks.iter().any(layout::Block::is_types_heading) { count(&tree.types_heading()) } else { 0 };
        tokens.saturating_add_signed(self.seam_tokens(tree, &heading, &types, &blocks))
    }
}
