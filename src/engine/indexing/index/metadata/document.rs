//! The file as types. The names of the fields are the keys of the file; `expecting` has the words that error messages
//! use.

use std::fmt;

use apidisc_facts::documentation::DocumentationObject;
use compact_str::CompactString;
use indexmap::{IndexMap, map::Entry};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor},
    ser::SerializeMap,
};

use super::contents::Folders;
use super::results::{MetadataResult, MetadataTaken};
use super::vocabulary::{MetadataLanguage, MetadataModifier, MetadataParameterKind};
use apidisc_base::diagnostic::LimitCounts;
use apidisc_facts::{program::DefinitionKind, source::SourceMeta};

/// The version of the format. It changes when readers of the old format would misread the new one.
pub(super) const SCHEMA: u32 = 4;
/// The first version that names the source of each use.
pub(super) const FIRST_WITH_SOURCES: u32 = 4;
/// The oldest version that is still read: a file of version 2 counts no reads.
pub(super) const OLDEST_SCHEMA: u32 = 2;
/// The key of the header.
const META: &str = "$meta";
/// The key of the last line. All keys between it and [`META`] are FQNs.
const END: &str = "$end";

/// The whole file: `$meta`, then an entry per FQN, then `$end`.
#[derive(Debug, Default)]
pub(super) struct MetadataDocument {
    pub(super) meta: Option<MetadataHeader>,
    pub(super) entries: IndexMap<CompactString, MetadataEntry>,
    /// The number of entries that the writer wrote. A file without it was cut off.
    pub(super) end: Option<u32>,
}

/// The value of `$meta`: the sources and settings behind the counts.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(expecting = "the keys of $meta")]
pub(super) struct MetadataHeader {
    pub(super) schema: u32,
    #[serde(default)]
    pub(super) generator: String,
    #[serde(default)]
    pub(super) sources: Vec<MetadataSource>,
    /// The weights of the counts; left out if every call counts once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<String>,
    #[serde(default)]
    pub(super) tokenizer: String,
    #[serde(default)]
    pub(super) min_usage_threshold: u32,
    #[serde(default)]
    pub(super) counts: MetadataCounts,
    /// The files, or parts of files, that are not in the index because they exceed a limit.
    #[serde(default, skip_serializing_if = "LimitCounts::is_empty")]
    pub(super) limits: LimitCounts,
    /// The names by which packages are imported, each with the FQN of its module.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(super) packages: IndexMap<CompactString, CompactString>,
    /// The files that the counts were made from: per folder, the hash of each file. `.` is the root.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(super) contents: Folders,
    /// The modules of all definitions in the file, by FQN.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(super) modules: IndexMap<CompactString, MetadataModule>,
}

/// A module or package.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of a module")]
pub(super) struct MetadataModule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<CompactString>,
    /// The origin of the file; left out if it is `src`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<CompactString>,
    /// True for an auxiliary file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) auxiliary: bool,
    /// True for a file that the `exports` of its package leave out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) internal: bool,
    #[serde(skip_serializing_if = "MetadataLanguage::is_python")]
    pub(super) language: MetadataLanguage,
}

/// A source and the commit that was indexed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(expecting = "a source with its url")]
pub(super) struct MetadataSource {
    /// The folder of the source in the paths of files; left out if there is one source.
    #[serde(default, skip_serializing_if = "CompactString::is_empty")]
    pub(super) name: CompactString,
    pub(super) url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) branch: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
}

impl From<&SourceMeta> for MetadataSource {
    fn from(SourceMeta { name, url, branch, commit }: &SourceMeta) -> Self {
        Self { name: name.clone(), url: url.clone(), branch: branch.clone(), commit: commit.clone() }
    }
}

impl From<MetadataSource> for SourceMeta {
    fn from(MetadataSource { name, url, branch, commit }: MetadataSource) -> Self {
        Self { name, url, branch, commit }
    }
}

/// The sizes of the whole index; the fields from `resolved` on are its ledger.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of counts")]
pub(super) struct MetadataCounts {
    pub(super) files: u32,
    pub(super) modules: u32,
    pub(super) definitions: u32,
    /// Definitions without an entry, because they are used less often than the threshold.
    pub(super) left_out: u32,
    pub(super) calls: u32,
    pub(super) resolved: u32,
    pub(super) ambiguous: u32,
    pub(super) spread: u32,
    pub(super) unknown_receiver: u32,
    pub(super) unknown_name: u32,
    pub(super) dynamic: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) too_complex: u32,
    pub(super) external: u32,
}

