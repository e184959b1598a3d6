//! Definitions: everything that can be called or read, with signature, place and usage.

use std::{cmp::Reverse, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use thin_vec::ThinVec;

use crate::usage::Usage;
use apidisc_base::{
    language::{Language, QualifiedName},
    sort::SharedSort as _,
};
use apidisc_facts::{
    documentation::Documentation,
    program::{DefinitionId, DefinitionKind, DefinitionPlace, Modifiers, ModuleId, Parameter, Signature},
};

/// A function, method, class, property, constant or type.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The fully qualified name: module, containers and own name, such as `google.adk.agents.llm_agent.LlmAgent`. In an
    /// index of sources several definitions may have the same one.
    pub fqn: ArcStr,
    /// The name to show: the shortest public name of the definition. Equal to `fqn` if there is no other name.
    pub alias: ArcStr,
    /// All other names, through re-exports and assignments, each once.
    pub aliases: ThinVec<ArcStr>,
    /// The last part of `fqn`.
    pub name: ArcStr,
    /// The kind of definition.
    pub kind: DefinitionKind,
    /// The language of the definition.
    pub language: Language,
    /// The module that contains the definition.
    pub module: ModuleId,
    /// The class or function directly around the definition; `None` at module level.
    pub parent: Option<DefinitionId>,
    /// The definitions directly inside, in source order: methods, properties, attributes, nested classes.
    pub members: ThinVec<DefinitionId>,
    /// The file and lines of the definition.
    pub place: DefinitionPlace,
    /// The first paragraph of the docstring on one line, without control characters.
    pub summary: Option<ArcStr>,
    /// The rest of the documentation, without the summary.
    pub documentation: Option<Arc<Documentation>>,
    /// The bases of a class as written, such as `BaseAgent` or `Generic[T]`.
    pub bases: ThinVec<ArcStr>,
    /// The ancestors of a class that the sources define, without the class itself, in method resolution order (C3 in
    /// Python).
    pub ancestors: ThinVec<DefinitionId>,
    /// The decorators as written, without `@`.
    pub decorators: ThinVec<ArcStr>,
    /// The signature; for a class, the one of its effective constructor. `None` if the definition is not callable, or
    /// if a constructor from outside the sources is inherited. Equal signatures are shared.
    pub signature: Option<Arc<Signature>>,
    /// The type of a property, attribute, constant or type alias, as written. In a type alias `{ ... }` stands for a
    /// long object type, whose properties are the members of the alias.
    pub annotation: Option<ArcStr>,
    /// The value of a constant or attribute as written; `None` for a long one. Of a function or class of TypeScript
    /// whose overloads have an implementation of any arguments, the parameter of that implementation: `...args`; so of
    /// a function whose only parameter stands for the elements of a tuple.
    pub value: Option<ArcStr>,
    /// The signatures of an overloaded function that callers see, in source order; `signature` is that of the
    /// implementation.
    pub overloads: ThinVec<Signature>,
    /// The type parameters of a class, interface or type alias as written, such as `T extends object`.
    pub type_parameters: Option<ArcStr>,
    /// The TypeScript modifiers.
    pub modifiers: Modifiers,
    /// The type names in the definition's annotations, bases and values, each with its definition if the sources define
    /// it. Type parameters and global types are left out.
    pub type_names: ThinVec<(ArcStr, Option<DefinitionId>)>,
    /// The first parts of names in `type_names` that the sources import from elsewhere, each with the module and the
    /// imported name: `react#ReactNode`, `react#default`, and `react#*` for the namespace of the module.
    pub type_imports: ThinVec<(ArcStr, ArcStr)>,
    /// For a constant with the function type of an interface or object type: the definition of that type, if there is
    /// one. Index files do not keep it.
    pub signature_of: Option<DefinitionId>,
    /// True if the definition belongs to the public API:
    ///
    /// - in Python, it is not inside a function, and at least one of its names has no part that begins with `_` (names
    ///   such as `__init__` are allowed);
    /// - in TypeScript, it is exported, and it is no private member.
    pub is_public: bool,
    /// A typical call of a public definition as the sources write it, on one short line; `None` if no call passes
    /// anything. It is chosen when the sources are indexed, whatever the weights.
    pub typical_call: Option<ArcStr>,
    /// Of a constant of a module: the members of its value that code uses through the constant, as in `log.info(…)`,
    /// each with the number of these calls and reads, most used first, ties by name. These uses count for the
    /// definitions of the members. The name `()` stands for calls of the value itself. Weights do not change the
    /// numbers.
    pub used_members: ThinVec<(ArcStr, u32)>,
    /// How the definition is called and read. Equal usages of unused definitions are shared.
    pub usage: Arc<Usage>,
}

