//! Values as bytes, for an index that is kept between runs of the program.
//!
//! The bytes have no names and no types: only the program that wrote them can read them. A text that occurs several
//! times is written once, and so is a value that several owners share; both are shared again when they are read.
//! Reading refuses bytes that encode no value, and allocates at most a multiple of their length.

use std::{any::Any, hash::Hash, ops::Range, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{Array, SmallVec};
use thin_vec::ThinVec;

/// A value that can be written as bytes and read from them.
pub trait Packed: Sized {
    /// Writes the value.
    fn pack(&self, to: &mut PackWriter);

    /// Reads a value; `None` if the bytes encode no value of this type.
    fn unpack(from: &mut PackReader<'_>) -> Option<Self>;
}

/// Bytes that are being written.
#[derive(Default)]
pub struct PackWriter {
    bytes: Vec<u8>,
    /// The number of each text that has been written, from 1.
    texts: FxHashMap<ArcStr, u64>,
    /// The number of each shared value that has been written, from 1, by its address.
    shared: FxHashMap<usize, u64>,
}

impl PackWriter {
    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes a number in as few bytes as it needs: seven bits a byte, the lowest first, as in LEB128.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Writes bytes without their length, which the reader must know from elsewhere.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes the length of bytes, and the bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Writes the values of a list.
    pub fn list<'v, T: Packed + 'v>(&mut self, values: impl ExactSizeIterator<Item = &'v T>) {
        self.number(values.len() as u64);
        values.for_each(|value| value.pack(self));
    }
}

/// Bytes that are being read.
pub struct PackReader<'b> {
    bytes: &'b [u8],
    texts: Vec<ArcStr>,
    shared: Vec<Arc<dyn Any + Send + Sync>>,
}

impl<'b> PackReader<'b> {
    /// A reader of `bytes`.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, texts: Vec::new(), shared: Vec::new() }
    }

    /// The bytes that have not been read.
    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }

    /// Reads a number.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads `size` bytes.
    pub fn raw(&mut self, size: usize) -> Option<&'b [u8]> {
        let (raw, rest) = self.bytes.split_at_checked(size)?;
        self.bytes = rest;
        Some(raw)
    }

    /// Reads a length, and as many bytes as it states.
    pub fn sized_bytes(&mut self) -> Option<&'b [u8]> {
        let size = usize::try_from(self.number()?).ok()?;
        self.raw(size)
    }

    fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.sized_bytes()?).ok()
    }

    /// Reads the values of a list.
    pub fn list<T: Packed>(&mut self) -> Option<Vec<T>> {
        let count = usize::try_from(self.number()?).ok()?;
        // A value takes at least one byte.
        if count > self.bytes.len() {
            return None;
        }
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(T::unpack(self)?);
        }
        Some(values)
    }
}

/// The number of a text or shared value whose content follows. Other numbers refer to earlier texts and shared values.
const NEW: u64 = 0;

impl Packed for ArcStr {
    fn pack(&self, to: &mut PackWriter) {
        if let Some(&known) = to.texts.get(self) {
            return to.number(known);
        }
        to.texts.insert(self.clone(), to.texts.len() as u64 + 1);
        to.number(NEW);
        to.bytes(self.as_bytes());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        match from.number()? {
            NEW => {
                let text = Self::from(from.text()?);
                from.texts.push(text.clone());
                Some(text)
            }
            known => from.texts.get(usize::try_from(known).ok()? - 1).cloned(),
        }
    }
}

impl<T: Packed + Send + Sync + 'static> Packed for Arc<T> {
    fn pack(&self, to: &mut PackWriter) {
        let address = Self::as_ptr(self).addr();
        if let Some(&known) = to.shared.get(&address) {
            return to.number(known);
        }
        to.number(NEW);
        (**self).pack(to);
        // Shared values inside this value have smaller numbers, because the reader completes and numbers them first.
        to.shared.insert(address, to.shared.len() as u64 + 1);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        match from.number()? {
            NEW => {
                let value = Self::new(T::unpack(from)?);
                from.shared.push(Self::clone(&value) as Arc<dyn Any + Send + Sync>);
                Some(value)
            }
            known => Arc::clone(from.shared.get(usize::try_from(known).ok()? - 1)?).downcast().ok(),
        }
    }
}

