//! The parameters of the selected symbol, most passed first.

use std::cmp::Reverse;

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{Catalog, ListState};
use apidisc::{index::Definition, program::DefinitionId, usage::percent};

/// The list of parameters.
#[derive(Debug, Default)]
pub struct ArgumentList {
    /// The definition whose parameters are listed, and the generation of its index.
    pub of: Option<(u64, DefinitionId)>,
    /// The rows from top to bottom: the position in the signature, and the characters that match the filter.
    pub rows: Vec<(usize, Vec<u32>)>,
    /// For each parameter, by position in the signature: the parameters that it is most often passed with.
    pub companions: Vec<Companions>,
    /// The selection, the scroll offset and the filter.
    pub state: ListState,
    /// The FQN of the definition and the label of the selected parameter, which stay valid in the next index.
    anchor: Option<(CompactString, CompactString)>,
}

impl ArgumentList {
    /// The selected parameter's position in the signature.
    pub fn selected(&self) -> Option<usize> {
        self.rows.get(self.state.cursor.selected).map(|row| row.0)
    }

    /// Remembers the selected row by name, to find it again in the next index.
    pub fn remember(&mut self, catalog: &Catalog) {
        let Some((generation, id)) = self.of else { return };
        if generation != catalog.generation {
            return;
        }
        let definition = catalog.index.definition(id);
        self.anchor = self.selected().and_then(|position| {
            Some((CompactString::new(&definition.fqn), definition.signature.as_ref()?.label(position)))
        });
    }

    /// Selects a parameter of a definition that is listed already, or will be after the next update.
    pub fn reveal(&mut self, catalog: &Catalog, id: DefinitionId, position: usize) {
        self.state.filter.clear();
        let definition = catalog.index.definition(id);
        let parameter = definition.signature.as_ref().and_then(|s| s.parameters.get(position));
        self.anchor =
            parameter.map(|parameter| (CompactString::new(&definition.fqn), CompactString::new(&parameter.name)));
        self.state.is_stale = true;
    }

    /// Shows the parameters of another definition, or of the same definition in another index.
    pub fn show(&mut self, catalog: &Catalog, id: Option<DefinitionId>) {
        let same =
            matches!((&self.anchor, id), (Some((fqn, _)), Some(id)) if catalog.index.definition(id).fqn == **fqn);
        if !same {
            self.anchor = None;
            self.state.reset();
        }
        self.of = id.map(|id| (catalog.generation, id));
        self.companions = id.map_or_else(Vec::new, |id| companions(catalog.index.definition(id)));
        self.state.replace_items();
    }

    /// Builds the rows. Selects the best match of a new pattern, else the same parameter as before.
    pub fn rebuild(&mut self, catalog: &Catalog) {
        self.state.is_stale = false;
        self.rows.clear();
        let Some((_, id)) = self.of else { return };
        let definition = catalog.index.definition(id);
        match &self.state.filter.matches {
            Some(matches) if self.state.filter.is_on() => {
                self.rows.extend(matches.iter().map(|m| (m.candidate, m.positions.clone())));
            }
            _ => self.rows.extend(ranked(definition).into_iter().map(|position| (position, vec![]))),
        }
        let label = |position| definition.signature.as_ref().map(|s| s.label(position));
        let selected = self
            .anchor
            .as_ref()
            .filter(|(fqn, _)| definition.fqn == **fqn)
            .and_then(|(_, name)| self.rows.iter().position(|row| label(row.0).as_ref() == Some(name)))
            .unwrap_or(0);
        self.state.select_after_rebuild(selected);
    }
}

/// The parameters that one parameter is most often passed with: positions, and numbers of calls that pass both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Companions {
    /// The most frequent of all.
    pub first: Option<(usize, u32)>,
    /// The most frequent of the optional ones.
    pub optional: Option<(usize, u32)>,
}

/// Signatures with more parameters get no companions: they are generated code, and a table of all pairs would be too
/// large.
const MAX_PARAMETERS: usize = 512;

/// Finds the companions of every parameter in one pass over the argument sets.
fn companions(definition: &Definition) -> Vec<Companions> {
    let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
    let len = parameters.len();
    if len > MAX_PARAMETERS {
        return vec![Companions::default(); len];
    }
    let mut together = vec![0u32; len * len];
    for set in &definition.usage.argument_sets {
        let members: SmallVec<[usize; 16]> = set.parameters.iter().filter(|position| *position < len).collect();
        for a in &members {
            for b in &members {
                together[a * len + b] += set.calls;
            }
        }
    }
    let best = |position: usize, among: &dyn Fn(usize) -> bool| {
        (0..len)
            .filter(|other| *other != position && among(*other))
            .map(|other| (other, together[position * len + other]))
            .filter(|(_, calls)| *calls > 0)
            .max_by_key(|(other, calls)| (*calls, Reverse(*other)))
    };
    (0..len)
        .map(|position| Companions {
            first: best(position, &|_| true),
            optional: best(position, &|other| !parameters[other].required),
        })
        .collect()
}

/// Positions of the parameters, most passed first. Among parameters that are passed equally often, required ones come
/// first, then the order of the signature decides. The properties of an object parameter follow the parameter, in
/// the same ranking.
pub(super) fn ranked(definition: &Definition) -> Vec<usize> {
    let Some(signature) = &definition.signature else { return Vec::new() };
    let usage = &definition.usage;
    let mut order: Vec<usize> = (0..signature.parameters.len()).collect();
    order.sort_by_key(|&position| {
        let (count, known) = usage.passed_and_known(position);
        // Shares are compared as rounded percentages, as they are displayed, then by count.
        let share = percent(count, known);
        (Reverse(share), Reverse(count), !signature.parameters[position].required, position)
    });
    if signature.parameters.iter().all(|parameter| parameter.object.is_none()) {
        return order;
    }
    let object = |position: usize| signature.parameters[position].object.map(usize::from).filter(|&at| at < position);
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut waiting = Vec::new();
    for position in order.into_iter().rev() {
        object(position).map_or(&mut waiting, |object| &mut below[object]).push(position);
    }
    let mut rows = Vec::new();
    while let Some(position) = waiting.pop() {
        rows.push(position);
        waiting.append(&mut below[position]);
    }
    rows
}
