//! Puts the modules and definitions of an index that was read from a file in the order of an index of sources, so that
//! both give the same answers where the order decides.

use crate::index::Index;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, ModuleId};

/// Sorts modules by FQN.
pub(super) fn sort_modules(index: &mut Index) {
    let mut order: Vec<usize> = (0..index.modules.len()).collect();
    order.shared_sort_by(|&a, &b| index.modules[a].fqn.cmp(&index.modules[b].fqn));
    let positions = positions(&order);
    let new = |id: ModuleId| ModuleId::new(positions[id.index()]);
    index.modules = permuted(std::mem::take(&mut index.modules), &positions);
    for module in &mut index.modules {
        module.parent = module.parent.map(new);
        module.children = module.children.iter().map(|&child| new(child)).collect();
        module.children.sort();
    }
    index.module_names.values_mut().for_each(|id| *id = new(*id));
    index.files.iter_mut().for_each(|file| file.module = new(file.module));
    index.definitions.iter_mut().for_each(|definition| definition.module = new(definition.module));
}

/// Sorts definitions by path and line. `orders` has a number for each definition, by which those of one line are
/// sorted; definitions with equal numbers keep their order. The function also updates the ids in the lists of members
/// and of definitions of modules. Returns the new position for each old one.
pub(super) fn sort_definitions(index: &mut Index, orders: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..index.definitions.len()).collect();
    let key = |at: usize| {
        let place = index.definitions[at].place;
        (&index.file(place.file).path, place.line, orders[at])
    };
    order.shared_sort_by(|&a, &b| key(a).cmp(&key(b)));
    let positions = positions(&order);
    let new = |id: DefinitionId| DefinitionId::new(positions[id.index()]);
    index.definitions = permuted(std::mem::take(&mut index.definitions), &positions);
    for definition in &mut index.definitions {
        definition.parent = definition.parent.map(new);
        definition.members = definition.members.iter().map(|&member| new(member)).collect();
        definition.members.sort();
    }
    for module in &mut index.modules {
        module.definitions.iter_mut().for_each(|id| *id = new(*id));
        module.definitions.sort();
    }
    positions
}

/// For each old position the new one, where `order` has the old position for each new one.
fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        positions[old] = new;
    }
    positions
}

/// The rows, each moved to its position.
fn permuted<T>(rows: Vec<T>, positions: &[usize]) -> Vec<T> {
    let mut rows: Vec<(usize, T)> = positions.iter().copied().zip(rows).collect();
    rows.shared_sort_by_key(|(position, _)| *position);
    rows.into_iter().map(|(_, row)| row).collect()
}
