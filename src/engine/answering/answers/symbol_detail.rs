//! The description of one symbol, as data.

use std::{cmp::Reverse, collections::BTreeMap};

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{
    AnswerError, Context, Related, SymbolHit, UsedTogether, fixture::fixture_line, get_symbol_source::Numbered,
    ranking::RankedSymbol,
};
use crate::{first_call::FirstCall, overview::route_name};
use apidisc_base::{
    hash::ContentHash,
    unprintable::{escaped_line, escaped_text},
};
use apidisc_facts::{
    program::{CallId, DefinitionId, HttpRoute, OtherUse, UseKind},
    source::Origin,
};
use apidisc_indexing::index::{Index, Scope, use_counts_in_words};
use apidisc_stubs::{
    delivery::{DeliveryError, Format, Packer},
    strategy::Strategy,
};
use apidisc_tokens::Tokenizer;

/// The greatest number of callers and of callees.
const MAX_RELATED: usize = 20;

/// The greatest number of places of other uses.
const MAX_USES: usize = 5;

/// The description of one symbol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolDetail {
    /// The symbol as in the hits of a search.
    #[serde(flatten)]
    pub symbol: SymbolHit,
    /// The last line of the definition.
    pub end_line: u32,
    /// The stub of the symbol, as the text has it.
    pub signature: String,
    /// The arguments, each with the share of calls that pass it.
    pub arguments: Vec<ArgumentRow>,
    /// The callers: those outside of tests first, each group by the number of calls; at most 20.
    pub callers: Vec<CallGraphNeighbour>,
    /// The number of all callers.
    pub total_callers: usize,
    /// The definitions that the symbol and its members call, most calls first; at most 20.
    pub callees: Vec<CallGraphNeighbour>,
    /// The number of all callees.
    pub total_callees: usize,
    /// The routes of HTTP servers that the symbol or a method of it handles, each with its place; at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registered_in: Vec<String>,
    /// Of a fixture of pytest: how many functions take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixture: Option<String>,
    /// The numbers of uses that are neither calls nor reads, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub uses: BTreeMap<&'static str, u32>,
    /// The first of these uses, those outside of tests first, as they are written in the text; at most 5.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub used_in: Vec<String>,
    /// The same numbers in words.
    #[serde(skip)]
    pub(super) uses_in_words: String,
    /// The symbols that code often calls before and after this symbol, if the request asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// The symbols that several functions use together with this symbol, those of the most functions first; at most 3.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub used_together: Vec<UsedTogether>,
    /// A call as the sources write it, on one line.
    pub typical_call: Option<String>,
    /// For a symbol of an installed package: a call in the package's own examples, and where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<(String, String)>,
    /// Code for the first use; `None` if nothing can import the symbol, or if the session holds it.
    pub first_call: Option<FirstCall>,
    /// The source text with line numbers, if the request asks for it.
    pub source: Option<String>,
    /// True if the session holds the symbol: the text does not repeat the description.
    pub is_held: bool,
}

/// The routes that a definition or a method of it handles.
fn registered_in(index: &Index, id: DefinitionId) -> Vec<String> {
    let is_own = |handler: DefinitionId| handler == id || index.definition(handler).parent == Some(id);
    let handled = index.http.routes.iter().enumerate().filter(|(_, route)| route.handler.is_some_and(is_own));
    let row = |(at, route): (usize, &HttpRoute)| {
        let place = format!("{}:{}", index.file(route.file).path, route.line);
        escaped_line(&format!("{} {place}", route_name(index, at))).into_owned()
    };
    handled.take(MAX_RELATED).map(row).collect()
}

