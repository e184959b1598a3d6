//! The description of one symbol, as text within a budget.

use super::{CallGraphNeighbour, UsedTogether, get_symbols::fit_source, symbol_detail::DescribedSymbol};
use crate::first_call::FirstCall;
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_indexing::{index::Index, snippet::shortened};
use apidisc_stubs::{
    delivery::{Format, TYPES_HEADING, fenced},
    strategy::Strategy,
};
use apidisc_tokens::Tokenizer;

/// The greatest number of callers and of callees in a text.
const MAX_NAMED: usize = 5;
/// The greatest number of tokens of the types that a symbol names: a call of the symbol seldom needs all their members,
/// which `get_symbols` of the types shows.
const TOKENS_OF_NAMED_TYPES: usize = 300;
/// The greatest number of callers of which the first are named: five of several hundred say nothing.
const MAX_CALLERS: usize = 100;
/// The greatest share of the budget for the text before the source text, if the source text is wanted.
const STUB_BESIDE_SOURCE: f64 = 0.4;

/// The parts of a text that follow the stub.
struct Extras {
    /// The parts, the most important first.
    parts: Vec<String>,
    /// The call that the first of the parts shows.
    shown: ShownCall,
}

/// The call that a text shows below the stub, which may quote the typical call as well.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShownCall {
    /// The first call: the stub does not quote the typical call.
    First,
    /// The typical call, unless the stub quotes it.
    Typical,
    None,
}

impl DescribedSymbol {
    /// Writes the symbol: title, stub, first call, routes that it handles, other uses, related symbols if they are
    /// known, symbols that functions use together with it, callers, callees, and with `has_source` the source text. A
    /// symbol without a first call has its typical call instead, unless the stub quotes it. Parts that do not fit
    /// `max_tokens` are left out: callees first, then callers, then related symbols, routes and the call. The stub
    /// gets the tokens that the other parts leave.
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
        let Extras { parts, shown } = self.extras(index);
        for count in (0..=parts.len()).rev() {
            let rest = parts[..count].concat();
            let around = tokenizer.count(&[title.as_str(), &fenced("", language), &rest].concat());
            let Some(mut room) = for_stub.checked_sub(around) else { continue };
            let shown = if count == 0 { ShownCall::None } else { shown };
            let body = loop {
                let Some(mut stub) = self.stub(room, tokenizer) else { break None };
                if shown == ShownCall::First {
                    stub = self.without_quote(&stub);
                }
                let is_quoted = self.detail.typical_call.as_ref().is_some_and(|call| stub.contains(call));
                let left_out = usize::from(is_quoted && shown == ShownCall::Typical);
                let rest = parts[left_out..count].concat();
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

    /// A stub without the comment that quotes the typical call of the symbol.
    fn without_quote(&self, stub: &str) -> String {
        let Some(call) = self.detail.typical_call.as_deref().map(shortened) else { return stub.to_owned() };
        let is_quote = |line: &str| line.split_once(" e.g. ").is_some_and(|(_, quoted)| quoted.trim_end() == call);
        stub.split_inclusive('\n').filter(|line| !is_quote(line)).collect()
    }

    /// The stub within a budget; empty if the symbol has none; `None` if none is small enough. The types that the
    /// symbol names have at most [`TOKENS_OF_NAMED_TYPES`], or a multiple if more of the symbol itself would be hidden
    /// then.
    fn stub(&self, max_tokens: usize, tokenizer: &Tokenizer) -> Option<String> {
        let Some(packer) = &self.packer else { return Some(String::new()) };
        let stub = |max_tokens| {
            packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).ok().map(|delivery| delivery.text)
        };
        let whole = stub(max_tokens)?;
        let (own, types) = own_and_types(&whole);
        if tokenizer.count(types) <= TOKENS_OF_NAMED_TYPES {
            return Some(whole);
        }
        let shows_as_much = |shorter: &String| without_imports(own_and_types(shorter).0).eq(without_imports(own));
        let with_types = |times: usize| stub((tokenizer.count(own) + times * TOKENS_OF_NAMED_TYPES).min(max_tokens));
        let shorter = [1, 2, 4].into_iter().find_map(|times| with_types(times).filter(shows_as_much));
        Some(shorter.unwrap_or(whole))
    }

    fn with_source(&mut self, body: String, language: Language, tokenizer: &Tokenizer, max_tokens: usize) -> String {
        let (text, source) = fit_source(body, &self.rows, self.names.as_deref(), language, tokenizer, max_tokens);
        self.detail.source = source;
        text
    }

    /// The parts of the text that follow the stub.
    fn extras(&self, index: &Index) -> Extras {
        let language = index.definition(self.id).language;
        let first = self.detail.first_call.as_ref();
        let typical = self.detail.typical_call.as_ref().filter(|_| first.is_none_or(|first| first.call.is_empty()));
        let typical = typical.map(|call| format!("Typical call:\n{}", fenced(&format!("{call}\n"), language)));
        let shown = match &typical {
            Some(_) => ShownCall::Typical,
            None if first.is_some_and(|first| !first.call.is_empty()) => ShownCall::First,
            None => ShownCall::None,
        };
        let first = first.map(|first| first_call_text(first, language));
        let callers = named("Called by", &self.detail.callers, self.detail.total_callers)
            .filter(|_| self.detail.total_callers <= MAX_CALLERS);
        let callees = named("Calls", &self.detail.callees, self.detail.total_callees);
        let registered = &self.detail.registered_in;
        let shown_routes = registered[..registered.len().min(MAX_NAMED)].join("\n");
        let registered = (!registered.is_empty()).then(|| format!("Registered in:\n{shown_routes}\n"));
        let fixture = self.detail.fixture.as_ref().map(|line| format!("{line}\n"));
        let uses = (!self.detail.uses_in_words.is_empty()).then(|| {
            let places = self.detail.used_in.join("; ");
            format!("Other uses: {} ({places})\n", self.detail.uses_in_words)
        });
        let related = self.detail.related.iter().map(|related| format!("{}\n", related.words()));
        let related: String = related.collect();
        let related = (!related.is_empty()).then_some(related);
        let together = UsedTogether::line(&self.detail.used_together);
        let shortest = self.shortest_function(language);
        Extras {
            parts: [typical, first, fixture, registered, uses, related, together, shortest, callers, callees]
                .into_iter()
                .flatten()
                .collect(),
            shown,
        }
    }

    /// The shortest function that uses the symbol together with the first one of which more is known than that it
    /// stands beside the symbol, if the first call does not show that one.
    fn shortest_function(&self, language: Language) -> Option<String> {
        let most = self.detail.used_together.iter().find(|other| other.is_connected)?;
        let name = most.name.rsplit(['.', '/', '#']).next().unwrap_or(&most.name);
        let first = self.detail.first_call.as_ref();
        let mut lines = first.into_iter().flat_map(|first| first.setup.iter().chain(&first.call));
        if lines.any(|line| has_word(line, name)) {
            return None;
        }
        let code = fenced(most.code.as_deref()?, language);
        Some(format!("Shortest with {}, from {}:\n{code}", escaped_line(name), escaped_line(&most.place)))
    }
}

/// True if a line of code has a word.
fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|part| part == word)
}

