//! The comments above a function that say what a call gives to the code around it: the members of its result, and those
//! of what its callbacks receive. Only a reader with an intent gets them, who writes that code next.

use std::cmp::Reverse;

use super::{PricedTree, values::ParameterValues};
use crate::intent::{GivenMembers, members_given};
use crate::stub::{argument_text, display, text::sanitized, wording::HIDDEN_SIGN};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Definition;

/// A stub says what a callback receives if at least this share of the calls passes the callback.
const USUAL: f64 = 0.5;
/// The greatest number of members of a result or of what a callback receives.
const MAX_MEMBERS: usize = 8;
/// The length of the parameters of a callback, in bytes, above which their types are left out.
const MAX_ARGUMENTS: usize = 60;
/// The length of the members, in bytes, behind which no further one is written, unless an intent names it.
const MAX_TEXT: usize = 90;

impl PricedTree {
    /// What the callback at a position receives, or what the result offers: `receives (event: Event): id, stop()`,
    /// `returns Stream: push(text), close()`. `None` for a callback that most readers leave out. The flag is true
    /// if the parameter may take another value instead of the callback.
    pub(super) fn given(
        &self,
        id: DefinitionId,
        definition: &Definition,
        position: usize,
    ) -> Option<(ParameterValues, bool)> {
        let overrides = self.overrides.of(id)?;
        let GivenMembers { given, named } =
            overrides.given.iter().find(|members| members.given.position == position)?;
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let is_asked = overrides.asked.contains(position) || !named.is_empty();
        let is_usual = || definition.usage.frequency(position).is_some_and(|frequency| frequency >= USUAL);
        if parameter.is_some_and(|parameter| !parameter.required && !is_asked && !is_usual()) {
            return None;
        }
        let is_declared = |class: &DefinitionId| {
            // The declaration of the type of a result says more, but has often no room for methods that code chains.
            parameter.is_none()
                && self.declares_types()
                && self.index.definition(*class).kind != DefinitionKind::Class
                && !self.is_fluent(*class)
        };
        let class = given.class.filter(|class| !is_declared(class));
        let members = class.map(|class| self.members_given(class, named)).unwrap_or_default();
        let subject = match class.filter(|_| parameter.is_none()) {
            Some(class) => sanitized(&display::written_name(&self.index, class)),
            None => format!("({})", sanitized(&shortened(&given.arguments))),
        };
        let text = match parameter {
            None if members.is_empty() => return None,
            None => format!("returns {subject}: {members}"),
            Some(_) if members.is_empty() => format!("receives {subject}"),
            Some(_) => format!("receives {subject}: {members}"),
        };
        Some((ParameterValues { text, is_asked, is_given: true, ..ParameterValues::default() }, given.is_one_way))
    }

    /// The parameter that takes the instances or results of a definition: `passed to: Retort(recipe=[...])`.
    pub(super) fn passed_to(&self, id: DefinitionId) -> Option<ParameterValues> {
        let passed_to = self.overrides.of(id)?.passed_to.as_ref()?;
        let named = passed_to.taker.into_iter().collect();
        Some(ParameterValues {
            text: sanitized(&passed_to.text),
            named,
            is_asked: true,
            is_given: true,
            ..ParameterValues::default()
        })
    }

    /// The members of a class: those that an intent names, then the most used ones.
    fn members_given(&self, class: DefinitionId, named: &[DefinitionId]) -> String {
        let mut others: Vec<DefinitionId> =
            members_given(&self.index, class).filter(|member| !named.contains(member)).collect();
        let uses = |member: &DefinitionId| Reverse(self.index.definition(*member).ranking_uses());
        others.shared_sort_by_key(|member| (uses(member), *member));
        let count = named.len() + others.len();
        let mut texts: Vec<String> = Vec::new();
        for member in named.iter().copied().chain(others).take(MAX_MEMBERS) {
            let text = self.member_given(member);
            let length: usize = texts.iter().map(|text| text.len() + ", ".len()).sum();
            if texts.len() >= named.len().max(1) && length + text.len() > MAX_TEXT {
                break;
            }
            // A name may have an attribute and a property.
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.extend((texts.len() < count).then(|| HIDDEN_SIGN.to_owned()));
        texts.join(", ")
    }

    /// A member as code names it after a dot: `push(text)`, `closed`.
    pub(super) fn member_given(&self, id: DefinitionId) -> String {
        let member = self.index.definition(id);
        let Some(signature) = member.signature.as_ref().filter(|_| member.kind != DefinitionKind::Property) else {
            return sanitized(&member.name);
        };
        let own = signature.parameters.iter().filter(|parameter| parameter.object.is_none());
        let needed = own.clone().filter(|parameter| parameter.required && !parameter.is_variadic());
        let mut arguments: Vec<String> = needed.map(|parameter| argument_text(parameter, member.language)).collect();
        arguments.extend((arguments.len() < own.count()).then(|| HIDDEN_SIGN.to_owned()));
        sanitized(&format!("{}({})", member.name, arguments.join(", ")))
    }
}

/// Parameters as they are written, without the arguments of their types, and without the types if these make the text
/// long.
fn shortened(arguments: &str) -> String {
    let mut depth = 0_usize;
    let mut text = String::new();
    let mut before = ' ';
    for c in arguments.chars() {
        let is_end = c == '>' && before != '=';
        depth += usize::from(c == '<');
        if depth == 0 && !(c == ' ' && before == ' ') {
            text.push(c);
        }
        depth = depth.saturating_sub(usize::from(is_end));
        before = c;
    }
    if text.len() <= MAX_ARGUMENTS {
        return text;
    }
    let mut depth = 0_usize;
    let outer = text.split(|c: char| {
        depth = (depth + usize::from(matches!(c, '(' | '[' | '{')))
            .saturating_sub(usize::from(matches!(c, ')' | ']' | '}')));
        c == ',' && depth == 0
    });
    let names = outer.map(|argument| argument.split_once(':').map_or(argument, |(name, _)| name).trim());
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn parameters_of_callbacks_are_short() {
        assert_eq!(shortened("event: Event<A, B<C>>,  id: string"), "event: Event, id: string");
        assert_eq!(shortened("run: (x: X) => Y<Z>"), "run: (x: X) => Y");
        let long = format!("first: {{ a: {}, b: B }}, second: S", "x".repeat(60));
        assert_eq!(shortened(&long), "first, second");
        assert_eq!(shortened("a > b < c"), "a > b ");
    }
}
