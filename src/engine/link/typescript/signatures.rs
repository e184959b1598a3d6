//! Signatures for the index: parameters as written, and the properties of options objects.

use compact_str::{CompactString, format_compact};

use super::{
    infer::Linker,
    name_interner::InternedName,
    program::{FileIndex, GlobalDef},
    types::{InternedType, TypeKind},
};
use crate::{
    limits::LinkLimit,
    linked::{LinkedParameter, LinkedSignature},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::ParameterKind,
    syntax::{
        MAX_PARAMETERS,
        typescript::facts::{Function, FunctionKind, MemberKind, OptionalityModifier, Param, TypeId, TypeNode},
    },
};

/// The greatest number of properties that are listed for one parameter.
pub(super) const MAX_PROPERTIES: usize = 200;

/// A property of the type of a parameter.
pub(super) struct ObjectProperty {
    pub(super) name: InternedName,
    pub(super) is_optional: bool,
    pub(super) annotation: Option<CompactString>,
    /// The member that declares the property, as its declaration and position; `None` if there is none.
    pub(super) member: Option<(GlobalDef, u32)>,
}

impl Linker<'_> {
    /// The signature of a function. `objects` are the positions of the parameters that calls pass object literals to:
    /// the properties of these parameters become parameters of their own.
    pub(super) fn linked_signature(&mut self, def: GlobalDef, objects: &[u16]) -> LinkedSignature {
        let Some(function) = self.program.function(def) else { return LinkedSignature::default() };
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let mut parameters = Vec::with_capacity(function.params.len());
        for (at, param) in function.params.iter().enumerate() {
            if parameters.len() >= MAX_PARAMETERS {
                self.note_limit(def, LinkLimit::Parameters(MAX_PARAMETERS));
                break;
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
            is_async: function.is_async,
            is_synthesized: false,
            receiver: None,
            type_parameters: (!type_parameters.is_empty()).then(|| CompactString::from(type_parameters)),
            is_incomplete: false,
            deprecated: self.overload_deprecation(def),
        }
    }

    fn linked_parameter(&mut self, def: GlobalDef, param: &Param) -> LinkedParameter {
        let file = self.program.file_of(def);
        let annotation = param.annotation.as_ref().map(|annotation| self.annotation_text(file, annotation));
        let facts = self.program.facts(file);
        let text = |source: &Option<(_, CompactString)>| {
            source.as_ref().map(|(_, text)| text.clone()).filter(|text| !text.is_empty())
        };
        LinkedParameter {
            name: match param.name {
                Some(name) => CompactString::new(facts.name(name)),
                None => CompactString::const_new(if param.is_array_pattern { "[]" } else { "{}" }),
            },
            kind: if param.is_rest { ParameterKind::VarPositional } else { ParameterKind::PositionalOnly },
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
        let facts = self.program.facts(self.program.file_of(def));
        let ty = self.parameter_type(def, at);
        let mut properties = Vec::new();
        self.collect_properties(ty, &mut properties, 0);
        if properties.is_empty() {
            // The type is not known, so the properties that the destructuring pattern names are used.
            for (name, default) in &param.properties {
                let name = self.program.name(self.program.file_of(def), *name);
                properties.push(ObjectProperty {
                    name,
                    is_optional: default.is_some(),
                    annotation: None,
                    member: None,
                });
            }
        }
        if properties.len() > MAX_PROPERTIES {
            self.note_limit(def, LinkLimit::Properties(MAX_PROPERTIES));
        }
        let mut seen: Vec<InternedName> = Vec::new();
        for property in properties.into_iter().take(MAX_PROPERTIES) {
            if seen.contains(&property.name) {
                continue;
            }
            seen.push(property.name);
            let text = CompactString::new(self.program.names.text(property.name));
            let default = param
                .properties
                .iter()
                .find(|(name, _)| facts.name(*name) == text)
                .and_then(|(_, default)| default.clone());
            parameters.push(LinkedParameter {
                name: text,
                kind: ParameterKind::Property,
                annotation: property.annotation,
                required: !property.is_optional && default.is_none(),
                default,
                within: Some(parameter),
                summary: self.property_summary(property.member),
            });
        }
    }

    /// Collects the properties that an object literal of a type may have, in order of declaration. Classes and types of
    /// the platform are left out.
    pub(super) fn collect_properties(&mut self, ty: InternedType, all: &mut Vec<ObjectProperty>, depth: u32) {
        let Some(_level) = nesting::descend() else { return };
        if depth > 8 || all.len() > MAX_PROPERTIES {
            return;
        }
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, args) => {
                for def in self.program.definitions(symbol) {
                    if self.program.is_platform(def) || self.program.def(def).class().is_some() {
                        continue;
                    }
                    self.add_own_properties(def, all);
                    let substitution = self.substitution_of(def, &args, None);
                    for base in self.base_types(def) {
                        let base = self.substitute(base, substitution);
                        self.collect_properties(base, all, depth + 1);
                    }
                }
            }
            TypeKind::Anonymous(def, _)
                if !self.program.is_platform(def) && self.program.def(def).class().is_none() =>
            {
                self.add_own_properties(def, all);
            }
            TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.collect_properties(constituent, all, depth + 1);
                }
            }
            // A property is required only if every constituent that has properties requires it.
            TypeKind::Union(constituents) => {
                let mut lists: Vec<Vec<ObjectProperty>> = Vec::new();
                for constituent in constituents {
                    let mut list = Vec::new();
                    self.collect_properties(constituent, &mut list, depth + 1);
                    if !list.is_empty() {
                        lists.push(list);
                    }
                }
                let is_required_everywhere =
                    |name: InternedName| lists.iter().all(|list| list.iter().any(|p| p.name == name && !p.is_optional));
                let required: Vec<InternedName> =
                    lists.iter().flatten().map(|p| p.name).filter(|name| is_required_everywhere(*name)).collect();
                for property in lists.into_iter().flatten() {
                    if !all.iter().any(|p| p.name == property.name) {
                        let is_optional = !required.contains(&property.name);
                        all.push(ObjectProperty { is_optional, ..property });
                    }
                }
            }
            TypeKind::Mapped(file, id, substitution) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, optional, .. } = *facts.ty(id) else { return };
                let Some(names) = self.property_names(ty, depth) else { return };
                let mut known_properties = Vec::new();
                if let Some(constraint) = facts.type_params[key.index()].constraint {
                    let of = match *facts.ty(constraint) {
                        TypeNode::KeyOf(of) => Some(self.type_from_node(file, of)),
                        _ => self.indexed_object_type(file, id),
                    };
                    if let Some(of) = of {
                        let of = self.substitute(of, substitution);
                        self.collect_properties(of, &mut known_properties, depth + 1);
                    }
                }
                for name in names.into_iter().filter(|name| !self.is_unique_symbol(*name)).collect::<Vec<_>>() {
                    let known = known_properties.iter().find(|p| p.name == name);
                    let is_optional = match optional {
                        OptionalityModifier::Added => true,
                        OptionalityModifier::Removed => false,
                        OptionalityModifier::Kept => known.is_some_and(|p| p.is_optional),
                    };
                    all.push(ObjectProperty {
                        name,
                        is_optional,
                        annotation: known.and_then(|p| p.annotation.clone()),
                        member: known.and_then(|p| p.member),
                    });
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => {
                if let Some(constraint) = self.constraint(ty) {
                    self.collect_properties(constraint, all, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// The object type `T` of `{ [P in K]: T[P] }`, as in `Pick`.
    fn indexed_object_type(&mut self, file: FileIndex, id: TypeId) -> Option<InternedType> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { value: Some(value), .. } = *facts.ty(id) else { return None };
        match *facts.ty(value) {
            TypeNode::Indexed(of, _) => Some(self.type_from_node(file, of)),
            _ => None,
        }
    }

    fn add_own_properties(&mut self, def: GlobalDef, all: &mut Vec<ObjectProperty>) {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        for (at, member) in self.program.members(def).iter().enumerate() {
            if all.len() > MAX_PROPERTIES {
                break;
            }
            let Some(name) = member.name else { continue };
            let annotation = match &member.kind {
                MemberKind::Property { annotation, .. } => {
                    annotation.as_ref().map(|annotation| self.annotation_text(file, annotation))
                }
                MemberKind::Function(function) => match facts.def(*function).function() {
                    Some(f) if f.kind == FunctionKind::Method => Some(self.method_type_text(def, f)),
                    Some(f) if f.kind == FunctionKind::Getter => f.returns.as_ref().map(|(_, text)| text.clone()),
                    _ => continue,
                },
                MemberKind::Index { .. } | MemberKind::Spread(_) => continue,
            };
            let name = self.program.name(file, name);
            if !all.iter().any(|p| p.name == name) {
                let annotation = annotation.filter(|text| !text.is_empty());
                all.push(ObjectProperty {
                    name,
                    is_optional: member.is_optional,
                    annotation,
                    member: Some((def, at as u32)),
                });
            }
        }
    }

    /// The first sentence of the member's documentation comment.
    pub(super) fn property_summary(&self, member: Option<(GlobalDef, u32)>) -> Option<CompactString> {
        let (def, at) = member?;
        let member = self.program.members(def).get(at as usize)?;
        let MemberKind::Function(function) = member.kind else { return member.summary.clone() };
        let function = self.program.facts(self.program.file_of(def)).def(function);
        member.summary.clone().or_else(|| function.summary.clone())
    }

    /// The text of a method as a function type.
    pub(super) fn method_type_text(&self, def: GlobalDef, function: &Function) -> CompactString {
        let facts = self.program.facts(self.program.file_of(def));
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
