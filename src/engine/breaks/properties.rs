//! The properties of TypeScript's object types.

use apidisc_facts::syntax::typescript::facts::{Def, DefBody, FileFacts, FunctionKind, Member, MemberKind};
use rustc_hash::FxHashMap;

use crate::type_text::{self, WrittenMember};

/// A property of an object type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// True if every object must have it.
    pub(crate) is_required: bool,
    /// True for a method, and for a property that holds a function.
    pub(crate) is_method: bool,
    /// Why it is deprecated.
    pub(crate) deprecation: Option<String>,
}

/// The properties that objects of a type may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Properties {
    /// By name.
    pub(crate) names: FxHashMap<String, Property>,
    /// True if objects may have other properties, or if that is not known.
    pub(crate) is_open: bool,
    /// True if its values can be called.
    pub(crate) is_callable: bool,
}

impl Properties {
    pub(crate) fn open() -> Self {
        Self { is_open: true, ..Self::default() }
    }
}

/// Adds the members of an interface, class or object type.
pub(crate) fn add_members(facts: &FileFacts, members: &[Member], found: &mut Properties) {
    for member in members {
        let function = match &member.kind {
            MemberKind::Function(def) => Some(facts.def(*def)),
            MemberKind::Index { .. } | MemberKind::Spread(_) => {
                found.is_open = true;
                continue;
            }
            MemberKind::Property { .. } => None,
        };
        let Some(name) = member.name else {
            found.is_callable |= function.is_some();
            found.is_open |= function.is_none() && member.computed_name.is_none();
            continue;
        };
        let documentation = member.documentation.as_ref().or_else(|| function?.documentation.as_ref());
        let deprecation = documentation.and_then(|documentation| documentation.deprecated.as_deref());
        let holds_function = match &member.kind {
            MemberKind::Property { annotation: Some((_, text)), .. } => type_text::is_function(type_text::bare(text)),
            _ => false,
        };
        let property = Property {
            is_required: !member.is_optional,
            is_method: holds_function || function.is_some_and(|def| !is_accessor(def)),
            deprecation: deprecation.map(str::to_owned),
        };
        found.names.insert(facts.name(name).to_owned(), property);
    }
}

fn is_accessor(def: &Def) -> bool {
    match &def.body {
        DefBody::Function(function) => matches!(function.kind, FunctionKind::Getter | FunctionKind::Setter),
        _ => false,
    }
}

/// Adds the members of an object type that is written as text.
pub(crate) fn add_written(text: &str, found: &mut Properties) {
    let Some(members) = type_text::members(text).filter(|_| !text.contains("...")) else {
        found.is_open = true;
        return;
    };
    for member in members {
        match member {
            WrittenMember::Named { name, is_required, is_method } => {
                found.names.insert(name.to_owned(), Property { is_required, is_method, deprecation: None });
            }
            WrittenMember::Other => found.is_open = true,
        }
    }
}

/// The properties of a union: each object may have those of any alternative.
pub(crate) fn united(alternatives: impl Iterator<Item = Properties>) -> Properties {
    let mut found: Option<Properties> = None;
    for next in alternatives {
        let Some(known) = &mut found else {
            found = Some(next);
            continue;
        };
        known.is_open |= next.is_open;
        known.is_callable |= next.is_callable;
        for (name, property) in &mut known.names {
            property.is_required &= next.names.get(name).is_some_and(|next| next.is_required);
        }
        for (name, property) in next.names {
            known.names.entry(name).or_insert(Property { is_required: false, ..property });
        }
    }
    found.unwrap_or_default()
}

/// Adds the properties of another part of an intersection.
pub(crate) fn add(found: &mut Properties, part: Properties) {
    found.is_open |= part.is_open;
    found.is_callable |= part.is_callable;
    for (name, property) in part.names {
        let is_required = property.is_required;
        found.names.entry(name).or_insert(property).is_required |= is_required;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_or_an_intersection_with_a_function_can_be_called() {
        let function = || Properties { is_callable: true, ..Properties::default() };
        let mut found = Properties::default();
        add_written("{ a: A; b(): B }", &mut found);
        assert!(!found.is_callable && !found.names["a"].is_method && found.names["b"].is_method);
        assert!(united([found.clone(), function()].into_iter()).is_callable);
        add(&mut found, function());
        assert!(found.is_callable);
    }
}