impl Packed for bool {
    fn pack(&self, to: &mut PackWriter) {
        to.number(u64::from(*self));
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        match from.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Packed for CompactString {
    fn pack(&self, to: &mut PackWriter) {
        to.bytes(self.as_bytes());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.text().map(Self::from)
    }
}

impl Packed for String {
    fn pack(&self, to: &mut PackWriter) {
        to.bytes(self.as_bytes());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.text().map(Self::from)
    }
}

impl<T: Packed> Packed for Option<T> {
    fn pack(&self, to: &mut PackWriter) {
        self.is_some().pack(to);
        if let Some(value) = self {
            value.pack(to);
        }
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        if bool::unpack(from)? { T::unpack(from).map(Some) } else { Some(None) }
    }
}

impl<A: Packed, B: Packed> Packed for (A, B) {
    fn pack(&self, to: &mut PackWriter) {
        self.0.pack(to);
        self.1.pack(to);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
    }
}

impl<T: Packed + Copy + Default, const N: usize> Packed for [T; N] {
    fn pack(&self, to: &mut PackWriter) {
        for value in self {
            value.pack(to);
        }
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = T::unpack(from)?;
        }
        Some(values)
    }
}

#[allow(clippy::implicit_hasher, reason = "the order of the bytes does not depend on the hasher; others are not used")]
impl<K: Packed + Ord + Hash, V: Packed> Packed for FxHashMap<K, V> {
    /// Writes the entries in the order of their keys, so that equal maps have equal bytes.
    fn pack(&self, to: &mut PackWriter) {
        let mut entries: Vec<(&K, &V)> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        to.number(entries.len() as u64);
        for (key, value) in entries {
            key.pack(to);
            value.pack(to);
        }
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.list().map(|entries: Vec<(K, V)>| entries.into_iter().collect())
    }
}

#[allow(clippy::implicit_hasher, reason = "as above")]
impl<K: Packed + Ord + Hash> Packed for FxHashSet<K> {
    /// Writes the elements in their order, so that equal sets have equal bytes.
    fn pack(&self, to: &mut PackWriter) {
        let mut elements: Vec<&K> = self.iter().collect();
        elements.sort_unstable();
        to.list(elements.into_iter());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.list().map(|elements: Vec<K>| elements.into_iter().collect())
    }
}

impl Packed for Range<u32> {
    fn pack(&self, to: &mut PackWriter) {
        (self.start, self.end).pack(to);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        <(u32, u32)>::unpack(from).map(|(start, end)| start..end)
    }
}

impl<A: Array<Item: Packed>> Packed for SmallVec<A> {
    fn pack(&self, to: &mut PackWriter) {
        to.list(self.iter());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.list().map(Self::from_vec)
    }
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Packed for $type {
            fn pack(&self, to: &mut PackWriter) {
                to.number(u64::from(*self));
            }

            fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
                Self::try_from(from.number()?).ok()
            }
        }
    )*};
}

numbers!(u16, u32, u64);

impl Packed for usize {
    fn pack(&self, to: &mut PackWriter) {
        to.number(*self as u64);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        Self::try_from(from.number()?).ok()
    }
}

macro_rules! lists {
    ($($type:ty),*) => {$(
        impl<T: Packed> Packed for $type {
            fn pack(&self, to: &mut PackWriter) {
                to.list(self.iter());
            }

            fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
                from.list().map(Self::from)
            }
        }
    )*};
}

lists!(Vec<T>, Box<[T]>, ThinVec<T>);

