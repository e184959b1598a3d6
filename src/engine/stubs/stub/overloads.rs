//! The overloads of a function or constructor: each is a signature with the shares of the calls that take it.
//!
//! The positions of overloads follow those of the implementation's parameters, as in
//! [`ArgumentSet::parameters`](apidisc_indexing::usage::ArgumentSet::parameters): a set of visible positions says which
//! overloads are written, and which of their parameters.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    call_shape::CallShape, doc_text::DocLines, node_text::TypeReference, renderer::CallableRenderer, text::pluralized,
    wording::Detail,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{Parameter, ParameterKind, ParameterSet, Signature};
use apidisc_indexing::{
    index::Definition,
    usage::{OverloadUsage, ParameterUsage, Usage},
};
use apidisc_tokens::Tokenizer;

/// The signatures of an overloaded function, most called first.
#[derive(Debug)]
pub(super) struct OverloadedSignature {
    overloads: Vec<WrittenOverload>,
    /// The signature of the implementation, if callers may read it in place of the overloads: see
    /// [`Self::with_implementation`].
    implementation: Option<Box<dyn CallableRenderer>>,
    /// The number of the implementation's parameters.
    parameters: usize,
    /// The number of declared overloads, whose positions follow those of the parameters.
    declared: usize,
    /// The number of calls whose overload is unknown.
    open_calls: u32,
    frame: OverloadFrame,
}

/// The texts around overloads.
#[derive(Debug)]
pub(super) struct OverloadFrame {
    /// The margin and the sign that begin a comment.
    pub(super) comment_opening: String,
    /// The line above each overload.
    pub(super) decorator: String,
    /// The lines above the first overload that are repeated above the others.
    pub(super) repeated: String,
}

/// One overload.
#[derive(Debug)]
struct WrittenOverload {
    /// The positions that stand for the overload. There are several if declarations differ only in what no signature
    /// states, such as the type of the receiver: they are written once.
    positions: Vec<usize>,
    callable: Box<dyn CallableRenderer>,
    /// For each parameter of the overload, the position of the implementation's parameter.
    implementation: Vec<Option<usize>>,
}

impl OverloadedSignature {
    /// The overloads of `definition`. `renderer` makes the renderer of a signature with a usage.
    pub(super) fn new(
        definition: &Definition,
        frame: OverloadFrame,
        mut renderer: impl FnMut(&Signature, &Usage) -> Box<dyn CallableRenderer>,
    ) -> Self {
        let implementation = definition.signature.as_deref().map_or(&[][..], |signature| &signature.parameters);
        let mut groups = equal_overloads(definition);
        groups.shared_sort_by_key(|group| (Reverse(group.usage.calls), group.declared[0]));
        let is_alone = groups.len() == 1;
        if let [only] = &mut groups[..] {
            // Every call takes the only overload.
            let Usage { total_calls, parameters, .. } = &*definition.usage;
            only.usage = OverloadUsage { calls: *total_calls, parameters: parameters.clone() };
        }
        let overload = |group: EqualOverloads| {
            let signature = &definition.overloads[group.declared[0]];
            let is_declared = definition.modifiers.is_declared;
            let positions = implementation_positions(&signature.parameters, implementation, is_declared);
            WrittenOverload {
                positions: group.declared.iter().map(|at| implementation.len() + at).collect(),
                callable: renderer(signature, &overload_usage(&group.usage, &positions)),
                implementation: positions,
            }
        };
        let taken: u32 = definition.usage.overloads.iter().map(|overload| overload.calls).sum();
        let open_calls = if is_alone { 0 } else { definition.usage.total_calls.saturating_sub(taken) };
        Self {
            overloads: groups.into_iter().map(overload).collect(),
            implementation: None,
            parameters: implementation.len(),
            declared: definition.overloads.len(),
            open_calls,
            frame,
        }
    }

    /// These overloads with the signature of the implementation, which has a type for each parameter of every overload.
    /// In [`Detail::Lean`] that signature replaces overloads that have one call shape, since they would repeat most
    /// types.
    pub(super) fn with_implementation(self, implementation: Option<Box<dyn CallableRenderer>>) -> Self {
        let declares = |overload: &WrittenOverload| overload.implementation.iter().all(Option::is_some);
        let implementation = implementation.filter(|_| self.overloads.iter().all(declares));
        Self { implementation, ..self }
    }

