//! Signatures for the index: parameters as written, and the properties of options objects.

use crate::linked::shared_text;
use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use thin_vec::ThinVec;

use super::Describer;
use crate::typescript::{
    callees::{Callees, MAX_PROPERTIES, ObjectProperty, ValueCalls},
    infer::CallableSignature,
    program::{GlobalDef, InternedName},
    types::InternedType,
};
use crate::{
    limits::LinkLimit,
    linked::{LinkedParameter, LinkedSignature},
};
use apidisc_facts::{
    program::ParameterKind,
    syntax::{
        MAX_PARAMETERS,
        typescript::facts::{Function, FunctionKind, MemberKind, Param},
    },
};

impl Describer<'_, '_> {
    /// The signature of a function. `objects` are the positions of the parameters that calls pass object literals to:
    /// the properties of these parameters become parameters of their own.
    pub(super) fn linked_signature(&mut self, def: GlobalDef, objects: &[u16]) -> LinkedSignature {
        let Some(function) = self.linker.program.function(def) else { return LinkedSignature::default() };
        let file = self.linker.program.file_of(def);
        let facts = self.linker.program.facts(file);
        let mut parameters = Vec::with_capacity(function.params.len());
        for (at, param) in function.params.iter().enumerate() {
            if parameters.len() >= MAX_PARAMETERS {
                self.linker.note_limit(def, LinkLimit::Parameters(MAX_PARAMETERS));
                break;
            }
            if let Some(elements) = self.parameters_of_rest(file, param) {
                parameters.extend(elements);
                continue;
            }
            let parameter = parameters.len() as u16;
            let linked = self.linked_parameter(def, param);
            parameters.push(linked);
            let is_object = param.name.is_none() && !param.is_array_pattern && !param.is_rest;
            if is_object || objects.contains(&(at as u16)) {
                self.add_property_parameters(def, at as u16, param, parameter, &mut parameters);
            }
        }
        let type_parameters = function.type_params.iter().map(|p| facts.type_params[p.index()].text.as_str());
        let type_parameters = type_parameters.collect::<Vec<_>>().join(", ");
        let returns = function.returns.as_ref().filter(|_| function.kind != FunctionKind::Constructor);
        let returns = returns.map(|returns| self.annotation_text(file, returns)).filter(|text| !text.is_empty());
        LinkedSignature {
            parameters,
            returns,
            inferred_returns: None,
            result: None,
            is_async: function.is_async && !function.is_generator,
            is_synthesized: false,
            receiver: None,
            type_parameters: (!type_parameters.is_empty()).then(|| ArcStr::from(type_parameters)),
            is_incomplete: false,
            passed_on: ThinVec::new(),
            deprecated: self.overload_deprecation(def).map(shared_text),
        }
    }

    /// The signature of a called value whose type the platform declares: see [`Self::platform_signature`].
    pub(super) fn signature_of_type(&mut self, ty: InternedType, calls: &ValueCalls) -> Option<LinkedSignature> {
        let signature = self.linker.signatures(ty, calls.is_new).first().copied()?;
        self.platform_signature(signature, &calls.objects)
    }

    /// A signature that the platform or a generic type of a package declares, with the properties of the parameters at
    /// the positions `objects`: `(props: Props)` for `FC<Props>`. `None` if the sources declare the signature, or if
    /// the properties are not known.
    pub(super) fn platform_signature(
        &mut self,
        signature: CallableSignature,
        objects: &[u16],
    ) -> Option<LinkedSignature> {
        let def = Some(signature.def)
            .filter(|def| self.linker.program.is_platform(*def) || self.is_of_generic_type_of_package(*def))?;
        let mut parameters = Vec::new();
        for (at, param) in self.linker.program.function(def)?.params.iter().enumerate() {
            let parameter = parameters.len() as u16;
            let linked = self.linked_parameter(def, param);
            parameters.push(LinkedParameter { annotation: None, meaning: None, ..linked });
            if objects.contains(&(at as u16)) && !param.is_rest {
                let ty = self.linker.signature_parameter_type(signature, at)?;
                self.add_properties_of_type(ty, def, param, parameter, &mut parameters);
                if parameters.len() == usize::from(parameter) + 1 {
                    return None;
                }
                self.add_type_names_of_properties(ty, 0);
            }
        }
        Some(LinkedSignature { parameters, ..LinkedSignature::default() })
    }

    /// True for a signature in a generic type of an installed package, such as `(props: P): Node` in `Component<P>`:
    /// the texts in it name type parameters.
    pub(super) fn is_of_generic_type_of_package(&self, signature: GlobalDef) -> bool {
        let program = &self.linker.program;
        let is_installed = self.linker.resolver.is_installed(program.file_of(signature).index());
        is_installed && !program.type_params_in_scope(signature).is_empty()
    }

    fn linked_parameter(&mut self, def: GlobalDef, param: &Param) -> LinkedParameter {
        let file = self.linker.program.file_of(def);
        let annotation = param.annotation.as_ref().map(|annotation| self.annotation_text(file, annotation));
        let meaning = param.annotation.as_ref().and_then(|annotation| self.meaning(file, annotation));
        let facts = self.linker.program.facts(file);
        let text = |source: &Option<(_, ArcStr)>| {
            source.as_ref().map(|(_, text)| text.clone()).filter(|text| !text.is_empty())
        };
        LinkedParameter {
            name: match param.name {
                Some(name) => CompactString::new(facts.name(name)),
                None => CompactString::const_new(if param.is_array_pattern { "[]" } else { "{}" }),
            },
            kind: if param.is_rest { ParameterKind::VarPositional } else { ParameterKind::PositionalOnly },
            meaning: meaning.filter(|meaning| Some(meaning) != annotation.as_ref()),
            annotation: annotation.filter(|text| !text.is_empty()),
            default: text(&param.default.as_ref().map(|(expr, text)| (*expr, text.clone()))),
            required: !param.is_optional && param.default.is_none() && !param.is_rest,
            within: None,
            summary: None,
        }
    }

