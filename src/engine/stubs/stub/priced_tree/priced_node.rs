//! A node with its text: the tokens that it takes, and the parameters that must be shown together.

use std::{
    borrow::Cow,
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

use rustc_hash::FxHashMap;

use super::{NodeValues, PricedTree};
use crate::stub::{
    doc_text::{DocLines, DocText},
    docs::ShownDocs,
    node_text::{NodeBody, NodeText, PricedLines, TypeReference},
    renderer::CallableRenderer,
    wording::Detail,
};
use apidisc_facts::program::ParameterSet;

/// A node with its text.
#[derive(Clone, Debug)]
pub(crate) struct PricedNode<'a> {
    tree: &'a PricedTree,
    node: usize,
    text: Arc<NodeText>,
}

impl Deref for PricedNode<'_> {
    type Target = NodeText;

    fn deref(&self) -> &NodeText {
        &self.text
    }
}

/// A cache of texts, which the next delivery of the same scope reuses: two neighbouring budgets show nearly the same
/// nodes.
#[derive(Debug, Default)]
pub(crate) struct NodeTextCache(RwLock<FxHashMap<u32, Arc<NodeText>>>);

impl NodeTextCache {
    /// The largest number of texts that are kept after a delivery. The text of a node takes about a kilobyte.
    pub(crate) const CAPACITY: usize = 4 << 10;

    fn get(&self, node: usize) -> Option<Arc<NodeText>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&(node as u32)).map(Arc::clone)
    }

    fn insert(&self, node: usize, text: Arc<NodeText>) -> Arc<NodeText> {
        Arc::clone(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(node as u32).or_insert(text))
    }

    /// Empties the cache if it holds more than [`Self::CAPACITY`] texts.
    pub(crate) fn trim(&self) {
        if self.0.read().unwrap_or_else(PoisonError::into_inner).len() > Self::CAPACITY {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = FxHashMap::default();
        }
    }
}

impl PricedTree {
    /// A node with its text, which is cached.
    pub(crate) fn priced(&self, node: usize) -> PricedNode<'_> {
        let cached = self.text_cache.get(node);
        let text = cached.unwrap_or_else(|| self.text_cache.insert(node, Arc::new(self.render_text(node))));
        PricedNode { tree: self, node, text }
    }

    /// A node with its text, which is not cached in a large scope: for callers that visit every node once.
    pub(crate) fn priced_uncached(&self, node: usize) -> PricedNode<'_> {
        if self.nodes.len() <= NodeTextCache::CAPACITY {
            return self.priced(node);
        }
        let text = self.text_cache.get(node).unwrap_or_else(|| Arc::new(self.render_text(node)));
        PricedNode { tree: self, node, text }
    }
}

