//! Signatures that calls are bound to.

use crate::linked::shared_text;
use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::{
    forwards::ForwardedArguments,
    linker::Linker,
    program::{ClassId, GlobalDef, decorator_name},
};
use crate::{
    limits::LinkLimit,
    linked::{LinkedParameter, LinkedSignature},
};
use apidisc_facts::{program::ParameterKind, syntax::MAX_PARAMETERS};

/// The decorators for which a stub states the result of the decorated function.
const KEPT_BY: [&str; 11] = [
    "abstractmethod",
    "asynccontextmanager",
    "cache",
    "classmethod",
    "contextmanager",
    "deprecated",
    "final",
    "lru_cache",
    "override",
    "property",
    "staticmethod",
];

/// The signature of a function or class, with the rules of synthesized constructors.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallableSignature {
    /// `None` for a callee that is not known.
    pub(crate) signature: Option<Box<LinkedSignature>>,
    /// The aliases of parameters, each with the position of its parameter.
    pub(crate) keywords: FxHashMap<CompactString, u16>,
    /// True if parameters can also be passed by their camel-case names (pydantic's alias generators).
    pub(crate) takes_camel_case: bool,
    /// True if a base from outside the sources may take keywords that no parameter has.
    pub(crate) takes_any_keyword: bool,
    /// The `__init__` or `__new__` that the signature of a class is that of; `None` for any other signature.
    pub(crate) constructor: Option<GlobalDef>,
    /// The number of parameters of the function that decorators supply, which the signature leaves out, and of those
    /// that decorators add. If it is 0, the parameters of the signature are those of the function.
    pub(crate) supplied: usize,
    /// Where the callable passes on what its `*args` and `**kwargs` receive, as far as calls pass it.
    pub(crate) forwarded: Option<Box<ForwardedArguments>>,
    /// True if a call with arguments shows that the signature, which has no parameters, is incomplete.
    pub(crate) is_doubtful: bool,
    /// For each parameter, the base class that declares it; `None` if the class itself declares it.
    pub(crate) declared_by: Vec<Option<ClassId>>,
    /// The `@overload`s in source order, each with its signature.
    pub(crate) overloads: Vec<(GlobalDef, LinkedSignature)>,
}

impl CallableSignature {
    /// A constructor of unknown parameters: `(*args, **kwargs)`.
    pub(crate) fn unknown_constructor() -> Self {
        let variadic = |name, kind| LinkedParameter {
            name: CompactString::const_new(name),
            kind,
            annotation: None,
            meaning: None,
            default: None,
            required: false,
            within: None,
            summary: None,
        };
        let parameters =
            vec![variadic("args", ParameterKind::VarPositional), variadic("kwargs", ParameterKind::VarKeyword)];
        let receiver = Some(arcstr::literal!("self"));
        let signature = LinkedSignature { parameters, receiver, is_incomplete: true, ..LinkedSignature::default() };
        Self { signature: Some(Box::new(signature)), ..Self::default() }
    }

    /// A function of unknown parameters: `(*args, **kwargs)`.
    pub(crate) fn unknown_function() -> Self {
        let mut callable = Self::unknown_constructor();
        callable.signature.iter_mut().for_each(|signature| signature.receiver = None);
        callable
    }

    /// Cuts the list of parameters to a length of [`MAX_PARAMETERS`]. Returns true if it is longer.
    fn cut_long_list(&mut self) -> bool {
        let Some(signature) = &mut self.signature else { return false };
        let is_longer = signature.parameters.len() > MAX_PARAMETERS;
        signature.parameters.truncate(MAX_PARAMETERS);
        self.declared_by.truncate(MAX_PARAMETERS);
        is_longer
    }
}

