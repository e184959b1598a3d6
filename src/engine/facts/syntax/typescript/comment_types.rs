//! Types in the JSDoc comments of JavaScript: `@param {T} name`, `@returns {T}`, `@type {T}`, `@typedef {T} Name`,
//! `@property {T} name`, `@callback Name`, `@template {C} T`, `@extends {C<T>}` and `@import { T } from "module"`
//! (TypeScript handbook, "JSDoc Reference").
//!
//! The parser gets a copy of the source in which every type stands in an alias, `type _=T;`, in the place of the tag
//! before it, and every import without its `@`. It reads nothing but these statements, so that every position in the
//! tree is a position in the source.

use std::{borrow::Cow, ops::Range};

use memchr::memmem;
use rustc_hash::FxHashMap;
use tree_sitter::{Node, Parser, Tree};

use super::{context::DocRange, grammar_gaps::mask_imports_of_arrays};
use crate::syntax::parsing::{self, Guard};

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
    /// `@property`
    Property,
    /// `@callback`
    Callback,
    /// `@template`: the type is the constraint, and there may be several names with commas between them.
    Template,
    /// `@extends`
    Base,
    /// `@import`: the range of the type holds the import statement without its first letter.
    Import,
}

/// A tag with a type, or one that declares a type.
#[derive(Clone, Debug)]
pub(super) struct TypeTag {
    pub(super) kind: TagKind,
    /// The position of the comment in the source.
    pub(super) comment: usize,
    /// The line in the source.
    pub(super) line: u32,
    /// The position of the type in the source; empty if the tag has none.
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
    pub(super) fn read(parser: &mut Parser, source: &str, guard: &mut Guard<'_>) -> Option<Self> {
        let mut tags = type_tags(source);
        if tags.iter().all(|tag| tag.ty.is_empty()) {
            return None;
        }
        let mut text = source.as_bytes().to_vec();
        let mut statements = Vec::with_capacity(tags.len());
        let (mut line, mut counted) = (1, 0);
        for tag in &mut tags {
            let start = if tag.ty.is_empty() { tag.ty.start } else { tag.statement_start() };
            line += memchr::memchr_iter(b'\n', &source.as_bytes()[counted..start]).count();
            counted = start;
            tag.line = line as u32;
            if tag.ty.is_empty() {
                continue;
            }
            if tag.kind == TagKind::Import {
                blank_line_stars(&mut text[tag.ty.clone()]);
            } else {
                patch_type(&mut text, tag.ty.clone());
                text[start..tag.ty.start].copy_from_slice(ALIAS);
            }
            text[tag.ty.end] = b';';
            statements.push(start..tag.ty.end + 1);
        }
        // Everything else is blank. Thousands of ranges would take longer: the parser looks for the range of each
        // token.
        let mut blank: Vec<u8> = text.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }).collect();
        for statement in statements {
            blank[statement.clone()].copy_from_slice(&text[statement]);
        }
        let text = String::from_utf8(blank).ok()?;
        let tree = parsing::parse(parser, &mask_imports_of_arrays(Cow::Borrowed(&text)), guard);
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
            if tag.ty.is_empty() {
                return None;
            }
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
                from = tag.ty.end;
                if !tag.ty.is_empty() {
                    after = tag.ty.end + 1;
                }
                tags.push(TypeTag { comment: start, ..tag });
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

/// The tag at `at`, if it has a type or declares one. The text before `free_from` belongs to the tag before.
fn type_tag(source: &str, at: usize, comment_end: usize, free_from: usize) -> Option<TypeTag> {
    let rest = &source[at + 1..comment_end];
    let word = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic())?];
    let kind = match word {
        "param" | "parameter" | "arg" | "argument" => TagKind::Parameter,
        "returns" | "return" => TagKind::Returns,
        "type" => TagKind::Type,
        "typedef" => TagKind::Alias,
        "property" | "prop" => TagKind::Property,
        "callback" => TagKind::Callback,
        "template" => TagKind::Template,
        "extends" | "augments" => TagKind::Base,
        "import" => return import_tag(source, at + 1, comment_end),
        _ => return None,
    };
    let gap = &rest[word.len()..];
    let open = at + 1 + word.len() + (gap.len() - gap.trim_start_matches([' ', '\t']).len());
    let declares = matches!(kind, TagKind::Alias | TagKind::Callback | TagKind::Template);
    if declares && !source.as_bytes()[open..comment_end].starts_with(b"{") {
        let (name, is_optional) = tag_name(source, kind, open, comment_end);
        let ty = name.start..name.start;
        return (!name.is_empty()).then_some(TypeTag { kind, comment: 0, line: 0, ty, name, is_optional });
    }
    let length = braces_length(source.get(open..comment_end.min(open + MAX_LENGTH))?)?;
    let ty = open + 1..open + length - 1;
    let prefix = ty.start.checked_sub(ALIAS.len()).filter(|start| *start >= free_from)?;
    if !source.as_bytes()[prefix..ty.start].is_ascii() || matches!(source[ty.clone()].trim(), "" | "*" | "?") {
        return None;
    }
    let (name, is_optional) = tag_name(source, kind, open + length, comment_end);
    let is_optional = is_optional || source[ty.clone()].trim_end().ends_with('=');
    Some(TypeTag { kind, comment: 0, line: 0, ty, name, is_optional })
}

