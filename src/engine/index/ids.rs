//! Typed positions in the index's tables.

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of the row at `index`.
            ///
            /// # Panics
            /// Where a table has 2^32 rows or more.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 rows"))
            }

            /// The row's position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    /// A row of [`super::Index::definitions`].
    DefinitionId,
    /// A row of [`super::Index::modules`].
    ModuleId,
    /// A row of [`super::Index::files`].
    FileId,
    /// A row of [`super::Index::calls`].
    CallId,
}
