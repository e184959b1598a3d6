//! The stub of an operation: as much of it as a budget of tokens holds.
//!
//! The entries of a stub have one order: required parameters and properties, those that calls pass, those that examples
//! pass, the response, descriptions, everything else. A stub shows the longest beginning of this order that fits, so a
//! larger budget shows at least as much.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    find::OperationId,
    items::{Item, Items, Rank, RequestPart, Tier},
    matching::ApiUses,
    shape::shape,
    uses::OperationUses,
};
use crate::openapi::{ApiDocuments, Document, Operation, Response};
use apidisc_base::{nesting, shorten, unprintable::escaped_line};
use apidisc_indexing::index::Index;
use apidisc_tokens::Tokenizer;

/// The greatest length of a summary or description, in characters.
const MAX_TEXT: usize = 120;
/// The greatest length of a part that is written on one line, in bytes.
const MAX_INLINE: usize = 90;
/// The greatest number of properties of a response that are named.
const MAX_RESPONSE: usize = 12;

/// The stub of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperationStub {
    /// The text.
    #[serde(rename = "stub")]
    pub text: String,
    /// The number of its tokens.
    pub tokens: usize,
    /// The budget.
    pub max_tokens: Option<usize>,
    /// The method and path.
    pub operation: String,
    /// The number of calls in the sources.
    pub total_calls: u32,
    /// The number of parameters and properties that are shown.
    pub shown: usize,
    /// The number of parameters and properties that are not.
    pub hidden: usize,
}

/// Why there is no stub.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperationError {
    /// The smallest stub is larger than the budget.
    #[error("{name} needs {smallest} tokens in its shortest form, {max_tokens} are given; use --max-tokens {smallest}")]
    BudgetTooSmall {
        /// The method and path.
        name: String,
        /// The smallest budget that works.
        smallest: usize,
        /// The budget that was given.
        max_tokens: usize,
    },
}

/// An entry of a stub. The numbers are positions of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StubEntry {
    Item(usize),
    Description(usize),
    Success,
    Errors,
    About,
}

/// The stub of an operation within `max_tokens`. `uses` are those of its documents in the sources of `index`.
///
/// # Errors
/// If the budget is too small for the parameters and properties that every request needs.
pub fn operation_stub(
    documents: &ApiDocuments,
    id: OperationId,
    sources: Option<(&Index, &ApiUses)>,
    max_tokens: Option<usize>,
    tokenizer: &Tokenizer,
) -> Result<OperationStub, OperationError> {
    let (document, operation) = id.of(documents);
    let uses = sources.and_then(|(_, uses)| uses.of(id));
    let items = Items::read(&documents.files, operation, uses);
    let writer =
        OperationStubWriter { documents, document, operation, index: sources.map(|(index, _)| index), uses, items };
    let (order, least) = writer.order();
    let stub = |count: usize| {
        let text = writer.text(&order[..count]);
        let is_item = |entry: &&StubEntry| matches!(entry, StubEntry::Item(_));
        let shown = order[..count].iter().filter(is_item).count();
        OperationStub {
            tokens: tokenizer.count(&text),
            text,
            max_tokens,
            operation: operation.title(),
            total_calls: uses.map_or(0, |uses| uses.total_calls),
            shown,
            hidden: writer.items.all.len() - shown,
        }
    };
    let Some(budget) = max_tokens else { return Ok(stub(order.len())) };
    let smallest = stub(least);
    if smallest.tokens > budget {
        let (name, smallest) = (operation.title(), smallest.tokens);
        return Err(OperationError::BudgetTooSmall { name, smallest, max_tokens: budget });
    }
    // Estimates only grow, so a larger budget begins with at least as much as a smaller one.
    let mut estimate = 0;
    let is_near = |entry: &&StubEntry| {
        estimate += tokenizer.count(&writer.estimated(**entry));
        estimate * 3 / 4 <= budget
    };
    let most = order.iter().take_while(is_near).count().max(least);
    let found = (least + 1..=most).rev().map(stub).find(|stub| stub.tokens <= budget);
    Ok(found.unwrap_or(smallest))
}

