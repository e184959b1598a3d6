//! The exports of modules that a compiler has written as `CommonJS`.
//!
//! | form | written by |
//! | --- | --- |
//! | `exports.a = exports.b = void 0;` before the values | TypeScript, Babel |
//! | `Object.defineProperty(exports, "a", { get: function () { return a; } })` | TypeScript, Babel, SWC |
//! | `__exportStar(require("./a"), exports)`, `__export(require("./a"))`, also of `tslib` | TypeScript |
//! | `Object.keys(_a).forEach(function (key) { … Object.defineProperty(exports, key, { get … return _a[key] }) })` | Babel |
//! | `__export(all, { a: () => a }); module.exports = __toCommonJS(all);`, `__reExport(all, require("./b"))` | esbuild |
//! | `_export(exports, { a: function () { return a; } })`, `_export_star(require("./b"), exports)` | SWC |
//! | `_interopRequireDefault(require("./a"))` and the like around imports | all |

use rustc_hash::FxHashSet;

use super::{
    context::WellKnownNames,
    facts::{Decl, DefId, Export, ExportKind, Expr, ExprId, MemberKind, NameId, SymbolId, ValueSource},
    lower::Lowering,
};

/// The helpers that make the namespace of a required module.
const NAMESPACE_HELPERS: [&str; 7] = [
    "__importDefault",
    "__importStar",
    "__toESM",
    "_interopRequireDefault",
    "_interopRequireWildcard",
    "_interop_require_default",
    "_interop_require_wildcard",
];

/// The functions that export something, beside assignments.
const EXPORT_HELPERS: [&str; 7] =
    ["defineProperty", "__exportStar", "__export", "__reExport", "_export", "_export_star", "__toCommonJS"];

