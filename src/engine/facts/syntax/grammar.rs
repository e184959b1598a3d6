//! Node kinds and fields of a tree-sitter grammar as Rust types.
//!
//! The parser names node kinds and fields by numbers that differ between versions of a grammar. The numbers are looked
//! up by name once, when a grammar is loaded.

/// Declares an enum of the node kinds that lowering distinguishes. Its function `of` returns the kind for a name in the
/// grammar, or `Other`. Variants after a semicolon have no name in the grammar.
macro_rules! node_kinds {
    ($(#[$doc:meta])* enum $enum:ident {
        $($variant:ident = $name:literal),* $(,)? $(; $($(#[$more_doc:meta])* $more:ident),*)?
    }) => {
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

/// A grammar with its tables. `K` is the kind of a node as lowering distinguishes it, `F` the ids of the fields.
#[derive(Debug)]
pub(super) struct GrammarTables<K, F> {
    pub(super) language: tree_sitter::Language,
    /// The kinds of nodes, indexed by the kind id that tree-sitter gives a node.
    kinds: Vec<K>,
    /// The kind of ERROR nodes, whose kind id is beyond the table.
    error: K,
    pub(super) fields: F,
}

impl<K: Copy, F> GrammarTables<K, F> {
    /// Fills the table of kinds: `kind` maps the name of a node in the grammar, if it has one, and whether the node is
    /// a named one.
    pub(super) fn new(
        language: tree_sitter::Language,
        fields: F,
        error: K,
        kind: impl Fn(Option<&str>, bool) -> K,
    ) -> Self {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| kind(language.node_kind_for_id(id), language.node_kind_is_named(id)))
            .collect();
        Self { language, kinds, error, fields }
    }

    /// The kind of a node to which tree-sitter gives the kind id `id`.
    #[inline]
    pub(super) fn kind(&self, id: u16) -> K {
        self.kinds.get(usize::from(id)).copied().unwrap_or(self.error)
    }
}
