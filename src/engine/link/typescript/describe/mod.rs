//! The definitions of the index: the name, kind, texts, signatures and visibility of each row.
//!
//! | file | content |
//! | --- | --- |
//! | `declarations` | the definitions of declarations and members |
//! | `classes` | ancestors, and the signatures of constructors |
//! | `constants` | constants, fields and properties that are described as functions |
//! | `signatures`, `overload_properties` | parameters as written, and the properties of objects that calls pass |
//! | `rest_tuples`, `wrapped_functions` | rest parameters of tuple type, and functions with the parameters of a passed function |
//! | `documentation` | the documentation of functions with overloads |
//! | `object_texts` | the texts of long object types |
//! | `annotation_texts` | the texts of annotations |
//! | `computed_keys` | the keys of the objects that a computed type allows |
//! | `meanings` | what the annotations of parameters mean, of which type parameters and operators say it in another place |
//! | `schema_texts`, `schemas`, `schema_methods` | the types that are inferred from schemas of zod |
//! | `certain_returns`, `field_types`, `generators` | the types of results, constants and fields without an annotation |
//! | `value_texts`, `node_texts`, `written_type` | the types of literals and type nodes, and how a type is written |
//! | `returned_objects`, `returned_tuples` | the members of the objects and tuples that functions return |
//! | `type_names`, `type_imports` | the types that the texts name, and the modules that they come from |
//! | `publish` | which definitions are public |
//!
//! The inferred types come from [`Linker`]; nothing here changes what inference answers.

mod annotation_texts;
mod certain_returns;
mod classes;
mod computed_keys;
mod constants;
mod declarations;
mod documentation;
mod field_types;
mod generators;
mod meanings;
mod node_texts;
mod object_texts;
mod overload_properties;
mod publish;
mod rest_tuples;
mod returned_objects;
mod returned_tuples;
mod schema_methods;
mod schema_texts;
mod schemas;
mod signatures;
mod type_imports;
mod type_names;
mod value_texts;
mod wrapped_functions;
mod written_type;

use compact_str::{CompactString, format_compact};

use super::{
    call_sites::ObjectParameters,
    callees::CalledValues,
    infer::Linker,
    rows::{DefinitionRows, RowDeclaration},
};
use crate::{limits::LinkLimit, linked::LinkedDefinition};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{program::DefinitionKind, syntax::typescript::facts::DefBody};
use type_names::TypeNames;

pub(super) use publish::{Visibility, members_for_subclasses};

/// Describes the declarations that have a row.
pub(super) struct Describer<'l, 'f> {
    linker: &'l mut Linker<'f>,
    rows: &'l DefinitionRows,
    /// The name of the module of each file.
    modules: &'l [CompactString],
    objects: &'l ObjectParameters,
    called: &'l CalledValues,
    /// The types that the texts of the definition name that is being described.
    names: TypeNames,
}

impl<'l, 'f> Describer<'l, 'f> {
    pub(super) fn new(
        linker: &'l mut Linker<'f>,
        rows: &'l DefinitionRows,
        modules: &'l [CompactString],
        objects: &'l ObjectParameters,
        called: &'l CalledValues,
    ) -> Self {
        Self { linker, rows, modules, objects, called, names: TypeNames::default() }
    }

    /// The definitions of all rows, in the order of the rows.
    pub(super) fn describe_all(&mut self) -> Vec<LinkedDefinition> {
        (0..self.rows.all.len()).map(|at| self.describe_row(at)).collect()
    }

    /// The definition of the row at position `at`.
    fn describe_row(&mut self, at: usize) -> LinkedDefinition {
        self.linker.budget.begin_query();
        let (file, line, declaration) = self.rows.all[at];
        let module = &self.modules[file.index()];
        let none = CompactString::default();
        let mut definition = LinkedDefinition {
            is_public: Some(false),
            ..LinkedDefinition::new(file.index(), none.clone(), none, DefinitionKind::Constant, line)
        };
        self.names = TypeNames::default();
        match declaration {
            RowDeclaration::Def(def) => self.describe_declaration(def, &mut definition),
            RowDeclaration::Member(holder, position) => {
                let member = &self.linker.program.members(holder)[position as usize];
                self.describe_member(holder, member, &mut definition);
                self.describe_called_member((holder, position), &mut definition);
            }
            RowDeclaration::EnumMember(holder, position) => {
                if let DefBody::Enum(body) = &self.linker.program.def(holder).body {
                    let (name, _, value) = &body.members[position as usize];
                    definition.name = CompactString::new(self.linker.program.facts(file).name(*name));
                    definition.value = value.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty());
                }
                definition.kind = DefinitionKind::Attribute;
                definition.parent = self.rows.of_def.get(&holder).copied();
                definition.fqn =
                    format_compact!("{module}#{}.{}", self.linker.program.dotted_name(holder), definition.name);
            }
            RowDeclaration::Variable(file, variable) => {
                let facts = self.linker.program.facts(file);
                let row = &facts.variables[variable.index()];
                definition.name = CompactString::new(facts.name(row.name));
                let namespace = self.linker.program.namespace_of_variable(file, variable);
                // The variables of a namespace that adds to a function are no members of the function.
                let row = namespace.and_then(|namespace| self.rows.of_def.get(&namespace).copied());
                definition.parent = row.filter(|row| match self.rows.all[row.index()].2 {
                    RowDeclaration::Def(def) => matches!(self.linker.program.def(def).body, DefBody::Namespace),
                    _ => false,
                });
                let dotted =
                    namespace.map(|namespace| format_compact!("{}.", self.linker.program.dotted_name(namespace)));
                definition.fqn = format_compact!("{module}#{}{}", dotted.unwrap_or_default(), definition.name);
                self.describe_constant(file, variable, &mut definition);
            }
        }
        if definition.fqn.is_empty() {
            let dotted = match declaration {
                RowDeclaration::Def(def) => self.linker.program.dotted_name(def),
                RowDeclaration::Member(holder, _) => {
                    let program = &self.linker.program;
                    let constant = program.constant_of_literal(holder).map(|variable| {
                        let facts = program.facts(file);
                        CompactString::new(facts.name(facts.variables[variable.index()].name))
                    });
                    let parts = [constant.unwrap_or_default(), program.dotted_name(holder)];
                    let holding = parts.iter().filter(|part| !part.is_empty()).map(|part| format_compact!("{part}."));
                    holding.chain([definition.name.clone()]).collect()
                }
                _ => definition.name.clone(),
            };
            definition.fqn = format_compact!("{module}#{dotted}");
        }
        if self.linker.budget.is_exhausted() {
            self.linker.limits.note(file.index(), LinkLimit::Steps(self.linker.budget.granted()), line);
        } else if let Some(depth) = self.linker.budget.depth_reached() {
            self.linker.limits.note(file.index(), LinkLimit::Nesting(depth), line);
        }
        let names = std::mem::take(&mut self.names);
        definition.type_imports = self.type_imports(&names.without_row).into();
        definition.type_names = names.all.into();
        definition.type_names.shared_sort_by(|a, b| a.0.cmp(&b.0));
        definition.type_names.dedup_by(|a, b| a.0 == b.0);
        definition
    }
}
