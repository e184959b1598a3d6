//! The phase of the fill that writes shown definitions in more detail and quotes their documentation. The steps with
//! the greatest worth per token come first.

use super::{
    documentation::{DocAddition, DocPart},
    fill::GreedyFill,
    gain::Objective,
};
use crate::stub::{Detail, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;
use apidisc_indexing::usage::ArgumentSet;

/// A step of a node to the next detail, or to more documentation.
struct EnrichingStep {
    node: usize,
    kind: StepKind,
    /// The worth of the node's calls per token of the step.
    density: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StepKind {
    Detail(Detail),
    Documentation(DocPart),
}

/// The worth of the step from the lean form of a definition to the full form, relative to the step from a call shape to
/// the lean form.
const WORTH_OF_FULL: f64 = 0.5;
/// The relative worth of the step from the lean form of a property to the full form. The lean form of a property states
/// its type already, so the full form adds little.
const WORTH_OF_FULL_READABLE: f64 = 0.05;
/// The worth of documentation that concerns every call of a definition, relative to that of the type of one parameter.
const WORTH_OF_DOCUMENTATION: f64 = 2.0;

impl GreedyFill<'_> {
    /// Writes shown definitions lean or in full, and documented, the greatest worth per token first. `describes_shapes`
    /// says whether call shapes are documented.
    pub(super) fn enrich(&mut self, describes_shapes: bool) {
        self.start_phase();
        let mut steps: Vec<EnrichingStep> =
            self.shown_nodes().into_iter().flat_map(|node| self.enriching_steps(node)).collect();
        steps.shared_sort_by(|a, b| b.density.total_cmp(&a.density).then((a.node, a.kind).cmp(&(b.node, b.kind))));
        for EnrichingStep { node, kind, .. } in steps {
            if self.is_full() {
                return;
            }
            let Some(form) = self.selection.get(node) else { continue };
            match kind {
                StepKind::Detail(detail) => {
                    let richer = self.with_detail(node, form, detail);
                    let before = self.tokens_of(node, form);
                    let after = richer.tokens(self.tree, node) + self.tokens_of_frame(node);
                    if self.reserve_tokens(before, after, &richer.references) {
                        self.show(vec![(node, richer)]);
                    }
                }
                // A described call shape would be worth less than a lean form without documentation.
                StepKind::Documentation(part)
                    if form.detail == Detail::Calls && part != DocPart::Call && !describes_shapes => {}
                StepKind::Documentation(part) => self.add_docs(node, part),
            }
        }
    }

    /// The steps of a node to more detail and to more documentation. No step has a greater worth per token than the
    /// first step, so that detail precedes documentation; a typical call is exempt, because it is useful without
    /// detail.
    fn enriching_steps(&self, node: usize) -> Vec<EnrichingStep> {
        let Some(form) = self.selection.get(node) else { return Vec::new() };
        let worth = self.worth(node);
        let is_readable = self.tree.definition(node).is_some_and(|(_, definition)| definition.kind.is_readable());
        let mut steps: Vec<EnrichingStep> = Vec::new();
        if form.is_listed && !self.says_more_than_its_name(node) {
            return steps;
        }
        let (mut before, frame) = (self.tokens_of(node, form), self.tokens_of_frame(node));
        for detail in Detail::ALL.into_iter().filter(|&detail| detail > form.detail) {
            let richer = self.with_detail(node, form, detail);
            let tokens = richer.tokens(self.tree, node) + frame;
            let worth = worth
                * self.types_of(node, form)
                * match detail {
                    Detail::Full if is_readable => WORTH_OF_FULL_READABLE,
                    Detail::Full => WORTH_OF_FULL,
                    Detail::Lean | Detail::Calls => 1.0,
                };
            let density =
                worth / (tokens.saturating_sub(before) + self.new_types(&richer.references).tokens).max(1) as f64;
            let most = steps.last().map_or(f64::INFINITY, |step| step.density);
            steps.push(EnrichingStep { node, kind: StepKind::Detail(detail), density: density.min(most) });
            before = tokens;
        }
        let most = steps.first().map_or(f64::INFINITY, |step| step.density);
        let uses = f64::from(self.uses(node).max(1));
        for DocAddition { part, tokens, calls } in self.doc_additions(node) {
            let worth = worth * WORTH_OF_DOCUMENTATION * f64::from(calls) / uses;
            let density = worth / tokens.max(1) as f64;
            let density = if part == DocPart::Call { density } else { density.min(most) };
            steps.push(EnrichingStep { node, kind: StepKind::Documentation(part), density });
        }
        steps
    }

    /// True for an attribute whose longer forms state more than its name: a type, a return type or a summary.
    fn says_more_than_its_name(&self, node: usize) -> bool {
        let (Some((_, definition)), priced) = (self.tree.definition(node), self.tree.priced(node)) else {
            return false;
        };
        let has_result = definition.signature.as_ref().is_some_and(|signature| signature.returns.is_some());
        let head = priced.head.text.trim_end();
        let is_name =
            priced.listed_name.as_deref().is_some_and(|name| head == self.tree.list_names(&[name], node).trim_end());
        let has_type = !head.is_empty() && !is_name && !head.ends_with(": any;");
        has_result || has_type || definition.summary.is_some()
    }

    /// The number of types that the lean form of a node adds to its call shape: the types of the parameters and of the
    /// result.
    fn types_of(&self, node: usize, form: &NodeForm) -> f64 {
        let Some((_, definition)) = self.tree.definition(node) else { return 0.0 };
        if definition.kind.is_readable() {
            return 1.0;
        }
        let has_result = definition.signature.as_ref().is_some_and(|signature| signature.returns.is_some());
        form.parameters.len() as f64 + f64::from(u8::from(has_result))
    }

    /// The tokens of a shown node, without its frame.
    fn tokens_of(&self, node: usize, form: &NodeForm) -> usize {
        self.selection.tokens_alone(self.tree, node).unwrap_or_else(|| form.tokens(self.tree, node))
    }

    /// The tokens of the frame that a class on one line needs for more detail; 0 for any other node.
    pub(super) fn tokens_of_frame(&self, node: usize) -> usize {
        let is_alone = self.selection.tokens_alone(self.tree, node).is_some();
        // A blank line at the left margin takes at most one token.
        if is_alone { self.tree.frame_price(node) + 1 } else { 0 }
    }

    /// The worth of a node's uses, in calls; the number of uses if the worth is 0, because no argument sets are known.
    fn worth(&self, node: usize) -> f64 {
        let worth = self.tree.definition(node).map_or(0.0, |(_, definition)| {
            let usage = &definition.usage;
            usage.worth() as f64 + Objective::Worth.gain_of_reads(usage).value()
        });
        let worth = worth / f64::from(ArgumentSet::WORTH_OF_A_CALL);
        if worth > 0.0 { worth } else { f64::from(self.uses(node)) }
    }

    fn with_detail(&self, node: usize, form: &NodeForm, detail: Detail) -> NodeForm {
        NodeForm::new(&self.tree.priced(node), form.parameters.clone(), detail, form.docs.clone())
    }
}
