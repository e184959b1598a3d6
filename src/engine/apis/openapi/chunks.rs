//! Cuts API documents into chunks, and links these by their references.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    ApiDocuments, Component, Operation,
    chunk::{Chunk, ChunkKind, operation_id},
    content, examples,
    files::ApiFileId,
    found_reference::visit,
    node::Place,
    target::Target,
};
use apidisc_base::{shorten, sort::SharedSort as _, unprintable::escaped_json};

/// The longest summary in a title, in characters.
const MAX_SUMMARY_CHARS: usize = 120;

/// The chunks of API documents: document by document in the order of their paths, then other values that references
/// name, in the order in which they are found.
#[derive(Debug, Default)]
pub struct Chunks {
    all: Vec<Chunk>,
    /// The positions of the chunks, sorted by id.
    by_id: Vec<u32>,
}

impl Chunks {
    /// Cuts documents into chunks.
    pub fn new(api: &ApiDocuments) -> Self {
        let mut cutter =
            Cutter { api, all: Vec::new(), by_place: vec![FxHashMap::default(); api.files.iter().count()] };
        for at in 0..api.documents.len() {
            cutter.cut(at);
        }
        cutter.link();
        let mut all = cutter.all;
        let mut by_id: Vec<u32> = (0..all.len() as u32).collect();
        by_id.shared_sort_by(|a, b| all[*a as usize].id.cmp(&all[*b as usize].id));
        // Only documents with odd names have two chunks of one id: the first one is delivered.
        by_id.dedup_by(|b, a| all[*a as usize].id == all[*b as usize].id);
        all.shrink_to_fit();
        Self { all, by_id }
    }

    /// All chunks.
    pub fn all(&self) -> &[Chunk] {
        &self.all
    }

    /// The position of the chunk with this id.
    pub fn find(&self, id: &str) -> Option<u32> {
        let at = self.by_id.binary_search_by(|at| (*self.all[*at as usize].id).cmp(id)).ok()?;
        Some(self.by_id[at])
    }

    /// The chunk at a position.
    pub fn chunk(&self, at: u32) -> &Chunk {
        &self.all[at as usize]
    }

    /// The content of a chunk: JSON on one line.
    pub fn content(&self, api: &ApiDocuments, at: u32) -> String {
        content::json(api, self.chunk(at))
    }

    /// The content of a chunk as JSON on several lines, without characters that a terminal obeys.
    pub fn content_in_lines(&self, api: &ApiDocuments, at: u32) -> String {
        let json = self.content(api, at);
        let value = serde_json::from_str::<serde_json::Value>(&json);
        let mut text = escaped_json(value.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or(json));
        text.push('\n');
        text
    }

    /// The positions of the chunks that refer to each chunk.
    pub fn referrers(&self) -> Vec<Vec<u32>> {
        let mut referrers = vec![Vec::new(); self.all.len()];
        for (chunk, at) in self.all.iter().zip(0..) {
            chunk.references.iter().for_each(|to| referrers[*to as usize].push(at));
        }
        referrers
    }
}

/// Makes the chunks of documents, one for each value.
struct Cutter<'a> {
    api: &'a ApiDocuments,
    all: Vec<Chunk>,
    /// For each file, the chunks by the pointers of their content.
    by_place: Vec<FxHashMap<String, u32>>,
}

