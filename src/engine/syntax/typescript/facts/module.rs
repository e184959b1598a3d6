//! What a file takes from others, and what it offers.

use serde::{Deserialize, Serialize};

use super::{ExprId, NameId, SymbolId};

/// An imported name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Import {
    /// What stands after `from`, without quotes.
    pub specifier: NameId,
    /// What is taken from it.
    pub kind: ImportKind,
    /// Of [`ImportKind::Entity`], its names, outermost first; its specifier is the empty name.
    pub path: Vec<NameId>,
    /// `import type`
    pub is_type: bool,
    /// Its line, from 1.
    pub line: u32,
}

/// What an import takes from a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportKind {
    /// `import { x }`, `import { x as y }`: the name in the module; `default` for `import x`.
    Named(NameId),
    /// `import * as x`
    Namespace,
    /// `import x = require("m")`, `const x = require("m")`: what the module assigns to `export =`, else its namespace.
    Required,
    /// `import X = A.B.C`: an alias of that entity, whose first name is looked up in the file.
    Entity,
}

/// Something that a file offers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Export {
    /// Under which name; `default` for the default one; empty for `export *` and `export =`.
    pub name: NameId,
    /// What.
    pub kind: ExportKind,
    /// Its line, from 1.
    pub line: u32,
}

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportKind {
    /// A name of the file: `export const x`, `export { x as y }`, `export default class X`.
    Symbol(SymbolId),
    /// A value: `export default …`, `exports.x = …`.
    Value(ExprId),
    /// `export { a as b } from "m"`: the module, and the name there.
    From(NameId, NameId),
    /// `export * from "m"`
    Star(NameId),
    /// `export * as x from "m"`
    Namespace(NameId),
    /// `export = x`, `module.exports = x`
    Assign(ExprId),
}
