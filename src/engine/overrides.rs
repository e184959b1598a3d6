//! What a person wants shown or hidden whatever a strategy says.
//!
//! **Invariant.** What is pinned is in every stub of a scope that holds it, what is banned in none. A pair of
//! wishes that cannot both hold is an error, never a silent choice between them.

use std::{collections::BTreeSet, convert::Infallible, fmt, str::FromStr};

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::{
    index::{Definition, Index, LookupError, Scope},
    program::{DefinitionId, DefinitionKind, ParameterSet, Signature},
};

/// Members and arguments that stay or go in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overrides {
    /// Always shown; an argument brings its member along. What lies outside of a scope is not shown there.
    pub pinned: BTreeSet<OverrideTarget>,
    /// Never shown; of a class, nothing in it either. The calls that need it count as not covered.
    pub banned: BTreeSet<OverrideTarget>,
}

/// A member or one of its arguments, written `module.Class.method` or `module.Class.method(argument)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OverrideTarget {
    /// The definition's FQN, an alias of it, or a unique suffix.
    pub definition: CompactString,
    /// The parameter's name, with or without stars.
    pub parameter: Option<CompactString>,
}

/// A pin or a ban that cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{target} cannot be {}: {why}", if *.is_pin { "pinned" } else { "banned" })]
pub struct OverrideError {
    /// What was to be pinned or banned.
    pub target: OverrideTarget,
    /// A pin, not a ban.
    pub is_pin: bool,
    /// OverrideProblem it cannot be.
    pub why: OverrideProblem,
}

/// OverrideProblem a pin or a ban cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverrideProblem {
    /// Nothing has that name, or several things have.
    #[error(transparent)]
    Lookup(LookupError),
    /// It is a module.
    #[error("it is a module; name a class, a function or one of their arguments")]
    Module,
    /// It has no such parameter; these it has.
    #[error("it has no argument of that name; it has {}", if .0.is_empty() { "none" } else { .0 })]
    NoParameter(String),
    /// Stubs hold public definitions only.
    #[error("it is not public, and stubs hold what is public")]
    Private,
    /// It stands for its class.
    #[error("it is the constructor of {0}; name that class, or one of its arguments")]
    Constructor(CompactString),
    /// A call without it is an error.
    #[error("it is required, and no call can be written without it")]
    Required,
    /// It comes with something that stays.
    #[error("{0} cannot be shown without it")]
    Needed(String),
    /// It is both pinned and banned, or what it stands in is banned.
    #[error("{0} is banned")]
    Banned(CompactString),
    /// Its name cannot be written in the stub's language.
    #[error("its name cannot be written in a stub")]
    Unwritable,
}

/// [`Overrides`] over the definitions of one index.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedOverrides(FxHashMap<DefinitionId, Rule>);

/// What holds for one definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rule {
    /// It or an argument of it is pinned.
    pub(crate) is_pinned: bool,
    pub(crate) is_banned: bool,
    pub(crate) pinned: ParameterSet,
    pub(crate) banned: ParameterSet,
}

impl Overrides {
    /// True where there is none.
    pub fn is_empty(&self) -> bool {
        self.pinned.is_empty() && self.banned.is_empty()
    }

    /// What they mean for the definitions of `index`.
    ///
    /// # Errors
    /// The first one that cannot be kept in any scope, pins first, each in the order of its text.
    pub(crate) fn resolve(&self, index: &Index) -> Result<ResolvedOverrides, OverrideError> {
        let mut rules = ResolvedOverrides::default();
        for target in &self.banned {
            rules.ban(index, target).map_err(|why| error(target, false, why))?;
        }
        for target in &self.pinned {
            rules.pin(index, target).map_err(|why| error(target, true, why))?;
        }
        Ok(rules)
    }

    /// OverrideProblem a pin or a ban cannot be kept whatever the scope; `None` where all can.
    pub fn problem(&self, index: &Index) -> Option<OverrideError> {
        self.resolve(index).err()
    }
}

pub(crate) fn error(target: &OverrideTarget, is_pin: bool, why: OverrideProblem) -> OverrideError {
    OverrideError { target: target.clone(), is_pin, why }
}

impl OverrideTarget {
    /// A definition, or one of its arguments by position.
    pub fn of(definition: &Definition, position: Option<usize>) -> Self {
        let parameter = |at: usize| Some(definition.signature.as_ref()?.label(at)).filter(|label| !label.is_empty());
        Self { definition: CompactString::new(&definition.fqn), parameter: position.and_then(parameter) }
    }

