//! Repeated deliveries of one scope.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{Delivery, DeliveryError, Format, envelope};
use crate::{
    intent::Asked,
    overrides::Overrides,
    strategy::{Candidates, FilteringStrategy, LARGEST_BUDGET, Strategy, plan::Planners},
    stub::{
        Detail, ShownDocs, Style, Wording, display,
        priced_tree::PricedTrees,
        selection::{NodeForm, Selection},
    },
};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::{
    index::{Index, Scope},
    usage::Uses,
};
use apidisc_tokens::Tokenizer;

/// The largest number of plans for one delivery. A plan is repeated if its delivery exceeds the budget, or if the exact
/// tokens are fewer than the estimate, so that more may fit.
const MAX_ATTEMPTS: usize = 6;

/// The prepared stubs of one scope: an explorer holds a packer while a user changes strategy and budget. Making a
/// packer counts tokens and may take a tenth of a second on a large scope, so it should not run on the drawing thread.
/// A delivery then takes a few milliseconds.
#[derive(Debug)]
pub struct Packer {
    /// The name of the scope in messages.
    name: String,
    trees: PricedTrees,
    planners: Planners,
    /// The nodes of the definitions that may be shown.
    nodes: FxHashMap<DefinitionId, usize>,
    exhaustive_tokens: OnceLock<usize>,
}

impl Packer {
    /// Prepares the stubs of `scope`.
    ///
    /// # Errors
    /// [`DeliveryError::Empty`] if there is nothing to show.
    pub fn new(index: &Arc<Index>, scope: Scope, tokenizer: &Arc<Tokenizer>) -> Result<Self, DeliveryError> {
        Self::with_overrides(index, scope, &Overrides::default(), tokenizer)
    }

    /// Prepares the stubs of `scope` with pins and bans.
    ///
    /// # Errors
    /// [`DeliveryError::Empty`] and [`DeliveryError::Banned`] if there is nothing to show,
    /// [`DeliveryError::Override`] if a pin or a ban cannot be kept.
    pub fn with_overrides(
        index: &Arc<Index>,
        scope: Scope,
        overrides: &Overrides,
        tokenizer: &Arc<Tokenizer>,
    ) -> Result<Self, DeliveryError> {
        Self::for_intent(index, scope, overrides, &Asked::default(), tokenizer)
    }

    /// Prepares the stubs of `scope` with pins and bans, and with the members and parameters that an intent names.
    ///
    /// # Errors
    /// As for [`Self::with_overrides`].
    pub fn for_intent(
        index: &Arc<Index>,
        scope: Scope,
        overrides: &Overrides,
        asked: &Asked,
        tokenizer: &Arc<Tokenizer>,
    ) -> Result<Self, DeliveryError> {
        let name = display::scope_name(index, scope);
        let resolved = overrides.resolve(index, asked)?;
        if let Scope::Definition(id) = scope
            && let Some(banned) = resolved.banned_ancestor(index, id)
        {
            let banned = index.definition(banned).alias.to_string();
            return Err(DeliveryError::Banned { name, banned });
        }
        let trees = PricedTrees::new(index, scope, resolved, tokenizer);
        // A member that the requested class inherits may also be a member of a type that the stub declares. The nodes
        // of these types come last, so the first node of a member is that of the class.
        let mut nodes: FxHashMap<DefinitionId, usize> = FxHashMap::default();
        for (id, node) in trees.definitions() {
            nodes.entry(id).or_insert(node);
        }
        trees.check_overrides(overrides, scope, &nodes)?;
        if nodes.is_empty() {
            return Err(DeliveryError::Empty { name });
        }
        Ok(Self { name, trees, planners: Planners::default(), nodes, exhaustive_tokens: OnceLock::new() })
    }

    /// Delivers the stub of a strategy in the default style.
    ///
    /// # Errors
    /// [`DeliveryError::BudgetTooSmall`] with the smallest budget for which there is a stub.
    pub fn deliver(&self, strategy: &dyn FilteringStrategy, format: Format) -> Result<Delivery, DeliveryError> {
        self.deliver_in(Style::default(), strategy, format)
    }

    /// Delivers the stub of a strategy in a style.
    ///
    /// # Errors
    /// As for [`Self::deliver`].
    pub fn deliver_in(
        &self,
        style: impl Into<Style>,
        strategy: &dyn FilteringStrategy,
        format: Format,
    ) -> Result<Delivery, DeliveryError> {
        let delivery = self.plan_and_render(style.into(), strategy, format);
        self.trees.trim_caches();
        delivery.map(|(delivery, _)| delivery)
    }

