//! The members of types: properties, elements, base types, and what assignments add.

mod assigned_properties;
mod elements;
mod heritage;
mod member_tables;
mod mixed_in;
mod properties;
mod stored_arguments;
mod wide_symbols;

pub(super) use assigned_properties::AssignedProperties;
pub(super) use member_tables::MemberTable;
pub(super) use mixed_in::PrototypeSearches;
pub(super) use properties::FoundProperty;
pub(super) use wide_symbols::WideSymbol;
