//! What each language says in its own way: names, comments, first and last lines, signatures.

use compact_str::CompactString;

use super::{
    display::ImportPath,
    needs::Need,
    pieces::{Body, Piece, Pieces},
    priced_tree::{Node, NodeKind, PricedTree},
    python, typescript,
};
use crate::{
    index::{Definition, Index},
    language::Language,
    program::{DefinitionId, DefinitionKind, ParameterSet},
    tokens::Tokenizer,
};

/// The language of a stub, with what it must remember of the whole of it.
#[derive(Debug)]
pub(crate) enum Renderer {
    Python,
    TypeScript(Box<typescript::Names>),
}

/// A function, method or constructor: which parameters are visible decides how it is written and what it costs.
#[derive(Debug)]
pub(crate) enum Callable {
    Python(python::Callable),
    TypeScript(typescript::Callable),
}

impl Renderer {
    pub(crate) fn new(language: Language) -> Self {
        match language {
            Language::Python => Self::Python,
            Language::TypeScript => Self::TypeScript(Box::default()),
        }
    }

    /// What begins a comment.
    pub(crate) fn comment(&self) -> &'static str {
        match self {
            Self::Python => "#",
            Self::TypeScript(_) => "//",
        }
    }

    /// Columns by which a body is moved in.
    pub(crate) fn step(&self) -> usize {
        match self {
            Self::Python => 4,
            Self::TypeScript(_) => 2,
        }
    }

    /// The name at the top under which a definition is written; `None` where it cannot be, or is there already.
    pub(crate) fn top_name(&mut self, index: &Index, id: DefinitionId, wanted: &str) -> Option<CompactString> {
        match self {
            Self::Python => python::is_name(wanted).then(|| wanted.into()),
            Self::TypeScript(names) => {
                typescript::is_name(wanted).then(|| names.name_definition(index, id, wanted)).flatten()
            }
        }
    }

    /// True for what can be written in the body of a definition of that kind.
    pub(crate) fn is_member(&self, holder: DefinitionKind, member: &Definition) -> bool {
        match self {
            Self::Python => python::is_name(&member.name),
            Self::TypeScript(_) => typescript::is_member(holder, member),
        }
    }

    /// The line above definitions that says where they are imported from. `shown` is the name under which they are
    /// written, where that is not the one that they are imported by.
    pub(crate) fn group(&self, path: &ImportPath, shown: Option<&str>) -> String {
        match self {
            Self::Python => python::group(&path.module),
            Self::TypeScript(_) => typescript::group(path, shown),
        }
    }

    /// True where members stand in the body of a definition.
    pub(crate) fn holds_members(&self, index: &Index, definition: &Definition) -> bool {
        match self {
            Self::Python => python::holds_members(definition),
            Self::TypeScript(_) => typescript::holds_members(index, definition),
        }
    }

    /// Public members of a definition in the order of a stub.
    pub(crate) fn members(&self, index: &Index, definition: &Definition) -> Vec<DefinitionId> {
        match self {
            Self::Python => python::members(index, definition),
            Self::TypeScript(_) => typescript::members(index, definition),
        }
    }

    /// The text of a node; what follows its head is made by [`Self::body`].
    pub(super) fn pieces(&self, tree: &PricedTree, node: usize) -> Pieces {
        let Node { kind, name, indent, .. } = &tree.nodes[node];
        match (kind, self) {
            (NodeKind::Group(line), _) => Pieces { head: Piece::new(format!("{line}\n")), ..Pieces::default() },
            (NodeKind::Container(id) | NodeKind::Definition(id), Self::Python) => {
                python::pieces(tree.index.definition(*id), name, *indent)
            }
            (NodeKind::Container(id) | NodeKind::Definition(id), Self::TypeScript(names)) => {
                typescript::pieces(tree, names, node, *id)
            }
        }
    }

    /// How the text of a node goes on after its head.
    pub(super) fn body(&self, tree: &PricedTree, node: usize) -> Body {
        let Node { kind, name, indent, .. } = &tree.nodes[node];
        match (kind, self) {
            (NodeKind::Group(_), _) => Body::None,
            (NodeKind::Container(id) | NodeKind::Definition(id), Self::Python) => {
                python::body(tree.index.definition(*id), name, *indent)
            }
            (NodeKind::Container(id) | NodeKind::Definition(id), Self::TypeScript(names)) => {
                typescript::body(tree, names, node, *id)
            }
        }
    }

    /// True where the summary stands before a definition, not in it.
    pub(crate) fn summary_stands_before(&self) -> bool {
        matches!(self, Self::TypeScript(_))
    }
}

impl Callable {
    /// Number of parameters, those that cannot be written included.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Python(callable) => callable.len(),
            Self::TypeScript(callable) => callable.len(),
        }
    }

    /// True where the parameter can be written.
    pub(crate) fn is_showable(&self, position: usize) -> bool {
        match self {
            Self::Python(callable) => callable.is_showable(position),
            Self::TypeScript(callable) => callable.is_showable(position),
        }
    }

    /// Tokens of a parameter's own line.
    pub(crate) fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        match self {
            Self::Python(callable) => callable.line_price(position, tokenizer),
            Self::TypeScript(callable) => callable.line_price(position, tokenizer),
        }
    }

    /// The set with everything that must be visible together with it.
    pub(crate) fn complete(&self, set: &ParameterSet) -> ParameterSet {
        match self {
            Self::Python(callable) => callable.complete(set),
            Self::TypeScript(callable) => callable.complete(set),
        }
    }

    /// Tokens of the text that [`Self::write`] gives; `docstring` is the line of a summary that stands in it.
    pub(crate) fn price(&self, visible: &ParameterSet, docstring: Option<&Piece>, tokenizer: &Tokenizer) -> usize {
        match self {
            Self::Python(callable) => callable.price(visible, docstring, tokenizer),
            Self::TypeScript(callable) => callable.price(visible, tokenizer),
        }
    }

    /// Adds the text to `out`.
    pub(crate) fn write(&self, visible: &ParameterSet, docstring: Option<&Piece>, out: &mut String) {
        match self {
            Self::Python(callable) => callable.write(visible, docstring, out),
            Self::TypeScript(callable) => callable.write(visible, out),
        }
    }

    /// The types that its text names.
    pub(crate) fn needs(&self, visible: &ParameterSet) -> Vec<Need> {
        match self {
            Self::Python(_) => Vec::new(),
            Self::TypeScript(callable) => callable.needs(visible),
        }
    }
}
