//! The file as types: what is written and what is read.

use std::fmt;

use compact_str::CompactString;
use indexmap::{IndexMap, map::Entry as Slot};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor},
    ser::SerializeMap,
};

/// Changes when a reader of the old form would misread the new one.
pub(super) const SCHEMA: u32 = 1;
/// The one key that is no FQN.
const META: &str = "$meta";

/// The whole file.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) meta: Option<Meta>,
    pub(super) entries: IndexMap<CompactString, Entry>,
}

/// Where the counts come from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Meta {
    pub(super) schema: u32,
    #[serde(default)]
    pub(super) generator: String,
    #[serde(default)]
    pub(super) sources: Vec<Source>,
    #[serde(default)]
    pub(super) tokenizer: String,
    #[serde(default)]
    pub(super) min_usage_threshold: u32,
    #[serde(default)]
    pub(super) counts: Counts,
    /// Names that packages are imported by, with the module that each leads to.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(super) packages: IndexMap<CompactString, CompactString>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
}

/// Numbers of the whole index; the last six are its ledger.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    pub(super) files: u32,
    pub(super) modules: u32,
    pub(super) definitions: u32,
    /// Definitions that are called too seldom for an entry.
    pub(super) left_out: u32,
    pub(super) calls: u32,
    pub(super) resolved: u32,
    pub(super) ambiguous: u32,
    pub(super) spread: u32,
    pub(super) unknown_receiver: u32,
    pub(super) unknown_name: u32,
    pub(super) dynamic: u32,
    pub(super) external: u32,
}

/// One definition. Everything but the first four keys is our own.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Entry {
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) usage_rank: u32,
    pub(super) total_calls: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) init_args: Option<Arguments>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args: Option<Arguments>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Kind>,
    #[serde(skip_serializing_if = "Language::is_python")]
    pub(super) language: Language,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) modifiers: Vec<Modifier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) module: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alias: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) aliases: Vec<CompactString>,
    /// Written for what is not public.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) public: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<CompactString>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) end_line: u32,
    /// What the calls of its own file stand for, where that is not `src`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) defined_in: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bases: Vec<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) decorators: Vec<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) receiver: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) returns: Option<CompactString>,
    #[serde(rename = "async", skip_serializing_if = "is_false")]
    pub(super) is_async: bool,
    #[serde(rename = "synthesized", skip_serializing_if = "is_false")]
    pub(super) is_synthesized: bool,
    /// Of a class or type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) type_parameters: Option<CompactString>,
    /// Of a function or constructor itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call_type_parameters: Option<CompactString>,
    /// What callers see, where that is not what `args` say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) overloads: Vec<Overload>,
    /// Names of types in its texts, with the FQN of each that the sources define.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) types: IndexMap<CompactString, Option<CompactString>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) argument_sets: Vec<Set>,
    /// Pairs that are passed together, most frequent first; follows from the argument sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) co_occurrence: Vec<Set>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) origins: IndexMap<CompactString, u32>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) ledger: IndexMap<CompactString, u32>,
    /// The classes and functions around it that have no entry, outermost first, by FQN.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) within: IndexMap<CompactString, Entry>,
    /// Members of a class that have no entry, in source order.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) members: IndexMap<CompactString, Entry>,
}

/// Arguments by name, in the order of the signature.
pub(super) type Arguments = IndexMap<CompactString, Argument>;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Argument {
    pub(super) required: bool,
    /// Null where no call tells.
    pub(super) freq: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<u32>,
    /// Calls that may pass it unseen.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unknown: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) positional: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<ArgumentKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<CompactString>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) values: IndexMap<CompactString, u32>,
    /// Of a property, the argument that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<CompactString>,
    /// Its own name, where the key does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<CompactString>,
}

/// One signature of an overloaded function; its arguments have no counts.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Overload {
    pub(super) args: IndexMap<CompactString, Form>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) returns: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) type_parameters: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) receiver: Option<CompactString>,
    #[serde(rename = "async", skip_serializing_if = "is_false")]
    pub(super) is_async: bool,
}

/// An argument without its counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Form {
    pub(super) required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<ArgumentKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<CompactString>,
}

/// Arguments that calls pass together.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Set {
    pub(super) args: Vec<CompactString>,
    pub(super) calls: u32,
    /// May pass more than is seen.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Class,
    Function,
    Method,
    ClassMethod,
    StaticMethod,
    Property,
    Attribute,
    Constant,
    Interface,
    #[serde(rename = "type")]
    TypeAlias,
    Enum,
    Namespace,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Language {
    #[default]
    Python,
    TypeScript,
}

impl Language {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
    fn is_python(&self) -> bool {
        *self == Self::Python
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Modifier {
    Optional,
    Readonly,
    Static,
    Abstract,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ArgumentKind {
    PositionalOnly,
    #[default]
    Standard,
    VarPositional,
    KeywordOnly,
    VarKeyword,
    Property,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.entries.len() + 1))?;
        if let Some(meta) = &self.meta {
            map.serialize_entry(META, meta)?;
        }
        for (fqn, entry) in &self.entries {
            map.serialize_entry(fqn, entry)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping of names to their usage")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut document = Document::default();
        while let Some(key) = map.next_key::<CompactString>()? {
            if key == META {
                document.meta = Some(map.next_value()?);
                continue;
            }
            match document.entries.entry(key) {
                Slot::Occupied(slot) => {
                    return Err(A::Error::custom(format_args!("`{}` stands there twice", slot.key().escape_debug())));
                }
                Slot::Vacant(slot) => {
                    slot.insert(map.next_value()?);
                }
            }
        }
        Ok(document)
    }

    /// An empty file is an empty index.
    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::default())
    }
}
