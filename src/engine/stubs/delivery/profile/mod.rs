//! Profiles: a saved [`StubRequest`] that a deployment replays, with limits that a check verifies.

mod check;
mod read;
mod write;

use std::collections::BTreeMap;

use compact_str::CompactString;

pub use read::ProfileError;

use super::{Delivery, StubRequest};
use apidisc_indexing::index::{Definition, Index};

/// A saved request with the limits and the results of its stub.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The request that is replayed.
    pub request: StubRequest,
    /// The limits that a check verifies.
    pub limits: ProfileLimits,
    /// The properties of the stub when the profile was saved.
    pub saved: Option<SavedStub>,
}

/// The limits that a check verifies. Without limits it only verifies that there is a stub.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProfileLimits {
    /// The largest allowed number of tokens of the delivery.
    pub max_tokens: Option<usize>,
    /// The smallest allowed coverage, the share of calls that can be written from the stub. Between 0 and 1.
    pub min_coverage: Option<f64>,
}

/// The properties of a stub when its profile was saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedStub {
    /// The commit of the first source, if that is a repository.
    pub commit: Option<String>,
    /// Tokens of the delivery.
    pub tokens: usize,
    /// The coverage, cut to three digits as a check cuts it; `None` if no call was known.
    pub coverage: Option<f64>,
    /// Fingerprints of the shown signatures, by FQN.
    pub symbols: BTreeMap<CompactString, CompactString>,
}

/// The folder of profiles in an indexed folder. A profile is the file `NAME.toml` in it.
pub const FOLDER: &str = ".apidisc";

/// The file name of the profile called `name`.
pub fn file_name(name: &str) -> String {
    format!("{name}.toml")
}

/// How far the coverage may fall below that of the saved stub under the limits of a new profile, as a share of all
/// known calls.
const COVERAGE_MARGIN: f64 = 0.05;
/// How far the tokens may rise above those of the saved stub under the limits of a new profile without a budget, as a
/// share of the saved tokens.
const TOKENS_MARGIN: f64 = 0.25;

impl Profile {
    /// A profile of a request and its present delivery. The limits leave some room below the coverage, and above the
    /// tokens if the strategy has no budget.
    pub fn new(request: StubRequest, delivery: &Delivery, index: &Index) -> Self {
        let coverage = delivery.coverage();
        let floor = |share: f64| ((share - COVERAGE_MARGIN) * 100.0).floor().max(0.0) / 100.0;
        let ceiling = |tokens: usize| (tokens as f64 * (1.0 + TOKENS_MARGIN)).ceil() as usize;
        let limits = ProfileLimits {
            max_tokens: delivery.max_tokens.is_none().then(|| ceiling(delivery.tokens)),
            min_coverage: coverage.map(floor),
        };
        let shown = delivery.symbols.iter().filter(|symbol| symbol.visible.is_some());
        let shown = shown.map(|symbol| index.definition(symbol.id));
        let saved = SavedStub {
            commit: index.sources.first().and_then(|source| source.commit.clone()),
            tokens: delivery.tokens,
            coverage: coverage.map(floored),
            symbols: shown.map(|definition| (CompactString::new(&definition.fqn), fingerprint(definition))).collect(),
        };
        Self { request, limits, saved: Some(saved) }
    }
}

/// A share with three digits, rounded down, so that 84.96% does not seem to reach a limit of 85%. What is saved and
/// what a check says are rounded alike: coverage that has not changed is the same number.
fn floored(share: f64) -> f64 {
    (share * 1000.0 + 1e-9).floor() / 1000.0
}

/// A hash of a definition's kind, annotation and signature: FNV-1a in hexadecimal digits.
fn fingerprint(definition: &Definition) -> CompactString {
    let mut hash = apidisc_base::hash::Fnv::default();
    hash.add(definition.kind.word());
    hash.add(definition.annotation.as_deref().unwrap_or_default());
    if let Some(signature) = &definition.signature {
        hash.add(signature.returns.as_deref().unwrap_or_default());
        for (at, parameter) in signature.parameters.iter().enumerate() {
            hash.add(&signature.label(at));
            hash.add(parameter.annotation.as_deref().unwrap_or_default());
            hash.add(parameter.default.as_deref().unwrap_or_default());
            hash.add(if parameter.required { "required" } else { "optional" });
        }
    }
    compact_str::format_compact!("{:016x}", hash.value())
}

#[cfg(test)]
mod tests {
    use super::floored;

    #[test]
    fn a_share_is_cut_and_not_rounded() {
        let digits = |share: f64| format!("{:?}", floored(share));
        assert_eq!([digits(2.0 / 3.0), digits(0.285), digits(1.0), digits(0.8496)], ["0.666", "0.285", "1.0", "0.849"]);
    }
}
