//! The parameters and properties of an operation or a schema as rows of a table, with the numbers of calls that pass
//! them.

use super::{
    find::OperationId,
    items::{Item, Items, RequestPart},
    uses::OperationUses,
};
use crate::openapi::{ApiDocuments, Node};
use apidisc_base::sort::SharedSort as _;

/// A parameter of an operation, or a property of its body or of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationArgument {
    /// The part of the request: `path`, `query`, `headers`, `cookies`, `form` or `body`; `None` for a property of a
    /// schema.
    pub part: Option<&'static str>,
    /// The name.
    pub name: String,
    /// The names from the body to the property, with dots between them; the name of a parameter.
    pub path: String,
    /// The number of objects around it in the body.
    pub depth: usize,
    /// The type on one line, as in the stub.
    pub type_text: String,
    /// The default.
    pub default: Option<String>,
    /// True if every request, or every object that has it, must pass it.
    pub is_required: bool,
    /// True if the document says that it is deprecated.
    pub is_deprecated: bool,
    /// The description; `None` if there is none.
    pub description: Option<String>,
    /// The number of calls that pass it.
    pub count: u32,
    /// The number of calls of which it is known whether they pass the argument; `None` if calls are not counted for the
    /// argument.
    pub known: Option<u32>,
}

/// The parameters and properties of an operation in the order of their use: the most useful first, and the properties
/// of an object after the object.
pub fn operation_arguments(
    documents: &ApiDocuments,
    id: OperationId,
    uses: Option<&OperationUses>,
) -> Vec<OperationArgument> {
    let (_, operation) = id.of(documents);
    arguments(&Items::read(&documents.files, operation, uses), uses.filter(|uses| uses.total_calls > 0))
}

/// The properties of a schema, in the same order. Calls are not counted for them.
pub fn schema_arguments(documents: &ApiDocuments, schema: &Node<'_>) -> Vec<OperationArgument> {
    let mut properties = arguments(&Items::of_schema(&documents.files, schema), None);
    for property in &mut properties {
        property.part = None;
    }
    properties
}

fn arguments(items: &Items<'_>, uses: Option<&OperationUses>) -> Vec<OperationArgument> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); items.all.len()];
    let mut waiting: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..items.all.len()).collect();
    order.shared_sort_by_key(|at| (items.all[*at].rank, *at));
    // The last of them are taken first.
    for at in order.into_iter().rev() {
        items.all[at].parent.map_or(&mut waiting, |parent| &mut below[parent]).push(at);
    }
    let mut rows = Vec::with_capacity(items.all.len());
    while let Some(at) = waiting.pop() {
        rows.push(argument(items, at, uses));
        waiting.append(&mut below[at]);
    }
    rows
}

fn argument(items: &Items<'_>, at: usize, uses: Option<&OperationUses>) -> OperationArgument {
    let item = &items.all[at];
    let path = items.path(at);
    let (count, known) = counts(item, &path, uses).unzip();
    OperationArgument {
        part: Some(item.part.word()),
        name: item.name.clone(),
        path: path.join("."),
        depth: item.depth,
        type_text: item.text.clone(),
        default: item.default.clone(),
        is_required: item.is_required,
        is_deprecated: item.is_deprecated,
        description: item.description.clone(),
        count: count.unwrap_or_default(),
        known,
    }
}

/// The number of calls that pass an item, and of those of which this is known; `None` if calls are not counted for it.
fn counts(item: &Item, path: &[String], uses: Option<&OperationUses>) -> Option<(u32, u32)> {
    let uses = uses?;
    let folded = item.name.to_ascii_lowercase();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let (names, path) = match item.part {
        // A call belongs to an operation because it has every segment of the path.
        RequestPart::Path => return Some((uses.total_calls, uses.total_calls)),
        RequestPart::Query => (&uses.query, path),
        RequestPart::Header => (&uses.headers, vec![folded.as_str()]),
        // Calls show the properties of a body to the second level.
        RequestPart::Form | RequestPart::Body if path.len() <= 2 => (&uses.body, path),
        RequestPart::Cookie | RequestPart::Form | RequestPart::Body => return None,
    };
    Some((names.count(&path), names.known(&path, uses.total_calls)))
}
