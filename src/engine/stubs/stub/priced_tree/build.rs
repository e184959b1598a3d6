//! Builds the nodes of a priced tree from the definitions of a scope.

use std::{
    cmp::Reverse,
    sync::{Arc, OnceLock},
};

use compact_str::CompactString;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::{Node, NodeTextCache, PricedNodeKind, PricedTree, members::HeldMember};
use crate::{
    overrides::ResolvedOverrides,
    stub::{display, language::stub_language, renderer::Layout},
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, UseKind};
use apidisc_indexing::{
    index::{Definition, Index, Scope},
    usage::Uses,
};
use apidisc_tokens::Tokenizer;

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
            keyword_classes: FxHashMap::default(),
            named: OnceLock::new(),
            not_of_library: OnceLock::new(),
            subclasses: OnceLock::new(),
            makers: OnceLock::new(),
            scope,
            symbols: 0,
            total_calls: 0,
            known: Uses::default(),
            other_uses: [0; UseKind::ALL.len()],
            inherited: Uses::default(),
            has_uncertain_calls: false,
            has_counted_definitions: false,
            uses_through: 0,
            calls_of_subclasses: 0,
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
        tree.add_keyword_classes();
        tree.has_counted_definitions = (0..tree.nodes.len()).any(|node| tree.is_counted(node));
        tree.has_uncertain_calls = tree.finds_uncertain_calls();
        tree.uses_through = tree.count_uses_through();
        tree.calls_of_subclasses = tree.count_calls_of_subclasses();
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
        let member = HeldMember::new(id);
        let added = self.written_name(id, parent).and_then(|name| self.add_definition(&index, member, name, parent));
        let Some(node) = added else { return self.nodes.clear() };
        self.nodes[node].is_forced = true;
        let end = self.nodes.len();
        self.nodes.iter_mut().take_while(|n| matches!(n.kind, PricedNodeKind::Container(_))).for_each(|n| n.end = end);
    }

    /// The name under which a definition is written in the node `parent`, or at the top level. `None` if it cannot be
    /// written.
    pub(super) fn written_name(&mut self, id: DefinitionId, parent: Option<usize>) -> Option<CompactString> {
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
                        self.add_definition(&index, HeldMember::new(id), name, group);
                    }
                    None => self.count_uses_within(&index, id),
                }
            }
            if let Some(group) = group {
                self.nodes[group].end = self.nodes.len();
            }
        }
    }

    /// Adds a definition and its public members, and returns its node; `None` if it is banned.
    pub(super) fn add_definition(
        &mut self,
        index: &Index,
        HeldMember { id, on_class, .. }: HeldMember,
        name: CompactString,
        parent: Option<usize>,
    ) -> Option<usize> {
        let definition = index.definition(id);
        let (is_banned, is_forced) =
            self.overrides.of(id).map_or((false, false), |o| (o.is_banned, o.is_pinned || o.is_asked));
        if is_banned {
            self.count_uses_within(index, id);
            return None;
        }
        self.count_uses(id, on_class.as_deref().unwrap_or(definition));
        let indent = match parent.map(|p| &self.nodes[p]) {
            Some(parent) if !matches!(parent.kind, PricedNodeKind::ImportGroup(_)) => {
                parent.indent + self.renderer.indent_width()
            }
            _ => 0,
        };
        let node = self.push(PricedNodeKind::Definition(id), name, parent, indent);
        self.nodes[node].is_forced = is_forced;
        self.nodes[node].on_class = on_class;
        if self.renderer.holds_members(index, id) {
            let is_too_deep = indent >= MAX_NESTING * self.renderer.indent_width();
            for member in self.members_within(index, id, node) {
                let held = index.definition(member.id);
                let (is_inherited, known) = (member.is_inherited, self.known);
                let name = CompactString::new(&held.name);
                let is_writable = !is_too_deep && self.renderer.can_hold(definition.kind, held);
                if !is_writable {
                    self.count_uses(member.id, member.on_class.as_deref().unwrap_or(held));
                }
                if !is_writable || self.add_definition(index, member, name, Some(node)).is_none() {
                    self.nodes[node].unwritable_members += 1;
                }
                if is_inherited {
                    self.inherited += self.known - known;
                }
            }
            self.nodes[node].end = self.nodes.len();
        }
        Some(node)
    }

    /// Adds the uses of one definition to those of the scope.
    fn count_uses(&mut self, id: DefinitionId, definition: &Definition) {
        self.total_calls += definition.usage.total_calls;
        self.known += Self::known_uses(definition);
        self.known += self.uses_within_type(id);
        if self.index.counts_other_uses {
            for (kind, count) in self.index.other_use_counts(id) {
                self.other_uses[kind as usize] += count;
            }
        }
    }

    /// Adds the uses of a definition that has no node, and of its members, to those of the scope.
    fn count_uses_within(&mut self, index: &Index, id: DefinitionId) {
        let mut worklist = vec![id];
        while let Some(id) = worklist.pop() {
            self.count_uses(id, index.definition(id));
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
            on_class: None,
            frame_price: OnceLock::new(),
            required_prices: Default::default(),
        });
        node
    }
}

/// The language of the stub of a scope: the language with the most uses, and of equals that with the most definitions.
/// Also returns the next language that has definitions, with the number of its top-level definitions.
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
    languages.shared_sort_by_key(|&(weight, language)| (Reverse(weight), language));
    let [(_, language), others @ ..] = languages;
    let other = others.iter().find(|((_, definitions), _)| *definitions > 0);
    (language, other.map(|&((_, definitions), other)| (other, definitions)))
}
