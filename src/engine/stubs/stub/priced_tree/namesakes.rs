//! The strings that calls pass to parameters of other functions which have the same name and type: what one function
//! takes as `runner`, the next one takes, too.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::{PricedTree, value_texts::Value};
use crate::stub::text::sanitized;
use apidisc_base::sort::SharedSort as _;
use apidisc_indexing::index::Definition;

/// The greatest number of strings.
const MAX_STRINGS: usize = 3;
/// More different strings than these are free text, not a choice.
const MOST_CHOICES: usize = 12;

impl PricedTree {
    /// The strings that calls pass to other parameters with the name and the type of a parameter: those that an intent
    /// names, the most relevant ones first. Empty for a type that allows no string.
    pub(super) fn strings_of_namesakes(&self, definition: &Definition, position: usize) -> Vec<Value> {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let (Some(parameter), Some(intent)) = (parameter, &self.overrides.intent) else { return Vec::new() };
        let is_string = |word: &str| matches!(word, "str" | "string");
        let annotation = parameter.annotation.as_deref().unwrap_or_default();
        if !annotation.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_string) {
            return Vec::new();
        }
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        for other in &self.index.definitions {
            let Some(signature) = other.signature.as_ref().filter(|_| other.language == definition.language) else {
                continue;
            };
            let is_namesake = |at: &usize| {
                let namesake = &signature.parameters[*at];
                namesake.name == parameter.name && namesake.annotation == parameter.annotation
            };
            let namesake = (0..signature.parameters.len()).find(is_namesake);
            let usage = namesake.and_then(|at| other.usage.parameters.get(at));
            for (value, count) in usage.into_iter().flat_map(|usage| &usage.values) {
                if value.len() > 2 && value.starts_with(['"', '\'']) {
                    *counts.entry(value).or_default() += count;
                }
            }
        }
        if counts.len() > MOST_CHOICES {
            return Vec::new();
        }
        let mut ranked: Vec<(f32, u32, &str)> =
            counts.into_iter().map(|(value, count)| (intent.relevance(value), count, value)).collect();
        ranked.retain(|(relevance, ..)| *relevance > 0.0);
        ranked.shared_sort_by(|(x, n, a), (y, m, b)| y.total_cmp(x).then(Reverse(n).cmp(&Reverse(m))).then(a.cmp(b)));
        let texts = ranked.into_iter().take(MAX_STRINGS).map(|(.., value)| sanitized(value));
        texts.map(|text| Value::new(text, None)).collect()
    }
}
