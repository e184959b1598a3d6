//! The comments above a definition that show calls of it.

use super::PricedTree;
use crate::stub::{node_text::PricedLines, text::sanitized};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::{index::Definition, snippet};

impl PricedTree {
    /// The comments with a typical call of a node's definition, and with an example from the package's repository;
    /// empty without any, and for a deprecated definition.
    pub(super) fn render_typical_call(&self, node: usize) -> PricedLines {
        let is_current = |(_, definition): &(DefinitionId, &Definition)| definition.deprecation().is_none();
        let Some((id, definition)) = self.definition(node).filter(is_current) else { return PricedLines::default() };
        let own = definition.typical_call.as_deref().filter(|_| definition.usage.total_calls > 0).map(sanitized);
        let own = own.map(|call| snippet::shortened(&call)).filter(|call| !call.is_empty() && !hides_all(call));
        let example = self.index.example(id).map(|example| {
            format!("{} ({})", snippet::shortened(&sanitized(&example.call)), sanitized(&example.place))
        });
        let start = format!("{}{} e.g. ", " ".repeat(self.nodes[node].indent), self.comment_prefix());
        let lines: Vec<String> = own.into_iter().chain(example).map(|call| format!("{start}{call}\n")).collect();
        if lines.is_empty() { PricedLines::default() } else { PricedLines::new(lines.concat()) }
    }
}

/// True for a call without receiver of which no argument is shown: `load(...)` says less than the signature.
fn hides_all(call: &str) -> bool {
    let callee = call.strip_suffix("(...)");
    callee.is_some_and(|callee| callee.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')))
}
