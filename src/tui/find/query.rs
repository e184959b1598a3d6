//! What is typed into the finder: words to match, and filters such as `kind:class`.

use rayon::prelude::*;

use super::needle::is_plain;
use crate::tui::catalog::Topic;
use apidisc::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
};

/// The filters, each with an example and what it keeps.
pub const FILTERS: [(&str, &str); 4] = [
    ("kind:class", "classes; likewise function, method, module, parameter, …"),
    ("in:agents", "what stands in a package, module or class of that name"),
    ("param:timeout", "what takes a parameter of that name"),
    ("unused", "what nobody calls or passes"),
];

/// Words and filters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What is matched fuzzily; each word has to match.
    pub words: String,
    filters: Vec<Filter>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    Kind(String),
    In(String),
    Param(String),
    Unused,
}

impl Query {
    /// Reads what was typed. A filter without a value is still being typed and keeps everything.
    pub fn parse(typed: &str) -> Self {
        let mut query = Self::default();
        for word in typed.split_whitespace() {
            let filter = match word.split_once(':') {
                Some(("kind", value)) => Filter::Kind(value.to_lowercase()),
                Some(("in", value)) => Filter::In(value.to_owned()),
                Some(("param", value)) => Filter::Param(value.to_owned()),
                _ if word == "unused" => Filter::Unused,
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

    pub(super) fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// True where whatever it finds would have been found by `last` too.
    pub(super) fn narrows(&self, last: &Self) -> bool {
        self.filters == last.filters
            && !last.words.is_empty()
            && self.words.starts_with(&last.words)
            && is_plain(&self.words)
    }

    /// True where whatever its filters keep was kept by `last` too: they are the same, and more of them or more of the
    /// last one may have been typed.
    pub(super) fn filters_narrow(&self, last: &[Filter]) -> bool {
        let Some((typed, before)) = last.split_last() else { return true };
        self.filters.len() >= last.len()
            && self.filters.starts_with(before)
            && match (&self.filters[before.len()], typed) {
                (Filter::Kind(now), Filter::Kind(then)) => {
                    now.starts_with(then.as_str()) && (now.len() > CLASS.len()) == (then.len() > CLASS.len())
                }
                (Filter::In(now), Filter::In(then)) | (Filter::Param(now), Filter::Param(then)) => {
                    now.starts_with(then.as_str())
                }
                (now, then) => now == then,
            }
    }

    /// Finds out what every filter keeps.
    pub(super) fn judge<'a>(&'a self, index: &'a Index) -> Judge<'a> {
        let verdict = |(i, definition): (usize, &Definition)| {
            let id = DefinitionId::new(i);
            let is_kept = self.filters.iter().all(|filter| filter.keeps_definition(index, id, definition));
            let parameters = self.filters.iter().map(|filter| filter.keeps_parameters(index, id, definition));
            (is_kept, parameters.min().unwrap_or(Kept::All))
        };
        Judge {
            query: self,
            index,
            modules: index.modules.iter().enumerate().map(|(i, _)| self.keeps_module(index, i)).collect(),
            definitions: index.definitions.par_iter().enumerate().map(verdict).collect(),
        }
    }

    fn keeps_module(&self, index: &Index, module: usize) -> bool {
        let module = &index.modules[module];
        self.filters.iter().all(|filter| match filter {
            Filter::Kind(kind) => {
                "module".starts_with(kind.as_str()) || module.is_package && "package".starts_with(kind.as_str())
            }
            Filter::In(place) => stands_in(&module.fqn, place),
            Filter::Param(_) => false,
            Filter::Unused => module.total_calls == 0,
        })
    }
}

/// How many of something a filter keeps; the fewest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kept {
    None,
    /// That differs from one to the other.
    Some,
    All,
}

impl From<bool> for Kept {
    fn from(is_kept: bool) -> Self {
        if is_kept { Self::All } else { Self::None }
    }
}

/// What the filters of a query keep of an index.
pub(super) struct Judge<'a> {
    query: &'a Query,
    index: &'a Index,
    modules: Vec<bool>,
    /// Themselves, and their parameters.
    definitions: Vec<(bool, Kept)>,
}

impl Judge<'_> {
    pub(super) fn keeps(&self, topic: Topic) -> bool {
        match topic {
            Topic::Repository => false,
            Topic::Module(id) => self.modules[id.index()],
            Topic::Definition(id) => self.definitions[id.index()].0,
            Topic::Argument(id, at) => match self.definitions[id.index()].1 {
                Kept::None => false,
                Kept::All => true,
                Kept::Some => self.query.filters.iter().all(|filter| filter.keeps_parameter(self.index, id, at.into())),
            },
        }
    }
}

impl Filter {
    fn keeps_definition(&self, index: &Index, id: DefinitionId, definition: &Definition) -> bool {
        match self {
            Self::Kind(kind) => is_of_kind(definition.kind, kind),
            Self::In(place) => stands_in(&definition.alias, place) || stands_in(&definition.fqn, place),
            Self::Param(part) => takes(definition, part),
            Self::Unused => definition.kind.is_callable() && index.usage(id).total_calls == 0,
        }
    }

    fn keeps_parameters(&self, index: &Index, id: DefinitionId, definition: &Definition) -> Kept {
        match self {
            Self::Kind(kind) => is_parameter(kind).into(),
            Self::In(_) => self.keeps_definition(index, id, definition).into(),
            Self::Param(part) if takes(definition, part) => Kept::Some,
            Self::Unused if index.usage(id).total_calls > 0 => Kept::Some,
            Self::Param(_) | Self::Unused => Kept::None,
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
            // Of those who call it nobody passes it.
            Self::Unused => {
                let usage = index.usage(id);
                usage.total_calls > 0 && usage.parameters.get(at).is_some_and(|row| row.count == 0 && row.unknown == 0)
            }
        }
    }
}

/// What class methods begin with too.
const CLASS: &str = "class";

/// `class` means no class methods; `method` means all kinds of methods.
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

/// True where a part of a name in full begins with `place`.
fn stands_in(name: &str, place: &str) -> bool {
    name.match_indices(place).any(|(at, _)| at == 0 || name[..at].ends_with(['.', '/', '#']))
}

fn takes(definition: &Definition, part: &str) -> bool {
    definition.signature.as_ref().is_some_and(|s| s.parameters.iter().any(|p| p.name.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_told_from_words() {
        let query = Query::parse("  llm kind:Class run in:google.adk unused ");
        assert_eq!(query.words, "llm run");
        let filters = [Filter::Kind("class".into()), Filter::In("google.adk".into()), Filter::Unused];
        assert_eq!(query.filters, filters);
        assert!(Query::parse("std::vector unuse").filters.is_empty());
        assert!(Query::parse("").filters.is_empty());
    }
}
