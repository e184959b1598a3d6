//! The priced tree: a scope as a tree of nodes, each with the tokens that it takes and the calls that it covers.
//!
//! Texts are rendered on first use, since most nodes of a large scope are never shown; see [`priced_node`]. A text is a
//! concatenation of whole lines, so that token counts add up; [`apidisc_tokens`] describes when the sum is exact.

mod allowed;
mod asked;
mod build;
mod classes;
mod dict_keys;
mod fluent;
mod given;
mod key_texts;
mod keywords;
mod layouts;
mod made_outside;
mod made_values;
mod members;
mod named_types;
mod namesakes;
mod option_keys;
mod override_check;
mod parameter_values;
mod passed_objects;
mod priced_node;
mod receivers;
mod typical_call;
mod unshown;
mod value_texts;
mod values;

use std::sync::{Arc, OnceLock};

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    doc_text::DocText,
    docs::ShownDocs,
    node_text::{NodeBody, NodeText, PricedLines, TypeReference, with_uses_through},
    renderer::{CallableRenderer, ImportedType, Indentation, PlacedDefinition, Renderer},
    text::pluralized,
    wording::{Detail, HIDDEN_SIGN},
};
use crate::{makers::Makers, overrides::ResolvedOverrides, subclasses::Subclasses};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterSet, UseKind};
use apidisc_indexing::{
    index::{Definition, Index, Scope},
    usage::{Usage, Uses},
};
use apidisc_tokens::Tokenizer;
pub(crate) use layouts::PricedTrees;
pub(crate) use priced_node::{NodeTextCache, PricedNode};
pub use unshown::{Unshown, UnshownReason};
pub(crate) use values::{NodeValues, ParameterValues};

/// The comment above the types that a stub declares although they are not part of its scope.
pub const TYPES_HEADING: &str = "types named above:";

/// The largest number of tokens of a type alias that is declared in full when a shown text names it, if the alias lists
/// values or cannot be imported.
const SHORT_ALIAS_TOKENS: usize = 24;
/// The largest number of tokens of any other type alias that is declared in full when a shown text names it.
const SHORTEST_ALIAS_TOKENS: usize = 12;

/// The way in which a stub introduces a type that it names but does not write out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypeSource<'t> {
    Import(ImportedType<'t>),
    /// A declaration on one line.
    Declaration(String),
}

/// All definitions of a scope that may be shown, as a tree.
#[derive(Debug)]
pub(crate) struct PricedTree {
    pub(crate) index: Arc<Index>,
    pub(crate) tokenizer: Arc<Tokenizer>,
    /// The beginning of the title line: the name of the scope.
    pub(crate) subject: String,
    /// In preorder: a node's descendants follow it, up to its `end`.
    pub(crate) nodes: Vec<Node>,
    /// Nodes that are always shown, in the order of the text.
    pub(crate) forced: Vec<usize>,
    /// The nodes of classes outside of the scope whose fields are the keywords of a function, by the function.
    keyword_classes: FxHashMap<DefinitionId, usize>,
    /// The public classes and constants of the index by the last parts of their names.
    named: OnceLock<FxHashMap<ArcStr, Vec<DefinitionId>>>,
    /// The names of classes that tests, examples and scripts define, and the library does not.
    not_of_library: OnceLock<FxHashSet<ArcStr>>,
    subclasses: OnceLock<Subclasses>,
    makers: OnceLock<Makers>,
    scope: Scope,
    /// Number of definitions of the scope at the top level, including those that cannot be written. 0 if the scope is
    /// one definition.
    pub(crate) symbols: usize,
    /// The number of calls of all definitions in the scope.
    pub(crate) total_calls: u32,
    /// The calls among them whose arguments are all known, and the reads of all definitions in the scope.
    pub(crate) known: Uses,
    /// The uses of all definitions in the scope that are neither calls nor reads, by kind; 0 unless the index says
    /// them.
    pub(crate) other_uses: [u32; UseKind::ALL.len()],
    /// The uses in `known` of members that the requested class inherits from public bases. In any other scope, these
    /// uses count for the base.
    pub(crate) inherited: Uses,
    /// True if calls were found that may call a definition of the scope, but that count for none.
    pub(crate) has_uncertain_calls: bool,
    /// True if the scope has a definition whose calls or reads are counted: no constant, and no type without members.
    pub(crate) has_counted_definitions: bool,
    /// The number of uses that code makes through the constants of the scope. They count for the members used.
    pub(crate) uses_through: u32,
    /// The number of calls of the subclasses of the requested class, if nobody calls the class itself.
    pub(crate) calls_of_subclasses: u32,
    pub(crate) overrides: ResolvedOverrides,
    /// The language of the stub.
    pub(crate) language: Language,
    /// The number of top-level definitions in another language, which the stub leaves out.
    pub(crate) other_language: Option<(Language, usize)>,
    pub(super) renderer: Box<dyn Renderer>,
    pub(crate) text_cache: NodeTextCache,
}

