//! Finds what a name means: exactly, through aliases, by unique suffix; and what it may have meant.

use std::cmp::Reverse;

use compact_str::CompactString;

use super::{
    Definition, Index, LookupError, Scope,
    nearest::{SEPARATORS, nearest},
};
use crate::source::Origin;
use crate::{
    language::QualifiedName,
    program::{DefinitionId, ModuleId},
};

/// An error names that many candidates.
const CANDIDATES: usize = 6;

impl Index {
    /// Finds what `--module` and `--symbol` name: exactly, through aliases, or by unique suffix of whole parts
    /// (`agents.LlmAgent`, `LlmAgent.run`, `src/client#Client.get`); a module of TypeScript also by the name that its
    /// package is imported by.
    ///
    /// Where several definitions match, a public one is meant rather than a private one, the library's own
    /// rather than one of its tests, one at module level rather than a method. A module named as a symbol is
    /// that module, and a class named as a module is that class.
    ///
    /// # Errors
    /// [`LookupError`] where nothing or more than one thing has that name.
    pub fn scope(&self, module: Option<&str>, symbol: Option<&str>) -> Result<Scope, LookupError> {
        match (module, symbol) {
            (None, None) => Ok(Scope::Repository),
            (Some(name), None) => self.find_module(name).or_else(|error| match error {
                LookupError::Unknown { .. } => self.find_definition(name, None).map_err(|_| error),
                LookupError::Ambiguous { .. } => Err(error),
            }),
            (None, Some(name)) => self.find_definition(name, None).or_else(|error| match error {
                LookupError::Unknown { .. } => self.find_module(name).map_err(|_| error),
                LookupError::Ambiguous { .. } => Err(error),
            }),
            (Some(module), Some(symbol)) => match self.scope(Some(module), None)? {
                Scope::Repository => self.find_definition(symbol, None),
                Scope::Module(id) => self.find_definition(symbol, Some(&self.module(id).fqn)),
                Scope::Definition(id) => self.find_definition(symbol, Some(&self.definition(id).fqn)),
            },
        }
    }

    fn find_module(&self, name: &str) -> Result<Scope, LookupError> {
        let exact = self.module_names.get(name).copied();
        let exact = exact.or_else(|| self.modules.iter().position(|m| m.fqn == name).map(ModuleId::new));
        if let Some(id) = exact {
            return Ok(Scope::Module(id));
        }
        let mut found: Vec<ModuleId> = (0..self.modules.len())
            .map(ModuleId::new)
            .filter(|&id| module_ends_in(&self.module(id).fqn, name))
            .collect();
        let is_own = |id: &ModuleId| self.module(*id).file.is_none_or(|file| self.file(file).origin == Origin::Src);
        keep_preferred(&mut found, is_own);
        found.sort_by_key(|&id| (Reverse(self.module(id).total_calls), id));
        match found[..] {
            [id] => Ok(Scope::Module(id)),
            [] => Err(LookupError::Unknown {
                what: "module",
                name: name.to_owned(),
                nearest: nearest(name, self.modules.iter().map(|m| (m.fqn.as_str(), m.total_calls))),
            }),
            _ => Err(ambiguous(name, found.iter().map(|&id| self.module(id).fqn.clone()))),
        }
    }

    /// The definition of that name, of all or of those in a module or class.
    fn find_definition(&self, name: &str, within: Option<&str>) -> Result<Scope, LookupError> {
        let mut found = self.definitions_called(name, within);
        if found.is_empty() {
            return Err(self.unknown_definition(name, within));
        }
        keep_preferred(&mut found, |&id| self.definition(id).is_public);
        keep_preferred(&mut found, |&id| self.origin(id) == Origin::Src);
        keep_preferred(&mut found, |&id| self.definition(id).parent.is_none());
        found.sort_by_key(|&id| (Reverse(self.definition(id).usage.total_calls), id));
        // Several under one full name, as on the branches of an `if`: the one that is called most.
        found.dedup_by(|next, kept| self.definition(*next).fqn == self.definition(*kept).fqn);
        if let [id] = found[..] {
            return Ok(Scope::Definition(id));
        }
        // The nearest to the root of a package is what most people mean.
        let mut names: Vec<_> = found.iter().map(|&id| self.unique_name(id)).collect();
        names.sort_by_key(|name| name.split(SEPARATORS).count());
        Err(ambiguous(name, names.into_iter()))
    }

