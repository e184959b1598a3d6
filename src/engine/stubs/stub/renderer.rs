//! The interface between the priced tree and the languages: the operations that a language implements for its stubs.
//!
//! Each language's folder implements the three traits. Of the other files, only [`super::language`] names the
//! languages.

use std::fmt;

use compact_str::CompactString;

use super::{
    call_shape::CallShape,
    doc_text::{DocLines, DocText},
    node_text::{NodeBody, NodeText, TypeReference},
    wording::Detail,
};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterSet};
use apidisc_indexing::index::{Definition, Index};
use apidisc_tokens::Tokenizer;

/// The indentation of bodies in a stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Bodies are indented as people indent the language.
    Wide,
    /// Bodies are indented by one column: most tokenizers join one space with the word behind it, so that the
    /// indentation takes no tokens.
    Narrow,
}

impl Layout {
    /// The layout of a stub; `least` is the detail of its least detailed member. A stub with short forms has the narrow
    /// layout, which saves tokens.
    pub(crate) fn of(least: Detail) -> Self {
        match least {
            Detail::Calls | Detail::Lean => Self::Narrow,
            Detail::Full => Self::Wide,
        }
    }

    /// The columns by which a body is indented in a language whose people indent it by `wide` columns.
    pub(crate) fn step(self, wide: usize) -> usize {
        match self {
            Self::Wide => wide,
            Self::Narrow => 1,
        }
    }
}

/// The indentation of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Indentation {
    pub(crate) columns: usize,
    /// The columns by which its body is indented further.
    pub(crate) step: usize,
}

impl Indentation {
    /// True in a stub with short forms.
    pub(crate) fn is_narrow(self) -> bool {
        self.step == Layout::Narrow.step(0)
    }

    /// The indentation of the body.
    pub(crate) fn inner(self) -> Self {
        Self { columns: self.columns + self.step, ..self }
    }

    /// The spaces at the beginning of a line.
    pub(crate) fn margin(self) -> String {
        " ".repeat(self.columns)
    }
}

/// A language that stubs are written in.
pub(crate) trait StubLanguage: Sync {
    /// The public name under which a definition at module level is imported. `requested_module` is the module that the
    /// stub shows, if its scope is a module.
    fn import_path(&self, index: &Index, id: DefinitionId, requested_module: Option<&str>) -> ImportPath;

    /// True if the title line of a stub can name `module` as the module to import from.
    fn is_importable(&self, module: &str) -> bool;

    /// A renderer for one new stub.
    fn renderer(&self, layout: Layout) -> Box<dyn Renderer>;
}

/// The public name under which a definition at module level is imported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ImportPath {
    /// `google.adk.agents`
    pub(crate) module: String,
    /// `LlmAgent`
    pub(crate) name: CompactString,
    /// The rest of the full name after the module: equal to `name` if the definition is imported under its own name.
    pub(crate) inner: CompactString,
}

/// A definition at its position in a stub.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "four independent facts")]
pub(crate) struct PlacedDefinition<'a> {
    pub(crate) index: &'a Index,
    pub(crate) id: DefinitionId,
    pub(crate) definition: &'a Definition,
    /// The name under which the definition is written.
    pub(crate) name: &'a str,
    pub(crate) indent: Indentation,
    /// The definition whose body contains this one; `None` at the top level.
    pub(crate) holder: Option<DefinitionId>,
    /// True for a type outside of the scope that is declared because a text of the scope names it.
    pub(crate) is_named_type: bool,
    /// True for a class whose body holds members of its public bases.
    pub(crate) holds_inherited: bool,
    /// True if its body can contain members.
    pub(crate) holds_members: bool,
    /// True if the stub is about it: it is the scope of the stub, pinned, or named by an intent.
    pub(crate) is_wanted: bool,
}

/// The name at the top level under which a definition is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TopLevelName {
    pub(crate) written: CompactString,
    /// True if the definition has the wanted name in the stub: it is declared or exported under that name.
    pub(crate) is_wanted: bool,
}

/// The import of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ImportedType<'r> {
    /// The number of the name that the import declares. Several types may share it: `core.Doc` and `core.Schema`.
    pub(crate) binding: u32,
    /// The number of the import statement.
    pub(crate) statement: u32,
    /// The name as it is written in the statement; empty if the statement imports a whole module.
    pub(crate) name: &'r str,
    /// The nodes that declare another definition under this name. If one of them is written, the type cannot be
    /// imported.
    pub(crate) rivals: &'r [usize],
}

/// The syntax of one stub, with the names that are already used in it.
pub(crate) trait Renderer: fmt::Debug + Send + Sync {
    /// The characters that begin a comment.
    fn comment_prefix(&self) -> &'static str;

    /// The columns by which a body is indented.
    fn indent_width(&self) -> usize;

    /// Reserves the name at the top level under which a definition is written. `None` if the definition cannot be
    /// written, or if another declaration of the same definition already has the name.
    fn top_level_name(&mut self, index: &Index, id: DefinitionId, wanted: &str) -> Option<TopLevelName>;

