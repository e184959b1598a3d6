//! Uses that are neither calls nor reads: the places where code names a definition for any other reason.

use arcstr::ArcStr;

use apidisc_base::packed::{PackReader, PackWriter, Packed};

use super::{CallId, DefinitionId, FileId};

/// What code does with a definition that it names without calling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// An argument of a call: `path("", index)`, `<Route component={Page} />`.
    Passed,
    /// The value of a name or attribute, or an item of a list, dict or object: `HANDLERS = {"a": handle}`.
    Held,
    /// A base of a class or interface: `class B(A)`, `implements A`, `extends A`.
    Base,
    /// Part of an annotation. Each annotated place counts a definition once: `dict[A, A]` is one use of `A`.
    Annotates,
    /// `raise X`, `throw new X()`. A raised call is a call as well.
    Raised,
    /// `except X`.
    Caught,
    /// A test for the class or the value: `isinstance(v, X)`, `v is X`, `v instanceof X`, `case X():`.
    Compared,
    /// A name that another module gets from this one: `__all__`, an import in `__init__.py`, `export { X } from`.
    ReExported,
    /// `@x` above a function or class.
    Decorates,
    /// `return x`.
    Returned,
}

impl UseKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 10] = [
        Self::Passed,
        Self::Held,
        Self::Base,
        Self::Annotates,
        Self::Raised,
        Self::Caught,
        Self::Compared,
        Self::ReExported,
        Self::Decorates,
        Self::Returned,
    ];

    /// The word for the kind in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Held => "held",
            Self::Base => "base",
            Self::Annotates => "annotates",
            Self::Raised => "raised",
            Self::Caught => "caught",
            Self::Compared => "compared",
            Self::ReExported => "re-exported",
            Self::Decorates => "decorates",
            Self::Returned => "returned",
        }
    }

    /// The kind with a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A place that names a definition of the sources and neither calls it nor reads an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherUse {
    /// The file.
    pub file: FileId,
    /// The line of the name, from 1.
    pub line: u32,
    /// The column at which the name starts, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The innermost function or class around the use. The bases of a class are in the class, annotations and defaults
    /// of parameters in the function. `None` outside of functions and classes.
    pub user: Option<DefinitionId>,
    /// The definition that is named.
    pub definition: DefinitionId,
    /// What the code does with it.
    pub kind: UseKind,
    /// The argument that it is, or that is a literal with it.
    pub argument: Option<PassedTo>,
    /// The decorated definition.
    pub to: Option<DefinitionId>,
    /// The text of the called function, if the call is not resolved; the name of an intrinsic JSX element; the name of
    /// what holds the definition.
    pub name: Option<ArcStr>,
    /// The key under which it is held, if that is a literal; the property of an object, or the attribute, that it is
    /// passed as.
    pub key: Option<ArcStr>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedTo {
    /// The call.
    pub call: CallId,
    /// The position among its arguments.
    pub argument: u16,
}

/// All other uses of an index, ordered by path, line and column, with a table of those of each definition.
#[derive(Clone, Debug, Default)]
pub struct OtherUses {
    sites: Box<[OtherUse]>,
    /// The positions of all sites, by definition and then in order.
    by_definition: Box<[u32]>,
}

impl OtherUses {
    /// The table of uses, which are in the order of files, lines and columns.
    pub fn new(sites: Vec<OtherUse>) -> Self {
        let mut by_definition: Box<[u32]> = (0..sites.len() as u32).collect();
        by_definition.sort_by_key(|at| sites[*at as usize].definition);
        Self { sites: sites.into(), by_definition }
    }

    /// All uses.
    pub fn all(&self) -> &[OtherUse] {
        &self.sites
    }

    /// The uses of a definition.
    pub fn of(&self, definition: DefinitionId) -> impl ExactSizeIterator<Item = &OtherUse> + Clone {
        let key = |at: &u32| self.sites[*at as usize].definition;
        let start = self.by_definition.partition_point(|at| key(at) < definition);
        let len = self.by_definition[start..].partition_point(|at| key(at) == definition);
        self.by_definition[start..start + len].iter().map(|at| &self.sites[*at as usize])
    }
}

impl Packed for OtherUses {
    fn pack(&self, to: &mut PackWriter) {
        to.list(self.sites.iter());
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.list().map(Self::new)
    }
}

apidisc_base::packed::packed_enums! {
    UseKind { Passed, Held, Base, Annotates, Raised, Caught, Compared, ReExported, Decorates, Returned }
}
apidisc_base::packed::packed_structs! {
    OtherUse { file, line, col, user, definition, kind, argument, to, name, key }
    PassedTo { call, argument }
}
