//! Typed positions in tables.

/// Declares `u32` newtypes that index a table. Their visibility is that of each type.
macro_rules! id {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        #[allow(unreachable_pub, reason = "some of the types are private to the engine")]
        impl $name {
            /// The id of the row at `index`.
            ///
            /// # Panics
            /// Where a table has 2^32 rows or more.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 rows"))
            }

            /// The row's position in its table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

pub(crate) use id;
