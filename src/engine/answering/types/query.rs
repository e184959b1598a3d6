//! Queries by type: `makes:Client`, `takes:Request`, `is:Store`, `raises:Timeout`, and `Request -> Response`, which
//! finds what takes a `Request` and makes a `Response`.

use rustc_hash::FxHashSet;

use super::{TypeRole, TypeTable, has_last_name, returns, takes};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Signature};
use apidisc_indexing::index::{Definition, Index};

/// The characters between the parts of a full name.
const SEPARATORS: [char; 3] = ['.', '#', '/'];
/// The arrow between what a function takes and what it makes.
const ARROW: &str = "->";

/// Conditions on the types of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeQuery {
    /// Each condition: a role, and the name of the type.
    conditions: Vec<(TypeRole, String)>,
}

impl TypeQuery {
    /// The conditions of a typed query, and the other words. Without a condition these are the query as it was typed.
    pub fn parse(typed: &str) -> (Self, String) {
        let mut query = Self::default();
        let mut words = Vec::new();
        for word in typed.split_whitespace() {
            let role = word.split_once(':').and_then(|(role, name)| {
                let role = TypeRole::ALL.into_iter().find(|other| other.word() == role)?;
                (!name.is_empty()).then(|| (role, name.to_owned()))
            });
            match role {
                Some(condition) => query.conditions.push(condition),
                None => words.push(word),
            }
        }
        let rest = words.join(" ");
        let (arrow, rest) = Self::take_arrow(&rest).unwrap_or((Vec::new(), rest));
        query.conditions.extend(arrow);
        if query.is_empty() { (query, typed.to_owned()) } else { (query, rest) }
    }

    /// The conditions of `A, B -> C` with nothing but names and filters around the arrow, and the filters. A signature
    /// as code writes it, `def f(x: int) -> str`, is no such query.
    fn take_arrow(typed: &str) -> Option<(Vec<(TypeRole, String)>, String)> {
        let (takes, makes) = typed.split_once(ARROW)?;
        let (mut conditions, mut filters) = (Vec::new(), Vec::new());
        for (role, text) in [(TypeRole::Takes, takes), (TypeRole::Makes, makes)] {
            let separates = |c: char| c.is_whitespace() || c == ',';
            for word in text.split(separates).filter(|word| !word.is_empty()) {
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$') || SEPARATORS.contains(&c);
                if word.contains(':') && !word.ends_with(':') {
                    filters.push(word);
                } else if word.chars().all(is_name) {
                    conditions.push((role, word.to_owned()));
                } else {
                    return None;
                }
            }
        }
        // `def f` is no type.
        let makes = conditions.iter().filter(|(role, _)| *role == TypeRole::Makes).count();
        (makes <= 1 && !conditions.is_empty()).then(|| (conditions, filters.join(" ")))
    }

    /// True if there is no condition.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The conditions as words: `makes Client and takes Request`.
    pub fn words(&self) -> String {
        let words = self.conditions.iter().map(|(role, name)| format!("{} `{name}`", role.word()));
        words.collect::<Vec<_>>().join(" and ")
    }

    /// The definitions that meet every condition; `None` if there is no condition.
    pub fn matches(&self, index: &Index, types: &TypeTable) -> Option<FxHashSet<DefinitionId>> {
        let of_each = self.conditions.iter().map(|(role, name)| meeting(index, types, *role, name).unwrap_or_default());
        of_each.reduce(|a, b| a.intersection(&b).copied().collect())
    }

    /// The same; `None` as well if a condition names neither a type of the index nor one from outside that annotations
    /// name.
    pub fn matches_of_types(&self, index: &Index, types: &TypeTable) -> Option<FxHashSet<DefinitionId>> {
        let of_each = self.conditions.iter().map(|(role, name)| meeting(index, types, *role, name));
        let of_each = of_each.collect::<Option<Vec<_>>>()?.into_iter();
        of_each.reduce(|a, b| a.intersection(&b).copied().collect())
    }
}

/// The definitions that meet one condition; `None` if its name is that of no type.
fn meeting(index: &Index, types: &TypeTable, role: TypeRole, name: &str) -> Option<FxHashSet<DefinitionId>> {
    let of = types_named(index, name);
    if of.is_empty() {
        return Some(naming_outside(index, role, name)).filter(|found| !found.is_empty());
    }
    Some(of.into_iter().flat_map(|id| types.of(role, id)).copied().collect())
}

/// The definitions that take or make a type that the sources do not define, such as `HttpRequest` of Django: those
/// whose annotations have exactly this name.
fn naming_outside(index: &Index, role: TypeRole, name: &str) -> FxHashSet<DefinitionId> {
    let name = name.rsplit(SEPARATORS).next().unwrap_or(name);
    if name.is_empty() || matches!(role, TypeRole::Is | TypeRole::Raises) {
        return FxHashSet::default();
    }
    let is_named = |text: &str| has_last_name(text, name);
    let fits = |signature: &Signature| match role {
        TypeRole::Makes => returns(signature, is_named),
        _ => takes(signature, is_named),
    };
    let names = |definition: &Definition| {
        let mut signatures = definition.signature.as_deref().into_iter().chain(&definition.overloads);
        definition.kind != DefinitionKind::Class && signatures.any(fits)
    };
    index.definitions_with_ids().filter(|(_, definition)| names(definition)).map(|(id, _)| id).collect()
}

/// The types with a name, or else those whose names begin with it, ignoring case.
fn types_named(index: &Index, name: &str) -> Vec<DefinitionId> {
    let name = name.trim_end_matches(SEPARATORS);
    let name = name.rsplit(SEPARATORS).next().unwrap_or(name);
    let is_type = |kind| matches!(kind, DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::TypeAlias);
    let types = || index.definitions_with_ids().filter(|(_, definition)| is_type(definition.kind));
    let ids = |is: &dyn Fn(&str) -> bool| -> Vec<DefinitionId> {
        let named = types().filter(|(_, definition)| definition.last_names().any(is));
        named.map(|(id, _)| id).collect()
    };
    let exact = ids(&|other| other.eq_ignore_ascii_case(name));
    if exact.is_empty() {
        ids(&|other| other.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
    } else {
        exact
    }
}
