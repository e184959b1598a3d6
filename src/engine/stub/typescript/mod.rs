//! TypeScript, as a declaration file that `tsc` accepts whatever the sources hold.
//!
//! Every type is read and printed anew; every name in it is one that all files know, a type parameter, or declared in
//! the same stub. Where nothing is known of a type, or what is known cannot be said in a stub, it is `any`: also for
//! parameters and results that are not annotated. That is what `any` means to the compiler, and a reader must not
//! take `unknown` for something that the sources say.
//!
//! A destructured parameter gets a name of its own, `options` or `props`: in a declaration it is told by its type,
//! and its properties are written there.

mod callable;
mod fragments;
mod function_types;
mod generics;
mod heads;
mod heritage;
mod imports;
mod lexer;
mod library;
mod members;
mod name;
mod names;
mod overloads;
mod printer;
mod rows;
mod types;

use std::cmp::Reverse;

pub(crate) use callable::Callable;
pub(crate) use imports::{group, import_path};
pub(crate) use name::is_name;
pub(crate) use names::Names;

use super::{
    pieces::{Body, Pieces},
    priced_tree::PricedTree,
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
};

/// True for what can be written in the body of a definition of that kind. What a namespace adds to an interface of its
/// name is no member of that; what it adds to a class is one of the class itself.
pub(crate) fn is_member(holder: DefinitionKind, member: &Definition) -> bool {
    use DefinitionKind::{Attribute, Class, Constant, Enum, Function, Interface, Method, Namespace, Property};
    use DefinitionKind::{ClassMethod, StaticMethod, TypeAlias};
    let name = member.name.as_str();
    match holder {
        Namespace => {
            is_name(name)
                && matches!(member.kind, Class | Constant | Enum | Function | Interface | Namespace | TypeAlias)
        }
        // Names that read as numbers are none of an enum.
        Enum => {
            name::property(name).is_some()
                && member.kind == Attribute
                && !name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
                && !matches!(name, "Infinity" | "NaN")
        }
        Class => {
            let is_kind =
                matches!(member.kind, Attribute | ClassMethod | Constant | Function | Method | Property | StaticMethod);
            is_kind && name::property(name).is_some() && !(name == "prototype" && is_static(member))
        }
        Interface => matches!(member.kind, Attribute | Method | Property) && name::property(name).is_some(),
        _ => {
            matches!(member.kind, Attribute | Constant | Function | Method | Property | StaticMethod)
                && name::property(name).is_some()
        }
    }
}

/// True for a class, and for what else has members that can be told.
pub(crate) fn holds_members(index: &Index, definition: &Definition) -> bool {
    use DefinitionKind::{Class, Constant, Enum, Interface, Namespace};
    match definition.kind {
        Class => true,
        Interface | Enum | Namespace | Constant => definition.members.iter().any(|&id| index.definition(id).is_public),
        _ => false,
    }
}

/// Public members in the order of a stub: most called first. Those of a class then by name, as in other languages;
/// elsewhere what must be given comes first, then all is as it was declared.
pub(crate) fn members(index: &Index, holder: &Definition) -> Vec<DefinitionId> {
    let is_class = holder.kind == DefinitionKind::Class;
    let mut members: Vec<DefinitionId> = holder
        .members
        .iter()
        .copied()
        .filter(|&id| {
            let member = index.definition(id);
            member.is_public && !(is_class && member.name == "constructor")
        })
        .collect();
    members.sort_by_key(|&id| {
        let member = index.definition(id);
        let name = if is_class { member.name.clone() } else { "".into() };
        (Reverse(member.usage.total_calls), member.modifiers.is_optional && !is_class, name, id)
    });
    if holder.kind == DefinitionKind::Enum {
        members.sort();
    }
    // A class and its instances may have members of one name.
    let mut seen = rustc_hash::FxHashSet::default();
    members.retain(|&id| {
        let member = index.definition(id);
        seen.insert((&member.name, is_static(member)))
    });
    members
}

/// True for a member of a class itself.
fn is_static(member: &Definition) -> bool {
    use DefinitionKind::{ClassMethod, Constant, Function, StaticMethod};
    member.modifiers.is_static || matches!(member.kind, ClassMethod | Constant | Function | StaticMethod)
}

/// The text of a node that stands for a definition, up to its body.
pub(crate) fn pieces(tree: &PricedTree, names: &Names, node: usize, id: DefinitionId) -> Pieces {
    heads::Writer::new(tree, names, node, id).pieces()
}

/// What follows.
pub(crate) fn body(tree: &PricedTree, names: &Names, node: usize, id: DefinitionId) -> Body {
    heads::Writer::new(tree, names, node, id).body()
}
