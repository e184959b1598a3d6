//! The keywords that `**kwargs` of a definition receives in the calls of all sources. Facts of a source know only the
//! keywords of the calls that the source was linked with, so the fold computes the keyword parameters again, as
//! `link::python` does for one program.
//!
//! Of many keywords of one definition, the facts of a source have only those that are passed most often there: see
//! [`most_passed`]. So the fold may count a keyword less often than an index of all sources, or choose other keywords.

use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    fold::{Fold, FoldError},
    rows::CallRow,
};
use crate::index::{Definition, Index};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind, Signature, most_passed};

/// The keywords that calls of one definition pass to its `**kwargs`.
#[derive(Debug, Default)]
pub(super) struct KeywordCounts {
    /// The name of the `**kwargs` parameter that receives the keywords.
    var_keyword: CompactString,
    /// The keywords, each with the number of calls that pass it.
    calls: FxHashMap<CompactString, u32>,
}

impl Fold {
    /// Adds a call to the keywords of its callee. Every call of all sources has to be added, in any order, before
    /// [`Self::name_keywords`]. Calls of definitions that receive no keywords change nothing.
    ///
    /// # Errors
    /// [`FoldError::MissingSource`].
    pub fn add_keywords(&mut self, row: &CallRow<'_>) -> Result<(), FoldError> {
        let Some(callee) = row.call.callee.filter(|_| !row.params.is_empty()) else { return Ok(()) };
        let Some(id) = self.find(callee)? else { return Ok(()) };
        let definition = self.index.definition(id);
        let Some(signature) = definition.signature.as_deref().filter(|_| definition.language == Language::Python)
        else {
            return Ok(());
        };
        let is_declared = |key: &str| signature.parameters.iter().any(|parameter| parameter.name == key);
        let var_keyword = match var_keyword_position(signature) {
            Some(at) => signature.parameters[at].name.as_str(),
            // The signature declares no `**kwargs`: the `**kwargs` of a base from outside the sources receives the
            // keywords. In `params`, the name of that parameter precedes the names of the keywords.
            None => match row.params.iter().find(|key| !key.contains('.') && **key != "args" && !is_declared(key)) {
                Some(var_keyword) => var_keyword,
                None if row.params.contains(&"args") && lacks_constructor(definition, signature) => "kwargs",
                None => return Ok(()),
            },
        };
        let keyword_of = |key: &&str| key.strip_prefix(var_keyword)?.strip_prefix('.').map(CompactString::from);
        let keywords: Vec<CompactString> = row.params.iter().filter_map(keyword_of).collect();
        let is_new = var_keyword_position(signature).is_none();
        if keywords.is_empty() && !(is_new && lacks_constructor(definition, signature)) {
            return Ok(());
        }
        let passed = self.keywords.entry(id).or_default();
        passed.var_keyword = var_keyword.into();
        for keyword in keywords {
            *passed.calls.entry(keyword).or_default() += 1;
        }
        Ok(())
    }

    /// Adds the keywords of the calls that [`Self::add_keywords`] has collected to the signatures, as parameters.
    pub fn name_keywords(&mut self) {
        for (id, passed) in std::mem::take(&mut self.keywords) {
            add_parameters(&mut self.index, id, passed);
        }
    }
}

/// The position of `**kwargs`.
fn var_keyword_position(signature: &Signature) -> Option<usize> {
    signature.parameters.iter().position(|parameter| parameter.kind == ParameterKind::VarKeyword)
}

/// True for a class without a constructor in the sources. If calls pass arguments to such a class, a base from outside
/// the sources accepts them.
fn lacks_constructor(definition: &Definition, signature: &Signature) -> bool {
    let is_empty = signature.parameters.is_empty() && signature.receiver.is_none() && !signature.is_synthesized;
    definition.kind == DefinitionKind::Class && is_empty
}

/// Adds the keywords that calls pass to the signature of a definition, as parameters.
fn add_parameters(index: &mut Index, id: DefinitionId, passed: KeywordCounts) {
    let definition = index.definition(id);
    let Some(mut signature) = definition.signature.as_deref().cloned() else { return };
    let mut parameters: Vec<Parameter> = signature.parameters.into_vec();
    parameters.retain(|parameter| parameter.kind != ParameterKind::Property);
    signature.parameters = Box::default();
    if lacks_constructor(definition, &signature) && parameters.is_empty() {
        signature.receiver = Some(ArcStr::from("self"));
        parameters.push(Parameter::optional("args".into(), ParameterKind::VarPositional, None));
    }
    let known = parameters.iter().position(|parameter| parameter.kind == ParameterKind::VarKeyword);
    let var_keyword = known.unwrap_or_else(|| {
        signature.is_incomplete = true;
        parameters.push(Parameter::optional(passed.var_keyword.as_str().into(), ParameterKind::VarKeyword, None));
        parameters.len() - 1
    });
    let keywords = most_passed(passed.calls);
    parameters.extend(keywords.iter().map(|name| keyword_parameter(name, var_keyword)));
    signature.parameters = parameters.into();
    let mut overloads = definition.overloads.clone();
    for overload in &mut overloads {
        let Some(var_keyword) = var_keyword_position(overload) else { continue };
        let mut parameters = std::mem::take(&mut overload.parameters).into_vec();
        parameters.retain(|parameter| parameter.kind != ParameterKind::Property);
        let is_new = |name: &&CompactString| parameters.iter().all(|p| p.name != name.as_str());
        let new: Vec<Parameter> =
            keywords.iter().filter(is_new).map(|name| keyword_parameter(name, var_keyword)).collect();
        parameters.extend(new);
        overload.parameters = parameters.into();
    }
    index.set_signatures(id, &Arc::new(signature), &overloads);
}

/// The parameter for a keyword of the `**kwargs` at the position `var_keyword`.
fn keyword_parameter(name: &CompactString, var_keyword: usize) -> Parameter {
    Parameter::optional(name.as_str().into(), ParameterKind::Property, Some(var_keyword as u16))
}