/// An import group, a class around the requested definition, or a definition that may be shown.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: PricedNodeKind,
    /// The name under which the definition is written.
    pub(crate) name: CompactString,
    pub(crate) parent: Option<usize>,
    /// The position after its last descendant.
    pub(crate) end: usize,
    /// The indentation in columns.
    pub(crate) indent: usize,
    /// True if the node is always shown: the definition is the requested one, pinned, or named by an intent.
    pub(crate) is_forced: bool,
    /// Number of public members that cannot be written or are banned: they are always hidden.
    pub(crate) unwritable_members: usize,
    /// True for a type outside of the scope that texts of the scope name, and for the members of such a type.
    pub(crate) is_named_type: bool,
    /// True for a class whose body holds members of its public bases.
    pub(crate) holds_inherited: bool,
    /// For a member that a class inherits from a public base: the definition with the usage that it has on this class.
    /// `None` for any other definition, whose usage is that in the index.
    on_class: Option<Box<Definition>>,
    frame_price: OnceLock<u32>,
    /// By detail.
    required_prices: [OnceLock<u32>; Detail::ALL.len()],
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PricedNodeKind {
    /// A comment with the import of the definitions below it; the value is its text.
    ImportGroup(String),
    /// A class around the requested definition: only its first and last lines are shown.
    Container(DefinitionId),
    /// A definition that may be shown.
    Definition(DefinitionId),
}

impl PricedTree {
    /// The definition that may be shown at a node.
    pub(crate) fn definition(&self, node: usize) -> Option<(DefinitionId, &Definition)> {
        match self.nodes[node].kind {
            PricedNodeKind::Definition(id) => Some((id, self.definition_at(node, id))),
            PricedNodeKind::ImportGroup(_) | PricedNodeKind::Container(_) => None,
        }
    }

    /// The definition `id` of a node, with the usage that counts in the scope.
    fn definition_at(&self, node: usize, id: DefinitionId) -> &Definition {
        self.nodes[node].on_class.as_deref().unwrap_or_else(|| self.index.definition(id))
    }

    /// The usage of an inherited member on the class that contains it; `None` for any other definition.
    pub(crate) fn usage_on_class(&self, node: usize) -> Option<Arc<Usage>> {
        self.nodes[node].on_class.as_deref().map(|definition| Arc::clone(&definition.usage))
    }

    /// The definition whose body contains a node; `None` at the top level.
    pub(crate) fn holder(&self, node: usize) -> Option<DefinitionId> {
        match self.nodes[self.nodes[node].parent?].kind {
            PricedNodeKind::Container(id) | PricedNodeKind::Definition(id) => Some(id),
            PricedNodeKind::ImportGroup(_) => None,
        }
    }

