//! The old and the new signature of what findings are about.

use crate::{report::Finding, signature_text, versions::Versions};
use apidisc_base::shorten;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Index;

/// The greatest length of a signature, in characters.
const MAX_LENGTH: usize = 2_000;

/// Adds the signatures to the findings that a rule has made.
pub(crate) fn add(findings: &mut [Finding], versions: &Versions<'_>) {
    for finding in findings.iter_mut().filter(|finding| finding.rule.is_some()) {
        let old = versions.old.find(&finding.symbol);
        finding.old = old.and_then(|id| text(versions.before.index, id));
        finding.new = versions.new.find(&finding.symbol).and_then(|id| text(versions.after.index, id));
    }
}

fn text(index: &Index, id: DefinitionId) -> Option<String> {
    let definition = index.definition(id);
    let text = signature_text::text(&definition.name, definition.signature.as_ref()?, definition.language);
    Some(shorten::to_chars(&text, MAX_LENGTH, "…"))
}
