//! Definitions by the types that they make, take, extend and raise.
//!
//! The evidence is what the sources declare: the names in annotations, which the linker has resolved, the bases of
//! classes, the errors that code raises and that documentation names; and what the linker knows of values: a function
//! makes a class if a method of the class is called on its result. A bare name is never enough.

mod query;
#[cfg(test)]
mod tests;

pub use query::TypeQuery;

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{CallId, DefinitionId, DefinitionKind, ReceiverValue, Signature, UseKind};
use apidisc_indexing::index::{Definition, Index};

/// How a definition is related to a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeRole {
    /// A call of the definition returns the type.
    Makes,
    /// A parameter of the definition has the type.
    Takes,
    /// The definition is a subclass of the type, or implements it.
    Is,
    /// The definition raises the type, or its documentation says so.
    Raises,
}

impl TypeRole {
    /// Every role, in the order of display.
    pub const ALL: [Self; 4] = [Self::Makes, Self::Takes, Self::Is, Self::Raises];

    /// The word before the colon in a query: `makes:Client`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Makes => "makes",
            Self::Takes => "takes",
            Self::Is => "is",
            Self::Raises => "raises",
        }
    }
}

/// The definitions that are related to each type of an index, most used first.
#[derive(Debug, Default)]
pub struct TypeTable {
    related: FxHashMap<(TypeRole, DefinitionId), Vec<DefinitionId>>,
}

impl TypeTable {
    /// Collects the relations of an index in one pass over its definitions and one over its calls.
    pub fn new(index: &Index) -> Self {
        let mut table = Self::default();
        let mut raised: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
        for (id, definition) in index.definitions_with_ids() {
            table.add_annotations(index, id, definition);
            table.add_bases(index, id, definition);
            let raises = definition.documentation.as_ref().map_or(&[][..], |documentation| &documentation.raises);
            for error in raises {
                let name = error.name.rsplit(['.', '#']).next().unwrap_or(&error.name);
                raised.entry(name.trim_matches('`')).or_default().push(id);
            }
        }
        table.add_resolved_annotations(index);
        table.add_raised(index, &raised);
        table.add_raise_statements(index);
        table.add_results(index);
        for related in table.related.values_mut() {
            related.sort_unstable();
            related.dedup();
            related.shared_sort_by_key(|id| (Reverse(index.uses_within(*id)), *id));
        }
        table
    }

    /// The definitions with that relation to a type.
    pub fn of(&self, role: TypeRole, id: DefinitionId) -> &[DefinitionId] {
        self.related.get(&(role, id)).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, role: TypeRole, of: DefinitionId, id: DefinitionId) {
        self.related.entry((role, of)).or_default().push(id);
    }

    /// The ancestors of a class, and the interfaces that it implements with their ancestors.
    fn add_bases(&mut self, index: &Index, id: DefinitionId, definition: &Definition) {
        definition.ancestors.iter().for_each(|&base| self.add(TypeRole::Is, base, id));
        for (name, base) in &definition.type_names {
            let Some(base) = base.filter(|base| *base != id) else { continue };
            if definition.bases.iter().any(|text| head_of(text) == name.as_str()) {
                self.add(TypeRole::Is, base, id);
                index.definition(base).ancestors.iter().for_each(|&above| self.add(TypeRole::Is, above, id));
            }
        }
    }

    fn add_annotations(&mut self, index: &Index, id: DefinitionId, definition: &Definition) {
        if definition.kind == DefinitionKind::Class {
            return;
        }
        let signatures = || definition.signature.as_deref().into_iter().chain(&definition.overloads);
        let names: Vec<(&str, DefinitionId)> = match definition.language {
            Language::TypeScript => {
                let names = definition.type_names.iter().filter_map(|(name, of)| Some((name.as_str(), (*of)?)));
                names.collect()
            }
            Language::Python => names_in_module(index, definition, signatures()),
        };
        for (name, of) in names.into_iter().filter(|(_, of)| *of != id) {
            self.add_signatures(of, id, definition, |text| has_word(text, name));
        }
    }

    /// The classes that annotations of Python name, wherever they are defined: annotations resolve as other uses do,
    /// through imports and quotes.
    fn add_resolved_annotations(&mut self, index: &Index) {
        for found in index.other_uses.all().iter().filter(|found| found.kind == UseKind::Annotates) {
            let (class, Some(user)) = (index.definition(found.definition), found.user) else { continue };
            let definition = index.definition(user);
            let is_user = definition.language == Language::Python && definition.kind != DefinitionKind::Class;
            if !is_user || class.kind != DefinitionKind::Class || user == found.definition {
                continue;
            }
            // The use may stand at a variable inside the function.
            self.add_signatures(found.definition, user, definition, |text| has_last_name(text, &class.name));
        }
    }

    /// The relations of a function to a type, which `is_named` finds in an annotation.
    fn add_signatures(
        &mut self,
        of: DefinitionId,
        id: DefinitionId,
        definition: &Definition,
        is_named: impl Fn(&str) -> bool,
    ) {
        let signatures = || definition.signature.as_deref().into_iter().chain(&definition.overloads);
        // What gives back what it is given makes nothing, even if an overload says of what type that is.
        if !signatures().any(passes_on) && signatures().any(|signature| returns(signature, &is_named)) {
            self.add(TypeRole::Makes, of, id);
        }
        if signatures().any(|signature| takes(signature, &is_named)) {
            self.add(TypeRole::Takes, of, id);
        }
    }

