//! Uses that are neither calls nor reads: what each of them is of, and what it is to.

use std::borrow::Cow;

use compact_str::CompactString;

use super::Index;
use apidisc_facts::program::{BoundParameter, DefinitionId, OtherUse, Resolution, UseKind};

/// What a definition is used as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsedAs<'i> {
    /// The definition that it is passed to, or that it decorates.
    pub definition: Option<DefinitionId>,
    /// The qualified name of that definition; the text of another called function; the name of what holds it.
    pub to: Option<&'i str>,
    /// The name of the parameter that it is passed as, or to which a literal with it is passed.
    pub param: Option<Cow<'i, str>>,
    /// The key under which it is held, if that is a literal.
    pub key: Option<&'i str>,
}

/// The number of uses of each kind, in the order of [`UseKind::ALL`]. Kinds without uses are left out.
pub type UseCounts = Vec<(UseKind, u32)>;

/// The counts as words: `9 passed, 3 annotate`. Empty if there are none.
pub fn use_counts_in_words(counts: &UseCounts) -> String {
    let words = |(kind, count): &(UseKind, u32)| match (kind, count) {
        (UseKind::Annotates, 2..) => format!("{count} annotate"),
        (UseKind::Decorates, 2..) => format!("{count} decorate"),
        _ => format!("{count} {}", kind.word()),
    };
    counts.iter().map(words).collect::<Vec<_>>().join(", ")
}

impl Index {
    /// The same index, for stubs whose titles say the uses that are neither calls nor reads.
    #[must_use]
    pub fn with_counted_uses(self) -> Self {
        Self { counts_other_uses: true, ..self }
    }

    /// The uses of a definition that are neither calls nor reads, in the order of places.
    pub fn other_uses_of(&self, definition: DefinitionId) -> impl ExactSizeIterator<Item = &OtherUse> + Clone {
        self.other_uses.of(definition)
    }

    /// The numbers of uses of a definition that are neither calls nor reads. Each counts as often as a call in its
    /// file.
    pub fn other_use_counts(&self, definition: DefinitionId) -> UseCounts {
        let mut counts = UseKind::ALL.map(|kind| (kind, 0));
        let uses = self.other_uses_of(definition);
        if uses.len() == 0 {
            return UseCounts::new();
        }
        let weight = self.weight_of_files(&self.weights);
        for found in uses {
            counts[found.kind as usize].1 += weight(found.file);
        }
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// The number of uses of a definition that are neither calls nor reads: the sum of [`Self::other_use_counts`]. It
    /// orders definitions with the same number of calls and reads.
    pub fn total_other_uses(&self, definition: DefinitionId) -> u32 {
        self.other_use_counts(definition).iter().map(|(_, count)| *count).sum()
    }

    /// What a use is to: the function that takes the definition, or what holds it.
    pub fn used_as<'i>(&'i self, found: &'i OtherUse) -> UsedAs<'i> {
        let (name, key) = (found.name.as_deref(), found.key.as_deref());
        let named = |id: DefinitionId| self.definition(id).fqn.as_str();
        // A property of an object that is an argument, or an attribute, is a parameter of its own.
        let property = key.filter(|_| found.kind == UseKind::Passed).map(Cow::Borrowed);
        let key = key.filter(|_| property.is_none());
        let Some(passed) = found.argument else {
            return UsedAs { definition: found.to, to: found.to.map(named).or(name), param: property, key };
        };
        let call = self.call(passed.call);
        // Of several candidates, none is certainly called.
        let callee = match call.resolution {
            Resolution::Resolved(callee) => Some(callee),
            _ => None,
        };
        let argument = self.calls.arguments(call).get(usize::from(passed.argument));
        let param = argument.and_then(|argument| match &argument.bound {
            BoundParameter::Parameter(position) => {
                let signature = self.definition(callee?).signature.as_ref()?;
                signature.reported_name(usize::from(*position)).map(CompactString::into_string).map(Cow::Owned)
            }
            BoundParameter::Named(name) | BoundParameter::Receiver(name) => Some(Cow::Borrowed(name.as_str())),
            BoundParameter::Unknown => None,
        });
        UsedAs { definition: callee, to: callee.map(named).or(name), param: property.or(param), key }
    }
}