    /// The signature of the implementation with its visible parameters, if it stands for the shown overloads.
    fn shown_implementation(
        &self,
        visible: &ParameterSet,
        detail: Detail,
    ) -> Option<(&dyn CallableRenderer, ParameterSet)> {
        let implementation = self.implementation.as_deref().filter(|_| detail == Detail::Lean)?;
        let is_one_shape = || self.merged_shapes(visible, Detail::Calls, false).is_some_and(|shapes| shapes.len() == 1);
        let are_several = self.shown(visible).nth(1).is_some();
        let own = || visible.iter().filter(|&position| position < self.parameters).collect();
        (are_several && is_one_shape()).then(|| (implementation, implementation.complete(&own())))
    }

    /// The overloads that are written, in the order of the text.
    fn shown<'a>(&'a self, visible: &'a ParameterSet) -> impl Iterator<Item = &'a WrittenOverload> + 'a {
        self.overloads.iter().filter(|overload| overload.positions.iter().any(|&position| visible.contains(position)))
    }

    /// The overloads with different texts, in the order of the text. Overloads that differ only in their types are one
    /// call shape.
    fn distinct<'a>(&'a self, visible: &'a ParameterSet, detail: Detail) -> Vec<&'a WrittenOverload> {
        let mut texts = FxHashSet::default();
        let is_new = |overload: &&WrittenOverload| {
            let mut text = String::new();
            overload.callable.write(&overload.visible(visible), detail, None, &mut text);
            texts.insert(text)
        };
        match detail {
            Detail::Calls => self.shown(visible).filter(is_new).collect(),
            Detail::Lean | Detail::Full => self.shown(visible).collect(),
        }
    }

    /// The line above each of `overloads`; empty if there is one call shape for all overloads.
    fn decorator(&self, overloads: &[&WrittenOverload], detail: Detail) -> &str {
        let is_single = self.overloads.len() == 1 || detail == Detail::Calls && overloads.len() == 1;
        if is_single { "" } else { &self.frame.decorator }
    }

    /// The texts of the shown overloads in [`Detail::Calls`], if they may be merged. `has_docstring` says whether a
    /// docstring follows the first text.
    fn merged_shapes(&self, visible: &ParameterSet, detail: Detail, has_docstring: bool) -> Option<Vec<String>> {
        if detail != Detail::Calls {
            return None;
        }
        let shapes = self
            .shown(visible)
            .enumerate()
            .map(|(at, overload)| overload.callable.call_shape(&overload.visible(visible), has_docstring && at == 0));
        let merged = CallShape::merged(shapes.collect::<Option<Vec<CallShape>>>()?);
        let decorator = if merged.len() == 1 { "" } else { &self.frame.decorator };
        let repeated = |at: usize| if at == 0 { "" } else { &self.frame.repeated };
        let text = |(at, shape): (usize, &CallShape)| format!("{}{decorator}{}", repeated(at), shape.line());
        Some(merged.iter().enumerate().map(text).collect())
    }

    /// The lines below the overloads: how many calls have an open overload, and how many overloads are hidden.
    fn notes(&self, visible: &ParameterSet, detail: Detail) -> impl Iterator<Item = String> {
        let hidden = (self.overloads.len() - self.shown(visible).count()) as u32;
        let open =
            (self.open_calls > 0).then(|| format!("{} whose overload is unknown", pluralized(self.open_calls, "call")));
        let hidden = (hidden > 0).then(|| format!("... + {} hidden", pluralized(hidden, "overload")));
        let line = |note| format!("{} {note}\n", self.frame.comment_opening);
        // The legend of call shapes states already that overloads may be hidden.
        [open, hidden].into_iter().flatten().filter(move |_| detail != Detail::Calls).map(line)
    }
}

impl WrittenOverload {
    /// The parameters of the overload that are visible with these parameters of the implementation.
    fn visible(&self, visible: &ParameterSet) -> ParameterSet {
        let is_visible = |&at: &usize| self.implementation[at].is_some_and(|position| visible.contains(position));
        self.callable.complete(&(0..self.implementation.len()).filter(is_visible).collect())
    }
}

impl CallableRenderer for OverloadedSignature {
    fn parameter_count(&self) -> usize {
        self.parameters + self.declared
    }