    /// True if `member` can be written in the body of a definition of the kind `holder`.
    fn can_hold(&self, holder: DefinitionKind, member: &Definition) -> bool;

    /// The comment above definitions that states how they are imported. `written_name` is the name under which they are
    /// written, if it differs from the imported name.
    fn import_comment(&self, path: &ImportPath, written_name: Option<&str>) -> String;

    /// True if the body of a definition contains members.
    fn holds_members(&self, index: &Index, id: DefinitionId) -> bool;

    /// The public members of a definition, inherited ones included, in the order of a stub.
    fn members(&self, index: &Index, id: DefinitionId) -> Vec<DefinitionId>;

    /// The text of a definition, without its body.
    fn text(&self, placed: PlacedDefinition<'_>) -> NodeText;

    /// The body of a definition; see [`NodeBody`].
    fn body(&self, placed: PlacedDefinition<'_>) -> NodeBody;

    /// The line that stands for a class of which nothing but the constructor is shown, in [`Detail::Calls`]. `None` if
    /// there is no such line for the class.
    fn constructor_alone(&self, placed: PlacedDefinition<'_>) -> Option<Box<dyn CallableRenderer>>;

    /// The line that lists attributes by their [`NodeText::listed_name`]s.
    fn list_names(&self, names: &[&str], indent: usize) -> String;

    /// The legend of a stub with call shapes, without the sign of a comment. `has_classes_alone` is true if one line
    /// stands for a class.
    fn shape_legend(&self, has_classes_alone: bool) -> &'static str;

    /// The documentation of a definition: whole texts, or first sentences.
    fn docs(&self, placed: PlacedDefinition<'_>, is_whole: bool) -> DocText;

    /// True if the documentation precedes a definition, false if it is in the body.
    fn docs_precede_definition(&self) -> bool;

    /// The class whose fields a function takes as keywords, as in `**kwargs: Unpack[Options]`. `None` if the sources
    /// define no such class.
    fn keyword_class(&self, index: &Index, function: DefinitionId) -> Option<DefinitionId> {
        let _ = (index, function);
        None
    }

    /// True if stubs of the language declare every type that their texts name. The methods below are used only for
    /// these languages.
    fn declares_types(&self) -> bool {
        false
    }

    /// Gives a name to every type that the texts of `definitions` name. Returns the types of the sources among them
    /// that a stub can write out, in the order of their names.
    fn name_types(&mut self, index: &Index, definitions: &[DefinitionId]) -> Vec<(DefinitionId, CompactString)> {
        let _ = (index, definitions);
        Vec::new()
    }

    /// Records the tree node that declares a definition at the top level under `name`.
    fn set_node(&mut self, id: DefinitionId, name: &str, node: usize) {
        let _ = (id, name, node);
    }

    /// The tree node that declares a type.
    fn node_of_type(&self, ty: u32) -> Option<usize> {
        let _ = ty;
        None
    }

    /// The import that brings in a type; `None` if no module exports the type.
    fn imported_type(&self, ty: u32) -> Option<ImportedType<'_>> {
        let _ = ty;
        None
    }

    /// An import statement as a line. `names` are the [`ImportedType::name`]s of the types that it brings in.
    fn import_line(&self, statement: u32, names: &[&str]) -> String {
        let _ = (statement, names);
        String::new()
    }

    /// A declaration on one line with only the name of a type, for a type that cannot be imported.
    fn short_declaration(&self, reference: TypeReference) -> String {
        let _ = reference;
        String::new()
    }
}

/// A signature: the set of visible parameters and the detail decide how it is written and how many tokens it takes.
pub(crate) trait CallableRenderer: fmt::Debug + Send + Sync {
    /// The number of parameters, including those that cannot be written.
    fn parameter_count(&self) -> usize;

    /// True if the parameter can be written.
    fn is_showable(&self, position: usize) -> bool;

    /// Tokens of a parameter's own lines.
    fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize;

    /// The parameters of `set`, and all others that must be visible together with one of them.
    fn complete(&self, set: &ParameterSet) -> ParameterSet;

    /// Tokens of the text that [`Self::write`] gives for the same arguments.
    fn price(&self, visible: &ParameterSet, detail: Detail, docs: Option<DocLines<'_>>, tokenizer: &Tokenizer)
    -> usize;

    /// Appends the text to `out`. `docs` is the documentation, if it is written in the body.
    fn write(&self, visible: &ParameterSet, detail: Detail, docs: Option<DocLines<'_>>, out: &mut String);

    /// The text in [`Detail::Calls`], if it is a [`CallShape`] that may be merged with those of other overloads.
    /// `has_docstring` says whether a docstring follows in the body.
    fn call_shape(&self, visible: &ParameterSet, has_docstring: bool) -> Option<CallShape> {
        let _ = (visible, has_docstring);
        None
    }

    /// The types that the text names.
    fn references(&self, visible: &ParameterSet, detail: Detail) -> Vec<TypeReference> {
        let _ = (visible, detail);
        Vec::new()
    }
}
