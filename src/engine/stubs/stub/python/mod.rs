//! Python stubs: text that `ast.parse` accepts for any content of the sources.

mod declaration;
mod docstring;
mod expression;
mod identifiers;
mod import_path;
mod keywords;
mod literals;
mod parameters;
mod record;
mod results;
mod short_form;
mod signature;
mod unpacked;

use super::{
    doc_text::DocText,
    node_text::{NodeBody, NodeText},
    renderer::{CallableRenderer, ImportPath, Layout, PlacedDefinition, Renderer, StubLanguage, TopLevelName},
};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};

/// Columns by which people indent a body (PEP 8).
const INDENT: usize = 4;

/// Python as a language of stubs.
pub(super) struct Python;

/// The syntax of Python stubs.
#[derive(Debug)]
struct PythonRenderer {
    layout: Layout,
}

impl StubLanguage for Python {
    fn import_path(&self, index: &Index, id: DefinitionId, requested_module: Option<&str>) -> ImportPath {
        import_path::import_path(index, id, requested_module)
    }

    fn is_importable(&self, module: &str) -> bool {
        import_path::is_importable(module)
    }

    fn renderer(&self, layout: Layout) -> Box<dyn Renderer> {
        Box::new(PythonRenderer { layout })
    }
}

impl Renderer for PythonRenderer {
    fn comment_prefix(&self) -> &'static str {
        "#"
    }

    fn indent_width(&self) -> usize {
        self.layout.step(INDENT)
    }

    fn top_level_name(&mut self, _: &Index, _: DefinitionId, wanted: &str) -> Option<TopLevelName> {
        identifiers::is_name(wanted).then(|| TopLevelName { written: wanted.into(), is_wanted: true })
    }

    fn can_hold(&self, _: DefinitionKind, member: &Definition) -> bool {
        identifiers::is_name(&member.name)
    }

    fn import_comment(&self, path: &ImportPath, _: Option<&str>) -> String {
        import_path::import_comment(&path.module)
    }

    fn holds_members(&self, index: &Index, id: DefinitionId) -> bool {
        index.definition(id).kind == DefinitionKind::Class
    }

    fn members(&self, index: &Index, class: DefinitionId) -> Vec<DefinitionId> {
        declaration::members(index, class)
    }

    fn text(&self, placed: PlacedDefinition<'_>) -> NodeText {
        declaration::text(placed)
    }

    fn body(&self, placed: PlacedDefinition<'_>) -> NodeBody {
        declaration::body(placed)
    }

    fn docs(&self, placed: PlacedDefinition<'_>, is_whole: bool) -> DocText {
        declaration::docs(placed, is_whole)
    }

    fn constructor_alone(&self, placed: PlacedDefinition<'_>) -> Option<Box<dyn CallableRenderer>> {
        declaration::constructor_alone(placed)
    }

    fn list_names(&self, names: &[&str], indent: usize) -> String {
        format!("{}{} = ...\n", " ".repeat(indent), names.join(" = "))
    }

    fn shape_legend(&self, has_classes_alone: bool) -> &'static str {
        if has_classes_alone { "names alone; def Name: class" } else { "names alone" }
    }

    fn docs_precede_definition(&self) -> bool {
        false
    }

    fn keyword_class(&self, index: &Index, function: DefinitionId) -> Option<DefinitionId> {
        unpacked::unpacked_class(index, function)
    }
}
