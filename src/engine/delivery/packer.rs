//! Deliveries of one scope, again and again.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{Delivery, DeliveryError, Format, envelope};
use crate::stub::{
    display,
    priced_tree::PricedTree,
    selection::{Selection, Shown},
};
use crate::{
    index::{Index, Scope},
    overrides::{Overrides, ResolvedOverrides},
    program::DefinitionId,
    strategy::{Candidates, FilteringStrategy, Strategy, plan::Planner},
    tokens::Tokenizer,
};

/// A delivery that is over its budget, since lines did not add up or blank lines cost less than was taken for
/// them, is planned anew that many times.
const ATTEMPTS: usize = 6;

/// Everything that is needed to cut stubs of one scope again and again: a face holds one while a person
/// changes strategy and budget. Making it counts tokens and may take a tenth of a second on a large scope: do
/// it off the drawing thread. A delivery then takes a few milliseconds.
#[derive(Debug)]
pub struct Packer {
    name: String,
    tree: PricedTree,
    planner: Planner,
    nodes: FxHashMap<DefinitionId, usize>,
    exhaustive: OnceLock<usize>,
}

impl Packer {
    /// Prepares the stubs of `scope`.
    ///
    /// # Errors
    /// [`DeliveryError::Empty`] where there is nothing to show.
    pub fn new(index: &Arc<Index>, scope: Scope, tokenizer: &Arc<Tokenizer>) -> Result<Self, DeliveryError> {
        Self::tuned(index, scope, &Overrides::default(), tokenizer)
    }

    /// Prepares the stubs of `scope` in which what is pinned is always shown and what is banned never.
    ///
    /// # Errors
    /// [`DeliveryError::Empty`] and [`DeliveryError::Banned`] where there is nothing to show,
    /// [`DeliveryError::Override`] where a pin or a ban cannot be kept.
    pub fn tuned(
        index: &Arc<Index>,
        scope: Scope,
        overrides: &Overrides,
        tokenizer: &Arc<Tokenizer>,
    ) -> Result<Self, DeliveryError> {
        let name = display::scope_name(index, scope);
        let rules = overrides.resolve(index)?;
        if let Scope::Definition(id) = scope
            && let Some(banned) = rules.ban_over(index, id)
        {
            let banned = index.definition(banned).alias.to_string();
            return Err(DeliveryError::Banned { name, banned });
        }
        let tree = PricedTree::new(index, scope, rules, tokenizer);
        let nodes: FxHashMap<DefinitionId, usize> =
            (0..tree.nodes.len()).filter_map(|node| Some((tree.definition(node)?.0, node))).collect();
        tree.check(overrides, scope, &nodes)?;
        if nodes.is_empty() {
            return Err(DeliveryError::Empty { name });
        }
        let planner = Planner::new(&tree);
        Ok(Self { name, tree, planner, nodes, exhaustive: OnceLock::new() })
    }

    /// The stub as `strategy` cuts it.
    ///
    /// # Errors
    /// [`DeliveryError::BudgetTooSmall`] with the smallest budget that works.
    pub fn deliver(&self, strategy: &dyn FilteringStrategy, format: Format) -> Result<Delivery, DeliveryError> {
        let delivery = self.cut(strategy, format);
        self.tree.kept.trim();
        delivery
    }

    fn cut(&self, strategy: &dyn FilteringStrategy, format: Format) -> Result<Delivery, DeliveryError> {
        let max_tokens = strategy.max_tokens();
        let envelope = self.envelope_tokens(format).cast_signed();
        let mut overhead = envelope;
        let mut best: Option<Delivery> = None;
        for _ in 0..ATTEMPTS {
            let candidates = Candidates::new(&self.tree, &self.planner, overhead);
            let selection = self.select(strategy, &candidates);
            let delivery = self.present(&selection, strategy, format);
            let Some(max_tokens) = max_tokens else { return Ok(delivery) };
            let excess = delivery.tokens.cast_signed() - max_tokens.cast_signed();
            if excess > 0 {
                overhead += excess;
                continue;
            }
            // What was planned for and not needed may hold something more.
            let planned = selection.price(&self.tree).cast_signed() + envelope;
            let spare = planned - delivery.tokens.cast_signed();
            let is_used_enough = delivery.tokens * 100 >= max_tokens * 97;
            if best
                .as_ref()
                .is_none_or(|best| delivery.tokens > best.tokens && delivery.covered_calls >= best.covered_calls)
            {
                best = Some(delivery);
            }
            if is_used_enough || spare <= 0 || overhead < envelope {
                break;
            }
            overhead = envelope - spare;
        }
        best.map_or_else(|| self.smallest_within(strategy, format), Ok)
    }

    /// Tokens of the exhaustive stub: what a reduction is measured against.
    pub fn exhaustive_tokens(&self) -> usize {
        *self
            .exhaustive
            .get_or_init(|| self.deliver(&Strategy::Exhaustive, Format::Stub).map_or(0, |delivery| delivery.tokens))
    }

