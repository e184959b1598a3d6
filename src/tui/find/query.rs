//! What is typed into the finder: words to match, and filters such as `kind:class`.

use crate::{
    engine::index::{DefinitionKind, Index},
    tui::model::Topic,
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
enum Filter {
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

    /// True where the filters let everything through.
    pub fn is_unfiltered(&self) -> bool {
        self.filters.is_empty()
    }

    /// True where whatever it finds would have been found by `last` too.
    pub fn narrows(&self, last: &Self) -> bool {
        let is_plain = |words: &str| !words.contains(['!', '^', '$', '\'', '\\']);
        self.filters == last.filters
            && !last.words.is_empty()
            && self.words.starts_with(&last.words)
            && is_plain(&self.words)
    }

    /// True where every filter keeps the topic, whose name in full is `name`.
    pub fn keeps(&self, index: &Index, topic: Topic, name: &str) -> bool {
        self.filters.iter().all(|filter| match filter {
            Filter::Kind(kind) => is_kind(index, topic, kind),
            Filter::In(place) => stands_in(index, topic, name, place),
            Filter::Param(part) => takes(index, topic, part),
            Filter::Unused => is_unused(index, topic),
        })
    }
}

/// `class` means no class methods; `method` means all kinds of methods.
fn is_kind(index: &Index, topic: Topic, kind: &str) -> bool {
    let begins = |word: &str| word.starts_with(kind);
    match topic {
        Topic::Repository => false,
        Topic::Module(id) => begins("module") || begins("package") && index.module(id).is_package,
        Topic::Argument(..) => begins("parameter") || begins("argument"),
        Topic::Definition(id) => match index.definition(id).kind {
            own @ (DefinitionKind::ClassMethod | DefinitionKind::StaticMethod) => {
                begins("method") || begins(own.word()) && kind.len() > "class".len()
            }
            own => begins(own.word()),
        },
    }
}

/// True where a part of the name, or of the name it is defined by, begins with `place`.
fn stands_in(index: &Index, topic: Topic, name: &str, place: &str) -> bool {
    let holds = |name: &str| {
        let found = |(at, _): (usize, &str)| at == 0 || name[..at].ends_with(['.', '/', '#']);
        name.match_indices(place).any(found)
    };
    holds(name)
        || match topic {
            Topic::Definition(id) | Topic::Argument(id, _) => holds(&index.definition(id).fqn),
            Topic::Module(_) | Topic::Repository => false,
        }
}

fn takes(index: &Index, topic: Topic, part: &str) -> bool {
    let parameters = |id| index.definition(id).signature.as_ref().map_or(&[][..], |s| &s.parameters);
    match topic {
        Topic::Definition(id) => parameters(id).iter().any(|p| p.name.contains(part)),
        Topic::Argument(id, at) => parameters(id).get(usize::from(at)).is_some_and(|p| p.name.contains(part)),
        Topic::Module(_) | Topic::Repository => false,
    }
}

/// Nobody calls it, or of those who call it nobody passes it.
fn is_unused(index: &Index, topic: Topic) -> bool {
    match topic {
        Topic::Repository => false,
        Topic::Module(id) => index.module(id).total_calls == 0,
        Topic::Definition(id) => {
            let definition = index.definition(id);
            definition.kind.is_callable() && definition.usage.total_calls == 0
        }
        Topic::Argument(id, at) => {
            let usage = index.usage(id);
            usage.total_calls > 0
                && usage.parameters.get(usize::from(at)).is_some_and(|row| row.count == 0 && row.unknown == 0)
        }
    }
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
        assert!(Query::parse("std::vector unuse").is_unfiltered());
        assert!(Query::parse("").is_unfiltered());
    }
}