/// The first uses of a definition that are neither calls nor reads, those outside of tests first. Passed and held ones
/// come first, since they say where the definition is registered; annotations come last.
fn used_in(index: &Index, id: DefinitionId) -> Vec<String> {
    let mut uses: Vec<&OtherUse> = index.other_uses_of(id).collect();
    let rank = |found: &OtherUse| match found.kind {
        UseKind::Passed | UseKind::Held => 0,
        UseKind::Annotates | UseKind::ReExported => 2,
        _ => 1,
    };
    uses.sort_by_key(|found| (index.file(found.file).origin == Origin::Tests, rank(found)));
    let row = |found: &&OtherUse| {
        let used = index.used_as(found);
        let to = used.to.map_or_else(String::new, |to| {
            let param = used.param.map_or_else(String::new, |param| format!("({param})"));
            let key = used.key.map_or_else(String::new, |key| format!("[{key}]"));
            let word = if found.kind == UseKind::Held { "in" } else { "to" };
            format!(" {word} {to}{param}{key}")
        });
        let place = format!("{}:{}", index.file(found.file).path, found.line);
        escaped_line(&format!("{}{to}, {place}", found.kind.word())).into_owned()
    };
    uses.iter().take(MAX_USES).map(row).collect()
}

/// An argument of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArgumentRow {
    /// The name as a caller writes it.
    pub name: String,
    /// The type as written.
    pub annotation: Option<String>,
    /// The default as written.
    pub default: Option<String>,
    /// True if every call must pass the argument.
    pub required: bool,
    /// The share of calls that pass the argument, from 0 to 1; `None` if no call is known to pass it or not. See
    /// [`apidisc_indexing::usage::Usage::frequency`].
    pub share: Option<f64>,
    /// The description in the documentation.
    pub description: Option<String>,
}

/// A caller or callee of a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallGraphNeighbour {
    /// The shortest name of the definition. For calls outside of functions, the FQN of the module or the path of the
    /// document.
    pub name: String,
    /// The number of calls.
    pub calls: u32,
    /// The place of the first call: the path and the line.
    pub place: String,
}

/// A symbol of an answer, with everything from which its text is made.
pub(super) struct DescribedSymbol {
    pub(super) id: DefinitionId,
    pub(super) detail: SymbolDetail,
    /// The packer of the symbol's stub; `None` if the symbol has no stub.
    pub(super) packer: Option<Packer>,
    /// See [`super::Delivered::content`].
    pub(super) content: String,
    /// The lines of the source text with their context, each with its number; empty if the file cannot be read.
    pub(super) rows: Vec<String>,
    /// The line that says where the names of the source text come from, if the source text is wanted.
    pub(super) names: Option<String>,
}

impl DescribedSymbol {
    /// Describes a symbol. `around` is the number of context lines of its source text.
    pub(super) fn new(context: &Context<'_>, id: DefinitionId, around: u32) -> Result<Self, AnswerError> {
        let index = context.symbols.index();
        let definition = index.definition(id);
        let packer = match Packer::new(index, Scope::Definition(id), &Tokenizer::load(context.encoding)) {
            Ok(packer) => Some(packer),
            Err(DeliveryError::Empty { .. }) => None,
            Err(error) => return Err(AnswerError::Stub(error.into())),
        };
        let (callers, total_callers) = callers(context, id);
        let (callees, total_callees) = callees(context, id);
        let symbol = SymbolHit::new(context.symbols, RankedSymbol { id, score: 1.0 });
        let place = definition.place;
        let path = symbol.path.clone();
        let text = path.as_ref().and_then(|path| Numbered::read(context, path).ok());
        let lines = path.as_ref().zip(text.as_ref()).map(|(path, text)| text.lines_of(path, definition));
        let (first, last) = lines.unwrap_or((place.line, place.end_line.max(place.line)));
        let uses = index.other_use_counts(id);
        let detail = SymbolDetail {
            symbol,
            end_line: last,
            signature: String::new(),
            arguments: arguments(context, id),
            callers,
            total_callers,
            callees,
            total_callees,
            registered_in: registered_in(index, id),
            fixture: fixture_line(index, id),
            used_in: used_in(index, id),
            uses_in_words: use_counts_in_words(&uses),
            uses: uses.into_iter().map(|(kind, count)| (kind.word(), count)).collect(),
            related: Vec::new(),
            used_together: UsedTogether::of(context, id),
            typical_call: definition.typical_call.as_deref().map(str::to_owned),
            example: index.example(id).map(|example| (example.call.to_string(), example.place.to_string())),
            first_call: None,
            source: None,
            is_held: false,
        };
        let rows = |around: u32| {
            let range = (first.saturating_sub(around).max(1), last.saturating_add(around));
            text.as_ref().map(|text| text.rows(range)).unwrap_or_default()
        };
        let whole = packer.as_ref().and_then(|packer| packer.deliver(&Strategy::Exhaustive, Format::Stub).ok());
        // Line numbers are no part of the content: an edit above the symbol does not change the symbol.
        let code: String = rows(0).iter().filter_map(|(_, row)| row.split_once('\t')).map(|(_, line)| line).collect();
        let stub = whole.map(|delivery| delivery.text).unwrap_or_default();
        let parts = [definition.fqn.as_str(), &stub, &code].map(str::as_bytes);
        let content = ContentHash::of_parts(&parts).to_string();
        let rows = rows(around).into_iter().map(|(_, row)| row).collect();
        Ok(Self { id, detail, packer, content, rows, names: None })
    }
}

