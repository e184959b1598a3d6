//! A scope as a tree of priced pieces: what may be shown, what it costs, what it covers.
//!
//! Pieces are made when they are first asked for, since most of a large scope is never shown. Text is the
//! concatenation of lines, so that prices add; see [`crate::engine::tokens`] for when they do.

use std::sync::{Arc, OnceLock};

use compact_str::CompactString;

use super::{
    needs::Need,
    renderer::{Callable, Renderer},
    text::counted,
};
use crate::engine::{
    index::{Definition, DefinitionId, DefinitionKind, Index, Language},
    strategy::Rules,
    tokens::Tokenizer,
    usage::ParameterSet,
};

/// Tokens of an alias that is declared as it is wherever it is named.
const SHORT: usize = 24;

/// Whole lines and their tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) tokens: usize,
}

impl Piece {
    pub(crate) fn new(text: String, tokenizer: &Tokenizer) -> Self {
        Self { tokens: if text.is_empty() { 0 } else { tokenizer.count_line(&text) }, text }
    }
}

/// Everything that may be shown of a scope.
#[derive(Debug)]
pub(crate) struct Sheet {
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
    pub(crate) rules: Rules,
    /// The one language that a stub is written in.
    pub(crate) language: Language,
    /// Definitions at the top in another language: they are not in the stub.
    pub(crate) left_out: Option<(Language, usize)>,
    pub(super) renderer: Renderer,
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
    pub(super) pieces: OnceLock<Pieces>,
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

/// The text of a node.
#[derive(Debug)]
pub(crate) struct Pieces {
    /// Before everything else; of an attribute or constant, everything.
    pub(crate) head: Piece,
    pub(crate) docstring: Option<Piece>,
    pub(crate) body: Body,
    /// After everything else.
    pub(crate) foot: Piece,
    /// The types that its head names; those of its body are the callable's.
    pub(crate) needs: Vec<Need>,
}

/// How a node goes on after its head.
#[derive(Debug)]
pub(crate) enum Body {
    /// Not at all.
    None,
    /// With what is called.
    Callable(Box<Callable>),
    /// A class whose constructor is not known.
    Opaque(Piece),
}

impl Sheet {
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
        let Pieces { head, foot, .. } = self.pieces(node);
        head.tokens + foot.tokens
    }

    /// The text of a node.
    pub(crate) fn pieces(&self, node: usize) -> &Pieces {
        self.nodes[node].pieces.get_or_init(|| match &self.nodes[node].kind {
            NodeKind::Group(line) => {
                let head = Piece::new(format!("{line}\n"), &self.tokenizer);
                Pieces { head, docstring: None, body: Body::None, foot: Piece::default(), needs: Vec::new() }
            }
            NodeKind::Container(id) | NodeKind::Definition(id) => self.renderer.pieces(self, node, *id),
        })
    }

    /// The types that the body of a node names with these parameters visible.
    pub(crate) fn needs(&self, node: usize, visible: &ParameterSet) -> Vec<Need> {
        match &self.pieces(node).body {
            Body::Callable(callable) => callable.needs(visible),
            _ => Vec::new(),
        }
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
        let alias = names.node_of(need.ty).filter(|&node| {
            let is_alias = self.definition(node).is_some_and(|(_, d)| d.kind == DefinitionKind::TypeAlias);
            is_alias && self.pieces(node).needs.is_empty() && self.pieces(node).head.tokens <= SHORT
        });
        match alias {
            Some(node) => self.pieces(node).head.text.trim_start_matches("export ").to_owned(),
            None => names.short(*need),
        }
    }

    /// The line above types that are no part of the scope.
    pub(crate) fn types_line(&self) -> String {
        format!("{} types named above:\n", self.renderer.comment())
    }

    /// The set with all that must be visible together with it, and with what is pinned; what is banned, and
    /// what cannot be shown without that, is left out.
    pub(crate) fn complete(&self, node: usize, set: &ParameterSet) -> ParameterSet {
        let Body::Callable(callable) = &self.pieces(node).body else { return ParameterSet::new() };
        let Some(rule) = self.definition(node).and_then(|(id, _)| self.rules.of(id)) else {
            return self.with_required(node, callable, set);
        };
        let needs_banned = |position: usize| {
            let whole = self.with_required(node, callable, &std::iter::once(position).collect());
            !rule.banned.is_empty() && whole.iter().any(|position| rule.banned.contains(position))
        };
        let mut allowed: ParameterSet = set.iter().filter(|&position| !needs_banned(position)).collect();
        allowed.extend_with(&rule.pinned);
        self.with_required(node, callable, &allowed)
    }

    /// The set with what is required beside it: by the signature, and by the objects in it.
    pub(super) fn with_required(&self, node: usize, callable: &Callable, set: &ParameterSet) -> ParameterSet {
        match self.definition(node).and_then(|(_, definition)| definition.signature.as_ref()) {
            Some(signature) => signature.with_objects(callable.complete(&signature.with_objects(set.clone()))),
            None => callable.complete(set),
        }
    }

    /// Tokens of a definition with these parameters, without what stands below it in a class, and without the
    /// first line of a class.
    pub(crate) fn price(&self, node: usize, visible: &ParameterSet, with_docstring: bool) -> usize {
        let Pieces { head, docstring, body, foot, .. } = self.pieces(node);
        let docstring = docstring.as_ref().filter(|_| with_docstring);
        let is_class = self.is_class(node);
        let in_body = docstring.filter(|_| self.is_in_body(node));
        let above = docstring.filter(|_| in_body.is_none()).map_or(0, |piece| piece.tokens);
        let own = if is_class { 0 } else { head.tokens + foot.tokens };
        above
            + own
            + match body {
                Body::Callable(callable) => callable.price(visible, in_body, &self.tokenizer),
                Body::Opaque(line) => line.tokens,
                Body::None => 0,
            }
    }

    /// True where the summary stands in the body of what is called. That of a class stands before its constructor.
    pub(crate) fn is_in_body(&self, node: usize) -> bool {
        !self.renderer.summary_stands_before() && !self.is_class(node)
    }

    /// Number of parameters of a definition.
    pub(crate) fn parameters(&self, node: usize) -> usize {
        match &self.pieces(node).body {
            Body::Callable(callable) => callable.len(),
            _ => 0,
        }
    }

    /// Tokens of a parameter's own line.
    pub(crate) fn line_price(&self, node: usize, position: usize) -> usize {
        match &self.pieces(node).body {
            Body::Callable(callable) => callable.line_price(position),
            _ => 0,
        }
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
