//! The blocks at the left margin of a stub, the blank lines between them, and the tokens that the boundaries add.

use super::{Selection, WrittenNodes, referenced_types::TypeLines};
use crate::stub::priced_tree::{PricedNodeKind, PricedTree};

/// A block at the left margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// The title line with the legend.
    Heading,
    /// The imports of types.
    Imports,
    /// The line above the types that are not part of the scope.
    TypesHeading,
    /// The text of a node.
    Node { node: usize, kind: BlockKind },
}

/// The kinds of nodes at the left margin: they determine where blank lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    ImportGroup,
    Class,
    /// A declaration without members, or a class on one line.
    Declaration,
    /// A type that is not part of the scope.
    NamedType,
}

impl Block {
    fn of(tree: &PricedTree, selection: &Selection, node: usize) -> Self {
        let kind = match &tree.nodes[node].kind {
            _ if tree.nodes[node].is_named_type => BlockKind::NamedType,
            PricedNodeKind::ImportGroup(_) => BlockKind::ImportGroup,
            PricedNodeKind::Container(_) => BlockKind::Class,
            PricedNodeKind::Definition(_) if selection.tokens_alone(tree, node).is_some() => BlockKind::Declaration,
            PricedNodeKind::Definition(_) if tree.holds_members(node) => BlockKind::Class,
            PricedNodeKind::Definition(_) => BlockKind::Declaration,
        };
        Self::Node { node, kind }
    }

    pub(super) fn is_types_heading(&self) -> bool {
        matches!(self, Self::TypesHeading)
    }

    /// True if a blank line separates this block from `next`.
    pub(super) fn needs_blank_before(self, next: Self) -> bool {
        match self {
            Self::Heading | Self::TypesHeading => false,
            Self::Imports => true,
            Self::Node { kind: BlockKind::ImportGroup | BlockKind::NamedType, .. } => false,
            Self::Node { kind: BlockKind::Class, .. } => true,
            Self::Node { kind: BlockKind::Declaration, .. } => {
                !matches!(next, Self::Node { kind: BlockKind::Declaration, .. })
            }
        }
    }
}

/// The blocks of a stub in order. The declarations of `types` follow the types heading.
pub(super) fn blocks(
    tree: &PricedTree,
    selection: &Selection,
    written: &WrittenNodes,
    types: &TypeLines,
) -> Vec<Block> {
    let mut blocks = vec![Block::Heading];
    if !types.imports.is_empty() {
        blocks.push(Block::Imports);
    }
    let mut has_heading = false;
    for (node, _) in written.iter().filter(|&(node, _)| tree.is_top_level(node)) {
        if tree.nodes[node].is_named_type && !std::mem::replace(&mut has_heading, true) {
            blocks.push(Block::TypesHeading);
        }
        blocks.push(Block::of(tree, selection, node));
    }
    if !types.declarations.is_empty() && !has_heading {
        blocks.push(Block::TypesHeading);
    }
    blocks
}

impl Selection {
    /// The tokens of the whole text minus the sum of the tokens of its lines. The two differ for two reasons:
    /// - A blank line adds tokens to the line before it.
    /// - The tokenizer may join the end of a line with a `/` at the start of the next line.
    pub(super) fn seam_tokens(&self, tree: &PricedTree, heading: &str, types: &TypeLines, blocks: &[Block]) -> isize {
        let count = |text: &str| tree.tokenizer.count_line(text).cast_signed();
        let seam = |pair: &[Block]| {
            let [above, next] = [pair[0], pair[1]];
            let blank = if above.needs_blank_before(next) { "\n" } else { "" };
            let slashed = self.line_with_slash(tree, next);
            if blank.is_empty() && slashed.is_empty() {
                return 0;
            }
            let last = match above {
                Block::Node { node, .. } => self.last_line(tree, node),
                Block::TypesHeading => tree.types_heading(),
                Block::Imports => types.imports.last().cloned().unwrap_or_default(),
                Block::Heading => last_line(heading),
            };
            count(&format!("{last}{blank}{slashed}"))
                - count(&last)
                - if slashed.is_empty() { 0 } else { count(&slashed) }
        };
        blocks.windows(2).map(seam).sum()
    }

    /// The first line of a block if it begins with `/`, else an empty string.
    fn line_with_slash(&self, tree: &PricedTree, block: Block) -> String {
        let line = match block {
            Block::TypesHeading => tree.types_heading(),
            Block::Heading | Block::Imports => String::new(),
            Block::Node { node, .. } => {
                let priced = tree.priced(node);
                let docs = self.get(node).filter(|_| tree.docs_precede_definition());
                let mut first = docs.map_or_else(String::new, |form| priced.shown_call(&form.docs).into_owned());
                docs.and_then(|form| priced.doc_lines(&form.docs)).iter().for_each(|lines| lines.write(&mut first));
                first.split_inclusive('\n').next().unwrap_or(&priced.head.text).to_owned()
            }
        };
        if line.starts_with('/') { line } else { String::new() }
    }

    /// The last line of the text of a node.
    fn last_line(&self, tree: &PricedTree, node: usize) -> String {
        let priced = tree.priced(node);
        let is_alone = self.tokens_alone(tree, node).is_some();
        if !is_alone && !priced.foot.text.is_empty() {
            return priced.foot.text.to_string();
        }
        let members = || tree.children(Some(node)).filter(|&child| self.shows_within(tree, child));
        if let Some(line) = tree.hidden_line(node, members().count(), self.get(node).is_some(), self.detail()) {
            return line;
        }
        let listed: Vec<usize> = self.listed_within(tree, node).collect();
        if !listed.is_empty() {
            return Self::list_of_names(tree, &listed);
        }
        if let Some(last) = members().last() {
            return self.last_line(tree, last);
        }
        let mut text = String::new();
        self.write_before_members(tree, node, &priced, &mut text);
        last_line(&text)
    }
}

/// The last line of a text, with its line break.
fn last_line(text: &str) -> String {
    let start = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
    text[start..].to_owned()
}
