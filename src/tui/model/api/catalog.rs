//! The API documents as the explorer lists them.

use std::{borrow::Cow, cmp::Reverse, fmt, sync::Arc};

use compact_str::CompactString;

use super::PartKind;
use crate::tui::{model::Catalog, widgets::sanitized};
use apidisc::{
    diagnostic::{Diagnostic, Problem},
    http::{OperationId, OperationUses, UsedApis},
    index::Index,
    openapi::{ApiIndex, ChunkKind, Operation},
};

/// The greatest length of a name or note in characters; no screen is wider.
const MAX_SHOWN_CHARS: usize = 300;

/// API documents as lists of parts, with the calls of their operations in the code. They do not change: new ones
/// replace them.
pub struct ApiCatalog {
    /// A number for these documents; later ones have higher numbers.
    pub generation: u64,
    /// The documents, and the calls of their operations.
    pub apis: UsedApis,
    /// The index whose calls and routes count.
    pub code: Arc<Index>,
    /// The generation of the catalogue of `code`.
    pub code_generation: u64,
    /// The documents as modules, in the order of their paths.
    pub modules: Vec<ApiModule>,
    /// True if the command line names the documents.
    pub is_named: bool,
    /// For each chunk, the chunks that refer to it.
    referrers: Vec<Vec<u32>>,
}

/// A document.
#[derive(Clone, Debug)]
pub struct ApiModule {
    /// The path of its file.
    pub path: CompactString,
    /// The title of the API.
    pub title: String,
    /// The chunk of the document's `info`: title, version and description of the API.
    pub about: Option<u32>,
    /// Its operations, the most called first, then its webhooks, schemas and other components.
    pub parts: Arc<[u32]>,
    /// The number of calls of its operations.
    pub calls: u32,
}

impl ApiCatalog {
    /// Lists the documents, and counts the calls of their operations in the code of a catalogue.
    pub fn new(documents: Arc<ApiIndex>, catalog: &Catalog, generation: u64, is_named: bool) -> Self {
        let code = Arc::clone(&catalog.index);
        let apis = UsedApis::new(documents, &code);
        let referrers = apis.documents.chunks.referrers();
        let code_generation = catalog.generation;
        let modules = Vec::new();
        let mut own = Self { generation, apis, code, code_generation, modules, is_named, referrers };
        own.modules = own.list();
        own
    }

    fn list(&self) -> Vec<ApiModule> {
        let api = &self.apis.documents.api;
        let mut modules: Vec<(ApiModule, Vec<u32>)> = api
            .documents
            .iter()
            .map(|document| {
                let path = api.files.file(document.file).path.clone();
                let title = shown(&document.title);
                (ApiModule { path, title, about: None, parts: Arc::default(), calls: 0 }, Vec::new())
            })
            .collect();
        for (chunk, at) in self.apis.documents.chunks.all().iter().zip(0..) {
            let Some((module, parts)) = chunk.document.and_then(|document| modules.get_mut(document)) else { continue };
            if chunk.kind == ChunkKind::Info {
                module.about = Some(at);
            } else if PartKind::of(chunk.kind) != PartKind::Other {
                parts.push(at);
                module.calls += self.calls(at);
            }
        }
        let finish = |(module, mut parts): (ApiModule, Vec<u32>)| {
            let kind = |at: u32| {
                let kind = PartKind::of(self.apis.documents.chunks.chunk(at).kind);
                PartKind::LISTED.iter().position(|listed| *listed == kind)
            };
            parts.sort_by_key(|at| (kind(*at), Reverse(self.calls(*at)), *at));
            ApiModule { parts: parts.into(), ..module }
        };
        modules.into_iter().map(finish).collect()
    }

    /// The id of the operation of a part; `None` for a part that is no operation.
    pub fn operation_id(&self, at: u32) -> Option<OperationId> {
        let chunk = self.apis.documents.chunks.chunk(at);
        Some(OperationId { document: chunk.document?, operation: chunk.operation()? })
    }

    /// The operation of a part; `None` for a part that is no operation.
    pub fn operation(&self, at: u32) -> Option<&Operation> {
        self.operation_id(at).map(|id| id.of(&self.apis.documents.api).1)
    }

    /// The calls of an operation; `None` for another part.
    pub fn uses(&self, at: u32) -> Option<&OperationUses> {
        self.apis.uses.of(self.operation_id(at)?)
    }