impl Cutter<'_> {
    fn add(&mut self, chunk: Chunk) -> u32 {
        let at = self.all.len() as u32;
        self.all.push(chunk);
        at
    }

    /// Adds the chunks of a document.
    fn cut(&mut self, at: usize) {
        let document = &self.api.documents[at];
        let (root, file) = (self.api.files.root(document.file), &self.api.files.file(document.file).path);
        let name = if document.title.is_empty() { file.as_str() } else { &document.title };
        for (key, kind, is_there) in [
            ("info", ChunkKind::Info, true),
            ("tags", ChunkKind::Tags, root.get_resolved("tags").is_some_and(|tags| tags.items().next().is_some())),
            ("servers", ChunkKind::Servers, !document.servers.is_empty()),
            ("security", ChunkKind::Security, root.get("security").is_some()),
        ] {
            if is_there {
                let own = self.add(new_chunk(at, format!("{file}:{key}"), kind, format!("{name}: {key}"), &root.place));
                // A reference to a whole document leads to the chunk of its `info`, not to the whole text.
                self.by_place[document.file.index()].entry(String::new()).or_insert(own);
            }
        }
        for (position, operation) in document.operations.iter().enumerate() {
            self.cut_operation(at, file, position, operation);
        }
        let is_long: Vec<bool> = document
            .components
            .par_iter()
            .map(|component| self.api.files.node(&component.place).is_some_and(|node| examples::is_long(node.value)))
            .collect();
        for (component, is_long) in document.components.iter().zip(is_long) {
            self.cut_component(at, file, component, is_long);
        }
    }

    /// Adds the chunk of the operation at a position in its document, and the chunk of its errors.
    fn cut_operation(&mut self, document: usize, file: &str, position: usize, operation: &Operation) {
        let id = operation_id(file, operation);
        let kind = if operation.is_webhook { ChunkKind::Webhook } else { ChunkKind::Operation };
        let title = operation.title();
        let errors_title = format!("{title}: errors");
        let title = match &operation.summary {
            Some(summary) => format!("{title}: {}", shorten::to_chars(summary, MAX_SUMMARY_CHARS, "…")),
            None => title,
        };
        let errors = new_chunk(document, format!("{id}:errors"), ChunkKind::Errors, errors_title, &operation.content);
        let own = new_chunk(document, id, kind, title, &operation.content);
        let own = self.add(Chunk { operation: Some(position), ..own });
        for place in [&operation.content, &operation.place] {
            self.by_place[place.file.index()].entry(place.pointer.clone()).or_insert(own);
        }
        if content::has_errors(operation) {
            self.add(Chunk { operation: Some(position), ..errors });
        }
    }

    /// Adds the chunk of a component, and the chunk of the examples of a long one.
    fn cut_component(&mut self, document: usize, file: &str, component: &Component, is_long: bool) {
        let id = format!("{file}:components/{}/{}", component.kind, component.name);
        let is_schema = component.kind == "schemas";
        let kind = if is_long {
            ChunkKind::LongComponent { is_schema }
        } else if is_schema {
            ChunkKind::Schema
        } else {
            ChunkKind::Component
        };
        let (examples_id, title) = (format!("{id}:examples"), format!("{}: examples", component.name));
        let own = self.add(new_chunk(document, id, kind, component.name.clone(), &component.place));
        self.by_place[component.place.file.index()].insert(component.place.pointer.clone(), own);
        let examples = new_chunk(document, examples_id, ChunkKind::Examples, title, &component.place);
        if is_long && content::has_examples(self.api, &examples) {
            self.add(examples);
        }
    }

    /// Links all chunks. A value that a reference names and that is in no chunk becomes one.
    fn link(&mut self) {
        let mut linked = 0;
        while linked < self.all.len() {
            let targets: Vec<Vec<Place>> =
                self.all[linked..].par_iter().map(|chunk| targets(self.api, chunk)).collect();
            for (at, targets) in (linked..).zip(targets) {
                let mut references: Vec<u32> = Vec::new();
                for place in targets {
                    let to = self.at(&place);
                    if !references.contains(&to) {
                        references.push(to);
                    }
                }
                // The errors of an operation and the examples of a component follow their chunk.
                let follows = |next: &Chunk| {
                    matches!(next.kind, ChunkKind::Errors | ChunkKind::Examples) && next.place == self.all[at].place
                };
                let is_owner = !matches!(self.all[at].kind, ChunkKind::Errors | ChunkKind::Examples);
                if is_owner && self.all.get(at + 1).is_some_and(follows) {
                    references.push(at as u32 + 1);
                }
                self.all[at].references = references;
                linked = at + 1;
            }
        }
    }

    /// The chunk that has the value at a place.
    fn at(&mut self, place: &Place) -> u32 {
        let of_file = &self.by_place[place.file.index()];
        let above = place.pointer.rmatch_indices('/').map(|(end, _)| &place.pointer[..end]);
        let whole = of_file.get(&place.pointer);
        // A part is a value that a reference names as a whole; a value inside it has a chunk of its own.
        let holds = |at: &&u32| !matches!(self.all[**at as usize].kind, ChunkKind::Part | ChunkKind::Info);
        let found = whole.or_else(|| above.filter_map(|pointer| of_file.get(pointer)).find(holds));
        if let Some(at) = found {
            return *at;
        }
        let path = &self.api.files.file(place.file).path;
        let chunk = Chunk {
            id: format!("{path}#{}", place.pointer),
            kind: ChunkKind::Part,
            title: title_of(path, &place.pointer),
            document: self.document_of(place.file),
            place: place.clone(),
            references: Vec::new(),
            operation: None,
        };
        let at = self.add(chunk);
        self.by_place[place.file.index()].insert(place.pointer.clone(), at);
        at
    }

    fn document_of(&self, file: ApiFileId) -> Option<usize> {
        self.api.documents.iter().position(|document| document.file == file)
    }
}

/// A chunk of the document at a position, without references, that is no operation.
fn new_chunk(document: usize, id: String, kind: ChunkKind, title: String, place: &Place) -> Chunk {
    let (document, place) = (Some(document), place.clone());
    Chunk { id, kind, title, document, place, references: Vec::new(), operation: None }
}

/// The last key of a pointer; the path of the file if the pointer is empty.
fn title_of(path: &str, pointer: &str) -> String {
    super::pointer::keys(pointer).last().map_or_else(|| path.to_owned(), std::borrow::Cow::into_owned)
}

/// The places to which a chunk refers, in the order of its content, and its security schemes.
fn targets(api: &ApiDocuments, chunk: &Chunk) -> Vec<Place> {
    let mut targets = Vec::new();
    for part in content::parts(api, chunk) {
        visit(part.value, part.keys, &mut |reference| {
            if let Target::Place(place) = api.files.target(part.file, reference.kind, reference.text) {
                targets.push(place);
            }
        });
    }
    let Some(document) = chunk.document.and_then(|at| api.documents.get(at)) else { return targets };
    let schemes = match (chunk.kind, chunk.operation.and_then(|at| document.operations.get(at))) {
        (ChunkKind::Operation | ChunkKind::Webhook, Some(operation)) => operation.security.clone().unwrap_or_default(),
        (ChunkKind::Security, _) => document.security.clone(),
        _ => Vec::new(),
    };
    for scheme in schemes.into_iter().flatten() {
        let named = document.components.iter().find(|c| c.kind == "securitySchemes" && c.name == scheme);
        targets.extend(named.map(|component| component.place.clone()));
    }
    targets
}
