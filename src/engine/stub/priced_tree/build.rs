//! Builds the nodes of a priced tree from the definitions of a scope.

use std::{
    cmp::Reverse,
    sync::{Arc, OnceLock},
};

use compact_str::CompactString;
use indexmap::IndexMap;

use super::{Node, NodeTextCache, PricedNodeKind, PricedTree};
use crate::{
    index::{Index, Scope},
    language::Language,
    overrides::ResolvedOverrides,
    program::{DefinitionId, DefinitionKind},
    stub::{display, language::stub_language, renderer::Layout},
    tokens::Tokenizer,
    usage::Uses,
};

/// The largest nesting depth of members. Deeper members are left out, because malformed sources may be nested without
/// end.
const MAX_NESTING: usize = 10;

/// The definitions of each import group with their written names. The key is the comment of the group, empty if the
/// group needs no comment. A definition without a written name cannot be written.
type ImportGroups = IndexMap<String, Vec<(DefinitionId, Option<CompactString>)>>;

impl PricedTree {
    /// The tree of a scope, for stubs in a layout.
    pub(crate) fn new(
        index: &Arc<Index>,
        scope: Scope,
        overrides: ResolvedOverrides,
        tokenizer: &Arc<Tokenizer>,
        layout: Layout,
    ) -> Self {
        let members = index.members(scope);
        let (language, other_language) = main_language(index, &members);
        let mut tree = Self {
            index: Arc::clone(index),
            tokenizer: Arc::clone(tokenizer),
            subject: display::subject(index, scope),
            nodes: Vec::new(),
            forced: Vec::new(),
            scope,
            symbols: 0,
            total_calls: 0,
            known: Uses::default(),
            overrides,
            language,
            other_language,
            renderer: stub_language(language).renderer(layout),
            text_cache: NodeTextCache::default(),
        };
        match scope {
            Scope::Definition(id) => tree.add_requested_definition(id),
            Scope::Repository | Scope::Module(_) => tree.add_import_groups(scope, &members),
        }
        tree.add_named_types();
        tree.nodes.shrink_to_fit();
        tree.forced = (0..tree.nodes.len()).filter(|&node| tree.nodes[node].is_forced).collect();
        tree
    }

    /// Adds one definition and containers for the classes around it.
    fn add_requested_definition(&mut self, id: DefinitionId) {
        let index = Arc::clone(&self.index);
        let mut containers = Vec::new();
        let mut parent = index.definition(id).parent;
        while let Some(container) = parent.filter(|&p| self.renderer.holds_members(&index, p)) {
            containers.push(container);
            parent = index.definition(container).parent;
        }
        let mut parent = None;
        for (depth, container) in containers.into_iter().rev().enumerate() {
            // If the name of a class cannot be written, neither can its members.
            let Some(name) = self.written_name(container, parent) else { return self.nodes.clear() };
            let indent = depth * self.renderer.indent_width();
            parent = Some(self.push(PricedNodeKind::Container(container), name, parent, indent));
        }
        let added = self.written_name(id, parent).and_then(|name| self.add_definition(&index, id, name, parent));
        let Some(node) = added else { return self.nodes.clear() };
        self.nodes[node].is_forced = true;
        let end = self.nodes.len();
        self.nodes.iter_mut().take_while(|n| matches!(n.kind, PricedNodeKind::Container(_))).for_each(|n| n.end = end);
    }

    /// The name under which a definition is written in the node `parent`, or at the top level. `None` if it cannot be
    /// written.
    fn written_name(&mut self, id: DefinitionId, parent: Option<usize>) -> Option<CompactString> {
        let index = Arc::clone(&self.index);
        let name = display::written_name(&index, id);
        match parent {
            Some(parent) => self.renderer.can_hold(self.definition_kind(parent), index.definition(id)).then_some(name),
            None => self.renderer.top_level_name(&index, id, &name).map(|name| name.written),
        }
    }

    /// The kind of a node's definition.
    fn definition_kind(&self, node: usize) -> DefinitionKind {
        match self.nodes[node].kind {
            PricedNodeKind::Container(id) | PricedNodeKind::Definition(id) => self.index.definition(id).kind,
            PricedNodeKind::ImportGroup(_) => DefinitionKind::Class,
        }
    }

