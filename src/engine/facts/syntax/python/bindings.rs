//! Bindings, and the access paths whose values flow analysis tracks beside plain names.

use compact_str::{CompactString, format_compact};
use smallvec::SmallVec;

use super::{
    facts::{Binding, BindingId, BindingKind, Expr, ExprId, NameId},
    flow::FlowState,
    lower::Lowering,
};

/// An access path: a name, or a name followed by attributes and constant indices, such as `self.x.y` and `d["k"]`. In
/// the text of a path, an index is a part in brackets: `d.["k"]`.
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
        let id = self.record_binding(name, line, kind);
        self.flow.forget_paths(name);
        self.set_only_reaching(name, id);
        id
    }

    /// Adds a binding that reaches no read of the current scope.
    pub(super) fn record_binding(&mut self, name: NameId, line: u32, kind: BindingKind) -> BindingId {
        let FlowState { scope, in_except, reachable, .. } = self.flow;
        let is_fallback = in_except || !reachable;
        let id = BindingId::new(self.facts.bindings.len());
        // A definition for the run time represents its name; an assigned value does not, if type checkers see another.
        let is_unused = !self.in_run_time_branch || matches!(kind, BindingKind::Assign { .. });
        if !reachable && is_unused && !matches!(kind, BindingKind::Narrow { .. }) {
            self.unreachable_bindings.insert(id);
        }
        self.facts.bindings.push(Binding { scope, name, line, kind, is_fallback });
        id
    }

    /// Adds a binding of an access path: an assignment to an attribute, or a narrowing. A narrowing does not change the
    /// value, so it keeps the bindings that reach the paths which extend this path.
    pub(super) fn bind_path(&mut self, path: AccessPath, line: u32, kind: BindingKind) -> BindingId {
        if !matches!(kind, BindingKind::Narrow { .. }) {
            self.flow.forget_paths(path.name);
        }
        let id = self.record_binding(path.name, line, kind);
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

    /// The part of an access path for an index: a short string, an integer, or a name that is bound to a string. `None`
    /// for any other index.
    fn constant_index(&mut self, index: ExprId) -> Option<NameId> {
        let part = match self.facts.expr(self.facts.constant_of(index)) {
            Expr::Position(at) => format_compact!("[{at}]"),
            Expr::Str(Some(key)) if !self.facts.name(key).contains('.') => {
                format_compact!("[\"{}\"]", self.facts.name(key))
            }
            _ => return None,
        };
        Some(self.intern(&part))
    }

    /// The access path that represents all items of a value, for indices that are not known: `d.[]`.
    pub(super) fn any_item(&mut self, value: ExprId) -> Option<AccessPath> {
        let path = self.access_path(value)?;
        let text = format_compact!("{}.[]", self.facts.name(path.name));
        Some(AccessPath { root: path.root, name: self.intern(&text) })
    }

    /// Binds an item that is assigned: `d["k"] = v`. If the index is not constant, any item may have changed.
    pub(super) fn bind_item(&mut self, target: ExprId, line: u32, kind: BindingKind) {
        let Expr::Subscript { value, .. } = self.facts.expr(target) else { return };
        match self.access_path(target) {
            Some(path) => {
                self.flow.changed_items.insert(path.name);
                let binding = self.bind_path(path, line, kind);
                if self.flow.branches > 0 {
                    self.conditional_items.insert(binding);
                }
            }
            None => self.bind_any_item(value, line),
        }
    }

    /// Binds the items that a call of a method of `dict` or `list` changes: `d.update(k=v)`, `l.sort()`.
    pub(super) fn bind_changed_items(&mut self, expr: ExprId, line: u32) {
        let Expr::Call(site) = self.facts.expr(expr) else { return };
        let site = &self.facts.calls[site.index()];
        let Expr::Attribute { value, name, .. } = self.facts.expr(site.callee) else { return };
        match self.facts.name(name) {
            "update" => {
                let mut items: SmallVec<[(Expr, ExprId); 4]> = SmallVec::new();
                let mut is_open = false;
                for argument in &site.arguments {
                    match (argument.keyword, self.facts.expr(argument.value)) {
                        (Some(keyword), _) => items.push((Expr::Str(Some(keyword)), argument.value)),
                        (None, Expr::Dict(list)) => {
                            let pairs = self.facts.list(list).chunks_exact(2);
                            items.extend(pairs.map(|pair| (self.facts.expr(pair[0]), pair[1])));
                            is_open |= self.facts.spreads_of(argument.value).is_some();
                        }
                        _ => is_open = true,
                    }
                }
                if is_open {
                    self.bind_any_item(value, line);
                }
                for (key, assigned) in items {
                    let index = self.add_expr(key);
                    let item = self.add_subscript(value, index);
                    self.bind_item(item, line, BindingKind::assign(assigned));
                }
            }
            "clear" | "pop" | "popitem" | "insert" | "remove" | "sort" | "reverse" => self.bind_any_item(value, line),
            _ => {}
        }
    }

    /// Forgets the items of a value, any of which may have changed.
    pub(super) fn bind_any_item(&mut self, value: ExprId, line: u32) {
        let Some(any) = self.any_item(value) else { return };
        self.flow.has_items = true;
        if let Some(path) = self.access_path(value) {
            self.flow.forget_paths(path.name);
        }
        self.bind_path(any, line, BindingKind::Unknown);
    }

    /// The access path of an expression; `None` for an expression of another form, or with more than four attributes
    /// and indices.
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
                Expr::Subscript { value, index, .. } if parts.len() < 4 => {
                    self.flow.has_items = true;
                    parts.push(self.constant_index(index)?);
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
