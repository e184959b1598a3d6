//! The phases of the fill that write the documentation of shown definitions.

use super::fill::{FillKind, GreedyFill};
use crate::stub::{Detail, Docs, ShownDocs, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;

/// A part of the documentation of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DocPart {
    Summary,
    /// The paragraphs after the first one.
    Details,
    /// The description of the parameter at this position.
    Parameter(usize),
    /// The documentation of results and errors.
    Results,
    /// A typical call.
    Call,
}

/// A part with its tokens, and the number of calls that it concerns.
#[derive(Clone, Copy, Debug)]
pub(super) struct DocAddition {
    pub(super) part: DocPart,
    pub(super) tokens: usize,
    pub(super) calls: u32,
}

/// A parameter that an intent names counts as if this many times as many calls passed it, so that its documentation
/// comes before that of other parameters.
const CALLS_FOR_ASKED: u32 = 1_000;

impl GreedyFill<'_> {
    /// Adds the first sentences about shown definitions, the most used ones first.
    pub(super) fn add_summaries(&mut self) {
        self.add_summaries_of(self.shown_nodes());
    }

    /// Adds the first sentences about the types that are written out because the scope names them, in the order of the
    /// stub.
    pub(super) fn add_summaries_of_types(&mut self) {
        let shown = self.selection.iter().map(|(node, _)| node);
        let types = shown.filter(|&node| self.tree.nodes[node].is_named_type).collect();
        self.add_summaries_of(types);
    }

    fn add_summaries_of(&mut self, nodes: Vec<usize>) {
        self.start_phase();
        for node in nodes {
            if self.is_done() {
                return;
            }
            if self.doc_additions(node).iter().any(|addition| addition.part == DocPart::Summary) {
                self.add_docs(node, DocPart::Summary);
            }
        }
    }

    /// Adds the documentation of shown parameters and of results, and typical calls. The parts that concern the most
    /// calls per token are first.
    pub(super) fn add_descriptions(&mut self) {
        self.start_phase();
        let mut additions: Vec<(f64, usize, DocPart)> = Vec::new();
        for node in self.shown_nodes() {
            for DocAddition { part, tokens, calls } in self.doc_additions(node) {
                additions.push((f64::from(calls) / tokens.max(1) as f64, node, part));
            }
        }
        additions.shared_sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, node, part) in additions {
            if self.is_done() {
                return;
            }
            self.add_docs(node, part);
        }
    }

    /// The parts of a node's documentation that its present form does not write yet.
    pub(super) fn doc_additions(&self, node: usize) -> Vec<DocAddition> {
        let mut additions = Vec::new();
        let form = self.selection.get(node).filter(|form| self.options.docs != Docs::None && !form.is_listed);
        let (Some(form), Some((_, definition))) = (form, self.tree.definition(node)) else { return additions };
        let (priced, tokenizer) = (self.tree.priced(node), &self.tree.tokenizer);
        let is_whole = self.options.docs == Docs::Full;
        let docs = priced.docs(is_whole);
        let calls = self.uses(node);
        if docs.has_summary() && !form.docs.summary {
            additions.push(DocAddition { part: DocPart::Summary, tokens: docs.summary_tokens(tokenizer), calls });
        }
        let asked = self.tree.asked(node);
        let is_open = |position| form.parameters.contains(position) && !form.docs.parameters.contains(position);
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        for (position, tokens) in docs.parameters(tokenizer).filter(|&(position, _)| is_open(position)) {
            let passing = definition.usage.parameters.get(position).map_or(0, |parameter| parameter.count);
            let is_required = parameters.get(position).is_some_and(|parameter| parameter.required);
            let calls = if is_required { calls } else { passing };
            let is_asked = asked.is_some_and(|overrides| overrides.asked.contains(position));
            let calls = if is_asked { calls.max(1).saturating_mul(CALLS_FOR_ASKED) } else { calls };
            additions.push(DocAddition { part: DocPart::Parameter(position), tokens, calls });
        }
        let details = docs.detail_tokens(tokenizer);
        if is_whole && details > 0 && !form.docs.details {
            additions.push(DocAddition { part: DocPart::Details, tokens: details, calls });
        }
        let results = docs.result_tokens(tokenizer);
        if is_whole && results > 0 && !form.docs.results {
            additions.push(DocAddition { part: DocPart::Results, tokens: results, calls });
        }
        let call = priced.typical_call().tokens(tokenizer);
        // An enriched call shape has more detail before it has documentation.
        let has_room = form.detail != Detail::Calls || self.options.kind == FillKind::MoreDetail;
        if call > 0 && !form.docs.call && has_room {
            additions.push(DocAddition { part: DocPart::Call, tokens: call, calls: definition.usage.total_calls });
        }
        additions
    }

    /// Adds a part of a shown node's documentation, if it fits.
    pub(super) fn add_docs(&mut self, node: usize, part: DocPart) {
        let Some(form) = self.selection.get(node) else { return };
        let mut docs = ShownDocs { is_whole: self.options.docs == Docs::Full, ..form.docs.clone() };
        match part {
            DocPart::Summary => docs.summary = true,
            DocPart::Details => docs.details = true,
            DocPart::Parameter(position) => docs.parameters.insert(position),
            DocPart::Results => docs.results = true,
            DocPart::Call => docs.call = true,
        }
        let priced = self.tree.priced(node);
        let larger = NodeForm::new(&priced, form.parameters.clone(), form.detail, docs);
        if self.reserve_tokens(form.tokens(self.tree, node), larger.tokens(self.tree, node), []) {
            self.show(vec![(node, larger)]);
        }
    }
}
