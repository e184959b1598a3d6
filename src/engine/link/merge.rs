//! Merges the linked programs of several languages into one, so that the index does not depend on languages.

use super::linked::{DefinitionRow, LinkedFile, LinkedProgram};
use apidisc_base::sort::SharedSort as _;

/// Merges programs. The files of the result are sorted by path; its definitions are in the order of files. All row
/// numbers are rewritten.
pub fn merge(parts: Vec<LinkedProgram>) -> LinkedProgram {
    let mut parts: Vec<LinkedProgram> = parts.into_iter().filter(|part| !part.files.is_empty()).collect();
    let is_sorted = |part: &LinkedProgram| part.files.is_sorted_by(|a, b| a.path <= b.path);
    if parts.len() < 2 && parts.iter().all(is_sorted) {
        return parts.pop().unwrap_or_default();
    }
    let mut merged = LinkedProgram::default();
    let mut files: Vec<(LinkedFile, usize, usize)> =
        Vec::with_capacity(parts.iter().map(|part| part.files.len()).sum());
    for (p, part) in parts.iter_mut().enumerate() {
        files.extend(std::mem::take(&mut part.files).into_iter().enumerate().map(|(i, file)| (file, p, i)));
        merged.packages.append(&mut part.packages);
        merged.used_names.extend(part.used_names.drain());
        merged.diagnostics.append(&mut part.diagnostics);
        merged.explanations.append(&mut part.explanations);
    }
    files.shared_sort_by(|(a, ..), (b, ..)| a.path.cmp(&b.path));
    let file_at = new_row_numbers(files.iter().map(|&(_, part, at)| (part, at)));
    // Definitions are large, so their keys are sorted in their place, and they are moved within one table. Definitions
    // of one part keep their order.
    let keys = |(p, part): (usize, &LinkedProgram)| -> Vec<(usize, usize, usize)> {
        part.definitions.iter().enumerate().map(|(at, definition)| (file_at[p][definition.file], p, at)).collect()
    };
    let mut order: Vec<(usize, usize, usize)> = parts.iter().enumerate().flat_map(keys).collect();
    order.sort_unstable();
    let row_at = new_row_numbers(order.iter().map(|&(_, part, at)| (part, at)));
    for (part, of_part) in parts.iter_mut().enumerate() {
        for definition in &mut of_part.definitions {
            let renumber = |row: &mut DefinitionRow| *row = DefinitionRow::new(row_at[part][row.index()]);
            definition.file = file_at[part][definition.file];
            definition.parent.iter_mut().chain(&mut definition.signature_of).for_each(renumber);
            definition.declared_by.iter_mut().flatten().for_each(renumber);
            definition.ancestors.iter_mut().for_each(renumber);
            definition.type_names.iter_mut().filter_map(|(_, row)| row.as_mut()).for_each(renumber);
        }
    }
    merged.definitions = join(parts.into_iter().map(|part| part.definitions).collect());
    permute(&mut merged.definitions, row_at.concat());
    for (mut file, part, _) in files {
        let renumber = |row: &mut DefinitionRow| *row = DefinitionRow::new(row_at[part][row.index()]);
        file.exports.iter_mut().map(|(_, row)| row).for_each(renumber);
        for call in &mut file.calls {
            let rows = call.caller.iter_mut().chain(&mut call.receiver).chain(&mut call.through);
            rows.chain(&mut call.candidates).for_each(renumber);
        }
        for read in &mut file.reads {
            let rows = read.reader.iter_mut().chain(&mut read.receiver).chain(&mut read.through);
            rows.chain([&mut read.attribute]).for_each(renumber);
        }
        for found in &mut file.uses {
            found.user.iter_mut().chain(&mut found.to).chain([&mut found.definition]).for_each(renumber);
        }
        let callers = file.requests.iter_mut().filter_map(|request| request.caller.as_mut());
        callers.chain(file.routes.iter_mut().filter_map(|route| route.handler.as_mut())).for_each(renumber);
        merged.files.push(file);
    }
    merged
}

/// The rows of all tables, one table behind the other, in the memory of the first one if it has room.
fn join<T>(tables: Vec<Vec<T>>) -> Vec<T> {
    let rest: usize = tables.iter().skip(1).map(Vec::len).sum();
    let mut tables = tables.into_iter();
    let mut all = tables.next().unwrap_or_default();
    all.reserve_exact(rest);
    all.extend(tables.flatten());
    all
}

