//! Imports and exports.

use serde::{Deserialize, Serialize};

use super::{DefId, ExprId, NameId, SymbolId};

/// An imported name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Import {
    /// The module specifier, which is the string after `from` or in `require(…)`, without quotes. It is the empty name
    /// for [`ImportKind::Entity`] and [`ImportKind::Local`].
    pub specifier: NameId,
    /// The kind of import.
    pub kind: ImportKind,
    /// For [`ImportKind::Entity`], the names `A`, `B`, `C` in this order; else empty.
    pub path: Vec<NameId>,
    /// `import type { x }` or `import { type x }`
    pub is_type: bool,
    /// The line, from 1.
    pub line: u32,
}

/// The kind of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportKind {
    /// `import { x }`, `import { x as y }`: the name in the module; `default` for `import x`.
    Named(NameId),
    /// `import * as x`
    Namespace,
    /// `import x = require("m")`: the value of `export =` in the module, else the namespace of the module.
    Required,
    /// `import X = A.B.C`: an alias of the entity `A.B.C`. The name `A` is resolved in the file.
    Entity,
    /// `export { a as b }` in a namespace: `b` is an alias of the symbol of `a`.
    Local(SymbolId),
}

/// A block `declare module "name" { … }`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AmbientModule {
    /// The name of the module.
    pub name: NameId,
    /// The namespace that holds the declarations.
    pub namespace: DefId,
    /// The exports that are no symbols of the namespace under their own names: `export default`, `export *` and
    /// `export =`.
    pub exports: Vec<Export>,
}

/// An export of a file or ambient module. The exports of a namespace are symbols instead, see
/// [`super::Symbol::is_exported`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Export {
    /// The exported name; `default` for the default export; empty for `export *` and `export =`.
    pub name: NameId,
    /// The exported entity.
    pub kind: ExportKind,
    /// The line, from 1.
    pub line: u32,
}

/// The exported entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportKind {
    /// A symbol of the file: `export const x`, `export { x as y }`, `export default x`, `export default class X`.
    Symbol(SymbolId),
    /// The value of an expression: `export default f()`, `exports.x = …`. Also `export { x }`, if the file does not
    /// declare `x`.
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
