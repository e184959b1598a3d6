//! The members of TypeScript definitions: which of them can be written, and in which order.

use std::cmp::Reverse;

use super::{identifiers::property_name, stub_names::is_declarable};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ELIDED_OBJECT, OPEN_OBJECT};
use apidisc_indexing::index::{Definition, Index};

/// True if `member` can be written in the body of a definition of the kind `holder`.
///
/// A class or interface may be merged with a namespace of the same name (TypeScript handbook, "Declaration Merging").
/// The members of the namespace are written as static members of a class; an interface cannot hold them.
pub(super) fn can_hold(holder: DefinitionKind, member: &Definition) -> bool {
    use DefinitionKind::{Attribute, Class, Constant, Enum, Function, Interface, Method, Namespace, Property};
    use DefinitionKind::{ClassMethod, StaticMethod, TypeAlias};
    let name = member.name.as_str();
    match holder {
        Namespace => {
            is_declarable(name, member.kind)
                && matches!(member.kind, Class | Constant | Enum | Function | Interface | Namespace | TypeAlias)
        }
        // An enum member cannot have a numeric name.
        Enum => {
            property_name(name).is_some()
                && member.kind == Attribute
                && !name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
                && !matches!(name, "Infinity" | "NaN")
        }
        Class => {
            let is_kind =
                matches!(member.kind, Attribute | ClassMethod | Constant | Function | Method | Property | StaticMethod);
            is_kind && property_name(name).is_some() && !(name == "prototype" && is_static(member))
        }
        Interface => matches!(member.kind, Attribute | Method | Property) && property_name(name).is_some(),
        _ => {
            matches!(member.kind, Attribute | Constant | Function | Method | Property | StaticMethod)
                && property_name(name).is_some()
        }
    }
}

/// True for a public member, and for every member of a type that is not exported: callers write values of that type, so
/// the stub shows all of it.
pub(super) fn is_shown(holder: &Definition, member: &Definition) -> bool {
    use DefinitionKind::{Attribute, Enum, Interface, TypeAlias};
    member.is_public || !holder.is_public && matches!(holder.kind, Attribute | Enum | Interface | TypeAlias)
}

/// True for a class, for a type with call signatures, and for an interface, enum, namespace, object or long object type
/// with public members.
pub(super) fn holds_members(index: &Index, id: DefinitionId) -> bool {
    use DefinitionKind::{Attribute, Class, Constant, Enum, Interface, Namespace, TypeAlias};
    let definition = index.definition(id);
    let has_members = || index.members_of(id).any(|id| is_shown(definition, index.definition(id)));
    match definition.kind {
        Class => true,
        _ if definition.has_call_signatures() => true,
        Interface | Enum | Namespace | Constant => has_members(),
        TypeAlias | Attribute => elided_object(definition).is_some() && has_members(),
        _ => false,
    }
}

/// The texts before and after the properties of a type alias or property whose annotation elides them, such as
/// `("Readonly<", ">")` or `("A & B<T> & ", "")`; `None` for any other definition.
pub(super) fn elided_object(definition: &Definition) -> Option<(&str, &str)> {
    let (before, after) = definition.annotation.as_deref()?.split_once(ELIDED_OBJECT)?;
    let wrapper = before.strip_suffix(OPEN_OBJECT).unwrap_or(before);
    let is_object = matches!((wrapper, after), ("", "") | ("Partial<" | "Readonly<" | "Required<", ">"));
    let is_intersection = after.is_empty() && wrapper.ends_with(" & ");
    (is_object || is_intersection).then_some((before, after))
}

/// The public members in the order in which a stub lists them:
///
/// - members of a class: most used first, ties by name;
/// - members of an enum: in the order of declaration, which determines their values;
/// - other members: most used first; among ties required members first, then in the order of declaration.
pub(super) fn members(index: &Index, id: DefinitionId) -> Vec<DefinitionId> {
    let holder = index.definition(id);
    let is_class = holder.kind == DefinitionKind::Class;
    let mut members: Vec<DefinitionId> = index
        .members_of(id)
        .filter(|&id| {
            let member = index.definition(id);
            is_shown(holder, member) && !(is_class && member.name == "constructor")
        })
        .collect();
    members.shared_sort_by_key(|&id| {
        let member = index.definition(id);
        let name = if is_class { member.name.clone() } else { "".into() };
        let is_last_of_equals = (member.deprecation().is_some(), member.modifiers.is_optional && !is_class);
        (Reverse(member.usage.uses()), is_last_of_equals, name, id)
    });
    if holder.kind == DefinitionKind::Enum {
        members.sort();
    }
    // Only the first member of each name is kept, but a static member and an instance member may share a name.
    let mut seen = rustc_hash::FxHashSet::default();
    members.retain(|&id| {
        let member = index.definition(id);
        seen.insert((&member.name, is_static(member)))
    });
    members
}

/// True for a static member of a class.
pub(super) fn is_static(member: &Definition) -> bool {
    use DefinitionKind::{ClassMethod, Constant, Function, StaticMethod};
    member.modifiers.is_static || matches!(member.kind, ClassMethod | Constant | Function | StaticMethod)
}
