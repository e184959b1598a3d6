//! Queries by type: `makes:Client`, `takes:Request`, `is:Store`, `raises:Timeout`, and `Request -> Response`, which
//! finds what takes the one and makes the other.

use rustc_hash::FxHashSet;

use super::{TypeRole, TypeTable};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Index;

/// The arrow between what a function takes and what it makes.
const ARROW: &str = "->";

/// Conditions on the types of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeQuery {
    /// Each condition: a role, and the name of the type, which may be empty while it is typed.
    conditions: Vec<(TypeRole, String)>,
}

impl TypeQuery {
    /// The conditions of a typed query, and the other words.
    pub fn parse(typed: &str) -> (Self, String) {
        let mut query = Self::default();
        if let Some((takes, makes)) = typed.split_once(ARROW) {
            let separates = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
            for (role, text) in [(TypeRole::Takes, takes), (TypeRole::Makes, makes)] {
                let names = text.split(separates).filter(|name| !name.is_empty());
                query.conditions.extend(names.map(|name| (role, name.to_owned())));
            }
            return (query, String::new());
        }
        let mut words = Vec::new();
        for word in typed.split_whitespace() {
            let role = word.split_once(':').and_then(|(role, name)| {
                let role = TypeRole::ALL.into_iter().find(|other| other.word() == role)?;
                Some((role, name.to_owned()))
            });
            match role {
                Some(condition) => query.conditions.push(condition),
                None => words.push(word),
            }
        }
        (query, words.join(" "))
    }

    /// True if there is no condition.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The definitions that meet every condition; `None` if none of them names a type yet.
    pub fn matches(&self, index: &Index, types: &TypeTable) -> Option<FxHashSet<DefinitionId>> {
        let named = self.conditions.iter().filter(|(_, name)| !name.is_empty());
        named
            .map(|(role, name)| {
                let of = types_named(index, name);
                of.into_iter().flat_map(|id| types.of(*role, id)).copied().collect()
            })
            .reduce(|a: FxHashSet<DefinitionId>, b| a.intersection(&b).copied().collect())
    }
}

/// The types with a name, or else those whose names begin with it, ignoring case.
fn types_named(index: &Index, name: &str) -> Vec<DefinitionId> {
    let name = name.rsplit(['.', '#', '/']).next().unwrap_or(name);
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