/// Writes the stub of an operation from its documents, its uses and its items.
struct OperationStubWriter<'a> {
    documents: &'a ApiDocuments,
    document: &'a Document,
    operation: &'a Operation,
    index: Option<&'a Index>,
    uses: Option<&'a OperationUses>,
    items: Items<'a>,
}

impl OperationStubWriter<'_> {
    /// All entries in the order in which they enter a stub, and the number of those that every stub shows.
    fn order(&self) -> (Vec<StubEntry>, usize) {
        let mut ranked: Vec<(Rank, usize, usize)> =
            self.items.all.iter().enumerate().map(|(at, item)| (item.rank, item.depth, at)).collect();
        ranked.sort_unstable();
        let least = ranked.partition_point(|(rank, ..)| rank.tier == Tier::Required);
        let known = ranked.partition_point(|(rank, ..)| rank.tier < Tier::Other);
        let mut order: Vec<StubEntry> = ranked[..known].iter().map(|(.., at)| StubEntry::Item(*at)).collect();
        order.extend([StubEntry::Success, StubEntry::About]);
        let described = |at: &usize| self.items.all[*at].description.is_some();
        order.extend(ranked[..known].iter().map(|(.., at)| *at).filter(described).map(StubEntry::Description));
        for (.., at) in &ranked[known..] {
            order.push(StubEntry::Item(*at));
            order.extend(Some(*at).filter(described).map(StubEntry::Description));
        }
        order.push(StubEntry::Errors);
        (order, least)
    }

    /// A text with about as many tokens as an entry adds to a stub.
    fn estimated(&self, entry: StubEntry) -> String {
        match entry {
            StubEntry::Item(at) => format!("{}{}\n", name(&self.items.all[at]), typed(&self.items.all[at])),
            StubEntry::Description(at) => self.items.all[at].description.as_deref().map(sentence).unwrap_or_default(),
            StubEntry::Success | StubEntry::Errors | StubEntry::About => String::new(),
        }
    }

    /// The stub with these entries.
    fn text(&self, entries: &[StubEntry]) -> String {
        let mut shown =
            Shown { items: vec![false; self.items.all.len()], described: vec![false; self.items.all.len()] };
        for entry in entries {
            match *entry {
                StubEntry::Item(at) => shown.items[at] = true,
                StubEntry::Description(at) => shown.described[at] = true,
                _ => {}
            }
        }
        let mut out = String::new();
        self.write_title(entries.contains(&StubEntry::About), &mut out);
        for part in RequestPart::ALL {
            self.write_part(part, &shown, &mut out);
        }
        let mut responses = self.operation.responses.iter();
        if entries.contains(&StubEntry::Success)
            && let Some(response) = responses.clone().find(|response| response.is_success()).or(responses.next())
        {
            self.write_response(response, &mut out);
        }
        let errors: Vec<&str> =
            self.operation.responses.iter().filter(|r| !r.is_success()).map(|r| r.status.as_str()).collect();
        if entries.contains(&StubEntry::Errors) && !errors.is_empty() {
            let _ = writeln!(out, "// errors: {}", line(&errors.join(", ")));
        }
        out
    }

    fn write_title(&self, has_description: bool, out: &mut String) {
        let _ = write!(out, "// {}", line(&self.operation.title()));
        if self.operation.is_deprecated {
            out.push_str(" (deprecated)");
        }
        if let Some(summary) = &self.operation.summary {
            let _ = write!(out, ": {}", line(summary));
        }
        out.push('\n');
        let mut about: Vec<String> = self.document.servers.first().map(|server| line(server)).into_iter().collect();
        about.extend(self.operation.operation_id.as_deref().map(line));
        if let (Some(uses), Some(index)) = (self.uses, self.index) {
            if let Some(call) = uses.calls.first().and_then(|at| index.http.calls.get(*at as usize)) {
                let calls =
                    if uses.total_calls == 1 { "1 call".to_owned() } else { format!("{} calls", uses.total_calls) };
                let path = line(&index.file(call.file).path);
                about.push(format!("{calls}, e.g. {path}:{}", call.line));
            }
            if let Some(route) = uses.route.and_then(|at| index.http.routes.get(at as usize)) {
                let name =
                    route.handler.map(|handler| line(&index.definition(handler).alias) + " ").unwrap_or_default();
                about.push(format!("handler {name}{}:{}", line(&index.file(route.file).path), route.line));
            }
        }
        if !about.is_empty() {
            let _ = writeln!(out, "// {}", about.join(", "));
        }
        if has_description
            && let Some(text) = self.operation.description.as_deref().map(sentence).filter(|t| !t.is_empty())
        {
            let _ = writeln!(out, "// {text}");
        }
    }

    fn write_part(&self, part: RequestPart, shown: &Shown, out: &mut String) {
        let top: Vec<usize> = (0..self.items.all.len())
            .filter(|at| self.items.all[*at].part == part && self.items.all[*at].parent.is_none())
            .collect();
        let mut head = part.word().to_owned();
        let mut suffix = "";
        let mut opening = " {".to_owned();
        if part == RequestPart::Body {
            let Some(body) = &self.items.body else { return };
            if !body.is_required {
                head.push('?');
            }
            if body.media != "application/json" {
                let _ = write!(head, " {}", line(&body.media));
            }
            if !top.iter().any(|at| shown.items[*at]) {
                let hidden = if top.is_empty() { String::new() } else { format!("  // {}", hidden(top.len(), part)) };
                let _ = writeln!(out, "{head}: {}{hidden}", line(&body.text));
                return;
            }
            suffix = &body.suffix;
            if !body.prefix.is_empty() {
                opening = format!(": {}{{", preceding(&body.prefix));
            }
        } else if top.is_empty() {
            return;
        }
        if !top.iter().any(|at| shown.items[*at]) {
            let _ = writeln!(out, "// {}: {}", part.word(), hidden(top.len(), part));
            return;
        }
        if let Some(inline) = self.inline(&top, shown).filter(|inline| inline.len() <= MAX_INLINE) {
            let _ = writeln!(out, "{head}{opening} {inline} }}{suffix}");
            return;
        }
        let _ = writeln!(out, "{head}{opening}");
        self.write_items(&top, part, 1, shown, out);
        let _ = writeln!(out, "}}{suffix}");
    }

    /// Items on one line; `None` if one of them has a comment or properties, or is hidden.
    fn inline(&self, items: &[usize], shown: &Shown) -> Option<String> {
        let mut texts = Vec::new();
        for &at in items {
            let is_plain = shown.items[at] && self.children(at).all(|child| !shown.items[child]);
            let item = is_plain.then(|| &self.items.all[at])?;
            self.comment(at, shown).is_empty().then_some(())?;
            texts.push(format!("{}{}", name(item), typed(item)));
        }
        Some(texts.join(", "))
    }

    fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        (parent + 1..self.items.all.len()).filter(move |at| self.items.all[*at].parent == Some(parent))
    }

    fn write_items(&self, items: &[usize], part: RequestPart, depth: usize, shown: &Shown, out: &mut String) {
        let Some(_level) = nesting::descend() else { return };
        let mut left = 0;
        for &at in items {
            if !shown.items[at] {
                left += 1;
                continue;
            }
            let item = &self.items.all[at];
            let indent = "  ".repeat(depth);
            let comment = self.comment(at, shown);
            let comment = if comment.is_empty() { comment } else { format!("  // {comment}") };
            let children: Vec<usize> = self.children(at).collect();
            if children.iter().any(|child| shown.items[*child]) {
                let _ = writeln!(out, "{indent}{}: {}{{{comment}", name(item), preceding(&item.prefix));
                self.write_items(&children, part, depth + 1, shown, out);
                let _ = writeln!(out, "{indent}}}{}", item.suffix);
            } else {
                let _ = writeln!(out, "{indent}{}{}{comment}", name(item), typed(item));
            }
        }
        if left > 0 {
            let _ = writeln!(out, "{}// {}", "  ".repeat(depth), hidden(left, part));
        }
    }

    /// The comment on an item: the share of calls that pass it, `deprecated`, and its description.
    fn comment(&self, at: usize, shown: &Shown) -> String {
        let item = &self.items.all[at];
        let mut parts: Vec<String> = Vec::new();
        if let Some(share) = item.share.filter(|share| *share > 0.0 && !item.is_required) {
            // Half a percent rounds up.
            let percent = (share * 100.0 + 0.5).floor();
            parts.push(if percent < 1.0 { "< 1%".to_owned() } else { format!("{percent}%") });
        }
        if item.is_deprecated {
            parts.push("deprecated".to_owned());
        }
        if shown.described[at] {
            parts.extend(item.description.as_deref().map(sentence).filter(|text| !text.is_empty()));
        }
        parts.join(", ")
    }

    fn write_response(&self, response: &Response, out: &mut String) {
        let _ = write!(out, "{}", line(&response.status));
        let content = response.content.iter().find(|(media, _)| media.contains("json")).or(response.content.first());
        if let Some(schema) = content.and_then(|(_, place)| self.documents.files.node(place)) {
            let shape = shape(&schema, false);
            if shape.properties.is_empty() {
                let _ = write!(out, " {}", line(&shape.text));
            } else {
                let names = shape.properties.iter().take(MAX_RESPONSE).map(|property| line(property.name));
                let mut names: Vec<String> = names.collect();
                if shape.properties.len() > MAX_RESPONSE {
                    names.push(format!("... + {}", shape.properties.len() - MAX_RESPONSE));
                }
                let _ = write!(out, " {}{{ {} }}{}", preceding(&shape.prefix), names.join(", "), shape.suffix);
            }
        }
        out.push('\n');
    }
}

