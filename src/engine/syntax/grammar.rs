//! Node kinds and fields of a tree-sitter grammar as Rust types.
//!
//! The parser names node kinds and fields by numbers that differ between versions of a grammar. The numbers are looked
//! up by name once, when a grammar is loaded.

/// Declares an enum of the node kinds that lowering distinguishes. Its function `of` returns the kind for a name in the
/// grammar, or `Other`. Variants after a semicolon have no name in the grammar.
macro_rules! node_kinds {
    ($(#[$doc:meta])* enum $enum:ident { $($variant:ident = $name:literal),* $(,)? $(; $($(#[$more_doc:meta])* $more:ident),*)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names, reason = "the grammar names them")]
        pub(super) enum $enum {
            $($variant,)*
            /// Every other kind.
            Other,
            $($($(#[$more_doc])* $more,)*)?
        }

        impl $enum {
            fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

/// Declares a struct of the field ids of a grammar, with a function `of` that looks them up. A field that the grammar
/// does not have gets `u16::MAX`, which no node has.
macro_rules! field_ids {
    ($(#[$doc:meta])* struct $struct:ident { $($field:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(super) struct $struct {
            $(pub(super) $field: u16,)*
        }

        impl $struct {
            fn of(language: &tree_sitter::Language) -> Self {
                let id = |name| language.field_id_for_name(name).map_or(u16::MAX, std::num::NonZero::get);
                Self { $($field: id($name),)* }
            }
        }
    };
}

pub(super) use {field_ids, node_kinds};
