//! Queries: words to match, and filters such as `kind:class`.

use rayon::prelude::*;

use super::{Catalog, SearchTarget, matching::is_plain};
use crate::types::TypeQuery;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};

/// The filters: an example of each, and a description of the targets that it keeps.
pub const FILTERS: [(&str, &str); 7] = [
    ("makes:Client", "what returns it; likewise takes: and raises:"),
    ("is:Store", "its subclasses and implementations"),
    ("A -> B", "what takes the one and returns the other"),
    ("kind:class", "classes; likewise function, method, module, parameter, …"),
    ("in:agents", "what stands in a package, module or class of that name"),
    ("param:timeout", "what takes a parameter of that name"),
    ("unused", "what nobody calls or passes"),
];

/// A query as it was typed, parsed into words and filters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The words, separated by single spaces; each of them has to match: one word by its letters in order, several
    /// words whole or abbreviated.
    pub words: String,
    filters: Vec<QueryFilter>,
    /// Conditions on types.
    types: TypeQuery,
}

/// A condition that a target has to satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QueryFilter {
    /// The kind of the target begins with this text.
    Kind(String),
    /// A part of the full name of the target begins with this text.
    In(String),
    /// The target is or has a parameter whose name contains this text.
    Param(String),
    /// No call calls the definition or passes the parameter.
    Unused,
}

impl Query {
    /// True if the query has a condition beside its words.
    pub fn has_filters(&self) -> bool {
        !self.filters.is_empty() || !self.types.is_empty()
    }

    /// The conditions on types.
    pub(super) fn types(&self) -> &TypeQuery {
        &self.types
    }

    /// Parses a typed query. A filter whose value is not typed yet has an empty value, which every name matches.
    pub fn parse(typed: &str) -> Self {
        let (types, typed) = TypeQuery::parse(typed);
        let mut query = Self { types, ..Self::default() };
        for word in typed.split_whitespace() {
            let filter = match word.split_once(':') {
                Some(("kind", value)) => QueryFilter::Kind(value.to_lowercase()),
                Some(("in", value)) => QueryFilter::In(value.to_owned()),
                Some(("param", value)) => QueryFilter::Param(value.to_owned()),
                _ if word == "unused" => QueryFilter::Unused,
                _ => {
                    if !query.words.is_empty() {
                        query.words.push(' ');
                    }
                    query.words.push_str(word);
                    continue;
                }
            };
            query.filters.push(filter);
        }
        query
    }

    pub(super) fn filters(&self) -> &[QueryFilter] {
        &self.filters
    }

    /// True only if every target that this query finds is also found by `last`. The test is conservative: it may be
    /// false in other cases too.
    pub(super) fn narrows(&self, last: &Self) -> bool {
        self.filters == last.filters
            && self.types == last.types
            && !last.words.is_empty()
            && self.words.starts_with(&last.words)
            && is_plain(&self.words)
    }

    /// True if these filters begin with the filters `last`, the final one of which may be a prefix of its counterpart.
    /// Every target that these filters keep is then kept by `last` too.
    pub(super) fn filters_narrow(&self, last: &[QueryFilter]) -> bool {
        let Some((unfinished, before)) = last.split_last() else { return true };
        self.filters.len() >= last.len()
            && self.filters.starts_with(before)
            && match (&self.filters[before.len()], unfinished) {
                (QueryFilter::Kind(now), QueryFilter::Kind(then)) => {
                    now.starts_with(then.as_str()) && (now.len() > CLASS.len()) == (then.len() > CLASS.len())
                }
                (QueryFilter::In(now), QueryFilter::In(then)) | (QueryFilter::Param(now), QueryFilter::Param(then)) => {
                    now.starts_with(then.as_str())
                }
                (now, then) => now == then,
            }
    }

    /// Applies the filters to an index.
    pub(super) fn filter_index<'a>(&'a self, catalog: &'a Catalog) -> FilteredIndex<'a> {
        let index = &catalog.index;
        let related = if self.types.is_empty() { None } else { self.types.matches(index, catalog.types()) };
        let is_related = |id: &DefinitionId| related.as_ref().is_none_or(|related| related.contains(id));
        let filter_definition = |i: usize| {
            let id = DefinitionId::new(i);
            let definition = index.definition(id);
            let is_kept =
                is_related(&id) && self.filters.iter().all(|filter| filter.keeps_definition(index, id, definition));
            let parameters = self.filters.iter().map(|filter| filter.keeps_parameters(index, id, definition));
            let parameters = if self.types.is_empty() { parameters.min() } else { Some(KeptParameters::None) };
            (is_kept, parameters.unwrap_or(KeptParameters::All))
        };
        FilteredIndex {
            query: self,
            index,
            modules: index.modules.iter().enumerate().map(|(i, _)| self.keeps_module(index, i)).collect(),
            definitions: (0..index.definitions.len() + index.inherited.len())
                .into_par_iter()
                .map(filter_definition)
                .collect(),
        }
    }