    /// Adds the members of a module or repository in import groups.
    fn add_import_groups(&mut self, scope: Scope, members: &[DefinitionId]) {
        let index = Arc::clone(&self.index);
        let requested_module = match scope {
            Scope::Module(id) => Some(index.module(id).fqn.clone()),
            _ => None,
        };
        let mut groups = ImportGroups::new();
        for &id in members.iter().filter(|&&id| index.definition(id).language == self.language) {
            self.symbols += 1;
            let path = display::import_path(&index, id, requested_module.as_deref());
            let name = self.renderer.top_level_name(&index, id, &path.name);
            let other_name = name.as_ref().filter(|name| !name.is_wanted).map(|name| &*name.written);
            // If the title line already states the import, the group needs no comment.
            let needs_comment = path.module != self.subject || path.inner != path.name || other_name.is_some();
            let comment = if needs_comment { self.renderer.import_comment(&path, other_name) } else { String::new() };
            groups.entry(comment).or_default().push((id, name.map(|name| name.written)));
        }
        // The group without a comment comes first: below another group's comment it would seem to belong to that group.
        if let Some(position) = groups.get_index_of("") {
            groups.move_index(position, 0);
        }
        for (comment, members) in groups {
            let group = (!comment.is_empty())
                .then(|| self.push(PricedNodeKind::ImportGroup(comment), CompactString::default(), None, 0));
            for (id, name) in members {
                match name {
                    Some(name) => {
                        self.add_definition(&index, id, name, group);
                    }
                    None => self.count_uses_within(&index, id),
                }
            }
            if let Some(group) = group {
                self.nodes[group].end = self.nodes.len();
            }
        }
    }

    /// Adds the types of the sources that the texts of the scope name, in languages whose stubs declare them.
    fn add_named_types(&mut self) {
        let index = Arc::clone(&self.index);
        if !self.declares_types() {
            return;
        }
        let definitions: indexmap::IndexSet<DefinitionId, rustc_hash::FxBuildHasher> = self
            .nodes
            .iter()
            .filter_map(|node| match node.kind {
                PricedNodeKind::Definition(id) | PricedNodeKind::Container(id) => Some(id),
                PricedNodeKind::ImportGroup(_) => None,
            })
            .collect();
        let ids: Vec<DefinitionId> = definitions.iter().copied().collect();
        let mut named = self.renderer.name_types(&index, &ids);
        named.retain(|(id, _)| !definitions.contains(id));
        // The uses of these types do not count as uses of the scope, and the types themselves may be left out.
        let (first, total, known) = (self.nodes.len(), self.total_calls, self.known);
        for (id, name) in named {
            self.add_definition(&index, id, name, None);
        }
        let inherited = (first..self.nodes.len()).filter(|&node| self.is_inherited(node));
        let inherited: Vec<DefinitionId> =
            inherited.filter_map(|node| self.definition(node).map(|(id, _)| id)).collect();
        if !inherited.is_empty() {
            self.renderer.name_types(&index, &inherited);
        }
        for node in &mut self.nodes[first..] {
            (node.is_named_type, node.is_forced) = (true, false);
        }
        (self.total_calls, self.known) = (total, known);
        let top_level: Vec<(DefinitionId, usize)> = (0..self.nodes.len())
            .filter(|&node| self.is_top_level(node))
            .filter_map(|node| match self.nodes[node].kind {
                PricedNodeKind::Container(id) | PricedNodeKind::Definition(id) => Some((id, node)),
                PricedNodeKind::ImportGroup(_) => None,
            })
            .collect();
        for (id, node) in top_level {
            self.renderer.set_node(id, &self.nodes[node].name, node);
        }
    }

    /// Adds a definition and its public members, and returns its node; `None` if it is banned.
    fn add_definition(
        &mut self,
        index: &Index,
        id: DefinitionId,
        name: CompactString,
        parent: Option<usize>,
    ) -> Option<usize> {
        let definition = index.definition(id);
        let (is_banned, is_pinned) = self.overrides.of(id).map_or((false, false), |o| (o.is_banned, o.is_pinned));
        if is_banned {
            self.count_uses_within(index, id);
            return None;
        }
        self.count_uses(index, id);
        let indent = match parent.map(|p| &self.nodes[p]) {
            Some(parent) if !matches!(parent.kind, PricedNodeKind::ImportGroup(_)) => {
                parent.indent + self.renderer.indent_width()
            }
            _ => 0,
        };
        let node = self.push(PricedNodeKind::Definition(id), name, parent, indent);
        self.nodes[node].is_forced = is_pinned;
        if self.renderer.holds_members(index, id) {
            let is_too_deep = indent >= MAX_NESTING * self.renderer.indent_width();
            for member in self.members_within(index, id, node) {
                let name = CompactString::new(&index.definition(member).name);
                let is_writable = !is_too_deep && self.renderer.can_hold(definition.kind, index.definition(member));
                if !is_writable {
                    self.count_uses(index, member);
                }
                if !is_writable || self.add_definition(index, member, name, Some(node)).is_none() {
                    self.nodes[node].unwritable_members += 1;
                }
            }
            self.nodes[node].end = self.nodes.len();
        }
        Some(node)
    }

