//! The priced trees of one scope, by layout.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use super::PricedTree;
use crate::{
    overrides::ResolvedOverrides,
    stub::{renderer::Layout, wording::Detail},
};
use apidisc_indexing::index::{Index, Scope};
use apidisc_tokens::Tokenizer;

/// The priced trees of one scope: they have the same nodes and differ in the indentation of their texts. Dereferences
/// to the tree of the wide layout, for properties that do not depend on the layout.
#[derive(Debug)]
pub(crate) struct PricedTrees {
    wide: PricedTree,
    /// Made on first use.
    narrow: OnceLock<PricedTree>,
}

impl PricedTrees {
    /// The trees of a scope.
    pub(crate) fn new(
        index: &Arc<Index>,
        scope: Scope,
        overrides: ResolvedOverrides,
        tokenizer: &Arc<Tokenizer>,
    ) -> Self {
        Self { wide: PricedTree::new(index, scope, overrides, tokenizer, Layout::Wide), narrow: OnceLock::new() }
    }

    /// The tree for a stub; `least` is the detail of the least detailed member of the stub.
    pub(crate) fn of(&self, least: Detail) -> &PricedTree {
        match Layout::of(least) {
            Layout::Wide => &self.wide,
            Layout::Narrow => self.narrow.get_or_init(|| {
                let PricedTree { index, scope, overrides, tokenizer, .. } = &self.wide;
                PricedTree::new(index, *scope, overrides.clone(), tokenizer, Layout::Narrow)
            }),
        }
    }

    /// A tree whose texts have probably been rendered already, for properties that do not depend on the layout.
    pub(crate) fn rendered(&self) -> &PricedTree {
        self.narrow.get().unwrap_or(&self.wide)
    }

    /// See [`NodeTextCache::trim`](super::NodeTextCache::trim).
    pub(crate) fn trim_caches(&self) {
        self.wide.text_cache.trim();
        self.narrow.get().iter().for_each(|narrow| narrow.text_cache.trim());
    }
}

impl Deref for PricedTrees {
    type Target = PricedTree;

    fn deref(&self) -> &PricedTree {
        &self.wide
    }
}
