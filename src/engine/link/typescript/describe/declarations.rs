//! The definitions of declarations and of members.

use crate::linked::shared_text;
use arcstr::ArcStr;
use std::sync::Arc;

use compact_str::{CompactString, format_compact};
use smallvec::SmallVec;

use super::{
    Describer,
    constants::positions_of_objects,
    overload_properties::{any_arguments, takes_any_arguments},
};
use crate::linked::LinkedDefinition;
use crate::typescript::{
    callees::Callees,
    program::{FileIndex, GlobalDef},
    rows::RowDeclaration,
    types::Substitution,
};
use apidisc_facts::{
    documentation::Documentation,
    program::{DefinitionKind, ELIDED_OBJECT, Modifiers},
    syntax::typescript::facts::{Access, DefBody, FunctionKind, Member, MemberKind, TypeId, TypeNode, TypeParamId},
};

impl<'f> Describer<'_, 'f> {
    /// True if a declaration in `outer` becomes a member of the row of `outer`. A namespace that merges with a class,
    /// function, interface or enum shares the row of that declaration: the row of a class has the functions and
    /// constants of the namespace as members, other such rows have none of its declarations. Declarations that become
    /// no members are top-level definitions of their module.
    fn holds(&self, outer: GlobalDef, kind: DefinitionKind) -> bool {
        use DefinitionKind::{Class, Constant, Function, Namespace};
        if !matches!(self.linker.program.def(outer).body, DefBody::Namespace) {
            return true;
        }
        let Some(&row) = self.rows.of_def.get(&outer) else { return true };
        let RowDeclaration::Def(merged) = self.rows.all[row.index()].2 else { return true };
        match self.definition_kind(merged) {
            Namespace => true,
            Class => matches!(kind, Function | Constant),
            _ => false,
        }
    }

    pub(super) fn describe_declaration(&mut self, def: GlobalDef, definition: &mut LinkedDefinition) {
        let file = self.linker.program.file_of(def);
        let row = self.linker.program.def(def);
        definition.name = self.linker.program.name_text(def);
        if definition.name.is_empty() {
            // A mixin without a name is told from the function that makes it.
            definition.name = CompactString::const_new("class");
            let module = &self.modules[file.index()];
            definition.fqn = format_compact!("{module}#{}.class", self.linker.program.dotted_name(def));
        }
        definition.end_line = row.end_line;
        definition.kind = self.definition_kind(def);
        let outer = self.linker.program.outer(def).filter(|outer| self.holds(*outer, definition.kind));
        definition.parent = outer.and_then(|outer| self.rows.holder(&self.linker.program, outer));
        definition.decorators = row.decorators.iter().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()).collect();
        let all = self.linker.program.declarations_of_function(def);
        definition.summary = row.summary.clone().or_else(|| {
            // An overloaded function is documented at its first overload.
            all.iter().find_map(|def| self.linker.program.def(*def).summary.clone())
        });
        definition.documentation = self.documentation_of_function(def).map(Arc::new);
        definition.type_parameters = self.type_parameters(file, row.type_params()).map(shared_text);
        if let Some(member) = self.member_of_type(def) {
            definition.modifiers = modifiers(member);
            if definition.summary.is_none() {
                definition.summary.clone_from(&member.summary);
            }
            if definition.documentation.is_none() && !self.has_current_overload(def) {
                definition.documentation = member.documentation.as_deref().cloned().map(Arc::new);
            }
            if let MemberKind::Property { annotation: Some((ty, text)), value: None, .. } = &member.kind {
                definition.annotation =
                    self.alternatives_to_function(file, *ty, text, member.is_optional).map(shared_text);
                self.add_type_names(file, *ty, 0);
            }
        }
        if definition.kind == DefinitionKind::Property {
            definition.modifiers.is_readonly = !self.linker.program.has_setter(def);
        }
        match &row.body {
            DefBody::Function(function) => {
                if definition.kind == DefinitionKind::Property {
                    definition.annotation = match &function.returns {
                        Some(returns) => Some(self.annotation_text(file, returns)),
                        None => self.certain_type_of_getter(def).map(shared_text),
                    };
                } else {
                    definition.type_parameters = None;
                    let overloads = Callees::of(self.linker).listed_overloads(def);
                    // Only overloads say what callers pass if there is no implementation, or one of any arguments.
                    let is_declared = !function.has_body || takes_any_arguments(function);
                    let declarations = if function.has_body { &overloads } else { &all };
                    let representative = self.longest(declarations).filter(|_| is_declared).unwrap_or(def);
                    definition.modifiers.is_declared = is_declared && !overloads.is_empty();
                    definition.value = if definition.modifiers.is_declared {
                        any_arguments(self.linker.program.facts(file), function)
                    } else {
                        self.tuple_of_arguments(file, function)
                    };
                    let mut chosen = self.objects.get(&def).cloned().unwrap_or_default();
                    definition.signature = Some(Box::new(self.linked_signature(representative, &chosen)));
                    for at in positions_of_objects(&overloads, self.objects) {
                        if !chosen.contains(&at) {
                            chosen.push(at);
                        }
                    }
                    if let Some(signature) = &mut definition.signature {
                        self.add_overload_properties(&overloads, &chosen, signature);
                    }
                    definition.overloads = overloads.iter().map(|d| self.linked_signature(*d, &chosen)).collect();
                    describe_properties(definition);
                }
                for def in all {
                    self.add_type_names_of_function(def);
                }
                if let Some(signature) = &mut definition.signature {
                    self.add_declared_types(def, signature);
                    self.add_types_of_defaults(def, signature);
                }
                if self.linker.program.is_class(def) {
                    self.describe_as_class(def, definition);
                } else if let Some(signature) = &mut definition.signature {
                    if signature.returns.is_none() {
                        signature.inferred_returns = self.certain_return(def).map(shared_text);
                    }
                    if definition.overloads.is_empty() {
                        self.add_result(def, signature);
                    }
                }
            }
            DefBody::Class(class) => {
                definition.modifiers.is_abstract = class.is_abstract;
                definition.bases = class
                    .extends
                    .iter()
                    .map(|(_, _, text)| text.clone())
                    .chain(class.implements.iter().map(|(_, text)| shared_text(format!("implements {text}"))))
                    .collect();
                if let Some((base, args, _)) = &class.extends {
                    self.add_type_name_of_value(file, *base);
                    for ty in args {
                        self.add_type_names(file, *ty, 0);
                    }
                }
                for (ty, _) in &class.implements {
                    self.add_type_names(file, *ty, 0);
                }
                definition.ancestors = self.ancestors(def).into();
                definition.signature = self.constructor_signature(def).map(Box::new);
                for constructor in self.linker.constructors(def, 0) {
                    self.add_type_names_of_function(constructor);
                }
                if let Some(constructor) = self.linker.constructor(def) {
                    if let Some(said) = self.documentation_of_function(constructor) {
                        Arc::make_mut(definition.documentation.get_or_insert_default()).add(said);
                    }
                    let chosen = self.objects.get(&constructor).cloned().unwrap_or_default();
                    let overloads = Callees::of(self.linker).listed_overloads(def);
                    if !overloads.is_empty()
                        && let Some(implementation) = self.linker.program.function(constructor)
                    {
                        let facts = self.linker.program.facts(self.linker.program.file_of(constructor));
                        definition.value = any_arguments(facts, implementation);
                    }
                    if let Some(signature) = &mut definition.signature {
                        self.add_overload_properties(&overloads, &chosen, signature);
                        self.add_types_of_defaults(constructor, signature);
                    }
                    definition.overloads = overloads.iter().map(|d| self.linked_signature(*d, &chosen)).collect();
                    describe_properties(definition);
                }
            }
            DefBody::Interface(interface) => {
                definition.ancestors = self.ancestors(def).into();
                definition.bases = interface.extends.iter().map(|(_, text)| text.clone()).collect();
                for (ty, _) in &interface.extends {
                    self.add_type_names(file, *ty, 0);
                }
                let signatures = self.own_call_signatures(def);
                self.describe_as_function(&signatures, definition);
            }
            DefBody::TypeAlias(alias) => {
                definition.annotation = Some(self.alias_text(file, &(alias.ty, alias.text.clone())))
                    .filter(|text| !text.is_empty())
                    .or_else(|| self.elided_object(file, alias.ty).map(shared_text));
                if definition.annotation.is_none()
                    && let Some(signatures) = self.signatures_of_callable_object(file, alias.ty)
                {
                    definition.annotation = Some(ArcStr::from(ELIDED_OBJECT));
                    self.describe_as_function(&signatures, definition);
                }
                self.add_type_names(file, alias.ty, 0);
            }
            DefBody::Object(_) => self.describe_object(def, definition),
            DefBody::Enum(_) | DefBody::Namespace | DefBody::TypeLiteral(_) => {}
        }
        for param in row.type_params() {
            let row = &self.linker.program.facts(file).type_params[param.index()];
            for ty in row.constraint.iter().chain(&row.default) {
                self.add_type_names(file, *ty, 0);
            }
        }
    }

    /// Completes the description of a function that is a class: `new` makes an instance whatever the function returns,
    /// and the class has a base class.
    fn describe_as_class(&mut self, def: GlobalDef, definition: &mut LinkedDefinition) {
        if let Some(signature) = &mut definition.signature {
            signature.returns = None;
        }
        definition.ancestors = self.ancestors(def).into();
        if let Some((base, _, text)) = self.linker.program.def(def).class().and_then(|class| class.extends.as_ref()) {
            definition.bases = Some(text.clone()).into_iter().filter(|text| !text.is_empty()).collect();
            self.add_type_name_of_value(self.linker.program.file_of(def), *base);
        }
    }

    /// The member of a class, interface or object that a definition belongs to. A function is no member of a function
    /// that is no class.
    pub(super) fn member_of_type(&self, def: GlobalDef) -> Option<&'f Member> {
        let program = &self.linker.program;
        let outer = program.outer(def).filter(|outer| program.function(*outer).is_none() || program.is_class(*outer));
        outer.and_then(|_| program.member_holding(def))
    }

    pub(super) fn describe_member(&mut self, holder: GlobalDef, member: &Member, definition: &mut LinkedDefinition) {
        let file = self.linker.program.file_of(holder);
        definition.name = member
            .name
            .map_or_else(CompactString::default, |n| CompactString::new(self.linker.program.facts(file).name(n)));
        definition.kind = DefinitionKind::Attribute;
        definition.decorators = member.name.map_or_else(Default::default, |name| {
            let class = self.linker.program.local_def(holder);
            self.linker.program.facts(file).decorators_of_field(class, name).cloned().collect()
        });
        definition.parent = self.rows.holder(&self.linker.program, holder);
        definition.summary.clone_from(&member.summary);
        definition.documentation = member.documentation.as_deref().cloned().map(Arc::new);
        definition.modifiers = modifiers(member);
        let MemberKind::Property { annotation, value, parameter } = &member.kind else { return };
        let annotated = match (annotation, parameter) {
            (Some((ty, text)), _) => Some((*ty, text.clone())),
            (None, Some((function, at))) => {
                let function = self.linker.program.facts(file).def(*function).function();
                function
                    .and_then(|f| f.params.get(*at as usize))
                    .and_then(|p| p.annotation.as_ref())
                    .map(|(ty, text)| (*ty, text.clone()))
            }
            _ => None,
        };
        if let Some((ty, text)) = annotated {
            let text = self.annotation_text(file, &(ty, text));
            definition.annotation =
                Some(text).filter(|text| !text.is_empty()).or_else(|| self.elided_object(file, ty).map(shared_text));
            self.add_type_names(file, ty, 0);
        } else {
            definition.annotation = self.field_text(holder, member).map(shared_text);
        }
        definition.value = value.as_ref().map(|(_, text)| text.clone()).filter(|text| !text.is_empty());
    }

    /// The call signatures that an interface or type literal declares itself.
    fn own_call_signatures(&mut self, def: GlobalDef) -> Vec<GlobalDef> {
        let mut signatures = SmallVec::new();
        self.linker.add_member_signatures(def, Substitution::EMPTY, false, &mut signatures);
        signatures.into_iter().map(|signature| signature.def).collect()
    }

    /// The call signatures of a type literal that declares call signatures and properties, and nothing else.
    fn signatures_of_callable_object(&mut self, file: FileIndex, ty: TypeId) -> Option<Vec<GlobalDef>> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Literal(def) = facts.ty(ty) else { return None };
        let signatures = self.own_call_signatures(self.linker.program.global_def(file, *def));
        let unnamed = facts.def(*def).members().iter().filter(|member| member.name.is_none()).count();
        (unnamed == signatures.len() && unnamed > 0).then_some(signatures)
    }

    fn definition_kind(&self, def: GlobalDef) -> DefinitionKind {
        let row = self.linker.program.def(def);
        match &row.body {
            DefBody::Class(_) => DefinitionKind::Class,
            DefBody::Interface(_) => DefinitionKind::Interface,
            DefBody::TypeAlias(_) => DefinitionKind::TypeAlias,
            DefBody::Enum(_) => DefinitionKind::Enum,
            DefBody::Namespace => DefinitionKind::Namespace,
            DefBody::Object(_) | DefBody::TypeLiteral(_) => DefinitionKind::Constant,
            DefBody::Function(_) if self.linker.program.is_class(def) => DefinitionKind::Class,
            DefBody::Function(function) => match function.kind {
                FunctionKind::Getter | FunctionKind::Setter => DefinitionKind::Property,
                _ => match self.member_of_type(def) {
                    Some(member) if member.is_static => DefinitionKind::StaticMethod,
                    Some(_) => DefinitionKind::Method,
                    None if function.kind == FunctionKind::Type => DefinitionKind::Method,
                    None => DefinitionKind::Function,
                },
            },
        }
    }

    fn type_parameters(&self, file: FileIndex, params: &[TypeParamId]) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let texts: Vec<&str> = params.iter().map(|p| facts.type_params[p.index()].text.as_str()).collect();
        (!texts.is_empty()).then(|| CompactString::from(texts.join(", ")))
    }
}

fn modifiers(member: &Member) -> Modifiers {
    Modifiers {
        is_optional: member.is_optional,
        is_readonly: member.is_readonly,
        is_static: member.is_static,
        is_abstract: member.is_abstract,
        is_protected: member.access == Access::Protected,
        ..Modifiers::default()
    }
}

/// Adds the documentation of the properties of object parameters, from their types, where the definition has none.
fn describe_properties(definition: &mut LinkedDefinition) {
    let Some(signature) = &definition.signature else { return };
    let said = signature.parameters.iter().filter_map(|property| {
        let summary = property.summary.clone()?;
        let object = &signature.parameters.get(usize::from(property.within?))?.name;
        Some(match object.as_str() {
            "{}" => (property.name.clone(), summary),
            _ => (format_compact!("{object}.{}", property.name), summary),
        })
    });
    let mut documentation = definition.documentation.take().map_or_else(Documentation::default, Arc::unwrap_or_clone);
    said.for_each(|(name, summary)| documentation.describe(&name, CompactString::new(summary)));
    definition.documentation = (!documentation.is_empty()).then(|| Arc::new(documentation));
}