/// One definition. In the bare form it has only the keys `usage_rank`, `total_calls`, `init_args` and `args`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of a definition, such as total_calls")]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub(super) struct MetadataEntry {
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) usage_rank: u32,
    pub(super) total_calls: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) total_reads: u32,
    /// The weight of the reads when a strategy compares members, if it differs from their number: see
    /// [`MetadataArgumentSet::worth`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worth_of_reads: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) init_args: Option<MetadataArguments>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args: Option<MetadataArguments>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<DefinitionKind>,
    #[serde(skip_serializing_if = "MetadataLanguage::is_python")]
    pub(super) language: MetadataLanguage,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) modifiers: Vec<MetadataModifier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) module: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alias: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) aliases: Vec<CompactString>,
    /// `false` for a definition that is not public; left out for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) public: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<CompactString>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) end_line: u32,
    /// The origin of the definition's file; left out if it is `src`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) defined_in: Option<CompactString>,
    /// True if the definition's file is auxiliary.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) auxiliary: bool,
    /// True if the `exports` of its package leave the definition's file out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) internal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) documentation: Option<DocumentationObject>,
    /// A call as the sources write it, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) typical_call: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bases: Vec<CompactString>,
    /// The ancestors of a class that the sources define, in method resolution order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) ancestors: Vec<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) decorators: Vec<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) receiver: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) returns: Option<CompactString>,
    /// The return type of a function without an annotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inferred_returns: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) passed_on: Vec<CompactString>,
    /// The object that the function returns, and how often calls take each of its members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<MetadataResult>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) taken: Vec<MetadataTaken>,
    #[serde(rename = "async", skip_serializing_if = "is_false")]
    pub(super) is_async: bool,
    #[serde(rename = "synthesized", skip_serializing_if = "is_false")]
    pub(super) is_synthesized: bool,
    /// True if the sources do not declare all parameters.
    #[serde(rename = "incomplete", skip_serializing_if = "is_false")]
    pub(super) is_incomplete: bool,
    /// The type parameters of a class or type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) type_parameters: Option<CompactString>,
    /// The type parameters of a function or of a constructor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call_type_parameters: Option<CompactString>,
    /// The signatures that callers of an overloaded function see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) overloads: Vec<MetadataOverload>,
    /// The type names in the definition's texts, each with its FQN if the sources define it.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) types: IndexMap<CompactString, Option<CompactString>>,
    /// The first parts of names in `types` that the sources import from elsewhere, each with its module and name.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) type_imports: IndexMap<CompactString, CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<CompactString>,
    /// The members that code uses through a constant, each with its uses.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) used_members: IndexMap<CompactString, u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) argument_sets: Vec<MetadataArgumentSet>,
    /// Pairs of arguments that are passed together, most frequent first. Derived from the argument sets; not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) co_occurrence: Vec<MetadataArgumentSet>,
    /// The usage in each source, by name. Left out if only its own source, whose uses count once, uses the definition.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) by_source: IndexMap<CompactString, MetadataSourceUsage>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) origins: IndexMap<CompactString, u32>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) ledger: IndexMap<CompactString, u32>,
    /// The FQN, if it cannot be derived from the keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fqn: Option<CompactString>,
    /// The name, if it is not the last part of the FQN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<CompactString>,
    /// `false` for a definition at module level whose FQN is longer than that of its module and its name; left out for
    /// others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nested: Option<bool>,
    /// The number of definitions in the file that come before this one on the same line of the source.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) order: u32,
    /// The members without an entry, by name, in source order.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) members: IndexMap<CompactString, MetadataEntry>,
    /// The members that a public class inherits from bases that are not public: `declaration`, and their usage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) inherited: Vec<MetadataEntry>,
    /// The members that a class inherits from public bases and that code uses on the class: `declaration`, their usage
    /// on the class, and a typical call on the class if that of the declaration is made on another one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) used_of_bases: Vec<MetadataEntry>,
    /// The FQN of the declaration of an inherited member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) declaration: Option<CompactString>,
    /// Further definitions with the same FQN, such as those on the other branches of an `if`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<MetadataEntry>,
}

/// Arguments by key, in the order of the signature; [`super::arguments::keys`] makes the keys.
pub(super) type MetadataArguments = IndexMap<CompactString, MetadataArgument>;

