//! Bindings, and the access paths whose values flow analysis tracks beside plain names.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{
    facts::{Binding, BindingId, BindingKind, Expr, ExprId, NameId},
    flow::FlowState,
    lower::Lowering,
};

/// An access path: a name, or a name followed by attributes, such as `self.x.y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AccessPath {
    /// The first name of the path.
    pub(super) root: NameId,
    /// The interned text of the whole path; equal to `root` for a plain name.
    pub(super) name: NameId,
}

impl Lowering<'_> {
    /// Adds a binding of `name` in the current scope. It becomes the only binding that reaches the following reads.
    pub(super) fn bind(&mut self, name: NameId, line: u32, kind: BindingKind) -> BindingId {
        let scope = self.flow.scope;
        let id = BindingId::new(self.facts.bindings.len());
        let is_fallback = self.flow.in_except || !self.flow.reachable;
        self.facts.bindings.push(Binding { scope, name, line, kind, is_fallback });
        self.flow.forget_paths(name);
        self.set_only_reaching(name, id);
        id
    }

    /// Adds a binding of an access path: an assignment to an attribute, or a narrowing. A narrowing does not change the
    /// value, so it keeps the bindings that reach the paths which extend this path.
    pub(super) fn bind_path(&mut self, path: AccessPath, line: u32, kind: BindingKind) -> BindingId {
        let id = BindingId::new(self.facts.bindings.len());
        let FlowState { scope, in_except, reachable, .. } = self.flow;
        let is_fallback = in_except || !reachable;
        if !matches!(kind, BindingKind::Narrow { .. }) {
            self.flow.forget_paths(path.name);
        }
        self.facts.bindings.push(Binding { scope, name: path.name, line, kind, is_fallback });
        let reaching = self.facts.add_reaching(&[id]);
        let prefixes = self.prefixes(path.name);
        self.flow.set_path(&prefixes, path.name, reaching);
        id
    }

    /// The access paths that a path extends: `self` and `self.a` for `self.a.b`, none for a name.
    fn prefixes(&mut self, path: NameId) -> SmallVec<[NameId; 4]> {
        let text = CompactString::new(self.facts.name(path));
        text.match_indices('.').map(|(end, _)| self.intern(&text[..end])).collect()
    }

    /// Makes `binding` the only binding that reaches `name`.
    pub(super) fn set_only_reaching(&mut self, name: NameId, binding: BindingId) {
        let reaching = self.facts.add_reaching(&[binding]);
        self.flow.set(name, reaching);
    }

    /// The access path of an expression; `None` for an expression of another form, or with more than four attributes.
    pub(super) fn access_path(&mut self, expr: ExprId) -> Option<AccessPath> {
        let mut parts: SmallVec<[NameId; 4]> = SmallVec::new();
        let mut at = expr;
        let root = loop {
            match self.facts.expr(at) {
                Expr::Name { name, .. } => break name,
                Expr::Attribute { value, name, .. } if parts.len() < 4 => {
                    parts.push(name);
                    at = value;
                }
                _ => return None,
            }
        };
        if parts.is_empty() {
            return Some(AccessPath { root, name: root });
        }
        let mut text = CompactString::new(self.facts.name(root));
        for &part in parts.iter().rev() {
            text.push('.');
            text.push_str(self.facts.name(part));
        }
        Some(AccessPath { root, name: self.intern(&text) })
    }
}
