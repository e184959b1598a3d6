//! Where the walk is, and what it takes along.

use super::facts::{DefId, ExprId, NameId, ScopeId};

/// Where the walk is.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Frame {
    /// Names are looked up from here.
    pub(super) scope: ScopeId,
    /// `var` declares here.
    pub(super) var_scope: ScopeId,
    /// The innermost definition.
    pub(super) def: Option<DefId>,
    /// The innermost function.
    pub(super) function: Option<DefId>,
    /// The innermost function with a body and a name.
    pub(super) caller: Option<DefId>,
    /// Whose `this` it is.
    pub(super) this: Option<DefId>,
    /// The class whose members `super` leads past.
    pub(super) class: Option<DefId>,
    /// In something that is declared and not defined.
    pub(super) is_ambient: bool,
    /// False after a `return` and the like.
    pub(super) reachable: bool,
    /// A `return` without a value was seen.
    pub(super) bare_return: bool,
    pub(super) returns: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    /// Of the loops and `switch`es around: whether a `break` leaves it.
    pub(super) breaks: Vec<bool>,
}

impl Frame {
    /// The frame of a file.
    pub(super) fn new(scope: ScopeId, is_ambient: bool) -> Self {
        Self {
            scope,
            var_scope: scope,
            def: None,
            function: None,
            caller: None,
            this: None,
            class: None,
            is_ambient,
            reachable: true,
            bare_return: false,
            returns: Vec::new(),
            yields: Vec::new(),
            breaks: Vec::new(),
        }
    }
}

/// What a definition goes by that is held by a variable, a property or the like.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Holder {
    pub(super) name: Option<NameId>,
    pub(super) doc: Option<Doc>,
}

impl Holder {
    pub(super) fn named(name: Option<NameId>) -> Self {
        Self { name, doc: None }
    }
}

/// The bytes of a JSDoc comment.
pub(super) type Doc = (u32, u32);

/// Whether a declaration is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Exporting {
    #[default]
    No,
    Named,
    Default,
}

/// Names that the walk itself uses.
#[derive(Debug)]
pub(super) struct Words;

impl Words {
    pub(super) const ALL: [&str; 9] = ["", "this", "default", "children", "...", "[]", "require", "module", "exports"];
    pub(super) fn nothing() -> NameId {
        NameId::new(0)
    }
    pub(super) fn this() -> NameId {
        NameId::new(1)
    }
    pub(super) fn default() -> NameId {
        NameId::new(2)
    }
    pub(super) fn children() -> NameId {
        NameId::new(3)
    }
    pub(super) fn spread() -> NameId {
        NameId::new(4)
    }
    pub(super) fn computed() -> NameId {
        NameId::new(5)
    }
    pub(super) fn require() -> NameId {
        NameId::new(6)
    }
    pub(super) fn module() -> NameId {
        NameId::new(7)
    }
    pub(super) fn exports() -> NameId {
        NameId::new(8)
    }
}
