//! A scope as a tree of priced pieces: what may be shown, what it costs, what it covers.
//!
//! Pieces are made when they are first asked for, since most of a large scope is never shown. Text is the
//! concatenation of lines, so that prices add; see [`crate::engine::tokens`] for when they do.

use std::sync::{Arc, OnceLock};

use compact_str::CompactString;
use indexmap::IndexMap;

use super::{
    display::{self, ImportPath},
    python::{self, Callable},
};
use crate::engine::{
    index::{Definition, DefinitionId, DefinitionKind, Index, Scope},
    tokens::Tokenizer,
    usage::ParameterSet,
};

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
    /// Definitions at the top, those that cannot be written included. 0 where one definition was asked for.
    pub(crate) symbols: usize,
    /// Calls of everything in the scope.
    pub(crate) total_calls: u32,
    /// Those whose arguments are all known.
    pub(crate) known_calls: u32,
}

/// A place in the text.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// What stands after `class` or `def`.
    pub(crate) name: CompactString,
    pub(crate) parent: Option<usize>,
    /// One past its last descendant.
    pub(crate) end: usize,
    /// In columns.
    pub(crate) indent: usize,
    /// It is what was asked for: never left out.
    pub(crate) is_forced: bool,
    /// Public members that no text can be made of: always hidden.
    pub(crate) unwritable: usize,
    pieces: OnceLock<Pieces>,
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A comment that says where the definitions below it are imported from.
    Group(String),
    /// A class around what was asked for: its first line only.
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
}

/// How a node goes on after its head.
#[derive(Debug)]
pub(crate) enum Body {
    /// Not at all.
    None,
    /// With a `def`.
    Callable(Box<Callable>),
    /// A class whose constructor is not known.
    Opaque(Piece),
}

impl Sheet {
    pub(crate) fn new(index: &Arc<Index>, scope: Scope, tokenizer: &Arc<Tokenizer>) -> Self {
        let mut sheet = Self {
            index: Arc::clone(index),
            tokenizer: Arc::clone(tokenizer),
            subject: display::subject(index, scope),
            nodes: Vec::new(),
            symbols: 0,
            total_calls: 0,
            known_calls: 0,
        };
        match scope {
            Scope::Definition(id) => sheet.add_asked_for(id),
            Scope::Repository | Scope::Module(_) => sheet.add_groups(scope),
        }
        sheet
    }

    fn add_asked_for(&mut self, id: DefinitionId) {
        let index = Arc::clone(&self.index);
        let mut containers = Vec::new();
        let mut parent = index.definition(id).parent;
        while let Some(class) = parent.filter(|&p| index.definition(p).kind == DefinitionKind::Class) {
            containers.push(class);
            parent = index.definition(class).parent;
        }
        let mut above = None;
        for (depth, class) in containers.into_iter().rev().enumerate() {
            let name = display::shown_name(&index, class);
            above = Some(self.push(NodeKind::Container(class), name, above, depth * 4));
        }
        // A class whose name cannot be written has no members that could be.
        if !self.nodes.iter().all(|node| python::is_name(&node.name)) {
            self.nodes.clear();
            return;
        }
        if let Some(node) = self.add(&index, id, display::shown_name(&index, id), above) {
            self.nodes[node].is_forced = true;
        } else {
            self.nodes.clear();
        }
        let end = self.nodes.len();
        self.nodes.iter_mut().take_while(|n| matches!(n.kind, NodeKind::Container(_))).for_each(|n| n.end = end);
    }

    fn add_groups(&mut self, scope: Scope) {
        let index = Arc::clone(&self.index);
        let home = match scope {
            Scope::Module(id) => Some(index.module(id).fqn.clone()),
            _ => None,
        };
        let mut groups: IndexMap<String, Vec<(DefinitionId, CompactString)>> = IndexMap::new();
        for id in index.members(scope) {
            self.symbols += 1;
            let ImportPath { module, name } = display::import_path(&index, id, home.as_deref());
            groups.entry(module).or_default().push((id, name));
        }
        // What needs no comment comes first: it would stand under another group's otherwise.
        if let Some(at) = groups.get_index_of(&self.subject) {
            groups.move_index(at, 0);
        }
        for (module, members) in groups {
            let group =
                (module != self.subject).then(|| self.push(NodeKind::Group(module), CompactString::default(), None, 0));
            for (id, name) in members {
                self.add(&index, id, name, group);
            }
            if let Some(group) = group {
                self.nodes[group].end = self.nodes.len();
            }
        }
    }

