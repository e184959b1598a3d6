//! Access to the nodes of the tree. Every function that takes a cursor leaves it at the same node.

use tree_sitter::{Node, TreeCursor};

use super::{
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::Lowering,
};
use crate::syntax::tree::{field_of, for_each_child};

impl<'s> Lowering<'s> {
    #[inline]
    pub(super) fn kind(&self, node: Node) -> SyntaxKind {
        self.grammar.kind(node.kind_id())
    }

    #[inline]
    pub(super) fn is_node(&self, node: Node, kind: NodeKind) -> bool {
        self.kind(node) == SyntaxKind::Node(kind)
    }

    /// The source text of a node.
    #[inline]
    pub(super) fn text(&self, node: Node) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// Calls `f` at each child. `f` must leave the cursor at the child.
    #[inline]
    pub(super) fn children<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, SyntaxKind),
    ) {
        for_each_child(cursor, |cursor| {
            let kind = self.kind(cursor.node());
            f(self, cursor, kind);
        });
    }

    /// Calls `f` at the named children; comments are left out.
    #[inline]
    pub(super) fn named_children<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind),
    ) {
        self.children(cursor, |this, cursor, kind| {
            if let SyntaxKind::Node(kind) = kind {
                f(this, cursor, kind);
            }
        });
    }

    /// Calls `f` at the named children, with the field id of each; 0 for a child without a field.
    #[inline]
    pub(super) fn fields<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind, u16),
    ) {
        self.named_children(cursor, |this, cursor, kind| {
            f(this, cursor, kind, field_of(cursor));
        });
    }

    /// Calls `f` at the named children that have the field `field`.
    pub(super) fn field<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        field: u16,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, NodeKind),
    ) {
        self.fields(cursor, |this, cursor, kind, id| {
            if id == field {
                f(this, cursor, kind);
            }
        });
    }

    /// Calls `f` at the first named child. `f` must leave the cursor at the child.
    pub(super) fn first_named_child<'t, T>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        f: impl FnOnce(&mut Self, &mut TreeCursor<'t>, NodeKind) -> T,
    ) -> Option<T> {
        if !cursor.goto_first_child() {
            return None;
        }
        let result = loop {
            if let SyntaxKind::Node(kind) = self.kind(cursor.node()) {
                break Some(f(self, cursor, kind));
            }
            if !cursor.goto_next_sibling() {
                break None;
            }
        };
        cursor.goto_parent();
        result
    }

    /// Calls `f` at each child except comments, with [`Lowering::doc`] set to the JSDoc comment before the child.
    pub(super) fn documented_children<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        mut f: impl FnMut(&mut Self, &mut TreeCursor<'t>, SyntaxKind),
    ) {
        self.doc = None;
        self.children(cursor, |this, cursor, kind| match kind {
            SyntaxKind::Comment => {
                let node = cursor.node();
                if this.source.as_bytes()[node.start_byte()..].starts_with(b"/**") {
                    this.doc = Some((node.start_byte() as u32, node.end_byte() as u32));
                }
            }
            SyntaxKind::Token(TokenKind::Comma | TokenKind::Other) => f(this, cursor, kind),
            SyntaxKind::Node(NodeKind::Decorator) => {
                let doc = this.doc;
                f(this, cursor, kind);
                this.doc = doc;
            }
            _ => {
                f(this, cursor, kind);
                this.doc = None;
            }
        });
    }

    /// True if a child of `node` is the token `token`.
    pub(super) fn has_token(&self, node: Node, token: TokenKind) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| self.kind(child) == SyntaxKind::Token(token))
    }
}