impl Definition {
    /// True for a definition that is called through signatures in its body, without being a class: an interface or type
    /// alias with call signatures, or a value with construct signatures.
    pub fn has_call_signatures(&self) -> bool {
        let is_type = matches!(self.kind, DefinitionKind::Interface | DefinitionKind::TypeAlias);
        (is_type || self.modifiers.is_new) && self.signature.is_some()
    }

    /// True for a value that the sources export without a name: `export default …`, `module.exports = …`.
    pub fn is_nameless(&self) -> bool {
        self.language == Language::TypeScript
            && self.parent.is_none()
            && matches!(self.name.as_str(), "default" | "exports")
    }

    /// The last part of the shortest public name. A default export has the name of its definition, or the name of its
    /// module if the definition has no name in the sources.
    pub fn public_name(&self) -> &str {
        let alias = if self.alias.is_empty() { &self.fqn } else { &self.alias };
        match QualifiedName::new(alias, self.language).container_and_name() {
            (module, "default") if self.is_nameless() => {
                module.trim_end_matches("/index").rsplit('/').next().unwrap_or(module)
            }
            (_, "default") => &self.name,
            (_, name) => name,
        }
    }

    /// The last part of the FQN, and that of the shortest public name if it differs.
    pub fn last_names(&self) -> impl Iterator<Item = &str> {
        let (_, public_name) = QualifiedName::new(&self.alias, self.language).container_and_name();
        std::iter::once(&*self.name).chain((public_name != self.name).then_some(public_name))
    }

    /// The text of the deprecation, maybe empty; `None` if the definition is not deprecated.
    pub fn deprecation(&self) -> Option<&str> {
        self.documentation.as_ref()?.deprecated.as_deref()
    }

    /// The documentation of the parameter at `position` of the signature.
    pub fn parameter_documentation(&self, position: usize) -> Option<&str> {
        let (documentation, signature) = (self.documentation.as_ref()?, self.signature.as_ref()?);
        let label = signature.label(position);
        let by_label = documentation.parameter(&label);
        by_label.or_else(|| documentation.parameter(&signature.parameters.get(position)?.name)).or_else(|| {
            // A destructured object has no name in the code, so its documentation may give it any name.
            let (property, inner) = label.strip_prefix('{')?.split_once('}')?;
            documentation.property_of_any(&[property, inner].concat())
        })
    }

    /// The number of calls and reads in [`Self::used_members`].
    pub fn uses_through(&self) -> u32 {
        self.used_members.iter().map(|(_, uses)| uses).sum()
    }

    /// The uses by which the definition is ranked: its own, and those that are made through it.
    pub fn ranking_uses(&self) -> u32 {
        self.usage.uses() + self.uses_through()
    }

    /// The label of a parameter as callers see it: where called overloads name the parameter at its place otherwise,
    /// their names, those of the most called overload first: `name | request` for `send(name, data)` and
    /// `send(request)`. Else, and for properties, the [shown label](apidisc_facts::program::Signature::shown_label).
    pub fn label_of_parameter(&self, position: usize) -> CompactString {
        let Some(signature) = &self.signature else { return CompactString::default() };
        let own = signature.shown_label(position);
        let is_own = |parameter: &&Parameter| parameter.object.is_none();
        if !signature.parameters.get(position).as_ref().is_some_and(is_own) || self.overloads.is_empty() {
            return own;
        }
        let place = signature.parameters[..position].iter().filter(is_own).count();
        let calls = |at: usize| self.usage.overloads.get(at).map_or(0, |overload| overload.calls);
        let mut called: Vec<usize> = (0..self.overloads.len()).filter(|&at| calls(at) > 0).collect();
        called.shared_sort_by_key(|&at| Reverse(calls(at)));
        let mut names: Vec<CompactString> = Vec::new();
        for overload in called.into_iter().map(|at| &self.overloads[at]) {
            let positions = (0..overload.parameters.len()).filter(|&at| is_own(&&overload.parameters[at]));
            let name = positions.clone().nth(place).map(|at| overload.shown_label(at));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        if names.is_empty() { own } else { names.join(" | ").into() }
    }

    /// True for the member of a class that calls of the class mean.
    pub fn is_constructor(&self) -> bool {
        matches!(&*self.name, "__init__" | "__new__" | "constructor")
    }

    /// Mutable access to the usage. Copies it first if it is shared.
    pub fn usage_mut(&mut self) -> &mut Usage {
        Arc::make_mut(&mut self.usage)
    }

    /// Mutable access to the signature. Copies it first if it is shared.
    pub fn signature_mut(&mut self) -> Option<&mut Signature> {
        self.signature.as_mut().map(Arc::make_mut)
    }
}

apidisc_base::packed::packed_structs! {
    Definition {
        fqn, alias, aliases, name, kind, language, module, parent, members, place, summary, documentation, bases,
        ancestors, decorators, signature, annotation, value, overloads, type_parameters, modifiers, type_names,
        type_imports, signature_of, is_public, typical_call, used_members, usage,
    }
}