    /// The number of calls of an operation; 0 for another part.
    pub fn calls(&self, at: u32) -> u32 {
        self.uses(at).map_or(0, |uses| uses.total_calls)
    }

    /// The parts to which a part refers, in the order of its content.
    pub fn references(&self, at: u32) -> &[u32] {
        &self.apis.documents.chunks.chunk(at).references
    }

    /// The parts that refer to a part.
    pub fn referrers(&self, at: u32) -> &[u32] {
        self.referrers.get(at as usize).map_or(&[], Vec::as_slice)
    }

    /// The name of a part for lists and titles: method and path of an operation, the name of a schema, type and name of
    /// another component.
    pub fn name(&self, at: u32) -> String {
        if let Some(operation) = self.operation(at) {
            return shown(&operation.title());
        }
        let chunk = self.apis.documents.chunks.chunk(at);
        // The name of a component alone does not say its type: `responses/not_found`.
        let typed = chunk.id.split_once(":components/").map(|(_, typed)| typed);
        let typed = typed.filter(|_| PartKind::of(chunk.kind) == PartKind::Component);
        shown(typed.unwrap_or(&chunk.title))
    }

    /// A short text about a part: the summary of an operation, else the description of the part; empty if the document
    /// has neither.
    pub fn note(&self, at: u32) -> String {
        if let Some(operation) = self.operation(at) {
            let text = operation.summary.as_ref().or(operation.operation_id.as_ref());
            return text.map(|text| shown(&without_links(text))).unwrap_or_default();
        }
        let chunk = self.apis.documents.chunks.chunk(at);
        if PartKind::of(chunk.kind) == PartKind::Other {
            return String::new();
        }
        let node = self.apis.documents.api.files.node(&chunk.place);
        let description = node.and_then(|node| node.text("description"));
        description.map(|text| shown(&without_links(text))).unwrap_or_default()
    }

    /// The text in which the filter searches: name, note and operation id.
    pub fn search_text(&self, at: u32) -> String {
        let mut text = format!("{} {}", self.name(at), self.note(at));
        if let Some(id) = self.operation(at).and_then(|operation| operation.operation_id.as_ref()) {
            text.push(' ');
            text.push_str(&shown(id));
        }
        text
    }

    /// The position of the document that lists a part.
    pub fn home(&self, at: u32) -> Option<usize> {
        let chunk = self.apis.documents.chunks.chunk(at);
        chunk.document.filter(|_| PartKind::of(chunk.kind) != PartKind::Other)
    }

    /// The problems of the documents. The problems of files that may be no documents are left out if there is no
    /// document at all.
    pub fn problems(&self) -> impl Iterator<Item = &Diagnostic> {
        let is_sure = self.is_named || !self.apis.documents.api.is_empty();
        let diagnostics = self.apis.documents.api.diagnostics.iter();
        diagnostics.filter(move |diagnostic| is_sure || diagnostic.problem == Problem::Malformed)
    }
}

impl fmt::Debug for ApiCatalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiCatalog({})", self.generation)
    }
}

/// A text of a document on one line, as the screen shows it: without characters that a terminal obeys, and not longer
/// than a screen is wide.
pub(in crate::tui) fn shown(text: &str) -> String {
    let end = text.char_indices().nth(MAX_SHOWN_CHARS).map_or(text.len(), |(at, _)| at);
    sanitized(&text[..end].split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// A text of Markdown without the targets of its links: `[the guide](https://…)` is `the guide`.
pub(in crate::tui) fn without_links(text: &str) -> Cow<'_, str> {
    const MIDDLE: &str = "](";
    if !text.contains(MIDDLE) {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, target)) = rest.split_once(MIDDLE) {
        // The rest of a text with an unclosed target is no link.
        let Some((_, after)) = target.split_once(')') else { break };
        if let Some((outside, name)) = before.rsplit_once('[') {
            plain.extend([outside, name]);
            rest = after;
        } else {
            plain.extend([before, MIDDLE]);
            rest = target;
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn links_are_their_names() {
        for (text, plain) in [
            ("See [a b](https://x/y) and [c](d).", "See a b and c."),
            ("an [index](0", "an [index](0"),
            ("x](y) [z](w)", "x](y) z"),
            ("[a]: b", "[a]: b"),
        ] {
            assert_eq!(without_links(text), plain);
        }
    }
}
