//! Collects the names of modules, definitions and parameters into a [`NameTable`].

use std::cmp::Reverse;

use arcstr::ArcStr;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    Catalog, SearchTarget,
    letters::letter_mask,
    names::{NamePrefix, NameRow, NameStem, NameTable, ParameterNameId},
};
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind, ModuleId},
    source::Origin,
};
use apidisc_indexing::index::Definition;

/// The order of names that match equally well. Each criterion decides between names that are equal in those before it:
///
/// 1. Names of the library itself precede names of its tests and examples.
/// 2. Public names precede private ones.
/// 3. Names of definitions and modules precede names of parameters.
/// 4. Names of definitions precede names of modules, whose uses are the sum of those of their members.
/// 5. Names with more uses come first: those of a class with the uses of its members, those of a parameter with the
///    calls that pass it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RowOrder {
    is_outside_library: bool,
    is_private: bool,
    is_parameter: bool,
    named: Named,
    calls: Reverse<u32>,
}

/// What a name names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// A definition or a parameter of one.
    Definition,
    Module,
}

impl RowOrder {
    fn new(named: Named, origin: Origin, is_private: bool, is_parameter: bool, calls: u32) -> Self {
        Self { is_outside_library: origin != Origin::Src, is_private, is_parameter, named, calls: Reverse(calls) }
    }
}

/// A full name with the offsets of its parts.
struct NameParts<'a> {
    full_name: &'a str,
    /// The byte offset of the label in `full_name`.
    label: usize,
    /// The byte offset of the simple name in `full_name`.
    simple_name: usize,
    is_defining_name: bool,
    is_public_source: bool,
    is_uncalled_function: bool,
}

/// A table under construction.
struct NameTableBuilder {
    rows: Vec<(RowOrder, NameRow)>,
    table: NameTable,
    prefixes: FxHashMap<Box<str>, u32>,
    parameter_names: FxHashMap<Box<str>, ParameterNameId>,
}

/// The names of an index. Texts are in the order of the index, rows in that of [`RowOrder`].
pub(super) fn build_name_table(catalog: &Catalog) -> NameTable {
    let index = &catalog.index;
    // No parameter has the name at position 0: see `ParameterNameId`.
    let table = NameTable { parameter_names: vec![Box::default()], ..NameTable::default() };
    let mut builder = NameTableBuilder {
        rows: Vec::new(),
        table,
        prefixes: FxHashMap::default(),
        parameter_names: FxHashMap::default(),
    };
    let is_described = index.described_modules();
    for (i, module) in index.modules.iter().enumerate().filter(|(i, _)| is_described[*i]) {
        let id = ModuleId::new(i);
        let label = module.fqn.rfind(['.', '/']).map_or(0, |at| at + 1);
        let stem = builder.add_stem(&NameParts {
            full_name: &module.fqn,
            label,
            simple_name: label,
            is_defining_name: false,
            is_public_source: false,
            is_uncalled_function: false,
        });
        let order = RowOrder::new(Named::Module, catalog.origin(id), false, false, module.uses());
        builder.rows.push((order, NameRow { target: SearchTarget::Module(id), stem, parameter: None }));
    }
    let described = || index.every_definition().filter(|(_, definition)| index.describes(definition));
    // A stub file and the module that it describes, or the branches of an `if`, define one name: the most used
    // definition stands for all.
    let mut best: FxHashMap<&ArcStr, (u32, DefinitionId)> = FxHashMap::default();
    for (id, definition) in described() {
        let uses = index.uses_within(id);
        let slot = best.entry(&definition.fqn).or_insert((uses, id));
        if uses > slot.0 {
            *slot = (uses, id);
        }
    }
    for (id, definition) in described().filter(|(id, definition)| best.get(&definition.fqn).is_some_and(|b| b.1 == *id))
    {
        builder.add_definition(catalog, id, definition);
    }
    builder.finish()
}