/// A stub as the part that shows the symbol, and the types that it names.
fn own_and_types(stub: &str) -> (&str, &str) {
    let mut end = 0;
    for line in stub.split_inclusive('\n') {
        if line.trim_end().ends_with(TYPES_HEADING) {
            return stub.split_at(end);
        }
        end += line.len();
    }
    (stub, "")
}

/// The lines of a stub that import nothing: types that are not declared are imported. Lines without text are left out.
fn without_imports(stub: &str) -> impl Iterator<Item = &str> {
    let imports = |line: &&str| line.is_empty() || line.starts_with("import ") || line.starts_with("from ");
    stub.lines().filter(move |line| !imports(line))
}

/// The lines of a first call: where it comes from, its code, and the names that the reader provides. Of a definition
/// that is not called, the import.
fn first_call_text(first: &FirstCall, language: Language) -> String {
    let code = [&first.setup, &first.call].into_iter().flatten();
    let gap = first.call.iter().take(usize::from(!first.imports.is_empty())).map(|_| "");
    let lines = first.imports.iter().map(String::as_str).chain(gap).chain(code.map(String::as_str));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let (label, from) = match (&first.place, first.call.is_empty()) {
        (_, true) => ("Import", String::new()),
        (Some(place), _) => ("First call", format!(", from {place}")),
        (None, _) if first.is_made => ("First call", ", made from the signature".to_owned()),
        (None, _) => ("First call", String::new()),
    };
    let provide = first.you_provide.join(", ");
    let provide = if provide.is_empty() { provide } else { format!("You provide: {provide}\n") };
    format!("{label}{from}:\n{}{provide}", fenced(&text, language))
}

fn stub_block(stub: &str, language: Language) -> String {
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
