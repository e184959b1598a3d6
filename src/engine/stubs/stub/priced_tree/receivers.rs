//! How a program gets the object of a method, for a reader with an intent: the attributes that hold an instance of its
//! class, and the functions that return one.

use std::cmp::Reverse;

use super::{PricedTree, values::ParameterValues};
use crate::{
    exports::{own_types, type_named},
    makers::Makers,
    stub::text::sanitized,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, File, Scope};

/// The greatest number of ways to get an object.
const MAX_WAYS: usize = 2;
/// A way is said if code makes the object itself at most this many times as often.
const LEAST_SHARE_OF_MADE: u32 = 10;

impl PricedTree {
    /// What gives the object of the requested method: `got from: Client.session`. `None` if code mostly makes the
    /// object where it calls the method, and if nothing else is known.
    pub(super) fn got_from(&self, id: DefinitionId, definition: &Definition) -> Option<ParameterValues> {
        let is_requested = self.scope == Scope::Definition(id) && self.overrides.has_intent();
        let class = definition.parent.filter(|_| is_requested && definition.kind == DefinitionKind::Method)?;
        let name = self.index.definition(class).name.as_str();
        let mut ways: Vec<(u32, String)> = Vec::new();
        for holder in self.index.definitions.iter().filter(|holder| holder.kind == DefinitionKind::Class) {
            let is_library = || self.index.files.get(holder.place.file.index()).is_none_or(File::is_library);
            if !holder.is_public || holder.language != definition.language || !is_library() {
                continue;
            }
            for member in holder.members.iter().map(|member| self.index.definition(*member)) {
                let uses = member.usage.uses();
                if uses > 0 && member.is_public && self.holds(member, class, name) {
                    ways.push((uses, format!("{}.{}", holder.name, member.name)));
                }
            }
        }
        let makers = self.makers.get_or_init(|| Makers::new(&self.index));
        for maker in makers.of(&self.index, definition, name).map(|maker| self.index.definition(maker)) {
            let calls = maker.usage.total_calls;
            if maker.kind == DefinitionKind::Function && calls > 0 {
                ways.push((calls, format!("{}()", maker.name)));
            }
        }
        let made = self.index.definition(class).usage.total_calls;
        ways.retain(|(uses, _)| *uses * LEAST_SHARE_OF_MADE >= made);
        ways.shared_sort_by(|(m, a), (n, b)| Reverse(m).cmp(&Reverse(n)).then(a.cmp(b)));
        let ways: Vec<String> = ways.into_iter().take(MAX_WAYS).map(|(_, way)| sanitized(&way)).collect();
        let text = format!("got from: {}", ways.join(", "));
        let values = ParameterValues { text, is_asked: true, is_given: true, ..ParameterValues::default() };
        (!ways.is_empty()).then_some(values)
    }

    /// True for an attribute or property whose values are instances of a class with this name.
    fn holds(&self, member: &Definition, class: DefinitionId, name: &str) -> bool {
        let ty = match member.kind {
            DefinitionKind::Attribute => member.annotation.as_deref(),
            DefinitionKind::Property => member
                .signature
                .as_ref()
                .and_then(|signature| signature.returns.as_deref().or(signature.inferred_returns.as_deref())),
            _ => None,
        };
        let ty = ty.or(member.annotation.as_deref());
        let names = ty.map(|ty| own_types(ty).take(1).collect::<Vec<_>>()).unwrap_or_default();
        names.iter().any(|ty| *ty == name && type_named(&self.index, member, ty).is_none_or(|ty| ty == class))
    }
}
