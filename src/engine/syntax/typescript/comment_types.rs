//! Types in the JSDoc comments of JavaScript: `@param {T} name`, `@returns {T}`, `@type {T}`, `@typedef {T} Name` and
//! `@import { T } from "module"` (TypeScript handbook, "JSDoc Reference").
//!
//! The parser gets a copy of the source in which every type stands in an alias, `type _=T;`, in the place of the tag
//! before it, and every import without its `@`. It reads nothing but these statements, so that every position in the tree
//! is a position in the source.

use std::ops::Range;

use memchr::memmem;
use rustc_hash::FxHashMap;
use tree_sitter::{Node, Parser, Point, Tree};

use super::context::DocRange;
use crate::syntax::tree::{self, Watch};

/// The text before a type, which replaces the tag and the opening brace.
const ALIAS: &[u8] = b"type _=";

/// The greatest number of types in the comments of one file.
const MAX_TYPES: usize = 20_000;
/// The greatest length of a type in bytes.
const MAX_LENGTH: usize = 2_000;

/// The declaration that the type of a tag describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    /// `@param`
    Parameter,
    /// `@returns`
    Returns,
    /// `@type`
    Type,
    /// `@typedef`
    Alias,
    /// `@import`: the range of the type holds the import statement without its first letter.
    Import,
}

/// A tag with a type.
#[derive(Clone, Debug)]
pub(super) struct TypeTag {
    pub(super) kind: TagKind,
    /// The position of the type in the source.
    pub(super) ty: Range<usize>,
    /// The position of the name after the type.
    pub(super) name: Range<usize>,
    /// `{T=}`, `[name]`
    pub(super) is_optional: bool,
}

impl TypeTag {
    /// The position of the statement that the parser reads.
    fn statement_start(&self) -> usize {
        if self.kind == TagKind::Import { self.ty.start - 1 } else { self.ty.start - ALIAS.len() }
    }
}

/// The types in the comments of a file.
#[derive(Debug)]
pub(super) struct CommentTypes {
    /// The patched text, of the length of the source.
    text: String,
    tree: Tree,
    tags: Vec<TypeTag>,
}

/// The tags of a file, each with the node of its type; `None` for a type that is no valid TypeScript.
#[derive(Debug, Default)]
pub(super) struct TypedTags<'t> {
    pub(super) text: &'t str,
    tags: &'t [TypeTag],
    nodes: Vec<Option<Node<'t>>>,
}

impl CommentTypes {
    /// Reads the types in the comments of a source; `None` if there are none.
    pub(super) fn read(parser: &mut Parser, source: &str, watch: &mut Watch<'_>) -> Option<Self> {
        let tags = type_tags(source);
        if tags.is_empty() {
            return None;
        }
        let mut text = source.as_bytes().to_vec();
        let mut ranges = Vec::with_capacity(tags.len());
        let (mut row, mut line_start, mut counted) = (0, 0, 0);
        for tag in &tags {
            let start = tag.statement_start();
            if tag.kind != TagKind::Import {
                patch_type(&mut text, tag.ty.clone());
                text[start..tag.ty.start].copy_from_slice(ALIAS);
            }
            text[tag.ty.end] = b';';
            let mut point = |at: usize| {
                for newline in memchr::memchr_iter(b'\n', &source.as_bytes()[counted..at]) {
                    (row, line_start) = (row + 1, counted + newline + 1);
                }
                counted = at;
                Point { row, column: at - line_start }
            };
            let (start_byte, end_byte) = (start, tag.ty.end + 1);
            let (start_point, end_point) = (point(start_byte), point(end_byte));
            ranges.push(tree_sitter::Range { start_byte, end_byte, start_point, end_point });
        }
        let text = String::from_utf8(text).ok()?;
        parser.set_included_ranges(&ranges).ok()?;
        let tree = tree::parse(parser, &text, watch);
        // No ranges mean the whole text.
        let _ = parser.set_included_ranges(&[]);
        Some(Self { text, tree: tree.ok()?, tags })
    }

    /// The tags with the nodes of their types.
    pub(super) fn typed_tags(&self) -> TypedTags<'_> {
        let mut of_start = FxHashMap::default();
        let root = self.tree.root_node();
        let mut cursor = root.walk();
        for statement in root.named_children(&mut cursor).filter(|statement| !statement.has_error()) {
            let node = match statement.kind() {
                "type_alias_declaration" => statement.child_by_field_name("value"),
                "import_statement" => Some(statement),
                _ => None,
            };
            of_start.extend(node.map(|node| (statement.start_byte(), node)));
        }
        let node = |tag: &TypeTag| {
            let node: Node<'_> = *of_start.get(&tag.statement_start())?;
            (node.end_byte() <= tag.ty.end + 1).then_some(node)
        };
        TypedTags { text: &self.text, tags: &self.tags, nodes: self.tags.iter().map(node).collect() }
    }
}