    /// The nodes of all definitions that may be shown.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (DefinitionId, usize)> + '_ {
        (0..self.nodes.len()).filter_map(|node| Some((self.definition(node)?.0, node)))
    }

    /// The nodes directly below a node; for `None`, those at the top.
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

    /// The nodes of the scope's definitions at the top level, in an import group or not.
    pub(crate) fn symbol_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.is_symbol(node))
    }

    /// True for a definition of the scope at the top level, in an import group or not.
    pub(crate) fn is_symbol(&self, node: usize) -> bool {
        self.is_top_level(node) && !self.nodes[node].is_named_type && self.definition(node).is_some()
    }

    /// True if the node is written at the left margin.
    pub(crate) fn is_top_level(&self, node: usize) -> bool {
        self.nodes[node].indent == 0
    }

    /// True if the node has a frame: lines that enclose or precede other nodes. Import groups, containers and
    /// definitions that hold members have one.
    pub(crate) fn has_frame(&self, node: usize) -> bool {
        self.definition(node).is_none() || self.holds_members(node)
    }

    /// True for a definition whose body contains members.
    pub(crate) fn holds_members(&self, node: usize) -> bool {
        self.definition(node).is_some_and(|(id, _)| self.renderer.holds_members(&self.index, id))
    }

    /// True for a class, whose constructor is shown or hidden independently of its members, and for a type with call
    /// signatures, which are also shown or hidden independently of the members.
    pub(crate) fn has_constructor(&self, node: usize) -> bool {
        self.definition(node)
            .is_some_and(|(_, definition)| definition.kind == DefinitionKind::Class || definition.has_call_signatures())
    }

    /// Tokens of the frame of a node: the lines before and after its members.
    pub(crate) fn frame_price(&self, node: usize) -> usize {
        *self.nodes[node].frame_price.get_or_init(|| self.priced_uncached(node).frame_price() as u32) as usize
    }

    /// Tokens of a definition in its required form, which shows only the required parameters, without its members.
    pub(crate) fn required_price(&self, node: usize, detail: Detail) -> usize {
        let price = || {
            let priced = self.priced_uncached(node);
            priced.price(&priced.complete(&ParameterSet::new()), detail, &ShownDocs::default()) as u32
        };
        *self.nodes[node].required_prices[detail as usize].get_or_init(price) as usize
    }

    /// True in languages whose stubs declare the types that their texts name.
    pub(crate) fn declares_types(&self) -> bool {
        self.renderer.declares_types()
    }

    /// The node that declares a type.
    pub(crate) fn node_of_type(&self, ty: u32) -> Option<usize> {
        self.renderer.node_of_type(ty)
    }

    /// The node that writes out a type. `None` for a class, whose declaration holds more than a type, and for a type
    /// that cannot be written.
    pub(crate) fn expandable_type(&self, ty: u32) -> Option<usize> {
        let is_known = |node: &usize| !self.priced(*node).head.text.contains(" = any;");
        self.node_of_type(ty).filter(|&node| !self.has_constructor(node)).filter(is_known)
    }

    /// The way in which a stub introduces a type that it names but does not write out: a short type alias in full, an
    /// import, or a declaration of the name alone.
    pub(crate) fn type_source(&self, reference: TypeReference) -> TypeSource<'_> {
        let import = self.renderer.imported_type(reference.ty);
        let is_alias = |node: usize| self.definition(node).is_some_and(|(_, d)| d.kind == DefinitionKind::TypeAlias);
        let is_line = |node: &usize| is_alias(*node) && !self.holds_members(*node);
        let alias = self.node_of_type(reference.ty).filter(is_line).map(|node| self.priced(node));
        let is_short = |alias: &PricedNode<'_>| {
            let has_values = alias.head.text.contains(['"', '\'']);
            let most = if import.is_none() || has_values { SHORT_ALIAS_TOKENS } else { SHORTEST_ALIAS_TOKENS };
            let is_known = import.is_none() || !alias.head.text.contains(" = any;");
            is_known && alias.head_references.is_empty() && alias.head.tokens(&self.tokenizer) <= most
        };
        match (alias.filter(is_short), import) {
            (Some(alias), _) => TypeSource::Declaration(alias.head.text.trim_start_matches("export ").to_owned()),
            (None, Some(import)) => TypeSource::Import(import),
            (None, None) => TypeSource::Declaration(self.name_declaration(reference)),
        }
    }

    /// The line that declares only the name of a type.
    pub(crate) fn name_declaration(&self, reference: TypeReference) -> String {
        self.renderer.short_declaration(reference)
    }

    /// An import statement with these names, as a line.
    pub(crate) fn import_line(&self, statement: u32, names: &[&str]) -> String {
        self.renderer.import_line(statement, names)
    }

    /// Tokens of an import statement without names.
    pub(crate) fn statement_price(&self, statement: u32) -> usize {
        self.tokenizer.count_line(&self.import_line(statement, &[]))
    }

    /// Tokens of the line that declares a type, or of its name in an import statement. A comma after the name is
    /// counted, so the sum is an upper bound.
    pub(crate) fn type_price(&self, reference: TypeReference) -> usize {
        match self.type_source(reference) {
            TypeSource::Declaration(line) => self.tokenizer.count_line(&line),
            TypeSource::Import(import) => {
                let name = match import.name {
                    "" => 0,
                    name => self.tokenizer.count_line(&format!(" {name},")),
                };
                let declaration = || self.tokenizer.count_line(&self.name_declaration(reference));
                if import.rivals.is_empty() { name } else { name.max(declaration()) }
            }
        }
    }

    /// The characters that begin a comment.
    pub(crate) fn comment_prefix(&self) -> &'static str {
        self.renderer.comment_prefix()
    }

    /// The legend of a stub with call shapes, in which one line may stand for a class.
    pub(crate) fn shape_legend(&self, has_classes_alone: bool) -> &'static str {
        self.renderer.shape_legend(has_classes_alone)
    }

    /// The line above the types that are declared although they are not part of the scope.
    pub(crate) fn types_heading(&self) -> String {
        format!("{} {TYPES_HEADING}\n", self.renderer.comment_prefix())
    }

    /// True if the documentation is written in the body, as in a function. The documentation of a class precedes its
    /// constructor; the documentation of an attribute follows the attribute.
    pub(crate) fn has_docs_in_body(&self, node: usize) -> bool {
        let has_body =
            |definition: &Definition| !matches!(definition.kind, DefinitionKind::Attribute | DefinitionKind::Constant);
        !self.renderer.docs_precede_definition()
            && !self.holds_members(node)
            && self.definition(node).is_some_and(|(_, definition)| has_body(definition))
    }

    /// True if the documentation is written before a definition.
    pub(crate) fn docs_precede_definition(&self) -> bool {
        self.renderer.docs_precede_definition()
    }

    /// Tokens of [`Self::hidden_line`].
    pub(crate) fn hidden_price(
        &self,
        node: usize,
        shown_members: usize,
        shows_constructor: bool,
        detail: Detail,
    ) -> usize {
        let line = self.hidden_line(node, shown_members, shows_constructor, detail);
        line.map_or(0, |line| self.tokenizer.count_line(&line))
    }

    /// The line that states how many members of a class are hidden, and whether the constructor is hidden; only
    /// [`HIDDEN_SIGN`] unless `detail` is [`Detail::Full`]. `None` if nothing is hidden.
    pub(crate) fn hidden_line(
        &self,
        node: usize,
        shown_members: usize,
        shows_constructor: bool,
        detail: Detail,
    ) -> Option<String> {
        // The legend of call shapes says that members are left out. A type that is written out seems complete.
        let is_said = detail == Detail::Calls && !self.nodes[node].is_named_type;
        let hidden = self.hidden_members(node, shown_members, shows_constructor).filter(|_| !is_said)?;
        let margin = " ".repeat(self.nodes[node].indent + self.renderer.indent_width());
        let prefix = self.renderer.comment_prefix();
        Some(match detail {
            Detail::Full => format!("{margin}{prefix} ... + {hidden} hidden\n"),
            Detail::Calls | Detail::Lean => format!("{margin}{prefix} {HIDDEN_SIGN}\n"),
        })
    }

    /// The hidden members of a class in words, and its constructor if that is hidden: `constructor and 3 members`.
    /// `None` if nothing is hidden.
    pub(crate) fn hidden_members(&self, node: usize, shown_members: usize, shows_constructor: bool) -> Option<String> {
        if !self.holds_members(node) {
            return None;
        }
        let members = self.children(Some(node)).count() + self.nodes[node].unwritable_members - shown_members;
        let hides_constructor = !shows_constructor && self.has_constructor(node);
        let members = (members > 0).then(|| pluralized(members as u32, "member"));
        match (hides_constructor, members) {
            (true, Some(members)) => Some(format!("constructor and {members}")),
            (true, None) => Some("constructor".to_owned()),
            (false, members) => members,
        }
    }

    /// The uses of a node's definition that can be written if the node is shown with these parameters visible: the
    /// calls that pass no other parameter, and all reads. The text of a type includes the properties that it declares.
    pub(crate) fn covered(&self, node: usize, visible: &ParameterSet) -> Uses {
        let definition = self.definition(node).filter(|_| !self.nodes[node].is_named_type);
        let Some((id, definition)) = definition else { return Uses::default() };
        let usage = &definition.usage;
        let sets = usage.argument_sets.iter().filter(|set| !set.open && set.parameters.is_subset(visible));
        let mut covered = Uses { calls: sets.map(|set| set.calls).sum(), reads: usage.total_reads };
        if definition.annotation.is_some() {
            covered += self.uses_within_type(id);
        }
        covered
    }

    /// The known uses of a definition itself.
    fn known_uses(definition: &Definition) -> Uses {
        let usage = &definition.usage;
        let closed = usage.argument_sets.iter().filter(|set| !set.open);
        Uses { calls: closed.map(|set| set.calls).sum(), reads: usage.total_reads }
    }

    /// The known uses of the properties that the type of an alias or property declares. These properties have no nodes.
    fn uses_within_type(&self, id: DefinitionId) -> Uses {
        let mut uses = Uses::default();
        let mut worklist = vec![id];
        while let Some(id) = worklist.pop() {
            let holder = self.index.definition(id);
            if self.is_described_by_type(id) {
                for &member in holder.members.iter().filter(|&&member| self.index.definition(member).is_public) {
                    uses += Self::known_uses(self.index.definition(member));
                    worklist.push(member);
                }
            }
        }
        uses
    }

    /// True for a type alias or property whose type, not its body, declares its members.
    fn is_described_by_type(&self, id: DefinitionId) -> bool {
        matches!(self.index.definition(id).kind, DefinitionKind::TypeAlias | DefinitionKind::Attribute)
            && !self.renderer.holds_members(&self.index, id)
    }

    /// The definition of a node with its position in the stub; `None` for an import group.
    fn placed(&self, node: usize) -> Option<PlacedDefinition<'_>> {
        let Node { kind, name, indent, is_named_type, holds_inherited, .. } = &self.nodes[node];
        let id = match *kind {
            PricedNodeKind::Container(id) | PricedNodeKind::Definition(id) => id,
            PricedNodeKind::ImportGroup(_) => return None,
        };
        Some(PlacedDefinition {
            index: &self.index,
            id,
            definition: self.definition_at(node, id),
            name,
            indent: Indentation { columns: *indent, step: self.renderer.indent_width() },
            holder: self.holder(node),
            is_named_type: *is_named_type,
            holds_inherited: *holds_inherited,
            holds_members: self.has_frame(node),
            is_wanted: self.nodes[node].is_forced,
        })
    }

    fn render_text(&self, node: usize) -> NodeText {
        match (&self.nodes[node].kind, self.placed(node)) {
            (PricedNodeKind::ImportGroup(line), _) => {
                NodeText { head: PricedLines::new(format!("{line}\n")), ..NodeText::default() }
            }
            (_, Some(placed)) => {
                with_uses_through(self.renderer.text(placed), placed.definition, self.comment_prefix())
            }
            (_, None) => NodeText::default(),
        }
    }

    fn render_docs(&self, node: usize, is_whole: bool) -> DocText {
        self.placed(node).map_or_else(DocText::default, |placed| self.renderer.docs(placed, is_whole))
    }

    /// The line that lists members of the holder of `node` by name.
    pub(crate) fn list_names(&self, names: &[&str], node: usize) -> String {
        self.renderer.list_names(names, self.nodes[node].indent)
    }

    fn render_constructor_alone(&self, node: usize) -> Option<Box<dyn CallableRenderer>> {
        self.renderer.constructor_alone(self.placed(node)?)
    }

    fn render_body(&self, node: usize) -> NodeBody {
        self.placed(node).map_or(NodeBody::Empty, |placed| self.renderer.body(placed))
    }
}
