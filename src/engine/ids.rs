//! Typed positions in tables, and typed parts of tables.

/// Declares `u32` newtypes that index a table; none of one takes no more room. Their visibility is that of each type.
macro_rules! id {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        $vis struct $name(std::num::NonZeroU32);

        #[allow(unreachable_pub, reason = "some of the types are private to the engine")]
        impl $name {
            /// The id of the row at `index`.
            ///
            /// # Panics
            /// Where a table has nearly 2^32 rows.
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "fewer than 2^32 rows");
                Self(std::num::NonZeroU32::MIN.saturating_add(index as u32))
            }

            /// The row's position in its table.
            #[inline]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )*};
}

/// Declares parts of a table: so many rows from one on. Their visibility is that of each type.
macro_rules! part {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        $vis struct $name {
            start: u32,
            len: u32,
        }

        impl $name {
            #[inline]
            pub(crate) fn new(start: usize, len: usize) -> Self {
                Self { start: start as u32, len: len as u32 }
            }

            #[inline]
            pub(crate) fn range(self) -> std::ops::Range<usize> {
                self.start as usize..(self.start + self.len) as usize
            }

            /// How many.
            pub fn len(self) -> usize {
                self.len as usize
            }

            /// None.
            pub fn is_empty(self) -> bool {
                self.len == 0
            }
        }
    )*};
}

pub(crate) use {id, part};
