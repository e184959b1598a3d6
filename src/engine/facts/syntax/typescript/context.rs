//! The lexical context of the walk.

use super::{
    conditions::NarrowingCondition,
    documented_types::DocumentedParameter,
    facts::{DefId, ExprId, NameId, ScopeId},
};

/// The innermost function, or the file: its scopes and the state of its control flow.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub(super) struct FunctionFrame<'t> {
    /// The innermost scope, from which names are resolved.
    pub(super) scope: ScopeId,
    /// The scope to which `var` declarations are hoisted.
    pub(super) var_scope: ScopeId,
    /// The innermost definition.
    pub(super) def: Option<DefId>,
    /// The innermost function, with or without a name.
    pub(super) function: Option<DefId>,
    /// The innermost function with a body and a name, which is the caller of call sites.
    pub(super) caller: Option<DefId>,
    /// The function or class that `this` belongs to.
    pub(super) this: Option<DefId>,
    /// The value of `this` is the class itself: in static field initialisers and static blocks.
    pub(super) this_is_class: bool,
    /// The class whose base class `super` refers to.
    pub(super) class: Option<DefId>,
    /// The code is in an ambient context: a `declare` statement or a declaration file.
    pub(super) is_ambient: bool,
    /// Control flow reaches this point. False after `return`, `throw`, `break` and `continue`.
    pub(super) reachable: bool,
    /// There is a reachable `return` without a value.
    pub(super) bare_return: bool,
    /// The values of the `return` statements so far.
    pub(super) returns: Vec<ExprId>,
    /// The values of the `yield` expressions so far.
    pub(super) yields: Vec<ExprId>,
    /// For each enclosing loop, `switch` and labeled statement, whether a `break` leaves it; the innermost is the last.
    pub(super) breaks: Vec<bool>,
    /// The condition that the last returned binary expression forms.
    pub(super) returned_condition: NarrowingCondition,
    /// The parameters that the JSDoc comment of a JavaScript function describes.
    pub(super) documented: Vec<DocumentedParameter<'t>>,
}

impl FunctionFrame<'_> {
    /// The frame of a file.
    pub(super) fn new(scope: ScopeId, is_ambient: bool) -> Self {
        Self {
            scope,
            var_scope: scope,
            def: None,
            function: None,
            caller: None,
            this: None,
            this_is_class: false,
            class: None,
            is_ambient,
            reachable: true,
            bare_return: false,
            returns: Vec::new(),
            yields: Vec::new(),
            breaks: Vec::new(),
            returned_condition: NarrowingCondition::Unknown,
            documented: Vec::new(),
        }
    }
}

/// The name and comment that an anonymous function, class or object literal takes from the variable, property or
/// assignment that directly holds it (`NamedEvaluation` of ECMA-262).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InferredName {
    pub(super) name: Option<NameId>,
    pub(super) doc: Option<DocRange>,
    /// True for the name of a property or field. It is the only name by which other code reaches the value, so it also
    /// names a function expression with a name of its own: `{ get: function fetch() {} }`.
    pub(super) is_member: bool,
}

impl InferredName {
    pub(super) fn named(name: Option<NameId>) -> Self {
        Self { name, ..Self::default() }
    }

    /// The name of the property or field that holds a value.
    pub(super) fn of_member(name: Option<NameId>, doc: Option<DocRange>) -> Self {
        Self { name, doc, is_member: true }
    }
}

/// The byte range of a JSDoc comment.
pub(super) type DocRange = (u32, u32);

/// The `export` modifier before a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ExportModifier {
    #[default]
    No,
    /// `export`
    Named,
    /// `export default`
    Default,
}

/// Names that lowering itself compares with or creates. They are interned first, so that their ids are the same in
/// every file.
#[derive(Debug)]
pub(super) struct WellKnownNames;

impl WellKnownNames {
    pub(super) const ALL: [&str; 9] = ["", "this", "default", "children", "...", "[]", "require", "module", "exports"];

    pub(super) fn empty() -> NameId {
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
