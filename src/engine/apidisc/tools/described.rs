//! The names of the symbols and modules that an answer describes, for the log of requests.

use apidisc_answering::answers::{
    ModuleAnswer, RepoOverview, SourceAnswer, SymbolDetail, SymbolHit, SymbolHits, SymbolHitsBatch, SymbolList,
    SymbolsAnswer,
};

/// An answer that describes symbols or modules.
pub(super) trait Described {
    /// The FQNs of the described symbols and modules, in the order of the text.
    fn names(&self) -> Vec<String>;

    /// The hashes of the symbols that the answer does not describe again, because the session holds them.
    fn held(&self) -> Vec<&str> {
        Vec::new()
    }
}

fn of_hits<'a>(hits: impl IntoIterator<Item = &'a SymbolHit>) -> Vec<String> {
    hits.into_iter().map(|hit| hit.fqn.clone()).collect()
}

fn held<'a>(details: impl IntoIterator<Item = &'a SymbolDetail>) -> Vec<&'a str> {
    details.into_iter().filter(|detail| detail.is_held).map(|detail| detail.symbol.hash.as_str()).collect()
}

impl Described for SymbolHits {
    fn names(&self) -> Vec<String> {
        of_hits(&self.hits)
    }
}

impl Described for SymbolHitsBatch {
    fn names(&self) -> Vec<String> {
        of_hits(self.queries.iter().flat_map(|query| &query.hits))
    }
}

impl Described for SymbolList {
    fn names(&self) -> Vec<String> {
        of_hits(&self.symbols)
    }
}

impl Described for SymbolDetail {
    fn names(&self) -> Vec<String> {
        of_hits([&self.symbol])
    }

    fn held(&self) -> Vec<&str> {
        held([self])
    }
}

impl Described for SymbolsAnswer {
    fn names(&self) -> Vec<String> {
        of_hits(self.symbols.iter().filter(|detail| !detail.is_held).map(|detail| &detail.symbol))
    }

    fn held(&self) -> Vec<&str> {
        held(&self.symbols)
    }
}

/// The answer is the source of a symbol or of a file, according to the request.
impl Described for SourceAnswer {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Described for RepoOverview {
    fn names(&self) -> Vec<String> {
        self.top_modules.iter().map(|module| module.fqn.clone()).chain(of_hits(&self.symbols)).collect()
    }
}

impl Described for ModuleAnswer {
    fn names(&self) -> Vec<String> {
        vec![self.module.clone()]
    }
}
