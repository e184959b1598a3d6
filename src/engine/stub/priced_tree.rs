//! A scope as a tree of priced pieces: what may be shown, what it costs, what it covers.
//!
//! Texts are made when they are first asked for, since most of a large scope is never shown; see [`super::part`]. Text
//! is the concatenation of lines, so that prices add; see [`crate::tokens`] for when they do.

use std::sync::{Arc, OnceLock};

use compact_str::CompactString;

use super::{
    needs::Need,
    part::{Kept, Part},
    renderer::Renderer,
    text::counted,
};
use crate::{
    index::{Definition, Index},
    language::Language,
    overrides::ResolvedOverrides,
    program::{DefinitionId, DefinitionKind, ParameterSet},
    tokens::Tokenizer,
};

/// Tokens of an alias that is declared as it is wherever it is named.
const SHORT: usize = 24;

/// Everything that may be shown of a scope.
#[derive(Debug)]
pub(crate) struct PricedTree {
    pub(crate) index: Arc<Index>,
    pub(crate) tokenizer: Arc<Tokenizer>,
    /// What the title line begins with.
    pub(crate) subject: String,
    /// In preorder: a node's descendants follow it, up to its `end`.
    pub(crate) nodes: Vec<Node>,
    /// Nodes that are never left out, in the order of the text.
    pub(crate) forced: Vec<usize>,
    /// Definitions at the top, those that cannot be written included. 0 where one definition was asked for.
    pub(crate) symbols: usize,
    /// Calls of everything in the scope.
    pub(crate) total_calls: u32,
    /// Those whose arguments are all known.
    pub(crate) known_calls: u32,
    /// What is pinned and what is banned.
    pub(crate) rules: ResolvedOverrides,
    /// The one language that a stub is written in.
    pub(crate) language: Language,
    /// Definitions at the top in another language: they are not in the stub.
    pub(crate) left_out: Option<(Language, usize)>,
    pub(super) renderer: Renderer,
    pub(crate) kept: Kept,
}

/// A place in the text.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// What it is called.
    pub(crate) name: CompactString,
    pub(crate) parent: Option<usize>,
    /// One past its last descendant.
    pub(crate) end: usize,
    /// In columns.
    pub(crate) indent: usize,
    /// It is what was asked for, or is pinned: never left out.
    pub(crate) is_forced: bool,
    /// Public members that no text can be made of, or that are banned: always hidden.
    pub(crate) unwritable: usize,
    /// It is no part of the scope: a type that texts of the scope name, or stands in one.
    pub(crate) is_named_type: bool,
    pub(super) frame_price: OnceLock<u32>,
    pub(super) required_price: OnceLock<u32>,
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A comment that says where the definitions below it are imported from: that line.
    Group(String),
    /// A class around what was asked for: its frame only.
    Container(DefinitionId),
    /// A definition that may be shown.
    Definition(DefinitionId),
}

impl PricedTree {
    /// The definition that may be shown at a node.
    pub(crate) fn definition(&self, node: usize) -> Option<(DefinitionId, &Definition)> {
        match self.nodes[node].kind {
            NodeKind::Definition(id) => Some((id, self.index.definition(id))),
            _ => None,
        }
    }