fn arguments(context: &Context<'_>, id: DefinitionId) -> Vec<ArgumentRow> {
    let definition = context.symbols.index().definition(id);
    let Some(signature) = &definition.signature else { return Vec::new() };
    let text = |text: &str| escaped_text(text);
    let row = |(at, parameter): (usize, &apidisc_facts::program::Parameter)| ArgumentRow {
        name: text(&signature.label(at)),
        annotation: parameter.annotation.as_deref().map(text),
        default: parameter.default.as_deref().map(text),
        required: signature.is_always_required(at),
        share: definition.usage.frequency(at).map(|share| (share * 1_000.0).round() / 1_000.0),
        description: definition.parameter_documentation(at).map(text),
    };
    signature.parameters.iter().enumerate().map(row).collect()
}

/// The callers of a definition, and their number.
fn callers(context: &Context<'_>, id: DefinitionId) -> (Vec<CallGraphNeighbour>, usize) {
    let index = context.symbols.index();
    let rows = index.usage(id).calls.iter().map(|&call| {
        let site = index.call(call);
        let name = match site.caller {
            Some(caller) => context.symbols.name_of(caller).to_string(),
            None if index.file(site.file).is_document() => index.file(site.file).path.to_string(),
            None => index.module(index.file(site.file).module).fqn.to_string(),
        };
        (name, call)
    });
    neighbours(context, rows)
}

/// The definitions that a definition and its members call, and their number.
fn callees(context: &Context<'_>, id: DefinitionId) -> (Vec<CallGraphNeighbour>, usize) {
    let index = context.symbols.index();
    let is_inside = |caller: DefinitionId| {
        std::iter::successors(Some(caller), |&at| index.definition(at).parent).any(|at| at == id)
    };
    let calls = index.calls.iter().enumerate().filter(|(_, call)| call.caller.is_some_and(is_inside));
    let rows = calls.filter_map(|(at, call)| {
        let callee = call.resolution.definition()?;
        (callee != id).then(|| (context.symbols.name_of(callee).to_string(), CallId::new(at)))
    });
    neighbours(context, rows)
}

/// The names with their numbers of calls, and the number of all names. Names whose first call is outside of tests come
/// first, each group most calls first.
fn neighbours(
    context: &Context<'_>,
    calls: impl Iterator<Item = (String, CallId)>,
) -> (Vec<CallGraphNeighbour>, usize) {
    let index = context.symbols.index();
    let mut found: FxHashMap<String, (u32, CallId)> = FxHashMap::default();
    for (name, call) in calls {
        found.entry(name).or_insert((0, call)).0 += 1;
    }
    let total = found.len();
    let mut rows: Vec<_> = found.into_iter().collect();
    let is_test = |call: CallId| index.file(index.call(call).file).origin == Origin::Tests;
    rows.sort_by_cached_key(|(name, (calls, call))| (is_test(*call), Reverse(*calls), name.clone()));
    rows.truncate(MAX_RELATED);
    let row = |(name, (calls, call)): (String, (u32, CallId))| {
        let site = index.call(call);
        CallGraphNeighbour { name, calls, place: format!("{}:{}", index.file(site.file).path, site.line) }
    };
    (rows.into_iter().map(row).collect(), total)
}
