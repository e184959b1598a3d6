//! Conditions with a known truth value: tests of the version of Python and of the platform, and names whose values are
//! such tests.

use super::{
    conditions::{Condition, Operands},
    facts::{BindingKind, Expr, ExprId, NameId, ScopeId},
    lower::Lowering,
};
use apidisc_base::nesting;

/// The Python version for static tests of `sys.version_info`.
const VERSION: [u32; 2] = [3, 13];
/// The platform for static tests of `sys.platform`.
const PLATFORM: &str = "linux";

impl Condition {
    /// The value of the condition, if it is known.
    pub(super) fn constant(&self) -> Option<bool> {
        let _level = nesting::descend()?;
        match self {
            Self::Constant(value) => Some(*value),
            Self::Not(inner) => inner.constant().map(|value| !value),
            Self::Several(Operands { is_or, conditions, .. }) => {
                // Each operand is asked once: twice on each level would be exponential in the nesting.
                let mut are_known = true;
                for condition in conditions {
                    match condition.constant() {
                        Some(value) if value == *is_or => return Some(*is_or),
                        value => are_known &= value.is_some(),
                    }
                }
                are_known.then_some(!is_or)
            }
            _ => None,
        }
    }
}

impl Lowering<'_> {
    /// The value, for Python [`VERSION`] on Linux, of a comparison that type checkers evaluate statically (PEP 484):
    /// `sys.version_info >= (3, 8)`, `sys.version_info[0] >= 3`, `sys.platform == "win32"`, `os.name == "nt"`. For
    /// `!=` the result is the value of `==`, which the caller negates.
    pub(super) fn static_comparison(&self, left: ExprId, operator: &str, right: &str) -> Option<bool> {
        let (tested, is_major) = match self.facts.expr(left) {
            Expr::Subscript { value, index, .. } if self.facts.expr(index) == Expr::Position(0) => (value, true),
            _ => (left, false),
        };
        let Expr::Attribute { value, name, .. } = self.facts.expr(tested) else { return None };
        let is_equality = matches!(operator, "==" | "!=");
        match self.facts.name(name) {
            "version_info" if self.facts.is_named(value, "sys") => {
                let mut version =
                    right.trim_matches(['(', ')']).split(',').filter_map(|n| n.trim().parse::<u32>().ok());
                let wanted = [version.next()?, version.next().unwrap_or(0)];
                let actual = if is_major { [VERSION[0], 0] } else { VERSION };
                match operator {
                    ">=" => Some(actual >= wanted),
                    ">" => Some(actual > wanted),
                    "<" => Some(actual < wanted),
                    "<=" => Some(actual <= wanted),
                    _ if is_major && is_equality => Some(actual == wanted),
                    _ => None,
                }
            }
            "platform" if self.facts.is_named(value, "sys") && !is_major && is_equality => {
                Some(right.contains(PLATFORM))
            }
            "name" if self.facts.is_named(value, "os") && is_equality => Some(right.contains("posix")),
            _ => None,
        }
    }

    /// The value of `sys.platform.startswith("win")`.
    pub(super) fn static_call(&self, call: ExprId) -> Option<bool> {
        let Expr::Call(site) = self.facts.expr(call) else { return None };
        let site = &self.facts.calls[site.index()];
        let (Expr::Attribute { value, name, .. }, [prefix]) = (self.facts.expr(site.callee), &site.arguments[..])
        else {
            return None;
        };
        let Expr::Attribute { value: module, .. } = self.facts.expr(value) else { return None };
        let Expr::Str(Some(prefix)) = self.facts.expr(prefix.value) else { return None };
        let is_platform = self.facts.is_named(value, "platform") && self.facts.is_named(module, "sys");
        (is_platform && self.facts.name(name) == "startswith").then(|| PLATFORM.starts_with(self.facts.name(prefix)))
    }

    /// The truth value of a name to which the module assigns a condition with a known truth value, or of `PY2` or
    /// `PY3`, which the library `six` and its many copies define.
    pub(super) fn static_name(&self, expr: ExprId) -> Option<bool> {
        let (name, is_of_module) = match self.facts.expr(expr) {
            Expr::Name { name, reaching, .. } => {
                let is_of_module = match self.facts.reaching(reaching) {
                    [] => true,
                    [binding] => self.facts.bindings[binding.index()].scope == MODULE,
                    _ => false,
                };
                (name, is_of_module)
            }
            Expr::Attribute { name, .. } => (name, false),
            _ => return None,
        };
        if is_of_module && let Some(&value) = self.static_names.get(&name) {
            return Some(value);
        }
        let is_imported = match self.facts.only_binding(expr) {
            Some(BindingKind::ImportFrom { .. }) => true,
            Some(_) => false,
            None => is_of_module || matches!(self.facts.expr(expr), Expr::Attribute { .. }),
        };
        match self.facts.name(name) {
            "PY2" if is_imported => Some(false),
            "PY3" if is_imported => Some(true),
            _ => None,
        }
    }

    /// Records the truth value of the condition that a statement assigns to a name of the module; `value` is `None` if
    /// the truth value is not known.
    pub(super) fn note_static_name(&mut self, name: NameId, value: Option<bool>) {
        if self.flow.scope != MODULE {
            return;
        }
        // A name that is assigned twice has no known value.
        let is_bound = |this: &Self| this.facts.bindings.iter().any(|b| b.scope == MODULE && b.name == name);
        match value {
            Some(value) if !is_bound(self) => {
                self.static_names.insert(name, value);
            }
            _ => {
                self.static_names.remove(&name);
            }
        }
    }
}

/// The scope of the module.
const MODULE: ScopeId = ScopeId::new(0);