impl NameTableBuilder {
    /// Adds the public name of a definition, its defining name if that differs, and its parameters below both names.
    fn add_definition(&mut self, catalog: &Catalog, id: DefinitionId, definition: &Definition) {
        let origin = catalog.index.files.get(definition.place.file.index()).map_or(Origin::Src, |file| file.origin);
        let is_public_source = definition.is_public && origin == Origin::Src;
        let is_uncalled_function = definition.kind == DefinitionKind::Function && definition.usage.uses() == 0;
        let is_private = !definition.is_public;
        let uses = match definition.kind {
            DefinitionKind::Class | DefinitionKind::Interface => catalog.index.uses_within(id),
            _ => definition.usage.uses(),
        };
        let label = catalog.label(id, false);
        let alias = definition.alias.as_str();
        let simple_name = alias.rfind(['.', '#', '/']).map_or(0, |at| at + 1);
        let public = self.add_stem(&NameParts {
            full_name: alias,
            label: alias.strip_suffix(label.as_str()).map_or(simple_name, str::len),
            simple_name,
            is_defining_name: false,
            is_public_source,
            is_uncalled_function,
        });
        let defining = Catalog::defining_name(definition).map(|name| {
            let start = definition.fqn.len().saturating_sub(name.len());
            self.add_stem(&NameParts {
                full_name: &definition.fqn,
                label: start,
                simple_name: start,
                is_defining_name: true,
                is_public_source,
                is_uncalled_function,
            })
        });
        for stem in [Some(public), defining].into_iter().flatten() {
            let order = RowOrder::new(Named::Definition, origin, is_private, false, uses);
            self.rows.push((order, NameRow { target: SearchTarget::Definition(id), stem, parameter: None }));
            let Some(signature) = &definition.signature else { continue };
            for at in 0..signature.parameters.len().min(usize::from(u16::MAX)) {
                let passed = definition.usage.parameters.get(at).map_or(0, |usage| usage.count);
                let target = SearchTarget::Parameter(id, at as u16);
                let parameter = Some(self.intern_parameter_name(&signature.shown_label(at)));
                let order = RowOrder::new(Named::Definition, origin, is_private, true, passed);
                self.rows.push((order, NameRow { target, stem, parameter }));
            }
        }
    }

    /// Adds a name and returns the position of its stem.
    fn add_stem(&mut self, parts: &NameParts<'_>) -> u32 {
        let (prefix, label) = parts.full_name.split_at(parts.label);
        let prefix = self.intern_prefix(prefix);
        let NameTable { label_text, stems, .. } = &mut self.table;
        let start = label_text.len() as u32;
        label_text.push_str(label);
        stems.push(NameStem {
            prefix,
            label: start..label_text.len() as u32,
            simple_name: parts.simple_name.saturating_sub(parts.label) as u32,
            is_defining_name: parts.is_defining_name,
            is_public_source: parts.is_public_source,
            is_uncalled_function: parts.is_uncalled_function,
        });
        stems.len() as u32 - 1
    }

    fn intern_prefix(&mut self, text: &str) -> u32 {
        if let Some(known) = self.prefixes.get(text) {
            return *known;
        }
        let new = self.table.prefixes.len() as u32;
        self.table.prefixes.push(NamePrefix::new(text));
        self.prefixes.insert(text.into(), new);
        new
    }

    fn intern_parameter_name(&mut self, text: &str) -> ParameterNameId {
        if let Some(known) = self.parameter_names.get(text) {
            return *known;
        }
        let names = &mut self.table.parameter_names;
        let new = ParameterNameId::MIN.saturating_add(names.len() as u32 - 1);
        names.push(text.into());
        self.parameter_names.insert(text.into(), new);
        new
    }

    fn finish(self) -> NameTable {
        let Self { mut rows, mut table, .. } = self;
        // The sort is stable: of equal rows the first by path and line comes first.
        rows.par_sort_by_key(|(order, _)| *order);
        table.rows = rows.iter().map(|(_, row)| *row).collect();
        drop(rows);
        table.label_text.shrink_to_fit();
        table.stems.shrink_to_fit();
        let stems: Vec<u64> = table.stems.par_iter().map(|stem| letter_mask(table.label_of(stem))).collect();
        let parameters: Vec<u64> = table.parameter_names.iter().map(|name| letter_mask(name)).collect();
        let in_parameter = |name: Option<ParameterNameId>| name.map_or(0, |name| parameters[name.get() as usize]);
        table.label_letters =
            table.rows.iter().map(|row| stems[row.stem as usize] | in_parameter(row.parameter)).collect();
        table.two_names = pair_names(&table);
        table
    }
}

/// The rows of each target that has two names.
fn pair_names(table: &NameTable) -> Vec<(u32, u32)> {
    let rows = || 0..table.len() as u32;
    let mut defining: FxHashMap<SearchTarget, u32> = FxHashMap::default();
    let is_defining = |row: &u32| table.stem(*row).is_defining_name;
    defining.extend(rows().filter(is_defining).map(|row| (table.row(row).target, row)));
    let mut pairs = Vec::with_capacity(defining.len());
    let public = rows().filter(|row| !is_defining(row));
    pairs.extend(public.filter_map(|row| Some((*defining.get(&table.row(row).target)?, row))));
    pairs
}