    /// Delivers the stub of a strategy, and beside it a form for people to read: the same members and parameters in
    /// full, of any size.
    ///
    /// # Errors
    /// As for [`Self::deliver`].
    pub fn deliver_readable(
        &self,
        style: impl Into<Style>,
        strategy: &dyn FilteringStrategy,
    ) -> Result<(Delivery, Delivery), DeliveryError> {
        let style = style.into();
        let delivered = self.plan_and_render(style, strategy, Format::Stub);
        let both = delivered.map(|(delivery, selection)| {
            let full = selection.in_full(self.trees.of(Detail::Full));
            (delivery, self.render(&full, style, strategy, Format::Stub))
        });
        self.trees.trim_caches();
        both
    }

    /// Plans and renders until the delivery fits the budget and uses nearly all of it, at most `MAX_ATTEMPTS` times. If
    /// no delivery fits, the result is the smallest stub.
    fn plan_and_render(
        &self,
        style: Style,
        strategy: &dyn FilteringStrategy,
        format: Format,
    ) -> Result<(Delivery, Selection), DeliveryError> {
        let max_tokens = strategy.max_tokens().map(|max_tokens| max_tokens.min(LARGEST_BUDGET));
        let envelope = self.envelope_tokens(format).cast_signed();
        let mut overhead = envelope;
        let mut best: Option<(Delivery, Selection)> = None;
        for _ in 0..MAX_ATTEMPTS {
            let candidates = Candidates::new(&self.trees, &self.planners, style, overhead);
            let selection = self.select(style, strategy, &candidates);
            let delivery = self.render(&selection, style, strategy, format);
            let Some(max_tokens) = max_tokens else { return Ok((delivery, selection)) };
            let excess = delivery.tokens.cast_signed() - max_tokens.cast_signed();
            if excess > 0 {
                overhead += excess;
                continue;
            }
            // If the exact tokens are fewer than the estimate, the spare tokens may be enough for a further addition.
            let estimate = selection.price(self.trees.of(selection.detail())).cast_signed() + envelope;
            let spare = estimate - delivery.tokens.cast_signed();
            let is_used_enough = delivery.tokens * 100 >= max_tokens * 97;
            if best.as_ref().is_none_or(|(best, _)| {
                delivery.tokens > best.tokens && delivery.covered().total() >= best.covered().total()
            }) {
                best = Some((delivery, selection));
            }
            if is_used_enough || spare <= 0 || overhead < envelope {
                break;
            }
            overhead = envelope - spare;
        }
        best.map_or_else(|| self.smallest_within(style, strategy, format), Ok)
    }

    /// Tokens of the exhaustive stub in full. The reduction of another stub is stated relative to them.
    pub fn exhaustive_tokens(&self) -> usize {
        *self
            .exhaustive_tokens
            .get_or_init(|| self.deliver(&Strategy::Exhaustive, Format::Stub).map_or(0, |delivery| delivery.tokens))
    }

    /// The number of definitions that may be shown. The memory of a packer grows with it.
    pub fn definitions(&self) -> usize {
        self.nodes.len()
    }

    /// The calls of the scope whose arguments are all known, and its reads. Coverage is a share of them.
    pub fn known(&self) -> Uses {
        self.trees.known
    }

    /// The smallest budget for which there is a stub in the default style.
    pub fn smallest_budget(&self, format: Format) -> usize {
        self.smallest_budget_in(Style::default(), format)
    }

    /// The smallest budget for which there is a stub in a style.
    pub fn smallest_budget_in(&self, style: impl Into<Style>, format: Format) -> usize {
        let style = style.into();
        self.render(self.planners.smallest(&self.trees, style.wording), style, &Strategy::default(), format).tokens
    }

    /// The smallest stub.
    ///
    /// # Errors
    /// [`DeliveryError::BudgetTooSmall`] if it exceeds the budget.
    fn smallest_within(
        &self,
        style: Style,
        strategy: &dyn FilteringStrategy,
        format: Format,
    ) -> Result<(Delivery, Selection), DeliveryError> {
        let smallest = self.planners.smallest(&self.trees, style.wording);
        let delivery = self.render(smallest, style, strategy, format);
        match strategy.max_tokens() {
            Some(max_tokens) if delivery.tokens > max_tokens => {
                let has_pins = self.trees.overrides.pinned().any(|id| self.nodes.contains_key(&id));
                let name = if has_pins { format!("{} with what is pinned", self.name) } else { self.name.clone() };
                Err(DeliveryError::BudgetTooSmall { name, smallest: delivery.tokens, max_tokens })
            }
            _ => Ok((delivery, smallest.clone())),
        }
    }