impl PricedNode<'_> {
    /// The text after the head.
    pub(crate) fn body(&self) -> &NodeBody {
        self.text.body.get_or_init(|| self.tree.render_body(self.node))
    }

    /// The documentation: whole texts, or first sentences.
    pub(crate) fn docs(&self, is_whole: bool) -> &DocText {
        self.text.docs[usize::from(is_whole)].get_or_init(|| self.tree.render_docs(self.node, is_whole))
    }

    /// The lines of the documentation that are shown; `None` if there are none.
    pub(crate) fn doc_lines<'s>(&'s self, shown: &'s ShownDocs) -> Option<DocLines<'s>> {
        if *shown == ShownDocs::default() { None } else { self.docs(shown.is_whole).lines(shown) }
    }

    /// The comment with a typical call; empty if there is none.
    pub(crate) fn typical_call(&self) -> &PricedLines {
        self.text.typical_call.get_or_init(|| self.tree.render_typical_call(self.node))
    }

    /// The comments that say what callers pass, as far as they are shown: values, and a typical call. They precede the
    /// definition and any documentation before the definition.
    pub(crate) fn shown_call(&self, shown: &ShownDocs) -> Cow<'_, str> {
        let call = if shown.call { &self.typical_call().text[..] } else { "" };
        if shown.values.is_empty() {
            return Cow::Borrowed(call);
        }
        Cow::Owned(self.tree.values_lines(self.node, self.values(), &shown.values, &shown.cut_values) + call)
    }

    /// What callers pass for each parameter.
    pub(crate) fn values(&self) -> &NodeValues {
        self.text.values.get_or_init(|| self.tree.node_values(self.node))
    }

    /// The number of tokens of the comments that say what callers pass, above the lines `docs`; 0 if none is shown.
    pub(crate) fn call_tokens(&self, shown: &ShownDocs, docs: Option<DocLines<'_>>) -> usize {
        let comments = self.shown_call(shown);
        if comments.is_empty() {
            return 0;
        }
        let tokenizer = &self.tree.tokenizer;
        let mut text = String::new();
        docs.filter(|_| self.tree.docs_precede_definition()).iter().for_each(|lines| lines.write(&mut text));
        match text.split_inclusive('\n').next() {
            // The tokenizer may join the end of the comment with the sign of the next one.
            Some(next) if next.starts_with('/') => {
                tokenizer.count_line(&format!("{comments}{next}")) - tokenizer.count_line(next)
            }
            _ if shown.values.is_empty() => self.typical_call().tokens(tokenizer),
            _ => tokenizer.count_line(&comments),
        }
    }

    /// See [`NodeText::constructor_alone`].
    pub(crate) fn constructor_alone(&self) -> Option<&dyn CallableRenderer> {
        self.text.constructor_alone.get_or_init(|| self.tree.render_constructor_alone(self.node)).as_deref()
    }

    /// True if a form of this detail is the name of the node in a list of names.
    pub(crate) fn is_listed(&self, detail: Detail) -> bool {
        detail == Detail::Calls && self.listed_name.is_some()
    }

    /// The types that a node names in this detail whatever its parameters.
    pub(crate) fn head_references(&self, detail: Detail) -> &[TypeReference] {
        if self.is_listed(detail) { &[] } else { &self.text.head_references }
    }

    fn callable(&self) -> Option<&dyn CallableRenderer> {
        match self.body() {
            NodeBody::Callable(callable) => Some(&**callable),
            NodeBody::Empty | NodeBody::UnknownConstructor(_) => None,
        }
    }

    /// The types that the body names with these parameters visible.
    pub(crate) fn body_references(&self, visible: &ParameterSet, detail: Detail) -> Box<[TypeReference]> {
        let callable = self.callable().filter(|_| !self.is_listed(detail));
        callable.map_or_else(Box::default, |callable| callable.references(visible, detail).into())
    }

    /// The number of parameters.
    pub(crate) fn parameter_count(&self) -> usize {
        self.callable().map_or(0, CallableRenderer::parameter_count)
    }

    /// True if the parameter can be written.
    pub(crate) fn is_showable(&self, position: usize) -> bool {
        self.callable().is_some_and(|callable| callable.is_showable(position))
    }

    /// True if the definition has parameters or overloads that are not visible. A parameter of the implementation that
    /// no overload declares does not count, because callers cannot pass it.
    pub(crate) fn hides_parameters(&self, visible: &ParameterSet) -> bool {
        let Some(callable) = self.callable() else { return false };
        let all = ParameterSet::full(callable.parameter_count());
        let has_overloads = self.tree.definition(self.node).is_some_and(|(_, d)| !d.overloads.is_empty());
        let declared = if has_overloads { callable.complete(&all) } else { all };
        !declared.is_subset(visible)
    }

    /// Tokens of a parameter's own line.
    pub(crate) fn line_price(&self, position: usize) -> usize {
        self.callable().map_or(0, |callable| callable.line_price(position, &self.tree.tokenizer))
    }

    /// Tokens of the lines around the members.
    pub(crate) fn frame_price(&self) -> usize {
        self.head.tokens(&self.tree.tokenizer) + self.foot.tokens(&self.tree.tokenizer)
    }

    /// Tokens of a definition with these parameters and this documentation, without its members and, for a class,
    /// without its frame. For a listed member, the tokens that its name adds to the list.
    pub(crate) fn price(&self, visible: &ParameterSet, detail: Detail, docs: &ShownDocs) -> usize {
        let (tree, tokenizer) = (self.tree, &self.tree.tokenizer);
        if let Some(name) = self.listed_name.as_deref().filter(|_| detail == Detail::Calls) {
            let tokens = |names: &[&str]| tokenizer.count_line(&tree.list_names(names, self.node));
            return tokens(&[name, name]) - tokens(&[name]);
        }
        let shown = docs;
        let docs = self.doc_lines(shown);
        let in_body = docs.filter(|_| tree.has_docs_in_body(self.node));
        let outside = docs.filter(|_| in_body.is_none()).map_or(0, |lines| lines.tokens(tokenizer));
        let frame = if tree.holds_members(self.node) { 0 } else { self.frame_price() };
        let body = match self.body() {
            NodeBody::Callable(callable) => callable.price(visible, detail, in_body, tokenizer),
            NodeBody::UnknownConstructor(line) => line.tokens(tokenizer),
            NodeBody::Empty => 0,
        };
        self.call_tokens(shown, docs) + outside + frame + body
    }

    /// The parameters that are visible if `set` is to be shown:
    ///
    /// - the parameters of `set`, except banned parameters and parameters that cannot be shown without a banned one;
    /// - the pinned parameters;
    /// - the parameters that an intent names, with the same exceptions and if they can be written;
    /// - every parameter that must be visible together with one of these.
    pub(crate) fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let Some(callable) = self.callable() else { return ParameterSet::new() };
        let overrides = self.tree.definition(self.node).and_then(|(id, _)| self.tree.overrides.of(id));
        let Some(overrides) = overrides else { return self.with_required(callable, set) };
        let needs_banned = |position: usize| {
            let whole = self.with_required(callable, &std::iter::once(position).collect());
            !overrides.banned.is_empty() && whole.iter().any(|position| overrides.banned.contains(position))
        };
        let named = overrides.asked.iter().filter(|&position| callable.is_showable(position));
        let mut allowed: ParameterSet = set.iter().chain(named).filter(|&position| !needs_banned(position)).collect();
        allowed.extend_with(&overrides.pinned);
        self.with_required(callable, &allowed)
    }

    /// The parameters of `set`, and all others that must be visible together with one of them: those that the syntax of
    /// the signature requires, and the object parameters whose properties are in the set.
    pub(super) fn with_required(&self, callable: &dyn CallableRenderer, set: &ParameterSet) -> ParameterSet {
        match self.tree.definition(self.node).and_then(|(_, definition)| definition.signature.as_ref()) {
            Some(signature) => {
                signature.close_over_objects(callable.complete(&signature.close_over_objects(set.clone())))
            }
            None => callable.complete(set),
        }
    }
}
