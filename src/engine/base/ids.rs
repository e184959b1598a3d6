//! Typed indices into tables (arenas), and typed ranges of their rows.

/// Declares newtypes that index the rows of a table. An `Option` of an id also takes 4 bytes.
#[macro_export]
macro_rules! id {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        $vis struct $name(std::num::NonZeroU32);

        #[allow(unreachable_pub, reason = "some of the types are private to the engine")]
        impl $name {
            /// The id of the row at `index`, from 0.
            ///
            /// # Panics
            /// If `index` is `u32::MAX` or greater.
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "fewer than 2^32 rows");
                Self(std::num::NonZeroU32::MIN.saturating_add(index as u32))
            }

            /// The index of the row in its table, from 0.
            #[inline]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl $crate::packed::Packed for $name {
            fn pack(&self, to: &mut $crate::packed::PackWriter) {
                to.number(u64::from(self.0.get()));
            }

            fn unpack(from: &mut $crate::packed::PackReader<'_>) -> Option<Self> {
                u32::try_from(from.number()?).ok().and_then(std::num::NonZeroU32::new).map(Self)
            }
        }
    )*};
}

/// Declares newtypes that denote consecutive rows of a table.
#[macro_export]
macro_rules! row_range {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        $vis struct $name {
            start: u32,
            len: u32,
        }

        impl $name {
            /// Appends rows to a table and returns their range.
            pub(crate) fn append<T: Copy>(table: &mut Vec<T>, rows: &[T]) -> Self {
                let start = table.len() as u32;
                table.extend_from_slice(rows);
                Self { start, len: rows.len() as u32 }
            }

            /// The positions of the rows in their table.
            #[inline]
            pub fn range(self) -> std::ops::Range<usize> {
                self.start as usize..(self.start + self.len) as usize
            }

            /// The number of rows.
            pub fn len(self) -> usize {
                self.len as usize
            }

            /// True if there are no rows.
            pub fn is_empty(self) -> bool {
                self.len == 0
            }
        }
    )*};
}

pub use {id, row_range};
