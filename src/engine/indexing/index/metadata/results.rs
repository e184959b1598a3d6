//! The objects that functions return, and how often calls take their members.

use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::usage::{MemberUsage, Usage};
use apidisc_facts::program::{ResultShape, ReturnedMember, ReturnedObject};

/// The object that a function returns.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of a result")]
pub(super) struct MetadataResult {
    /// What the object is, if the members are the items of a tuple.
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<TupleShape>,
    /// The members by name.
    members: IndexMap<CompactString, MetadataResultMember>,
    /// True if the object may have further members.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    open: bool,
    /// What the function returns otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    otherwise: Option<CompactString>,
}

/// A kind of tuple.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", expecting = "`tuple` or `named-tuple`")]
enum TupleShape {
    Tuple,
    NamedTuple,
}

/// A member of a result.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of a member of a result")]
struct MetadataResultMember {
    #[serde(skip_serializing_if = "Option::is_none")]
    annotation: Option<CompactString>,
    /// True if some of the returned objects do not have the member.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
}

/// How often calls take one member of a result.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the counts of a member of a result")]
pub(super) struct MetadataTaken {
    /// The number of calls that take the member.
    count: u32,
    /// The number of calls for which this is known.
    known: u32,
}

impl From<&ReturnedObject> for MetadataResult {
    fn from(object: &ReturnedObject) -> Self {
        let member = |member: &ReturnedMember| {
            let annotation = member.annotation.as_deref().map(CompactString::new);
            (CompactString::new(&member.name), MetadataResultMember { annotation, optional: member.is_optional })
        };
        Self {
            shape: match object.shape {
                ResultShape::Object => None,
                ResultShape::Tuple => Some(TupleShape::Tuple),
                ResultShape::NamedTuple => Some(TupleShape::NamedTuple),
            },
            members: object.members.iter().map(member).collect(),
            open: object.is_open,
            otherwise: object.otherwise.as_deref().map(CompactString::new),
        }
    }
}

impl MetadataResult {
    pub(super) fn object(&self) -> Arc<ReturnedObject> {
        let member = |(name, member): (&CompactString, &MetadataResultMember)| ReturnedMember {
            name: name.as_str().into(),
            annotation: member.annotation.as_deref().map(ArcStr::from),
            is_optional: member.optional,
        };
        // The text stands in types, so only the known words are read.
        let words = ["null", "undefined", "null | undefined", "None"];
        let otherwise = self.otherwise.as_deref().filter(|text| words.contains(text));
        Arc::new(ReturnedObject {
            shape: match self.shape {
                None => ResultShape::Object,
                Some(TupleShape::Tuple) => ResultShape::Tuple,
                Some(TupleShape::NamedTuple) => ResultShape::NamedTuple,
            },
            members: self.members.iter().map(member).collect(),
            is_open: self.open,
            otherwise: otherwise.map(ArcStr::from),
        })
    }
}

/// How often calls take each member of the result, in the order of the members. Empty if this is known for no call.
pub(super) fn taken(usage: &Usage) -> Vec<MetadataTaken> {
    usage.taken.iter().map(|&MemberUsage { count, known }| MetadataTaken { count, known }).collect()
}

/// The counts of [`taken`] as an entry with this number of calls states them.
///
/// # Errors
/// If the numbers contradict each other. The message continues "`FQN` …".
pub(super) fn read_taken(rows: &[MetadataTaken], total_calls: u32) -> Result<Vec<MemberUsage>, String> {
    if rows.iter().any(|row| row.count > row.known || row.known > total_calls) {
        return Err("counts more calls for a member of its result than `total_calls`".to_owned());
    }
    Ok(rows.iter().map(|&MetadataTaken { count, known }| MemberUsage { count, known }).collect())
}
