//! Limits on the uses and the counters of parameters that a metadata file declares, so that a small file cannot make an
//! index that fills the memory.

use super::document::{MetadataArguments, MetadataEntry, MetadataSourceUsage};
use crate::index::recount::MAX_USES;

/// The greatest number of counters of parameters of called overloads. An index has a counter for each called overload
/// of a definition and each argument of the definition, however few of them the file mentions.
const MAX_OVERLOAD_COUNTS: usize = 1 << 20;
/// The greatest number of counters of parameters in single sources. For each source that uses a definition, an index
/// has a counter for each argument of the definition, and one more for each argument and each overload that the source
/// calls.
const MAX_SOURCE_COUNTS: usize = 1 << 23;

/// Sums over the entries of a file.
#[derive(Debug, Default)]
pub(super) struct FileSums {
    /// The uses, those of inherited members among them.
    uses: u64,
    /// The counters of parameters of called overloads.
    overload_counts: usize,
    /// The counters of parameters in single sources.
    source_counts: usize,
    /// The uses in single sources, those of sources with the weight 0 among them.
    uses_in_sources: u64,
}

impl FileSums {
    /// Adds an entry, without the entries in it.
    ///
    /// # Errors
    /// The predicate of a message whose subject is the FQN of the entry, if a sum exceeds its limit.
    pub(super) fn add(&mut self, entry: &MetadataEntry) -> Result<(), String> {
        let through: u64 = entry.used_members.values().map(|uses| u64::from(*uses)).sum();
        self.uses += u64::from(entry.total_calls) + u64::from(entry.total_reads) + through;
        if self.uses > MAX_USES {
            return Err("brings the file above 50 million uses".to_owned());
        }
        let arguments = entry.init_args.as_ref().or(entry.args.as_ref()).map_or(0, MetadataArguments::len);
        let called = entry.overloads.iter().filter(|overload| overload.calls > 0).count();
        self.overload_counts = self.overload_counts.saturating_add(called.saturating_mul(arguments));
        if self.overload_counts > MAX_OVERLOAD_COUNTS {
            return Err("brings the file above a million parameters of called overloads".to_owned());
        }
        let in_source = |source: &MetadataSourceUsage| u64::from(source.total_calls) + u64::from(source.total_reads);
        self.uses_in_sources += entry.by_source.values().map(in_source).sum::<u64>();
        if self.uses_in_sources > MAX_USES {
            return Err("brings the file above 50 million uses in single sources".to_owned());
        }
        let rows = entry.by_source.values().map(|source| 1 + source.overloads.len());
        self.source_counts = self.source_counts.saturating_add(rows.sum::<usize>().saturating_mul(arguments));
        if self.source_counts > MAX_SOURCE_COUNTS {
            return Err("brings the file above eight million parameters in single sources".to_owned());
        }
        Ok(())
    }
}
