//! The postings of terms as bytes: for each document of a term, its distance from the document before it in LEB128, and
//! the weighted frequency of the term in two bytes.

use super::documents::DocumentTerms;

/// The lowest exponent of a frequency in two bytes, as `f32` stores it. It stands for 2^-16, and the highest one for
/// 2^15.
const LOWEST_EXPONENT: u32 = 127 - 16;
/// The bits of the mantissa of a frequency in two bytes. The error is below .03%.
const MANTISSA_BITS: u32 = 11;
/// The bits by which the mantissa of an `f32` is longer.
const DROPPED_BITS: u32 = f32::MANTISSA_DIGITS - 1 - MANTISSA_BITS;

/// The postings of all terms, term by term; the number of documents of each term; and the end of the postings of each
/// term.
pub(super) fn write(documents: &DocumentTerms) -> (Box<[u8]>, Vec<u32>, Vec<u64>) {
    let terms = documents.terms().len();
    let mut counts = vec![0_u32; terms];
    let mut next = vec![0_u64; terms];
    let mut last = vec![0_u32; terms];
    let mut visit = |visit: &mut dyn FnMut(usize, u32, f32)| {
        last.fill(0);
        for document in 0..documents.count() {
            for (term, frequency) in documents.of(document) {
                let term = *term as usize;
                visit(term, document as u32 - std::mem::replace(&mut last[term], document as u32), *frequency);
            }
        }
    };
    visit(&mut |term, distance, _| {
        counts[term] += 1;
        next[term] += u64::from((u32::BITS - distance.leading_zeros()).div_ceil(7).max(1)) + 2;
    });
    let mut size = 0;
    for next in &mut next {
        size += std::mem::replace(next, size);
    }
    let mut bytes = vec![0_u8; size as usize].into_boxed_slice();
    visit(&mut |term, mut distance, frequency| {
        let mut push = |byte: u8| {
            bytes[next[term] as usize] = byte;
            next[term] += 1;
        };
        while distance >= 0x80 {
            push(distance as u8 | 0x80);
            distance >>= 7;
        }
        push(distance as u8);
        shortened(frequency).to_le_bytes().into_iter().for_each(push);
    });
    (bytes, counts, next)
}

/// The documents of a term in ascending order, with the weighted frequencies of the term.
pub(super) struct Postings<'b> {
    bytes: &'b [u8],
    document: u32,
}

impl<'b> Postings<'b> {
    /// The postings in bytes that [`write`] has written for one term.
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, document: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, f32);

    fn next(&mut self) -> Option<(u32, f32)> {
        let (&byte, mut rest) = self.bytes.split_first()?;
        let mut distance = u32::from(byte & 0x7f);
        let (mut byte, mut shift) = (byte, 7);
        while byte >= 0x80 {
            (byte, rest) = rest.split_first().map(|(byte, rest)| (*byte, rest))?;
            distance |= u32::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
        }
        let (frequency, rest) = rest.split_first_chunk()?;
        self.bytes = rest;
        self.document = self.document.checked_add(distance)?;
        Some((self.document, lengthened(u16::from_le_bytes(*frequency))))
    }
}

/// A positive frequency in two bytes.
fn shortened(frequency: f32) -> u16 {
    let rounded = (frequency.to_bits() + (1 << (DROPPED_BITS - 1))) >> DROPPED_BITS;
    rounded.saturating_sub(LOWEST_EXPONENT << MANTISSA_BITS).min(u32::from(u16::MAX)) as u16
}

fn lengthened(frequency: u16) -> f32 {
    f32::from_bits((u32::from(frequency) + (LOWEST_EXPONENT << MANTISSA_BITS)) << DROPPED_BITS)
}

#[cfg(test)]
mod tests {
    use super::{Postings, lengthened, shortened, write};
    use crate::terms::{DocumentTermsBuilder, Field};

    #[test]
    fn two_bytes_hold_a_frequency() {
        for frequency in [0.000_1_f32, 0.01, 0.3, 1.0, 5.0 / 3.0, 77.7, 12_345.6] {
            let error = (lengthened(shortened(frequency)) - frequency).abs() / frequency;
            assert!(error < 0.000_3, "{frequency}: {error}");
        }
        assert!(lengthened(shortened(1e-9)) < 0.000_02 && lengthened(shortened(1e9)) > 60_000.0);
    }

    #[test]
    fn postings_are_read_as_they_were_written() {
        let mut builder = DocumentTermsBuilder::new([Field { weight: 1.0, b: 0.0 }]);
        for document in 0..40_000 {
            builder.begin();
            if [0, 1, 128, 300, 39_999].contains(&document) {
                builder.add(0, "a");
                builder.add(0, if document == 128 { "a" } else { "b" });
            }
        }
        let (bytes, counts, ends) = write(&builder.finish());
        let split = ends[0] as usize;
        let read = |bytes| Postings::new(bytes).collect::<Vec<_>>();
        assert_eq!((&counts[..], ends[1] as usize), (&[5, 4][..], bytes.len()));
        assert_eq!(read(&bytes[..split]), [(0, 1.0), (1, 1.0), (128, 2.0), (300, 1.0), (39_999, 1.0)]);
        assert_eq!(read(&bytes[split..]), [(0, 1.0), (1, 1.0), (300, 1.0), (39_999, 1.0)]);
        for cut in 0..split {
            assert!(read(&bytes[..cut]).len() < 5, "{cut}");
        }
    }
}