    /// What it is about: a definition, and an argument of it by position. `None` where nothing has that name.
    pub fn place(&self, index: &Index) -> Option<(DefinitionId, Option<usize>)> {
        self.find(index).ok()
    }

    /// The definition, and the position of the argument in its signature.
    pub(crate) fn find(&self, index: &Index) -> Result<(DefinitionId, Option<usize>), OverrideProblem> {
        let id = match index.scope(None, Some(&self.definition)).map_err(OverrideProblem::Lookup)? {
            Scope::Definition(id) => id,
            Scope::Module(_) | Scope::Repository => return Err(OverrideProblem::Module),
        };
        let definition = index.definition(id);
        if !definition.is_public {
            return Err(OverrideProblem::Private);
        }
        let class = definition.parent.map(|parent| (parent, index.definition(parent)));
        if let Some((_, class)) = class.filter(|_| matches!(&*definition.name, "__init__" | "__new__")) {
            return Err(OverrideProblem::Constructor(CompactString::new(&class.alias)));
        }
        let named = |of: &Definition, name: &str| {
            let signature = of.signature.as_ref()?;
            let mut positions = 0..signature.parameters.len();
            let labelled = positions.clone().find(|&at| signature.label(at) == name);
            labelled.or_else(|| positions.find(|&at| signature.parameters[at].name == name))
        };
        let Some(name) = &self.parameter else {
            // A field that the constructor shows is that argument of it.
            let field = class.filter(|(_, class)| {
                definition.kind == DefinitionKind::Attribute
                    && class.signature.as_ref().is_some_and(|signature| signature.is_synthesized)
            });
            let field = field.and_then(|(id, class)| Some((id, named(class, &definition.name)?)));
            return Ok(field.map_or((id, None), |(class, position)| (class, Some(position))));
        };
        match named(definition, name) {
            Some(position) => Ok((id, Some(position))),
            None => Err(OverrideProblem::NoParameter(labels(definition))),
        }
    }
}

fn labels(definition: &Definition) -> String {
    let labels = |signature: &Signature| (0..signature.parameters.len()).map(|at| signature.label(at)).collect();
    definition.signature.as_deref().map_or_else(Vec::new, labels).join(", ")
}

impl fmt::Display for OverrideTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.definition)?;
        self.parameter.as_ref().map_or(Ok(()), |parameter| write!(f, "({parameter})"))
    }
}

impl FromStr for OverrideTarget {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let argument = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
        Ok(match argument {
            Some((definition, parameter)) => {
                Self { definition: definition.trim().into(), parameter: Some(parameter.trim().into()) }
            }
            None => Self { definition: text.trim().into(), parameter: None },
        })
    }
}

impl ResolvedOverrides {
    /// What holds for a definition.
    pub(crate) fn of(&self, id: DefinitionId) -> Option<&Rule> {
        self.0.get(&id)
    }

    /// The definition itself is banned, or a class that it stands in; that one.
    pub(crate) fn ban_over(&self, index: &Index, id: DefinitionId) -> Option<DefinitionId> {
        let outwards = std::iter::successors(Some(id), |&at| index.definition(at).parent);
        outwards.into_iter().find(|at| self.of(*at).is_some_and(|rule| rule.is_banned))
    }

    /// Definitions that are pinned, or have pinned arguments.
    pub(crate) fn pinned(&self) -> impl Iterator<Item = DefinitionId> + '_ {
        self.0.iter().filter(|(_, rule)| rule.is_pinned).map(|(id, _)| *id)
    }

    fn ban(&mut self, index: &Index, target: &OverrideTarget) -> Result<(), OverrideProblem> {
        let (id, position) = target.find(index)?;
        let Some(position) = position else {
            self.0.entry(id).or_default().is_banned = true;
            return Ok(());
        };
        let signature = index.definition(id).signature.as_ref();
        if signature.is_some_and(|signature| signature.is_always_required(position)) {
            return Err(OverrideProblem::Required);
        }
        self.0.entry(id).or_default().banned.insert(position);
        Ok(())
    }

    fn pin(&mut self, index: &Index, target: &OverrideTarget) -> Result<(), OverrideProblem> {
        let (id, position) = target.find(index)?;
        if let Some(banned) = self.ban_over(index, id) {
            return Err(OverrideProblem::Banned(CompactString::new(&index.definition(banned).alias)));
        }
        let rule = self.0.entry(id).or_default();
        rule.is_pinned = true;
        if let Some(position) = position {
            if rule.banned.contains(position) {
                return Err(OverrideProblem::Banned("it".into()));
            }
            rule.pinned.insert(position);
        }
        Ok(())
    }
}