    fn is_showable(&self, position: usize) -> bool {
        let shows = |overload: &WrittenOverload| {
            let mut parameters = overload.implementation.iter().enumerate();
            parameters.any(|(at, &own)| own == Some(position) && overload.callable.is_showable(at))
        };
        (self.parameters..self.parameter_count()).contains(&position) || self.overloads.iter().any(shows)
    }

    fn line_price(&self, position: usize, tokenizer: &Tokenizer) -> usize {
        if let Some(overload) = self.overloads.iter().find(|overload| overload.positions.contains(&position)) {
            return overload.callable.price(&overload.visible(&ParameterSet::new()), Detail::Full, None, tokenizer);
        }
        let price = |overload: &WrittenOverload| {
            let at = overload.implementation.iter().position(|&own| own == Some(position));
            at.map(|at| overload.callable.line_price(at, tokenizer))
        };
        self.overloads.iter().filter_map(price).max().unwrap_or(0)
    }

    /// Completes a set of visible positions: if it contains no overload, the most called one is added, and parameters
    /// that no shown overload declares are removed.
    fn complete(&self, set: &ParameterSet) -> ParameterSet {
        let mut visible: ParameterSet = set.iter().filter(|&position| position < self.parameter_count()).collect();
        if self.shown(&visible).next().is_none()
            && let Some(first) = self.overloads.first()
        {
            visible.insert(first.positions[0]);
        }
        let mut whole: ParameterSet =
            self.shown(&visible).flat_map(|overload| overload.positions.iter().copied()).collect();
        for overload in self.shown(&visible) {
            let written = overload.visible(&visible);
            written.iter().filter_map(|at| overload.implementation[at]).for_each(|position| whole.insert(position));
        }
        whole
    }

    fn price(
        &self,
        visible: &ParameterSet,
        detail: Detail,
        docs: Option<DocLines<'_>>,
        tokenizer: &Tokenizer,
    ) -> usize {
        let lines = |text: &str| text.split_inclusive('\n').map(|line| tokenizer.count_line(line)).sum::<usize>();
        if let Some(shapes) = self.merged_shapes(visible, detail, docs.is_some()) {
            let docs = docs.map_or(0, |docs| docs.tokens(tokenizer));
            return shapes.iter().map(|text| lines(text)).sum::<usize>() + docs;
        }
        if let Some((implementation, visible)) = self.shown_implementation(visible, detail) {
            return implementation.price(&visible, detail, docs, tokenizer);
        }
        let overloads = self.distinct(visible, detail);
        let (decorator, repeated) = (lines(self.decorator(&overloads, detail)), lines(&self.frame.repeated));
        let price = |(at, overload): (usize, &&WrittenOverload)| {
            let above = decorator + if at == 0 { 0 } else { repeated };
            above + overload.callable.price(&overload.visible(visible), detail, docs.filter(|_| at == 0), tokenizer)
        };
        let notes: usize = self.notes(visible, detail).map(|line| tokenizer.count_line(&line)).sum();
        overloads.iter().enumerate().map(price).sum::<usize>() + notes
    }

    fn write(&self, visible: &ParameterSet, detail: Detail, docs: Option<DocLines<'_>>, out: &mut String) {
        if let Some(shapes) = self.merged_shapes(visible, detail, docs.is_some()) {
            for (at, text) in shapes.iter().enumerate() {
                out.push_str(text);
                docs.filter(|_| at == 0).iter().for_each(|docs| docs.write(out));
            }
            return;
        }
        if let Some((implementation, visible)) = self.shown_implementation(visible, detail) {
            return implementation.write(&visible, detail, docs, out);
        }
        let overloads = self.distinct(visible, detail);
        for (at, overload) in overloads.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { &self.frame.repeated });
            out.push_str(self.decorator(&overloads, detail));
            overload.callable.write(&overload.visible(visible), detail, docs.filter(|_| at == 0), out);
        }
        out.extend(self.notes(visible, detail));
    }

    fn references(&self, visible: &ParameterSet, detail: Detail) -> Vec<TypeReference> {
        if let Some((implementation, visible)) = self.shown_implementation(visible, detail) {
            return implementation.references(&visible, detail);
        }
        let of_overload = |overload: &WrittenOverload| overload.callable.references(&overload.visible(visible), detail);
        let mut references: Vec<TypeReference> = self.shown(visible).flat_map(of_overload).collect();
        references.sort_unstable();
        references.dedup();
        references
    }
}

