//! Emits the definitions of all rows.

use crate::linked::shared_text;
use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use thin_vec::ThinVec;

use super::{
    analysis::FieldRef,
    emit::{DefinitionSource, Emitter, place_in_file},
    module_constants::HeldValue,
    program::GlobalDef,
    signatures::CallableSignature,
};
use crate::linked::{DefinitionRow, LinkedDefinition};
use apidisc_facts::{
    documentation::Documentation,
    program::{DefinitionKind, Modifiers},
    syntax::python::facts::Def,
};

/// The number of definitions that are made in parallel at a time.
const DEFINITIONS_AT_ONCE: usize = 2048;

/// Results that belong to one definition alone, and are moved into it.
#[derive(Default)]
struct OwnedParts {
    callable: CallableSignature,
    aliases: Vec<CompactString>,
    ancestors: ThinVec<DefinitionRow>,
}

impl Emitter<'_> {
    /// The definitions of all rows. Takes what they own out of the analysis.
    pub(super) fn emit_definitions(mut self) -> Vec<LinkedDefinition> {
        let sources = std::mem::take(&mut self.sources);
        let mut ancestors = std::mem::take(&mut self.ancestors).into_iter();
        // What calls show of packages that cannot be read is added to the definitions later, without a copy of them.
        let mut definitions = Vec::with_capacity(sources.len() + sources.len() / 8);
        // The parts of few definitions at a time are taken out, since they are as large as the definitions.
        for sources in sources.chunks(DEFINITIONS_AT_ONCE) {
            let parts = sources.iter().zip(&mut ancestors);
            let parts: Vec<OwnedParts> =
                parts.map(|(&(_, source), ancestors)| self.take_owned_parts(source, ancestors)).collect();
            let definition = |(&(file, source), parts): (&(usize, DefinitionSource), OwnedParts)| match source {
                DefinitionSource::Def(def) => self.emit_definition(file, def, parts),
                DefinitionSource::Field(field) => self.emit_field(file, field),
            };
            definitions.par_extend(sources.par_iter().zip(parts).map(definition));
        }
        definitions
    }

    /// Moves the results that belong to one definition out of the analysis.
    fn take_owned_parts(&mut self, source: DefinitionSource, ancestors: ThinVec<DefinitionRow>) -> OwnedParts {
        let DefinitionSource::Def(def) = source else { return OwnedParts::default() };
        OwnedParts {
            callable: std::mem::take(&mut self.analysis.callables[def.index()]),
            aliases: self.analysis.aliases.remove(&def).unwrap_or_default(),
            ancestors,
        }
    }

    fn emit_definition(&self, file: usize, def: GlobalDef, parts: OwnedParts) -> LinkedDefinition {
        let OwnedParts { mut callable, aliases, ancestors } = parts;
        self.add_meanings(def, &mut callable);
        let facts = self.linker.def(def);
        let places = self.files[file].places.as_deref();
        let fqn = self.analysis.fqns[def.index()].clone();
        let name = CompactString::new(fqn.rsplit('.').next().unwrap_or(&fqn));
        let line = place_in_file(places, facts.line).line;
        LinkedDefinition {
            aliases: aliases.into(),
            parent: self.analysis.parents[def.index()].and_then(|parent| self.row(parent)),
            end_line: place_in_file(places, facts.end_line).line,
            summary: facts.summary.clone(),
            documentation: self.documentation(facts, &callable),
            bases: facts.class().map(|c| c.bases.iter().map(|(_, text)| text.clone()).collect()).unwrap_or_default(),
            ancestors,
            decorators: facts.decorators.iter().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()).collect(),
            signature: callable.signature,
            overloads: self.linker.overloads_with_receivers(callable.overloads).into(),
            declared_by: callable.declared_by.iter().map(|by| self.class_row((*by)?)).collect(),
            ..LinkedDefinition::new(file, fqn, name, self.linker.kind(def), line)
        }
    }

    /// The documentation of a definition. The fields that a class inherits are described in its bases.
    fn documentation(&self, facts: &Def, callable: &CallableSignature) -> Option<Arc<Documentation>> {
        let mut documentation = facts.documentation.as_deref().cloned().unwrap_or_default();
        let parameters = callable.signature.iter().flat_map(|signature| &signature.parameters);
        for (parameter, base) in parameters.zip(&callable.declared_by) {
            let Some(base) = base.map(|base| self.linker.def(self.linker.class_def(base))) else { continue };
            let text = base.documentation.as_ref().and_then(|of_base| of_base.parameter(&parameter.name));
            documentation.describe(&parameter.name, text.map(CompactString::new).unwrap_or_default());
        }
        (!documentation.is_empty()).then(|| Arc::new(documentation))
    }

    fn emit_field(&self, file: usize, field: FieldRef) -> LinkedDefinition {
        let facts = self.linker.field(field);
        let name = CompactString::new(self.linker.field_name(field));
        let scope = match field.class {
            Some(class) => &self.analysis.fqns[self.linker.class_def(class).index()],
            None => &self.files[file].module,
        };
        let parent = field.class.and_then(|class| self.class_row(class));
        let line = place_in_file(self.files[file].places.as_deref(), facts.line).line;
        let text = |source: Option<&ArcStr>| source.filter(|text| !text.is_empty()).cloned();
        let inferred = || {
            let name = self.linker.program.global_name(field.file, facts.name);
            self.analysis.attribute_types.get(&(field.class?, name)).map(shared_text)
        };
        let kind = if parent.is_some() { DefinitionKind::Attribute } else { DefinitionKind::Constant };
        let fqn = format_compact!("{scope}.{name}");
        let summary = self.field_summary(field, &name);
        let held = self.analysis.constants.held.get(&(field.file, facts.name)).filter(|_| field.class.is_none());
        match held {
            Some(HeldValue::Unknown(callable)) => LinkedDefinition {
                signature: callable.signature.clone(),
                modifiers: Modifiers { is_constant: true, ..Modifiers::default() },
                ..LinkedDefinition::new(file, fqn, name, DefinitionKind::Function, line)
            },
            Some(HeldValue::Instance(class)) => {
                let class = self.linker.program.name_of(self.linker.class_def(*class));
                let annotation =
                    text(facts.annotation).or_else(|| Some(ArcStr::from(CompactString::new(class).as_str())));
                LinkedDefinition { summary, annotation, ..LinkedDefinition::new(file, fqn, name, kind, line) }
            }
            _ => LinkedDefinition {
                parent,
                summary,
                annotation: text(facts.annotation).or_else(inferred),
                value: text(facts.value),
                ..LinkedDefinition::new(file, fqn, name, kind, line)
            },
        }
    }

    /// The text that describes a field in its class.
    fn field_summary(&self, field: FieldRef, name: &str) -> Option<ArcStr> {
        let class = self.linker.def(self.linker.class_def(field.class?));
        class.documentation.as_ref()?.parameter(name).map(shared_text)
    }
}