    /// The selection of a strategy, with the nodes that are always shown.
    fn select(&self, style: Style, strategy: &dyn FilteringStrategy, candidates: &Candidates<'_>) -> Selection {
        let mut selection = Selection::default();
        let members = strategy.filter_members(candidates);
        // The plan has rendered the texts of the members.
        let tree = self.trees.rendered();
        let members = members.iter().filter_map(|id| self.nodes.get(id).copied());
        let (mut types, mut keyword_classes) = (Vec::new(), Vec::new());
        let has_budget = strategy.max_tokens().is_some();
        for node in members.chain(tree.forced.iter().copied()) {
            let Some(member) = candidates.member(node) else { continue };
            if tree.nodes[node].is_named_type {
                let ShownDocs { summary, is_whole, .. } =
                    style.docs.allowed(strategy.documentation(candidates, &member));
                let docs = ShownDocs { summary, is_whole, ..ShownDocs::default() };
                let parameters = tree.priced(node).complete(&strategy.filter_arguments(candidates, &member));
                selection.show(node, NodeForm::new(&tree.priced(node), parameters, Detail::Full, docs));
                continue;
            }
            let priced = if has_budget { tree.priced(node) } else { tree.priced_uncached(node) };
            let parameters = priced.complete(&strategy.filter_arguments(candidates, &member));
            let mut docs = style.docs.allowed(strategy.documentation(candidates, &member));
            // In this wording members are written as calls already, so a typical call would repeat them.
            docs.call &= style.wording != Wording::Calls;
            let detail = style.wording.detail().unwrap_or_else(|| strategy.detail(candidates, &member));
            let form = NodeForm::new(&priced, parameters, detail, docs);
            if tree.declares_types() && strategy.shows_types(candidates, &member) {
                types.extend(
                    form.references.iter().chain(priced.head_references(form.detail)).map(|reference| reference.ty),
                );
            }
            if strategy.shows_types(candidates, &member) {
                keyword_classes.extend(tree.keyword_class(node));
            }
            selection.show(node, form);
        }
        for node in types.into_iter().filter_map(|ty| tree.expandable_type(ty)).chain(keyword_classes) {
            selection.show_subtree(tree, node);
        }
        selection
    }

    /// Renders a selection in its envelope, and counts its tokens.
    fn render(
        &self,
        selection: &Selection,
        style: Style,
        strategy: &dyn FilteringStrategy,
        format: Format,
    ) -> Delivery {
        let mut stub = selection.render(self.trees.of(selection.detail()));
        let is_shown = |node: usize| self.trees.nodes[node].is_named_type || selection.get(node).is_some();
        let is_everything = strategy.max_tokens().is_none() && self.trees.definitions().all(|(_, node)| is_shown(node));
        let not_shown = if is_everything { self.trees.unshown(selection) } else { Vec::new() };
        stub.text.push_str(&self.trees.unshown_line(&not_shown));
        let tokenizer = &self.trees.tokenizer;
        let mut delivery = Delivery {
            text: stub.text,
            enclosed: None,
            tokens: 0,
            max_tokens: strategy.max_tokens(),
            language: self.trees.language,
            strategy: strategy.label(),
            wording: style.wording,
            docs: style.docs,
            encoding: tokenizer.encoding,
            covered_calls: stub.covered.calls,
            known_calls: self.trees.known.calls,
            covered_reads: stub.covered.reads,
            known_reads: self.trees.known.reads,
            inherited: self.trees.inherited,
            symbols: stub.symbols,
            hidden_members: stub.hidden_members,
            not_shown,
        };
        if format != Format::Markdown {
            delivery.tokens = tokenizer.count(&delivery.text);
        }
        if let Some(text) = envelope::wrap(&delivery, &self.trees.index, &self.name, format) {
            delivery.enclosed = Some(std::mem::replace(&mut delivery.text, text));
        }
        if format == Format::Markdown {
            delivery.tokens = tokenizer.count(&delivery.text);
        }
        delivery
    }

    /// Tokens of the envelope that count against the budget.
    fn envelope_tokens(&self, format: Format) -> usize {
        match format {
            Format::Markdown => {
                self.trees.tokenizer.count_line(&envelope::markdown("", &self.name, self.trees.language))
            }
            Format::Stub | Format::Json | Format::Yaml => 0,
        }
    }
}
