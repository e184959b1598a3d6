//! Matches the calls and routes of an index with the operations of documents.

use rustc_hash::FxHashMap;

use super::{
    find::OperationId,
    template::{CallPath, DocumentServer, Fit, fit, segments},
    uses::OperationUses,
};
use crate::openapi::{ApiDocuments, Document};
use apidisc_indexing::index::Index;

/// The uses of the operations of documents.
#[derive(Clone, Debug, Default)]
pub struct ApiUses {
    /// For each document, the uses of its operations.
    operations: Vec<Vec<OperationUses>>,
    /// For each document, how many calls and routes belong to an operation.
    pub ledgers: Vec<MatchLedger>,
}

/// The numbers of calls and routes of the sources that belong to operations of one document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchLedger {
    /// Calls that match one operation best.
    pub matched: u32,
    /// Calls that match several operations equally well. They count for none.
    pub ambiguous: u32,
    /// Calls that match no operation.
    pub unmatched: u32,
    /// Routes that match one operation best.
    pub routes: u32,
}

/// The operations of a document by method and number of segments, with their segments.
type Table = FxHashMap<(String, usize), Vec<(usize, Vec<String>)>>;

impl ApiUses {
    /// Matches all calls and routes of an index with each document.
    pub fn new(documents: &ApiDocuments, index: &Index) -> Self {
        let mut uses = Self::default();
        for document in &documents.documents {
            let (operations, ledger) = match_document(document, index);
            uses.operations.push(operations);
            uses.ledgers.push(ledger);
        }
        uses
    }

    /// The uses of an operation.
    pub fn of(&self, id: OperationId) -> Option<&OperationUses> {
        self.operations.get(id.document)?.get(id.operation)
    }
}

fn match_document(document: &Document, index: &Index) -> (Vec<OperationUses>, MatchLedger) {
    let mut table = Table::default();
    for (at, operation) in document.operations.iter().enumerate().filter(|(_, operation)| !operation.is_webhook) {
        let segments = segments(&operation.path);
        table.entry((operation.method.to_ascii_uppercase(), segments.len())).or_default().push((at, segments));
    }
    let servers: Vec<DocumentServer> = document.servers.iter().map(|url| DocumentServer::read(url)).collect();
    let mut uses = vec![OperationUses::default(); document.operations.len()];
    let mut ledger = MatchLedger::default();
    for (position, call) in index.http.calls.iter().enumerate() {
        match best(&table, &servers, call.request.method.as_deref(), &CallPath::read(&call.request.url)) {
            Best::One(operation) => {
                ledger.matched += 1;
                uses[operation].add(position as u32, call);
            }
            Best::Several => ledger.ambiguous += 1,
            Best::None => ledger.unmatched += 1,
        }
    }
    for (position, route) in index.http.routes.iter().enumerate() {
        let path = CallPath { host: None, segments: segments(&route.path) };
        let matched = |path: &CallPath| match best(&table, &servers, route.method.as_deref(), path) {
            Best::One(operation) => Some(operation),
            Best::Several | Best::None => None,
        };
        // An unknown prefix of a route may be the path of a server.
        let without_prefix = || route.path.strip_prefix("/{}").map(CallPath::read).and_then(|path| matched(&path));
        if let Some(operation) = matched(&path).or_else(without_prefix) {
            ledger.routes += 1;
            let known = uses[operation].route.map(|known| &index.http.routes[known as usize]);
            // A route whose function has a name is preferred.
            if known.is_none_or(|known| known.handler.is_none() && route.handler.is_some()) {
                uses[operation].route = Some(position as u32);
            }
        }
    }
    (uses, ledger)
}

/// The operations that match a path best.
enum Best {
    None,
    One(usize),
    Several,
}

/// The operation that best matches the whole path, or the path below the base path of a server.
fn best(table: &Table, servers: &[DocumentServer], method: Option<&str>, path: &CallPath) -> Best {
    // Every API has a root, so a path without segments matches only if the host is that of a server.
    if !path.may_reach(servers) || path.segments.is_empty() && !path.names_host(servers) {
        return Best::None;
    }
    let mut found: Option<(Fit, usize)> = None;
    let mut is_single = true;
    let below = servers.iter().filter(|server| !server.base.is_empty()).filter_map(|server| path.below(&server.base));
    for segments in below.chain([&path.segments[..]]) {
        let lists = table
            .iter()
            .filter(|((known, length), _)| *length == segments.len() && method.is_none_or(|method| known == method));
        for (operation, expected) in lists.flat_map(|(_, operations)| operations) {
            let Some(fit) = fit(segments, expected) else { continue };
            match found {
                Some((best, known)) if fit < best || known == *operation => {}
                Some((best, _)) if fit == best => is_single = false,
                _ => {
                    found = Some((fit, *operation));
                    is_single = true;
                }
            }
        }
    }
    match found {
        Some((_, operation)) if is_single => Best::One(operation),
        Some(_) => Best::Several,
        None => Best::None,
    }
}