impl Lowering<'_> {
    /// Adds the exports that calls make, and drops those that only announce a later one.
    pub(super) fn add_compiled_exports(&mut self) {
        let is_helper = |name: &str| EXPORT_HELPERS.contains(&name) || NAMESPACE_HELPERS.contains(&name);
        if self.facts.names.iter().any(|name| is_helper(name)) {
            self.read_helpers();
        }
        self.drop_announced_exports();
    }

    fn read_helpers(&mut self) {
        let mut added: Vec<Export> = Vec::new();
        let bundled = self.bundled_exports();
        for site in 0..self.facts.calls.len() {
            let call = &self.facts.calls[site];
            let (callee, line, expr) = (call.callee, call.line, call.expr);
            let callee = self.facts.without_guards(callee);
            let (Expr::Name { name, .. } | Expr::Property { name, .. }) = self.facts.expr(callee) else { continue };
            let argument = |at: usize| call.arguments.get(at).filter(|argument| !argument.is_spread);
            let Some(first) = argument(0).map(|argument| argument.value) else { continue };
            let (second, third) = (argument(1).map(|second| second.value), argument(2).map(|third| third.value));
            let export = |name, kind| Export { name, kind, line };
            let star = |module| export(WellKnownNames::empty(), ExportKind::Star(module));
            match (self.facts.name(name), self.facts.expr(first)) {
                ("defineProperty", _) if self.facts.is_object_method(callee, "defineProperty") => {
                    if let (true, Some(key), Some(descriptor)) = (self.facts.is_exports(first), second, third) {
                        let value = self.described_value(descriptor);
                        match (self.facts.expr(key), value) {
                            (Expr::String(Some(name)), Some(value)) if self.facts.name(name) != "__esModule" => {
                                added.push(export(name, ExportKind::Value(value)));
                            }
                            (Expr::String(_), _) | (_, None) => {}
                            (_, Some(value)) => added.extend(self.module_of_items(value).map(star)),
                        }
                    }
                }
                ("__exportStar" | "_export_star" | "__export", Expr::Require(module)) => added.push(star(module)),
                ("__reExport", _) if self.named_symbol(first).is_some_and(|all| bundled == Some(all)) => {
                    if let Some(Expr::Require(module)) = second.map(|second| self.facts.expr(second)) {
                        added.push(star(module));
                    }
                }
                ("__export" | "_export", _) => {
                    let is_bundle = self.named_symbol(first).is_some_and(|all| bundled == Some(all));
                    if let (true, Some(Expr::Object(all))) =
                        (is_bundle || self.facts.is_exports(first), second.map(|second| self.facts.expr(second)))
                    {
                        let values = self.returned_values(all);
                        added.extend(values.into_iter().map(|(name, value)| export(name, ExportKind::Value(value))));
                    }
                }
                (helper, Expr::Require(module)) if self.makes_namespace(callee, helper) => {
                    self.facts.exprs[expr.index()] = Expr::Namespace(module);
                }
                _ => {}
            }
        }
        if bundled.is_some() && !added.is_empty() {
            self.facts.exports.retain(|export| !matches!(export.kind, ExportKind::Assign(_)));
        }
        self.facts.is_module |= !added.is_empty();
        self.facts.exports.append(&mut added);
    }

    /// Drops the exports `exports.a = void 0`, `undefined` or `null`, if the file gives the export another value: they
    /// are no declarations.
    fn drop_announced_exports(&mut self) {
        let is_announced = |export: &Export| {
            matches!(export.kind, ExportKind::Value(value)
                if matches!(self.facts.expr(value), Expr::Undefined | Expr::Null))
        };
        if !self.facts.exports.iter().any(is_announced) {
            return;
        }
        let others = self.facts.exports.iter().filter(|export| !is_announced(export));
        let given: FxHashSet<NameId> = others.map(|export| export.name).collect();
        let dropped: Vec<bool> =
            self.facts.exports.iter().map(|export| is_announced(export) && given.contains(&export.name)).collect();
        let mut dropped = dropped.into_iter();
        self.facts.exports.retain(|_| !dropped.next().unwrap_or_default());
    }

    /// The variable that `module.exports = __toCommonJS(variable)` exports.
    fn bundled_exports(&self) -> Option<SymbolId> {
        self.facts.exports.iter().find_map(|export| {
            let ExportKind::Assign(value) = export.kind else { return None };
            let Expr::Call(site) = self.facts.expr(value) else { return None };
            let call = self.facts.site(site);
            let Expr::Name { name, .. } = self.facts.expr(self.facts.without_guards(call.callee)) else { return None };
            let all = call.arguments.first().filter(|_| self.facts.name(name) == "__toCommonJS")?;
            self.named_symbol(all.value)
        })
    }

    fn named_symbol(&self, expr: ExprId) -> Option<SymbolId> {
        match self.facts.expr(self.facts.without_guards(expr)) {
            Expr::Name { symbol, .. } => symbol,
            _ => None,
        }
    }

    /// Whether a callee is a helper that makes the namespace of a module: `__importStar`, `tslib_1.__importStar` or
    /// `_interop_require_default._`.
    fn makes_namespace(&self, callee: ExprId, name: &str) -> bool {
        let object = match self.facts.expr(callee) {
            Expr::Property { object, .. } if name == "_" => Some(object),
            _ => None,
        };
        let named = match object.map(|object| self.facts.expr(self.facts.without_guards(object))) {
            Some(Expr::Name { name, .. }) => self.facts.name(name),
            _ => name,
        };
        NAMESPACE_HELPERS.contains(&named)
    }

    /// The value of the property that a descriptor describes: what its getter returns, or its value.
    fn described_value(&self, descriptor: ExprId) -> Option<ExprId> {
        let Expr::Object(def) = self.facts.expr(descriptor) else { return None };
        self.facts.def(def).members().iter().find_map(|part| match (self.facts.name(part.name?), &part.kind) {
            ("get", MemberKind::Function(getter)) => self.only_returned(*getter),
            ("get", MemberKind::Property { value: Some((value, _)), .. }) => match self.facts.expr(*value) {
                Expr::Function(getter) => self.only_returned(getter),
                _ => None,
            },
            ("value", MemberKind::Property { value: Some((value, _)), .. }) => Some(*value),
            _ => None,
        })
    }

    /// The functions of an object literal, each with its name and the only value that it returns.
    fn returned_values(&self, object: DefId) -> Vec<(NameId, ExprId)> {
        let members = self.facts.def(object).members().iter();
        let returned = members.filter_map(|member| {
            let function = match &member.kind {
                MemberKind::Function(function) => *function,
                MemberKind::Property { value: Some((value, _)), .. } => match self.facts.expr(*value) {
                    Expr::Function(function) => function,
                    _ => return None,
                },
                _ => return None,
            };
            Some((member.name?, self.only_returned(function)?))
        });
        returned.collect()
    }

    /// The only value that a function returns.
    fn only_returned(&self, function: DefId) -> Option<ExprId> {
        match self.facts.def(function).function()?.return_values[..] {
            [value] => Some(value),
            _ => None,
        }
    }

    /// The module of whose exports an expression is one that a loop names: `_module[key]`.
    fn module_of_items(&self, item: ExprId) -> Option<NameId> {
        let Expr::Index { object, .. } = self.facts.expr(self.facts.without_guards(item)) else { return None };
        let symbol = self.named_symbol(object)?;
        let [Decl::Variable(variable)] = self.facts.symbol(symbol).decls[..] else { return None };
        let row = &self.facts.variables[variable.index()];
        match row.source {
            ValueSource::Value(value) if row.path.is_empty() => match self.facts.expr(value) {
                Expr::Require(module) | Expr::Namespace(module) => Some(module),
                _ => None,
            },
            _ => None,
        }
    }
}