/// Implements [`Packed`] for structs. The list of fields has to be complete; a field that is not named fails to
/// compile.
#[macro_export]
macro_rules! packed_structs {
    ($($type:ident { $($field:ident),* $(,)? })*) => {$(
        impl $crate::packed::Packed for $type {
            fn pack(&self, to: &mut $crate::packed::PackWriter) {
                let Self { $($field),* } = self;
                $($field.pack(to);)*
            }

            fn unpack(from: &mut $crate::packed::PackReader<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::packed::Packed::unpack(from)?),* })
            }
        }
    )*};
}

/// Implements [`Packed`] for enums whose variants have at most one value.
#[macro_export]
macro_rules! packed_enums {
    ($($type:ident { $($variant:ident $(($value:ident))?),* $(,)? })*) => {$(
        impl $crate::packed::Packed for $type {
            fn pack(&self, to: &mut $crate::packed::PackWriter) {
                enum Number { $($variant),* }
                match self {
                    $(Self::$variant $(($value))? => {
                        to.number(Number::$variant as u64);
                        $($value.pack(to);)?
                    })*
                }
            }

            fn unpack(from: &mut $crate::packed::PackReader<'_>) -> Option<Self> {
                enum Number { $($variant),* }
                let number = from.number()?;
                $(if number == Number::$variant as u64 {
                    $(let $value = $crate::packed::Packed::unpack(from)?;)?
                    return Some(Self::$variant $(($value))?);
                })*
                None
            }
        }
    )*};
}

pub use {packed_enums, packed_structs};

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    enum Shape {
        Point,
        Named(ArcStr),
    }
    #[derive(Debug, PartialEq)]
    struct Drawing {
        shapes: Vec<Shape>,
        shared: [u32; 2],
        owner: Option<Arc<String>>,
        other: Option<Arc<String>>,
    }
    packed_enums! { Shape { Point, Named(name) } }
    packed_structs! { Drawing { shapes, shared, owner, other } }

    fn drawing() -> Drawing {
        let owner = Arc::new("owner".to_owned());
        Drawing {
            shapes: vec![Shape::Named("a long name".into()), Shape::Point, Shape::Named("a long name".into())],
            shared: [0, u32::MAX],
            owner: Some(Arc::clone(&owner)),
            other: Some(owner),
        }
    }

    #[test]
    fn values_are_read_as_they_were_written_and_shared_again() {
        let mut writer = PackWriter::default();
        drawing().pack(&mut writer);
        let bytes = writer.finish();
        let read = Drawing::unpack(&mut PackReader::new(&bytes)).expect("a drawing");
        assert_eq!(read, drawing());
        assert!(Arc::ptr_eq(read.owner.as_ref().expect("one"), read.other.as_ref().expect("one")));
        let [Shape::Named(first), _, Shape::Named(last)] = &read.shapes[..] else { panic!("three shapes") };
        assert!(ArcStr::ptr_eq(first, last));
        for cut in 0..bytes.len() {
            assert!(Drawing::unpack(&mut PackReader::new(&bytes[..cut])).is_none(), "{cut}");
        }
    }

    #[test]
    fn bytes_that_no_value_writes_are_refused() {
        let refused = |bytes: &[u8]| Vec::<u64>::unpack(&mut PackReader::new(bytes)).is_none();
        // A list that is longer than its bytes reserves no memory.
        assert!(refused(&[0xff; 9]) && refused(&[0xff, 0xff, 0xff, 0x7f, 1]));
        assert!(ArcStr::unpack(&mut PackReader::new(&[7])).is_none());
        assert!(Arc::<String>::unpack(&mut PackReader::new(&[1])).is_none());
        assert!(Shape::unpack(&mut PackReader::new(&[2])).is_none());
        assert!(bool::unpack(&mut PackReader::new(&[2])).is_none());
        assert!(u16::unpack(&mut PackReader::new(&[0xff, 0xff, 0x7f])).is_none());
    }
}