    /// True for a member of a type that the stub shows in another type, which inherits it.
    fn is_inherited(&self, node: usize) -> bool {
        let holder = self.nodes[node].parent.and_then(|parent| self.definition(parent)).map(|(id, _)| id);
        holder.is_some() && self.definition(node).is_some_and(|(_, member)| member.parent != holder)
    }

    /// The public members of a definition in the order of a stub. Those of the requested class include the used ones
    /// of its public bases, which are shown nowhere else; so do those of the types that a requested function names: a
    /// caller goes on with what they inherit.
    fn members_within(&mut self, index: &Index, id: DefinitionId, node: usize) -> Vec<DefinitionId> {
        let mut members = self.renderer.members(index, id);
        let Scope::Definition(requested) = self.scope else { return members };
        let is_named_type = || self.nodes[node].parent.is_none() && !self.renderer.holds_members(index, requested);
        if id != requested && !is_named_type() {
            return members;
        }
        let mut inherited = index.members_of_public_bases(id);
        inherited.retain(|&member| {
            index.usage(member).uses() > 0 && self.overrides.banned_ancestor(index, member).is_none()
        });
        if inherited.is_empty() {
            return members;
        }
        self.nodes[node].holds_inherited = true;
        let uses = |member: &DefinitionId| index.usage(*member).uses();
        inherited.sort_by_key(|member| Reverse(uses(member)));
        if id == requested {
            members.extend(inherited);
            members.sort_by_key(|member| Reverse(uses(member)));
            return members;
        }
        // Such a type is often shown in part. What it declares itself is what distinguishes it, what it inherits is
        // often used more: one after the other.
        let (used, unused): (Vec<DefinitionId>, Vec<DefinitionId>) =
            members.into_iter().partition(|member| uses(member) > 0);
        let ranked = |members: Vec<DefinitionId>, is_inherited: bool| {
            members.into_iter().enumerate().map(move |(rank, member)| (rank, is_inherited, member))
        };
        let mut ranked: Vec<(usize, bool, DefinitionId)> = ranked(used, false).chain(ranked(inherited, true)).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(.., member)| member).chain(unused).collect()
    }

    /// Adds the uses of one definition to those of the scope.
    fn count_uses(&mut self, index: &Index, id: DefinitionId) {
        let definition = index.definition(id);
        self.total_calls += definition.usage.total_calls;
        self.known += Self::known_uses(definition);
        self.known += self.uses_within_type(id);
    }

    /// Adds the uses of a definition that has no node, and of its members, to those of the scope.
    fn count_uses_within(&mut self, index: &Index, id: DefinitionId) {
        let mut worklist = vec![id];
        while let Some(id) = worklist.pop() {
            self.count_uses(index, id);
            if self.renderer.holds_members(index, id) {
                worklist.extend(self.renderer.members(index, id));
            }
        }
    }

    fn push(&mut self, kind: PricedNodeKind, name: CompactString, parent: Option<usize>, indent: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node {
            kind,
            name,
            parent,
            end: node + 1,
            indent,
            is_forced: false,
            unwritable_members: 0,
            is_named_type: false,
            holds_inherited: false,
            frame_price: OnceLock::new(),
            required_prices: Default::default(),
        });
        node
    }
}

/// The language of the stub of a scope: the one with the most uses; of equals, the one with the most definitions. Also
/// returns the next language that has definitions, with the number of its top-level definitions.
///
/// No file holds two languages: a stub with both would be valid in neither.
fn main_language(index: &Index, members: &[DefinitionId]) -> (Language, Option<(Language, usize)>) {
    let uses_and_definitions = |language: Language| {
        let own = members.iter().map(|&id| index.definition(id)).filter(move |d| d.language == language);
        let inner = own.clone().flat_map(|d| &d.members).map(|&id| index.definition(id));
        let uses = own.clone().chain(inner).map(|d| d.usage.uses()).sum::<u32>();
        (uses, own.count())
    };
    let mut languages = Language::ALL.map(|language| (uses_and_definitions(language), language));
    languages.sort_by_key(|&(weight, language)| (Reverse(weight), language));
    let [(_, language), others @ ..] = languages;
    let other = others.iter().find(|((_, definitions), _)| *definitions > 0);
    (language, other.map(|&((_, definitions), other)| (other, definitions)))
}
