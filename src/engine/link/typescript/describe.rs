//! The definition of each row: its name, kind, texts and signatures.

use std::sync::Arc;

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    constants::positions_of_objects,
    infer::Linker,
    program::{FileIndex, GlobalDef},
    rows::{DefinitionRows, RowDeclaration},
    type_names::TypeNames,
    types::Substitution,
};
use crate::{limits::LinkLimit, linked::LinkedDefinition};
use apidisc_base::nesting;
use apidisc_facts::{
    documentation::Documentation,
    program::{DefinitionKind, ELIDED_OBJECT, Modifiers, OPEN_OBJECT},
    syntax::typescript::facts::{DefBody, FunctionKind, Member, MemberKind, TypeId, TypeNode, TypeParamId},
};

/// The greatest length in bytes of the named types of an intersection that precede its properties.
const MAX_PARTS_LENGTH: usize = 200;
/// The greatest depth of type arguments in them.
const MAX_PARTS_DEPTH: usize = 4;

impl Linker<'_> {
    /// The definition of the row at position `at`. For each function, `objects` has the positions of the parameters
    /// that receive object literals in calls.
    pub(super) fn describe(
        &mut self,
        at: usize,
        rows: &DefinitionRows,
        modules: &[CompactString],
        objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
    ) -> LinkedDefinition {
        self.budget.begin_query();
        let (file, line, declaration) = rows.all[at];
        let module = &modules[file.index()];
        let none = CompactString::default();
        let mut definition = LinkedDefinition {
            is_public: Some(false),
            ..LinkedDefinition::new(file.index(), none.clone(), none, DefinitionKind::Constant, line)
        };
        let mut names = TypeNames::default();
        match declaration {
            RowDeclaration::Def(def) => self.describe_declaration(def, rows, objects, &mut definition, &mut names),
            RowDeclaration::Member(holder, position) => {
                let member = &self.program.members(holder)[position as usize];
                self.describe_member(holder, member, rows, &mut definition, &mut names);
                self.describe_called_member((holder, position), rows, objects, &mut definition, &mut names);
            }
            RowDeclaration::EnumMember(holder, position) => {
                if let DefBody::Enum(body) = &self.program.def(holder).body {
                    let (name, _, value) = &body.members[position as usize];
                    definition.name = CompactString::new(self.program.facts(file).name(*name));
                    definition.value = value.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty());
                }
                definition.kind = DefinitionKind::Attribute;
                definition.parent = rows.of_def.get(&holder).copied();
                definition.fqn = format_compact!("{module}#{}.{}", self.dotted_name(holder), definition.name);
            }
            RowDeclaration::Variable(file, variable) => {
                let facts = self.program.facts(file);
                let row = &facts.variables[variable.index()];
                definition.name = CompactString::new(facts.name(row.name));
                definition.fqn = format_compact!("{module}#{}", definition.name);
                if row.path.is_empty() {
                    self.describe_constant(file, variable, rows, objects, &mut definition, &mut names);
                }
            }
        }
        if definition.fqn.is_empty() {
            let dotted = match declaration {
                RowDeclaration::Def(def) => self.dotted_name(def),
                RowDeclaration::Member(holder, _) => {
                    format_compact!("{}.{}", self.dotted_name(holder), definition.name)
                }
                _ => definition.name.clone(),
            };
            definition.fqn = format_compact!("{module}#{dotted}");
        }
        if self.budget.is_exhausted() {
            self.limits.note(file.index(), LinkLimit::Steps(self.budget.granted()), line);
        } else if let Some(depth) = self.budget.depth_reached() {
            self.limits.note(file.index(), LinkLimit::Nesting(depth), line);
        }
        definition.type_imports = self.type_imports(&names.without_row, modules);
        definition.type_names = names.all;
        definition.type_names.sort_by(|a, b| a.0.cmp(&b.0));
        definition.type_names.dedup_by(|a, b| a.0 == b.0);
        definition
    }

    /// True if a declaration in `outer` becomes a member of the row of `outer`. A namespace that merges with a class,
    /// function, interface or enum shares the row of that declaration: the row of a class has the functions and
    /// constants of the namespace as members, other such rows have none of its declarations. Declarations that become
    /// no members are top-level definitions of their module.
    fn holds(&self, outer: GlobalDef, kind: DefinitionKind, rows: &DefinitionRows) -> bool {
        use DefinitionKind::{Class, Constant, Function, Namespace};
        if !matches!(self.program.def(outer).body, DefBody::Namespace) {
            return true;
        }
        let Some(&row) = rows.of_def.get(&outer) else { return true };
        let RowDeclaration::Def(merged) = rows.all[row.index()].2 else { return true };
        match self.definition_kind(merged) {
            Namespace => true,
            Class => matches!(kind, Function | Constant),
            _ => false,
        }
    }

    fn describe_declaration(
        &mut self,
        def: GlobalDef,
        rows: &DefinitionRows,
        objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
        definition: &mut LinkedDefinition,
        names: &mut TypeNames,
    ) {
        let file = self.program.file_of(def);
        let row = self.program.def(def);
        definition.name = self.name_text(def);
        definition.end_line = row.end_line;
        definition.kind = self.definition_kind(def);
        let outer = self.program.outer(def).filter(|outer| self.holds(*outer, definition.kind, rows));
        definition.parent = outer.and_then(|outer| self.holder_row(outer, rows));
        definition.decorators = row.decorators.iter().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()).collect();
        let all = self.declarations_of_function(def);
        definition.summary = row.summary.clone().or_else(|| {
            // An overloaded function is documented at its first overload.
            all.iter().find_map(|def| self.program.def(*def).summary.clone())
        });
        definition.documentation = self.documentation_of_function(def).map(Arc::new);
        definition.type_parameters = self.type_parameters(file, row.type_params());
        if let Some(member) = self.member_holding(def) {
            definition.modifiers = modifiers(member);
            if definition.summary.is_none() {
                definition.summary.clone_from(&member.summary);
            }
            if definition.documentation.is_none() && !self.has_current_overload(def) {
                definition.documentation = member.documentation.as_deref().cloned().map(Arc::new);
            }
            if let MemberKind::Property { annotation: Some((ty, text)), value: None, .. } = &member.kind {
                definition.annotation = self.alternatives_to_function(file, *ty, text, member.is_optional);
                self.add_type_names(file, *ty, rows, names, 0);
            }
        }
        if definition.kind == DefinitionKind::Property {
            definition.modifiers.is_readonly = !self.has_setter(def);
        }
        match &row.body {
            DefBody::Function(function) => {
                if definition.kind == DefinitionKind::Property {
                    definition.annotation =
                        function.returns.as_ref().map(|returns| self.annotation_text(file, returns));
                } else {
                    definition.type_parameters = None;
                    // Overloads may have no implementation.
                    let representative = if function.has_body { def } else { self.longest(&all).unwrap_or(def) };
                    let overloads = self.listed_overloads(def);
                    definition.modifiers.is_declared = !function.has_body && !overloads.is_empty();
                    let mut chosen = objects.get(&def).cloned().unwrap_or_default();
                    definition.signature = Some(self.linked_signature(representative, &chosen));
                    for at in positions_of_objects(&overloads, objects) {
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
                    self.add_type_names_of_function(def, rows, names);
                }
                if let Some(signature) = &mut definition.signature {
                    self.add_declared_types(def, rows, objects, signature, names);
                }
                if let Some(signature) = definition.signature.as_mut().filter(|s| s.returns.is_none()) {
                    signature.inferred_returns = self.certain_return(def, rows, names);
                }
            }
            DefBody::Class(class) => {
                definition.modifiers.is_abstract = class.is_abstract;
                definition.bases = class
                    .extends
                    .iter()
                    .map(|(_, _, text)| text.clone())
                    .chain(class.implements.iter().map(|(_, text)| format_compact!("implements {text}")))
                    .collect();
                if let Some((base, args, _)) = &class.extends {
                    self.add_type_name_of_value(file, *base, rows, names);
                    for ty in args {
                        self.add_type_names(file, *ty, rows, names, 0);
                    }
                }
                for (ty, _) in &class.implements {
                    self.add_type_names(file, *ty, rows, names, 0);
                }
                definition.ancestors = self.ancestors(def, rows);
                definition.signature = self.constructor_signature(def, objects);
                for constructor in self.constructors(def, 0) {
                    self.add_type_names_of_function(constructor, rows, names);
                }
                if let Some(constructor) = self.constructor(def) {
                    if let Some(said) = self.documentation_of_function(constructor) {
                        Arc::make_mut(definition.documentation.get_or_insert_default()).add(said);
                    }
                    let chosen = objects.get(&constructor).cloned().unwrap_or_default();
                    let overloads = self.listed_overloads(def);
                    if let Some(signature) = &mut definition.signature {
                        self.add_overload_properties(&overloads, &chosen, signature);
                    }
                    definition.overloads = overloads.iter().map(|d| self.linked_signature(*d, &chosen)).collect();
                    describe_properties(definition);
                }
            }
            DefBody::Interface(interface) => {
                definition.ancestors = self.ancestors(def, rows);
                definition.bases = interface.extends.iter().map(|(_, text)| text.clone()).collect();
                for (ty, _) in &interface.extends {
                    self.add_type_names(file, *ty, rows, names, 0);
                }
                let signatures = self.own_call_signatures(def);
                self.describe_as_function(&signatures, rows, objects, definition, names);
            }
            DefBody::TypeAlias(alias) => {
                definition.annotation = Some(self.annotation_text(file, &(alias.ty, alias.text.clone())))
                    .filter(|text| !text.is_empty())
                    .or_else(|| self.elided_object(file, alias.ty));
                if definition.annotation.is_none()
                    && let Some(signatures) = self.signatures_of_callable_object(file, alias.ty)
                {
                    definition.annotation = Some(CompactString::const_new(ELIDED_OBJECT));
                    self.describe_as_function(&signatures, rows, objects, definition, names);
                }
                self.add_type_names(file, alias.ty, rows, names, 0);
            }
            DefBody::Enum(_) | DefBody::Namespace | DefBody::Object(_) | DefBody::TypeLiteral(_) => {}
        }
        for param in row.type_params() {
            let row = &self.program.facts(file).type_params[param.index()];
            for ty in row.constraint.iter().chain(&row.default) {
                self.add_type_names(file, *ty, rows, names, 0);
            }
        }
    }

    /// The text of a long object type with its properties elided: `{ ... }`, or for example `Readonly<{ ... }>`. The other
    /// parts of an intersection precede the braces, `A & B<T> & { ... }`, if they are named types. [`OPEN_OBJECT`] precedes
    /// the braces if other parts or an index signature declare further properties. `None` for any other type, and for an
    /// object type that can be called.
    fn elided_object(&self, file: FileIndex, ty: TypeId) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.program.facts(file);
        let open = || format_compact!("{OPEN_OBJECT}{ELIDED_OBJECT}");
        match facts.ty(ty) {
            TypeNode::Literal(def) => {
                let members = facts.def(*def).members();
                let is_object =
                    |member: &Member| member.name.is_some() || matches!(member.kind, MemberKind::Index { .. });
                if !members.iter().all(is_object) || members.iter().all(|member| member.name.is_none()) {
                    return None;
                }
                let is_closed = members.iter().all(|member| member.name.is_some());
                Some(if is_closed { CompactString::const_new(ELIDED_OBJECT) } else { open() })
            }
            TypeNode::Intersection(parts) => {
                let is_object = |part: &TypeId| {
                    matches!(facts.ty(*part), TypeNode::Literal(_)) && self.elided_object(file, *part).is_some()
                };
                let (objects, others): (Vec<TypeId>, Vec<TypeId>) =
                    facts.type_list(*parts).iter().partition(|part| is_object(part));
                if objects.is_empty() {
                    return None;
                }
                let is_closed = |part: &TypeId| self.elided_object(file, *part).as_deref() == Some(ELIDED_OBJECT);
                let others: Option<Vec<CompactString>> =
                    others.iter().map(|part| self.reference_text(file, *part, 0)).collect();
                let others = others.map(|others| others.join(" & ")).filter(|_| objects.iter().all(is_closed));
                let others = others.filter(|text| !text.is_empty() && text.len() <= MAX_PARTS_LENGTH);
                Some(others.map_or_else(open, |others| format_compact!("{others} & {ELIDED_OBJECT}")))
            }
            TypeNode::Ref { symbol: None, path, args, .. } => {
                let ([name], [inner]) = (&path[..], facts.type_list(*args)) else { return None };
                let name = facts.name(*name);
                let is_object = matches!(facts.ty(*inner), TypeNode::Literal(_) | TypeNode::Intersection(_));
                let inner = self.elided_object(file, *inner).filter(|_| is_object)?;
                let inner = if inner == ELIDED_OBJECT { inner } else { open() };
                matches!(name, "Partial" | "Readonly" | "Required").then(|| format_compact!("{name}<{inner}>"))
            }
            _ => None,
        }
    }

    /// The other alternatives of a property's type that is a union with a function type: `boolean` of
    /// `boolean | ((status: number) => boolean)`. `None` if there are none but the `undefined` of an optional property.
    fn alternatives_to_function(
        &self,
        file: FileIndex,
        ty: TypeId,
        text: &str,
        is_optional: bool,
    ) -> Option<CompactString> {
        let facts = self.program.facts(file);
        let TypeNode::Union(list) = facts.ty(ty) else { return None };
        let (nodes, texts) = (facts.type_list(*list), alternatives(text));
        let is_implied = |text: &str| is_optional && text == "undefined";
        let others = nodes
            .iter()
            .zip(&texts)
            .filter(|(node, text)| !matches!(facts.ty(**node), TypeNode::Function(_)) && !is_implied(text));
        let others: Vec<&str> = others.map(|(_, text)| *text).collect();
        (nodes.len() == texts.len() && !others.is_empty()).then(|| others.join(" | ").into())
    }

    /// The text of a named type whose type arguments are named types too. `None` for any other type.
    fn reference_text(&self, file: FileIndex, ty: TypeId, depth: usize) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.program.facts(file);
        let TypeNode::Ref { path, args, .. } = facts.ty(ty) else { return None };
        if depth > MAX_PARTS_DEPTH {
            return None;
        }
        let name = path.iter().map(|segment| facts.name(*segment)).collect::<Vec<_>>().join(".");
        let args = facts.type_list(*args).iter().map(|arg| self.reference_text(file, *arg, depth + 1));
        let args = args.collect::<Option<Vec<_>>>()?.join(", ");
        Some(if args.is_empty() { name.into() } else { format_compact!("{name}<{args}>") })
    }

    /// The call signatures that an interface or type literal declares itself.
    fn own_call_signatures(&mut self, def: GlobalDef) -> Vec<GlobalDef> {
        let mut signatures = SmallVec::new();
        self.add_member_signatures(def, Substitution::EMPTY, false, &mut signatures);
        signatures.into_iter().map(|signature| signature.def).collect()
    }

    /// The call signatures of a type literal that declares call signatures and properties, and nothing else.
    fn signatures_of_callable_object(&mut self, file: FileIndex, ty: TypeId) -> Option<Vec<GlobalDef>> {
        let facts = self.program.facts(file);
        let TypeNode::Literal(def) = facts.ty(ty) else { return None };
        let signatures = self.own_call_signatures(self.program.global_def(file, *def));
        let unnamed = facts.def(*def).members().iter().filter(|member| member.name.is_none()).count();
        (unnamed == signatures.len() && unnamed > 0).then_some(signatures)
    }

    fn describe_member(
        &mut self,
        holder: GlobalDef,
        member: &Member,
        rows: &DefinitionRows,
        definition: &mut LinkedDefinition,
        names: &mut TypeNames,
    ) {
        let file = self.program.file_of(holder);
        definition.name =
            member.name.map_or_else(CompactString::default, |n| CompactString::new(self.program.facts(file).name(n)));
        definition.kind = DefinitionKind::Attribute;
        definition.parent = self.holder_row(holder, rows);
        definition.summary.clone_from(&member.summary);
        definition.documentation = member.documentation.as_deref().cloned().map(Arc::new);
        definition.modifiers = modifiers(member);
        let MemberKind::Property { annotation, value, parameter } = &member.kind else { return };
        let annotated = match (annotation, parameter) {
            (Some((ty, text)), _) => Some((*ty, text.clone())),
            (None, Some((function, at))) => {
                let function = self.program.facts(file).def(*function).function();
                function
                    .and_then(|f| f.params.get(*at as usize))
                    .and_then(|p| p.annotation.as_ref())
                    .map(|(ty, text)| (*ty, text.clone()))
            }
            _ => None,
        };
        if let Some((ty, text)) = annotated {
            let text = self.annotation_text(file, &(ty, text));
            definition.annotation = Some(text).filter(|text| !text.is_empty()).or_else(|| self.elided_object(file, ty));
            self.add_type_names(file, ty, rows, names, 0);
        }
        definition.value = value.as_ref().map(|(_, text)| text.clone()).filter(|text| !text.is_empty());
    }

    fn definition_kind(&self, def: GlobalDef) -> DefinitionKind {
        let row = self.program.def(def);
        match &row.body {
            DefBody::Class(_) => DefinitionKind::Class,
            DefBody::Interface(_) => DefinitionKind::Interface,
            DefBody::TypeAlias(_) => DefinitionKind::TypeAlias,
            DefBody::Enum(_) => DefinitionKind::Enum,
            DefBody::Namespace => DefinitionKind::Namespace,
            DefBody::Object(_) | DefBody::TypeLiteral(_) => DefinitionKind::Constant,
            DefBody::Function(function) => match function.kind {
                FunctionKind::Getter | FunctionKind::Setter => DefinitionKind::Property,
                _ => match self.member_holding(def) {
                    Some(member) if member.is_static => DefinitionKind::StaticMethod,
                    Some(_) => DefinitionKind::Method,
                    None if function.kind == FunctionKind::Type => DefinitionKind::Method,
                    None => DefinitionKind::Function,
                },
            },
        }
    }

    /// The member that a definition belongs to: the method itself, or the property whose value or annotation it is.
    pub(super) fn member_holding(&self, def: GlobalDef) -> Option<&Member> {
        let file = self.program.file_of(def);
        let local = self.program.local_def(def);
        let facts = self.program.facts(file);
        let expr = self.program.def(def).expr;
        let outer = self.program.def(def).outer?;
        let name = self.program.def(def).name;
        let members = facts.def(outer).members();
        if let Some(positions) = self.program.member_positions(file, outer) {
            return Some(&members[positions.holding(local, expr, name)?]);
        }
        members.iter().find(|member| match &member.kind {
            MemberKind::Function(function) => *function == local,
            MemberKind::Property { value: Some((value, _)), .. } => expr == Some(self.without_assertions(file, *value)),
            MemberKind::Property { annotation: Some(_), .. } => {
                expr.is_none() && member.name.is_some() && member.name == name
            }
            _ => false,
        })
    }

    fn type_parameters(&self, file: FileIndex, params: &[TypeParamId]) -> Option<CompactString> {
        let facts = self.program.facts(file);
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
    said.for_each(|(name, summary)| documentation.describe(&name, summary));
    definition.documentation = (!documentation.is_empty()).then(|| Arc::new(documentation));
}

/// The alternatives of a union on one line.
fn alternatives(union: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut last) = (Vec::new(), 0, 0_i32, ' ');
    for (at, c) in union.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if last == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            '|' if depth == 0 => {
                found.push(union[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    found.push(union[start..].trim());
    found.retain(|alternative| !alternative.is_empty());
    found
}
