//! The descriptions of constants, fields and properties as functions, if their type is a function type.
//!
//! - `export const persist = persistImpl as unknown as Persist` holds a function that may be unknown. It is described
//!   as a function with the signatures of its type, and calls through its name count for it. The callee of such a call
//!   is not certain: see [`Modifiers::is_constant`].
//!   `export const Agent: { new (name: string): Instance }` likewise: see [`Modifiers::is_new`].
//! - `export const handler: Handler = (event) => …` holds a function expression. Its signature is that of the
//!   expression, with the types that `Handler` declares. If `Handler` has several call signatures, they are its
//!   overloads.

use crate::linked::shared_text;
use arcstr::ArcStr;
use smallvec::SmallVec;

use super::Describer;
use crate::linked::{LinkedDefinition, LinkedParameter, LinkedSignature};
use crate::typescript::{
    call_sites::ObjectParameters,
    callees::{CalledValue, Callees, ValueCalls},
    program::{FileIndex, GlobalDef},
    types::InternedType,
};
use apidisc_facts::{
    program::{DefinitionKind, Modifiers},
    syntax::{
        MAX_PARAMETERS,
        typescript::facts::{Decl, DefBody, MemberKind, ValueSource, Variable, VariableId},
    },
};

impl Describer<'_, '_> {
    /// Completes the signature of a function expression by the type of the constant that holds it: the types of
    /// parameters and result, and the parameters that the expression leaves out.
    pub(super) fn add_declared_types(&mut self, function: GlobalDef, signature: &mut LinkedSignature) {
        let all = Callees::of(self.linker).declared_signatures(function);
        let Some(declared) = self.longest(&all) else { return };
        let declaration = self.linked_signature(declared, &positions_of_objects(&all, self.objects));
        let own: Vec<usize> = top_level(signature).collect();
        let has_rest = own.last().is_some_and(|&last| signature.parameters[last].is_variadic());
        for (at, declared_at) in top_level(&declaration).enumerate() {
            let parameter = &declaration.parameters[declared_at];
            if let Some(&position) = own.get(at) {
                let own = &mut signature.parameters[position];
                if own.annotation.is_none() && own.is_variadic() == parameter.is_variadic() {
                    own.annotation.clone_from(&parameter.annotation);
                    own.required &= parameter.required;
                }
            } else if !has_rest && signature.parameters.len() < MAX_PARAMETERS {
                let position = signature.parameters.len() as u16;
                signature.parameters.push(parameter.clone());
                let within = |property: &&LinkedParameter| property.within == Some(declared_at as u16);
                let moved = |property: &LinkedParameter| LinkedParameter { within: Some(position), ..property.clone() };
                signature.parameters.extend(declaration.parameters.iter().filter(within).map(moved));
            }
        }
        if signature.returns.is_none() {
            signature.returns = declaration.returns;
        }
        if signature.type_parameters.is_none() {
            signature.type_parameters = declaration.type_parameters;
        }
        for def in all {
            self.add_type_names_of_function(def);
        }
    }

    /// The signature with the most parameters, which can bind every argument.
    pub(super) fn longest(&self, signatures: &[GlobalDef]) -> Option<GlobalDef> {
        let parameters =
            |def: &GlobalDef| self.linker.program.function(*def).map_or(0, |function| function.params.len());
        signatures.iter().copied().rev().max_by_key(parameters)
    }

