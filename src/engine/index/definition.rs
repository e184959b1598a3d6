//! A definition: what can be called or read, with its signature and place.

use std::sync::Arc;

use arcstr::ArcStr;
use thin_vec::ThinVec;

use crate::{
    language::Language,
    program::{DefinitionId, DefinitionKind, Modifiers, ModuleId, DefinitionPlace, Signature},
    usage::Usage,
};

/// A function, method, class, property or constant.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Fully qualified name: the module's and every named container's, such as
    /// `google.adk.agents.llm_agent.LlmAgent`.
    pub fqn: ArcStr,
    /// The shortest public name that leads here; equal to `fqn` where there is no other.
    pub alias: ArcStr,
    /// Every other name that leads here through re-exports and assignments, sorted.
    pub aliases: ThinVec<ArcStr>,
    /// The last part of `fqn`.
    pub name: ArcStr,
    /// What it is.
    pub kind: DefinitionKind,
    /// The language it is written in.
    pub language: Language,
    /// The module whose file holds it.
    pub module: ModuleId,
    /// The class or function that it is nested in.
    pub parent: Option<DefinitionId>,
    /// What is directly inside it, in source order: methods, properties, attributes, nested classes.
    pub members: ThinVec<DefinitionId>,
    /// Where it stands.
    pub place: DefinitionPlace,
    /// The first paragraph of its docstring on one line, control characters removed.
    pub summary: Option<ArcStr>,
    /// The bases of a class as written, such as `BaseAgent` or `Generic[T]`.
    pub bases: ThinVec<ArcStr>,
    /// The classes of the sources that a class inherits from, in the order in which members are looked up.
    pub ancestors: ThinVec<DefinitionId>,
    /// Its decorators as written, without `@`.
    pub decorators: ThinVec<ArcStr>,
    /// What a call passes; of a class, its effective constructor's. `None` where it is not callable, or
    /// where the constructor is inherited from outside the sources and so is not known. Equal ones are kept once.
    pub signature: Option<Arc<Signature>>,
    /// The type of a property, attribute or constant, as written.
    pub annotation: Option<ArcStr>,
    /// The value of a constant or attribute as written, where it is short.
    pub value: Option<ArcStr>,
    /// Of an overloaded function, what callers see; `signature` is the implementation's.
    pub overloads: ThinVec<Signature>,
    /// Type parameters of a class, interface or type alias as written, such as `T extends object`.
    pub type_parameters: Option<ArcStr>,
    /// Words before its name.
    pub modifiers: Modifiers,
    /// Names of types in its texts, with the definition that each means where that is in the sources. Type parameters,
    /// and what every file knows without an import, are not among them.
    pub type_names: ThinVec<(ArcStr, Option<DefinitionId>)>,
    /// Reachable by public names: no part of some name of it begins with `_`, and it is not nested in a
    /// function.
    pub is_public: bool,
    /// How it is called. What is said of all that nobody calls is kept once.
    pub usage: Arc<Usage>,
}

impl Definition {
    /// How it is called, to be changed: a copy of what others share.
    pub fn usage_mut(&mut self) -> &mut Usage {
        Arc::make_mut(&mut self.usage)
    }

    /// Its signature, to be changed: a copy of what others share.
    pub fn signature_mut(&mut self) -> Option<&mut Signature> {
        self.signature.as_mut().map(Arc::make_mut)
    }
}
