//! A list whose values stay encoded as bytes and are decoded one at a time, to save memory.

use std::{fmt, marker::PhantomData};

use crate::packed::{PackReader, PackWriter, Packed};

/// A list of values that are kept as bytes and read one by one. All their bytes together are fewer than 4 GB.
pub struct PackedList<T> {
    bytes: Box<[u8]>,
    /// For each value, the end of its bytes.
    ends: Box<[u32]>,
    of: PhantomData<fn() -> T>,
}

impl<T: Packed> PackedList<T> {
    /// The list of some values.
    pub fn new<'v>(values: impl IntoIterator<Item = &'v T>) -> Self
    where
        T: 'v,
    {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for value in values {
            let mut writer = PackWriter::default();
            value.pack(&mut writer);
            bytes.extend(writer.finish());
            ends.push(bytes.len() as u32);
        }
        Self { bytes: bytes.into(), ends: ends.into(), of: PhantomData }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no values.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The value at a position; `None` if the position is out of bounds, or if the bytes at the position encode no
    /// value of this type.
    pub fn get(&self, at: usize) -> Option<T> {
        let start = at.checked_sub(1).map_or(Some(&0), |before| self.ends.get(before))?;
        let bytes = self.bytes.get(*start as usize..*self.ends.get(at)? as usize)?;
        let mut from = PackReader::new(bytes);
        T::unpack(&mut from).filter(|_| from.rest().is_empty())
    }

    /// All values; `None` for bytes that encode no value of this type.
    pub fn iter(&self) -> impl Iterator<Item = Option<T>> {
        (0..self.len()).map(|at| self.get(at))
    }
}

impl<T> fmt::Debug for PackedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values in {} bytes", self.ends.len(), self.bytes.len())
    }
}

impl<T: Packed> Packed for PackedList<T> {
    fn pack(&self, to: &mut PackWriter) {
        to.bytes(&self.bytes);
        to.list(self.ends.iter());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        let bytes = from.sized_bytes()?.into();
        Some(Self { bytes, ends: from.list()?.into(), of: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::PackedList;
    use crate::packed::{PackReader, PackWriter, Packed};

    #[test]
    fn values_are_read_one_by_one() {
        let values = ["one".to_owned(), String::new(), "three".to_owned()];
        let list = PackedList::new(&values);
        assert_eq!((list.len(), list.get(2), list.get(3)), (3, Some(values[2].clone()), None));
        assert!(list.iter().flatten().eq(values));
        let mut writer = PackWriter::default();
        list.pack(&mut writer);
        let bytes = writer.finish();
        let kept: PackedList<String> = Packed::unpack(&mut PackReader::new(&bytes)).unwrap();
        assert!(kept.iter().eq(list.iter()));
    }

    #[test]
    fn other_bytes_have_no_value() {
        let list = PackedList::<u64>::new(&[1, 2]);
        for (bytes, ends) in [(&[1, 2][..], &[2, 2][..]), (&[1, 2], &[2, 1]), (&[1], &[1, 9])] {
            let broken = PackedList::<u64> { bytes: bytes.into(), ends: ends.into(), ..PackedList::new(&[]) };
            assert!(broken.iter().any(|value| value.is_none()), "{bytes:?} {ends:?} {list:?}");
        }
    }
}