/// A parameter with its counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of an argument, such as required")]
pub(super) struct MetadataArgument {
    pub(super) required: bool,
    /// The share of calls that pass the argument, among the calls for which this is known. Null if it is known for no
    /// call.
    pub(super) freq: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The number of calls of which it is unknown whether they pass the argument.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unknown: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) positional: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<MetadataParameterKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<CompactString>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) values: IndexMap<CompactString, u32>,
    /// For a property, the key of its object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<CompactString>,
    /// The parameter's name, if it cannot be derived from the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<CompactString>,
}

/// One signature of an overloaded function; its parameters have no counts.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of an overload")]
pub(super) struct MetadataOverload {
    pub(super) args: IndexMap<CompactString, MetadataParameter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) returns: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) type_parameters: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) receiver: Option<CompactString>,
    #[serde(rename = "async", skip_serializing_if = "is_false")]
    pub(super) is_async: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecated: Option<CompactString>,
    /// The number of calls that take the overload.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) calls: u32,
    /// How often these calls pass the arguments of the implementation, by key. Arguments that are never passed are left
    /// out.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) passed: IndexMap<CompactString, MetadataPassed>,
}

/// How often the calls of an overload pass an argument.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the counts of an argument")]
pub(super) struct MetadataPassed {
    #[serde(skip_serializing_if = "is_zero")]
    pub count: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unknown: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) positional: u32,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) values: IndexMap<CompactString, u32>,
}

/// The usage of a definition in one source, each use counted once, whatever the weight of the source.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the usage in a source")]
pub(super) struct MetadataSourceUsage {
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) total_calls: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) total_reads: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worth_of_reads: Option<f64>,
    /// The number of calls with a spread.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) spread: u32,
    /// How often the calls pass the arguments of the definition, by key. Arguments that are never passed are left out.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) args: IndexMap<CompactString, MetadataPassed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) argument_sets: Vec<MetadataArgumentSet>,
    /// The usage of each overload of the definition; left out if no call certainly takes one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) overloads: Vec<MetadataOverloadUsage>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) taken: Vec<MetadataTaken>,
}

/// The calls of one source that take an overload.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the usage of an overload")]
pub(super) struct MetadataOverloadUsage {
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) calls: u32,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) passed: IndexMap<CompactString, MetadataPassed>,
}

/// A parameter without counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of a parameter")]
pub(super) struct MetadataParameter {
    pub(super) required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<MetadataParameterKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<CompactString>,
}

/// Arguments that calls pass together, by key.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(expecting = "an argument set with its calls")]
pub(super) struct MetadataArgumentSet {
    pub(super) args: Vec<CompactString>,
    pub(super) calls: u32,
    /// [`ArgumentSet::worth`](crate::usage::ArgumentSet::worth), if it differs from the number of calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) worth: Option<f64>,
    /// True if these calls may pass more arguments than are visible.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) open: bool,
    /// The overload that these calls take, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) overload: Option<u32>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Serialize for MetadataDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(meta) = &self.meta {
            map.serialize_entry(META, meta)?;
        }
        for (fqn, entry) in &self.entries {
            map.serialize_entry(fqn, entry)?;
        }
        if let Some(end) = &self.end {
            map.serialize_entry(END, end)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for MetadataDocument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MetadataDocumentVisitor)
    }
}

struct MetadataDocumentVisitor;

impl<'de> Visitor<'de> for MetadataDocumentVisitor {
    type Value = MetadataDocument;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping of names to their usage")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MetadataDocument, A::Error> {
        let mut document = MetadataDocument::default();
        while let Some(key) = map.next_key::<CompactString>()? {
            if key == META {
                document.meta = Some(map.next_value()?);
                continue;
            }
            if key == END {
                document.end = Some(map.next_value()?);
                continue;
            }
            if document.end.is_some() {
                return Err(A::Error::custom(format_args!("`{}` stands after `{END}`", key.escape_debug())));
            }
            match document.entries.entry(key) {
                Entry::Occupied(entry) => {
                    return Err(A::Error::custom(format_args!("`{}` stands there twice", entry.key().escape_debug())));
                }
                Entry::Vacant(entry) => {
                    entry.insert(map.next_value()?);
                }
            }
        }
        Ok(document)
    }

    /// An empty file is an empty index.
    fn visit_unit<E>(self) -> Result<MetadataDocument, E> {
        Ok(MetadataDocument::default())
    }
}