impl<'t> TypedTags<'t> {
    /// The tags of a comment, with the nodes of their types.
    pub(super) fn of_comment(&self, (start, end): DocRange) -> impl Iterator<Item = (TypeTag, Option<Node<'t>>)> + '_ {
        let first = self.tags.partition_point(|tag| tag.ty.start < start as usize);
        let tags = self.tags[first..].iter().take_while(move |tag| tag.ty.start < end as usize);
        tags.cloned().zip(self.nodes[first..].iter().copied())
    }

    /// True if no comment has a type.
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The tags of all comments.
    pub(super) fn all(&self) -> impl Iterator<Item = (TypeTag, Option<Node<'t>>)> + '_ {
        self.tags.iter().cloned().zip(self.nodes.iter().copied())
    }
}

/// The tags with types in all comments, in source order.
fn type_tags(source: &str) -> Vec<TypeTag> {
    let mut tags = Vec::new();
    let mut after = 0;
    while let Some(start) = memmem::find(&source.as_bytes()[after..], b"/**").map(|at| after + at) {
        let end = memmem::find(&source.as_bytes()[start + 3..], b"*/").map_or(source.len(), |at| start + 3 + at);
        let mut from = start;
        while let Some(at) = memchr::memchr(b'@', &source.as_bytes()[from..end]).map(|at| from + at) {
            from = at + 1;
            if let Some(tag) = type_tag(source, at, end, after) {
                (from, after) = (tag.ty.end, tag.ty.end + 1);
                tags.push(tag);
            }
        }
        after = after.max(end);
        if tags.len() > MAX_TYPES {
            tags.clear();
            break;
        }
    }
    tags
}

/// The tag at `at`, if it has a type. The text before `free_from` belongs to the tag before.
fn type_tag(source: &str, at: usize, comment_end: usize, free_from: usize) -> Option<TypeTag> {
    let rest = &source[at + 1..comment_end];
    let word = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic())?];
    let kind = match word {
        "param" | "parameter" | "arg" | "argument" => TagKind::Parameter,
        "returns" | "return" => TagKind::Returns,
        "type" => TagKind::Type,
        "typedef" => TagKind::Alias,
        "import" => return import_tag(source, at + 1, comment_end),
        _ => return None,
    };
    let gap = &rest[word.len()..];
    let open = at + 1 + word.len() + (gap.len() - gap.trim_start_matches([' ', '\t']).len());
    let length = braces_length(source.get(open..comment_end.min(open + MAX_LENGTH))?)?;
    let ty = open + 1..open + length - 1;
    let prefix = ty.start.checked_sub(ALIAS.len()).filter(|start| *start >= free_from)?;
    if !source.as_bytes()[prefix..ty.start].is_ascii() || matches!(source[ty.clone()].trim(), "" | "*" | "?") {
        return None;
    }
    let mut is_optional = source[ty.clone()].trim_end().ends_with('=');
    let after = &source[open + length..comment_end];
    let name = after.trim_start_matches([' ', '\t']);
    let mut start = open + length + (after.len() - name.len());
    if let Some(inner) = name.strip_prefix('[') {
        is_optional = true;
        start += 1 + (inner.len() - inner.trim_start().len());
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let name = &source[start..comment_end];
    let name = start..start + name.find(|c: char| !is_name(c)).unwrap_or(name.len());
    Some(TypeTag { kind, ty, name, is_optional })
}

/// The tag `@import { T } from "module"` whose word begins at `start`. One character must follow the string.
fn import_tag(source: &str, start: usize, comment_end: usize) -> Option<TypeTag> {
    let text = source.get(start..comment_end.min(start + MAX_LENGTH))?;
    let quote = text.find(['"', '\''])?;
    let end = quote + 1 + text[quote + 1..].find(&text[quote..=quote])? + 1;
    let is_plain = text[..quote].trim_end().ends_with("from") && !text[..end].contains(['@', ';', '*', '\n']);
    let is_namespace = text[..quote].contains("* as");
    if !(is_plain || is_namespace) || text[..end].contains('\n') || !source.as_bytes()[start + end].is_ascii() {
        return None;
    }
    let end = start + end;
    Some(TypeTag { kind: TagKind::Import, ty: start + 1..end, name: end..end, is_optional: false })
}

/// The length of the text in braces that `text` begins with.
fn braces_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            _ if at == 0 => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Replaces what JSDoc writes unlike TypeScript: `?T`, `!T`, `T=`, `...T`, `A.<T>`, and the `*` at the beginning of a line.
fn patch_type(text: &mut [u8], ty: Range<usize>) {
    let ty = &mut text[ty];
    let blank = |part: &mut [u8]| part.fill(b' ');
    let first = ty.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    if matches!(ty.get(first), Some(b'?' | b'!')) {
        blank(&mut ty[first..=first]);
    } else if ty[first..].starts_with(b"...") {
        blank(&mut ty[first..first + 3]);
    }
    if let Some(last) = ty.iter().rposition(|byte| !byte.is_ascii_whitespace()).filter(|last| ty[*last] == b'=') {
        blank(&mut ty[last..=last]);
    }
    let dots: Vec<usize> = memmem::find_iter(ty, b".<").collect();
    for dot in dots {
        blank(&mut ty[dot..=dot]);
    }
    let mut begins_line = false;
    for byte in ty {
        match byte {
            b'\n' => begins_line = true,
            b' ' | b'\t' | b'\r' => {}
            b'*' if begins_line => (*byte, begins_line) = (b' ', false),
            _ => begins_line = false,
        }
    }
}
