//! What of a scope may be shown, as the nodes of a tree.

use std::{
    cmp::Reverse,
    sync::{Arc, OnceLock},
};

use compact_str::CompactString;
use indexmap::IndexMap;

use super::{
    display,
    part::Kept,
    priced_tree::{Node, NodeKind, PricedTree},
    renderer::Renderer,
};
use crate::{
    index::{Definition, Index, Scope},
    language::Language,
    overrides::ResolvedOverrides,
    program::{DefinitionId, DefinitionKind},
    tokens::Tokenizer,
};

/// Classes within classes within classes, without end, are nobody's API.
const DEEPEST: usize = 10;

/// A group's line, empty where none is needed, with the definitions in it under their names.
type Groups = IndexMap<String, Vec<(DefinitionId, Option<CompactString>)>>;

impl PricedTree {
    pub(crate) fn new(index: &Arc<Index>, scope: Scope, rules: ResolvedOverrides, tokenizer: &Arc<Tokenizer>) -> Self {
        let members = index.members(scope);
        let (language, left_out) = language(index, &members);
        let mut tree = Self {
            index: Arc::clone(index),
            tokenizer: Arc::clone(tokenizer),
            subject: display::subject(index, scope),
            nodes: Vec::new(),
            forced: Vec::new(),
            symbols: 0,
            total_calls: 0,
            known_calls: 0,
            rules,
            language,
            left_out,
            renderer: Renderer::new(language),
            kept: Kept::default(),
        };
        match scope {
            Scope::Definition(id) => tree.add_asked_for(id),
            Scope::Repository | Scope::Module(_) => tree.add_groups(scope, &members),
        }
        tree.add_named_types();
        tree.nodes.shrink_to_fit();
        tree.forced = (0..tree.nodes.len()).filter(|&node| tree.nodes[node].is_forced).collect();
        tree
    }

    fn add_asked_for(&mut self, id: DefinitionId) {
        let index = Arc::clone(&self.index);
        let mut containers = Vec::new();
        let mut parent = index.definition(id).parent;
        while let Some(outer) = parent.filter(|&p| self.renderer.holds_members(&index, index.definition(p))) {
            containers.push(outer);
            parent = index.definition(outer).parent;
        }
        let mut above = None;
        for (depth, outer) in containers.into_iter().rev().enumerate() {
            // A class whose name cannot be written has no members that could be.
            let Some(name) = self.name(outer, above) else { return self.nodes.clear() };
            above = Some(self.push(NodeKind::Container(outer), name, above, depth * self.renderer.step()));
        }
        let added = self.name(id, above).and_then(|name| self.add(&index, id, name, above));
        let Some(node) = added else { return self.nodes.clear() };
        self.nodes[node].is_forced = true;
        let end = self.nodes.len();
        self.nodes.iter_mut().take_while(|n| matches!(n.kind, NodeKind::Container(_))).for_each(|n| n.end = end);
    }

    /// The name of what stands alone, or in `above`.
    fn name(&mut self, id: DefinitionId, above: Option<usize>) -> Option<CompactString> {
        let index = Arc::clone(&self.index);
        let name = display::shown_name(&index, id);
        match above {
            Some(above) => self.renderer.is_member(self.kind(above), index.definition(id)).then_some(name),
            None => self.renderer.top_name(&index, id, &name),
        }
    }

    /// What the definition is that a node stands for.
    fn kind(&self, node: usize) -> DefinitionKind {
        match self.nodes[node].kind {
            NodeKind::Container(id) | NodeKind::Definition(id) => self.index.definition(id).kind,
            NodeKind::Group(_) => DefinitionKind::Class,
        }
    }

    fn add_groups(&mut self, scope: Scope, members: &[DefinitionId]) {
        let index = Arc::clone(&self.index);
        let home = match scope {
            Scope::Module(id) => Some(index.module(id).fqn.clone()),
            _ => None,
        };
        let mut groups = Groups::new();
        for &id in members.iter().filter(|&&id| index.definition(id).language == self.language) {
            self.symbols += 1;
            let path = display::import_path(&index, id, home.as_deref());
            let name = self.renderer.top_name(&index, id, &path.name);
            let shown = name.as_deref().filter(|name| *name != path.name);
            let is_here = path.module == self.subject && path.inner == path.name && shown.is_none();
            let line = if is_here { String::new() } else { self.renderer.group(&path, shown) };
            groups.entry(line).or_default().push((id, name));
        }
        // What needs no comment comes first: it would stand under another group's otherwise.
        if let Some(at) = groups.get_index_of("") {
            groups.move_index(at, 0);
        }
        for (line, members) in groups {
            let group = (!line.is_empty()).then(|| self.push(NodeKind::Group(line), CompactString::default(), None, 0));
            for (id, name) in members {
                match name {
                    Some(name) => {
                        self.add(&index, id, name, group);
                    }
                    None => self.count_all(&index, index.definition(id)),
                }
            }
            if let Some(group) = group {
                self.nodes[group].end = self.nodes.len();
            }
        }
    }