    fn keeps_module(&self, index: &Index, module: usize) -> bool {
        let module = &index.modules[module];
        let passes = |filter: &QueryFilter| match filter {
            QueryFilter::Kind(kind) => {
                "module".starts_with(kind.as_str()) || module.is_package && "package".starts_with(kind.as_str())
            }
            QueryFilter::In(place) => has_part_starting_with(&module.fqn, place),
            QueryFilter::Param(_) => false,
            QueryFilter::Unused => module.uses() == 0,
        };
        self.types.is_empty() && self.filters.iter().all(passes)
    }
}

/// The parameters of a definition that a filter keeps, ordered from none to all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum KeptParameters {
    None,
    /// Each parameter has to be tested.
    Some,
    All,
}

impl From<bool> for KeptParameters {
    fn from(is_kept: bool) -> Self {
        if is_kept { Self::All } else { Self::None }
    }
}

/// The targets in an index that the filters of a query keep.
pub(super) struct FilteredIndex<'a> {
    query: &'a Query,
    index: &'a Index,
    /// For each module, true if it is kept.
    modules: Vec<bool>,
    /// For each definition and inherited member, true if it is kept, and the parameters that are kept.
    definitions: Vec<(bool, KeptParameters)>,
}

impl FilteredIndex<'_> {
    pub(super) fn contains(&self, target: SearchTarget) -> bool {
        match target {
            SearchTarget::Module(id) => self.modules[id.index()],
            SearchTarget::Definition(id) => self.definitions[id.index()].0,
            SearchTarget::Parameter(id, at) => match self.definitions[id.index()].1 {
                KeptParameters::None => false,
                KeptParameters::All => true,
                KeptParameters::Some => {
                    self.query.filters.iter().all(|filter| filter.keeps_parameter(self.index, id, at.into()))
                }
            },
        }
    }
}

impl QueryFilter {
    fn keeps_definition(&self, index: &Index, id: DefinitionId, definition: &Definition) -> bool {
        match self {
            Self::Kind(kind) => is_of_kind(definition.kind, kind),
            Self::In(place) => {
                has_part_starting_with(&definition.alias, place) || has_part_starting_with(&definition.fqn, place)
            }
            Self::Param(part) => has_parameter_containing(definition, part),
            Self::Unused => definition.kind.is_callable() && index.usage(index.declaration(id)).total_calls == 0,
        }
    }

    fn keeps_parameters(&self, index: &Index, id: DefinitionId, definition: &Definition) -> KeptParameters {
        match self {
            Self::Kind(kind) => is_parameter(kind).into(),
            Self::In(_) => self.keeps_definition(index, id, definition).into(),
            Self::Param(part) if has_parameter_containing(definition, part) => KeptParameters::Some,
            Self::Unused if index.usage(id).total_calls > 0 => KeptParameters::Some,
            Self::Param(_) | Self::Unused => KeptParameters::None,
        }
    }

    fn keeps_parameter(&self, index: &Index, id: DefinitionId, at: usize) -> bool {
        let definition = index.definition(id);
        match self {
            Self::Kind(kind) => is_parameter(kind),
            Self::In(_) => self.keeps_definition(index, id, definition),
            Self::Param(part) => {
                let signature = definition.signature.as_ref();
                signature.and_then(|s| s.parameters.get(at)).is_some_and(|p| p.name.contains(part.as_str()))
            }
            // The definition is called, but no call passes or may pass the parameter.
            Self::Unused => {
                let usage = index.usage(id);
                usage.total_calls > 0 && usage.parameters.get(at).is_some_and(|row| row.count == 0 && row.unknown == 0)
            }
        }
    }
}

/// The common beginning of the kinds `class` and `classmethod`.
const CLASS: &str = "class";

/// True if a definition is of the kind that was typed. `class` leaves out class methods; `method` includes class
/// methods and static methods.
fn is_of_kind(own: DefinitionKind, kind: &str) -> bool {
    match own {
        DefinitionKind::ClassMethod | DefinitionKind::StaticMethod => {
            "method".starts_with(kind) || own.word().starts_with(kind) && kind.len() > CLASS.len()
        }
        own => own.word().starts_with(kind),
    }
}

fn is_parameter(kind: &str) -> bool {
    "parameter".starts_with(kind) || "argument".starts_with(kind)
}

/// True if a part of a full name begins with `beginning`.
fn has_part_starting_with(name: &str, beginning: &str) -> bool {
    name.match_indices(beginning).any(|(at, _)| at == 0 || name[..at].ends_with(['.', '/', '#']))
}

fn has_parameter_containing(definition: &Definition, part: &str) -> bool {
    definition.signature.as_ref().is_some_and(|s| s.parameters.iter().any(|p| p.name.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_and_words_are_separated() {
        let query = Query::parse("  llm kind:Class run in:google.adk unused ");
        assert_eq!(query.words, "llm run");
        let filters = [QueryFilter::Kind("class".into()), QueryFilter::In("google.adk".into()), QueryFilter::Unused];
        assert_eq!(query.filters, filters);
        assert!(Query::parse("std::vector unuse").filters.is_empty());
        assert!(Query::parse("").filters.is_empty());
    }
}