    /// Adds a definition and everything public in it. `None` where its name cannot be written.
    fn add(&mut self, index: &Index, id: DefinitionId, name: CompactString, parent: Option<usize>) -> Option<usize> {
        let definition = index.definition(id);
        self.total_calls += definition.usage.total_calls;
        self.known_calls += definition.usage.argument_sets.iter().filter(|s| !s.open).map(|s| s.calls).sum::<u32>();
        let indent = match parent.map(|p| &self.nodes[p]) {
            Some(above) if !matches!(above.kind, NodeKind::Group(_)) => above.indent + 4,
            _ => 0,
        };
        // Classes within classes within classes, without end, are nobody's API.
        if indent > 40 || !python::is_name(&name) {
            return None;
        }
        let node = self.push(NodeKind::Definition(id), name, parent, indent);
        if definition.kind == DefinitionKind::Class {
            for member in display::class_members(index, definition) {
                if self.add(index, member, index.definition(member).name.clone(), Some(node)).is_none() {
                    self.nodes[node].unwritable += 1;
                }
            }
            self.nodes[node].end = self.nodes.len();
        }
        Some(node)
    }

    fn push(&mut self, kind: NodeKind, name: CompactString, parent: Option<usize>, indent: usize) -> usize {
        let node = self.nodes.len();
        let pieces = OnceLock::new();
        self.nodes.push(Node { kind, name, parent, end: node + 1, indent, is_forced: false, unwritable: 0, pieces });
        node
    }

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

    /// Definitions at the top, in groups or not.
    pub(crate) fn symbol_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.is_top(node) && self.definition(node).is_some())
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
        self.definition(node).is_some_and(|(_, d)| d.kind == DefinitionKind::Class)
    }

    /// The text of a node.
    pub(crate) fn pieces(&self, node: usize) -> &Pieces {
        self.nodes[node].pieces.get_or_init(|| {
            let Node { kind, name, indent, .. } = &self.nodes[node];
            let (indent, tokenizer) = (*indent, &self.tokenizer);
            let id = match kind {
                NodeKind::Group(module) => {
                    let head = Piece::new(format!("# {}:\n", python::inert(module)), tokenizer);
                    return Pieces { head, docstring: None, body: Body::None };
                }
                NodeKind::Container(id) | NodeKind::Definition(id) => *id,
            };
            let definition = self.index.definition(id);
            let head = format!("{}{}", python::decorators(definition, indent), python::head(definition, name, indent));
            let calls = definition.usage.total_calls;
            let body = match definition.kind {
                DefinitionKind::Attribute | DefinitionKind::Constant => Body::None,
                DefinitionKind::Class if definition.signature.is_none() => {
                    Body::Opaque(Piece::new(python::unknown_constructor(calls, indent), tokenizer))
                }
                DefinitionKind::Class => {
                    Body::Callable(Box::new(Callable::new(definition, "__init__", indent + 4, tokenizer)))
                }
                _ => Body::Callable(Box::new(Callable::new(definition, name, indent, tokenizer))),
            };
            Pieces {
                head: Piece::new(head, tokenizer),
                docstring: python::docstring(definition, indent, tokenizer),
                body,
            }
        })
    }

    /// The set with all that must be visible together with it.
    pub(crate) fn complete(&self, node: usize, set: &ParameterSet) -> ParameterSet {
        match &self.pieces(node).body {
            Body::Callable(callable) => callable.complete(set),
            _ => ParameterSet::new(),
        }
    }

    /// Tokens of a definition with these parameters, without what stands below it in a class, and without the
    /// first line of a class.
    pub(crate) fn price(&self, node: usize, visible: &ParameterSet, with_docstring: bool) -> usize {
        let Pieces { head, docstring, body } = self.pieces(node);
        let docstring = docstring.as_ref().filter(|_| with_docstring);
        let is_class = self.is_class(node);
        // The docstring of a class stands before its constructor, not in it.
        let in_body = docstring.filter(|_| !is_class);
        let above = if is_class { docstring.map_or(0, |piece| piece.tokens) } else { head.tokens };
        above
            + match body {
                Body::Callable(callable) => callable.price(visible, in_body, &self.tokenizer),
                Body::Opaque(line) => line.tokens,
                Body::None => 0,
            }
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
        let members = self.children(Some(node)).count() + self.nodes[node].unwritable;
        python::hidden_members(members - shown_members, !shows_constructor, self.nodes[node].indent)
    }

    /// Calls of a node that can be written with these parameters visible.
    pub(crate) fn covered(&self, node: usize, visible: &ParameterSet) -> u32 {
        let Some((_, definition)) = self.definition(node) else { return 0 };
        definition
            .usage
            .argument_sets
            .iter()
            .filter(|set| !set.open && set.parameters.is_subset(visible))
            .map(|set| set.calls)
            .sum()
    }
}
