//! TypeScript stubs: declaration files that `tsc` accepts for any content of the sources.
//!
//! Every type is parsed and printed again, so that every name in a printed type is a global type, a type parameter,
//! declared in the same stub, or imported. A type that is unknown or cannot be written in a stub becomes `any`.
//! Parameters and results without an annotation become `any`, too: `unknown` would look like an annotation of the
//! sources.
//!
//! A destructured parameter gets the name `options` or `props`, and an object type with the properties.

mod base_types;
mod composite_types;
mod declaration;
mod doc_comment;
mod function_types;
mod generics;
mod global_types;
mod heritage;
mod identifiers;
mod import_path;
mod lexer;
mod members;
mod modifiers;
mod named_types;
mod object_types;
mod parameters;
mod resolved_name;
mod results;
mod short_form;
mod signature;
mod stub_names;
mod type_imports;
mod type_naming;
mod type_printer;
mod types;
mod unknown_signature;
mod values;

use compact_str::CompactString;
pub use stub_names::without_hidden_types;

use super::{
    doc_text::DocText,
    node_text::{NodeBody, NodeText, TypeReference},
    renderer::{
        CallableRenderer, ImportPath, ImportedType, Layout, PlacedDefinition, Renderer, StubLanguage, TopLevelName,
    },
};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};
use declaration::DeclarationWriter;
use stub_names::StubNames;

/// Columns by which people indent a body.
const INDENT: usize = 2;

/// TypeScript as a language of stubs.
pub(super) struct TypeScript;

/// The syntax of one TypeScript stub, with the names that it declares.
#[derive(Debug)]
struct TypeScriptRenderer {
    layout: Layout,
    names: StubNames,
}

impl StubLanguage for TypeScript {
    fn import_path(&self, index: &Index, id: DefinitionId, _: Option<&str>) -> ImportPath {
        import_path::import_path(index, id)
    }

    fn is_importable(&self, module: &str) -> bool {
        !module.is_empty()
    }

    fn renderer(&self, layout: Layout) -> Box<dyn Renderer> {
        Box::new(TypeScriptRenderer { layout, names: StubNames::default() })
    }
}

impl TypeScriptRenderer {
    fn declaration<'a>(&'a self, placed: PlacedDefinition<'a>) -> DeclarationWriter<'a> {
        DeclarationWriter::new(placed, &self.names, self.layout)
    }
}

impl Renderer for TypeScriptRenderer {
    fn comment_prefix(&self) -> &'static str {
        "//"
    }

    fn indent_width(&self) -> usize {
        self.layout.step(INDENT)
    }

    fn top_level_name(&mut self, index: &Index, id: DefinitionId, wanted: &str) -> Option<TopLevelName> {
        self.names.name_definition(index, id, wanted)
    }

    fn can_hold(&self, holder: DefinitionKind, member: &Definition) -> bool {
        members::can_hold(holder, member)
    }

    fn import_comment(&self, path: &ImportPath, written_name: Option<&str>) -> String {
        import_path::import_comment(path, written_name, self.layout)
    }

    fn holds_members(&self, index: &Index, id: DefinitionId) -> bool {
        members::holds_members(index, id)
    }

    fn members(&self, index: &Index, id: DefinitionId) -> Vec<DefinitionId> {
        members::members(index, id)
    }

    fn text(&self, placed: PlacedDefinition<'_>) -> NodeText {
        self.declaration(placed).text()
    }

    fn body(&self, placed: PlacedDefinition<'_>) -> NodeBody {
        self.declaration(placed).body()
    }

    fn docs(&self, placed: PlacedDefinition<'_>, is_whole: bool) -> DocText {
        self.declaration(placed).docs(is_whole)
    }

    fn constructor_alone(&self, placed: PlacedDefinition<'_>) -> Option<Box<dyn CallableRenderer>> {
        self.declaration(placed).constructor_alone()
    }

    fn list_names(&self, names: &[&str], indent: usize) -> String {
        format!("{}{};\n", " ".repeat(indent), names.join("; "))
    }

    fn shape_legend(&self, _: bool) -> &'static str {
        "names alone"
    }

    fn docs_precede_definition(&self) -> bool {
        true
    }

    fn declares_types(&self) -> bool {
        true
    }

    fn name_types(&mut self, index: &Index, definitions: &[DefinitionId]) -> Vec<(DefinitionId, CompactString)> {
        self.names.name_types(index, definitions)
    }

    fn set_node(&mut self, id: DefinitionId, name: &str, node: usize) {
        self.names.set_node(id, name, node);
    }

    fn node_of_type(&self, ty: u32) -> Option<usize> {
        self.names.node_of(ty)
    }

    fn imported_type(&self, ty: u32) -> Option<ImportedType<'_>> {
        self.names.imported_type(ty)
    }

    fn import_line(&self, statement: u32, names: &[&str]) -> String {
        self.names.import_line(statement, names)
    }

    fn short_declaration(&self, reference: TypeReference) -> String {
        self.names.short_declaration(reference)
    }
}
