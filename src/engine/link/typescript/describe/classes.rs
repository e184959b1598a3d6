//! The ancestors of classes and interfaces, and the signatures of constructors.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{Describer, overload_properties::takes_any_arguments};
use crate::typescript::{
    callees::Callees,
    infer::{CallableSignature, ResolvedName},
    program::{FileIndex, GlobalDef},
    types::{InternedTypes, Substitution, TypeKind},
};
use crate::{
    limits::LinkLimit,
    linked::{DefinitionRow, LinkedSignature},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, TypeId, TypeNode, VariableId};

/// The greatest number of ancestors that are listed. The lists of a long chain of classes would otherwise take memory
/// that grows with the square of its length.
const MAX_ANCESTORS: usize = 100;

impl Describer<'_, '_> {
    /// The classes, interfaces and type aliases that a class or interface inherits from, in breadth-first order; at
    /// most [`MAX_ANCESTORS`].
    pub(super) fn ancestors(&mut self, class: GlobalDef) -> Vec<DefinitionRow> {
        let mut all = Vec::new();
        let mut seen = FxHashSet::default();
        let mut listed = FxHashSet::default();
        let mut queue = std::collections::VecDeque::from([(class, Substitution::EMPTY)]);
        while let Some((at, substitution)) = queue.pop_front() {
            let aliases = self.alias_bases(at).into_iter().map(|def| (def, Substitution::EMPTY));
            let mut defs: Vec<(GlobalDef, Substitution)> = aliases.collect();
            for base in self.linker.instantiated_base_types(at, substitution) {
                let parts = match self.linker.types.kind(base) {
                    TypeKind::Intersection(parts) => parts.clone(),
                    _ => InternedTypes::from_slice(&[base]),
                };
                for part in parts {
                    match *self.linker.types.kind(part) {
                        TypeKind::Reference(symbol, _) => {
                            let definitions = self.linker.program.definitions(symbol).into_iter();
                            defs.extend(definitions.map(|def| (def, Substitution::EMPTY)));
                        }
                        // A class in a generic function, or a function that is a class.
                        TypeKind::Anonymous(def, substitution) => defs.push((def, substitution)),
                        _ => {}
                    }
                }
            }
            for (def, substitution) in defs {
                if self.linker.program.is_platform(def) || !seen.insert(def) {
                    continue;
                }
                if let Some(&row) = self.rows.of_def.get(&def)
                    && listed.insert(row)
                {
                    if all.len() == MAX_ANCESTORS {
                        self.linker.note_limit(class, LinkLimit::Ancestors(MAX_ANCESTORS));
                        return all;
                    }
                    all.push(row);
                }
                queue.push_back((def, substitution));
            }
        }
        all
    }

    /// The class or interface whose instance an exported constant holds, and what it inherits from. Empty if the
    /// constant holds anything else.
    pub(super) fn ancestors_of_instance(&mut self, file: FileIndex, constant: VariableId) -> Vec<DefinitionRow> {
        let ty = self.linker.variable_type(file, constant);
        let TypeKind::Reference(symbol, _) = *self.linker.types.kind(ty) else { return Vec::new() };
        let class = self.linker.program.definitions(symbol).into_iter().find(|def| {
            let body = &self.linker.program.def(*def).body;
            matches!(body, DefBody::Class(_) | DefBody::Interface(_)) && !self.linker.program.is_platform(*def)
        });
        let Some(class) = class else { return Vec::new() };
        let Some(&row) = self.rows.of_def.get(&class) else { return Vec::new() };
        let mut all = vec![row];
        all.extend(self.ancestors(class).into_iter().filter(|ancestor| *ancestor != row));
        all
    }

    /// The type aliases that an interface extends, and the types that a type alias is an intersection of.
    fn alias_bases(&mut self, def: GlobalDef) -> Vec<GlobalDef> {
        let file = self.linker.program.file_of(def);
        let facts = self.linker.program.facts(file);
        let (nodes, is_alias): (Vec<TypeId>, bool) = match &self.linker.program.def(def).body {
            DefBody::Interface(interface) => (interface.extends.iter().map(|(ty, _)| *ty).collect(), false),
            DefBody::TypeAlias(alias) => match facts.ty(alias.ty) {
                TypeNode::Intersection(parts) => (facts.type_list(*parts).to_vec(), true),
                TypeNode::Ref { .. } => (vec![alias.ty], true),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        for node in nodes {
            let TypeNode::Ref { symbol: Some(symbol), path, .. } = facts.ty(node) else { continue };
            let ResolvedName::Symbol(symbol) = self.linker.resolve_symbol(file, *symbol) else { continue };
            let is_base = |def: &GlobalDef| match self.linker.program.def(*def).body {
                DefBody::TypeAlias(_) => true,
                DefBody::Interface(_) => is_alias,
                _ => false,
            };
            if path.len() == 1 {
                found.extend(self.linker.program.definitions(symbol).into_iter().filter(is_base));
            }
        }
        found
    }

    /// The constructor that `class` inherits from the class `base` of the platform.
    fn platform_constructor(&mut self, class: GlobalDef, base: GlobalDef) -> Option<LinkedSignature> {
        let base_type = self.linker.base_types(class).first().copied()?;
        let TypeKind::Reference(_, args) = self.linker.types.kind(base_type).clone() else { return None };
        let substitution = self.linker.substitution_of(base, &args, None);
        let def = self.linker.constructors(base, 0).first().copied()?;
        self.platform_signature(CallableSignature { def, substitution, class: Some(base) }, &[0])
    }

    /// The signature of a class, which is that of its constructor. It has no parameters if no class in the inheritance
    /// chain declares a constructor. `None` if a base class outside the sources may declare one.
    pub(super) fn constructor_signature(&mut self, class: GlobalDef) -> Option<LinkedSignature> {
        if let Some(constructor) = self.linker.constructor(class) {
            let chosen = self.objects.get(&constructor).cloned().unwrap_or_default();
            let takes_any = self.linker.program.function(constructor).is_some_and(takes_any_arguments);
            let overloads =
                if takes_any { Callees::of(self.linker).listed_overloads(class) } else { SmallVec::default() };
            return Some(self.linked_signature(self.longest(&overloads).unwrap_or(constructor), &chosen));
        }
        let (mut at, mut substitution) = (class, Substitution::EMPTY);
        for _ in 0..16 {
            if self.linker.program.def(at).class().is_none_or(|class| class.extends.is_none()) {
                return Some(LinkedSignature::default());
            }
            let (next, inner) = self.linker.base_class(at, substitution)?;
            if self.linker.program.is_platform(next) {
                return self.platform_constructor(at, next);
            }
            (at, substitution) = (next, inner);
        }
        None
    }
}