/// Overloads with equal signatures, and the calls that take one of them.
struct EqualOverloads {
    /// Their places among the overloads, in source order; at least one.
    declared: Vec<usize>,
    usage: OverloadUsage,
}

/// The overloads of a definition, those with equal signatures together.
fn equal_overloads(definition: &Definition) -> Vec<EqualOverloads> {
    let mut groups: Vec<EqualOverloads> = Vec::new();
    let mut known: FxHashMap<&Signature, usize> = FxHashMap::default();
    for (at, signature) in definition.overloads.iter().enumerate() {
        let usage = definition.usage.overloads.get(at).cloned().unwrap_or_default();
        let group = *known.entry(signature).or_insert(groups.len());
        if let Some(group) = groups.get_mut(group) {
            group.declared.push(at);
            add_usage(&mut group.usage, &usage);
        } else {
            groups.push(EqualOverloads { declared: vec![at], usage });
        }
    }
    groups
}

/// Adds the calls of an overload to those of another one with the same parameters.
fn add_usage(sum: &mut OverloadUsage, part: &OverloadUsage) {
    sum.calls += part.calls;
    sum.parameters.resize(sum.parameters.len().max(part.parameters.len()), ParameterUsage::default());
    for (row, other) in sum.parameters.iter_mut().zip(&part.parameters) {
        row.count += other.count;
        row.unknown += other.unknown;
        row.positional += other.positional;
    }
}

/// The usage of an overload, by the positions of its own parameters. For each of them, `positions` has the position of
/// the implementation's parameter with the same meaning. Where there is none, all calls count as unknown.
fn overload_usage(counted: &OverloadUsage, positions: &[Option<usize>]) -> Usage {
    let unknown = ParameterUsage { unknown: counted.calls, ..ParameterUsage::default() };
    let row = |position: &Option<usize>| position.and_then(|at| counted.parameters.get(at)).cloned();
    Usage {
        total_calls: counted.calls,
        parameters: positions.iter().map(|position| row(position).unwrap_or_else(|| unknown.clone())).collect(),
        ..Usage::default()
    }
}

/// For each parameter of an overload, the position of the implementation's parameter with the same meaning: of two
/// parameters that are passed by name, and of two properties of objects, those with the same name; else the one at the
/// same place. `is_declared` is true if there is no implementation: calls are then bound by the names of parameters
/// first.
fn implementation_positions(
    overload: &[Parameter],
    implementation: &[Parameter],
    is_declared: bool,
) -> Vec<Option<usize>> {
    let of_kind = |kind| implementation.iter().position(|p: &Parameter| p.kind == kind);
    let (rest, keywords) = (of_kind(ParameterKind::VarPositional), of_kind(ParameterKind::VarKeyword));
    let is_positional = |p: &Parameter| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
    let by_place: Vec<usize> = (0..implementation.len()).filter(|&at| is_positional(&implementation[at])).collect();
    let by_name = |name: &str| {
        implementation
            .iter()
            .position(|p| p.name == name && matches!(p.kind, ParameterKind::Standard | ParameterKind::KeywordOnly))
    };
    let property = |object: usize, name: &str| {
        implementation.iter().position(|p| p.object.map(usize::from) == Some(object) && p.name == name)
    };
    let mut positions: Vec<Option<usize>> = Vec::with_capacity(overload.len());
    let mut place = 0;
    for parameter in overload {
        let position = match parameter.kind {
            ParameterKind::Property => {
                let object = parameter.object.and_then(|object| positions.get(usize::from(object)).copied().flatten());
                object.and_then(|object| property(object, &parameter.name))
            }
            ParameterKind::VarPositional => rest.or_else(|| by_place.get(place).copied()),
            ParameterKind::VarKeyword => keywords,
            ParameterKind::PositionalOnly => by_place
                .iter()
                .copied()
                .find(|&at| is_declared && implementation[at].name == parameter.name)
                .or_else(|| by_place.get(place).copied())
                .or(rest),
            ParameterKind::Standard | ParameterKind::KeywordOnly => by_name(&parameter.name)
                .or_else(|| keywords.and_then(|object| property(object, &parameter.name)))
                .or_else(|| by_place.get(place).copied().filter(|_| is_positional(parameter)))
                .or_else(|| rest.filter(|_| is_positional(parameter))),
        };
        place += usize::from(is_positional(parameter));
        positions.push(position);
    }
    positions
}
