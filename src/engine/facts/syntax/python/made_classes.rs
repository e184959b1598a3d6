//! Classes that a call makes: `M = type("M", (Base,), {"__annotations__": {"a": int}, "a": 1})`.
//!
//! Such a call means the same as a class statement with these bases and these names in its body, so its facts are those
//! of the statement.

use arcstr::ArcStr;
use compact_str::CompactString;
use tree_sitter::Node;

use super::{
    definitions::ClassParts,
    facts::{Class, Expr, ExprId},
    grammar::NodeKind,
    lower::Lowering,
    patterns::AssignedValue,
    text,
};
use crate::{program::ArgumentKind, syntax::tree::line_of};

/// The greatest number of names in the body of such a class. A larger dictionary makes no class.
const MAX_NAMES: usize = 256;

/// A name in the body of a class, with the value and the annotation that the dictionary gives it.
struct BodyName<'s> {
    text: CompactString,
    line: u32,
    annotation: Option<(ExprId, &'s str)>,
    value: Option<(ExprId, &'s str)>,
}

impl<'s> Lowering<'s> {
    /// Binds the name of the node `target` to the class that the call `value` makes; `call` is the node of the call.
    /// Returns false, and binds nothing, if the call makes no class whose bases and names are written in it.
    pub(super) fn bind_made_class(&mut self, target: Node, value: ExprId, call: Node) -> bool {
        let Some((class, names)) = self.made_class(value, call) else { return false };
        let name = self.intern(self.text(target));
        let parts = ClassParts { name, line: line_of(target), end_line: call.end_position().row as u32 + 1 };
        self.add_class(parts, class, |this| {
            for BodyName { text, line, annotation, value } in names {
                let name = this.intern(&text);
                this.record_field(name, line, annotation, value);
                let assigned = AssignedValue {
                    annotation: annotation.map(|(annotation, _)| annotation),
                    value: value.map(|(value, _)| value),
                    ..AssignedValue::value(ExprId::new(0))
                };
                let kind = this.assignment(&assigned);
                this.bind(name, line, kind);
            }
        });
        true
    }

    /// The head and the names of the class that a call makes.
    fn made_class(&self, value: ExprId, call: Node) -> Option<(Class, Vec<BodyName<'s>>)> {
        let Expr::Call(site) = self.facts.expr(value) else { return None };
        let site = &self.facts.calls[site.index()];
        let Expr::Name { name, reaching, .. } = self.facts.expr(site.callee) else { return None };
        let [_, bases, body] = &site.arguments[..] else { return None };
        let is_plain = site.arguments.iter().all(|argument| argument.kind == ArgumentKind::Positional);
        if !is_plain || self.facts.name(name) != "type" || !self.facts.reaching(reaching).is_empty() {
            return None;
        }
        let arguments = self.parts(call.child_by_field_id(self.grammar.fields.arguments)?);
        let &[_, bases_node, body_node] = &arguments[..] else { return None };
        let Expr::Tuple(bases) = self.facts.expr(bases.value) else { return None };
        let texts =
            self.parts(bases_node).into_iter().map(|node| ArcStr::from(text::annotation(self.text(node)).as_str()));
        let bases = self.facts.list(bases).iter().copied();
        let class = Class { bases: bases.zip(texts).collect(), ..Class::default() };
        let mut names: Vec<BodyName<'s>> = Vec::new();
        for (key, value, value_node) in self.items(body.value, body_node)? {
            let (Some(text), line) = (self.key(key), line_of(value_node)) else { return None };
            if text != "__annotations__" {
                let value = Some((value, self.text(value_node)));
                let is_full = names.len() == MAX_NAMES;
                match names.iter_mut().find(|name| name.text == text) {
                    Some(known) => known.value = value,
                    None if is_full => return None,
                    None => names.push(BodyName { text, line, annotation: None, value }),
                }
                continue;
            }
            for (key, value, value_node) in self.items(value, value_node)? {
                let (Some(text), line) = (self.key(key), line_of(value_node)) else { return None };
                let annotation = Some((value, self.text(value_node)));
                let is_full = names.len() == MAX_NAMES;
                match names.iter_mut().find(|name| name.text == text) {
                    Some(known) => known.annotation = annotation,
                    None if is_full => return None,
                    None => names.push(BodyName { text, line, annotation, value: None }),
                }
            }
        }
        // The search through all bindings of the file comes last: few calls get here.
        let is_builtin = !self.facts.bindings.iter().any(|binding| binding.name == name);
        is_builtin.then_some((class, names))
    }

    /// The items of a dictionary display, each with the node of its value. `None` for another expression, and for a
    /// display that also takes the items of other dictionaries.
    fn items<'t>(&self, dict: ExprId, node: Node<'t>) -> Option<Vec<(ExprId, ExprId, Node<'t>)>> {
        let Expr::Dict(list) = self.facts.expr(dict) else { return None };
        let nodes = self.parts(node);
        let list = self.facts.list(list);
        if nodes.len() * 2 != list.len() || nodes.len() > MAX_NAMES {
            return None;
        }
        let items = list.chunks_exact(2).zip(nodes);
        items.map(|(item, node)| Some((item[0], item[1], *self.parts(node).last()?))).collect()
    }

    /// The text of a key that is a string.
    fn key(&self, key: ExprId) -> Option<CompactString> {
        match self.facts.expr(key) {
            Expr::Str(Some(name)) => Some(self.facts.name(name).into()),
            _ => None,
        }
    }

    /// The named children of a node without comments.
    fn parts<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| self.kind(*child) != NodeKind::Comment).collect()
    }
}
