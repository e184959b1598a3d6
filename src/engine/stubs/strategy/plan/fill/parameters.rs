//! The phases of the fill that add hidden parameters.

use std::cmp::Reverse;

use arcstr::ArcStr;
use rustc_hash::FxHashSet;

use super::GreedyFill;
use crate::stub::selection::NodeForm;
use apidisc_facts::program::{ParameterKind, ParameterSet};

/// The hidden parameters that a phase adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HiddenParameters {
    /// Parameters that some call passes.
    Passed,
    /// Parameters that no call passes, except for repeated properties.
    New,
    /// Repeated properties: no call passes them, and the stub already shows an equal property of another object.
    Repeated,
}

/// A property of an object parameter, by name and type. If two definitions take the same options, their properties are
/// equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ObjectProperty<'a> {
    name: &'a str,
    ty: Option<&'a str>,
}

impl<'a> GreedyFill<'a> {
    /// Adds hidden parameters.
    pub(super) fn add_parameters(&mut self, added: HiddenParameters) {
        self.start_phase();
        let are_passed = added == HiddenParameters::Passed;
        let mut hidden = Vec::new();
        for node in self.shown_nodes() {
            let Some(form) = self.selection.get(node) else { continue };
            let Some((_, definition)) = self.tree.definition(node) else { continue };
            let priced = self.tree.priced(node);
            let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
            for (position, parameter) in parameters.iter().enumerate() {
                let count = definition.usage.parameters.get(position).map_or(0, |p| p.count);
                if (count > 0) == are_passed && priced.is_showable(position) && !form.parameters.contains(position) {
                    hidden.push((Reverse(count), Reverse(self.uses(node)), parameter.name.clone(), node, position));
                }
            }
            for (at, overload) in definition.usage.overloads.iter().enumerate() {
                let position = parameters.len() + at;
                if (overload.calls > 0) == are_passed && !form.parameters.contains(position) {
                    let (calls, name) = (Reverse(overload.calls), ArcStr::default());
                    hidden.push((calls, Reverse(self.uses(node)), name, node, position));
                }
            }
        }
        hidden.sort();
        let mut written = if added == HiddenParameters::New { self.written_properties() } else { FxHashSet::default() };
        for (.., node, position) in hidden {
            if self.is_done() {
                return;
            }
            let property = self.property(node, position).filter(|_| added == HiddenParameters::New);
            if property.is_some_and(|property| written.contains(&property)) {
                continue;
            }
            let Some(form) = self.selection.get(node) else { continue };
            let mut parameters = form.parameters.clone();
            parameters.insert(position);
            let priced = self.tree.priced(node);
            let parameters = priced.complete(&parameters);
            let covered = |parameters: &ParameterSet| self.tree.covered(node, parameters).total();
            let gains = || covered(&parameters) > covered(&form.parameters);
            if gains() {
                continue;
            }
            let larger = NodeForm::new(&priced, parameters, form.detail, form.docs.clone());
            if self.reserve_tokens(form.tokens(self.tree, node), larger.tokens(self.tree, node), &larger.references) {
                self.show(vec![(node, larger)]);
                written.extend(property);
            }
        }
    }

    /// The properties of objects that the selection writes.
    fn written_properties(&self) -> FxHashSet<ObjectProperty<'a>> {
        let shown = self.selection.iter();
        shown.flat_map(|(node, form)| form.parameters.iter().filter_map(move |at| self.property(node, at))).collect()
    }

    /// The property of an object at a position of a node's parameters; `None` for any other parameter.
    fn property(&self, node: usize, position: usize) -> Option<ObjectProperty<'a>> {
        let tree = self.tree;
        let (_, definition) = tree.definition(node)?;
        let parameters = &definition.signature.as_ref()?.parameters;
        let parameter = parameters.get(position)?;
        let object = parameters.get(usize::from(parameter.object?))?;
        // The keywords that `**kwargs` receives are known from calls alone.
        let is_declared = object.kind != ParameterKind::VarKeyword;
        is_declared.then(|| ObjectProperty { name: &parameter.name, ty: parameter.annotation.as_deref() })
    }
}
