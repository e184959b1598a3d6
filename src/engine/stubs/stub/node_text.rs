//! The text of one node of a priced tree. It consists of parts that a stub shows or hides separately, and each part has
//! a token count.

use std::sync::OnceLock;

use compact_str::CompactString;

use super::{
    doc_text::DocText,
    priced_tree::NodeValues,
    renderer::CallableRenderer,
    text::{pluralized, sanitized},
};
use apidisc_indexing::index::Definition;
use apidisc_tokens::Tokenizer;

/// Whole lines with their token count. The count is computed on first use, because text that is only written needs
/// none.
#[derive(Clone, Debug, Default)]
pub(crate) struct PricedLines {
    pub(crate) text: Box<str>,
    tokens: OnceLock<u32>,
}

impl PricedLines {
    pub(crate) fn new(text: String) -> Self {
        Self { text: text.into(), tokens: OnceLock::new() }
    }

    pub(crate) fn tokens(&self, tokenizer: &Tokenizer) -> usize {
        let count = || if self.text.is_empty() { 0 } else { tokenizer.count_line(&self.text) as u32 };
        *self.tokens.get_or_init(count) as usize
    }
}

/// The text of a node.
#[derive(Debug, Default)]
pub(crate) struct NodeText {
    /// The lines before everything else; for an attribute or a constant, the whole declaration.
    pub(crate) head: PricedLines,
    /// The name of an attribute as [`Detail::Calls`](super::Detail::Calls) lists it among the other attributes of its
    /// holder; `None` for anything else.
    pub(crate) listed_name: Option<CompactString>,
    /// The lines after everything else, such as a closing brace.
    pub(crate) foot: PricedLines,
    /// The types that the head names. For those of the body, see [`CallableRenderer::references`].
    pub(crate) head_references: Vec<TypeReference>,
    /// Rendered on first use: the first line of a class is often all that is shown of it.
    pub(super) body: OnceLock<NodeBody>,
    /// The documentation in first sentences, and whole. Rendered on first use: most definitions are shown without.
    pub(super) docs: [OnceLock<DocText>; 2],
    /// The comment with a typical call. Rendered on first use.
    pub(super) typical_call: OnceLock<PricedLines>,
    /// What callers pass for each parameter. Found on first use.
    pub(super) values: OnceLock<NodeValues>,
    /// See [`Renderer::constructor_alone`](super::renderer::Renderer::constructor_alone). Rendered on first use.
    pub(super) constructor_alone: OnceLock<Option<Box<dyn CallableRenderer>>>,
}

/// The greatest number of members that the comment of a constant names.
const MAX_NAMED_MEMBERS: usize = 6;

/// `text` with a comment behind the declaration of a constant that says what code uses through it, as in
/// `log: Logger  # 40 uses: info 30, error 10`. Returns `text` as it is if nothing is used through the definition, and
/// for a declaration of several lines.
pub(super) fn with_uses_through(text: NodeText, definition: &Definition, comment_prefix: &str) -> NodeText {
    let line = text.head.text.strip_suffix('\n').filter(|line| !line.is_empty() && !line.contains('\n'));
    let Some(line) = line.filter(|_| !definition.used_members.is_empty()) else { return text };
    let named: Vec<String> = definition
        .used_members
        .iter()
        .take(MAX_NAMED_MEMBERS)
        .map(|(name, uses)| format!("{} {uses}", if name == "()" { "called".into() } else { sanitized(name) }))
        .collect();
    let others = definition.used_members.len() - named.len();
    let others = if others > 0 { format!(", {others} more") } else { String::new() };
    let uses = pluralized(definition.uses_through(), "use");
    let head = PricedLines::new(format!("{line}  {comment_prefix} {uses}: {}{others}\n", named.join(", ")));
    NodeText { head, ..text }
}

/// The text between a node's head and its members.
#[derive(Debug)]
pub(crate) enum NodeBody {
    /// No text.
    Empty,
    /// A signature: of a function, a method, or the constructor of a class.
    Callable(Box<dyn CallableRenderer>),
    /// The line of a class whose constructor is not in the sources, or not worth its tokens.
    UnknownConstructor(PricedLines),
}

/// A type that a text names and that the stub must therefore declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeReference {
    /// The number that the renderer gave the type.
    pub(crate) ty: u32,
    /// The number of type arguments in the reference. It is used if the declaration of the type is not known.
    pub(crate) type_arguments: u8,
    /// True for a base class: it must be declared as a class.
    pub(crate) is_base: bool,
}