    /// Definitions that may be shown: what it takes to keep this grows with them.
    pub fn definitions(&self) -> usize {
        self.nodes.len()
    }

    /// Calls of the scope whose arguments are all known: what coverage is a share of.
    pub fn known_calls(&self) -> u32 {
        self.tree.known_calls
    }

    /// The smallest budget that works.
    pub fn smallest_budget(&self, format: Format) -> usize {
        self.present(self.planner.smallest(&self.tree), &Strategy::default(), format).tokens
    }

    fn smallest_within(&self, strategy: &dyn FilteringStrategy, format: Format) -> Result<Delivery, DeliveryError> {
        let delivery = self.present(self.planner.smallest(&self.tree), strategy, format);
        match strategy.max_tokens() {
            Some(max_tokens) if delivery.tokens > max_tokens => {
                let has_pins = self.tree.rules.pinned().any(|id| self.nodes.contains_key(&id));
                let name = if has_pins { format!("{} with what is pinned", self.name) } else { self.name.clone() };
                Err(DeliveryError::BudgetTooSmall { name, smallest: delivery.tokens, max_tokens })
            }
            _ => Ok(delivery),
        }
    }

    /// What the strategy says, with what stays in any case.
    fn select(&self, strategy: &dyn FilteringStrategy, candidates: &Candidates<'_>) -> Selection {
        let mut selection = Selection::default();
        let kept = strategy.filter_members(candidates);
        let kept = kept.iter().filter_map(|id| self.nodes.get(id).copied());
        let mut types = Vec::new();
        let is_priced = strategy.max_tokens().is_some();
        for node in kept.chain(self.tree.forced.iter().copied()) {
            let Some(member) = candidates.member(node) else { continue };
            if self.tree.nodes[node].is_named_type {
                selection.show(node, Shown::whole(&self.tree.part(node)));
                continue;
            }
            let part = if is_priced { self.tree.part(node) } else { self.tree.part_once(node) };
            let parameters = part.complete(&strategy.filter_arguments(candidates, &member));
            let summary = strategy.shows_summary(candidates, &member);
            let shown = Shown::new(&part, parameters, summary);
            if self.tree.declares_types() && strategy.shows_types(candidates, &member) {
                types.extend(shown.needs.iter().chain(&part.needs).map(|need| need.ty));
            }
            selection.show(node, shown);
        }
        for node in types.into_iter().filter_map(|ty| self.tree.type_to_write(ty)) {
            selection.write_out(&self.tree, node);
        }
        selection
    }

    fn present(&self, selection: &Selection, strategy: &dyn FilteringStrategy, format: Format) -> Delivery {
        let stub = selection.stub(&self.tree);
        let tokenizer = &self.tree.tokenizer;
        let mut delivery = Delivery {
            text: stub.text,
            enclosed: None,
            tokens: 0,
            max_tokens: strategy.max_tokens(),
            language: self.tree.language,
            strategy: strategy.label(),
            encoding: tokenizer.encoding,
            covered_calls: stub.covered_calls,
            known_calls: self.tree.known_calls,
            symbols: stub.symbols,
            hidden_members: stub.hidden_members,
        };
        if format != Format::Markdown {
            delivery.tokens = tokenizer.count(&delivery.text);
        }
        if let Some(text) = envelope::wrap(&delivery, &self.tree.index, &self.name, format) {
            delivery.enclosed = Some(std::mem::replace(&mut delivery.text, text));
        }
        if format == Format::Markdown {
            delivery.tokens = tokenizer.count(&delivery.text);
        }
        delivery
    }

    fn envelope_tokens(&self, format: Format) -> usize {
        match format {
            Format::Markdown => self.tree.tokenizer.count_line(&envelope::markdown("", &self.name, self.tree.language)),
            Format::Stub | Format::Json | Format::Yaml => 0,
        }
    }
}

/// What coverage of `scope` is a share of: its definitions, and their calls whose arguments are all known.
pub(crate) fn survey(index: &Arc<Index>, scope: Scope, tokenizer: &Arc<Tokenizer>) -> (Vec<DefinitionId>, u32) {
    let tree = PricedTree::new(index, scope, ResolvedOverrides::default(), tokenizer);
    let ids = (0..tree.nodes.len()).filter_map(|node| Some(tree.definition(node)?.0)).collect();
    (ids, tree.known_calls)
}

/// The stub of `scope` as `strategy` and what is pinned and banned cut it.
///
/// # Errors
/// [`DeliveryError`] where the budget is too small, there is nothing to show, or a pin or ban cannot be kept.
pub fn deliver(
    index: &Arc<Index>,
    scope: Scope,
    strategy: &dyn FilteringStrategy,
    overrides: &Overrides,
    tokenizer: &Arc<Tokenizer>,
    format: Format,
) -> Result<Delivery, DeliveryError> {
    Packer::tuned(index, scope, overrides, tokenizer)?.deliver(strategy, format)
}