    /// Describes an exported constant: as a function if its type is a function type of the sources, else as a value
    /// with its type.
    pub(super) fn describe_constant(
        &mut self,
        file: FileIndex,
        constant: VariableId,
        definition: &mut LinkedDefinition,
    ) {
        let row = &self.linker.program.facts(file).variables[constant.index()];
        let signatures = Callees::of(self.linker).constant_signatures(file, constant);
        let called = self.called.get(&CalledValue::Variable(file, constant)).filter(|calls| !calls.objects.is_empty());
        if let (Some(calls), Some(first)) = (called, signatures.first())
            && self.is_of_generic_type_of_package(*first)
        {
            let ty = self.linker.variable_type(file, constant);
            definition.modifiers = Modifiers { is_constant: true, is_new: calls.is_new, ..definition.modifiers };
            definition.signature = self.signature_of_type(ty, calls).map(Box::new);
            if definition.signature.is_some() {
                definition.kind = DefinitionKind::Function;
                return;
            }
        }
        if !signatures.is_empty() {
            self.describe_as_function(&signatures, definition);
            definition.signature_of = self.rows.of_def.get(&signatures[0]).copied();
            if let (ValueSource::Value(value), &[of], Some(signature)) =
                (row.source, &signatures[..], &mut definition.signature)
            {
                self.take_over_wrapped(file, value, of, signature);
            }
            definition.kind = DefinitionKind::Function;
            let is_new = Callees::of(self.linker).is_construct_signature(signatures[0]);
            definition.modifiers = Modifiers { is_constant: true, is_new, ..Modifiers::default() };
            if let Some(ty) = row.annotation.filter(|_| is_new) {
                // The annotation declares the properties.
                definition.annotation = self.annotation_of_constant(file, row);
                self.add_type_names(file, ty, 0);
            }
            return;
        }
        if let Some(calls) =
            self.called.get(&CalledValue::Variable(file, constant)).filter(|calls| calls.held.is_none())
        {
            let ty = self.linker.variable_type(file, constant);
            definition.kind = DefinitionKind::Function;
            self.describe_as_called(ty, calls, definition);
            return;
        }
        definition.ancestors = self.ancestors_of_instance(file, constant).into();
        if !row.path.is_empty() {
            return;
        }
        definition.value.clone_from(&row.value_text);
        self.describe_type_of_constant(file, row, definition);
    }