    /// An error that documentation names is a class if exactly one class of the sources has the name, and extends
    /// something.
    fn add_raised(&mut self, index: &Index, raised: &FxHashMap<&str, Vec<DefinitionId>>) {
        if raised.is_empty() {
            return;
        }
        let mut classes: FxHashMap<&str, Option<DefinitionId>> = FxHashMap::default();
        for (id, definition) in index.definitions_with_ids() {
            if definition.kind == DefinitionKind::Class && !definition.bases.is_empty() {
                let one = classes.entry(&definition.name).or_insert(Some(id));
                *one = one.filter(|other| *other == id);
            }
        }
        for (name, by) in raised {
            if let Some(Some(class)) = classes.get(name) {
                for id in by {
                    self.add(TypeRole::Raises, *class, *id);
                }
            }
        }
    }

    /// A function that raises or throws a class.
    fn add_raise_statements(&mut self, index: &Index) {
        for found in index.other_uses.all().iter().filter(|found| found.kind == UseKind::Raised) {
            if let Some(user) = found.user {
                self.add(TypeRole::Raises, found.definition, user);
            }
        }
    }

    /// A function whose result has a method of a class called on it makes the class.
    fn add_results(&mut self, index: &Index) {
        let mut seen = FxHashSet::default();
        for at in 0..index.calls.len() {
            let call = CallId::new(at);
            let Some(ReceiverValue::ResultOf(maker)) = index.calls.receiver_value(call) else { continue };
            let (site, maker) = (index.call(call), index.call(maker).resolution.definition());
            let method = site.resolution.definition().map(|id| index.definition(id));
            let class = site.receiver.or_else(|| method.and_then(|method| method.parent));
            let (Some(class), Some(maker)) = (class, maker) else { continue };
            let is_of_class = index.definition(class).kind == DefinitionKind::Class;
            if is_of_class && index.definition(maker).kind != DefinitionKind::Class && seen.insert((class, maker)) {
                self.add(TypeRole::Makes, class, maker);
            }
        }
    }
}

/// The classes that the annotations of some signatures name, by the names that their module binds.
fn names_in_module<'s>(
    index: &Index,
    definition: &Definition,
    signatures: impl Iterator<Item = &'s Signature>,
) -> Vec<(&'s str, DefinitionId)> {
    let exports = &index.module(definition.module).exports;
    let texts = signatures.flat_map(|signature| {
        let parameters = signature.parameters.iter().filter_map(|parameter| parameter.annotation.as_deref());
        parameters.chain(signature.returns.as_deref())
    });
    let words = texts.flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))));
    let mut seen = FxHashSet::default();
    let words = words.filter(|word| !word.is_empty() && !word.contains('.') && seen.insert(*word));
    let class = |word: &'s str| {
        let at = exports.binary_search_by(|(name, _)| name.as_str().cmp(word)).ok()?;
        let id = exports[at].1;
        (index.definition(id).kind == DefinitionKind::Class).then_some((word, id))
    };
    words.filter_map(class).collect()
}

/// The name of a base as written, without `implements`, type arguments and keywords.
fn head_of(base: &str) -> &str {
    let base = base.strip_prefix("implements ").unwrap_or(base);
    base.split(['<', '[', '(', ' ']).next().unwrap_or(base)
}

/// True if the return type of a signature mentions the type. A function that returns a function makes what that one
/// returns.
fn returns(signature: &Signature, is_named: impl Fn(&str) -> bool) -> bool {
    let returns = signature.returns.as_ref().or(signature.inferred_returns.as_ref());
    returns.is_some_and(|returns| {
        let result = returns.rsplit("=>").next().unwrap_or(returns);
        if is_guard(result) {
            return false;
        }
        let result = match (result.find("[["), result.find("],")) {
            (Some(start), Some(end)) if start < end => &result[end..],
            _ => result,
        };
        is_named(result)
    })
}

/// True for a signature that returns the type variable of a parameter: `(obj: T) -> T`. A variable is one letter, as in
/// most code.
fn passes_on(signature: &Signature) -> bool {
    let is_variable = |name: &&str| {
        let name = name.trim_start_matches('_').trim_end_matches(|c: char| c.is_ascii_digit());
        name.len() == 1 && name.starts_with(|c: char| c.is_ascii_uppercase())
    };
    let variable = signature.returns.as_deref().filter(is_variable);
    variable.is_some_and(|name| signature.parameters.iter().any(|given| given.annotation.as_deref() == Some(name)))
}

/// True for the return type of a type guard, `x is T` or `asserts x is T`: it returns no `T`.
fn is_guard(result: &str) -> bool {
    let result = result.trim_start();
    let guarded = result.strip_prefix("asserts ").unwrap_or(result).trim_start();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    guarded.trim_start_matches(is_part).strip_prefix(" is ").is_some() || guarded.len() < result.len()
}

/// True if a parameter has the type, or a collection or union of it. A parameter that is
/// itself a function does not count, even if its signature names the type.
fn takes(signature: &Signature, is_named: impl Fn(&str) -> bool) -> bool {
    let annotations = signature.parameters.iter().filter_map(|parameter| parameter.annotation.as_deref());
    let mut values = annotations.filter(|annotation| !annotation.contains("=>") && !annotation.contains("[["));
    values.any(is_named)
}

/// True if `text` contains `name` as a whole name, and not as a member of another one.
pub(crate) fn has_word(text: &str, name: &str) -> bool {
    whole_names(text, name).any(|before| !before.ends_with('.'))
}

/// True if a name in `text`, which may be qualified, ends with `name`: `Link` in `models.Link`.
fn has_last_name(text: &str, name: &str) -> bool {
    whole_names(text, name).next().is_some()
}

/// What is before each `name` in `text` that is a whole identifier.
fn whole_names<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        (!before.ends_with(is_part) && !after.starts_with(is_part)).then_some(before)
    })
}
