//! The keywords that `**kwargs` receives. They become parameters of their own, so that they are counted and shown by
//! their names: properties of `**kwargs`, as the properties of an options object are.

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    bind::{ReceiverPassing, bind},
    emit::{DefinitionSource, Emitter},
    forwards::{ForwardedArguments, Forwards},
    program::GlobalDef,
    signatures::CallableSignature,
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter, ParameterKind, most_passed},
    syntax::python::facts::{Arg, CallExpr, FileFacts},
};

/// The greatest number of arguments in one `*args` whose parameters are looked for.
const MAX_POSITIONAL: usize = 16;

/// The arguments of calls for which no signature declares a parameter.
#[derive(Default)]
struct PassedKeywords {
    /// The calls that pass a keyword to `**kwargs`, or to a base from outside the sources.
    calls: FxHashMap<GlobalDef, FxHashMap<CompactString, u32>>,
    /// For callables that pass their `*args` on: for each position in `*args`, the calls that pass an argument there.
    positional: FxHashMap<GlobalDef, Vec<u32>>,
    /// Doubtful constructors that receive arguments.
    with_arguments: FxHashSet<GlobalDef>,
}

impl Emitter<'_> {
    /// Gives each signature with `**kwargs` the keywords that its calls pass, and completes doubtful constructors.
    pub(super) fn name_keywords(&mut self) {
        let this = &*self;
        let files = (0..self.files.len()).into_par_iter();
        let mut passed =
            files.map(|file| this.passed_keywords(file)).reduce(PassedKeywords::default, PassedKeywords::merge);
        self.name_forwarded(&mut passed);
        for def in passed.with_arguments {
            self.analysis.callables[def.index()] = CallableSignature::unknown_constructor();
        }
        for (def, keywords) in passed.calls {
            let callable = &mut self.analysis.callables[def.index()];
            if let Some(signature) = &mut callable.signature {
                add_keywords(signature, keywords);
                let overloads = callable.overloads.iter_mut();
                overloads.for_each(|(_, overload)| add_keywords_of_implementation(overload, signature));
            }
        }
        self.name_passed_on();
    }

    /// Names the keywords that each callable passes on by its `**kwargs` and that no call passes.
    fn name_passed_on(&mut self) {
        let mut defs: Vec<GlobalDef> = Vec::new();
        for source in &self.sources {
            if let DefinitionSource::Def(def) = source.1 {
                defs.extend(Some(def).filter(|def| self.forwards(*def)));
            }
        }
        let mut forwards = Forwards::new(&mut self.linker, &self.analysis.callables);
        let mut found = Vec::new();
        for def in defs {
            if forwards.has_keywords(def) {
                let names = forwards.passed_on(def);
                found.extend((!names.is_empty()).then_some((def, names)));
            }
        }
        for (def, names) in found {
            if let Some(signature) = &mut self.analysis.callables[def.index()].signature {
                signature.passed_on = names.into();
            }
        }
    }

    /// Finds the parameters to which callables pass on what their `*args` and `**kwargs` receive. An argument that is
    /// passed on by its position counts for the keyword of its parameter, too.
    fn name_forwarded(&mut self, passed: &mut PassedKeywords) {
        let of_keywords = passed.calls.keys().filter(|def| self.forwards(**def));
        let mut defs: Vec<GlobalDef> = of_keywords.chain(passed.positional.keys()).copied().collect();
        defs.sort_unstable();
        defs.dedup();
        let mut forwards = Forwards::new(&mut self.linker, &self.analysis.callables);
        let mut found = Vec::new();
        for def in defs {
            let mut forwarded = ForwardedArguments::default();
            let mut keywords: Vec<CompactString> =
                passed.calls.get(&def).into_iter().flat_map(|calls| calls.keys().cloned()).collect();
            keywords.sort_unstable();
            for keyword in keywords {
                if let Some(parameter) = forwards.keyword(def, &keyword) {
                    forwarded.keywords.insert(keyword, parameter);
                }
            }
            for (at, &calls) in passed.positional.get(&def).into_iter().flatten().enumerate() {
                let parameter = forwards.positional(def, at);
                if let Some(parameter) = parameter.as_deref().filter(|_| forwards.has_keywords(def)) {
                    *passed.calls.entry(def).or_default().entry(parameter.into()).or_default() += calls;
                }
                forwarded.positional.push(parameter);
            }
            found.push((def, forwarded));
        }
        for (def, forwarded) in found {
            self.analysis.callables[def.index()].forwarded = Some(Box::new(forwarded));
        }
    }

    /// True for a function, or for the class of a constructor, that passes on what its `*args` or `**kwargs` receive.
    fn forwards(&self, def: GlobalDef) -> bool {
        let program = &self.linker.program;
        let function = self.analysis.callables[def.index()].constructor.unwrap_or(def);
        !program.facts(program.file_of(function)).forwards_of(program.local_id(function)).is_empty()
    }

    fn passed_keywords(&self, file: usize) -> PassedKeywords {
        let facts = &self.files[file].facts;
        let mut passed = PassedKeywords::default();
        for (site, resolved) in facts.calls.iter().zip(&self.analysis.resolved[file]) {
            if site.arguments.is_empty() {
                continue;
            }
            // A call with several candidates counts for none of them.
            if let [row] = self.candidate_rows(resolved)[..]
                && let Some((def, passing)) = self.callee(resolved, row)
            {
                passed.add(facts, site, def, &self.analysis.callables[def.index()], passing);
                if site.arguments.iter().any(|argument| argument.kind.is_positional()) && self.forwards(def) {
                    passed.add_positional(facts, site, def, &self.analysis.callables[def.index()], passing);
                }
            }
        }
        passed
    }
}