    /// The public name of a definition, or where that means another one, the name by which it is defined.
    fn unique_name(&self, id: DefinitionId) -> CompactString {
        let definition = self.definition(id);
        let is_it = self.definition_named(&definition.alias) == Some(id);
        CompactString::new(if is_it { &definition.alias } else { &definition.fqn })
    }

    /// The definition of that FQN; of equal ones the first in order. Names are looked up once in a while, and a table
    /// of them all would be as large as they are.
    pub fn definition_of(&self, fqn: &str) -> Option<DefinitionId> {
        self.definitions.iter().position(|definition| definition.fqn == fqn).map(DefinitionId::new)
    }

    /// The definition of that full name: a definition's own name comes before another's alias.
    fn definition_named(&self, full: &str) -> Option<DefinitionId> {
        let has_alias = |definition: &Definition| definition.aliases.iter().any(|alias| alias == full);
        let by_alias = || self.definitions.iter().position(has_alias).map(DefinitionId::new);
        self.definition_of(full).or_else(by_alias)
    }

    fn definitions_called(&self, name: &str, within: Option<&str>) -> Vec<DefinitionId> {
        let full = [full_name(name, within, '.'), full_name(name, within, '#')];
        let is_full = |n: &str| full.iter().any(|full| full == n);
        let exact = |id: &DefinitionId| {
            self.definition_names(*id).any(|n| is_full(n) || *n == *name && self.is_in(*id, n, within))
        };
        if let Some(id) = full.iter().find_map(|full| self.definition_named(full)) {
            return vec![id];
        }
        let ids = || (0..self.definitions.len()).map(DefinitionId::new);
        let mut found: Vec<DefinitionId> = ids().filter(exact).collect();
        if found.is_empty() {
            let matches = |id: &DefinitionId| {
                let language = self.definition(*id).language;
                self.definition_names(*id)
                    .any(|n| QualifiedName::new(n, language).ends_with(name) && self.is_in(*id, n, within))
            };
            found = ids().filter(matches).collect();
        }
        // `Agent.run`, where `Agent` is another name of the class that has it.
        if found.is_empty()
            && let (class, member) = QualifiedName::guess(name).container_and_name()
            && !class.is_empty()
        {
            let classes = self.definitions_called(class, within);
            let members = classes.iter().flat_map(|&class| &self.definition(class).members);
            found = members.copied().filter(|&id| self.definition(id).name == member).collect();
        }
        found
    }

    /// True where a name of a definition is inside `within`, or everything is.
    fn is_in(&self, id: DefinitionId, name: &str, within: Option<&str>) -> bool {
        within.is_none_or(|within| QualifiedName::new(name, self.definition(id).language).is_below(within))
    }

    fn unknown_definition(&self, name: &str, within: Option<&str>) -> LookupError {
        let rows = |only_within: bool| {
            self.definitions_with_ids()
                .filter(|(_, definition)| definition.is_public)
                .filter(move |(id, _)| !only_within || self.definition_names(*id).any(|n| self.is_in(*id, n, within)))
                .map(|(_, definition)| (definition.alias.as_str(), definition.usage.total_calls))
        };
        let mut found = nearest(name, rows(true));
        if found.is_empty() {
            found = nearest(name, rows(false));
        }
        let in_module = within.is_some_and(|within| within.contains('/') && !within.contains('#'));
        let name = full_name(name, within, if in_module { '#' } else { '.' });
        LookupError::Unknown { what: "definition", name, nearest: found }
    }
}

fn ambiguous(name: &str, candidates: impl Iterator<Item = CompactString>) -> LookupError {
    LookupError::Ambiguous { name: name.to_owned(), candidates: candidates.take(CANDIDATES).collect() }
}

/// Leaves those that are preferred, where there are any.
fn keep_preferred<T>(found: &mut Vec<T>, is_preferred: impl Fn(&T) -> bool) {
    if found.iter().any(&is_preferred) {
        found.retain(is_preferred);
    }
}

fn module_ends_in(module: &str, suffix: &str) -> bool {
    QualifiedName::guess(module).ends_with(suffix)
}

/// The full name of what is called `name` in a module, class or function.
fn full_name(name: &str, within: Option<&str>, separator: char) -> String {
    within.map_or_else(|| name.to_owned(), |within| format!("{within}{separator}{name}"))
}
