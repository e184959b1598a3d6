//! The phase of the fill that writes definitions in more detail: the worth per token decides which come first.

use super::fill::GreedyFill;
use crate::{
    stub::{Detail, selection::NodeForm},
    usage::ArgumentSet,
};

/// A step from one detail of a node to the next.
struct EnrichingStep {
    node: usize,
    detail: Detail,
    /// The worth of the node's calls per token of the step.
    density: f64,
}

/// The worth of writing a lean definition in full, compared with writing a call shape lean.
const WORTH_OF_FULL: f64 = 0.5;

impl GreedyFill<'_> {
    /// Writes shown definitions lean or in full, the greatest worth per token first.
    pub(super) fn enrich(&mut self) {
        self.start_phase();
        let mut steps: Vec<EnrichingStep> =
            self.shown_nodes().into_iter().flat_map(|node| self.enriching_steps(node)).collect();
        steps.sort_by(|a, b| b.density.total_cmp(&a.density).then((a.node, a.detail).cmp(&(b.node, b.detail))));
        for step in steps {
            if self.is_full() {
                return;
            }
            let Some(form) = self.selection.get(step.node) else { continue };
            let richer = self.with_detail(step.node, form, step.detail);
            let (before, after) = (form.tokens(self.tree, step.node), richer.tokens(self.tree, step.node));
            if self.reserve_tokens(before, after, &richer.references) {
                self.show(vec![(step.node, richer)]);
            }
        }
    }

    /// The steps of a node to more detail. The second one is never denser than the first.
    fn enriching_steps(&self, node: usize) -> Vec<EnrichingStep> {
        let Some(form) = self.selection.get(node) else { return Vec::new() };
        let mut steps: Vec<EnrichingStep> = Vec::new();
        let mut before = form.tokens(self.tree, node);
        for detail in Detail::ALL.into_iter().filter(|&detail| detail > form.detail) {
            let richer = self.with_detail(node, form, detail);
            let tokens = richer.tokens(self.tree, node);
            let worth = self.worth(node) * if detail == Detail::Full { WORTH_OF_FULL } else { 1.0 };
            let density =
                worth / (tokens.saturating_sub(before) + self.new_types(&richer.references).tokens).max(1) as f64;
            let most = steps.last().map_or(f64::INFINITY, |step| step.density);
            steps.push(EnrichingStep { node, detail, density: density.min(most) });
            before = tokens;
        }
        steps
    }

    /// The worth of a node's calls; the number of its uses if no argument sets are known.
    fn worth(&self, node: usize) -> f64 {
        let usage = self.tree.definition(node).map(|(_, definition)| &definition.usage);
        let worth = usage.map_or(0, |usage| usage.worth()) as f64 / f64::from(ArgumentSet::WORTH_OF_A_CALL);
        if worth > 0.0 { worth } else { f64::from(self.uses(node)) }
    }

    fn with_detail(&self, node: usize, form: &NodeForm, detail: Detail) -> NodeForm {
        NodeForm::new(&self.tree.priced(node), form.parameters.clone(), detail, form.has_summary)
    }
}