impl Linker<'_> {
    /// The signature of a function without its receiver. If the implementation of an overloaded function leaves out an
    /// annotation, the annotation is the union of those of the overloads.
    pub(crate) fn function_signature(&self, def: GlobalDef) -> LinkedSignature {
        let drops_receiver = self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        let mut signature = self.written_signature(def, drops_receiver);
        let overloads = self.overloads(def);
        if overloads.is_empty() || overloads.contains(&def) {
            return signature;
        }
        let overloads: Vec<LinkedSignature> =
            overloads.into_iter().map(|o| self.written_signature(o, drops_receiver)).collect();
        for parameter in signature.parameters.iter_mut().filter(|p| p.annotation.is_none()) {
            let same = overloads.iter().flat_map(|o| &o.parameters).filter(|p| p.name == parameter.name);
            parameter.annotation = join_annotations(same.map(|p| p.annotation.as_ref()));
        }
        if signature.returns.is_none() {
            signature.returns = join_annotations(overloads.iter().map(|o| o.returns.as_ref()));
        }
        signature
    }

    pub(super) fn written_signature(&self, def: GlobalDef, drops_receiver: bool) -> LinkedSignature {
        let facts = self.program.facts(self.program.file_of(def));
        let Some(function) = self.program.function(def) else { return LinkedSignature::default() };
        let mut parameters: Vec<LinkedParameter> = function
            .parameters
            .iter()
            .map(|p| {
                let text = |source: &Option<(_, ArcStr)>| {
                    source.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty())
                };
                LinkedParameter {
                    name: CompactString::new(facts.name(p.name)),
                    kind: p.kind,
                    annotation: text(&p.annotation),
                    meaning: None,
                    default: text(&p.default),
                    required: p.default.is_none() && !p.kind.is_variadic(),
                    within: None,
                    summary: None,
                }
            })
            .collect();
        let has_receiver = drops_receiver && parameters.first().is_some_and(|p| !p.is_variadic());
        let receiver = has_receiver.then(|| shared_text(parameters.remove(0).name));
        LinkedSignature {
            parameters,
            returns: function.returns.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()),
            inferred_returns: self.inferred_returns(def),
            result: None,
            is_async: function.is_async && !function.is_generator,
            is_synthesized: false,
            receiver,
            type_parameters: None,
            is_incomplete: false,
            passed_on: ThinVec::new(),
            deprecated: None,
        }
    }

    /// The type of a generator without an annotation. A decorator that may return something else than the generator
    /// leaves the result unknown.
    fn inferred_returns(&self, def: GlobalDef) -> Option<ArcStr> {
        let function = self.program.function(def).filter(|function| function.returns.is_none())?;
        function.generator_type().filter(|_| self.is_result_kept(def)).map(shared_text)
    }

    /// True if no decorator of a function may return something else than the function itself.
    pub(super) fn is_result_kept(&self, def: GlobalDef) -> bool {
        self.program.def(def).decorators.iter().all(|(_, text)| KEPT_BY.contains(&decorator_name(text)))
    }

    /// The signature that calls of a function or class are bound to.
    pub(crate) fn callable_signature(&mut self, def: GlobalDef) -> CallableSignature {
        self.begin_query();
        let mut callable = match self.program.class_of(def) {
            Some(class) => self.constructor(class),
            None => CallableSignature {
                signature: Some(Box::new(self.function_signature(def))),
                overloads: self.overload_signatures(def),
                ..CallableSignature::default()
            },
        };
        self.remove_supplied(def, &mut callable);
        let (file, line) = (self.program.file_of(def), self.program.def(def).line);
        self.note_limits(file, line);
        if callable.cut_long_list() {
            self.limits.note(file.index(), LinkLimit::Parameters(MAX_PARAMETERS), line);
        }
        callable
    }

    /// The `@overload`s of a function with their signatures, without the receiver; empty if it is not overloaded.
    pub(super) fn overload_signatures(&self, def: GlobalDef) -> Vec<(GlobalDef, LinkedSignature)> {
        let overloads = self.overloads(def);
        if overloads.is_empty() || overloads == [def] {
            return Vec::new();
        }
        let drops_receiver = self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        overloads.into_iter().map(|overload| (overload, self.written_signature(overload, drops_receiver))).collect()
    }
}

/// The annotations joined by ` | `, each once; `None` if one of them is missing.
fn join_annotations<'t>(annotations: impl Iterator<Item = Option<&'t ArcStr>>) -> Option<ArcStr> {
    let mut seen: Vec<&ArcStr> = Vec::new();
    for annotation in annotations {
        let annotation = annotation?;
        if !seen.contains(&annotation) {
            seen.push(annotation);
        }
    }
    (!seen.is_empty()).then(|| seen.iter().map(|t| t.as_str()).collect::<Vec<_>>().join(" | ").into())
}
