//! Pins and bans: members and arguments that every strategy shows or hides.
//!
//! **Invariant.** A pinned member is in every stub of a scope that holds it, a banned one in none. A conflict between a
//! pin and a ban is an error, never a silent choice.

use std::{collections::BTreeSet, convert::Infallible, fmt, str::FromStr, sync::Arc};

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterSet, Signature};
use apidisc_indexing::index::{Definition, Index, LookupError, Scope};

use crate::intent::{Asked, GivenMembers, IntentWords, PassedTo};

/// Members and arguments that are always shown or always hidden.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overrides {
    /// The targets that are always shown. A pinned argument is shown together with its member. A pin has no effect in a
    /// scope that does not contain its definition.
    pub pinned: BTreeSet<OverrideTarget>,
    /// The targets that are never shown. The ban of a class includes its members. Calls that need a banned definition
    /// or argument are not covered.
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
    /// The member or argument that was to be pinned or banned.
    pub target: OverrideTarget,
    /// True for a pin, false for a ban.
    pub is_pin: bool,
    /// The reason.
    pub why: OverrideProblem,
}

/// Why a pin or a ban cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverrideProblem {
    /// No definition has this name, or several have it.
    #[error(transparent)]
    Lookup(LookupError),
    /// The name belongs to a module.
    #[error("it is a module; name a class, a function or one of their arguments")]
    Module,
    /// The definition has no parameter with this name. The text lists the parameters that it has.
    #[error("it has no argument of that name; it has {}", if .0.is_empty() { "none" } else { .0 })]
    NoParameter(String),
    /// The definition is not public.
    #[error("it is not public, and stubs hold what is public")]
    Private,
    /// The definition is the constructor of this class, whose name must be given instead.
    #[error("it is the constructor of {0}; name that class, or one of its arguments")]
    Constructor(CompactString),
    /// The argument is required by the signature.
    #[error("it is required, and no call can be written without it")]
    Required,
    /// The named part of the stub cannot be shown without the banned definition or argument.
    #[error("{0} cannot be shown without it")]
    Needed(String),
    /// The target is both pinned and banned, or a definition around it is banned.
    #[error("{0} is banned")]
    Banned(CompactString),
    /// The name cannot be written in the language of the stub.
    #[error("its name cannot be written in a stub")]
    Unwritable,
}

/// The pins and bans of one index, and what an intent names, by definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedOverrides {
    of_definitions: FxHashMap<DefinitionId, DefinitionOverrides>,
    /// See [`Asked::intent`].
    pub(crate) intent: Option<Arc<IntentWords>>,
}

/// The pins and bans of one definition and its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct DefinitionOverrides {
    /// True if the definition or an argument of it is pinned.
    pub(crate) is_pinned: bool,
    pub(crate) is_banned: bool,
    /// The pinned arguments, by position.
    pub(crate) pinned: ParameterSet,
    /// The banned arguments, by position.
    pub(crate) banned: ParameterSet,
    /// True if an intent names the definition.
    pub(crate) is_asked: bool,
    /// The place of the definition among those that the intent names, from 0 for the best one.
    pub(crate) rank: usize,
    /// The arguments that an intent names, by position.
    pub(crate) asked: ParameterSet,
    /// The keywords that `**kwargs` passes on and that an intent names, by position.
    pub(crate) asked_passed_on: ParameterSet,
    /// For a reader with an intent: what a call gives to the code around it.
    pub(crate) given: Vec<GivenMembers>,
    /// For a reader with an intent: where a program takes the instances or results of the requested definition.
    pub(crate) passed_to: Option<PassedTo>,
}

impl DefinitionOverrides {
    /// True if an intent names the definition or a parameter of it.
    pub(crate) fn names_something(&self) -> bool {
        self.is_asked || !self.asked.is_empty() || !self.asked_passed_on.is_empty()
    }
}

impl Overrides {
    /// True if nothing is pinned or banned.
    pub fn is_empty(&self) -> bool {
        self.pinned.is_empty() && self.banned.is_empty()
    }

    /// Resolves the names in `index`, and adds what an intent names. A ban is stronger than an intent.
    ///
    /// # Errors
    /// The first override that cannot be kept in any scope. Bans come before pins; both are sorted by name.
    pub(crate) fn resolve(&self, index: &Index, asked: &Asked) -> Result<ResolvedOverrides, OverrideError> {
        let mut resolved = ResolvedOverrides::default();
        for target in &self.banned {
            resolved.ban(index, target).map_err(|why| OverrideError::new(target, false, why))?;
        }
        for target in &self.pinned {
            resolved.pin(index, target).map_err(|why| OverrideError::new(target, true, why))?;
        }
        resolved.add_asked(index, asked);
        if index.is_of_packages() {
            resolved.ban_unused(index);
        }
        Ok(resolved)
    }

    /// The first pin or ban that cannot be kept in any scope; `None` if all can be kept.
    pub fn problem(&self, index: &Index) -> Option<OverrideError> {
        self.resolve(index, &Asked::default()).err()
    }
}

impl OverrideError {
    pub(crate) fn new(target: &OverrideTarget, is_pin: bool, why: OverrideProblem) -> Self {
        Self { target: target.clone(), is_pin, why }
    }
}

impl OverrideTarget {
    /// The target for a definition, or for one of its arguments by position.
    pub fn of(definition: &Definition, position: Option<usize>) -> Self {
        let parameter = |at: usize| Some(definition.signature.as_ref()?.label(at)).filter(|label| !label.is_empty());
        Self { definition: CompactString::new(&definition.fqn), parameter: position.and_then(parameter) }
    }