    /// Nodes directly below one; of `None`, at the top.
    pub(crate) fn children(&self, node: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let (mut next, end) = node.map_or((0, self.nodes.len()), |n| (n + 1, self.nodes[n].end));
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end;
                child
            })
        })
    }

    /// Definitions of the scope at the top, in groups or not.
    pub(crate) fn symbol_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.is_symbol(node))
    }

    /// True for a definition of the scope at the top, in a group or not.
    pub(crate) fn is_symbol(&self, node: usize) -> bool {
        self.is_top(node) && !self.nodes[node].is_named_type && self.definition(node).is_some()
    }

    /// True at the left margin.
    pub(crate) fn is_top(&self, node: usize) -> bool {
        self.nodes[node].indent == 0
    }

    /// True where a first line stands above other nodes: of a class, a container, a group.
    pub(crate) fn has_body(&self, node: usize) -> bool {
        self.definition(node).is_none() || self.is_class(node)
    }

    /// True where members stand in the body of the node.
    pub(crate) fn is_class(&self, node: usize) -> bool {
        self.definition(node).is_some_and(|(_, definition)| self.renderer.holds_members(&self.index, definition))
    }

    /// True where what stands beside the members is a constructor that can be called.
    pub(crate) fn has_constructor(&self, node: usize) -> bool {
        self.definition(node).is_some_and(|(_, definition)| definition.kind == DefinitionKind::Class)
    }

    /// Tokens of the first and the last line around members.
    pub(crate) fn frame_price(&self, node: usize) -> usize {
        *self.nodes[node].frame_price.get_or_init(|| self.part_once(node).frame_price() as u32) as usize
    }

    /// Tokens of a definition in its required form, without what stands below it: what has no calls is shown so.
    pub(crate) fn required_price(&self, node: usize) -> usize {
        let price = || {
            let part = self.part_once(node);
            part.price(&part.complete(&ParameterSet::new()), false) as u32
        };
        *self.nodes[node].required_price.get_or_init(price) as usize
    }

    /// True in languages whose stubs declare what their texts name.
    pub(crate) fn declares_types(&self) -> bool {
        matches!(self.renderer, Renderer::TypeScript(_))
    }

    /// The node of a type that texts name.
    pub(crate) fn node_of(&self, ty: u32) -> Option<usize> {
        match &self.renderer {
            Renderer::Python => None,
            Renderer::TypeScript(names) => names.node_of(ty),
        }
    }

    /// The node of a type that says all there is of it: not that of a class, which is more than a type.
    pub(crate) fn type_to_write(&self, ty: u32) -> Option<usize> {
        self.node_of(ty).filter(|&node| !self.has_constructor(node))
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "needs are walked by reference")]
    /// The line that declares a type which is not shown: an alias as it is, where that is short, else no more than the
    /// name.
    pub(crate) fn short(&self, need: &Need) -> String {
        let Renderer::TypeScript(names) = &self.renderer else { return String::new() };
        let is_alias = |node: usize| self.definition(node).is_some_and(|(_, d)| d.kind == DefinitionKind::TypeAlias);
        let alias = names.node_of(need.ty).filter(|&node| is_alias(node)).map(|node| self.part(node));
        let is_short = |part: &Part<'_>| part.needs.is_empty() && part.head.tokens(&self.tokenizer) <= SHORT;
        match alias.filter(is_short) {
            Some(part) => part.head.text.trim_start_matches("export ").to_owned(),
            None => names.short(*need),
        }
    }

    /// The line above types that are no part of the scope.
    pub(crate) fn types_line(&self) -> String {
        format!("{} types named above:\n", self.renderer.comment())
    }

    /// True where the summary stands in the body of what is called. That of a class stands before its constructor.
    pub(crate) fn is_in_body(&self, node: usize) -> bool {
        !self.renderer.summary_stands_before() && !self.is_class(node)
    }

    /// Tokens of the line that says what a class hides.
    pub(crate) fn hidden_price(&self, node: usize, shown_members: usize, shows_constructor: bool) -> usize {
        self.hidden_line(node, shown_members, shows_constructor).map_or(0, |line| self.tokenizer.count_line(&line))
    }

    /// The line that says what a class hides.
    pub(crate) fn hidden_line(&self, node: usize, shown_members: usize, shows_constructor: bool) -> Option<String> {
        if !self.is_class(node) {
            return None;
        }
        let members = self.children(Some(node)).count() + self.nodes[node].unwritable - shown_members;
        let hides_constructor = !shows_constructor && self.has_constructor(node);
        let members = (members > 0).then(|| counted(members as u32, "member"));
        let what = match (hides_constructor, members) {
            (true, Some(members)) => format!("constructor and {members}"),
            (true, None) => "constructor".to_owned(),
            (false, Some(members)) => members,
            (false, None) => return None,
        };
        let margin = " ".repeat(self.nodes[node].indent + self.renderer.step());
        Some(format!("{margin}{} ... + {what} hidden\n", self.renderer.comment()))
    }

    /// Calls of a node that can be written with these parameters visible.
    pub(crate) fn covered(&self, node: usize, visible: &ParameterSet) -> u32 {
        let Some((_, definition)) = self.definition(node).filter(|_| !self.nodes[node].is_named_type) else { return 0 };
        definition
            .usage
            .argument_sets
            .iter()
            .filter(|set| !set.open && set.parameters.is_subset(visible))
            .map(|set| set.calls)
            .sum()
    }
}