/// The position of the name in a tag, which begins at `start` or behind a bracket there, and whether there is a
/// bracket.
fn tag_name(source: &str, kind: TagKind, start: usize, comment_end: usize) -> (Range<usize>, bool) {
    let after = &source[start..comment_end];
    let name = after.trim_start_matches([' ', '\t']);
    let mut start = start + (after.len() - name.len());
    let inner = name.strip_prefix('[');
    if let Some(inner) = inner {
        start += 1 + (inner.len() - inner.trim_start().len());
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let rest = &source[start..comment_end];
    let mut length = 0;
    loop {
        length += rest[length..].find(|c: char| !is_name(c)).unwrap_or(rest.len() - length);
        let after = &rest[length..];
        let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
        let more = match kind {
            // `items[].name`
            TagKind::Parameter if after.starts_with("[].") => 2,
            // `T, U`
            TagKind::Template if after[spaces..].starts_with(',') => {
                let next = after[spaces + 1..].trim_start_matches([' ', '\t']);
                after.len() - next.len()
            }
            _ => return (start..start + length, inner.is_some()),
        };
        length += more;
    }
}

/// The tag `@import { T } from "module"` whose word begins at `start`. One character must follow the string.
fn import_tag(source: &str, start: usize, comment_end: usize) -> Option<TypeTag> {
    let text = source.get(start..comment_end.min(start + MAX_LENGTH))?;
    let quote = text.find(['"', '\''])?;
    let end = quote + 1 + text[quote + 1..].find(&text[quote..=quote])? + 1;
    let names = &text[..quote];
    // A `*` begins each line of a comment; elsewhere it belongs to `* as`.
    let is_list = |line: &str| !line.trim_start().trim_start_matches('*').contains('*');
    let is_plain = names.lines().all(is_list) || names.contains("* as") && !names.contains('\n');
    let is_import = names.trim_end().ends_with("from") && !names.contains(['@', ';']) && is_plain;
    if !is_import || text[quote..end].contains('\n') || !source.as_bytes()[start + end].is_ascii() {
        return None;
    }
    let end = start + end;
    let (kind, ty, name) = (TagKind::Import, start + 1..end, end..end);
    Some(TypeTag { kind, comment: 0, line: 0, ty, name, is_optional: false })
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

/// Replaces the type syntax that only JSDoc has by that of TypeScript: `?T`, `!T`, `T=`, `...T`, `A.<T>`,
/// `Object<K, V>` for `Record<K, V>`, and the `*` at the beginning of a line.
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
    let objects: Vec<usize> = memmem::find_iter(ty, b"Object").collect();
    for object in objects {
        let is_whole =
            object == 0 || !matches!(ty[object - 1], b'.' | b'_' | b'$' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z');
        if is_whole && ty[object + 6..].trim_ascii_start().starts_with(b"<") {
            ty[object..object + 6].copy_from_slice(b"Record");
        }
    }
    blank_line_stars(ty);
}

/// Replaces the `*` at the beginning of each line but the first by a space.
fn blank_line_stars(text: &mut [u8]) {
    let mut begins_line = false;
    for byte in text {
        match byte {
            b'\n' => begins_line = true,
            b' ' | b'\t' | b'\r' => {}
            b'*' if begins_line => (*byte, begins_line) = (b' ', false),
            _ => begins_line = false,
        }
    }
}
