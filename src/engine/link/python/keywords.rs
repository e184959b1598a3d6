//! The keywords that `**kwargs` receives. They become parameters of their own, so that they are counted and shown by
//! their names: properties of `**kwargs`, as the properties of an options object are.

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    bind::{ReceiverPassing, bind},
    emit::Emitter,
    program::GlobalDef,
    signatures::CallableSignature,
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter, ParameterKind, most_passed},
    syntax::python::facts::{CallExpr, FileFacts},
};

/// The arguments of calls for which no signature declares a parameter.
#[derive(Default)]
struct PassedKeywords {
    /// The calls that pass a keyword to `**kwargs`, or to a base from outside the sources.
    calls: FxHashMap<GlobalDef, FxHashMap<CompactString, u32>>,
    /// Doubtful constructors that receive arguments.
    with_arguments: FxHashSet<GlobalDef>,
}

impl Emitter<'_> {
    /// Gives each signature with `**kwargs` the keywords that its calls pass, and completes doubtful constructors.
    pub(super) fn name_keywords(&mut self) {
        let this = &*self;
        let files = (0..self.files.len()).into_par_iter();
        let passed =
            files.map(|file| this.passed_keywords(file)).reduce(PassedKeywords::default, PassedKeywords::merge);
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
