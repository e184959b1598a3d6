//! Uses of definitions: calls and reads.

use std::{
    iter::Sum,
    ops::{AddAssign, Sub},
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ArgumentSet, Usage};
use apidisc_facts::program::{DefinitionId, FileId, ReadId, ReadSite};

/// A number of calls and a number of reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Calls of functions, methods and classes.
    pub calls: u32,
    /// Reads of attributes and properties, as [`Usage::total_reads`] counts them.
    pub reads: u32,
}

impl Uses {
    /// Calls and reads together.
    pub fn total(self) -> u32 {
        self.calls + self.reads
    }
}

impl AddAssign for Uses {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.reads += other.reads;
    }
}

/// The difference to uses that are a part of these.
impl Sub for Uses {
    type Output = Self;

    fn sub(self, part: Self) -> Self {
        Self { calls: self.calls.saturating_sub(part.calls), reads: self.reads.saturating_sub(part.reads) }
    }
}

impl Sum for Uses {
    fn sum<I: Iterator<Item = Self>>(uses: I) -> Self {
        uses.fold(Self::default(), |mut sum, uses| {
            sum += uses;
            sum
        })
    }
}

/// Adds to `usage` the reads `ids` of one attribute, all different. `weight` returns how often the reads of a file
/// count; reads of weight 0 are left out. `origin` returns the position of a file's origin in
/// [`apidisc_facts::source::Origin::ALL`].
pub(crate) fn count_reads(
    usage: &mut Usage,
    reads: &[ReadSite],
    mut ids: Vec<ReadId>,
    weight: impl Fn(FileId) -> u32,
    origin: impl Fn(FileId) -> usize,
) {
    let mut readers: FxHashSet<(FileId, Option<DefinitionId>)> = FxHashSet::default();
    let mut counted_in: FxHashMap<FileId, u32> = FxHashMap::default();
    for read in ids.iter().map(|id| &reads[id.index()]) {
        if readers.insert((read.file, read.reader)) {
            usage.total_reads += weight(read.file);
            usage.origins[origin(read.file)] += 1;
            *counted_in.entry(read.file).or_default() += 1;
        }
    }
    usage.worth_of_reads = worth_of_reads(counted_in.into_iter().map(|(file, reads)| (reads, weight(file))));
    ids.retain(|id| weight(reads[id.index()].file) > 0);
    usage.reads = ids;
}

/// The worth of reads, given their number in each file and the weight of that file.
pub(crate) fn worth_of_reads(files: impl Iterator<Item = (u32, u32)>) -> u32 {
    let mut worth: Vec<f64> = files.map(|(reads, weight)| f64::from(reads).sqrt() * f64::from(weight)).collect();
    worth.sort_unstable_by(f64::total_cmp);
    // The sum of floating-point numbers depends on their order, so they are sorted.
    (worth.iter().sum::<f64>() * f64::from(ArgumentSet::WORTH_OF_A_CALL)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_facts::program::CallForm;

    #[test]
    fn an_attribute_counts_once_per_function_and_once_per_module_body() {
        let (file, attribute) = (FileId::new, DefinitionId::new(0));
        let readers = [(0, Some(1)), (0, Some(1)), (0, Some(2)), (0, None), (0, None), (1, None)];
        let read = |(line, &(at, reader)): (usize, &(usize, Option<usize>))| ReadSite {
            file: file(at),
            line: line as u32,
            col: 0,
            reader: reader.map(DefinitionId::new),
            attribute,
            receiver: None,
            through: None,
            form: CallForm::Attribute,
        };
        let reads: Vec<ReadSite> = readers.iter().enumerate().map(read).collect();
        let ids = || (0..reads.len()).map(ReadId::new).collect::<Vec<_>>();
        let mut usage = Usage::default();
        count_reads(&mut usage, &reads, ids(), |_| 1, FileId::index);
        assert_eq!((usage.total_reads, usage.uses(), usage.reads.len(), usage.origins), (4, 4, 6, [3, 1, 0, 0]));
        let mut weighted = Usage::default();
        count_reads(&mut weighted, &reads, ids(), |file| if file.index() == 0 { 0 } else { 3 }, FileId::index);
        assert_eq!((weighted.total_reads, weighted.reads), (3, vec![ReadId::new(5)]));
    }
}
