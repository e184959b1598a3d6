//! One node of a tree with its text: what it costs, and what of it must be shown together.

use std::{
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

use rustc_hash::FxHashMap;

use super::{
    needs::Need,
    pieces::{Body, Pieces},
    priced_tree::PricedTree,
    renderer::Callable,
};
use crate::program::ParameterSet;

/// A node with its text.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    tree: &'a PricedTree,
    node: usize,
    pieces: Arc<Pieces>,
}

impl Deref for Part<'_> {
    type Target = Pieces;

    fn deref(&self) -> &Pieces {
        &self.pieces
    }
}

/// Texts that are kept for the next delivery: those of a notch are nearly those of the one before.
#[derive(Debug, Default)]
pub(crate) struct Kept(RwLock<FxHashMap<u32, Arc<Pieces>>>);

impl Kept {
    /// More are not kept from one delivery to the next. The text of a node takes about a kilobyte.
    pub(super) const MOST: usize = 4 << 10;

    fn get(&self, node: usize) -> Option<Arc<Pieces>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&(node as u32)).map(Arc::clone)
    }

    fn insert(&self, node: usize, pieces: Arc<Pieces>) -> Arc<Pieces> {
        Arc::clone(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(node as u32).or_insert(pieces))
    }

    /// Starts anew where too many are kept.
    pub(crate) fn trim(&self) {
        if self.0.read().unwrap_or_else(PoisonError::into_inner).len() > Self::MOST {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = FxHashMap::default();
        }
    }
}

impl PricedTree {
    /// A node with its text, which is kept.
    pub(crate) fn part(&self, node: usize) -> Part<'_> {
        let pieces =
            self.kept.get(node).unwrap_or_else(|| self.kept.insert(node, Arc::new(self.renderer.pieces(self, node))));
        Part { tree: self, node, pieces }
    }

    /// A node with its text, which is not kept where the scope is large: for whoever looks at everything once.
    pub(crate) fn part_once(&self, node: usize) -> Part<'_> {
        if self.nodes.len() <= Kept::MOST {
            return self.part(node);
        }
        let pieces = self.kept.get(node).unwrap_or_else(|| Arc::new(self.renderer.pieces(self, node)));
        Part { tree: self, node, pieces }
    }
}

impl Part<'_> {
    /// How it goes on after its head.
    pub(crate) fn body(&self) -> &Body {
        self.pieces.body.get_or_init(|| self.tree.renderer.body(self.tree, self.node))
    }

    fn callable(&self) -> Option<&Callable> {
        match self.body() {
            Body::Callable(callable) => Some(callable),
            Body::None | Body::Opaque(_) => None,
        }
    }

    /// The types that its body names with these parameters visible.
    pub(crate) fn needs(&self, visible: &ParameterSet) -> Box<[Need]> {
        self.callable().map_or_else(Box::default, |callable| callable.needs(visible).into())
    }

    /// Number of parameters.
    pub(crate) fn parameters(&self) -> usize {
        self.callable().map_or(0, Callable::len)
    }

    /// True where the parameter can be written.
    pub(crate) fn is_showable(&self, position: usize) -> bool {
        self.callable().is_some_and(|callable| callable.is_showable(position))
    }

    /// Tokens of a parameter's own line.
    pub(crate) fn line_price(&self, position: usize) -> usize {
        self.callable().map_or(0, |callable| callable.line_price(position, &self.tree.tokenizer))
    }

    /// Tokens of the first and the last line around members.
    pub(crate) fn frame_price(&self) -> usize {
        self.head.tokens(&self.tree.tokenizer) + self.foot.tokens(&self.tree.tokenizer)
    }

    /// Tokens of a definition with these parameters, without what stands below it in a class, and without the
    /// first line of a class.
    pub(crate) fn price(&self, visible: &ParameterSet, with_docstring: bool) -> usize {
        let (tree, tokenizer) = (self.tree, &self.tree.tokenizer);
        let docstring = self.docstring.as_ref().filter(|_| with_docstring);
        let in_body = docstring.filter(|_| tree.is_in_body(self.node));
        let above = docstring.filter(|_| in_body.is_none()).map_or(0, |piece| piece.tokens(tokenizer));
        let own = if tree.is_class(self.node) { 0 } else { self.frame_price() };
        above
            + own
            + match self.body() {
                Body::Callable(callable) => callable.price(visible, in_body, tokenizer),
                Body::Opaque(line) => line.tokens(tokenizer),
                Body::None => 0,
            }
    }

    /// The set with all that must be visible together with it, and with what is pinned; what is banned, and
    /// what cannot be shown without that, is left out.
    pub(crate) fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let Some(callable) = self.callable() else { return ParameterSet::new() };
        let rule = self.tree.definition(self.node).and_then(|(id, _)| self.tree.rules.of(id));
        let Some(rule) = rule else { return self.with_required(callable, set) };
        let needs_banned = |position: usize| {
            let whole = self.with_required(callable, &std::iter::once(position).collect());
            !rule.banned.is_empty() && whole.iter().any(|position| rule.banned.contains(position))
        };
        let mut allowed: ParameterSet = set.iter().filter(|&position| !needs_banned(position)).collect();
        allowed.extend_with(&rule.pinned);
        self.with_required(callable, &allowed)
    }

    /// The set with what is required beside it: by the signature, and by the objects in it.
    pub(super) fn with_required(&self, callable: &Callable, set: &ParameterSet) -> ParameterSet {
        match self.tree.definition(self.node).and_then(|(_, definition)| definition.signature.as_ref()) {
            Some(signature) => {
                signature.close_over_objects(callable.complete(&signature.close_over_objects(set.clone())))
            }
            None => callable.complete(set),
        }
    }
}