    /// Adds the properties of the parameter `param`, at position `at` of the function, to `parameters`. `parameter` is
    /// the position of `param` in `parameters`.
    fn add_property_parameters(
        &mut self,
        def: GlobalDef,
        at: u16,
        param: &Param,
        parameter: u16,
        parameters: &mut Vec<LinkedParameter>,
    ) {
        let ty = self.linker.parameter_type(def, at);
        self.add_properties_of_type(ty, def, param, parameter, parameters);
    }

    /// Adds the properties of the type `ty` of the parameter `param`: see [`Self::add_property_parameters`].
    fn add_properties_of_type(
        &mut self,
        ty: InternedType,
        def: GlobalDef,
        param: &Param,
        parameter: u16,
        parameters: &mut Vec<LinkedParameter>,
    ) {
        let facts = self.linker.program.facts(self.linker.program.file_of(def));
        let mut properties = Vec::new();
        Callees::of(self.linker).collect_properties(ty, &mut properties, 0);
        // What is known of the type may be a part of it, as in `Own & External`: the destructuring pattern names more.
        // Nothing says whether such a property is required beside the known ones.
        let is_known = !properties.is_empty();
        for (name, default) in &param.properties {
            let name = self.linker.program.name(self.linker.program.file_of(def), *name);
            if properties.iter().all(|known| known.name != name) {
                properties.push(ObjectProperty { name, is_optional: is_known || default.is_some(), member: None });
            }
        }
        if properties.len() > MAX_PROPERTIES {
            self.linker.note_limit(def, LinkLimit::Properties(MAX_PROPERTIES));
        }
        let mut seen: Vec<InternedName> = Vec::new();
        for property in properties.into_iter().take(MAX_PROPERTIES) {
            if seen.contains(&property.name) {
                continue;
            }
            seen.push(property.name);
            let text = CompactString::new(self.linker.program.names.text(property.name));
            let default = param
                .properties
                .iter()
                .find(|(name, _)| facts.name(*name) == text)
                .and_then(|(_, default)| default.clone());
            let annotation = self
                .property_annotation(property.member)
                .or_else(|| self.property_of_schema(def, param, property.name).map(shared_text));
            parameters.push(LinkedParameter {
                name: text,
                kind: ParameterKind::Property,
                meaning: self
                    .meaning_of_property(property.member)
                    .or_else(|| self.meaning_in_union(ty, property.name, annotation.as_deref()?)),
                annotation,
                required: !property.is_optional && default.is_none(),
                default,
                within: Some(parameter),
                summary: self.property_summary(property.member),
            });
        }
    }

    /// The text of the type that the member declares.
    pub(super) fn property_annotation(&mut self, member: Option<(GlobalDef, u32)>) -> Option<ArcStr> {
        let (def, at) = member?;
        let file = self.linker.program.file_of(def);
        let text = match &self.linker.program.members(def).get(at as usize)?.kind {
            MemberKind::Property { annotation, .. } => self.annotation_text(file, annotation.as_ref()?),
            MemberKind::Function(function) => match self.linker.program.facts(file).def(*function).function()? {
                method if method.kind == FunctionKind::Method => shared_text(self.method_type_text(def, method)),
                getter => getter.returns.as_ref()?.1.clone(),
            },
            MemberKind::Index { .. } | MemberKind::Spread(_) => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// What the declared type of the member means.
    pub(super) fn meaning_of_property(&mut self, member: Option<(GlobalDef, u32)>) -> Option<ArcStr> {
        let (def, at) = member?;
        let file = self.linker.program.file_of(def);
        match &self.linker.program.members(def).get(at as usize)?.kind {
            MemberKind::Property { annotation, .. } => self.meaning(file, annotation.as_ref()?),
            _ => None,
        }
    }

    /// The first sentence of the member's documentation comment.
    pub(super) fn property_summary(&self, member: Option<(GlobalDef, u32)>) -> Option<ArcStr> {
        let (def, at) = member?;
        let member = self.linker.program.members(def).get(at as usize)?;
        let MemberKind::Function(function) = member.kind else { return member.summary.clone() };
        let function = self.linker.program.facts(self.linker.program.file_of(def)).def(function);
        member.summary.clone().or_else(|| function.summary.clone())
    }

    /// The text of a method as a function type.
    pub(super) fn method_type_text(&self, def: GlobalDef, function: &Function) -> CompactString {
        let facts = self.linker.program.facts(self.linker.program.file_of(def));
        let params = function.params.iter().map(|p| {
            let name = p.name.map_or("_", |name| facts.name(name));
            let (rest, optional) = (if p.is_rest { "..." } else { "" }, if p.is_optional { "?" } else { "" });
            let ty = p.annotation.as_ref().map_or("any", |(_, text)| text.as_str());
            format!("{rest}{name}{optional}: {ty}")
        });
        let params = params.collect::<Vec<_>>().join(", ");
        let returns = function.returns.as_ref().map_or("any", |(_, text)| text.as_str());
        format_compact!("({params}) => {returns}")
    }
}
