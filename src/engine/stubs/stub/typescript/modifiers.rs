//! The modifiers of members, and the names by which call shapes list members.

use compact_str::{CompactString, format_compact};

use super::{
    declaration::{DeclarationContext, DeclarationWriter},
    members::is_static,
};
use crate::stub::renderer::PlacedDefinition;
use apidisc_facts::program::DefinitionKind;

/// True for a member that is written in the body of an abstract class: no other class can declare an abstract member.
pub(super) fn is_in_abstract_class(placed: PlacedDefinition<'_>) -> bool {
    let Some(holder) = placed.holder.map(|id| placed.index.definition(id)) else { return false };
    let outer = holder.parent.map(|id| placed.index.definition(id).kind);
    holder.kind == DefinitionKind::Class
        && holder.modifiers.is_abstract
        && matches!(outer, None | Some(DefinitionKind::Namespace))
}

impl DeclarationWriter<'_> {
    /// The words before the name of a member of a class: `static `, `protected `; empty for any other declaration.
    ///
    /// `abstract` is never one of them. The compiler would demand the implementations of the member in every subclass,
    /// and a stub leaves out the implementations that nobody uses. A comment says it instead.
    pub(super) fn member_words(&self) -> String {
        if self.context != DeclarationContext::Class {
            return String::new();
        }
        let (modifiers, is_static) = (self.definition.modifiers, is_static(self.definition));
        let words = [(modifiers.is_protected, "protected "), (is_static, "static ")];
        words.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect()
    }

    /// True for an abstract member.
    pub(super) fn is_abstract(&self) -> bool {
        self.definition.modifiers.is_abstract && self.is_in_abstract_class && !is_static(self.definition)
    }

    /// The name of a property or accessor as a member, `static name?`.
    pub(super) fn listed_name(&self) -> Option<CompactString> {
        let is_member = matches!(self.context, DeclarationContext::Class | DeclarationContext::Object);
        let is_readable = matches!(self.definition.kind, DefinitionKind::Attribute | DefinitionKind::Property);
        if !is_member || !is_readable || self.has_members || self.definition.deprecation().is_some() {
            return None;
        }
        let mark = if self.definition.modifiers.is_optional { "?" } else { "" };
        Some(format_compact!("{}{}{mark}", self.member_words(), self.name))
    }
}
