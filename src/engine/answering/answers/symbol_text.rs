//! The description of one symbol, as text within a budget.

use super::{CallGraphNeighbour, get_symbols::fit_source, symbol_detail::DescribedSymbol};
use apidisc_base::unprintable::escaped_line;
use apidisc_indexing::index::Index;
use apidisc_stubs::{
    delivery::{Format, fenced},
    strategy::Strategy,
};
use apidisc_tokens::Tokenizer;

/// The greatest number of callers and of callees in a text.
const MAX_NAMED: usize = 5;
/// The greatest share of the budget for the text before the source text, if the source text is wanted.
const STUB_BESIDE_SOURCE: f64 = 0.4;

impl DescribedSymbol {
    /// Writes the symbol: title, stub, typical call unless the stub quotes it, related symbols if they are known,
    /// callers, callees, and with `has_source` the source text. Parts that do not fit `max_tokens` are left out:
    /// callees first, then callers, then related symbols, then the typical call. The stub gets the tokens that the
    /// other parts leave.
    pub(super) fn write(
        &mut self,
        index: &Index,
        tokenizer: &Tokenizer,
        max_tokens: usize,
        has_source: bool,
    ) -> String {
        let language = index.definition(self.id).language;
        let title = self.detail.symbol.title() + "\n";
        let for_stub = if has_source { (max_tokens as f64 * STUB_BESIDE_SOURCE) as usize } else { max_tokens };
        let extras = self.extras(index);
        for count in (0..=extras.len()).rev() {
            let rest = extras[..count].concat();
            let around = tokenizer.count(&[title.as_str(), &fenced("", language), &rest].concat());
            let Some(mut room) = for_stub.checked_sub(around) else { continue };
            let body = loop {
                let Some(stub) = self.stub(room) else { break None };
                // The first of the extras is the typical call, which the stub may quote.
                let is_quoted = self.detail.typical_call.as_ref().is_some_and(|call| stub.contains(call));
                let rest = extras[usize::from(is_quoted).min(count)..count].concat();
                let body = [title.as_str(), &stub_block(&stub, language), &rest].concat();
                let excess = tokenizer.count(&body).saturating_sub(for_stub);
                match room.checked_sub(excess) {
                    _ if excess == 0 => break Some((body, stub)),
                    Some(less) if less > 0 => room = less,
                    _ => break None,
                }
            };
            if let Some((body, stub)) = body {
                self.detail.signature = stub;
                return if has_source { self.with_source(body, language, tokenizer, max_tokens) } else { body };
            }
        }
        let needed = self.packer.as_ref().map_or(0, |packer| packer.smallest_budget(Format::Stub));
        let body = format!("{}; its signature alone takes {needed} tokens\n", title.trim_end());
        if has_source { self.with_source(body, language, tokenizer, max_tokens) } else { body }
    }

    /// The stub within a budget; empty if the symbol has none; `None` if none is small enough.
    fn stub(&self, max_tokens: usize) -> Option<String> {
        let Some(packer) = &self.packer else { return Some(String::new()) };
        packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).ok().map(|delivery| delivery.text)
    }

    fn with_source(
        &mut self,
        body: String,
        language: apidisc_base::language::Language,
        tokenizer: &Tokenizer,
        max_tokens: usize,
    ) -> String {
        let (text, source) = fit_source(body, &self.rows, language, tokenizer, max_tokens);
        self.detail.source = source;
        text
    }

    /// The parts of the text that follow the stub, the most important first.
    fn extras(&self, index: &Index) -> Vec<String> {
        let language = index.definition(self.id).language;
        let call = self.detail.typical_call.as_ref();
        let call = call.map(|call| format!("Typical call:\n{}", fenced(&format!("{call}\n"), language)));
        let callers = named("Called by", &self.detail.callers, self.detail.total_callers);
        let callees = named("Calls", &self.detail.callees, self.detail.total_callees);
        let related = self.detail.related.iter().map(|related| format!("{}\n", related.words()));
        let related: String = related.collect();
        let related = (!related.is_empty()).then_some(related);
        [call, related, callers, callees].into_iter().flatten().collect()
    }
}

fn stub_block(stub: &str, language: apidisc_base::language::Language) -> String {
    if stub.is_empty() { String::new() } else { fenced(stub, language) }
}

/// The line of callers or callees.
fn named(label: &str, rows: &[CallGraphNeighbour], total: usize) -> Option<String> {
    let shown: Vec<String> =
        rows.iter().take(MAX_NAMED).map(|row| format!("{} {}", escaped_line(&row.name), row.calls)).collect();
    let more = total - shown.len();
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    (total > 0).then(|| format!("{label} {total}: {}{more}\n", shown.join(", ")))
}
