//! Finds modules and definitions by name: exactly, through aliases, or by unique suffix. Suggests similar names for an
//! unknown name.

use std::cmp::Reverse;

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{Definition, Index, LookupError, Scope, names::is_package_name, nearest::nearest};
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind, ModuleId},
    source::Origin,
};

/// The largest number of candidates in a [`LookupError::Ambiguous`].
const MAX_CANDIDATES: usize = 6;

impl Index {
    /// The scope that `--module` and `--symbol` name. A name is found exactly, through aliases, or by a unique suffix
    /// of whole parts (`agents.LlmAgent`, `LlmAgent.run`, `src/client#Client.get`). A TypeScript module is also found
    /// by the name by which its package is imported, and a class as `Client.constructor`.
    ///
    /// Of several definitions with the name, these are preferred, in this order: public ones, those in a file of origin
    /// `src`, those at module level, used ones unless another name is shorter, the one that a package exports if the
    /// others are exported by its subpaths.
    ///
    /// If no module is called `module`, it may name a definition instead. If `module` is `None` and no definition is
    /// called `symbol`, `symbol` may name a module instead.
    ///
    /// # Errors
    /// [`LookupError`] if nothing, or more than one thing, has the name.
    pub fn scope(&self, module: Option<&str>, symbol: Option<&str>) -> Result<Scope, LookupError> {
        match (module, symbol) {
            (None, None) => Ok(Scope::Repository),
            (Some(name), None) => self.find_module(name).or_else(|error| self.find_definition_instead(name, error)),
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

    /// The definition called `name`, after no module of this name was found. `error` is the error of that search, which
    /// is returned if there is no such definition either.
    fn find_definition_instead(&self, name: &str, error: LookupError) -> Result<Scope, LookupError> {
        let LookupError::Unknown { what, nearest: modules, .. } = error else { return Err(error) };
        self.find_definition(name, None).map_err(|error| match error {
            LookupError::Unknown { nearest, .. } => {
                let mut all = modules;
                all.extend(nearest);
                all.truncate(MAX_CANDIDATES);
                LookupError::Unknown { what, name: name.to_owned(), nearest: all }
            }
            ambiguous @ LookupError::Ambiguous { .. } => ambiguous,
        })
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
        let is_src = |id: &ModuleId| self.module(*id).file.is_none_or(|file| self.file(file).origin == Origin::Src);
        retain_if_any(&mut found, is_src);
        found.shared_sort_by_key(|&id| (Reverse(self.module(id).uses()), id));
        match found[..] {
            [id] => Ok(Scope::Module(id)),
            [] => Err(LookupError::Unknown {
                what: "module",
                name: name.to_owned(),
                nearest: nearest(name, self.modules.iter().map(|m| (m.fqn.as_str(), m.uses()))),
            }),
            _ => Err(ambiguous(name, found.iter().map(|&id| self.module(id).fqn.clone()), None)),
        }
    }

    /// The only definition that a lookup of the `--symbol` `name` finds; `None` if the lookup finds none or several.
    pub fn definition_meant(&self, name: &str) -> Option<DefinitionId> {
        self.only_definition(name, None).ok()
    }

    /// The definition called `name`. If `within` is given, the definition must be inside this module or definition.
    fn find_definition(&self, name: &str, within: Option<&str>) -> Result<Scope, LookupError> {
        self.only_definition(name, within).map(Scope::Definition).map_err(|found| {
            if found.is_empty() {
                return self.unknown_definition(name, within);
            }
            // The names with the fewest parts come first: a definition near the root of a package is most likely meant.
            let mut names: Vec<_> = found.iter().map(|&id| self.unique_name(id)).collect();
            names.shared_sort_by_key(|name| name.split(QualifiedName::SEPARATORS).count());
            ambiguous(name, names.into_iter(), self.leader(&found))
        })
    }

    /// The only definition called `name`; as an error, all candidates, of which there are none or several.
    fn only_definition(&self, name: &str, within: Option<&str>) -> Result<DefinitionId, Vec<DefinitionId>> {
        let mut found = self.definitions_called(name, within);
        if found.is_empty()
            && let Some(class) = name.strip_suffix(".constructor")
        {
            // A class of TypeScript stands for its constructor.
            found = self.definitions_called(class, within);
            found.retain(|&id| self.definition(id).kind == DefinitionKind::Class);
        }
        retain_if_any(&mut found, |&id| self.definition(id).is_public);
        retain_if_any(&mut found, |&id| self.origin(id) == Origin::Src);
        retain_if_any(&mut found, |&id| self.definition(id).parent.is_none());
        self.drop_unused(&mut found);
        found.shared_sort_by_key(|&id| (Reverse(self.definition(id).usage.uses()), id));
        // Definitions with the same FQN, such as those on the branches of an `if`, count as one candidate: the most
        // used one.
        let mut fqns = FxHashSet::default();
        found.retain(|&id| fqns.insert(&self.definition(id).fqn));
        // Members that several classes inherit from one base count as one candidate, too.
        let mut declarations = FxHashSet::default();
        found.retain(|&id| declarations.insert(self.declaration(id)));
        match found[..] {
            [id] => Ok(id),
            _ => self.at_main_entry(&found).ok_or(found),
        }
    }

    /// Removes the definitions without uses, unless their public names have fewer parts than the public names of all
    /// used definitions.
    fn drop_unused(&self, found: &mut Vec<DefinitionId>) {
        let is_used = |&id: &DefinitionId| self.definition(id).usage.uses() > 0;
        let depth = |id: DefinitionId| {
            let definition = self.definition(id);
            QualifiedName::new(&definition.alias, definition.language).depth()
        };
        if let Some(shortest) = found.iter().copied().filter(is_used).map(depth).min() {
            found.retain(|id| is_used(id) || depth(*id) < shortest);
        }
    }

    /// The definition whose public name is in a package's main entry, such as `zod#string`, if the public names of all
    /// others are in subpaths of this package, such as `zod/v3#string`.
    fn at_main_entry(&self, found: &[DefinitionId]) -> Option<DefinitionId> {
        let module_of = |id: DefinitionId| self.definition(id).alias.split_once('#').map(|(module, _)| module);
        let is_main = |&id: &DefinitionId| {
            let Some(main) = module_of(id).filter(|_| is_package_name(self, &self.definition(id).alias)) else {
                return false;
            };
            let is_subpath = |other: &str| other.strip_prefix(main).is_some_and(|rest| rest.starts_with('/'));
            found.iter().all(|&other| other == id || module_of(other).is_some_and(is_subpath))
        };
        found.iter().copied().find(is_main)
    }

    /// The public name (`alias`) of a definition if a lookup of this name finds the definition, else its FQN.
    pub(super) fn unique_name(&self, id: DefinitionId) -> CompactString {
        let definition = self.definition(id);
        let is_unique = self.definition_named(&definition.alias) == Some(id);
        CompactString::new(if is_unique { &definition.alias } else { &definition.fqn })
    }

    /// The first definition with this FQN. Lookups are rare, so they search [`Index::definitions`] in order; a table of
    /// all names would need as much memory as the names.
    pub fn definition_of(&self, fqn: &str) -> Option<DefinitionId> {
        self.every_definition().find(|(_, definition)| definition.fqn == fqn).map(|(id, _)| id)
    }

    /// The definition whose FQN is `name`, else one with the alias `name`.
    fn definition_named(&self, name: &str) -> Option<DefinitionId> {
        let has_alias = |definition: &Definition| definition.aliases.iter().any(|alias| alias == name);
        let by_alias = || self.every_definition().find(|(_, definition)| has_alias(definition)).map(|(id, _)| id);
        self.definition_of(name).or_else(by_alias)
    }

    /// The definitions called `name`, by the first of these rules that finds any:
    ///
    /// 1. A name of the definition is the full name: `within` followed by `name`. Only the first such definition is
    ///    found.
    /// 2. A name of the definition is inside `within` and equals `name`.
    /// 3. A name of the definition is inside `within` and ends with `name`.
    /// 4. The parts of `name` before the last one name a class by these rules, and the last part names a member of it.
    fn definitions_called(&self, name: &str, within: Option<&str>) -> Vec<DefinitionId> {
        let full_names = [full_name(name, within, '.'), full_name(name, within, '#')];
        let is_full_name = |n: &str| full_names.iter().any(|full_name| full_name == n);
        let exact = |id: &DefinitionId| {
            self.definition_names(*id).any(|n| is_full_name(n) || *n == *name && self.is_in(*id, n, within))
        };
        if let Some(id) = full_names.iter().find_map(|full_name| self.definition_named(full_name)) {
            return vec![id];
        }
        let ids = || self.every_definition().map(|(id, _)| id);
        let mut found: Vec<DefinitionId> = ids().filter(exact).collect();
        if found.is_empty() {
            let matches = |id: &DefinitionId| {
                let language = self.definition(*id).language;
                self.definition_names(*id)
                    .any(|n| QualifiedName::new(n, language).ends_with(name) && self.is_in(*id, n, within))
            };
            found = ids().filter(matches).collect();
        }
        // Finds `Agent.run` if `Agent` is an alias of a class and `run` is a member of this class.
        if found.is_empty()
            && let (class, member) = QualifiedName::guess(name).container_and_name()
            && !class.is_empty()
        {
            let classes = self.definitions_called(class, within);
            let members = classes.iter().filter_map(|&class| self.member_named(class, member));
            found = members.flatten().collect();
        }
        found
    }

    /// The members of a class with this name: its own and inherited ones, else those of the nearest base that has any.
    fn member_named(&self, class: DefinitionId, name: &str) -> Option<Vec<DefinitionId>> {
        let classes = [class].into_iter().chain(self.definition(class).ancestors.iter().copied());
        let named = |class| self.members_of(class).filter(|&id| self.definition(id).name == name).collect();
        classes.map(named).find(|found: &Vec<DefinitionId>| !found.is_empty())
    }

    /// True if a name of a definition is inside `within`, or if `within` is `None`.
    fn is_in(&self, id: DefinitionId, name: &str, within: Option<&str>) -> bool {
        within.is_none_or(|within| QualifiedName::new(name, self.definition(id).language).is_below(within))
    }

    /// The error for an unknown definition. It suggests similar names in `within`, or anywhere if `within` has none.
    fn unknown_definition(&self, name: &str, within: Option<&str>) -> LookupError {
        let names = |only_within: bool| {
            self.every_definition()
                .filter(|(_, definition)| definition.is_public)
                .filter(move |(id, _)| !only_within || self.definition_names(*id).any(|n| self.is_in(*id, n, within)))
                .map(|(_, definition)| (definition.alias.as_str(), definition.usage.uses()))
        };
        let mut found = nearest(name, names(true));
        if found.is_empty() && within.is_some() {
            found = nearest(name, names(false));
        }
        let in_module = within.is_some_and(|within| within.contains('/') && !within.contains('#'));
        let name = full_name(name, within, if in_module { '#' } else { '.' });
        LookupError::Unknown { what: "definition", name, nearest: found }
    }
}

fn ambiguous(name: &str, candidates: impl Iterator<Item = CompactString>, leader: Option<DefinitionId>) -> LookupError {
    LookupError::Ambiguous { name: name.to_owned(), candidates: candidates.take(MAX_CANDIDATES).collect(), leader }
}

/// Retains the preferred elements, or all elements if none is preferred.
fn retain_if_any<T>(found: &mut Vec<T>, is_preferred: impl Fn(&T) -> bool) {
    if found.iter().any(&is_preferred) {
        found.retain(is_preferred);
    }
}

fn module_ends_in(module: &str, suffix: &str) -> bool {
    QualifiedName::guess(module).ends_with(suffix)
}

/// `within` and `name`, joined by `separator`; only `name` if `within` is `None`.
fn full_name(name: &str, within: Option<&str>, separator: char) -> String {
    within.map_or_else(|| name.to_owned(), |within| format!("{within}{separator}{name}"))
}
