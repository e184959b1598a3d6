//! A value in a file, with its place.

use super::{
    files::{ApiFileId, ApiFiles},
    found_reference::ReferenceKind,
    pointer,
    target::Target,
    value::Value,
};

/// The greatest length of a chain of references: a `$ref` whose target is a `$ref`, and so on.
const MAX_HOPS: usize = 64;

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: ApiFileId,
    /// The JSON pointer (RFC 6901) from the root of the file.
    pub pointer: String,
}

impl Place {
    /// The place of a value in the object or list at this place.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        let mut pointer = String::with_capacity(self.pointer.len() + key.len() + 1);
        pointer.push_str(&self.pointer);
        pointer::push(&mut pointer, key);
        Self { file: self.file, pointer }
    }
}

/// A value in a file, with its place.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    pub(super) files: &'a ApiFiles,
    /// The value.
    pub value: &'a Value,
    /// The place of the value.
    pub place: Place,
    /// The line of the key that holds the value, from 1; for an item of a list, the line of the list.
    pub line: u32,
}

impl<'a> Node<'a> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Self> {
        let entry = self.value.as_object()?.entry(key)?;
        Some(Self { value: &entry.value, place: self.place.child(key), line: entry.line, ..*self })
    }

    /// The value of a key, after its references.
    pub fn get_resolved(&self, key: &str) -> Option<Self> {
        self.get(key).map(Self::resolved)
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.value.text(key)
    }

    /// The entries of the object, in the order of the file; none if the value is no object.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Self)> {
        let (files, place) = (self.files, self.place.clone());
        self.value.entries().iter().map(move |entry| {
            let node = Node { files, value: &entry.value, place: place.child(&entry.key), line: entry.line };
            (&*entry.key, node)
        })
    }

    /// The items of the list; none if the value is no list.
    pub fn items(&self) -> impl Iterator<Item = Self> {
        let (files, place, line) = (self.files, self.place.clone(), self.line);
        self.value.items().iter().enumerate().map(move |(at, value)| Node {
            files,
            value,
            place: place.child(&at.to_string()),
            line,
        })
    }

    /// The target of this value, if the value is a reference.
    pub fn target(&self) -> Option<Target> {
        let text = self.value.text("$ref")?;
        Some(self.files.target(self.place.file, ReferenceKind::Plain, text))
    }

    /// Follows references from this value to the first value that is no reference. This value itself if it is no
    /// reference, if a target does not exist, or if the references form a cycle.
    #[must_use]
    pub fn resolved(self) -> Self {
        let mut node = self.clone();
        for _ in 0..MAX_HOPS {
            match node.target() {
                None => return node,
                Some(Target::Place(place)) => match self.files.node(&place) {
                    Some(next) => node = next,
                    None => return self,
                },
                Some(_) => return self,
            }
        }
        self
    }
}
