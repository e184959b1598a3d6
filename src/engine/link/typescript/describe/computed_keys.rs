//! The keys of the objects that a computed type allows: `Tuning[Kind]`, `Omit<Options, "size">`, `OptionsOf<T>`. If a
//! string selects the keys, those of each string.

use arcstr::ArcStr;

use super::{Describer, node_texts::string_literal};
use crate::linked::shared_text;
use crate::typescript::{
    callees::{Callees, ObjectProperty},
    program::{FileIndex, GlobalTypeParam, InternedName},
    types::{InternedType, InternedTypes, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::CHOSEN_KEYS_END,
    syntax::typescript::facts::{TypeId, TypeNode},
};

/// The greatest length of the keys of an object, in bytes.
const MAX_LENGTH: usize = 800;
/// The greatest length of the keys for all strings that select them, in bytes.
const MAX_CHOSEN_LENGTH: usize = 3_000;
/// The greatest number of strings that select keys, and of types that a key may have.
const MAX_CHOICES: usize = 8;
/// The longest list of strings of a key, in bytes.
const LONGEST_STRINGS: usize = 60;
/// The longest name of a type behind a key, in bytes.
const LONGEST_NAME: usize = 40;
/// The greatest number of keys of an object in an object.
const MAX_INNER_KEYS: usize = 8;
/// The greatest number of types, such as bases and branches, that are visited for one annotation.
const MAX_VISITED: u32 = 200;
/// The greatest depth of a type in an annotation that a type parameter decides.
const MAX_DEPTH: u32 = 3;

impl Describer<'_, '_> {
    /// The keys of the objects that a computed type allows, as an object type behind its strings:
    /// `"none" | { size?; mode: "wide" | "narrow"; }`. If strings select the keys, the keys of each:
    /// `{ "wide": { size?; }; "plain": { clock?; }; }[choice]`. Of another conditional type all branches count. `None`
    /// for types whose members are definitions.
    pub(super) fn computed_keys(&mut self, file: FileIndex, node: TypeId) -> Option<ArcStr> {
        // What a reference names may be computed.
        let is_computed = match self.linker.program.facts(file).ty(node) {
            TypeNode::Indexed(..) | TypeNode::Conditional { .. } | TypeNode::Mapped { .. } => true,
            TypeNode::Ref { .. } | TypeNode::Union(_) | TypeNode::Intersection(_) => false,
            _ => return None,
        };
        let ty = self.linker.type_from_node(file, node);
        let mut left = MAX_VISITED;
        if !is_computed && self.has_declared_members(ty, &mut left) {
            return None;
        }
        if let Some(parameter) = self.deciding_parameter(file, node, 0)
            && let Some(keys) = self.chosen_keys(ty, parameter)
        {
            return Some(keys);
        }
        let (strings, ty) = self.possible_objects(ty)?;
        Some(shared_text(strings + &self.object_keys(ty)?))
    }

    /// The type parameter in a type on which its keys depend: an argument, or what is tested.
    fn deciding_parameter(&self, file: FileIndex, node: TypeId, depth: u32) -> Option<GlobalTypeParam> {
        let _level = nesting::descend().filter(|_| depth <= MAX_DEPTH)?;
        let facts = self.linker.program.facts(file);
        match *facts.ty(node) {
            TypeNode::Ref { args, .. } => self
                .type_parameter(file, node)
                .map(|parameter| self.linker.program.global_param(file, parameter))
                .or_else(|| {
                    facts.type_list(args).iter().find_map(|arg| self.deciding_parameter(file, *arg, depth + 1))
                }),
            TypeNode::Indexed(of, index) => {
                [of, index].into_iter().find_map(|node| self.deciding_parameter(file, node, depth + 1))
            }
            TypeNode::Conditional { check, .. } => self.deciding_parameter(file, check, depth + 1),
            TypeNode::Union(parts) | TypeNode::Intersection(parts) => {
                facts.type_list(parts).iter().find_map(|part| self.deciding_parameter(file, *part, depth + 1))
            }
            _ => None,
        }
    }

    /// The keys that a type has for each of the strings that a type parameter may be. `None` if the keys are the same.
    fn chosen_keys(&mut self, ty: InternedType, parameter: GlobalTypeParam) -> Option<ArcStr> {
        let variable = self.linker.types.intern(TypeKind::TypeParameter(parameter));
        let constraint = self.linker.constraint(variable)?;
        let strings = self.linker.types.constituents(constraint).into_iter();
        let strings: Vec<(InternedType, InternedName)> = strings
            .filter_map(|part| match *self.linker.types.kind(part) {
                TypeKind::StringLiteral(name) => Some((part, name)),
                _ => None,
            })
            .collect();
        if strings.len() < 2 || strings.len() > MAX_CHOICES {
            return None;
        }
        let mut chosen: Vec<(InternedName, String)> = Vec::new();
        for (string, name) in strings {
            let bindings = TypeBindings::from_slice(&[(TypeVariable::Parameter(parameter), string)]);
            let substitution = self.linker.types.intern_substitution(bindings);
            let branch = self.linker.substitute(ty, substitution);
            let keys = self.possible_objects(branch).and_then(|(_, objects)| self.object_keys(objects));
            chosen.extend(keys.map(|keys| (name, keys)));
        }
        let differ = chosen.iter().any(|(_, keys)| *keys != chosen[0].1);
        let mut text = String::from("{ ");
        for (name, keys) in &chosen {
            text.extend([&*string_literal(self.linker.program.names.text(*name))?, ": ", keys, "; "]);
        }
        (differ && text.len() <= MAX_CHOSEN_LENGTH).then(|| shared_text(text + CHOSEN_KEYS_END))
    }

    /// The union of the types that a computed type may be, and its strings, each before `|`.
    fn possible_objects(&mut self, ty: InternedType) -> Option<(String, InternedType)> {
        let (mut possible, mut left) = (InternedTypes::new(), MAX_VISITED);
        self.add_possible_types(ty, &mut possible, &mut left);
        let mut strings = String::new();
        for part in &possible {
            if let TypeKind::StringLiteral(name) = *self.linker.types.kind(*part) {
                strings.extend([&*string_literal(self.linker.program.names.text(name))?, " | "]);
            }
        }
        Some((strings, self.linker.types.union(possible)))
    }

    /// The keys of an object type: `{ size?; mode: "wide" | "narrow"; }`. `None` without a key.
    fn object_keys(&mut self, ty: InternedType) -> Option<String> {
        let mut properties = Vec::new();
        Callees::of(self.linker).collect_properties(ty, &mut properties, 0);
        let mut seen: Vec<InternedName> = Vec::new();
        let mut text = String::from("{ ");
        for property in properties {
            let key = self.key(ty, &property);
            if text.len() + key.len() > MAX_LENGTH {
                break;
            }
            if !seen.contains(&property.name) {
                seen.push(property.name);
                text.extend([&key, "; "]);
            }
        }
        (!seen.is_empty()).then(|| text + "}")
    }

    /// Adds the types that a computed type may be, whatever its type parameters are: of a conditional type those of all
    /// branches. `left` is the number of types that may still be visited.
    fn add_possible_types(&mut self, ty: InternedType, possible: &mut InternedTypes, left: &mut u32) {
        let Some(_level) = nesting::descend() else { return };
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        match self.linker.types.kind(ty).clone() {
            TypeKind::Conditional(file, id, substitution) => {
                let TypeNode::Conditional { positive, negative, .. } = *self.linker.program.facts(file).ty(id) else {
                    return;
                };
                for branch in [positive, negative] {
                    let branch = self.linker.type_from_node(file, branch);
                    let branch = self.linker.substitute(branch, substitution);
                    self.add_possible_types(branch, possible, left);
                }
            }
            TypeKind::IndexedAccess(of, index) => {
                let mut objects = InternedTypes::new();
                self.add_possible_types(of, &mut objects, left);
                for object in objects {
                    let found = self.linker.indexed_access(object, index);
                    if found != ty {
                        self.add_possible_types(found, possible, left);
                    }
                }
            }
            TypeKind::TypeParameter(_) => {
                if let Some(constraint) = self.linker.constraint(ty) {
                    self.add_possible_types(constraint, possible, left);
                }
            }
            TypeKind::Union(parts) => {
                for part in parts {
                    self.add_possible_types(part, possible, left);
                }
            }
            _ if ty.is_known() => possible.push(ty),
            _ => {}
        }
    }

    /// True for a type whose members the index lists: a class, an interface without a computed base, an object type.
    /// Also true for types without members, and if more than `left` types have to be visited.
    fn has_declared_members(&mut self, ty: InternedType, left: &mut u32) -> bool {
        let Some(_level) = nesting::descend() else { return true };
        let Some(rest) = left.checked_sub(1) else { return true };
        *left = rest;
        match self.linker.types.kind(ty).clone() {
            TypeKind::Reference(symbol, _) => {
                for def in self.linker.program.definitions(symbol) {
                    if self.linker.program.is_platform(def) || self.linker.program.def(def).class().is_some() {
                        return true;
                    }
                    for base in self.linker.base_types(def) {
                        if !self.has_declared_members(base, left) {
                            return false;
                        }
                    }
                }
                true
            }
            TypeKind::Union(parts) => parts.iter().all(|part| self.has_declared_members(*part, left)),
            TypeKind::Intersection(_)
            | TypeKind::Mapped(..)
            | TypeKind::Conditional(..)
            | TypeKind::IndexedAccess(..) => false,
            _ => true,
        }
    }

    /// `name?`, with the strings that the property may be, or the name of its type and the keys of its object if a
    /// value needs one of them: `mode?: "wide" | "narrow"`, `retry?: { rounds; pause?; }`,
    /// `clock?: Clock & { offset; }`.
    fn key(&mut self, of: InternedType, property: &ObjectProperty) -> String {
        let mark = if property.is_optional { "?" } else { "" };
        let declared = self.property_annotation(property.member);
        let in_union = declared.as_ref().and_then(|text| self.meaning_in_union(of, property.name, text));
        // One type of the union has the quotes that the sources have.
        let has_more =
            |text: &ArcStr| declared.as_ref().is_none_or(|own| own.matches('|').count() < text.matches('|').count());
        let strings = in_union.filter(has_more).or(declared.clone()).filter(|text| {
            text.len() <= LONGEST_STRINGS && text.split('|').all(|part| part.trim().starts_with(['"', '\'']))
        });
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let name_of_type = declared.as_ref().filter(|text| {
            text.starts_with(char::is_uppercase) && text.len() <= LONGEST_NAME && text.chars().all(is_name)
        });
        let value = match (strings, name_of_type) {
            (Some(strings), _) => Some(strings.to_string()),
            (None, None) => self.needed_keys(of, property.name),
            (None, Some(name)) => {
                let keys = self.needed_keys(of, property.name).map(|keys| format!(" & {keys}"));
                Some(format!("{name}{}", keys.unwrap_or_default()))
            }
        };
        let value = value.map(|value| format!(": {value}")).unwrap_or_default();
        format!("{}{mark}{value}", self.linker.program.names.text(property.name))
    }

    /// The keys of the object that a property takes, if its values need one of them: `{ rounds; pause?; }`.
    fn needed_keys(&mut self, of: InternedType, name: InternedName) -> Option<String> {
        let ty = self.linker.property_type(of, name)?;
        let objects: InternedTypes = self.linker.types.constituents(ty).into_iter().take(MAX_CHOICES).collect();
        let mut keys = Vec::new();
        for object in objects {
            if !matches!(self.linker.types.kind(object), TypeKind::Reference(..) | TypeKind::Anonymous(..)) {
                continue;
            }
            let mut properties = Vec::new();
            Callees::of(self.linker).collect_properties(object, &mut properties, 0);
            if properties.len() <= MAX_INNER_KEYS && properties.iter().any(|property| !property.is_optional) {
                keys = properties;
                break;
            }
        }
        let names = keys.iter().map(|key| {
            let mark = if key.is_optional { "?" } else { "" };
            format!("{}{mark}; ", self.linker.program.names.text(key.name))
        });
        (!keys.is_empty()).then(|| format!("{{ {}}}", names.collect::<String>()))
    }
}