    /// The definition, and the argument by position. `None` if the name does not resolve.
    pub fn resolve(&self, index: &Index) -> Option<(DefinitionId, Option<usize>)> {
        self.find(index).ok()
    }

    /// The definition, and the argument by position; or the reason why the target cannot be resolved.
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
        if let Some((_, class)) = class.filter(|_| definition.is_constructor()) {
            return Err(OverrideProblem::Constructor(CompactString::new(&class.alias)));
        }
        let position_of = |definition: &Definition, name: &str| {
            let signature = definition.signature.as_ref()?;
            let mut positions = 0..signature.parameters.len();
            let by_label = positions.clone().find(|&at| signature.label(at) == name);
            by_label.or_else(|| positions.find(|&at| signature.parameters[at].name == name))
        };
        let Some(name) = &self.parameter else {
            // A field of a class with a synthesized constructor means the constructor's argument of that name.
            let field = class.filter(|(_, class)| {
                definition.kind == DefinitionKind::Attribute
                    && class.signature.as_ref().is_some_and(|signature| signature.is_synthesized)
            });
            let field = field.and_then(|(id, class)| Some((id, position_of(class, &definition.name)?)));
            return Ok(field.map_or((id, None), |(class, position)| (class, Some(position))));
        };
        match position_of(definition, name) {
            Some(position) => Ok((id, Some(position))),
            None => Err(OverrideProblem::NoParameter(labels(definition))),
        }
    }
}

/// The names of all parameters of a definition, separated by commas.
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
    /// True if there is an intent.
    pub(crate) fn has_intent(&self) -> bool {
        self.intent.is_some()
    }

    /// The pins and bans of a definition.
    pub(crate) fn of(&self, id: DefinitionId) -> Option<&DefinitionOverrides> {
        self.of_definitions.get(&id)
    }

    /// The banned definition: `id` itself or a class around it; `None` if neither is banned.
    pub(crate) fn banned_ancestor(&self, index: &Index, id: DefinitionId) -> Option<DefinitionId> {
        let outwards = std::iter::successors(Some(id), |&at| index.definition(at).parent);
        outwards.into_iter().find(|at| self.of(*at).is_some_and(|overrides| overrides.is_banned))
    }

    /// The definitions that are pinned or have pinned arguments.
    pub(crate) fn pinned(&self) -> impl Iterator<Item = DefinitionId> + '_ {
        self.of_definitions.iter().filter(|(_, overrides)| overrides.is_pinned).map(|(id, _)| *id)
    }

    /// Adds what an intent names, unless it is banned.
    fn add_asked(&mut self, index: &Index, asked: &Asked) {
        self.intent.clone_from(&asked.intent);
        for (id, named) in asked.iter() {
            if self.banned_ancestor(index, id).is_some() {
                continue;
            }
            let overrides = self.of_definitions.entry(id).or_default();
            overrides.is_asked = named.is_named;
            overrides.rank = named.rank;
            let is_allowed = |position: &usize| !overrides.banned.contains(*position);
            overrides.asked = named.parameters.iter().filter(is_allowed).collect();
            overrides.asked_passed_on = named.passed_on.clone();
        }
        for (id, given) in asked.given() {
            self.of_definitions.entry(id).or_default().given = given.to_vec();
        }
        if let Some((id, passed_to)) = asked.passed_to() {
            self.of_definitions.entry(id).or_default().passed_to = Some(passed_to.clone());
        }
    }

    fn ban(&mut self, index: &Index, target: &OverrideTarget) -> Result<(), OverrideProblem> {
        let (id, position) = target.find(index)?;
        let Some(position) = position else {
            self.of_definitions.entry(id).or_default().is_banned = true;
            return Ok(());
        };
        let signature = index.definition(id).signature.as_ref();
        if signature.is_some_and(|signature| signature.is_always_required(position)) {
            return Err(OverrideProblem::Required);
        }
        self.of_definitions.entry(id).or_default().banned.insert(position);
        Ok(())
    }

    /// Bans the optional parameters that no call passes, except those that are pinned or that an intent names: a stub
    /// of a package shows what the program uses of it.
    fn ban_unused(&mut self, index: &Index) {
        for (id, definition) in index.definitions_with_ids().filter(|(_, definition)| definition.is_public) {
            let Some(signature) = &definition.signature else { continue };
            for (position, parameter) in signature.parameters.iter().enumerate() {
                let is_used = definition.usage.parameters.get(position).is_some_and(|row| row.count + row.unknown > 0);
                let is_optional = !parameter.required && !parameter.kind.is_variadic();
                let is_wanted = self
                    .of(id)
                    .is_some_and(|overrides| overrides.pinned.contains(position) || overrides.asked.contains(position));
                if is_optional && !is_used && !is_wanted && !signature.is_always_required(position) {
                    self.of_definitions.entry(id).or_default().banned.insert(position);
                }
            }
        }
    }

    fn pin(&mut self, index: &Index, target: &OverrideTarget) -> Result<(), OverrideProblem> {
        let (id, position) = target.find(index)?;
        if let Some(banned) = self.banned_ancestor(index, id) {
            return Err(OverrideProblem::Banned(CompactString::new(&index.definition(banned).alias)));
        }
        let overrides = self.of_definitions.entry(id).or_default();
        overrides.is_pinned = true;
        if let Some(position) = position {
            if overrides.banned.contains(position) {
                return Err(OverrideProblem::Banned("it".into()));
            }
            overrides.pinned.insert(position);
        }
        Ok(())
    }
}