/// Moves each row to its new number, within the table. `numbers` has each number from 0 once.
fn permute<T>(rows: &mut [T], mut numbers: Vec<usize>) {
    for at in 0..rows.len() {
        while numbers[at] != at {
            let to = numbers[at];
            rows.swap(at, to);
            numbers.swap(at, to);
        }
    }
}

/// The new row numbers, by part and old row number. `rows` yields (part, old row number) in the new order.
fn new_row_numbers(rows: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    for (new, (part, at)) in rows.enumerate() {
        let len = numbers.len().max(part + 1);
        numbers.resize_with(len, Vec::new);
        let part = &mut numbers[part];
        part.resize(part.len().max(at + 1), 0);
        part[at] = new;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use thin_vec::thin_vec;

    use super::super::linked::{Content, LinkedCall, LinkedDefinition, LinkedRead};
    use super::*;
    use apidisc_base::language::Language;
    use apidisc_facts::{
        program::{CallForm, CallSyntax, DefinitionKind, ReceiverLink, UnresolvedReason},
        source::Origin,
    };

    /// A program with two definitions, one call and one read per file: the second definition is nested in the first
    /// one, and the first one calls itself and reads the second one.
    fn part(language: Language, paths: &[&str]) -> LinkedProgram {
        let mut linked = LinkedProgram::default();
        for (file, path) in paths.iter().enumerate() {
            let outer = DefinitionRow::new(linked.definitions.len());
            for (name, parent) in [("Outer", None), ("inner", Some(outer))] {
                let fqn = format!("{path}.{name}").into();
                linked.definitions.push(LinkedDefinition {
                    parent,
                    ancestors: thin_vec![outer],
                    declared_by: thin_vec![None, Some(outer)],
                    type_names: thin_vec![("Outer".into(), Some(outer)), ("string".into(), None)],
                    ..LinkedDefinition::new(file, fqn, name.into(), DefinitionKind::Function, 1)
                });
            }
            linked.files.push(LinkedFile {
                path: (*path).into(),
                language,
                content: Content::Code,
                origin: Origin::Src,
                is_auxiliary: false,
                is_apart: false,
                is_internal: false,
                module: (*path).into(),
                exports: vec![("Outer".into(), outer)],
                calls: vec![LinkedCall {
                    line: 1,
                    col: 0,
                    caller: Some(outer),
                    candidates: std::iter::once(outer).collect(),
                    may_be_outside: false,
                    receiver: Some(outer),
                    through: Some(outer),
                    overload: None,
                    taken: None,
                    passed_keys: thin_vec![],
                    why: UnresolvedReason::Dynamic,
                    syntax: CallSyntax::new(CallForm::Name),
                    receiver_link: ReceiverLink::default(),
                    arguments: Arc::default(),
                    unknown_method: None,
                }],
                reads: vec![LinkedRead {
                    line: 1,
                    col: 0,
                    reader: Some(outer),
                    attribute: DefinitionRow::new(outer.index() + 1),
                    receiver: Some(outer),
                    through: Some(outer),
                    form: CallForm::Attribute,
                }],
                uses: Vec::new(),
                requests: Vec::new(),
                routes: Vec::new(),
            });
        }
        linked
    }

    #[test]
    fn merged_rows_refer_to_the_same_definitions() {
        let merged = merge(vec![part(Language::Python, &["a", "d"]), part(Language::TypeScript, &["b", "c", "e"])]);
        let paths: Vec<&str> = merged.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a", "b", "c", "d", "e"]);
        let fqn = |row: DefinitionRow| merged.definitions[row.index()].fqn.as_str();
        for (at, file) in merged.files.iter().enumerate() {
            let outer = format!("{}.Outer", file.path);
            let call = &file.calls[0];
            let rows = [Some(file.exports[0].1), call.caller, call.receiver, Some(call.candidates[0])];
            assert!(rows.into_iter().flatten().all(|row| fqn(row) == outer));
            let read = &file.reads[0];
            assert_eq!([read.reader, read.receiver].map(|row| row.map(fqn)), [Some(outer.as_str()); 2]);
            assert_eq!(fqn(read.attribute), format!("{}.inner", file.path));
            let own: Vec<_> = merged.definitions.iter().filter(|definition| definition.file == at).collect();
            assert_eq!((own.len(), &*own[0].fqn), (2, &*outer));
            assert!(
                [own[1].parent, own[1].declared_by[1], own[1].type_names[0].1, Some(own[1].ancestors[0])]
                    .iter()
                    .flatten()
                    .all(|&r| fqn(r) == outer)
            );
        }
    }
}
