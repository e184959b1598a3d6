//! The files that describe APIs, and the references between them.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    found_reference::{FoundReference, ReferenceKind},
    node::{Node, Place},
    pointer,
    target::{self, Target},
    value::Value,
    version::Version,
};

/// The greatest number of references on the way of a pointer.
const MAX_HOPS: usize = 8;

apidisc_base::ids::id! {
    /// A file that describes an API, or a part of one.
    pub struct ApiFileId;
}

/// A file that describes an API, or a part of one that another file refers to.
#[derive(Debug)]
pub struct ApiFile {
    /// The path from the root of the source, with `/` between its parts.
    pub path: CompactString,
    /// The content.
    pub value: Value,
    /// The version of a document; `None` for a file that is only a part of documents.
    pub version: Option<Version>,
    /// The size in bytes.
    pub bytes: usize,
    /// The pointers of the schemas with an `$anchor` or `$dynamicAnchor`, by their anchors.
    pub(super) anchors: FxHashMap<CompactString, String>,
}

/// The files that describe APIs, sorted by path.
#[derive(Debug, Default)]
pub struct ApiFiles {
    pub(super) files: Vec<ApiFile>,
    pub(super) by_path: FxHashMap<CompactString, ApiFileId>,
    /// For each folder in which references must stay, its path; empty for the root.
    pub(super) roots: Vec<CompactString>,
    /// The reason for which a file that a reference names was not read, by path.
    pub(super) unread: FxHashMap<CompactString, String>,
}

impl ApiFiles {
    /// A file.
    pub fn file(&self, id: ApiFileId) -> &ApiFile {
        &self.files[id.index()]
    }

    /// The files with their ids, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (ApiFileId, &ApiFile)> {
        self.files.iter().enumerate().map(|(at, file)| (ApiFileId::new(at), file))
    }

    /// The file with this path.
    pub fn by_path(&self, path: &str) -> Option<ApiFileId> {
        self.by_path.get(path).copied()
    }

    /// The folder of the source of a file, if there are several sources: it has the name of the source.
    pub fn source(&self, id: ApiFileId) -> Option<&str> {
        Some(target::root_of(&self.roots, &self.file(id).path)).filter(|root| !root.is_empty())
    }

    /// The value at a place; `None` if there is none.
    pub fn node(&self, place: &Place) -> Option<Node<'_>> {
        let (value, line) = pointer::find(&self.file(place.file).value, &place.pointer)?;
        Some(Node { files: self, value, place: place.clone(), line })
    }

    /// The root of a file.
    pub fn root(&self, file: ApiFileId) -> Node<'_> {
        let place = Place { file, pointer: String::new() };
        Node { files: self, value: &self.file(file).value, place, line: 1 }
    }

    /// The target of a reference that stands in `file`.
    pub(super) fn target(&self, file: ApiFileId, kind: ReferenceKind, text: &str) -> Target {
        self.target_within(file, kind, text, MAX_HOPS)
    }

    /// [`Self::target`], over at most `hops` references on the way of its pointer.
    fn target_within(&self, file: ApiFileId, kind: ReferenceKind, text: &str, hops: usize) -> Target {
        let own = self.file(file);
        if !(FoundReference { kind, text, line: 0 }).may_name_a_file() {
            let containers = ["/components/schemas", "/definitions"];
            let found = containers.into_iter().map(|container| {
                let mut pointer = container.to_owned();
                pointer::push(&mut pointer, text);
                pointer
            });
            let found = found.into_iter().find(|pointer| pointer::find(&own.value, pointer).is_some());
            return found.map_or(Target::Name, |pointer| Target::Place(Place { file, pointer }));
        }
        let (path, fragment) = text.split_once('#').unwrap_or((text, ""));
        let id = if path.is_empty() {
            file
        } else if target::is_url(path) {
            return Target::Url;
        } else {
            let root = target::root_of(&self.roots, &own.path);
            let Some(path) = target::joined(root, &own.path, path) else { return Target::Outside };
            match self.by_path(&path) {
                Some(id) => id,
                None => return Target::Missing(self.unread.get(&path).cloned()),
            }
        };
        let fragment = pointer::percent_decoded(fragment);
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            Some(fragment.trim_end_matches('/').to_owned())
        } else {
            self.file(id).anchors.get(&*fragment).cloned()
        };
        found.and_then(|pointer| self.place(id, pointer, hops)).map_or(Target::Missing(None), Target::Place)
    }

    /// The place to which a pointer leads. A pointer may lead through a reference: `/components/schemas/Pet`, where
    /// `schemas` is a reference to another file.
    fn place(&self, file: ApiFileId, pointer: String, hops: usize) -> Option<Place> {
        let root = &self.file(file).value;
        if pointer::find(root, &pointer).is_some() {
            return Some(Place { file, pointer });
        }
        let hops = hops.checked_sub(1)?;
        // The longest beginning of the pointer that leads to a reference.
        let ends = pointer.rmatch_indices('/').map(|(at, _)| pointer.split_at(at));
        let mut through = ends.filter_map(|(above, below)| Some((pointer::find(root, above)?.0.text("$ref")?, below)));
        let (text, below) = through.next()?;
        match self.target_within(file, ReferenceKind::Plain, text, hops) {
            Target::Place(above) => self.place(above.file, above.pointer + below, hops),
            _ => None,
        }
    }
}