impl PassedKeywords {
    fn add(
        &mut self,
        facts: &FileFacts,
        site: &CallExpr,
        def: GlobalDef,
        callable: &CallableSignature,
        passing: ReceiverPassing,
    ) {
        let keywords = || site.arguments.iter().filter_map(|argument| argument.keyword);
        if callable.is_doubtful {
            self.with_arguments.insert(def);
            for keyword in keywords() {
                self.count(def, facts.name(keyword));
            }
            return;
        }
        let Some(signature) = callable.signature.as_ref().filter(|_| keywords().next().is_some()) else { return };
        let swallowed = signature.parameters.iter().position(|p| p.kind == ParameterKind::VarKeyword);
        if swallowed.is_none() && !callable.takes_any_keyword {
            return;
        }
        let bounds = bind(facts, &site.arguments, callable, passing);
        for (argument, bound) in site.arguments.iter().zip(bounds) {
            let is_swallowed = match bound {
                BoundParameter::Parameter(position) => swallowed == Some(usize::from(position)),
                BoundParameter::Named(_) => true,
                BoundParameter::Receiver(_) | BoundParameter::Unknown => false,
            };
            if let Some(keyword) = argument.keyword.filter(|_| is_swallowed && argument.kind == ArgumentKind::Keyword) {
                self.count(def, facts.name(keyword));
            }
        }
    }

    /// Adds the arguments that `*args` receives.
    fn add_positional(
        &mut self,
        facts: &FileFacts,
        site: &CallExpr,
        def: GlobalDef,
        callable: &CallableSignature,
        passing: ReceiverPassing,
    ) {
        let parameters = callable.signature.iter().flat_map(|signature| &signature.parameters).enumerate();
        let variadic = parameters.filter(|(_, parameter)| parameter.kind == ParameterKind::VarPositional);
        let Some(variadic) = variadic.map(|(at, _)| at).next() else { return };
        let is_star = |argument: &Arg| argument.kind == ArgumentKind::Star;
        let bounds = bind(facts, &site.arguments, callable, passing);
        let before = site.arguments.iter().take_while(|argument| !is_star(argument)).zip(bounds);
        let is_received =
            |bound: &BoundParameter| matches!(bound, BoundParameter::Parameter(at) if usize::from(*at) == variadic);
        let received = before.filter(|(_, bound)| is_received(bound)).count().min(MAX_POSITIONAL);
        if received > 0 {
            let calls = self.positional.entry(def).or_default();
            calls.resize(calls.len().max(received), 0);
            calls[..received].iter_mut().for_each(|calls| *calls += 1);
        }
    }

    fn count(&mut self, def: GlobalDef, keyword: &str) {
        *self.calls.entry(def).or_default().entry(keyword.into()).or_default() += 1;
    }

    fn merge(mut self, other: Self) -> Self {
        for (def, keywords) in other.calls {
            let merged = self.calls.entry(def).or_default();
            for (keyword, calls) in keywords {
                *merged.entry(keyword).or_default() += calls;
            }
        }
        for (def, calls) in other.positional {
            let merged = self.positional.entry(def).or_default();
            merged.resize(merged.len().max(calls.len()), 0);
            merged.iter_mut().zip(calls).for_each(|(merged, calls)| *merged += calls);
        }
        self.with_arguments.extend(other.with_arguments);
        self
    }
}

/// Adds the keywords to a signature, as parameters; each comes with the number of calls that pass it. Of many
/// keywords, only those are added that are passed most often: see [`most_passed`]. A signature without `**kwargs` gets
/// a `**kwargs`: calls pass these keywords, so a base from outside the sources takes them.
pub(super) fn add_keywords(signature: &mut LinkedSignature, keywords: FxHashMap<CompactString, u32>) {
    let parameters = &mut signature.parameters;
    let receiver = parameters.iter().position(|p| p.kind == ParameterKind::VarKeyword).unwrap_or_else(|| {
        let mut name = CompactString::const_new("kwargs");
        while parameters.iter().any(|p| p.name == name) {
            name = format_compact!("{name}_");
        }
        parameters.push(LinkedParameter::undeclared(name, ParameterKind::VarKeyword, None));
        signature.is_incomplete = true;
        parameters.len() - 1
    });
    let keywords = most_passed(keywords).into_iter();
    parameters
        .extend(keywords.map(|name| LinkedParameter::undeclared(name, ParameterKind::Property, Some(receiver as u16))));
}

/// Adds the keywords that the `**kwargs` of an implementation receives to an overload with `**kwargs`, as far as the
/// overload does not declare them.
fn add_keywords_of_implementation(overload: &mut LinkedSignature, implementation: &LinkedSignature) {
    let receiver = overload.parameters.iter().position(|p| p.kind == ParameterKind::VarKeyword);
    let Some(receiver) = receiver else { return };
    for keyword in implementation.parameters.iter().filter(|p| p.kind == ParameterKind::Property) {
        if overload.parameters.iter().all(|p| p.name != keyword.name) {
            overload.parameters.push(LinkedParameter { within: Some(receiver as u16), ..keyword.clone() });
        }
    }
}