/// The items that a stub shows, and those that it shows with their descriptions, by position.
struct Shown {
    items: Vec<bool>,
    described: Vec<bool>,
}

/// A name, with quotes where it is no identifier and a question mark where it may be left out.
fn name(item: &Item) -> String {
    let is_identifier = item.name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.'));
    let name = line(&item.name);
    let name = if is_identifier && !name.is_empty() { name } else { format!("{name:?}") };
    if item.is_required { name } else { name + "?" }
}

/// The type of an item, with its default.
fn typed(item: &Item) -> String {
    let default = item.default.as_ref().map_or(String::new(), |default| format!(" = {}", line(default)));
    format!(": {}{default}", line(&item.text))
}

/// The note on hidden items, such as `... + 3 parameters hidden`.
fn hidden(count: usize, part: RequestPart) -> String {
    let word = if matches!(part, RequestPart::Body | RequestPart::Form) { "propert" } else { "parameter" };
    let ending = match (word, count) {
        ("propert", 1) => "y",
        ("propert", _) => "ies",
        (_, 1) => "",
        _ => "s",
    };
    format!("... + {count} {word}{ending} hidden")
}

/// A text on one line without characters that a terminal obeys. A long one is cut.
fn line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    shorten::to_chars(&escaped_line(&words), MAX_TEXT, "…")
}

/// The first sentence of a text.
fn sentence(text: &str) -> String {
    let first = text.trim_start().split("\n\n").next().unwrap_or_default();
    let first = line(first);
    match first.split_once(". ") {
        Some((sentence, _)) => sentence.to_owned(),
        None => first.trim_end_matches('.').to_owned(),
    }
}

/// The text before an object, with a space after it; empty if nothing precedes the object.
fn preceding(prefix: &str) -> String {
    if prefix.is_empty() { String::new() } else { format!("{} ", line(prefix)) }
}