    /// Describes the type of an object literal that a constant of the file holds.
    pub(super) fn describe_object(&mut self, object: GlobalDef, definition: &mut LinkedDefinition) {
        let file = self.linker.program.file_of(object);
        let facts = self.linker.program.facts(file);
        let row = self.linker.program.def(object);
        let (Some(expr), Some(name), None) = (row.expr, row.name, row.outer) else { return };
        let Some(symbol) = facts.symbol_in(facts.file_scope(), name) else { return };
        let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return };
        let variable = &facts.variables[variable.index()];
        let ValueSource::Value(value) = variable.source else { return };
        if variable.path.is_empty() && self.linker.program.held_value(file, value) == Some(expr) {
            self.describe_type_of_constant(file, variable, definition);
        }
    }

    /// Describes the declared type of a constant, or the type of its value.
    fn describe_type_of_constant(&mut self, file: FileIndex, row: &Variable, definition: &mut LinkedDefinition) {
        definition.annotation = self.annotation_of_constant(file, row);
        match (row.annotation, row.source) {
            (Some(ty), _) => self.add_type_names(file, ty, 0),
            (None, ValueSource::Value(value))
                if !row.value_text.as_ref().is_some_and(|text| self.is_evident(file, value, text)) =>
            {
                definition.annotation = self.certain_type(file, value).map(shared_text);
            }
            _ => {}
        }
    }

    /// The text of the declared type of a constant.
    fn annotation_of_constant(&mut self, file: FileIndex, constant: &Variable) -> Option<ArcStr> {
        let annotation = constant.annotation.zip(constant.annotation_text.clone())?;
        Some(self.annotation_text(file, &annotation)).filter(|text| !text.is_empty())
    }

    /// Gives a definition these call signatures: the longest one, to whose parameters arguments are bound, and, if
    /// there are several, all of them as overloads.
    pub(super) fn describe_as_function(&mut self, signatures: &[GlobalDef], definition: &mut LinkedDefinition) {
        let Some(longest) = self.longest(signatures) else { return };
        let chosen = positions_of_objects(signatures, self.objects);
        let mut signature = self.linked_signature(longest, &chosen);
        if signatures.len() > 1 {
            self.add_overload_properties(signatures, &chosen, &mut signature);
            definition.overloads = signatures.iter().map(|&def| self.linked_signature(def, &chosen)).collect();
        }
        if signature.returns.is_none() {
            signature.inferred_returns = self.certain_return(longest).map(shared_text);
        }
        definition.signature = Some(Box::new(signature));
        for &def in signatures {
            self.add_type_names_of_function(def);
        }
    }

    /// Describes a value that code calls, although its type is no function type of the sources. A function type of the
    /// platform gives the signature, as `FC<Props>` does; a value of unknown type gets the arguments that calls pass.
    fn describe_as_called(&mut self, ty: InternedType, calls: &ValueCalls, definition: &mut LinkedDefinition) {
        definition.modifiers = Modifiers { is_constant: true, is_new: calls.is_new, ..definition.modifiers };
        definition.signature = self.signature_of_type(ty, calls).map(Box::new);
    }

    /// Describes a field or property as a method, if its type is a function type of the sources, or if the type is not
    /// known and code calls the value.
    pub(super) fn describe_called_member(&mut self, (holder, at): (GlobalDef, u16), definition: &mut LinkedDefinition) {
        let member = &self.linker.program.members(holder)[usize::from(at)];
        let kind = if member.is_static { DefinitionKind::StaticMethod } else { DefinitionKind::Method };
        let file = self.linker.program.file_of(holder);
        if let Some(calls) = self.called.get(&CalledValue::Member(holder, at)).filter(|calls| calls.held.is_none())
            && Callees::of(self.linker).value_signatures(CalledValue::Member(holder, at)).is_empty()
            && let Some(ty) = match member.kind {
                MemberKind::Property { annotation: None, value: Some((value, _)), .. } => {
                    Some(self.linker.expr_type(file, value))
                }
                // A component whose type is declared, such as `Context.Provider` of React.
                _ => calls.is_component.then(|| self.linker.member_type(holder, at)),
            }
        {
            definition.kind = kind;
            (definition.annotation, definition.value) = (None, None);
            return self.describe_as_called(ty, calls, definition);
        }
        // A property of an object literal may hold a function that has a definition of its own.
        let is_object = matches!(self.linker.program.def(holder).body, DefBody::Object(_));
        let calls = self.called.get(&CalledValue::Member(holder, at));
        let signatures = if is_object && calls.is_none_or(|calls| calls.held.is_some()) {
            SmallVec::new()
        } else {
            Callees::of(self.linker).member_signatures(holder, at)
        };
        if signatures.is_empty() {
            return;
        }
        self.describe_as_function(&signatures, definition);
        if let (MemberKind::Property { value: Some((value, _)), .. }, &[of], Some(signature)) =
            (&member.kind, &signatures[..], &mut definition.signature)
        {
            self.take_over_wrapped(self.linker.program.file_of(holder), *value, of, signature);
        }
        definition.kind = kind;
        let is_new = Callees::of(self.linker).is_construct_signature(signatures[0]);
        definition.modifiers = Modifiers { is_constant: true, is_new, ..definition.modifiers };
        definition.annotation = None;
        definition.value = None;
    }
}

/// The positions of the parameters of `functions` that receive object literals in calls.
pub(super) fn positions_of_objects(functions: &[GlobalDef], objects: &ObjectParameters) -> SmallVec<[u16; 2]> {
    let mut positions: SmallVec<[u16; 2]> = SmallVec::new();
    for &at in functions.iter().filter_map(|def| objects.get(def)).flatten() {
        if !positions.contains(&at) {
            positions.push(at);
        }
    }
    positions
}

/// The positions of the parameters that are no properties of objects.
fn top_level(signature: &LinkedSignature) -> impl Iterator<Item = usize> + '_ {
    let parameters = signature.parameters.iter().enumerate();
    parameters.filter(|(_, parameter)| parameter.within.is_none()).map(|(position, _)| position)
}
