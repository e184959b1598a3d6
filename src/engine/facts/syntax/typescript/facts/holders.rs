//! The functions, classes and object literals that expressions hold and name.

use super::{Decl, DefBody, DefId, ExportKind, Expr, ExprId, FileFacts, SymbolId, ValueSource};

impl FileFacts {
    /// The expression without the type guards and `!` around it.
    pub fn without_guards(&self, mut expr: ExprId) -> ExprId {
        while let Expr::Narrowed(inner, _) | Expr::NonNull(inner) = self.expr(expr) {
            expr = inner;
        }
        expr
    }

    /// The function, class or object literal that an expression is.
    pub fn held_definition(&self, value: ExprId) -> Option<DefId> {
        match self.expr(value) {
            Expr::Function(def) | Expr::Object(def) | Expr::Class(def) => Some(def),
            _ => None,
        }
    }

    /// The function, class or object literal of the file that an expression names, or that it exports by assigning it
    /// to `module.exports`.
    pub fn holder(&self, object: ExprId) -> Option<DefId> {
        let object = self.without_guards(object);
        match self.expr(object) {
            Expr::Name { symbol: Some(symbol), .. } => self.declared_holder(symbol),
            _ if self.is_exports(object) => {
                let value = self.exports.iter().find_map(|export| match export.kind {
                    ExportKind::Assign(value) => Some(value),
                    _ => None,
                })?;
                match self.expr(value) {
                    Expr::Name { symbol: Some(symbol), .. } => self.declared_holder(symbol),
                    _ => self.held_definition(value),
                }
            }
            _ => None,
        }
    }

    /// The definition that a symbol declares or holds. The implementation of a function represents its overloads.
    fn declared_holder(&self, symbol: SymbolId) -> Option<DefId> {
        let mut overload = None;
        let holder = self.symbol(symbol).decls.iter().find_map(|decl| match *decl {
            Decl::Def(def) => match &self.def(def).body {
                DefBody::Function(function) if !function.has_body => {
                    overload.get_or_insert(def);
                    None
                }
                DefBody::Function(_) | DefBody::Class(_) => Some(def),
                _ => None,
            },
            Decl::Variable(variable) => {
                let variable = &self.variables[variable.index()];
                match (variable.source, &variable.assigned[..]) {
                    (ValueSource::Value(value), _) if variable.path.is_empty() => self.held_definition(value),
                    // `var f; f = function () {};`
                    (ValueSource::None, &[only]) => self.held_definition(only),
                    _ => None,
                }
            }
            _ => None,
        });
        holder.or(overload)
    }

    /// Whether an expression is `exports` or `module.exports` of `CommonJS`.
    pub fn is_exports(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Property { object, name, .. } => self.name(name) == "exports" && self.is_global(object, "module"),
            _ => self.is_global(expr, "exports"),
        }
    }

    /// Whether an expression is `Object.method`.
    pub fn is_object_method(&self, callee: ExprId, method: &str) -> bool {
        let Expr::Property { object, name, .. } = self.expr(callee) else { return false };
        self.name(name) == method && self.is_global(object, "Object")
    }

    /// Whether an expression is a name that the file does not declare.
    fn is_global(&self, expr: ExprId, text: &str) -> bool {
        matches!(self.expr(expr), Expr::Name { name, symbol: None } if self.name(name) == text)
    }
}