    /// Adds the types of the sources that the texts of the scope name.
    fn add_named_types(&mut self) {
        let index = Arc::clone(&self.index);
        let Renderer::TypeScript(names) = &mut self.renderer else { return };
        let definitions: indexmap::IndexSet<DefinitionId, rustc_hash::FxBuildHasher> = self
            .nodes
            .iter()
            .filter_map(|node| match node.kind {
                NodeKind::Definition(id) | NodeKind::Container(id) => Some(id),
                NodeKind::Group(_) => None,
            })
            .collect();
        let mut named = names.name_types(&index, &definitions);
        named.retain(|(id, _)| !definitions.contains(id));
        // They are not what the calls of the scope call, and nobody asked for them.
        let (first, total, known) = (self.nodes.len(), self.total_calls, self.known_calls);
        for (id, name) in named {
            self.add(&index, id, name, None);
        }
        for node in &mut self.nodes[first..] {
            (node.is_named_type, node.is_forced) = (true, false);
        }
        (self.total_calls, self.known_calls) = (total, known);
        let tops: Vec<(DefinitionId, usize)> = (0..self.nodes.len())
            .filter(|&node| self.is_top(node))
            .filter_map(|node| match self.nodes[node].kind {
                NodeKind::Container(id) | NodeKind::Definition(id) => Some((id, node)),
                NodeKind::Group(_) => None,
            })
            .collect();
        if let Renderer::TypeScript(names) = &mut self.renderer {
            for (id, node) in tops {
                names.place(id, node);
            }
        }
    }

    /// Adds a definition and everything public in it. `None` where it is banned.
    fn add(&mut self, index: &Index, id: DefinitionId, name: CompactString, parent: Option<usize>) -> Option<usize> {
        let definition = index.definition(id);
        let (is_banned, is_pinned) = self.rules.of(id).map_or((false, false), |rule| (rule.is_banned, rule.is_pinned));
        if is_banned {
            self.count_all(index, definition);
            return None;
        }
        self.count(definition);
        let indent = match parent.map(|p| &self.nodes[p]) {
            Some(above) if !matches!(above.kind, NodeKind::Group(_)) => above.indent + self.renderer.step(),
            _ => 0,
        };
        let node = self.push(NodeKind::Definition(id), name, parent, indent);
        self.nodes[node].is_forced = is_pinned;
        if self.renderer.holds_members(index, definition) {
            let is_deep = indent >= DEEPEST * self.renderer.step();
            for member in self.renderer.members(index, definition) {
                let name = CompactString::new(&index.definition(member).name);
                let is_writable = !is_deep && self.renderer.is_member(definition.kind, index.definition(member));
                if !is_writable {
                    self.count(index.definition(member));
                }
                if !is_writable || self.add(index, member, name, Some(node)).is_none() {
                    self.nodes[node].unwritable += 1;
                }
            }
            self.nodes[node].end = self.nodes.len();
        }
        Some(node)
    }

    fn count(&mut self, definition: &Definition) {
        self.total_calls += definition.usage.total_calls;
        self.known_calls += definition.usage.argument_sets.iter().filter(|s| !s.open).map(|s| s.calls).sum::<u32>();
    }

    /// Counts the calls of what is not shown and of what stands in it.
    fn count_all(&mut self, index: &Index, definition: &Definition) {
        let mut open = vec![definition];
        while let Some(definition) = open.pop() {
            self.count(definition);
            if self.renderer.holds_members(index, definition) {
                open.extend(self.renderer.members(index, definition).into_iter().map(|id| index.definition(id)));
            }
        }
    }

    fn push(&mut self, kind: NodeKind, name: CompactString, parent: Option<usize>, indent: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node {
            kind,
            name,
            parent,
            end: node + 1,
            indent,
            is_forced: false,
            unwritable: 0,
            is_named_type: false,
            frame_price: OnceLock::new(),
            required_price: OnceLock::new(),
        });
        node
    }
}

/// The language of a scope: that with the most calls, then that with the most definitions; and what another one has.
///
/// No file holds two languages, so that a stub of both would be valid in neither.
fn language(index: &Index, members: &[DefinitionId]) -> (Language, Option<(Language, usize)>) {
    let of = |language: Language| {
        let own = members.iter().map(|&id| index.definition(id)).filter(move |d| d.language == language);
        let inner = own.clone().flat_map(|d| &d.members).map(|&id| index.definition(id));
        let calls = own.clone().chain(inner).map(|d| d.usage.total_calls).sum::<u32>();
        (calls, own.count())
    };
    let mut languages = [Language::Python, Language::TypeScript].map(|language| (of(language), language));
    languages.sort_by_key(|&(weight, language)| (Reverse(weight), language));
    let [(_, language), ((_, others), other)] = languages;
    (language, (others > 0).then_some((other, others)))
}
